//! Proposal trajectories: scores of the tasks, labels, run metrics, cost (MASTraceBench).
//!
//! ```text
//! ProposalUnit ──► Tracer ──► RunTrace ──► baseline ──► Sums ──► METRICS with intervals
//!                  scores     labels       pairing      groups   robustness, table 7
//! ```

pub mod estimate;
pub mod labels;
pub mod method;
pub mod metric;
pub mod pairing;
pub mod robustness;
pub mod score;
pub mod sums;
pub mod trace;
pub mod tracer;
