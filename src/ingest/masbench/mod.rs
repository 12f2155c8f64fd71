//! Reads `masbench/1` runs: `run.json` and `episodes.jsonl`, one episode in memory at a time.

mod episode;
mod fields;
mod line;
mod lines;
mod plan;
mod run_file;
mod traffic;

use super::Adapter;

pub use episode::read_episodes;
pub use plan::RunPlan;
pub use run_file::read_run_file;

/// The schema these files name.
pub const SCHEMA: &str = "masbench/1";

/// The registry row.
pub const ADAPTER: Adapter = Adapter {
    id: "masbench",
    title: "MASBench",
    takes: "MASBench runs (run.json with schema masbench/1, episodes.jsonl)",
    classify: plan::classify,
    plan: plan::plan,
};
