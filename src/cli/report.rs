//! `swarm-analyze report`: the main job.

use std::path::PathBuf;

use clap::Args;

use super::common::{Input, say};
use super::features::UndefinedArgument;
use crate::analysis::{Request, Settings};
use crate::attribution::collect::AttributionParams;
use crate::attribution::study::StudyParams;
use crate::error::{Error, ExitCode, Result};
use crate::features::MetaColumns;
use crate::features::embed::{Embedder, HashedNgrams};
use crate::finding::Findings;
use crate::pipeline::workers;
use crate::report::{ReportFolder, slug, write_report};

/// Read logs, analyse them, and write a report: one HTML page with figures, tables and data beside it
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,

    /// Folder to write [default: reports/NAME, after the first input]
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,

    /// Title of the report
    #[arg(long)]
    title: Option<String>,

    /// Seed of every random draw
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// Bootstrap resamples behind each interval
    #[arg(long, default_value_t = crate::stats::RESAMPLES as u32, value_name = "N", value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    resamples: u32,

    /// What an undefined round counts as in a run's mean: 0 as in the papers, or not at all
    #[arg(long, value_enum, default_value = "zero")]
    undefined: UndefinedArgument,

    /// Meta keys that tell groups apart beside the model (temperature, view_size, …)
    #[arg(long, value_name = "KEY", value_delimiter = ',')]
    group_by: Vec<String>,

    /// Leave out what needs a second reading of the logs: failure moments, keywords, attribution, regression
    #[arg(long)]
    no_attribution: bool,

    /// Write into a folder that is not empty, replacing an earlier report there
    #[arg(long)]
    force: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let input = &arguments.input;
    let name = first_name(input);
    let output = arguments.output.clone().unwrap_or_else(|| PathBuf::from("reports").join(slug(&name)));
    let mut findings = Findings::new();
    let inventory = input.discover(&mut findings)?;
    let meta = MetaColumns::of(&inventory.swarm);
    check_keys(&arguments.group_by, &meta)?;
    let embedder = HashedNgrams;
    let settings = Settings {
        resamples: arguments.resamples as usize,
        undefined: arguments.undefined.into(),
        group_by: arguments.group_by.clone(),
        ..Settings::new(arguments.seed, embedder.name())
    };
    let title = arguments.title.clone().unwrap_or_else(|| format!("Analysis of {name}"));
    let command = command(arguments);
    let study =
        StudyParams { seed: arguments.seed, splits: 2, max_rows: 4000, trees: 60, ..StudyParams::default() };
    let attribution = (!arguments.no_attribution).then(|| AttributionParams {
        study,
        by_model: true,
        ..AttributionParams::default()
    });
    let request =
        Request { inventory: &inventory, settings, title, command, attribution, embedder: &embedder };
    let folder = ReportFolder::create(&output, arguments.force)?;
    let progress = input.progress();
    let command_line: Vec<String> =
        std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let analysis = workers(input.jobs)?
        .install(|| write_report(folder, &request, &command_line.join(" "), progress.as_ref(), findings))?;
    let code = input.conclude(&analysis.findings);
    if !input.quiet {
        say(&format!("wrote {}", output.join("report.html").display()));
    }
    Ok(code)
}

/// The first input's name: of the folder or file, without its ending.
fn first_name(input: &Input) -> String {
    let first = input.paths.first().map(|path| path.canonicalize().unwrap_or_else(|_| path.clone()));
    let stem = first.as_deref().and_then(|path| {
        let ended = if path.is_dir() { path.file_name() } else { path.file_stem() };
        ended.map(|name| name.to_string_lossy().into_owned())
    });
    let name = stem.unwrap_or_else(|| "runs".to_owned());
    match input.paths.len() {
        0 | 1 => name,
        n => format!("{name} and {} more", n - 1),
    }
}

fn check_keys(keys: &[String], meta: &MetaColumns) -> Result<()> {
    for key in keys {
        if !meta.keys().any(|known| known == key) {
            let known: Vec<&str> = meta.keys().collect();
            return Err(Error::Usage(format!(
                "--group-by {key}: no run has this meta key; there are {}",
                known.join(", ")
            )));
        }
    }
    Ok(())
}

/// The command without what does not change the report: where it goes and how many workers it takes.
fn command(arguments: &Arguments) -> String {
    let mut words = vec!["swarm-analyze".to_owned(), "report".to_owned()];
    words.extend(arguments.input.paths.iter().map(|path| quoted(&path.display().to_string())));
    words.push(format!("--seed {}", arguments.seed));
    words.push(format!("--resamples {}", arguments.resamples));
    words.push(format!("--undefined {}", crate::features::Undefined::from(arguments.undefined).name()));
    if arguments.no_attribution {
        words.push("--no-attribution".to_owned());
    }
    if !arguments.group_by.is_empty() {
        words.push(format!("--group-by {}", quoted(&arguments.group_by.join(","))));
    }
    if let Some(title) = &arguments.title {
        words.push(format!("--title {}", quoted(title)));
    }
    words.join(" ")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("runs/a.zip"), "runs/a.zip");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
    }
}
