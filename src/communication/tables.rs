//! The rows that outputs and report show.

use std::collections::BTreeMap;

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::failure::{Failure, FailureKind};
use super::{EpisodeMeasures, GraphMeasures, ScoreSource};
use crate::model::MasRunMeta;
use crate::stats::{Stat, Summary};

/// Named numbers in the registry's order, serialised as members of the row they belong to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values(pub Vec<NamedValue>);

/// One of [`Values`].
#[derive(Clone, Debug, PartialEq)]
pub struct NamedValue {
    /// The metric's id, or the id with `_low` or `_high`.
    pub id: String,
    /// The value; `None` where undefined.
    pub value: Option<f64>,
}

impl Values {
    /// The value of an id.
    pub fn get(&self, id: &str) -> Option<f64> {
        self.0.iter().find(|named| named.id == id).and_then(|named| named.value)
    }

    pub(super) fn push(&mut self, id: impl Into<String>, value: Option<f64>) {
        self.0.push(NamedValue { id: id.into(), value: value.filter(|value| value.is_finite()) });
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for named in &self.0 {
            map.serialize_entry(&named.id, &named.value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Values;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("named numbers")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Values, A::Error> {
                let mut values = Values::default();
                while let Some((id, value)) = map.next_entry::<String, Option<f64>>()? {
                    values.push(id, value);
                }
                Ok(values)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// What a run is, on every row about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunIdentity {
    /// The batch.
    pub batch: String,
    /// The run.
    pub run_id: String,
    /// The task.
    pub task: String,
    /// The model.
    pub model: String,
    /// The framework.
    pub framework: String,
    /// The benchmark's name for the mechanisms, for example `Memory+Gate+Protocol`.
    pub mechanism: String,
    /// Whether memory was on.
    pub memory: bool,
    /// Whether the protocol was on.
    pub protocol: bool,
    /// The routing; null for none.
    pub routing: Option<String>,
    /// The seed.
    pub seed: Option<i64>,
}

impl RunIdentity {
    /// The identity of a run.
    pub fn of(meta: &MasRunMeta) -> Self {
        Self {
            batch: meta.key.batch.clone(),
            run_id: meta.key.run_id.clone(),
            task: meta.task.name().to_owned(),
            model: meta.model.clone(),
            framework: meta.framework.clone(),
            mechanism: meta.mechanism.label(),
            memory: meta.mechanism.memory,
            protocol: meta.mechanism.protocol,
            routing: meta.mechanism.routing.as_ref().map(|routing| routing.name().to_owned()),
            seed: meta.seed,
        }
    }
}

/// The part of a run that a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// All instances.
    Overall,
    /// The Simple ones.
    Simple,
    /// The Complex ones.
    Complex,
}

impl Part {
    /// The three parts.
    pub const ALL: [Self; 3] = [Self::Overall, Self::Simple, Self::Complex];

    /// The part's name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Overall => "overall",
            Self::Simple => "simple",
            Self::Complex => "complex",
        }
    }

    /// Whether an episode belongs to it.
    pub fn holds(self, episode: &EpisodeMeasures) -> bool {
        self == Self::Overall || episode.split == self.name()
    }
}

/// A run's metrics over one part of its instances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MetricRow {
    /// The run.
    #[serde(flatten)]
    pub run: RunIdentity,
    /// The part.
    pub split: Part,
    /// Instances.
    pub n: u64,
    /// Instances with a score.
    pub n_scored: u64,
    /// Episodes: instances times repeats.
    pub episodes: u64,
    /// Messages whose tokens were counted here, since the log has none.
    pub counted_messages: u64,
    /// The metrics, and the bounds of those that have an interval.
    #[serde(flatten)]
    pub values: Values,
    /// The run's other settings, as logged.
    pub columns: BTreeMap<String, Value>,
}

/// An episode's metrics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpisodeRow {
    /// The batch.
    pub batch: String,
    /// The run.
    pub run_id: String,
    /// The instance.
    pub instance_id: String,
    /// Its split.
    pub split: String,
    /// Number of the repeat.
    pub repeat: i64,
    /// The score.
    pub score: Option<f64>,
    /// Where the score comes from.
    pub score_source: ScoreSource,
    /// Tokens of all messages.
    pub tok: f64,
    /// Contribution entropy.
    pub normalized_entropy: Option<f64>,
    /// Messages.
    pub messages: u64,
    /// Characters of all messages.
    pub characters: u64,
    /// Agents.
    pub agents: u64,
    /// The last round.
    pub rounds: Option<u32>,
    /// Game: distinct cells that agents stood on.
    pub cells_explored: Option<f64>,
    /// Measures of the message graph.
    #[serde(flatten)]
    pub graph: GraphMeasures,
}

impl EpisodeRow {
    pub(super) fn of(meta: &MasRunMeta, episode: &EpisodeMeasures) -> Self {
        Self {
            batch: meta.key.batch.clone(),
            run_id: meta.key.run_id.clone(),
            instance_id: episode.instance_id.clone(),
            split: episode.split.clone(),
            repeat: episode.repeat,
            score: episode.score,
            score_source: episode.score_source,
            tok: episode.tok,
            normalized_entropy: episode.normalized_entropy,
            messages: episode.messages,
            characters: episode.characters,
            agents: episode.agents,
            rounds: episode.rounds,
            cells_explored: episode.cells_explored,
            graph: episode.graph,
        }
    }
}

/// One round of a run, over one part of its instances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundRow {
    /// The batch.
    pub batch: String,
    /// The run.
    pub run_id: String,
    /// The part.
    pub split: Part,
    /// The round, from 1.
    pub round: u32,
    /// Mean over instances of the score after the round, repeats averaged first; an episode that ended keeps its last score.
    pub score: Option<f64>,
    /// Episodes whose scores by round are logged.
    pub scored_episodes: u64,
    /// Messages of the round, over all episodes.
    pub messages: u64,
    /// Mean tokens of a message of the round; undefined without messages.
    pub tokens_per_message: Option<f64>,
    /// Mean characters of a message of the round; undefined without messages.
    pub characters_per_message: Option<f64>,
}

/// One agent of a run: means over the episodes that list it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentRow {
    /// The batch.
    pub batch: String,
    /// The run.
    pub run_id: String,
    /// The agent's name.
    pub agent: String,
    /// Episodes that list it.
    pub episodes: u64,
    /// Messages sent per episode.
    pub sent: f64,
    /// Messages received per episode.
    pub received: f64,
    /// Distinct receivers per episode.
    pub out_degree: f64,
    /// Distinct senders per episode.
    pub in_degree: f64,
    /// Share of episodes in which it sent nothing.
    pub silent_share: f64,
}

/// How contribution entropy is spread over a run's episodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntropyRow {
    /// The batch.
    pub batch: String,
    /// The run.
    pub run_id: String,
    /// The entropies, ascending; episodes without messages have none.
    pub values: Vec<f64>,
    /// Their summary; undefined without any.
    pub summary: Stat<Summary>,
}

/// Messages from one agent to another in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArcRow {
    /// The batch.
    pub batch: String,
    /// The run.
    pub run_id: String,
    /// The sender's name.
    pub from: String,
    /// The receiver's name.
    pub to: String,
    /// Messages over all episodes.
    pub messages: u64,
}

/// Failed episodes of a run, by kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailureRow {
    /// The batch.
    pub batch: String,
    /// The run.
    pub run_id: String,
    /// The kind.
    pub kind: FailureKind,
    /// Episodes that failed so.
    pub episodes: u64,
    /// Episodes of the run.
    pub of: u64,
    /// The first of them, with transcripts.
    pub examples: Vec<Failure>,
}
