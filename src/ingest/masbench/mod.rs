//! Reads `masbench/1` runs: `run.json` and `episodes.jsonl`, one episode in memory at a time.

mod episode;
mod fields;
mod lines;
mod run_file;
mod traffic;

pub use episode::read_episodes;
pub use run_file::read_run_file;

/// The schema these files name.
pub const SCHEMA: &str = "masbench/1";
