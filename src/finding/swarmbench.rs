//! Rules for SwarmBench batches and for files in general: codes `SB001` ….

use super::Rule;

/// The rules, by name.
pub mod rules {
    use super::super::{Rule, Severity};

    /// A score that is NaN, Infinity or no number at all.
    pub const SCORE_NOT_A_NUMBER: Rule = Rule {
        code: "SB001",
        severity: Severity::Warning,
        title: "score is not a number",
        effect: "the score of that round is undefined (null); a run whose last score is undefined has no final score",
        remedy: "look at the place named; the released code writes a number in every round",
    };
}

/// All of them, in code order.
pub(super) const RULES: &[&Rule] = &[&rules::SCORE_NOT_A_NUMBER];
