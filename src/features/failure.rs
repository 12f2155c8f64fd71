//! Failure modes: movement bias, information silos, traffic jams, forgetting.
//! Source: SwarmBench paper, app. L.5, which names the measures; the formulas are this project's.
//!
//! Agents outside the grid take no part. A run's value is the mean over the rounds that define the measure.

use super::{Compute, Feature, Needs, RoundView, RunMean, RunView};
use crate::model::{Action, AgentIx, Cell, Direction, Placed, Round, SwarmRun};
use crate::stats::gini;

const SOURCE: &str = "SwarmBench paper, app. L.5; formula of this project";
const FAMILY: &str = "failure modes";

/// Movement bias.
pub(super) const ACTION_GINI: Feature = Feature {
    id: "action_gini",
    title: "Movement bias (Gini of actions)",
    unit: "1",
    range: "0 to 0.8",
    formula: "mean over agents of the Gini coefficient of their counts of UP, DOWN, LEFT, RIGHT and STAY during the run, \
              without what it did outside the grid",
    undefined: "no agent has such an action",
    source: SOURCE,
    family: FAMILY,
    needs: Needs::AgentLog,
    run_mean: RunMean::Defined,
    compute: Compute::Run(action_gini),
};

/// Information silos: how many.
pub(super) const VISUAL_COMPONENTS: Feature = Feature {
    id: "visual_components",
    title: "Information silos (visual components)",
    unit: "components",
    range: "1 and up",
    formula: "connected components of the graph that joins agents with max(|Δx|, |Δy|) ≤ ⌊view size / 2⌋",
    undefined: "no agent inside the grid, or the view size is not logged",
    source: SOURCE,
    family: FAMILY,
    needs: Needs::GameLog,
    run_mean: RunMean::Defined,
    compute: Compute::Round(|view| Some(components(view)?.len() as f64)),
};

/// Information silos: how much the largest one holds.
pub(super) const LARGEST_COMPONENT_SHARE: Feature = Feature {
    id: "largest_component_share",
    title: "Share of the largest visual component",
    unit: "1",
    range: "0 to 1",
    formula: "agents in the largest visual component / agents inside the grid",
    undefined: "as visual_components",
    source: SOURCE,
    family: FAMILY,
    needs: Needs::GameLog,
    run_mean: RunMean::Defined,
    compute: Compute::Round(|view| {
        let sizes = components(view)?;
        Some(*sizes.iter().max()? as f64 / sizes.iter().sum::<usize>() as f64)
    }),
};

/// Traffic jams, opposite forces cancelling.
pub(super) const CONGESTION: Feature = Feature {
    id: "congestion",
    title: "Congestion (net separation force)",
    unit: "1/cell",
    range: "0 and up",
    formula: "mean over agents of ‖Σⱼ (xᵢ − xⱼ) / ‖xᵢ − xⱼ‖²‖ over the other agents in view; one in the same cell is left out",
    undefined: "as visual_components",
    source: SOURCE,
    family: FAMILY,
    needs: Needs::GameLog,
    run_mean: RunMean::Defined,
    compute: Compute::Round(|view| Some(mean_over_agents(&net_force(view.run, view.round)?))),
};

/// Traffic jams, without cancelling.
pub(super) const CONGESTION_PRESSURE: Feature = Feature {
    id: "congestion_pressure",
    title: "Congestion (pressure)",
    unit: "1/cell",
    range: "0 and up",
    formula: "mean over agents of Σⱼ 1 / ‖xᵢ − xⱼ‖ over the other agents in view; one in the same cell is left out",
    undefined: "as visual_components",
    source: SOURCE,
    family: FAMILY,
    needs: Needs::GameLog,
    run_mean: RunMean::Defined,
    compute: Compute::Round(|view| {
        let pressure =
            |offsets: &mut dyn Iterator<Item = (f64, f64)>| offsets.map(|(dx, dy)| 1.0 / dx.hypot(dy)).sum();
        Some(mean_over_agents(&over_neighbours(view.run, view.round, pressure)?))
    }),
};

