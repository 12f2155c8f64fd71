//! The report's folder: the page, its figures and data, the analysis, the findings, and a manifest of all of it.

use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::render;
use crate::analysis::{
    Analysis, Request, Settings, analyse, correlation_table, driver_tables, group_table, hex, memory_table,
    trajectory_settings,
};
use crate::communication::Table;
use crate::error::{Error, Result};
use crate::features::{FeatureTable, Level, MetaColumns, Selection};
use crate::finding::Findings;
use crate::pipeline::Progress;
use crate::table::{Format, Row, Schema, TableFile, create_folder, write_file};
use crate::trajectory::overview::Trajectories;
use crate::trajectory::table::{
    Level as TrajectoryLevel, rows as trajectory_rows, schema as trajectory_schema,
};

const MANIFEST: &str = "manifest.json";

/// Where a report goes.
pub struct ReportFolder {
    root: PathBuf,
    force: bool,
    written: Vec<String>,
    started: String,
}

impl ReportFolder {
    /// Makes the folder. With `force`, files of an earlier report there are removed (those that its manifest lists).
    ///
    /// # Errors
    /// When it is there and not empty, and `force` is not set; when it can't be made.
    pub fn create(root: &Path, force: bool) -> Result<Self> {
        create_folder(root, force)?;
        let mut folder = Self { root: root.to_path_buf(), force, written: Vec::new(), started: now() };
        if force {
            folder.clear()?;
        }
        for part in ["data", "figures"] {
            create_folder(&folder.root.join(part), true)?;
        }
        folder.written.clear();
        Ok(folder)
    }

    /// Removes what the manifest of an earlier report lists; nothing outside the folder, nothing else in it.
    fn clear(&self) -> Result<()> {
        let path = self.root.join(MANIFEST);
        let Ok(bytes) = std::fs::read(&path) else { return Ok(()) };
        let manifest: Value = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        if manifest["schema"] != "swarm-analyze/manifest/1" {
            return Ok(());
        }
        let listed = manifest["files"].as_array().into_iter().flatten();
        for file in listed.filter_map(|file| file["path"].as_str()) {
            let inside = Path::new(file).components().all(|part| matches!(part, Component::Normal(_)));
            let target = self.root.join(file);
            if inside && target.symlink_metadata().is_ok_and(|facts| facts.is_file()) {
                std::fs::remove_file(&target).map_err(|source| Error::write(&target, source))?;
            }
        }
        Ok(())
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        write_file(&self.root.join(name), bytes, self.force)?;
        self.written.push(name.to_owned());
        Ok(())
    }

    fn write_json(&mut self, name: &str, value: &impl serde::Serialize) -> Result<()> {
        let mut bytes = serde_json::to_vec_pretty(value).map_err(|e| Error::internal("writing JSON", e))?;
        bytes.push(b'\n');
        self.write(name, &bytes)
    }

    /// A table in both formats.
    fn tables(&mut self, name: &str, schema: &Schema) -> Result<Tables> {
        let mut files = Vec::new();
        for (extension, format) in [("csv", Format::Csv), ("parquet", Format::Parquet)] {
            let file = format!("data/{name}.{extension}");
            files.push(TableFile::create(&self.root.join(&file), self.force, format, schema)?);
            self.written.push(file);
        }
        Ok(Tables(files))
    }

    fn whole_table(&mut self, name: &str, (schema, rows): (Schema, Vec<Row>)) -> Result<()> {
        let mut tables = self.tables(name, &schema)?;
        rows.into_iter().try_for_each(|row| tables.row(&row))?;
        tables.finish()
    }

    /// The manifest: what was written, when, by which command. The only file that holds times.
    fn finish(mut self, command: &str) -> Result<()> {
        self.written.sort();
        let mut files = Vec::new();
        for name in &self.written {
            let path = self.root.join(name);
            let bytes = std::fs::read(&path).map_err(|source| Error::read(&path, source))?;
            files.push(json!({"path": name, "bytes": bytes.len(), "sha256": hex(&Sha256::digest(&bytes))}));
        }
        let manifest = json!({
            "schema": "swarm-analyze/manifest/1",
            "version": env!("CARGO_PKG_VERSION"),
            "command": command,
            "started": self.started,
            "finished": now(),
            "files": files,
        });
        self.write_json(MANIFEST, &manifest)
    }
}

/// A table that is written in several formats at once.
struct Tables(Vec<TableFile>);

impl Tables {
    fn row(&mut self, row: &Row) -> Result<()> {
        self.0.iter_mut().try_for_each(|file| file.row(row.clone()))
    }

    fn finish(self) -> Result<()> {
        self.0.into_iter().try_for_each(TableFile::finish)
    }
}

