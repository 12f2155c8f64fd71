//! The table of policies. One file per policy (or pair), one row here.

mod basic;
mod chart;
mod common;
mod flock_claims;
mod flock_cohesion;
mod flock_slots;
mod forage_bfs;
mod forage_greedy;
mod forage_scout;
mod oracle;
mod oracle_flocking;
mod oracle_pursuit;
mod pursuit_field;
mod pursuit_greedy;
mod pursuit_roles;
pub(super) mod replay;
mod sync_clock;
mod sync_leader;
mod sync_majority;
mod sync_vote;
mod transport_greedy;
mod transport_lines;

use super::policy::PolicyRow;

/// Every policy: baselines, then those of each task from reactive to communicating, then the planners.
pub const POLICIES: &[PolicyRow] = &[
    basic::STAY,
    basic::RANDOM,
    basic::BIASED,
    basic::WANDER,
    basic::FOLLOW,
    pursuit_greedy::ROW,
    pursuit_field::ROW,
    pursuit_roles::ROW,
    sync_majority::ROW,
    sync_clock::ROW,
    sync_vote::ROW,
    sync_leader::ROW,
    forage_greedy::ROW,
    forage_bfs::ROW,
    forage_scout::ROW,
    flock_cohesion::ROW,
    flock_slots::ROW,
    flock_claims::ROW,
    transport_greedy::ROW,
    transport_lines::SILENT,
    transport_lines::ROW,
    oracle_pursuit::ROW,
    oracle::SYNCHRONIZATION,
    oracle::FORAGING,
    oracle_flocking::ROW,
    oracle::TRANSPORT,
];

/// The policy of that name.
pub fn policy(name: &str) -> Option<&'static PolicyRow> {
    POLICIES.iter().find(|row| row.name == name)
}

/// Whether a policy sees more than the rules allow an agent.
pub fn is_oracle(row: &PolicyRow) -> bool {
    row.name.starts_with("oracle-")
}

#[cfg(test)]
mod tests;
