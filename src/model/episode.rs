//! A MASBench episode in memory: dense agent numbers, messages in order, text in one arena.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{AgentIx, Cell, RunKey, TextRef};

/// A MASBench task. Unknown tasks are kept by their logged name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MasTask {
    /// Two agents with halves of an evidence chain answer a question.
    Reasoning,
    /// Five agents find a meeting window that is free for all.
    Scheduling,
    /// A team with local views carries resources to warehouses.
    Game,
    /// A task that this version does not know.
    Other(String),
}

impl MasTask {
    /// The three known tasks, in the benchmark's order.
    pub const KNOWN: [Self; 3] = [Self::Reasoning, Self::Scheduling, Self::Game];

    /// The task of a logged name; letter case is folded.
    pub fn from_name(name: &str) -> Self {
        let trimmed = name.trim();
        Self::KNOWN
            .into_iter()
            .find(|task| task.name().eq_ignore_ascii_case(trimmed))
            .unwrap_or_else(|| Self::Other(trimmed.to_owned()))
    }

    /// The canonical name.
    pub fn name(&self) -> &str {
        match self {
            Self::Reasoning => "Reasoning",
            Self::Scheduling => "Scheduling",
            Self::Game => "Game",
            Self::Other(name) => name,
        }
    }

    /// Rounds that an episode may last (MASBench, section 4 and appendix: 10, 5 and 50).
    pub fn round_limit(&self) -> Option<u32> {
        match self {
            Self::Reasoning => Some(10),
            Self::Scheduling => Some(5),
            Self::Game => Some(50),
            Self::Other(_) => None,
        }
    }
}

impl fmt::Display for MasTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The part of the benchmark that an instance belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Split {
    /// The easier instances.
    Simple,
    /// The harder instances.
    Complex,
    /// Another part, or none; counted under Overall only.
    Other(String),
}

impl Split {
    /// The split of a logged name; letter case is folded.
    pub fn from_name(name: &str) -> Self {
        let trimmed = name.trim();
        if trimmed.eq_ignore_ascii_case("simple") {
            Self::Simple
        } else if trimmed.eq_ignore_ascii_case("complex") {
            Self::Complex
        } else {
            Self::Other(trimmed.to_owned())
        }
    }

    /// The canonical lower-case name.
    pub fn name(&self) -> &str {
        match self {
            Self::Simple => "simple",
            Self::Complex => "complex",
            Self::Other(name) => name,
        }
    }
}

/// Who decides on receivers: the routing mechanism.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Routing {
    /// A receiver is drawn among the teammates in range.
    Random,
    /// A gate decides whether to send, then to whom.
    Gate,
    /// Another rule, by its logged name.
    Other(String),
}

impl Routing {
    /// The rule of a logged name; `none` and an empty name are no routing.
    pub fn from_name(name: &str) -> Option<Self> {
        match name.trim().to_ascii_lowercase().as_str() {
            "" | "none" | "null" => None,
            "random" => Some(Self::Random),
            "gate" => Some(Self::Gate),
            _ => Some(Self::Other(name.trim().to_owned())),
        }
    }

    /// The logged name.
    pub fn name(&self) -> &str {
        match self {
            Self::Random => "random",
            Self::Gate => "gate",
            Self::Other(name) => name,
        }
    }
}

/// The mechanisms a run had.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mechanism {
    /// Information is kept across rounds.
    pub memory: bool,
    /// Messages follow a scheme.
    pub protocol: bool,
    /// Receivers are chosen by a rule.
    pub routing: Option<Routing>,
}

impl Mechanism {
    /// The benchmark's name for the configuration, for example `Memory+Gate+Protocol`; `Base` without any.
    pub fn label(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        if self.memory {
            parts.push("Memory".into());
        }
        match &self.routing {
            None => {}
            Some(Routing::Random) => parts.push("Random".into()),
            Some(Routing::Gate) => parts.push("Gate".into()),
            Some(Routing::Other(name)) => parts.push(name.clone()),
        }
        if self.protocol {
            parts.push("Protocol".into());
        }
        if parts.is_empty() { "Base".into() } else { parts.join("+") }
    }
}

/// A run's `run.json`.
#[derive(Clone, Debug, PartialEq)]
pub struct MasRunMeta {
    /// Batch and run id.
    pub key: RunKey,
    /// The task.
    pub task: MasTask,
    /// The model's name; a mixed team has a label made of its members.
    pub model: String,
    /// The framework the agents ran in.
    pub framework: String,
    /// The mechanisms switched on.
    pub mechanism: Mechanism,
    /// The seed, where logged.
    pub seed: Option<i64>,
    /// Every other key, as logged: the grouping columns.
    pub columns: BTreeMap<String, Value>,
}

/// Half-open stretch of day slots in which an agent is busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BusySlots {
    /// First busy slot.
    pub start: i64,
    /// One past the last busy slot.
    pub end: i64,
}

