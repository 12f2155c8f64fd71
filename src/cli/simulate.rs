//! `swarm-analyze simulate`: writes the logs that the other commands read, one file a benchmark.

use clap::{Args, Subcommand};

use super::simulate_masbench as masbench;
use super::simulate_mastracebench as mastracebench;
use super::simulate_swarmbench as swarmbench;
use crate::error::{ExitCode, Result};

/// Simulate runs with scripted agents, and write their logs in the form that the other commands read
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Swarmbench(Box<swarmbench::Arguments>),
    /// List the policies of `simulate swarmbench`
    Policies,
    Mastracebench(Box<mastracebench::Arguments>),
    Masbench(masbench::Arguments),
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.what {
        What::Swarmbench(arguments) => swarmbench::run(arguments),
        What::Policies => swarmbench::list_policies(),
        What::Mastracebench(arguments) => mastracebench::run(arguments),
        What::Masbench(arguments) => masbench::run(arguments),
    }
}