/// Analyses, and writes the whole folder. `command_line` is the command as it was given, for the manifest.
///
/// # Errors
/// As [`analyse`]; when something can't be written.
pub fn write_report(
    mut folder: ReportFolder,
    request: &Request<'_>,
    command_line: &str,
    progress: &dyn Progress,
    findings: Findings,
) -> Result<Analysis> {
    let (undefined, embedder) = (request.settings.undefined, request.embedder.name());
    let meta = MetaColumns::of(&request.inventory.swarm);
    let mut levels = Vec::new();
    for (name, level) in [("rounds", Level::Round), ("runs", Level::Run), ("agents", Level::Agent)] {
        let table = FeatureTable::new(level, meta.clone(), undefined, embedder, &Selection::all());
        let files = folder.tables(name, &table.schema)?;
        levels.push((table, files));
    }
    let analysis = analyse(request, progress, findings, |record| {
        for (table, files) in &mut levels {
            table.rows(record, embedder).iter().try_for_each(|row| files.row(row))?;
        }
        Ok(())
    })?;
    levels.into_iter().try_for_each(|(_, files)| files.finish())?;
    if let Some(swarm) = &analysis.swarm {
        folder.whole_table("groups", group_table(&swarm.groups))?;
        folder.whole_table("correlations", correlation_table(&swarm.correlations))?;
        folder.whole_table("memory", memory_table(&swarm.memory))?;
    }
    for table in analysis.drivers.iter().flat_map(driver_tables) {
        folder.whole_table(table.name, (table.schema, table.rows))?;
    }
    if let Some(all) = &analysis.trajectories {
        folder.whole_table(
            "trajectory_groups",
            trajectory_table(all, TrajectoryLevel::Group, &analysis.settings)?,
        )?;
        folder.whole_table(
            "trajectory_runs",
            trajectory_table(all, TrajectoryLevel::Run, &analysis.settings)?,
        )?;
    }
    if let Some(all) = &analysis.communication {
        let tables = [
            ("communication", Table::Rows),
            ("communication_episodes", Table::Episodes),
            ("communication_rounds", Table::Rounds),
            ("communication_arcs", Table::Arcs),
            ("communication_differences", Table::Differences),
        ];
        for (name, table) in tables {
            let exported =
                all.table(table).map_err(|error| Error::internal("the communication tables", error))?;
            folder.whole_table(name, (exported.schema, exported.rows))?;
        }
    }
    let rendered = render(&analysis)?;
    folder.write("report.html", rendered.html.as_bytes())?;
    for (name, svg) in &rendered.figures {
        folder.write(name, svg.as_bytes())?;
    }
    folder.write_json("analysis.json", &analysis)?;
    folder.write_json(
        "findings.json",
        &json!({"findings": analysis.findings, "files": request.inventory.seen}),
    )?;
    folder.finish(command_line)?;
    Ok(analysis)
}

/// A table of the trajectory measures.
fn trajectory_table(
    all: &Trajectories,
    level: TrajectoryLevel,
    settings: &Settings,
) -> Result<(Schema, Vec<Row>)> {
    let mut rows = Vec::new();
    trajectory_rows(level, &[], all, |row| {
        rows.push(row);
        Ok::<(), Error>(())
    })?;
    Ok((trajectory_schema(level, &trajectory_settings(settings)), rows))
}

/// The time in UTC to the second, for the manifest only.
#[expect(clippy::disallowed_methods, reason = "the manifest is the one file that holds times")]
fn now() -> String {
    let seconds =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    utc(seconds)
}

/// Seconds since 1970 as `YYYY-MM-DDThh:mm:ssZ` in the proleptic Gregorian calendar, counting 400-year eras of 146 097
/// days from 1 March 0000.
fn utc(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let since_march_0000 = days + 719_468;
    let (era, day) = (since_march_0000 / 146_097, since_march_0000 % 146_097);
    let year_of_era = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day_of_month:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_date_prints_them() {
        // date -u -d @N +%FT%TZ (GNU coreutils 9.1)
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(utc(1_796_000_000), "2026-11-30T00:53:20Z");
        assert_eq!(utc(4_102_444_799), "2099-12-31T23:59:59Z");
    }

    #[test]
    fn force_removes_only_what_the_manifest_lists() {
        let outside = tempfile::tempdir().unwrap();
        let root = outside.path().join("r");
        std::fs::create_dir(&root).unwrap();
        for name in ["r/old.svg", "r/mine.txt", "precious.txt"] {
            std::fs::write(outside.path().join(name), "x").unwrap();
        }
        let manifest = json!({"schema": "swarm-analyze/manifest/1", "files": [{"path": "old.svg"}, {"path": "../precious.txt"}]});
        std::fs::write(root.join(MANIFEST), manifest.to_string()).unwrap();
        assert!(matches!(ReportFolder::create(&root, false), Err(Error::OutputExists { .. })));
        ReportFolder::create(&root, true).unwrap();
        assert!(!root.join("old.svg").exists());
        assert!(root.join("mine.txt").exists() && outside.path().join("precious.txt").exists());
    }
}
