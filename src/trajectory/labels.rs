//! Labels of a unit: Gain Against Best, Agent Refinement of strong and weak agents, aggregation loss.
//!
//! Source: MASTraceBench, "Multi-Layer Metrics", layer 2.

use serde::{Deserialize, Serialize};

/// When two scores count as equal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Tolerance {
    /// They differ by at most 1e-9 · max(1, |a|, |b|): the definition.
    Exact,
    /// They differ by at most this many points of the 0–100 scale (or are equal by the definition).
    Points(f64),
}

impl Tolerance {
    /// Whether two scores are equal.
    pub fn equal(self, a: f64, b: f64) -> bool {
        let exact = 1e-9 * a.abs().max(b.abs()).max(1.0);
        let allowed = match self {
            Self::Exact => exact,
            Self::Points(points) => points.max(exact),
        };
        (a - b).abs() <= allowed
    }
}

/// Outcome of a score against the best initial proposal b: GAB of the answer, AR of an initially strong agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Gain {
    /// Above b.
    Improve,
    /// Equal to b, which is the highest attainable score.
    OptKeep,
    /// Equal to b, which is below the highest attainable score.
    SubKeep,
    /// Below b.
    Regress,
}

impl Gain {
    /// All four, best first.
    pub const ALL: [Self; 4] = [Self::Improve, Self::OptKeep, Self::SubKeep, Self::Regress];

    /// The label of `score` against the best initial score `best` and the highest attainable score `max` (all 0–100).
    ///
    /// Without `max` it is not known whether a kept b is optimal: then a kept b has no label. MASTraceBench, GAB(x) and
    /// AR_strong(x, i).
    pub fn of(score: f64, best: f64, max: Option<f64>, tolerance: Tolerance) -> Option<Self> {
        if tolerance.equal(score, best) {
            return max.map(|max| if tolerance.equal(best, max) { Self::OptKeep } else { Self::SubKeep });
        }
        Some(if score > best { Self::Improve } else { Self::Regress })
    }

    /// The label's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Improve => "Improve",
            Self::OptKeep => "OptKeep",
            Self::SubKeep => "SubKeep",
            Self::Regress => "Regress",
        }
    }
}

/// How an initially weak agent's last proposal relates to its first and to b.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Lift {
    /// Above b.
    Surpass,
    /// Equal to b.
    Reach,
    /// Above its own first, below b.
    Partial,
    /// Equal to its own first.
    Keep,
    /// Below its own first.
    Degrade,
}

impl Lift {
    /// All five, best first.
    pub const ALL: [Self; 5] = [Self::Surpass, Self::Reach, Self::Partial, Self::Keep, Self::Degrade];

    /// The label of a weak agent's `last` score against its `initial` one and `best`. MASTraceBench, AR_weak(x, i).
    pub fn of(initial: f64, last: f64, best: f64, tolerance: Tolerance) -> Self {
        if tolerance.equal(last, best) {
            Self::Reach
        } else if last > best {
            Self::Surpass
        } else if tolerance.equal(last, initial) {
            Self::Keep
        } else if last > initial {
            Self::Partial
        } else {
            Self::Degrade
        }
    }

    /// The label's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Surpass => "Surpass",
            Self::Reach => "Reach",
            Self::Partial => "Partial",
            Self::Keep => "Keep",
            Self::Degrade => "Degrade",
        }
    }
}

/// An agent's refinement: strong agents start at b, weak ones below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Refinement {
    /// The agent started at b.
    Strong(Gain),
    /// The agent started below b.
    Weak(Lift),
}

impl Refinement {
    /// The label of an agent that went from `initial` to `last`, given b and S⋆; `None` as in [`Gain::of`].
    pub fn of(initial: f64, last: f64, best: f64, max: Option<f64>, tolerance: Tolerance) -> Option<Self> {
        if tolerance.equal(initial, best) {
            Gain::of(last, best, max, tolerance).map(Self::Strong)
        } else {
            Some(Self::Weak(Lift::of(initial, last, best, tolerance)))
        }
    }

    /// The label's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strong(gain) => gain.name(),
            Self::Weak(lift) => lift.name(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const T: Tolerance = Tolerance::Exact;
    const TWO: f64 = 200.0 / 3.0;
    const ONE: f64 = 100.0 / 3.0;

    #[test]
    fn the_papers_three_cases_of_an_answer_at_66_7() {
        // All initial proposals at 33.3: new value.
        assert_eq!(Gain::of(TWO, ONE, Some(100.0), T), Some(Gain::Improve));
        // Initial proposals 100, 33.3, 33.3: the strongest is not preserved, though weak agents got to 66.7.
        assert_eq!(Gain::of(TWO, 100.0, Some(100.0), T), Some(Gain::Regress));
        assert_eq!(Refinement::of(ONE, TWO, 100.0, Some(100.0), T), Some(Refinement::Weak(Lift::Partial)));
        // A final proposal at 100, answer 66.7: the loss is 33.3 (see metrics); the agent itself kept the optimum.
        assert_eq!(
            Refinement::of(100.0, 100.0, 100.0, Some(100.0), T),
            Some(Refinement::Strong(Gain::OptKeep))
        );
    }

    #[test]
    fn every_label_once() {
        assert_eq!(Gain::of(50.0, 50.0, Some(50.0 + 1e-8), T), Some(Gain::OptKeep));
        assert_eq!(Gain::of(50.0, 50.0, Some(60.0), T), Some(Gain::SubKeep));
        assert_eq!(Gain::of(50.0, 50.0, None, T), None);
        let weak = |last| Lift::of(20.0, last, 60.0, T);
        let labels = [70.0, 60.0, 40.0, 20.0, 10.0].map(weak);
        assert_eq!(labels, Lift::ALL);
        assert_eq!(Lift::of(20.0, 60.5, 60.0, Tolerance::Points(1.0)), Lift::Reach);
    }

    proptest! {
        #[test]
        fn labels_follow_the_order_of_scores(
            first in 0u32..=40, last in 0u32..=40, best in 0u32..=40, max in 0u32..=40,
        ) {
            // Quarter points: equal scores do occur.
            let [first, last, best] = [first.min(best), last, best].map(|n| f64::from(n) * 2.5);
            let max = (f64::from(max) * 2.5).max(best);
            let gain = Gain::of(last, best, Some(max), T).unwrap();
            prop_assert_eq!(gain == Gain::Improve, last > best);
            prop_assert_eq!(gain == Gain::Regress, last < best);
            match Refinement::of(first, last, best, Some(max), T).unwrap() {
                Refinement::Strong(label) => {
                    prop_assert!(first >= best);
                    prop_assert_eq!(label, gain);
                }
                Refinement::Weak(label) => {
                    prop_assert!(first < best);
                    prop_assert_eq!(matches!(label, Lift::Surpass), last > best);
                    prop_assert_eq!(matches!(label, Lift::Degrade), last < first);
                }
            }
        }
    }
}
