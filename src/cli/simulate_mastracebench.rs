//! `swarm-analyze simulate mastracebench`: proposal trajectories of scripted agents.

use std::path::PathBuf;

use clap::Args;

use super::common::say;
use crate::error::{Error, ExitCode, Result};
use crate::model::ProposalTask;
use crate::simulate::mastracebench::{METHODS, Method, Mind, Options, WORLDS, method, simulate, write};

/// Simulate proposal trajectories: generated worlds, scripted proposers, the paper's methods
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Task, or `all`: MAPF, OptionGen, EvidenceChain, Gomoku, Negotiation, TacticDuel
    #[arg(long)]
    task: String,

    /// Method, or `all`: Single-Agent, Consistency, MAV, "Int. Debate", …, CLEARS, "CLEARS w/o CCE"
    #[arg(long)]
    method: String,

    /// Seed of worlds and agents
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// Samples of a static task, episodes of a dynamic one
    #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    units: u32,

    /// Proposers of methods with a configurable number
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=64))]
    proposers: u8,

    /// Interaction rounds of methods with a configurable number
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    rounds: u8,

    /// Chance that a part of a proposal is sound work, 0–1; a claim is judged rightly with chance (1 + skill)/2
    #[arg(long, default_value_t = Mind::default().skill, value_name = "P", value_parser = share)]
    skill: f64,

    /// Share of parts in which all proposers draw the same, 0–1; 0 makes errors independent
    #[arg(long, default_value_t = Mind::default().correlation, value_name = "P", value_parser = share)]
    correlation: f64,

    /// Chance that an output can't be extracted, 0–1
    #[arg(long, default_value_t = Mind::default().invalid, value_name = "P", value_parser = share)]
    invalid: f64,

    /// Claims of a whole proposal that its reader checks; who judges claim by claim checks all
    #[arg(long, default_value_t = Mind::default().attention as u32, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    attention: u32,

    /// Folder in which each run gets a folder of its own
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,

    /// Replace runs that are there already
    #[arg(long)]
    force: bool,

    /// Say nothing on stderr
    #[arg(long, short)]
    quiet: bool,
}

fn share(text: &str) -> std::result::Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| format!("{text:?} is no number"))?;
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err("outside 0–1".to_owned()) }
}

fn tasks(name: &str) -> Result<Vec<ProposalTask>> {
    let task = ProposalTask::from_name(name);
    if name == "all" {
        Ok(ProposalTask::KNOWN.to_vec())
    } else if WORLDS.iter().any(|world| world.task == task) {
        Ok(vec![task])
    } else {
        let known: Vec<&str> = WORLDS.iter().map(|world| world.task.name()).collect();
        Err(Error::Usage(format!(
            "--task {name}: there is no such world; there are {} and all",
            known.join(", ")
        )))
    }
}

fn methods(name: &str) -> Result<Vec<&'static Method>> {
    if name == "all" {
        return Ok(METHODS.to_vec());
    }
    method(name).map(|method| vec![method]).ok_or_else(|| {
        let known: Vec<&str> = METHODS.iter().map(|method| method.name).collect();
        Error::Usage(format!(
            "--method {name}: there is no such method; there are {} and all",
            known.join(", ")
        ))
    })
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mind = Mind {
        skill: arguments.skill,
        correlation: arguments.correlation,
        invalid: arguments.invalid,
        attention: arguments.attention as usize,
    };
    for task in tasks(&arguments.task)? {
        for method in methods(&arguments.method)? {
            let options = Options {
                task: task.clone(),
                method,
                seed: arguments.seed,
                units: arguments.units as usize,
                proposers: usize::from(arguments.proposers),
                rounds: usize::from(arguments.rounds),
                mind,
            };
            let run = simulate(&options)
                .ok_or_else(|| Error::internal("the simulator", "a task without a world"))?;
            let folder = write(&run, &arguments.output, arguments.force)?;
            if !arguments.quiet {
                say(&format!("wrote {} ({} units)", folder.display(), run.units.len()));
            }
        }
    }
    Ok(ExitCode::Fine)
}
