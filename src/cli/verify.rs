//! `swarm-analyze verify`: plays logged actions again and compares every logged state.

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use serde_json::json;

use super::common::{Input, printable, stdout_error};
use crate::error::{ExitCode, Result};
use crate::finding::Findings;
use crate::pipeline::workers;
use crate::simulate::swarmbench::verify::{Verdict, verify_runs};

/// Re-simulate SwarmBench runs from their logged actions, and compare grid, positions, score and messages in every round
///
/// The exit code is 1 when a run is not reproduced, or can't be checked.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,

    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line per run that was not reproduced, and a summary
    Text,
    /// All verdicts as JSON
    Json,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut findings = Findings::new();
    let inventory = arguments.input.discover(&mut findings)?;
    let progress = arguments.input.progress();
    let verdicts = workers(arguments.input.jobs)?
        .install(|| verify_runs(&inventory.swarm, progress.as_ref(), &mut findings))?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let written = match arguments.format {
        Format::Json => writeln!(out, "{:#}", json!({ "rows": verdicts })),
        Format::Text => write_text(&mut out, &verdicts),
    };
    written.and_then(|()| out.flush()).map_err(stdout_error)?;
    let code = arguments.input.conclude(&findings.into_sorted());
    Ok(if verdicts.iter().all(|verdict| verdict.reproduced) { code } else { ExitCode::Findings })
}

fn write_text(out: &mut impl Write, verdicts: &[Verdict]) -> io::Result<()> {
    for verdict in verdicts {
        let Some(difference) = &verdict.first_difference else { continue };
        let round = difference.round.map_or_else(String::new, |round| format!(" round {round}:"));
        let values = if difference.logged.is_null() && difference.simulated.is_null() {
            String::new()
        } else {
            format!(", logged {}, simulated {}", difference.logged, difference.simulated)
        };
        let line = format!(
            "{} {} {}:{round} {}{values}",
            verdict.batch, verdict.run_id, verdict.task, difference.what
        );
        writeln!(out, "{}", printable(&line))?;
    }
    let reproduced = verdicts.iter().filter(|verdict| verdict.reproduced).count();
    let states: u64 = verdicts.iter().map(|verdict| u64::from(verdict.rounds_checked)).sum();
    writeln!(out, "{reproduced} of {} runs reproduced; {states} logged states came out alike", verdicts.len())
}
