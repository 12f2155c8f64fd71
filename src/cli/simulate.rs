//! `swarm-analyze simulate`: writes the logs that the other commands read.

use clap::{Args, Subcommand};

use super::simulate_mastracebench as mastracebench;
use crate::error::{ExitCode, Result};

/// Simulate runs, and write their logs
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Mastracebench(Box<mastracebench::Arguments>),
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.what {
        What::Mastracebench(arguments) => mastracebench::run(arguments),
    }
}
