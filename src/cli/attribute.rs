//! `swarm-analyze attribute`: what drives the agents' actions.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::common::{Input, is_stdout, stdout_error};
use crate::attribution::collect::{AttributionParams, attribute_runs};
use crate::attribution::encode::ViewEncoding;
use crate::attribution::show;
use crate::attribution::study::StudyParams;
use crate::error::{Error, ExitCode, Result};
use crate::features::embed::HashedNgrams;
use crate::finding::Findings;
use crate::pipeline::workers;
use crate::table::write_file;

/// Predict each action from what the agent saw and heard, and rank what the prediction rests on
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,

    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: OutputFormat,

    /// Trees of each forest
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    trees: u32,

    /// Shuffles of each feature and split
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeats: u32,

    /// Times that a quarter of the runs is held out anew
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    splits: u32,

    /// Decisions of a task at most, drawn evenly from its runs
    #[arg(long, default_value_t = 12_000, value_name = "N", value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    max_rows: u32,

    /// How the view is encoded
    #[arg(long, value_enum, default_value = "cells")]
    view: ViewEncoding,

    /// Study each task as a whole only, not each of its models
    #[arg(long)]
    tasks_only: bool,

    /// Seed of every random draw
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// File to write; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the output if it exists
    #[arg(long)]
    force: bool,
}

/// How the result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    /// Sentences and tables to read
    Text,
    /// Every number
    Json,
    /// One row for each ranked thing
    Csv,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut findings = Findings::new();
    let inventory = arguments.input.discover(&mut findings)?;
    let params = AttributionParams {
        study: StudyParams {
            trees: arguments.trees as usize,
            repeats: arguments.repeats as usize,
            splits: arguments.splits as usize,
            max_rows: arguments.max_rows as usize,
            seed: arguments.seed,
            ..StudyParams::default()
        },
        view: arguments.view,
        by_model: !arguments.tasks_only,
    };
    let progress = arguments.input.progress();
    let analysis = workers(arguments.input.jobs)?.install(|| {
        attribute_runs(&inventory.swarm, &HashedNgrams, &params, progress.as_ref(), &mut findings)
    })?;
    let text = match arguments.format {
        OutputFormat::Text => show::text(&analysis),
        OutputFormat::Csv => show::csv(&analysis),
        OutputFormat::Json => {
            let json = serde_json::to_string_pretty(&analysis);
            json.map_err(|e| Error::internal("writing JSON", e))? + "\n"
        }
    };
    match &arguments.output {
        Some(path) if !is_stdout(Some(path)) => write_file(path, text.as_bytes(), arguments.force)?,
        _ => std::io::stdout().lock().write_all(text.as_bytes()).map_err(stdout_error)?,
    }
    Ok(arguments.input.conclude(&findings.into_sorted()))
}
