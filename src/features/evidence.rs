//! Who, where and when of a failure mode: the moment that a report shows of a bad run.

use super::failure::{agents_in_components, net_force, own_gini, steps};
use crate::model::{AgentIx, SwarmRun};

/// The moment of a run that shows a failure mode best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The round.
    pub round: u32,
    /// The agents concerned.
    pub agents: Vec<AgentIx>,
    /// What they do, in words.
    pub what: String,
}

/// Failure modes that [`evidence`] knows, each being worse the larger it is.
pub const MODES: [&str; 4] = ["action_gini", "visual_components", "congestion", "revisit_rate"];

/// The moment for the mode with this id; `worst` is the round in which its value is largest, where it has rounds. `None`
/// for another mode, or where the run has nothing to show.
pub fn evidence(run: &SwarmRun, mode: &str, worst: Option<u32>) -> Option<Evidence> {
    let last = run.rounds.iter().rev().find(|round| round.has_state)?;
    let at_worst = || run.rounds.iter().find(|round| Some(round.number) == worst && round.has_state);
    match mode {
        "action_gini" => {
            let (agent, gini) = largest(own_gini(run))?;
            let what = format!("chooses its actions most unevenly (Gini {gini:.2})");
            Some(Evidence { round: last.number, agents: vec![agent], what })
        }
        "visual_components" => {
            let round = at_worst()?;
            let mut components = agents_in_components(run, round)?;
            components.sort_by_key(|members| std::cmp::Reverse(members.len()));
            let what = format!(
                "{} groups that do not see each other; marked: all but the largest",
                components.len()
            );
            let mut agents: Vec<AgentIx> = components.into_iter().skip(1).flatten().collect();
            agents.sort_unstable();
            Some(Evidence { round: round.number, agents, what })
        }
        "congestion" => {
            let round = at_worst()?;
            let (agent, force) = largest(net_force(run, round)?)?;
            let what = format!("is pushed hardest by those around it (net force {force:.2} per cell)");
            Some(Evidence { round: round.number, agents: vec![agent], what })
        }
        "revisit_rate" => {
            let steps = steps(run);
            let mut counts = vec![0u32; run.agents.len()];
            for step in steps.iter().filter(|step| step.revisit) {
                if let Some(count) = counts.get_mut(step.agent.ix()) {
                    *count += 1;
                }
            }
            let (agent, count) = largest((0..).map(AgentIx).zip(counts.into_iter().map(f64::from)))?;
            let back = steps.iter().rev().find(|step| step.agent == agent && step.revisit)?;
            let what = format!("came back {count} times to a cell that it had left 2 to 5 rounds before");
            Some(Evidence { round: back.round, agents: vec![agent], what })
        }
        _ => None,
    }
}

/// The agent with the largest value; the first one on equality.
fn largest(values: impl IntoIterator<Item = (AgentIx, f64)>) -> Option<(AgentIx, f64)> {
    values.into_iter().fold(None, |best: Option<(AgentIx, f64)>, next| match best {
        Some(best) if best.1 >= next.1 => Some(best),
        _ => Some(next),
    })
}

#[cfg(test)]
mod tests {
    use super::super::walk::tests::world;
    use super::*;

    #[test]
    fn moments_by_hand() {
        // View 5. Agents 0 and 1 together, agent 2 far away; agent 1 goes back and forth.
        let run = world(&[
            (&[(1, 1), (2, 1), (9, 9)], &[("STAY", ""), ("RIGHT", ""), ("UP", "")]),
            (&[(1, 1), (3, 1), (9, 9)], &[("STAY", ""), ("LEFT", ""), ("DOWN", "")]),
            (&[(1, 1), (2, 1), (9, 9)], &[("STAY", ""), ("STAY", ""), ("LEFT", "")]),
        ]);
        let found = evidence(&run, "visual_components", Some(1)).unwrap();
        assert_eq!((found.round, found.agents), (1, vec![AgentIx(2)]));
        let found = evidence(&run, "action_gini", None).unwrap();
        assert_eq!((found.round, found.agents), (2, vec![AgentIx(0)]));
        let found = evidence(&run, "congestion", Some(0)).unwrap();
        assert_eq!((found.round, found.agents), (0, vec![AgentIx(0)]));
        let found = evidence(&run, "revisit_rate", None).unwrap();
        assert_eq!((found.round, found.agents, found.what.contains("1 times")), (2, vec![AgentIx(1)], true));
        assert_eq!(evidence(&run, "step_distance", None), None);
    }
}
