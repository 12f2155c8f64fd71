//! `swarm-analyze simulate swarmbench` and `simulate policies`: plays SwarmBench runs with rule-based policies and writes their logs.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::common::{say, stdout_error};
use super::progress::RunBar;
use crate::error::{Error, ExitCode, Result};
use crate::finding::Findings;
use crate::ingest::discover;
use crate::model::SwarmTask;
use crate::pipeline::{Progress, Silent, workers};
use crate::simulate::swarmbench::generate::{Order, Output, Player, simulate};
use crate::simulate::swarmbench::{Obstacle, POLICIES, Rules, Sightings, Task, policy_named};

/// Simulate SwarmBench runs: every task with every policy that plays it and every seed, one batch per task
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Tasks: Pursuit, Synchronization, Foraging, Flocking, Transport; replays take all unless some are given
    #[arg(long, value_delimiter = ',', value_name = "TASK")]
    task: Vec<String>,

    /// Policies (`simulate policies` lists them), or replay:PATH to play logged actions again
    #[arg(long, value_delimiter = ',', required = true, value_name = "POLICY")]
    policy: Vec<String>,

    /// Seeds of the layouts; replays take all unless some are given
    #[arg(long, value_delimiter = ',', value_name = "SEED", allow_negative_numbers = true)]
    seed: Vec<i64>,

    /// Seeds from A up to, but without, B
    #[arg(long, value_name = "A..B", conflicts_with = "seed")]
    seeds: Option<String>,

    /// Agents
    #[arg(long, default_value_t = 10, value_name = "N")]
    agents: u32,

    /// Longest run, in rounds
    #[arg(long, default_value_t = 100, value_name = "N")]
    rounds: u32,

    /// Columns of the map
    #[arg(long, default_value_t = 10, value_name = "N")]
    width: u32,

    /// Rows of the map
    #[arg(long, default_value_t = 10, value_name = "N")]
    height: u32,

    /// Side of an agent's square view, or `global`: Agent_0 sees the whole map and commands the others
    #[arg(long, default_value = "5", value_name = "N|global")]
    view: String,

    /// Rounds of an agent's own past that its prompt recalls
    #[arg(long, default_value_t = 5, value_name = "N")]
    memory: usize,

    /// Chance of a message to be corrupted on its way
    #[arg(long, default_value_t = 0.0, value_name = "CHANCE")]
    noise: f64,

    /// Longest extra delay of a message in rounds, drawn for each one from 0 up to it; `0..4` means 4
    #[arg(long, default_value = "0", value_name = "N")]
    delay: String,

    /// The box of Transport
    #[arg(long, value_enum, default_value = "l-shape")]
    obstacle: ObstacleArgument,

    /// Folder of the batches
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,

    /// Write archives instead of folders
    #[arg(long)]
    zip: bool,

    /// Leave prompts, responses and token counts out
    #[arg(long)]
    lean: bool,

    /// Replace batches that exist
    #[arg(long)]
    force: bool,

    /// Worker threads; 0 takes one per core. The files do not depend on it
    #[arg(long, short = 'j', default_value_t = 0, value_name = "N")]
    jobs: usize,

    /// No progress bar and no summary
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ObstacleArgument {
    /// One of the eight released L shapes
    LShape,
    /// A solid square, as in the paper's Figure 8
    Square,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    arguments.run()
}

/// Lists the policies, one a line.
pub(super) fn list_policies() -> Result<ExitCode> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let widest = POLICIES.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let lines = POLICIES.iter().try_for_each(|row| {
        let all = row.tasks.len() == Task::ALL.len();
        let tasks = if all { "any task" } else { row.tasks.first().map_or("", |task| task.name()) };
        writeln!(out, "{:widest$}  {tasks:15}  {}", row.name, row.summary)
    });
    lines.and_then(|()| out.flush()).map_err(stdout_error)?;
    Ok(ExitCode::Fine)
}

impl Arguments {
    fn run(&self) -> Result<ExitCode> {
        let orders = self.orders()?;
        let output = Output {
            folder: self.output.clone(),
            zip: self.zip,
            force: self.force,
            lean: self.lean,
            memory: self.memory,
        };
        let progress: Box<dyn Progress> = if !self.quiet && io::stderr().is_terminal() {
            Box::new(RunBar::new())
        } else {
            Box::new(Silent)
        };
        let batches = workers(self.jobs)?.install(|| simulate(&orders, &output, progress.as_ref()))?;
        if !self.quiet {
            for batch in batches {
                say(&format!(
                    "{}: {} runs of {}",
                    batch.path.display(),
                    batch.outcomes.len(),
                    batch.task.name()
                ));
            }
        }
        Ok(ExitCode::Fine)
    }

