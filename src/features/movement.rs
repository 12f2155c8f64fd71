//! Measures of where agents went. Source: SwarmBench paper, app. F, "Position and Interaction-based Metrics".

use super::{Compute, Feature, Needs, RunMean};

const SOURCE: &str = "SwarmBench paper, app. F (positions)";

/// How far agents have come so far.
pub(super) const AVG_MOVING_DISTANCE: Feature = Feature {
    id: "avg_moving_distance",
    title: "Cumulative distance",
    unit: "cells",
    range: "0 and up",
    formula: "mean over the agents present of the Manhattan distance moved since round 0, summed step by step",
    undefined: "no position in the round",
    source: SOURCE,
    family: "positions",
    needs: Needs::GameLog,
    run_mean: RunMean::Logged,
    compute: Compute::Round(|view| view.movement.mean_cumulative()),
};

/// How far agents went since the round before.
pub(super) const STEP_DISTANCE: Feature = Feature {
    id: "step_distance",
    title: "Step distance",
    unit: "cells",
    range: "0 and up",
    formula: "mean over agents present in this round and the one before of the Manhattan distance between the two",
    undefined: "first round, no agent in both rounds, or the round before is missing",
    source: "this project (the derivative of avg_moving_distance)",
    family: "positions",
    needs: Needs::GameLog,
    run_mean: RunMean::Logged,
    compute: Compute::Round(|view| view.movement.mean_step()),
};

/// How much of the world has been walked.
pub(super) const EXPLORATION_RATE: Feature = Feature {
    id: "exploration_rate",
    title: "Cells explored",
    unit: "cells",
    range: "0 and up",
    formula: "number of distinct cells occupied by any agent up to this round",
    undefined: "the round has no entry in the game log",
    source: SOURCE,
    family: "positions",
    needs: Needs::GameLog,
    run_mean: RunMean::Logged,
    compute: Compute::Round(|view| view.round.has_state.then_some(view.explored as f64)),
};

#[cfg(test)]
mod tests {
    use super::super::walk::tests::position_values;

    #[test]
    fn by_hand() {
        // Two agents; the second vanishes in round 2.
        let rounds: &[&[(i32, i32)]] = &[&[(1, 1), (3, 3)], &[(2, 1), (3, 3)], &[(2, 3)], &[(2, 1)]];
        assert_eq!(
            position_values("avg_moving_distance", rounds),
            [Some(0.0), Some(0.5), Some(3.0), Some(5.0)]
        );
        assert_eq!(position_values("step_distance", rounds), [None, Some(0.5), Some(2.0), Some(2.0)]);
        assert_eq!(position_values("exploration_rate", rounds), [Some(2.0), Some(3.0), Some(4.0), Some(4.0)]);
    }

    #[test]
    fn cells_outside_the_grid_count_once_each() {
        let rounds: &[&[(i32, i32)]] = &[&[(-1, 5)], &[(-1, 5)], &[(70_000, -3)]];
        assert_eq!(position_values("exploration_rate", rounds), [Some(1.0), Some(1.0), Some(2.0)]);
    }
}
