//! `swarm-analyze features`: the tables of rounds, runs or agents.

use std::io;
use std::path::PathBuf;

use clap::Args;

use super::common::{Input, Stdout, is_stdout};
use crate::error::{ExitCode, Result};
use crate::features::embed::{Embedder, HashedNgrams};
use crate::features::{FeatureTable, Level, MetaColumns, Selection, Undefined};
use crate::finding::Findings;
use crate::pipeline::{measure_runs, workers};
use crate::table::{Format, Row, TableFile, TableWriter};

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

    /// Features to compute and write (default: all); fewer are faster
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    only: Vec<String>,

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
    let selection = Selection::of(&arguments.only)?;
    let mut findings = Findings::new();
    let inventory = arguments.input.discover(&mut findings)?;
    let embedder = HashedNgrams;
    let undefined = Undefined::from(arguments.undefined);
    let table = FeatureTable::new(
        arguments.level,
        MetaColumns::of(&inventory.swarm),
        undefined,
        embedder.name(),
        &selection,
    );
    let progress = arguments.input.progress();
    let mut measure = |sink: &mut (dyn FnMut(Row) -> Result<()> + Send)| {
        workers(arguments.input.jobs)?.install(|| {
            measure_runs(
                &inventory.swarm,
                &embedder,
                undefined,
                &selection,
                progress.as_ref(),
                &mut findings,
                |record| table.rows(&record, embedder.name()).into_iter().try_for_each(&mut *sink),
            )
        })
    };
    match arguments.output.as_ref().filter(|_| !is_stdout(arguments.output.as_ref())) {
        None => {
            let stdout = Stdout::new();
            let failed = stdout.error();
            let out = io::BufWriter::with_capacity(1 << 16, stdout);
            let mut writer = TableWriter::new(arguments.format, &table.schema, out).map_err(&failed)?;
            measure(&mut |row| writer.row(row).map_err(&failed))?;
            writer.finish().map_err(&failed)?;
        }
        Some(path) => {
            let mut file = TableFile::create(path, arguments.force, arguments.format, &table.schema)?;
            measure(&mut |row| file.row(row))?;
            file.finish()?;
        }
    }
    Ok(arguments.input.conclude(&findings.into_sorted()))
}
