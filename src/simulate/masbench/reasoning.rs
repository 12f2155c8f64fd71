//! Reasoning: two agents hold a chain of evidence in halves and talk for up to ten rounds.
//!
//! *Protocol* fixes three kinds of message (request, evidence, final answer), of which only the short public form is sent: an
//! agent asks for the very link it misses and answers what it was asked. Without it the agents talk freely: they volunteer what
//! they hold, first what seems to belong to the talk, and put the answer in a sentence. *Memory* keeps all facts heard; without it
//! an agent knows those of the partner's last three messages.

mod facts;

use serde_json::json;

use facts::{Fact, Puzzle, Relation};

use super::{Channel, EpisodeRecord, Place};
use crate::communication::{Tokenizer, answer_f1};
use crate::model::{MasTask, Mechanism};
use crate::stats::rng::Stream;

/// Messages of the partner that an agent without memory still knows.
const RECENT: usize = 3;
const NAMES: [&str; 2] = ["A", "B"];

/// A link that an agent misses.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wanted {
    subject: String,
    relation: Relation,
}

/// A message as the agents understand it.
#[derive(Clone, Debug, Default)]
struct Said {
    facts: Vec<Fact>,
    request: Option<Wanted>,
    answer: Option<String>,
}

/// Plays one episode.
pub(super) fn play(place: &Place<'_>, mechanism: &Mechanism, tokenizer: Tokenizer) -> EpisodeRecord {
    let puzzle = facts::generate(&mut place.instance_stream(), place.hard());
    let hops = puzzle.evidence.len();
    let mut channel = Channel::new(tokenizer);
    let mut streams = [place.agent_stream(0), place.agent_stream(1)];
    let mut said: [Vec<Said>; 2] = [Vec::new(), Vec::new()];
    let mut answer: Option<String> = None;
    let mut score_by_round = Vec::new();
    for round in 1..=MasTask::Reasoning.round_limit().unwrap_or(0) {
        for agent in 0..NAMES.len() {
            let partner = &said[1 - agent];
            let from = if mechanism.memory { 0 } else { partner.len().saturating_sub(RECENT) };
            let view = View {
                puzzle: &puzzle,
                own: &puzzle.held[agent],
                told: &said[agent],
                heard: &partner[from..],
                hops,
            };
            let turn =
                if mechanism.protocol { view.structured_turn() } else { view.free_turn(&mut streams[agent]) };
            let text = if mechanism.protocol {
                structured_text(&turn)
            } else {
                free_text(&turn, &puzzle, &mut streams[agent])
            };
            channel.send(round, NAMES[agent], vec![NAMES[1 - agent].to_owned()], text);
            answer = turn.answer.as_ref().map(|found| put(found, mechanism, &mut streams[agent]));
            said[agent].push(turn);
            if answer.is_some() {
                break;
            }
        }
        score_by_round.push(answer.as_deref().map_or(0.0, |answer| score(answer, &puzzle)));
        if answer.is_some() {
            break;
        }
    }
    if answer.is_none() {
        let from = if mechanism.memory { 0 } else { said[0].len().saturating_sub(RECENT) };
        let view =
            View { puzzle: &puzzle, own: &puzzle.held[1], told: &said[1], heard: &said[0][from..], hops };
        answer = view.guess().map(|guess| put(&guess, mechanism, &mut streams[1]));
        if let (Some(last), Some(answer)) = (score_by_round.last_mut(), &answer) {
            *last = score(answer, &puzzle);
        }
    }
    EpisodeRecord {
        instance_id: place.instance_id(),
        split: place.split_name(),
        repeat: place.repeat,
        agents: NAMES.map(str::to_owned).to_vec(),
        instance: json!({
            "question": puzzle.question,
            "gold_answer": puzzle.gold,
            "evidence": puzzle.evidence.iter().map(Fact::sentence).collect::<Vec<_>>(),
        }),
        score: answer.as_deref().map_or(0.0, |answer| score(answer, &puzzle)),
        prediction: json!(answer),
        reference_score: None,
        collected: None,
        score_by_round,
        messages: channel.messages,
        steps: Vec::new(),
    }
}

fn score(answer: &str, puzzle: &Puzzle) -> f64 {
    answer_f1(answer, &puzzle.gold) * 100.0
}

/// The protocol has a field for the bare answer; in free conversation one answer in four is a sentence, which costs F1.
fn put(answer: &str, mechanism: &Mechanism, stream: &mut Stream) -> String {
    if mechanism.protocol || stream.index(4) > 0 {
        answer.to_owned()
    } else {
        format!("I think it is {answer}")
    }
}

/// What an agent knows on its turn.
struct View<'a> {
    puzzle: &'a Puzzle,
    own: &'a [Fact],
    /// What the agent said itself.
    told: &'a [Said],
    /// What it still knows of the partner's messages.
    heard: &'a [Said],
    hops: usize,
}

