//! The worlds, one file and one row each: static ones make problems, dynamic ones play episodes.

mod evidencechain;
mod gomoku;
mod mapf;
mod negotiation;
mod optiongen;
mod tacticduel;

use serde_json::Value;

use super::problem::Problem;
use crate::model::ProposalTask;

/// Who is to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The method under test.
    Own,
    /// The fixed Single-Agent opponent.
    Opponent,
}

/// An episode of a dynamic task: its set-up comes from the seed and its number alone, so that all methods meet it.
#[derive(Clone, Copy, Debug)]
pub struct Episode {
    /// Seed of the whole simulation.
    pub seed: u64,
    /// Number of the episode, from 0.
    pub index: usize,
}

/// Asks a side for its answer to a problem at a step.
pub(super) type Decide<'a> = dyn FnMut(Side, usize, &dyn Problem) -> Value + 'a;

/// How a world works.
#[derive(Clone, Copy)]
pub enum Play {
    /// Makes sample `index` under a seed.
    Static(fn(seed: u64, index: usize) -> Box<dyn Problem>),
    /// Plays an episode to its end and gives its score, 0–100.
    Dynamic(fn(Episode, &mut Decide<'_>) -> f64),
}

/// A world.
pub struct World {
    /// The task.
    pub task: ProposalTask,
    /// How it works.
    pub play: Play,
}

/// Every world, in the paper's order.
pub const WORLDS: &[World] = &[
    World { task: ProposalTask::Mapf, play: Play::Static(mapf::problem) },
    World { task: ProposalTask::OptionGen, play: Play::Static(optiongen::problem) },
    World { task: ProposalTask::EvidenceChain, play: Play::Static(evidencechain::problem) },
    World { task: ProposalTask::Gomoku, play: Play::Dynamic(gomoku::play) },
    World { task: ProposalTask::Negotiation, play: Play::Dynamic(negotiation::play) },
    World { task: ProposalTask::TacticDuel, play: Play::Dynamic(tacticduel::play) },
];

/// The world of a task.
pub fn world(task: &ProposalTask) -> Option<&'static World> {
    WORLDS.iter().find(|world| world.task == *task)
}
