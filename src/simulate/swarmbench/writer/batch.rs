//! A batch: a folder or an archive with a meta log and two logs per run, which appears whole or not at all.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::json::push_text;
use crate::error::{Error, Result};
use crate::simulate::swarmbench::rules::{Obstacle, Rules, Sightings};

/// What the meta log says of a run.
#[derive(Clone, Debug)]
pub struct RunEntry {
    /// The run id.
    pub run_id: String,
    /// The policy's name.
    pub model: String,
    /// The rules.
    pub rules: Rules,
    /// Rounds that prompts recall.
    pub memory: usize,
}

/// The id of a batch's run number `number`, in the released form: a start time (by the runs' own clock) and a worker.
pub fn run_id(number: usize) -> String {
    format!("{}-ThreadPoolExecutor-0_{}", 1_760_000_000 + 137 * number, number % 4)
}

/// A batch that is being written.
pub struct Batch {
    place: PathBuf,
    force: bool,
    temporary: TempDir,
    archive: Option<Archive>,
    name: String,
    meta: String,
}

struct Archive {
    path: PathBuf,
    zip: ZipWriter<BufWriter<File>>,
}

impl Batch {
    /// Starts the batch `name` in `folder`, as a folder or as an archive.
    ///
    /// # Errors
    /// When it is there already and `force` is not set, or the folder can't be written to.
    pub fn create(folder: &Path, name: &str, zipped: bool, force: bool) -> Result<Self> {
        let place = folder.join(if zipped { format!("{name}.zip") } else { name.to_owned() });
        if !force && place.symlink_metadata().is_ok() {
            return Err(Error::OutputExists { path: place });
        }
        fs::create_dir_all(folder).map_err(|source| Error::write(folder, source))?;
        let temporary = tempfile::Builder::new().prefix(".swarm-analyze-").suffix(".tmp").tempdir_in(folder);
        let temporary = temporary.map_err(|source| Error::write(folder, source))?;
        let archive = if zipped {
            let path = temporary.path().join("batch.zip");
            let file = File::create(&path).map_err(|source| Error::write(&path, source))?;
            Some(Archive { path, zip: ZipWriter::new(BufWriter::new(file)) })
        } else {
            None
        };
        Ok(Self { place, force, temporary, archive, name: name.to_owned(), meta: String::new() })
    }

    /// The folder in which the runs' logs are written first.
    pub fn workshop(&self) -> &Path {
        self.temporary.path()
    }

    /// Takes in a run whose logs are whole. Runs come in their order.
    ///
    /// # Errors
    /// When the archive can't be written.
    pub fn add(&mut self, entry: &RunEntry) -> Result<()> {
        self.meta.push_str(if self.meta.is_empty() { "{" } else { ", " });
        push_text(&mut self.meta, &entry.run_id);
        self.meta.push_str(": ");
        push_entry(&mut self.meta, entry);
        if self.archive.is_some() {
            for kind in ["game_log", "agent_log"] {
                let file = format!("{kind}_{}.json", entry.run_id);
                let path = self.temporary.path().join(&file);
                self.pack(&file, &path)?;
                fs::remove_file(&path).map_err(|source| Error::write(&path, source))?;
            }
        }
        Ok(())
    }

    fn pack(&mut self, file: &str, from: &Path) -> Result<()> {
        let Some(archive) = &mut self.archive else { return Ok(()) };
        let member = format!("{}/{file}", self.name);
        let options = SimpleFileOptions::default().large_file(true);
        let packed = File::open(from).and_then(|source| {
            archive.zip.start_file(member, options).map_err(io::Error::other)?;
            io::copy(&mut BufReader::new(source), &mut archive.zip)
        });
        packed.map(|_| ()).map_err(|source| Error::write(&self.place, source))
    }

    /// Writes the meta log and puts the batch in its place; returns where that is.
    ///
    /// # Errors
    /// When it can't be written, or something has come to be there meanwhile.
    pub fn finish(mut self) -> Result<PathBuf> {
        self.meta.push_str(if self.meta.is_empty() { "{}" } else { "}" });
        let path = self.temporary.path().join("meta_log.json");
        fs::write(&path, &self.meta).map_err(|source| Error::write(&path, source))?;
        self.pack("meta_log.json", &path)?;
        let place = self.place;
        let failed = |source| Error::write(&place, source);
        // The old batch is dropped with this folder, after the new one is in its place.
        let attic = tempfile::Builder::new()
            .prefix(".swarm-analyze-")
            .suffix(".tmp")
            .tempdir_in(place.parent().unwrap_or(Path::new(".")));
        let attic = attic.map_err(failed)?;
        if let Ok(facts) = place.symlink_metadata() {
            // Only a batch is replaced, never a folder that holds something else.
            if !self.force || (facts.is_dir() && !place.join("meta_log.json").is_file()) {
                return Err(Error::OutputExists { path: place });
            }
            fs::rename(&place, attic.path().join("old")).map_err(failed)?;
        }
        if let Some(Archive { path, zip }) = self.archive.take() {
            zip.finish().map_err(io::Error::other).and_then(|mut file| file.flush()).map_err(failed)?;
            fs::rename(path, &place).map_err(failed)?;
        } else {
            open_to_readers(self.temporary.path()).map_err(failed)?;
            fs::rename(self.temporary.path(), &place).map_err(failed)?;
            let _ = self.temporary.keep(); // it has another name now
        }
        Ok(place)
    }
}

/// Temporary folders are private to their owner; an output is as open as folders usually are.
#[cfg(unix)]
fn open_to_readers(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn open_to_readers(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The released keys, and one for every rule that differs from the released ones.
fn push_entry(out: &mut String, entry: &RunEntry) {
    let rules = &entry.rules;
    out.push_str("{\"model\": ");
    push_text(out, &entry.model);
    out.push_str(", \"task\": ");
    push_text(out, rules.task.name());
    let numbers = [
        ("num_agents", i64::from(rules.agents)),
        ("max_round", i64::from(rules.max_round)),
        ("width", i64::from(rules.width)),
        ("height", i64::from(rules.height)),
        ("seed", rules.seed),
        ("view_size", i64::from(rules.view_size)),
        ("memory", entry.memory as i64),
    ];
    for (key, number) in numbers {
        let _ = write!(out, ", \"{key}\": {number}");
    }
    if rules.obstacle != Obstacle::LShape {
        let _ = write!(out, ", \"obstacle\": \"{}\"", rules.obstacle.name());
    }
    if rules.sightings == Sightings::Global {
        out.push_str(", \"view\": \"global\"");
    }
    if rules.noise > 0.0 {
        let _ = write!(out, ", \"noise\": {:?}", rules.noise);
    }
    if rules.delay > 0 {
        let _ = write!(out, ", \"delay\": {}", rules.delay);
    }
    out.push('}');
}