/// Forgetting.
pub(super) const REVISIT_RATE: Feature = Feature {
    id: "revisit_rate",
    title: "Forgetting (revisits)",
    unit: "1",
    range: "0 to 1",
    formula: "over all moves of all agents (another cell than the round before, both inside), the share that enters a cell \
              which the agent held in one of the rounds r−5 to r−2",
    undefined: "nobody moved",
    source: SOURCE,
    family: FAMILY,
    needs: Needs::GameLog,
    run_mean: RunMean::Defined,
    compute: Compute::Run(revisit_rate),
};

/// How many rounds back [`REVISIT_RATE`] looks.
const MEMORY: u32 = 5;

/// Whether a cell lies in the run's grid; without a logged size only the upper and left border are known.
fn inside(run: &SwarmRun, cell: Cell) -> bool {
    cell.inside(run.meta.width.unwrap_or(u32::MAX), run.meta.height.unwrap_or(u32::MAX))
}

/// Where an agent is in a round, if logged.
fn cell_of(round: &Round, agent: AgentIx) -> Option<Cell> {
    let at = round.positions.binary_search_by_key(&agent, |placed| placed.agent).ok()?;
    Some(round.positions[at].cell)
}

/// How far an agent sees, in cells; a logged size of 0 is no view.
fn sight(run: &SwarmRun) -> Option<u32> {
    run.meta.view_size.filter(|&size| size > 0).map(|size| size / 2)
}

/// The agents inside the grid; `None` without any, or where the round has no entry in the game log.
fn placed_inside(run: &SwarmRun, round: &Round) -> Option<Vec<Placed>> {
    if !round.has_state {
        return None;
    }
    let placed: Vec<Placed> =
        round.positions.iter().filter(|placed| inside(run, placed.cell)).copied().collect();
    (!placed.is_empty()).then_some(placed)
}

/// The connected components of the graph of who sees whom.
pub(super) fn agents_in_components(run: &SwarmRun, round: &Round) -> Option<Vec<Vec<AgentIx>>> {
    let (sight, mut left) = (sight(run)?, placed_inside(run, round)?);
    let mut components = Vec::new();
    while let Some(start) = left.pop() {
        let (mut reached, mut next) = (vec![start], 0);
        while let Some(&from) = reached.get(next) {
            next += 1;
            let sees = |other: &Placed| other.cell.chebyshev(from.cell) <= sight;
            let (near, far): (Vec<Placed>, Vec<Placed>) = left.into_iter().partition(sees);
            left = far;
            reached.extend(near);
        }
        components.push(reached.into_iter().map(|placed| placed.agent).collect());
    }
    Some(components)
}

/// Sizes of those components.
fn components(view: &RoundView<'_>) -> Option<Vec<usize>> {
    Some(agents_in_components(view.run, view.round)?.iter().map(Vec::len).collect())
}

/// What `of` makes, for each agent, of the offsets from each other agent in view to it (never (0, 0)).
fn over_neighbours(
    run: &SwarmRun,
    round: &Round,
    of: impl Fn(&mut dyn Iterator<Item = (f64, f64)>) -> f64,
) -> Option<Vec<(AgentIx, f64)>> {
    let (sight, placed) = (sight(run)?, placed_inside(run, round)?);
    let one = |own: &Placed| {
        // An agent is in its own cell, so leaving that cell out leaves itself out.
        let others =
            placed.iter().filter(|other| other.cell != own.cell && other.cell.chebyshev(own.cell) <= sight);
        let offset = |other: &Placed| {
            let (x, y) = (other.cell.x, other.cell.y);
            (f64::from(own.cell.x) - f64::from(x), f64::from(own.cell.y) - f64::from(y))
        };
        (own.agent, of(&mut others.map(offset)))
    };
    Some(placed.iter().map(one).collect())
}

/// Mean over the agents.
fn mean_over_agents(values: &[(AgentIx, f64)]) -> f64 {
    values.iter().map(|(_, value)| value).sum::<f64>() / values.len() as f64
}

