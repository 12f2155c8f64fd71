//! A SwarmBench run in memory: dense agent numbers, rounds in order, message text in one arena.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Action, Cell, Grid, SwarmTask};

/// What names a run: run ids are unique within a batch only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RunKey {
    /// The batch: its folder's or archive's name.
    pub batch: String,
    /// The run id as logged; any string.
    pub run_id: String,
}

/// A run's entry in `meta_log.json`.
#[derive(Clone, Debug, PartialEq)]
pub struct RunMeta {
    /// Batch and run id.
    pub key: RunKey,
    /// The model's name; a mixed team has a label made of its members.
    pub model: String,
    /// The task.
    pub task: SwarmTask,
    /// The seed, where one was logged.
    pub seed: Option<i64>,
    /// Number of agents, where logged.
    pub num_agents: Option<u32>,
    /// Rounds that the run could last.
    pub max_round: Option<u32>,
    /// Columns of the grid.
    pub width: Option<u32>,
    /// Rows of the grid.
    pub height: Option<u32>,
    /// Side of an agent's square view, in cells.
    pub view_size: Option<u32>,
    /// Every other key, and those above as logged except model, task and seed: the grouping columns.
    pub columns: BTreeMap<String, Value>,
}

/// Dense number of an agent within its run: an index into [`SwarmRun::agents`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentIx(pub u32);

impl AgentIx {
    /// The number as an index.
    pub fn ix(self) -> usize {
        self.0 as usize
    }
}

/// A stretch of the run's message arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextRef {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// An agent's logged position in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Who.
    pub agent: AgentIx,
    /// Where; possibly outside the grid.
    pub cell: Cell,
}

/// What one agent decided in a round, from the agent log.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Who.
    pub agent: AgentIx,
    /// The action; `None` where the log has none.
    pub action: Option<Action>,
    /// The message, trimmed; `None` where empty.
    pub message: Option<TextRef>,
    /// Cumulative tokens of this agent, where logged.
    pub tokens: Option<f64>,
    /// The view as logged, one string per cell, row by row; read only on demand.
    pub view: Option<Vec<Box<str>>>,
}

/// One round: its state before the decisions, and the decisions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Round {
    /// The round's number.
    pub number: u32,
    /// Whether the game log has an entry for it.
    pub has_state: bool,
    /// Score before the round's decisions; `None` where absent or not a number.
    pub score: Option<f64>,
    /// Positions, sorted by agent.
    pub positions: Vec<Placed>,
    /// Decisions, sorted by agent.
    pub decisions: Vec<Decision>,
    /// Messages listed by the game log (sent in the round before), read only on demand: (agent, text).
    pub heard: Vec<(AgentIx, TextRef)>,
    /// The grid as logged, read only on demand.
    pub grid: Option<Grid>,
}

/// A whole run.
#[derive(Clone, Debug, PartialEq)]
pub struct SwarmRun {
    /// Its meta entry.
    pub meta: RunMeta,
    /// Agent names by dense number, in natural order (`Agent_2` before `Agent_10`).
    pub agents: Vec<String>,
    /// Rounds by ascending number.
    pub rounds: Vec<Round>,
    /// Names of actions beyond the six known ones.
    pub other_actions: Vec<String>,
    /// All message text.
    pub text: String,
    /// Whether a game log was read.
    pub has_game_log: bool,
    /// Whether an agent log was read.
    pub has_agent_log: bool,
}

impl SwarmRun {
    /// The text behind a reference.
    pub fn text(&self, text: TextRef) -> &str {
        self.text.get(text.start as usize..text.end as usize).unwrap_or("")
    }

    /// The final score: the score of the last entry of the game log.
    pub fn final_score(&self) -> Option<f64> {
        self.rounds.iter().rev().find(|round| round.has_state).and_then(|round| round.score)
    }

    /// The logged name of an action.
    pub fn action_name(&self, action: Action) -> &str {
        match action {
            Action::Other(ix) => self.other_actions.get(usize::from(ix)).map_or("?", String::as_str),
            known => known.name().unwrap_or("?"),
        }
    }
}
