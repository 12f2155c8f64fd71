//! `swarm-analyze communication`: scores, tokens and message graphs of MASBench runs.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use clap::Args;

use super::common::{Input, is_stdout, stdout_error};
use crate::communication::{Communication, Settings, Table, Vocabulary, communicate};
use crate::error::{Error, ExitCode, Result};
use crate::features::Undefined;
use crate::features::embed::HashedNgrams;
use crate::finding::Findings;
use crate::pipeline::workers;
use crate::table::{Format, TableWriter, write_file};

/// Score MASBench runs: score, tokens, efficiency, contribution entropy, rounds, who talks to whom
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,

    /// Output format; JSON holds all tables, the others one
    #[arg(long, value_enum, default_value = "csv")]
    format: Format,

    /// Which table CSV, NDJSON and Parquet hold
    #[arg(long, value_enum, default_value = "rows")]
    table: Table,

    /// What counts the tokens of messages whose log has no count
    #[arg(long, value_enum, default_value = "o200k_base", value_name = "VOCABULARY")]
    tokenizer: Vocabulary,

    /// What an undefined round counts as in an episode's group dynamics: 0 as in the papers, or not at all
    #[arg(long, default_value = "zero", value_parser = ["zero", "skip"])]
    undefined: String,

    /// Seed of the resampling
    #[arg(long, default_value_t = Settings::default().seed)]
    seed: u64,

    /// Bootstrap resamples
    #[arg(long, default_value_t = Settings::default().resamples, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
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
    if inventory.masbench.is_empty() {
        arguments.input.conclude(&findings.into_sorted());
        return Err(Error::NoInput(format!(
            "no MASBench run among {} files; a run is a folder with run.json (schema masbench/1) and episodes.jsonl",
            inventory.seen.len()
        )));
    }
    let settings = Settings {
        tokenizer: arguments.tokenizer,
        undefined: if arguments.undefined == "skip" { Undefined::Skip } else { Undefined::Zero },
        seed: arguments.seed,
        resamples: arguments.resamples,
        ..Settings::default()
    };
    let progress = arguments.input.progress();
    let communication = workers(arguments.input.jobs)?.install(|| {
        communicate(&inventory.masbench, &HashedNgrams, settings, progress.as_ref(), &mut findings)
    })?;
    let bytes = bytes(&communication, arguments.format, arguments.table)?;
    match &arguments.output {
        Some(path) if !is_stdout(arguments.output.as_ref()) => write_file(path, &bytes, arguments.force)?,
        _ => io::stdout().lock().write_all(&bytes).map_err(stdout_error)?,
    }
    Ok(arguments.input.conclude(&findings.into_sorted()))
}

fn bytes(communication: &Communication, format: Format, table: Table) -> Result<Vec<u8>> {
    let internal = |error: serde_json::Error| Error::internal("the communication tables", error);
    if format == Format::Json {
        let mut bytes = serde_json::to_vec(communication).map_err(internal)?;
        bytes.push(b'\n');
        return Ok(bytes);
    }
    let exported = communication.table(table).map_err(internal)?;
    let buffer = Buffer::default();
    let failed = |error: io::Error| Error::internal("the communication tables", error);
    let mut writer = TableWriter::new(format, &exported.schema, buffer.clone()).map_err(failed)?;
    exported.rows.into_iter().try_for_each(|row| writer.row(row)).map_err(failed)?;
    writer.finish().map_err(failed)?;
    let bytes = buffer.0.lock().map_err(|_| failed(io::Error::other("a writer panicked")))?;
    Ok(bytes.clone())
}

/// Bytes that can be had after the table's writer, which may keep its sink, is done.
#[derive(Clone, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().map_err(|_| io::Error::other("a writer panicked"))?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
