//! Measures of who stays with whom. Source: SwarmBench paper, app. F, "Position and Interaction-based Metrics".

use super::adjacency::adjacent_pairs;
use super::{Compute, Feature, Needs, RoundView, RunMean};
use crate::model::{AgentIx, Cell};

const SOURCE: &str = "SwarmBench paper, app. F (positions)";

/// How many neighbours stay neighbours.
pub(super) const LOCAL_STRUCTURE_PRESERVATION_COUNT: Feature = Feature {
    id: "local_structure_preservation_count",
    title: "Neighbours kept",
    unit: "pairs",
    range: "0 and up",
    formula: "pairs of agents at Manhattan distance 1 in the round before and in this round",
    undefined: "first round, or the round before is missing",
    source: SOURCE,
    family: "positions",
    needs: Needs::GameLog,
    run_mean: RunMean::Logged,
    compute: Compute::Round(|view| {
        let before = view.before?;
        if !view.round.has_state || !before.has_state {
            return None;
        }
        let kept = adjacent_pairs(&before.positions).filter(|&(a, b)| {
            let now = |agent| position(view, agent);
            now(a).zip(now(b)).is_some_and(|(a, b)| a.manhattan(b) == 1)
        });
        Some(kept.count() as f64)
    }),
};

/// How often one agent pushes another.
pub(super) const AGENT_PUSH_EVENTS: Feature = Feature {
    id: "agent_push_events",
    title: "Agents pushed",
    unit: "events",
    range: "0 and up",
    formula: "ordered pairs (A, B), adjacent in the round before, A's action there points at B's cell, A is there now and B \
              one cell further the same way",
    undefined: "first round, the round before is missing, or it has no decisions",
    source: SOURCE,
    family: "positions",
    needs: Needs::Both,
    run_mean: RunMean::Logged,
    compute: Compute::Round(push_events),
};

fn position(view: &RoundView<'_>, agent: AgentIx) -> Option<Cell> {
    let positions = &view.round.positions;
    positions.binary_search_by_key(&agent, |placed| placed.agent).ok().map(|at| positions[at].cell)
}

fn push_events(view: &RoundView<'_>) -> Option<f64> {
    let before = view.before?;
    if before.decisions.is_empty() || !before.has_state || !view.round.has_state {
        return None;
    }
    let decided = |agent: AgentIx| {
        let at = before.decisions.binary_search_by_key(&agent, |decision| decision.agent).ok()?;
        before.decisions[at].action?.direction()
    };
    let was = |agent: AgentIx| {
        let at = before.positions.binary_search_by_key(&agent, |placed| placed.agent).ok()?;
        Some(before.positions[at].cell)
    };
    let pushes = |a: AgentIx, b: AgentIx| -> Option<bool> {
        let (dx, dy) = decided(a)?.vector();
        let target = was(b)?;
        Some(
            was(a)?.offset(dx, dy) == target
                && position(view, a)? == target
                && position(view, b)? == target.offset(dx, dy),
        )
    };
    let events = adjacent_pairs(&before.positions)
        .map(|(a, b)| usize::from(pushes(a, b) == Some(true)) + usize::from(pushes(b, a) == Some(true)))
        .sum::<usize>();
    Some(events as f64)
}

#[cfg(test)]
mod tests {
    use super::super::walk::tests::{position_values, values, world};

    #[test]
    fn kept_pairs_by_hand() {
        let rounds: &[&[(i32, i32)]] =
            &[&[(1, 1), (2, 1), (2, 2)], &[(1, 2), (2, 2), (3, 2)], &[(5, 5), (2, 2), (3, 2)]];
        // Round 0 has the pairs 01 and 12; both are still adjacent in round 1; only 12 in round 2.
        assert_eq!(
            position_values("local_structure_preservation_count", rounds),
            [None, Some(2.0), Some(1.0)]
        );
    }

    #[test]
    fn a_push_needs_aim_arrival_and_displacement() {
        let push = |action: &str, after: [(i32, i32); 2]| {
            let run = world(&[(&[(1, 1), (2, 1)], &[(action, ""), ("STAY", "")]), (&after, &[])]);
            values("agent_push_events", &run)
        };
        assert_eq!(push("RIGHT", [(2, 1), (3, 1)]), [None, Some(1.0)]);
        assert_eq!(push("RIGHT", [(1, 1), (2, 1)]), [None, Some(0.0)], "blocked");
        assert_eq!(push("RIGHT", [(2, 1), (2, 2)]), [None, Some(0.0)], "moved aside");
        assert_eq!(push("DOWN", [(2, 1), (3, 1)]), [None, Some(0.0)], "aimed elsewhere");
    }
}
