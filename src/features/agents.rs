//! What each agent of a run did over all rounds: the agent level of the tables.

use serde::{Deserialize, Serialize};

use super::messages::characters;
use crate::model::{Action, SwarmRun};

/// Sums over one agent's rounds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgentTally {
    /// Name as logged.
    pub agent: String,
    /// Records in the agent log.
    pub decisions: u32,
    /// UP, DOWN, LEFT, RIGHT, STAY, SWITCH, others.
    pub actions: [u32; 7],
    /// Non-empty messages.
    pub messages: u32,
    /// Characters of those.
    pub characters: u64,
    /// Cells moved.
    pub distance: u64,
    /// Rounds with a position.
    pub placed: u32,
    /// Tokens used by the end, where logged.
    pub tokens: Option<f64>,
}

/// A column of the agent level.
pub struct AgentColumn {
    /// Column name.
    pub id: &'static str,
    /// Title.
    pub title: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// The value; `None` where undefined.
    pub value: fn(&AgentTally) -> Option<f64>,
}

/// Every column of the agent level.
pub const AGENT_COLUMNS: &[AgentColumn] = &[
    AgentColumn {
        id: "decisions",
        title: "Decisions",
        unit: "records",
        value: |t| Some(f64::from(t.decisions)),
    },
    AgentColumn { id: "up", title: "UP", unit: "actions", value: |t| Some(f64::from(t.actions[0])) },
    AgentColumn { id: "down", title: "DOWN", unit: "actions", value: |t| Some(f64::from(t.actions[1])) },
    AgentColumn { id: "left", title: "LEFT", unit: "actions", value: |t| Some(f64::from(t.actions[2])) },
    AgentColumn { id: "right", title: "RIGHT", unit: "actions", value: |t| Some(f64::from(t.actions[3])) },
    AgentColumn { id: "stay", title: "STAY", unit: "actions", value: |t| Some(f64::from(t.actions[4])) },
    AgentColumn { id: "switch", title: "SWITCH", unit: "actions", value: |t| Some(f64::from(t.actions[5])) },
    AgentColumn {
        id: "other",
        title: "Other actions",
        unit: "actions",
        value: |t| Some(f64::from(t.actions[6])),
    },
    AgentColumn {
        id: "messages",
        title: "Messages",
        unit: "messages",
        value: |t| Some(f64::from(t.messages)),
    },
    AgentColumn {
        id: "mean_message_length",
        title: "Message length, mean",
        unit: "characters",
        value: |t| (t.messages > 0).then(|| t.characters as f64 / f64::from(t.messages)),
    },
    AgentColumn {
        id: "distance",
        title: "Distance moved",
        unit: "cells",
        value: |t| (t.placed > 0).then_some(t.distance as f64),
    },
    AgentColumn { id: "tokens", title: "Tokens used", unit: "tokens", value: |t| t.tokens },
];

/// The tallies of a run's agents, in the run's order. A distance counts between consecutive rounds only.
pub(super) fn tallies(run: &SwarmRun) -> Vec<AgentTally> {
    let mut tallies: Vec<AgentTally> =
        run.agents.iter().map(|name| AgentTally { agent: name.clone(), ..AgentTally::default() }).collect();
    let mut last = vec![None; run.agents.len()];
    for round in &run.rounds {
        for placed in &round.positions {
            let tally = &mut tallies[placed.agent.ix()];
            tally.placed += 1;
            if let Some((number, cell)) = last[placed.agent.ix()]
                && round.number - number == 1
            {
                tally.distance += placed.cell.manhattan(cell);
            }
            last[placed.agent.ix()] = Some((round.number, placed.cell));
        }
        for decision in &round.decisions {
            let tally = &mut tallies[decision.agent.ix()];
            tally.decisions += 1;
            if let Some(action) = decision.action {
                let slot = match action {
                    Action::Move(direction) => direction as usize,
                    Action::Stay => 4,
                    Action::Switch => 5,
                    Action::Other(_) => 6,
                };
                tally.actions[slot] += 1;
            }
            if let Some(text) = decision.message {
                tally.messages += 1;
                tally.characters += characters(run.text(text)) as u64;
            }
            tally.tokens = decision.tokens.or(tally.tokens);
        }
    }
    tallies
}

#[cfg(test)]
mod tests {
    use super::super::walk::tests::world;
    use super::*;

    #[test]
    fn by_hand() {
        let run = world(&[
            (&[(1, 1)], &[("UP", "abc")]),
            (&[(1, 3)], &[("SWITCH", "")]),
            (&[(1, 3)], &[("STAY", "é")]),
        ]);
        let tally = &tallies(&run)[0];
        assert_eq!((tally.decisions, tally.actions, tally.messages), (3, [1, 0, 0, 0, 1, 1, 0], 2));
        assert_eq!((tally.characters, tally.distance, tally.placed), (4, 2, 3));
    }
}
