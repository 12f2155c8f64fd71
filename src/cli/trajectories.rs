//! `swarm-analyze trajectories`: scores, labels and measures of proposal trajectories.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::common::{Input, Stdout, is_stdout, stdout_error};
use crate::error::{Error, ExitCode, Result};
use crate::finding::Findings;
use crate::pipeline::workers;
use crate::table::{AtomicFile, Format, TableFile, TableWriter};
use crate::trajectory::estimate::Intervals;
use crate::trajectory::overview::{Settings, Trajectories, analyse};
use crate::trajectory::table::{Level, rows, schema};
use crate::trajectory::trace::RunTrace;
use crate::trajectory::{load, write};

/// Score, label and measure proposal trajectories (mastracebench/1 runs)
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,

    /// Output format; json holds runs, groups and units in one object, the others one table
    #[arg(long, value_enum, default_value = "json")]
    format: Format,

    /// What a row is, in every format but json
    #[arg(long, value_enum, default_value = "run")]
    level: Level,

    /// Keys of run.json that split groups beside task, method and model (seed, rounds, temperature, …)
    #[arg(long, value_name = "KEY", value_delimiter = ',')]
    by: Vec<String>,

    /// Seed of the bootstrap
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// Bootstrap resamples behind each interval
    #[arg(long, default_value_t = crate::stats::RESAMPLES as u32, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    resamples: u32,

    /// File to write; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the output if it exists
    #[arg(long)]
    force: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut findings = Findings::new();
    let inventory = arguments.input.discover(&mut findings)?;
    if inventory.proposals.is_empty() {
        return Err(Error::NoInput(
            "no mastracebench/1 run among the inputs; expected folders with run.json and units.jsonl".into(),
        ));
    }
    let settings = Settings {
        intervals: Intervals {
            resamples: arguments.resamples as usize,
            level: crate::stats::LEVEL,
            seed: arguments.seed,
        },
        by: arguments.by.clone(),
    };
    let (runs, all) = workers(arguments.input.jobs)?.install(|| {
        let runs = load::trace_all(&inventory.proposals, &mut findings);
        let all = analyse(&runs, &settings, &mut findings);
        (runs, all)
    });
    let output = arguments.output.as_ref().filter(|_| !is_stdout(arguments.output.as_ref()));
    match (arguments.format, output) {
        (Format::Json, None) => {
            let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout());
            json(&mut out, &runs, &all).map_err(stdout_error)?;
        }
        (Format::Json, Some(path)) => {
            let mut file = AtomicFile::create(path, arguments.force)?;
            json(&mut file, &runs, &all).map_err(|source| Error::write(path, source))?;
            file.finish()?;
        }
        (format, None) => {
            let stdout = Stdout::new();
            let failed = stdout.error();
            let out = io::BufWriter::with_capacity(1 << 16, stdout);
            let schema = schema(arguments.level, &settings);
            let mut writer = TableWriter::new(format, &schema, out).map_err(&failed)?;
            rows(arguments.level, &runs, &all, |row| writer.row(row).map_err(&failed))?;
            writer.finish().map_err(&failed)?;
        }
        (format, Some(path)) => {
            let schema = schema(arguments.level, &settings);
            let mut file = TableFile::create(path, arguments.force, format, &schema)?;
            rows(arguments.level, &runs, &all, |row| file.row(row))?;
            file.finish()?;
        }
    }
    Ok(arguments.input.conclude(&findings.into_sorted()))
}

fn json(out: &mut dyn Write, runs: &[RunTrace], all: &Trajectories) -> io::Result<()> {
    write::json(out, runs, all)?;
    out.flush()
}