/// One agent's calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calendar {
    /// Whose, as logged.
    pub agent: String,
    /// When busy, as logged; stretches may overlap.
    pub busy: Vec<BusySlots>,
}

/// What the instance asks, as far as scoring needs it.
#[derive(Clone, Debug, PartialEq)]
pub enum Instance {
    /// Reasoning.
    Question {
        /// The question's text.
        question: String,
        /// The right answer, where logged.
        gold_answer: Option<String>,
    },
    /// Scheduling; a part that is missing makes the score undefined.
    Calendars {
        /// Slots of the day.
        day_slots: Option<i64>,
        /// Slots the meeting takes.
        duration_slots: Option<i64>,
        /// Everyone's calendar, by agent name.
        calendars: Vec<Calendar>,
    },
    /// Game.
    Map {
        /// Columns.
        width: Option<u32>,
        /// Rows.
        height: Option<u32>,
        /// Side of an agent's square view, where logged.
        view_size: Option<u32>,
    },
    /// Another task's.
    Other,
}

/// What the agents answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Prediction {
    /// No answer: null, or the key is missing.
    None,
    /// A text.
    Text(String),
    /// A whole number (a start slot).
    Slot(i64),
    /// Something that is no answer to the task.
    Unusable,
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub struct EpisodeMessage {
    /// The round it was sent in, from 1.
    pub round: u32,
    /// Who sent it.
    pub from: AgentIx,
    /// Receivers: a stretch of [`Episode::receivers`].
    pub to: std::ops::Range<u32>,
    /// The text.
    pub text: TextRef,
    /// Tokens as logged; `None` where absent or unusable.
    pub tokens: Option<f64>,
}

/// One agent's step in a round of Game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpisodeStep {
    /// The round, from 1.
    pub round: u32,
    /// Who.
    pub agent: AgentIx,
    /// Where the agent stood.
    pub cell: Option<Cell>,
    /// The action's logged name.
    pub action: TextRef,
    /// Whether something was carried.
    pub carrying: bool,
}

/// A whole episode.
#[derive(Clone, Debug, PartialEq)]
pub struct Episode {
    /// The instance's name.
    pub instance_id: String,
    /// Its split.
    pub split: Split,
    /// Number of the repeat.
    pub repeat: i64,
    /// Agent names by dense number: first the listed ones, then names met elsewhere.
    pub agents: Vec<String>,
    /// How many of [`Self::agents`] were listed.
    pub listed: usize,
    /// What was asked.
    pub instance: Instance,
    /// Fingerprint of all that makes the instance: equal fingerprints, equal instances.
    pub fingerprint: u64,
    /// What was answered.
    pub prediction: Prediction,
    /// The score as logged.
    pub stored_score: Option<f64>,
    /// Game: score of the reference.
    pub reference_score: Option<f64>,
    /// Game: what the team collected.
    pub collected: Option<f64>,
    /// Score after each round, from round 1, as logged.
    pub score_by_round: Vec<Option<f64>>,
    /// Messages, as logged.
    pub messages: Vec<EpisodeMessage>,
    /// All receivers.
    pub receivers: Vec<AgentIx>,
    /// Steps, as logged.
    pub steps: Vec<EpisodeStep>,
    /// All text of messages and actions.
    pub text: String,
}

impl Episode {
    /// The text behind a reference.
    pub fn text(&self, text: TextRef) -> &str {
        self.text.get(text.start as usize..text.end as usize).unwrap_or("")
    }

    /// The receivers of a message.
    pub fn receivers(&self, message: &EpisodeMessage) -> &[AgentIx] {
        self.receivers.get(message.to.start as usize..message.to.end as usize).unwrap_or(&[])
    }

    /// The name of an agent.
    pub fn agent(&self, agent: AgentIx) -> &str {
        self.agents.get(agent.ix()).map_or("?", String::as_str)
    }

    /// The last round in which anything was logged; `None` for an episode without rounds.
    pub fn last_round(&self) -> Option<u32> {
        let spoken = self.messages.iter().map(|message| message.round).max();
        let stepped = self.steps.iter().map(|step| step.round).max();
        let scored = u32::try_from(self.score_by_round.len()).ok().filter(|&rounds| rounds > 0);
        spoken.max(stepped).max(scored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fold_and_unknown_ones_stay() {
        assert_eq!(MasTask::from_name(" reasoning"), MasTask::Reasoning);
        assert_eq!(MasTask::from_name("Debate"), MasTask::Other("Debate".into()));
        assert_eq!(Split::from_name("COMPLEX"), Split::Complex);
        assert_eq!(Routing::from_name("None"), None);
        assert_eq!(Routing::from_name("Gate"), Some(Routing::Gate));
    }

    #[test]
    fn labels_are_the_benchmarks() {
        let all = Mechanism { memory: true, protocol: true, routing: Some(Routing::Gate) };
        assert_eq!(all.label(), "Memory+Gate+Protocol");
        assert_eq!(Mechanism::default().label(), "Base");
    }
}