/// The norm of each agent's separation force.
pub(super) fn net_force(run: &SwarmRun, round: &Round) -> Option<Vec<(AgentIx, f64)>> {
    over_neighbours(run, round, |offsets| {
        let (mut x, mut y) = (0.0, 0.0);
        for (dx, dy) in offsets {
            let square = dx * dx + dy * dy;
            x += dx / square;
            y += dy / square;
        }
        x.hypot(y)
    })
}

fn action_gini(view: &RunView<'_>) -> Option<f64> {
    let (mut sum, mut n) = (0.0, 0u32);
    for (_, gini) in own_gini(view.run) {
        sum += gini;
        n += 1;
    }
    (n > 0).then(|| sum / f64::from(n))
}

/// Each agent's Gini coefficient; an agent without any such action has none.
pub(super) fn own_gini(run: &SwarmRun) -> Vec<(AgentIx, f64)> {
    let mut counts = vec![[0f64; 5]; run.agents.len()];
    for round in &run.rounds {
        for decision in &round.decisions {
            let at = match decision.action {
                Some(Action::Move(direction)) => direction as usize,
                Some(Action::Stay) => Direction::ALL.len(),
                _ => continue,
            };
            if cell_of(round, decision.agent).is_some_and(|cell| !inside(run, cell)) {
                continue; // what an agent does after it has left the grid says nothing
            }
            if let Some(counts) = counts.get_mut(decision.agent.ix()) {
                counts[at] += 1.0;
            }
        }
    }
    (0..).map(AgentIx).zip(counts).filter_map(|(agent, counts)| Some((agent, gini(&counts).ok()?))).collect()
}

/// One move of an agent, and whether it returned to a cell held lately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The round it arrived in.
    pub round: u32,
    /// Who.
    pub agent: AgentIx,
    /// Where it arrived.
    pub cell: Cell,
    /// Whether it had been there in one of the rounds r−5 to r−2.
    pub revisit: bool,
}

/// All moves of a run, in the order of rounds and agents; see `REVISIT_RATE`.
pub fn steps(run: &SwarmRun) -> Vec<Step> {
    let cell_in = |round: &Round, agent| cell_of(round, agent).filter(|&cell| inside(run, cell));
    let mut found = Vec::new();
    for (at, round) in run.rounds.iter().enumerate() {
        let Some(before) = at.checked_sub(1).map(|i| &run.rounds[i]) else { continue };
        if before.number.checked_add(1) != Some(round.number) {
            continue; // what happened in between was not logged
        }
        for placed in round.positions.iter().filter(|placed| inside(run, placed.cell)) {
            let (agent, cell) = (placed.agent, placed.cell);
            if cell_in(before, agent).is_none_or(|was| was == cell) {
                continue;
            }
            let recent = run.rounds[..at - 1]
                .iter()
                .rev()
                .take_while(|earlier| round.number - earlier.number <= MEMORY);
            let revisit = recent.into_iter().any(|earlier| cell_in(earlier, agent) == Some(cell));
            found.push(Step { round: round.number, agent, cell, revisit });
        }
    }
    found
}

