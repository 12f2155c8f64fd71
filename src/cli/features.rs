//! `swarm-analyze features`: the tables of rounds, runs or agents.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::common::{Input, is_stdout, stdout_error};
use crate::error::{Error, ExitCode, Result};
use crate::features::embed::{Embedder, HashedNgrams};
use crate::features::{FeatureTable, Level, MetaColumns, Undefined};
use crate::finding::Findings;
use crate::ingest::Inventory;
use crate::pipeline::{measure_runs, workers};
use crate::table::{AtomicFile, Format, TableWriter};

/// Compute the group dynamics of SwarmBench runs, by round, run or agent
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,

    /// What a row is
    #[arg(long, value_enum, default_value = "run")]
    level: Level,

    /// Output format
    #[arg(long, value_enum, default_value = "csv")]
    format: Format,

    /// What an undefined round counts as in a run's mean: 0 as in the papers, or not at all
    #[arg(long, value_enum, default_value = "zero")]
    undefined: UndefinedArgument,

    /// File to write; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the output if it exists
    #[arg(long)]
    force: bool,
}

/// [`Undefined`] on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum UndefinedArgument {
    /// Count it as 0 (the papers' rule)
    Zero,
    /// Leave it out
    Skip,
}

impl From<UndefinedArgument> for Undefined {
    fn from(argument: UndefinedArgument) -> Self {
        match argument {
            UndefinedArgument::Zero => Self::Zero,
            UndefinedArgument::Skip => Self::Skip,
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut findings = Findings::new();
    let inventory = arguments.input.discover(&mut findings)?;
    if is_stdout(arguments.output.as_ref()) {
        // Not the lock: the frames library wants to send its sink to other threads.
        let out = io::BufWriter::with_capacity(1 << 16, io::stdout());
        write_table(arguments, &inventory, &mut findings, out, stdout_error)?;
    } else if let Some(path) = &arguments.output {
        let file = std::sync::Arc::new(std::sync::Mutex::new(AtomicFile::create(path, arguments.force)?));
        write_table(arguments, &inventory, &mut findings, SharedFile(file.clone()), |e| {
            Error::write(path, e)
        })?;
        let file = std::sync::Arc::into_inner(file).and_then(|lock| lock.into_inner().ok());
        file.ok_or_else(|| Error::internal("writing the table", "the file is still in use"))?.finish()?;
    }
    Ok(arguments.input.conclude(&findings.into_sorted()))
}

/// A file that is finished only after the writer of the table has let go of it.
#[derive(Clone)]
struct SharedFile(std::sync::Arc<std::sync::Mutex<AtomicFile>>);

impl Write for SharedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().map_err(|_| io::Error::other("a writer panicked"))?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.lock().map_err(|_| io::Error::other("a writer panicked"))?.flush()
    }
}

fn write_table<W: Write + Send + 'static>(
    arguments: &Arguments,
    inventory: &Inventory,
    findings: &mut Findings,
    out: W,
    failed: impl Fn(io::Error) -> Error + Sync + Send,
) -> Result<()> {
    let embedder = HashedNgrams;
    let undefined = Undefined::from(arguments.undefined);
    let table =
        FeatureTable::new(arguments.level, MetaColumns::of(&inventory.swarm), undefined, embedder.name());
    let mut writer = TableWriter::new(arguments.format, &table.schema, out).map_err(&failed)?;
    let progress = arguments.input.progress();
    workers(arguments.input.jobs)?.install(|| {
        measure_runs(&inventory.swarm, &embedder, undefined, progress.as_ref(), findings, |record| {
            let rows = table.rows(&record, embedder.name());
            rows.into_iter().try_for_each(|row| writer.row(row)).map_err(&failed)
        })
    })?;
    writer.finish().map_err(&failed)?;
    Ok(())
}
