//! Messages and steps of an episode.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::fields::{Notes, clip, kind};
use crate::finding::mb;
use crate::model::{AgentIx, Cell, Episode, EpisodeMessage, EpisodeStep, MasTask, TextRef};

/// Agent names of an episode and their numbers.
pub(super) struct Names {
    by_name: BTreeMap<String, AgentIx>,
}

impl Names {
    /// The listed agents' numbers.
    pub(super) fn listed(agents: &[String]) -> Self {
        let numbered = agents.iter().enumerate();
        Self { by_name: numbered.map(|(ix, name)| (name.clone(), AgentIx(ix as u32))).collect() }
    }

    /// The number of a name; a name that is not listed gets the next one.
    fn number(&mut self, name: &str, agents: &mut Vec<String>) -> AgentIx {
        if let Some(&agent) = self.by_name.get(name) {
            return agent;
        }
        let agent = AgentIx(agents.len() as u32);
        agents.push(name.to_owned());
        self.by_name.insert(name.to_owned(), agent);
        agent
    }
}

/// A name as logged: a text, or a number as its digits.
pub(super) fn name(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A round number from 0; `None` for what is none.
fn round(object: &Map<String, Value>, notes: &mut Notes<'_>) -> Option<u32> {
    let number = notes.whole(object, "round")?;
    let round = u32::try_from(number).ok();
    if round.is_none() {
        notes.add(&mb::PART_MALFORMED, format!("round is {number}"));
    }
    round
}

fn append(text: &mut String, part: &str) -> TextRef {
    let start = text.len() as u32;
    text.push_str(part);
    TextRef { start, end: text.len() as u32 }
}

/// Reads the episode's messages, in the log's order.
pub(super) fn messages(
    object: &Map<String, Value>,
    task: &MasTask,
    episode: &mut Episode,
    names: &mut Names,
    notes: &mut Notes<'_>,
) {
    let scored = u32::try_from(episode.score_by_round.len()).ok().filter(|&rounds| rounds > 0);
    let last_round = episode.steps.iter().map(|step| step.round).max().max(scored);
    let mut highest = 0;
    let mut spoken: BTreeSet<(u32, AgentIx)> = BTreeSet::new();
    for value in notes.list(object, "messages") {
        let Some(message) = notes.object("a message", value) else { continue };
        let (Some(round), Some(from)) = (round(message, notes), message.get("from").and_then(name)) else {
            notes.add(&mb::PART_MALFORMED, "a message lacks its round or sender and is left out");
            continue;
        };
        if round < highest {
            notes.add(
                &mb::ROUND_GOES_BACK,
                format!("a message of round {round} after one of round {highest}"),
            );
        }
        highest = highest.max(round);
        if let Some(last) = last_round
            && round > last
        {
            notes
                .add(&mb::MESSAGE_AFTER_END, format!("a message of round {round}, the last round is {last}"));
        }
        let from_ix = names.number(&from, &mut episode.agents);
        if from_ix.ix() >= episode.listed {
            notes.add(&mb::SENDER_UNKNOWN, format!("sender is {}", clip(&from)));
        }
        if !spoken.insert((round, from_ix)) && *task == MasTask::Game {
            notes
                .add(&mb::SECOND_MESSAGE, format!("{} sends a second message in round {round}", clip(&from)));
        }
        let start = episode.receivers.len() as u32;
        receivers(message, episode, names, notes);
        let to = start..episode.receivers.len() as u32;
        let text = append(&mut episode.text, &notes.text(message, "text").unwrap_or_default());
        let tokens = tokens(message, notes);
        episode.messages.push(EpisodeMessage { round, from: from_ix, to, text, tokens });
    }
}

fn receivers(message: &Map<String, Value>, episode: &mut Episode, names: &mut Names, notes: &mut Notes<'_>) {
    let single;
    let list = match message.get("to") {
        Some(value @ (Value::String(_) | Value::Number(_))) => {
            single = [value.clone()];
            &single[..]
        }
        _ => notes.list(message, "to"),
    };
    for value in list {
        let Some(to) = name(value) else {
            notes.add(&mb::PART_MALFORMED, format!("a receiver is {}, not a name", kind(value)));
            continue;
        };
        let to_ix = names.number(&to, &mut episode.agents);
        if to_ix.ix() >= episode.listed {
            notes.add(&mb::RECEIVER_UNKNOWN, format!("receiver is {}", clip(&to)));
        }
        episode.receivers.push(to_ix);
    }
}

/// No message has more tokens than this; sums of such counts stay exact.
const MOST_TOKENS: f64 = 1e12;

fn tokens(message: &Map<String, Value>, notes: &mut Notes<'_>) -> Option<f64> {
    let value = message.get("tokens");
    match notes.number_or_text("tokens", value) {
        Ok(None) => None,
        Ok(Some(tokens)) if (0.0..=MOST_TOKENS).contains(&tokens) => Some(tokens),
        Ok(Some(tokens)) => {
            notes.add(&mb::TOKENS_UNUSABLE, format!("tokens is {tokens}"));
            None
        }
        Err(()) => {
            notes.add(&mb::TOKENS_UNUSABLE, format!("tokens is {}", value.map_or("missing", kind)));
            None
        }
    }
}

/// Reads the episode's steps, in the log's order.
pub(super) fn steps(
    object: &Map<String, Value>,
    episode: &mut Episode,
    names: &mut Names,
    notes: &mut Notes<'_>,
) {
    let mut highest = 0;
    for value in notes.list(object, "steps") {
        let Some(step) = notes.object("a step", value) else { continue };
        let (Some(round), Some(agent)) = (round(step, notes), step.get("agent").and_then(name)) else {
            notes.add(&mb::PART_MALFORMED, "a step lacks its round or agent and is left out");
            continue;
        };
        if round < highest {
            notes.add(&mb::ROUND_GOES_BACK, format!("a step of round {round} after one of round {highest}"));
        }
        highest = highest.max(round);
        let mut coordinate = |key: &str| notes.whole(step, key).and_then(|n| i32::try_from(n).ok());
        let cell = coordinate("x").zip(coordinate("y")).map(|(x, y)| Cell::new(x, y));
        let action = append(&mut episode.text, &notes.text(step, "action").unwrap_or_default());
        let carrying = !matches!(step.get("carrying"), None | Some(Value::Null | Value::Bool(false)));
        let agent = names.number(&agent, &mut episode.agents);
        episode.steps.push(EpisodeStep { round, agent, cell, action, carrying });
    }
}