fn revisit_rate(view: &RunView<'_>) -> Option<f64> {
    let steps = steps(view.run);
    let revisits = steps.iter().filter(|step| step.revisit).count();
    (!steps.is_empty()).then(|| revisits as f64 / steps.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::super::embed::HashedNgrams;
    use super::super::walk::tests::{position_values, round_values, world};
    use super::super::{Walker, column_of};
    use super::*;

    fn run_value(id: &str, run: &SwarmRun) -> Option<f64> {
        Walker::new(&HashedNgrams).walk(run).run[column_of(id).unwrap()]
    }

    fn close(a: &[Option<f64>], b: &[Option<f64>]) {
        assert_eq!(a.len(), b.len());
        for (a, b) in a.iter().zip(b) {
            assert!(
                a.zip(*b).map_or(a.is_none() && b.is_none(), |(a, b)| (a - b).abs() < 1e-12),
                "{a:?} {b:?}"
            );
        }
    }

    #[test]
    fn components_by_hand() {
        // View 5: two cells. Round 0 is a chain of three and one apart; in round 1 one agent has left the grid (10 × 10).
        let rounds: &[&[(i32, i32)]] =
            &[&[(0, 0), (2, 2), (4, 2), (9, 9)], &[(0, 0), (3, 0), (10, 5), (9, 9)], &[(-1, 0)], &[]];
        close(&position_values("visual_components", rounds), &[Some(2.0), Some(3.0), None, None]);
        close(
            &position_values("largest_component_share", rounds),
            &[Some(0.75), Some(1.0 / 3.0), None, None],
        );
    }

    #[test]
    fn congestion_by_hand() {
        // Three in a row: the middle one is pushed both ways, the outer ones by 1 + 1/2.
        let rounds: &[&[(i32, i32)]] =
            &[&[(1, 1), (2, 1), (3, 1)], &[(1, 1)], &[(1, 1), (1, 1)], &[(1, 1), (4, 1)], &[(1, 1), (2, 2)]];
        let half = std::f64::consts::FRAC_1_SQRT_2;
        close(
            &position_values("congestion", rounds),
            &[Some(1.0), Some(0.0), Some(0.0), Some(0.0), Some(half)],
        );
        close(
            &position_values("congestion_pressure", rounds),
            &[Some(5.0 / 3.0), Some(0.0), Some(0.0), Some(0.0), Some(half)],
        );
    }

    #[test]
    fn gini_by_hand() {
        // Agent 0: UP four times: (n−1)/n = 0.8. Agent 1: one of each but STAY twice... over four rounds UP UP STAY STAY:
        // sorted 0 0 0 2 2, Σ(2i−n−1)x = 2·2 + 4·2 = 12, / (5·4) = 0.6. Agent 2 only switches.
        let run = world(&[
            (&[], &[("UP", ""), ("UP", ""), ("SWITCH", "")]),
            (&[], &[("UP", ""), ("UP", ""), ("SWITCH", "")]),
            (&[], &[("UP", ""), ("STAY", ""), ("SWITCH", "")]),
            (&[], &[("UP", ""), ("STAY", ""), ("SWITCH", "")]),
        ]);
        close(&[run_value("action_gini", &run)], &[Some(0.7)]);
        assert_eq!(run_value("action_gini", &world(&[(&[], &[("SWITCH", "")])])), None);
        let escaped = world(&[(&[(9, 0)], &[("RIGHT", "")]), (&[(10, 0)], &[("UP", "")])]);
        close(&[run_value("action_gini", &escaped)], &[Some(0.8)]);
        assert_eq!(round_values("action_gini", &[]), [], "a measure of the run has no rounds");
    }

    #[test]
    fn revisits_by_hand() {
        let walk = |cells: &[(i32, i32)]| {
            let scenes: Vec<_> = cells.iter().map(std::slice::from_ref).map(|cell| (cell, &[][..])).collect();
            run_value("revisit_rate", &world(&scenes))
        };
        // Back and forth: moves in rounds 1, 2, 3; those of 2 and 3 return to the cell of two rounds before.
        close(&[walk(&[(1, 1), (1, 2), (1, 1), (1, 2)])], &[Some(2.0 / 3.0)]);
        // A loop of six cells comes back after six rounds: too long ago.
        close(&[walk(&[(1, 1), (2, 1), (3, 1), (3, 2), (2, 2), (1, 2), (1, 1)])], &[Some(0.0)]);
        // A loop of four: the last move returns to the cell of four rounds before.
        close(&[walk(&[(1, 1), (2, 1), (2, 2), (1, 2), (1, 1)])], &[Some(0.25)]);
        // Standing still for a while, and moves over the border, do not count.
        close(&[walk(&[(1, 1), (1, 1), (1, 1)])], &[None]);
        close(&[walk(&[(0, 1), (-1, 1), (0, 1)])], &[None]);
    }

    #[test]
    fn without_a_view_size_there_are_no_components() {
        let mut run = world(&[(&[(1, 1), (2, 2)], &[])]);
        run.meta.view_size = None;
        assert_eq!(Walker::new(&HashedNgrams).walk(&run).columns[column_of("congestion").unwrap()], [None]);
    }
}
