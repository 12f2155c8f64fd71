//! Episodes that failed, by kind, a few of each with their transcripts.

use serde::{Deserialize, Serialize};

use super::measure::answered;
use super::{EpisodeMeasures, Window, blockers};
use crate::model::{Episode, Instance, MasTask, Prediction};

/// How an episode failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The agents gave no answer.
    NoAnswer,
    /// The answer shares no word with the right one, or contradicts it.
    WrongAnswer,
    /// The answer shares words with the right one and is not it.
    PartialAnswer,
    /// The window is not inside the day.
    WindowOutsideDay,
    /// Someone is busy in the window.
    WindowNotFree,
    /// Game: among the run's lowest scores, with fewer cells seen than the run's median.
    LowExploration,
    /// Game: among the run's lowest scores, though it explored.
    Inefficient,
}

impl FailureKind {
    /// Every kind, as tables list them.
    pub const ALL: [Self; 7] = [
        Self::NoAnswer,
        Self::WrongAnswer,
        Self::PartialAnswer,
        Self::WindowOutsideDay,
        Self::WindowNotFree,
        Self::LowExploration,
        Self::Inefficient,
    ];

    /// The kind in words.
    pub fn label(self) -> &'static str {
        match self {
            Self::NoAnswer => "no answer",
            Self::WrongAnswer => "wrong answer",
            Self::PartialAnswer => "incomplete answer",
            Self::WindowOutsideDay => "window outside the day",
            Self::WindowNotFree => "window not free",
            Self::LowExploration => "low exploration",
            Self::Inefficient => "low score though explored",
        }
    }
}

/// A message of a transcript.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranscriptLine {
    /// The round.
    pub round: u32,
    /// The sender's name.
    pub from: String,
    /// The receivers' names.
    pub to: Vec<String>,
    /// The text, cut after 300 characters.
    pub text: String,
}

/// A failed episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// How it failed.
    pub kind: FailureKind,
    /// The instance.
    pub instance_id: String,
    /// Its split.
    pub split: String,
    /// The repeat.
    pub repeat: i64,
    /// The score.
    pub score: Option<f64>,
    /// What exactly: the answer beside the right one, who is busy, how much was seen.
    pub detail: String,
    /// The first 40 messages.
    pub transcript: Vec<TranscriptLine>,
    /// Messages left out of the transcript.
    pub omitted: u64,
}

/// Messages kept of a transcript.
pub(super) const MOST_LINES: usize = 40;
/// Characters kept of a message.
pub(super) const LONGEST_TEXT: usize = 300;

fn clip(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// How an episode of Reasoning or Scheduling failed, and what exactly; `None` where it did not (and in Game, whose failures
/// are relative to the run).
pub(super) fn classify(
    task: &MasTask,
    episode: &Episode,
    score: Option<f64>,
) -> Option<(FailureKind, String)> {
    let score = score?;
    if score >= 100.0 {
        return None;
    }
    match (task, &episode.instance) {
        (MasTask::Reasoning | MasTask::Scheduling, _) if !answered(&episode.prediction) => {
            Some((FailureKind::NoAnswer, "no usable prediction".into()))
        }
        (MasTask::Reasoning, Instance::Question { gold_answer, .. }) => {
            let Prediction::Text(answer) = &episode.prediction else { return None };
            let kind = if score > 0.0 { FailureKind::PartialAnswer } else { FailureKind::WrongAnswer };
            let gold = gold_answer.as_deref().map_or_else(|| "not logged".into(), clip);
            Some((kind, format!("answer \"{}\", right answer \"{gold}\"", clip(answer))))
        }
        (MasTask::Scheduling, Instance::Calendars { day_slots, duration_slots, calendars }) => {
            let (Prediction::Slot(start), Some(day), Some(duration)) =
                (&episode.prediction, day_slots, duration_slots)
            else {
                return None;
            };
            let window = Window { start: *start, duration: *duration };
            if !window.inside(*day) {
                let detail =
                    format!("slots {start} to {}, the day has {day}", window.end().saturating_sub(1));
                return Some((FailureKind::WindowOutsideDay, detail));
            }
            let busy: Vec<&str> = blockers(window, calendars).collect();
            (!busy.is_empty()).then(|| {
                let last = window.end() - 1;
                (
                    FailureKind::WindowNotFree,
                    format!("slots {start} to {last}: busy are {}", clip(&busy.join(", "))),
                )
            })
        }
        _ => None,
    }
}

/// The failure with its transcript.
pub(super) fn failure(
    kind: FailureKind,
    detail: String,
    episode: &Episode,
    measures: &EpisodeMeasures,
) -> Failure {
    let transcript: Vec<TranscriptLine> = episode
        .messages
        .iter()
        .take(MOST_LINES)
        .map(|message| TranscriptLine {
            round: message.round,
            from: clip(episode.agent(message.from)),
            to: episode.receivers(message).iter().map(|&to| clip(episode.agent(to))).collect(),
            text: clip(episode.text(message.text)),
        })
        .collect();
    Failure {
        kind,
        instance_id: measures.instance_id.clone(),
        split: measures.split.clone(),
        repeat: measures.repeat,
        score: measures.score,
        detail,
        omitted: (episode.messages.len() - transcript.len()) as u64,
        transcript,
    }
}