impl View<'_> {
    fn known(&self) -> impl Iterator<Item = &Fact> {
        self.own.iter().chain(self.heard.iter().flat_map(|said| &said.facts))
    }

    /// Follows the chain as far as it is known: the end, or the first link that is missing.
    fn follow(&self) -> Result<String, Wanted> {
        let mut subject = self.puzzle.start.clone();
        for relation in Relation::CHAIN.into_iter().take(self.hops) {
            match self.known().find(|fact| fact.subject == subject && fact.relation == relation) {
                Some(fact) => subject.clone_from(&fact.object),
                None => return Err(Wanted { subject, relation }),
            }
        }
        Ok(subject)
    }

    /// Request, evidence or answer. A request that the agent can't serve is passed on as a request of its own first missing link.
    fn structured_turn(&self) -> Said {
        let mut turn = Said::default();
        match self.follow() {
            Ok(answer) => turn.answer = Some(answer),
            Err(missing) => {
                if let Some(wanted) = self.heard.last().and_then(|said| said.request.as_ref()) {
                    let mut own = self.own.iter();
                    let found =
                        own.find(|fact| fact.subject == wanted.subject && fact.relation == wanted.relation);
                    turn.facts.extend(found.cloned());
                }
                if turn.facts.is_empty() {
                    turn.request = Some(missing);
                }
            }
        }
        turn
    }

    /// Free conversation: the answer once it is known; else up to two facts not told before. Half of the time an agent looks
    /// for one that shares a name with the question or the partner's last message, else it takes any.
    fn free_turn(&self, stream: &mut Stream) -> Said {
        if let Ok(answer) = self.follow() {
            return Said { answer: Some(answer), ..Said::default() };
        }
        let mut names: Vec<&str> = vec![&self.puzzle.start];
        if let Some(last) = self.heard.last() {
            names.extend(last.facts.iter().map(|fact| fact.object.as_str()));
        }
        let mut facts: Vec<Fact> = Vec::new();
        for _ in 0..=stream.index(2) {
            let told = |fact: &&Fact| {
                !self.told.iter().any(|said| said.facts.contains(fact)) && !facts.contains(fact)
            };
            let untold: Vec<&Fact> = self.own.iter().filter(told).collect();
            let fitting: Vec<&Fact> =
                untold.iter().copied().filter(|fact| names.contains(&fact.subject.as_str())).collect();
            let pool = if !fitting.is_empty() && stream.index(2) == 0 { fitting } else { untold };
            if !pool.is_empty() {
                facts.push(pool[stream.index(pool.len())].clone());
            }
        }
        Said { facts, ..Said::default() }
    }

    /// Out of rounds: the known object of the last relation that is not known to belong elsewhere, the first by name.
    fn guess(&self) -> Option<String> {
        if let Ok(answer) = self.follow() {
            return Some(answer);
        }
        let last = Relation::CHAIN[self.hops - 1];
        self.known().filter(|fact| fact.relation == last).map(|fact| fact.object.clone()).min()
    }
}

/// `REQUEST director of Amber River`, `EVIDENCE …` or `ANSWER …`.
fn structured_text(said: &Said) -> String {
    if let Some(answer) = &said.answer {
        return format!("ANSWER {answer}");
    }
    if let Some(wanted) = &said.request {
        return format!("REQUEST {} of {}", wanted.relation.name(), wanted.subject);
    }
    let facts: Vec<String> = said
        .facts
        .iter()
        .map(|fact| format!("{} of {} = {}", fact.relation.name(), fact.subject, fact.object))
        .collect();
    format!("EVIDENCE {}", facts.join("; "))
}

const OPENINGS: [&str; 4] = [
    "Let us think about this step by step.",
    "Thank you, that is an interesting point.",
    "I have been looking through my notes again.",
    "Okay, here is what I can add from my side.",
];

fn free_text(said: &Said, puzzle: &Puzzle, stream: &mut Stream) -> String {
    let opening = OPENINGS[stream.index(OPENINGS.len())];
    if let Some(answer) = &said.answer {
        return format!(
            "{opening} Putting everything together, I think it is {answer}. That should answer the question."
        );
    }
    let facts: Vec<String> = said.facts.iter().map(Fact::sentence).collect();
    let middle = if facts.is_empty() {
        "I am afraid that I have nothing new to share.".to_owned()
    } else {
        format!("My notes say that {}.", facts.join(", and that "))
    };
    let closing = match stream.index(3) {
        0 => format!("We still need to find out: {}", puzzle.question),
        1 => "Does any of this help you, or do you know something that goes with it?".to_owned(),
        _ => "I am still not sure about the answer, what do you think?".to_owned(),
    };
    format!("{opening} {middle} {closing}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::communication::Vocabulary;
    use crate::model::Split;

    fn episode(number: u32, mechanism: &Mechanism) -> EpisodeRecord {
        let split = if number.is_multiple_of(2) { Split::Simple } else { Split::Complex };
        let place = Place { seed: 3, task: "Reasoning", number, repeat: 1, split };
        play(&place, mechanism, Vocabulary::default().tokenizer())
    }

    #[test]
    fn the_protocol_with_memory_always_finds_the_answer() {
        // Ten rounds are 20 messages; a chain of four needs at most two messages per missing link and one for the answer.
        let mechanism = Mechanism { memory: true, protocol: true, routing: None };
        for number in 0..100 {
            assert!((episode(number, &mechanism).score - 100.0).abs() < 1e-9, "{number}");
        }
    }

    #[test]
    fn rounds_stay_within_ten_and_scores_within_the_range() {
        for number in 0..50 {
            let episode = episode(number, &Mechanism::default());
            assert!(episode.messages.iter().all(|message| (1..=10).contains(&message.round)));
            assert!((0.0..=100.0).contains(&episode.score));
        }
    }
}
