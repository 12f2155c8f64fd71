//! `swarm-analyze simulate masbench`: scripted agents under partial observability.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::common::say;
use crate::communication::Vocabulary;
use crate::error::{Error, ExitCode, Result};
use crate::model::{MasTask, Mechanism, Routing};
use crate::pipeline::workers;
use crate::simulate::masbench::{Request, grid};

/// Simulate MASBench runs: scripted agents, generated instances, mechanisms that act as mechanisms
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Task, or `all`: Reasoning, Scheduling, Game
    #[arg(long)]
    task: String,

    /// Agents keep what they saw and heard across rounds
    #[arg(long)]
    memory: bool,

    /// Messages follow a scheme: kinds, phases, few symbols
    #[arg(long)]
    protocol: bool,

    /// Game: who gets a message; `none` means that there are none
    #[arg(long, value_enum, default_value = "none")]
    routing: RoutingArgument,

    /// Every configuration that the benchmark compares for the task, instead of one
    #[arg(long, conflicts_with_all = ["memory", "protocol", "routing"])]
    grid: bool,

    /// Game: agents, 4 to 8; drawn for each map if left out
    #[arg(long, value_name = "N")]
    agents: Option<u32>,

    /// Seed of instances and play
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// Instances; the first half is Simple, the rest Complex
    #[arg(long, default_value_t = 20, value_name = "N")]
    episodes: u32,

    /// Plays of each instance
    #[arg(long, default_value_t = 1, value_name = "N")]
    repeats: u32,

    /// What counts the messages' tokens
    #[arg(long, value_enum, default_value = "o200k_base", value_name = "VOCABULARY")]
    tokenizer: Vocabulary,

    /// Folder in which each run gets a folder of its own
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,

    /// Replace runs that are there already
    #[arg(long)]
    force: bool,

    /// Worker threads; 0 takes one per core. The files do not depend on it
    #[arg(long, short = 'j', default_value_t = 0, value_name = "N")]
    jobs: usize,

    /// Say nothing on stderr
    #[arg(long, short)]
    quiet: bool,
}

/// [`Routing`] on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RoutingArgument {
    /// No messages in Game
    None,
    /// A teammate in range, drawn
    Random,
    /// Whether to send and to whom is decided
    Gate,
}

impl RoutingArgument {
    fn routing(self) -> Option<Routing> {
        match self {
            Self::None => None,
            Self::Random => Some(Routing::Random),
            Self::Gate => Some(Routing::Gate),
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let requests = arguments.requests()?;
    requests.iter().try_for_each(Request::check)?;
    workers(arguments.jobs)?.install(|| {
        requests.iter().try_for_each(|request| {
            let folder = request.write(&arguments.output, arguments.force)?;
            if !arguments.quiet {
                let episodes = u64::from(request.episodes) * u64::from(request.repeats);
                say(&format!("{}: {episodes} episodes of {}", folder.display(), request.task));
            }
            Ok(())
        })
    })?;
    Ok(ExitCode::Fine)
}

impl Arguments {
    fn requests(&self) -> Result<Vec<Request>> {
        let tasks = match MasTask::from_name(&self.task) {
            _ if self.task == "all" => MasTask::KNOWN.to_vec(),
            MasTask::Other(name) => {
                let known = MasTask::KNOWN.map(|task| task.name().to_owned()).join(", ");
                return Err(Error::Usage(format!("task {name} is not known; choose from {known}, or all")));
            }
            known => vec![known],
        };
        let own = Mechanism { memory: self.memory, protocol: self.protocol, routing: self.routing.routing() };
        let mut requests = Vec::new();
        for task in tasks {
            let mechanisms = if self.grid { grid(&task) } else { vec![own.clone()] };
            requests.extend(mechanisms.into_iter().map(|mechanism| Request {
                agents: self.agents.filter(|_| task == MasTask::Game || self.task != "all"),
                task: task.clone(),
                mechanism,
                seed: self.seed,
                episodes: self.episodes,
                repeats: self.repeats,
                tokenizer: self.tokenizer,
            }));
        }
        Ok(requests)
    }
}
