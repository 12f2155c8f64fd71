//! Proposal trajectories: scores of the tasks, labels, run metrics, cost (MASTraceBench).
//!
//! ```text
//! ProposalUnit ──► Tracer ──► RunTrace ──► pairing ──► Sums ──► METRICS with intervals ──► Trajectories
//!                  scores     labels       baseline    clusters
//! ```

pub mod consistency;
pub mod estimate;
pub mod labels;
pub mod load;
pub mod method;
pub mod metric;
pub mod overview;
pub mod pairing;
pub mod robustness;
pub mod score;
pub mod sums;
pub mod table;
#[cfg(test)]
mod tests;
pub mod trace;
pub mod tracer;
pub mod verdict;
pub mod write;
