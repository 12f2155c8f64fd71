//! `mastracebench/1` runs: a folder with `run.json`, `units.jsonl`, and for dynamic tasks `episodes.jsonl`.

mod classify;
mod field;
mod lines;
mod plan;
mod read;

use super::Adapter;

pub use plan::RunPlan;
pub use read::{read_episodes, read_units};

/// The registry row.
pub const ADAPTER: Adapter = Adapter {
    id: "mastracebench",
    title: "Proposal trajectories",
    takes: "mastracebench/1 runs (run.json, units.jsonl, episodes.jsonl)",
    classify: classify::classify,
    plan: plan::plan,
};

/// The schema's name.
pub const SCHEMA: &str = "mastracebench/1";
