//! The records of `episodes.jsonl`, as they are written.

use serde::Serialize;
use serde_json::Value;

/// A message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MessageRecord {
    /// The round, from 1.
    pub round: u32,
    /// The sender.
    pub from: String,
    /// The receivers.
    pub to: Vec<String>,
    /// The text.
    pub text: String,
    /// Its tokens.
    pub tokens: u64,
}

/// An agent's step in a round of Game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepRecord {
    /// The round, from 1.
    pub round: u32,
    /// The agent.
    pub agent: String,
    /// Column in which it stood when it acted.
    pub x: i32,
    /// Row in which it stood when it acted.
    pub y: i32,
    /// UP, DOWN, LEFT, RIGHT, STAY, PICK or DROP.
    pub action: &'static str,
    /// What it carried when it acted.
    pub carrying: Option<&'static str>,
}

/// An episode.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EpisodeRecord {
    /// The instance's name.
    pub instance_id: String,
    /// Simple or Complex.
    pub split: &'static str,
    /// The repeat, from 1.
    pub repeat: u32,
    /// The agents.
    pub agents: Vec<String>,
    /// What was asked.
    pub instance: Value,
    /// The answer.
    pub prediction: Value,
    /// The score.
    pub score: f64,
    /// Game: score of the reference.
    pub reference_score: Option<u32>,
    /// Game: resources brought to warehouses.
    pub collected: Option<u32>,
    /// Score after each round.
    pub score_by_round: Vec<f64>,
    /// The messages.
    pub messages: Vec<MessageRecord>,
    /// Game: the steps.
    pub steps: Vec<StepRecord>,
}
