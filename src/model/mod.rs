//! What a run is: agents, rounds, actions, messages, proposals. No files, no frames, no statistics.

mod action;
mod episode;
mod geometry;
mod proposal;
mod run;
mod task;

pub use action::{Action, Direction};
pub use episode::{
    BusySlots, Calendar, Episode, EpisodeMessage, EpisodeStep, Instance, MasRunMeta, MasTask, Mechanism,
    Prediction, Routing, Split,
};
pub use geometry::{Cell, Grid};
pub use proposal::{Cost, EpisodeScore, Judge, Output, ProposalMeta, ProposalTask, ProposalUnit, Proposer};
pub use run::{AgentIx, Decision, Placed, Round, RunKey, RunMeta, SwarmRun, TextRef};
pub use task::SwarmTask;
