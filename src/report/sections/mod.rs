//! One file per section.

pub(super) mod correlations;
pub(super) mod coverage;
pub(super) mod dynamics;
pub(super) mod findings;
pub(super) mod leaderboard;
pub(super) mod methods;
pub(super) mod runs;
pub(super) mod scores;
pub(super) mod summary;
pub(super) mod trajectories;
