//! How many labels hang on scores being equal to the last digit.

use serde::{Deserialize, Serialize};

use super::labels::Tolerance;
use super::trace::RunTrace;

/// Tolerances looked at, in points of the 0–100 scale: up to 1 % of the scale.
pub const TOLERANCES: [f64; 4] = [0.01, 0.1, 0.5, 1.0];

/// Labels that change when scores this near to each other count as equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Flips {
    /// The tolerance, in points of the 0–100 scale.
    pub tolerance: f64,
    /// GAB labels that differ from those at 1e-9.
    pub gab: u64,
    /// All GAB labels.
    pub gab_of: u64,
    /// Refinement labels that differ, agents that change sides between strong and weak among them.
    pub refinement: u64,
    /// All refinement labels.
    pub refinement_of: u64,
}

impl Flips {
    /// Share of GAB labels that flip, in per cent; `None` without labels.
    pub fn gab_share(&self) -> Option<f64> {
        (self.gab_of > 0).then(|| 100.0 * self.gab as f64 / self.gab_of as f64)
    }

    /// Share of refinement labels that flip, in per cent; `None` without labels.
    pub fn refinement_share(&self) -> Option<f64> {
        (self.refinement_of > 0).then(|| 100.0 * self.refinement as f64 / self.refinement_of as f64)
    }
}

/// Counts the labels of some runs that flip between the exact comparison and one of `points` points.
pub fn flips<'a>(runs: impl Iterator<Item = &'a RunTrace>, points: f64) -> Flips {
    let loose = Tolerance::Points(points);
    let mut flips = Flips { tolerance: points, ..Flips::default() };
    for view in runs.flat_map(RunTrace::views) {
        if let Some(exact) = view.gab(Tolerance::Exact) {
            flips.gab_of += 1;
            flips.gab += u64::from(view.gab(loose) != Some(exact));
        }
        for ((_, exact), (_, other)) in view.refinements(Tolerance::Exact).zip(view.refinements(loose)) {
            if exact.is_some() {
                flips.refinement_of += 1;
                flips.refinement += u64::from(exact != other);
            }
        }
    }
    flips
}
