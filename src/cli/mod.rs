//! The command line: one file per subcommand, no logic; what it computes comes from the library.

mod attribute;
mod common;
mod communication;
mod features;
mod progress;
mod report;
mod simulate;
mod simulate_masbench;
mod simulate_mastracebench;
mod simulate_swarmbench;
mod trajectories;
mod verify;

use std::process::ExitCode as ProcessExit;

use clap::{Parser, Subcommand};

use crate::error::{Error, ExitCode};

/// Offline analysis of LLM multi-agent runs: group dynamics, statistics with uncertainty, and a report in one file.
#[derive(Debug, Parser)]
#[command(name = "swarm-analyze", version, about, long_about = None, propagate_version = true, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 fine; 1 findings at or above --fail-on; 2 usage; 3 no recognised input; 4 output exists or can't be \
written; 70 internal error.";

#[derive(Debug, Subcommand)]
enum Command {
    Report(report::Arguments),
    Communication(communication::Arguments),
    Attribute(attribute::Arguments),
    Features(features::Arguments),
    Trajectories(trajectories::Arguments),
    Simulate(simulate::Arguments),
    Verify(verify::Arguments),
}

/// Runs the command line of this process.
pub fn main() -> ProcessExit {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are data, errors are talk; clap prints each where it belongs.
            let code = if error.use_stderr() { ExitCode::Usage } else { ExitCode::Fine };
            let _ = error.print();
            return ProcessExit::from(code as u8);
        }
    };
    // A panic is a fault of ours: it ends with the documented code, after the standard message that says where it happened.
    let outcome = std::panic::catch_unwind(|| match arguments.command {
        Command::Report(arguments) => report::run(&arguments),
        Command::Communication(arguments) => communication::run(&arguments),
        Command::Attribute(arguments) => attribute::run(&arguments),
        Command::Features(arguments) => features::run(&arguments),
        Command::Trajectories(arguments) => trajectories::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
    });
    let code = outcome.unwrap_or_else(|_| Err(panicked())).unwrap_or_else(|error| {
        // The reader of a pipe may stop early (`| head`): that is no failure of ours.
        if broken_pipe(&error) {
            return ExitCode::Fine;
        }
        common::say(&format!("error: {error}"));
        error.exit_code()
    });
    ProcessExit::from(code as u8)
}

fn panicked() -> Error {
    Error::internal("the program", "it panicked (the message above says where)")
}

fn broken_pipe(error: &Error) -> bool {
    matches!(error, Error::Write { source, .. } if source.kind() == std::io::ErrorKind::BrokenPipe)
}
