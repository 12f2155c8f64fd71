//! Measures of what agents do. Source: SwarmBench paper, app. F, "Action-based Metrics".

use super::{Compute, Feature, Needs, RunMean};
use crate::model::Direction;

const SOURCE: &str = "SwarmBench paper, app. F (actions)";

/// How mixed the directions are.
pub(super) const DIRECTIONAL_ENTROPY: Feature = Feature {
    id: "directional_entropy",
    title: "Directional entropy",
    unit: "bits",
    range: "0 to 2",
    formula: "−Σ p log₂ p over UP, DOWN, LEFT, RIGHT, p the share of the round's moves",
    undefined: "no move in the round",
    source: SOURCE,
    family: "actions",
    needs: Needs::AgentLog,
    run_mean: RunMean::Logged,
    compute: Compute::Round(|view| {
        let moves: u32 = view.actions.moves.iter().sum();
        if moves == 0 {
            return None;
        }
        let terms = view.actions.moves.iter().filter(|&&count| count > 0).map(|&count| {
            let p = f64::from(count) / f64::from(moves);
            p * p.log2()
        });
        Some(0.0 - terms.sum::<f64>()) // 0 − 0 is 0, while −0 would print a sign
    }),
};

/// How many stand still.
pub(super) const STILLNESS_PROPORTION: Feature = Feature {
    id: "stillness_proportion",
    title: "Stillness",
    unit: "1",
    range: "0 to 1",
    formula: "STAY / all actions of the round",
    undefined: "no action in the round",
    source: SOURCE,
    family: "actions",
    needs: Needs::AgentLog,
    run_mean: RunMean::Logged,
    compute: Compute::Round(|view| {
        (view.actions.all > 0).then(|| f64::from(view.actions.stay) / f64::from(view.actions.all))
    }),
};

/// How strong the most frequent action is.
pub(super) const DOMINANT_ACTION_PROP: Feature = Feature {
    id: "dominant_action_prop",
    title: "Dominant action",
    unit: "1",
    range: "0.2 to 1",
    formula: "most frequent of UP, DOWN, LEFT, RIGHT, STAY / number of those actions",
    undefined: "none of the five actions in the round",
    source: SOURCE,
    family: "actions",
    needs: Needs::AgentLog,
    run_mean: RunMean::Logged,
    compute: Compute::Round(|view| {
        let most = view.actions.moves.iter().copied().chain([view.actions.stay]).max()?;
        (most > 0).then(|| f64::from(most) / f64::from(view.actions.coordinating()))
    }),
};

/// How far the swarm moves as one.
pub(super) const POLARIZATION_INDEX: Feature = Feature {
    id: "polarization_index",
    title: "Polarization",
    unit: "1",
    range: "0 to 1",
    formula: "‖Σ v(a)‖ / n over the n actions among UP, DOWN, LEFT, RIGHT, STAY; v(UP) = (0, −1), v(STAY) = (0, 0)",
    undefined: "none of the five actions in the round",
    source: SOURCE,
    family: "actions",
    needs: Needs::AgentLog,
    run_mean: RunMean::Logged,
    compute: Compute::Round(|view| {
        let n = view.actions.coordinating();
        let (mut x, mut y) = (0.0, 0.0);
        for (direction, &count) in Direction::ALL.iter().zip(&view.actions.moves) {
            let (dx, dy) = direction.vector();
            x += f64::from(dx) * f64::from(count);
            y += f64::from(dy) * f64::from(count);
        }
        (n > 0).then(|| x.hypot(y) / f64::from(n))
    }),
};

#[cfg(test)]
mod tests {
    use super::super::walk::tests::round_values;

    #[test]
    fn by_hand() {
        let rounds: &[&[(&str, &str)]] = &[
            &[("UP", ""), ("UP", ""), ("LEFT", ""), ("STAY", ""), ("SWITCH", "")],
            &[("SWITCH", ""), ("SWITCH", "")],
            &[("UP", ""), ("DOWN", "")],
            &[],
        ];
        // Moves 2 UP, 1 LEFT: −(2/3 log₂ 2/3 + 1/3 log₂ 1/3) = log₂ 3 − 2/3.
        let entropy = round_values("directional_entropy", rounds);
        assert!((entropy[0].unwrap() - (3f64.log2() - 2.0 / 3.0)).abs() < 1e-12);
        assert_eq!(entropy[1..], [None, Some(1.0), None]);
        assert_eq!(round_values("stillness_proportion", rounds), [Some(0.2), Some(0.0), Some(0.0), None]);
        assert_eq!(round_values("dominant_action_prop", rounds), [Some(0.5), None, Some(0.5), None]);
        // Sum (−1, −2) over four actions.
        let polarization = round_values("polarization_index", rounds);
        assert!((polarization[0].unwrap() - 5f64.sqrt() / 4.0).abs() < 1e-12);
        assert_eq!(polarization[1..], [None, Some(0.0), None]);
    }
}