    fn orders(&self) -> Result<Vec<Order>> {
        let tasks = self.tasks()?;
        let seeds = self.seeds()?;
        let mut orders = Vec::new();
        for name in &self.policy {
            if let Some(path) = name.strip_prefix("replay:") {
                add_replays(path, &tasks, &seeds, &mut orders)?;
                continue;
            }
            let row = policy_named(name).ok_or_else(|| unknown_policy(name))?;
            if tasks.is_empty() || seeds.is_empty() {
                return Err(Error::Usage(format!("policy {name} needs --task, and --seed or --seeds")));
            }
            for task in &tasks {
                if !row.plays(*task) {
                    if !self.quiet {
                        say(&format!("note: policy {name} does not play {}; left out", task.name()));
                    }
                    continue;
                }
                for seed in &seeds {
                    orders.push(Order { rules: self.rules(*task, *seed)?, player: Player::Policy(row) });
                }
            }
        }
        if orders.is_empty() {
            return Err(Error::Usage(
                "none of these policies plays any of these tasks; `simulate policies` lists what each plays"
                    .into(),
            ));
        }
        Ok(orders)
    }

    fn tasks(&self) -> Result<Vec<Task>> {
        let mut known = BTreeSet::new();
        for name in &self.task {
            let task = Task::of(&SwarmTask::from_name(name)).ok_or_else(|| {
                let all = Task::ALL.map(Task::name).join(", ");
                Error::Usage(format!("task {name} is not known; choose from {all}"))
            })?;
            known.insert(task);
        }
        Ok(known.into_iter().collect())
    }

    fn seeds(&self) -> Result<Vec<i64>> {
        let Some(range) = &self.seeds else { return Ok(self.seed.clone()) };
        let bounds: Option<(i64, i64)> =
            range.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
        let (from, to) =
            bounds.filter(|(from, to)| from < to && to.abs_diff(*from) <= MAX_SEEDS).ok_or_else(|| {
                Error::Usage(format!("--seeds {range} is no range like 0..20, of {MAX_SEEDS} seeds at most"))
            })?;
        Ok((from..to).collect())
    }

    fn rules(&self, task: Task, seed: i64) -> Result<Rules> {
        let global = self.view == "global";
        let view_size = if global { 5 } else { number(&self.view, "--view")? };
        let delay = number(self.delay.strip_prefix("0..").unwrap_or(&self.delay), "--delay")?;
        let rules = Rules {
            task,
            seed,
            agents: self.agents,
            width: self.width,
            height: self.height,
            max_round: self.rounds,
            view_size,
            obstacle: match self.obstacle {
                ObstacleArgument::LShape => Obstacle::LShape,
                ObstacleArgument::Square => Obstacle::Square,
            },
            sightings: if global { Sightings::Global } else { Sightings::Local },
            noise: self.noise,
            delay,
        };
        rules.check()?;
        Ok(rules)
    }
}

fn add_replays(path: &str, tasks: &[Task], seeds: &[i64], orders: &mut Vec<Order>) -> Result<()> {
    let mut findings = Findings::new();
    let inventory = discover(&[PathBuf::from(path)], &mut findings)?;
    for plan in &inventory.swarm {
        match Order::replay(plan) {
            Err(reason) => say(&format!("note: run {} is left out: {reason}", plan.meta.key.run_id)),
            Ok(order) => {
                let wanted_task = tasks.is_empty() || tasks.contains(&order.rules.task);
                if wanted_task && (seeds.is_empty() || seeds.contains(&order.rules.seed)) {
                    orders.push(order);
                }
            }
        }
    }
    Ok(())
}

/// Most seeds of one call.
const MAX_SEEDS: u64 = 100_000;

fn number(text: &str, option: &str) -> Result<u32> {
    text.parse().map_err(|_| Error::Usage(format!("{option} {text} is not a number it takes; see --help")))
}

/// Names the policy that was perhaps meant.
fn unknown_policy(name: &str) -> Error {
    let nearest = POLICIES
        .iter()
        .map(|row| (rapidfuzz::distance::levenshtein::distance(name.chars(), row.name.chars()), row.name))
        .min()
        .filter(|(distance, _)| *distance <= 4)
        .map_or_else(|| ";".to_owned(), |(_, meant)| format!("; did you mean {meant}?"));
    Error::Usage(format!("policy {name} is not known{nearest} `simulate policies` lists them"))
}
