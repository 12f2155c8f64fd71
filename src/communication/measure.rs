//! What one episode comes to: everything the tables and comparisons need, so that its text can be dropped.

use serde::{Deserialize, Serialize};

use super::{GraphMeasures, MessageGraph, Tokenizer, contribution_entropy, score};
use crate::model::{Episode, MasTask, Prediction};

/// Where an episode's score comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoreSource {
    /// From the log.
    Logged,
    /// Computed by the task's rule, since the log has none.
    Computed,
    /// There is none.
    Undefined,
}

/// Messages of one round of an episode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RoundTraffic {
    /// The round's number.
    pub round: u32,
    /// Messages sent in it.
    pub messages: u64,
    /// Their tokens.
    pub tokens: f64,
    /// Their characters (Unicode scalar values).
    pub characters: u64,
}

/// One episode, measured.
#[derive(Clone, Debug, PartialEq)]
pub struct EpisodeMeasures {
    /// The instance.
    pub instance_id: String,
    /// Equal for equal instances.
    pub fingerprint: u64,
    /// `simple`, `complex`, or as logged.
    pub split: String,
    /// Number of the repeat.
    pub repeat: i64,
    /// Score in [0, 100] (Game may pass 100).
    pub score: Option<f64>,
    /// Where it comes from.
    pub score_source: ScoreSource,
    /// The task's rule, where it differs from the logged score.
    pub recomputed_score: Option<f64>,
    /// Why there is no score.
    pub no_score_reason: Option<&'static str>,
    /// Tokens of all messages.
    pub tok: f64,
    /// Messages.
    pub messages: u64,
    /// Messages whose tokens were counted here, since the log has none.
    pub counted_messages: u64,
    /// Characters of all messages.
    pub characters: u64,
    /// Agents listed.
    pub agents: u64,
    /// The last round in which anything happened.
    pub rounds: Option<u32>,
    /// Normalised contribution entropy.
    pub normalized_entropy: Option<f64>,
    /// The message graph's measures.
    pub graph: GraphMeasures,
    /// Score after each round, as logged.
    pub score_by_round: Vec<Option<f64>>,
    /// Messages by round, ascending; rounds without any are absent.
    pub traffic: Vec<RoundTraffic>,
    /// Game: distinct cells that agents stood on; `None` without steps.
    pub cells_explored: Option<f64>,
    /// Group dynamics: one value per feature of [`crate::features::FEATURES`].
    pub dynamics: Vec<Option<f64>>,
    /// Whether the agents gave an answer (always in Game).
    pub answered: bool,
}

/// Two scores on [0, 100] are the same up to rounding: a difference of at most 1e-6, since logs often round.
fn same_score(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1.0)
}

/// Measures an episode. Tokens are taken as logged, and counted by `tokenizer` where the log has none.
///
/// Score: as logged, else by [`score`]. Tok: the sum over the messages. Entropy: [`contribution_entropy`] of the listed
/// agents' messages. Source: MASBench, section 4.
pub fn measure(
    task: &MasTask,
    episode: &Episode,
    graph: &MessageGraph,
    tokenizer: Tokenizer,
) -> EpisodeMeasures {
    let computed = score(task, episode);
    let source = match (episode.stored_score, computed) {
        (Some(_), _) => ScoreSource::Logged,
        (None, Ok(_)) => ScoreSource::Computed,
        (None, Err(_)) => ScoreSource::Undefined,
    };
    let recomputed_score = match (episode.stored_score, computed) {
        (Some(stored), Ok(computed)) if !same_score(stored, computed) => Some(computed),
        _ => None,
    };
    let mut measures = EpisodeMeasures {
        instance_id: episode.instance_id.clone(),
        fingerprint: episode.fingerprint,
        split: episode.split.name().to_owned(),
        repeat: episode.repeat,
        score: episode.stored_score.or(computed.ok()),
        score_source: source,
        recomputed_score,
        no_score_reason: if source == ScoreSource::Undefined {
            computed.err().map(super::NoScore::reason)
        } else {
            None
        },
        tok: 0.0,
        messages: episode.messages.len() as u64,
        counted_messages: 0,
        characters: 0,
        agents: episode.listed as u64,
        rounds: episode.last_round(),
        normalized_entropy: contribution_entropy(&graph.sent),
        graph: graph.measures(),
        score_by_round: episode.score_by_round.clone(),
        traffic: Vec::new(),
        cells_explored: None,
        dynamics: Vec::new(),
        answered: *task == MasTask::Game || answered(&episode.prediction),
    };
    let mut by_round: std::collections::BTreeMap<u32, RoundTraffic> = std::collections::BTreeMap::new();
    for message in &episode.messages {
        let text = episode.text(message.text);
        let tokens = message.tokens.unwrap_or_else(|| {
            measures.counted_messages += 1;
            tokenizer.count(text) as f64
        });
        let characters = text.chars().count() as u64;
        measures.tok += tokens;
        measures.characters += characters;
        let round = by_round
            .entry(message.round)
            .or_insert(RoundTraffic { round: message.round, ..Default::default() });
        round.messages += 1;
        round.tokens += tokens;
        round.characters += characters;
    }
    measures.traffic = by_round.into_values().collect();
    measures
}

/// Whether a prediction is an answer at all.
pub(super) fn answered(prediction: &Prediction) -> bool {
    match prediction {
        Prediction::None | Prediction::Unusable => false,
        Prediction::Text(text) => !text.trim().is_empty(),
        Prediction::Slot(_) => true,
    }
}
