//! SwarmBench batches in the released format: `meta_log.json`, `game_log_<run id>.json`, `agent_log_<run id>.json`.

mod agent_log;
mod assemble;
mod classify;
mod fault;
mod field;
mod game_log;
mod intern;
mod meta;
mod plan;
mod read;

use super::Adapter;

pub use plan::{ROLE_META, RunPlan};
pub use read::{Needs, Scratch, read_run};

/// The registry row.
pub const ADAPTER: Adapter = Adapter {
    id: "swarmbench",
    title: "SwarmBench",
    takes: "SwarmBench batches (meta_log.json, game_log_<run id>.json, agent_log_<run id>.json)",
    classify: classify::classify,
    plan: plan::plan,
};
