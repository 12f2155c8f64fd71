//! Scheduling: five agents look for a window that is free for all, each with its own calendar only, by broadcast.
//!
//! All speak at once in a round and hear each other at its end. *Memory* keeps every proposal, acceptance and refusal of the
//! negotiation; without it an agent knows the messages of the last round. *Protocol* fixes phases and form: the first round is a rough
//! search by hours, then each message votes on every open window and names at most one of its own, in a few symbols. Without it
//! messages are sentences that answer the two latest proposals.

mod calendars;

use serde_json::{Value, json};

use super::{Channel, EpisodeRecord, Place};
use crate::communication::{Tokenizer, Window, blockers};
use crate::model::{Calendar, MasTask, Mechanism};
use crate::stats::rng::Stream;

/// Slots of the day: 09:00 to 17:00 in steps of 10 minutes.
const DAY: i64 = 48;
/// Slots of the meeting: 20 minutes.
const DURATION: i64 = 2;
/// Minutes of a slot.
const SLOT_MINUTES: i64 = 10;
/// Slots of an hour.
const HOUR: i64 = 6;
const NAMES: [&str; 5] = ["A", "B", "C", "D", "E"];

/// What a message says about a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stance {
    /// Proposed, which includes that it suits the sender.
    Propose,
    /// It suits the sender.
    Accept,
    /// It does not.
    Refuse,
}

#[derive(Clone, Copy, Debug)]
struct Statement {
    start: i64,
    stance: Stance,
}

/// A message as the agents understand it.
#[derive(Clone, Debug, Default)]
struct Said {
    round: u32,
    from: usize,
    statements: Vec<Statement>,
    /// Rough search: hours in which the sender has a free window.
    hours: Option<Vec<i64>>,
}

/// Plays one episode.
pub(super) fn play(place: &Place<'_>, mechanism: &Mechanism, tokenizer: Tokenizer) -> EpisodeRecord {
    let calendars = calendars::generate(&mut place.instance_stream(), place.hard());
    let mut channel = Channel::new(tokenizer);
    let mut streams: Vec<Stream> = (0..NAMES.len()).map(|agent| place.agent_stream(agent)).collect();
    let mut heard: Vec<Said> = Vec::new();
    let mut agreed = None;
    let mut score_by_round = Vec::new();
    let rounds = MasTask::Scheduling.round_limit().unwrap_or(0);
    for round in 1..=rounds {
        let mut said_now = Vec::new();
        for (agent, stream) in streams.iter_mut().enumerate() {
            let view = View::new(agent, &calendars[agent], known(mechanism, &heard, round));
            agreed = view.agreement();
            let said = if agreed.is_some() {
                Said { round, from: agent, ..Said::default() }
            } else if mechanism.protocol {
                view.structured_turn(round, stream)
            } else {
                view.free_turn(round, stream)
            };
            let text = match agreed {
                Some(start) if mechanism.protocol => format!("DECIDE {}", clock(start)),
                Some(start) => {
                    format!("Great, then everybody is free at {}. Let us settle on that slot.", span(start))
                }
                None if mechanism.protocol => structured_text(&said),
                None => free_text(&said, stream),
            };
            if !text.is_empty() {
                let others = NAMES.iter().enumerate().filter(|&(ix, _)| ix != agent);
                channel.send(round, NAMES[agent], others.map(|(_, name)| (*name).to_owned()).collect(), text);
                said_now.push(said);
            }
            if agreed.is_some() {
                break;
            }
        }
        heard.extend(said_now);
        score_by_round.push(score(agreed, &calendars));
        if agreed.is_some() {
            break;
        }
    }
    let prediction = agreed.or_else(|| last_resort(mechanism, &calendars, &heard));
    let score = score(prediction, &calendars);
    if let Some(last) = score_by_round.last_mut() {
        *last = score;
    }
    EpisodeRecord {
        instance_id: place.instance_id(),
        split: place.split_name(),
        repeat: place.repeat,
        agents: NAMES.map(str::to_owned).to_vec(),
        instance: instance(&calendars),
        prediction: prediction.map_or(Value::Null, Value::from),
        score,
        reference_score: None,
        collected: None,
        score_by_round,
        messages: channel.messages,
        steps: Vec::new(),
    }
}

fn instance(calendars: &[Calendar]) -> Value {
    let busy: serde_json::Map<String, Value> = calendars
        .iter()
        .map(|calendar| {
            let stretches: Vec<[i64; 2]> = calendar.busy.iter().map(|busy| [busy.start, busy.end]).collect();
            (calendar.agent.clone(), json!(stretches))
        })
        .collect();
    json!({"slot_minutes": SLOT_MINUTES, "day_slots": DAY, "duration_slots": DURATION, "busy": busy})
}

fn score(start: Option<i64>, calendars: &[Calendar]) -> f64 {
    start.map_or(0.0, |start| {
        let window = Window { start, duration: DURATION };
        if window.inside(DAY) && blockers(window, calendars).next().is_none() { 100.0 } else { 0.0 }
    })
}

/// Without an agreement in the last round: the last speaker names the window that it knows of which suits it, which nobody it
/// still hears refused and which most accepted (the latest of equals). It may be wrong.
fn last_resort(mechanism: &Mechanism, calendars: &[Calendar], heard: &[Said]) -> Option<i64> {
    let speaker = NAMES.len() - 1;
    let after = heard.last().map_or(0, |said| said.round) + 1;
    let view = View::new(speaker, &calendars[speaker], known(mechanism, heard, after));
    view.open
        .iter()
        .copied()
        .filter(|&start| view.suits(start))
        .max_by_key(|&start| view.supporters(start).len())
}

/// The messages that agents know in a round: all earlier ones, or without memory those of the round before.
fn known<'a>(mechanism: &Mechanism, heard: &'a [Said], round: u32) -> &'a [Said] {
    if mechanism.memory {
        return heard;
    }
    &heard[heard.partition_point(|said| said.round + 1 < round)..]
}

/// What an agent knows on its turn.
struct View<'a> {
    agent: usize,
    calendar: &'a Calendar,
    known: &'a [Said],
    /// Windows that someone proposed or accepted and nobody refused, in the order in which they came up.
    open: Vec<i64>,
}

impl<'a> View<'a> {
    fn new(agent: usize, calendar: &'a Calendar, known: &'a [Said]) -> Self {
        let mut open: Vec<i64> = Vec::new();
        let statements = || known.iter().flat_map(|said| &said.statements);
        for statement in statements().filter(|statement| statement.stance != Stance::Refuse) {
            let refused = statements().any(|s| s.start == statement.start && s.stance == Stance::Refuse);
            if !refused && !open.contains(&statement.start) {
                open.push(statement.start);
            }
        }
        Self { agent, calendar, known, open }
    }

    fn suits(&self, start: i64) -> bool {
        let window = Window { start, duration: DURATION };
        window.inside(DAY) && !self.calendar.busy.iter().any(|&busy| window.meets(busy))
    }

    /// Who is known to be free at `start`, this agent included where it is.
    fn supporters(&self, start: i64) -> Vec<usize> {
        let mut supporters: Vec<usize> = self
            .known
            .iter()
            .filter(|said| said.statements.iter().any(|s| s.start == start && s.stance != Stance::Refuse))
            .map(|said| said.from)
            .chain(self.suits(start).then_some(self.agent))
            .collect();
        supporters.sort_unstable();
        supporters.dedup();
        supporters
    }

    /// A window that all five are known to accept.
    fn agreement(&self) -> Option<i64> {
        self.open.iter().copied().find(|&start| self.supporters(start).len() == NAMES.len())
    }

    fn refused(&self, start: i64) -> bool {
        let mut statements = self.known.iter().flat_map(|said| &said.statements);
        statements.any(|s| s.start == start && s.stance == Stance::Refuse)
    }

    /// Whether this agent remembers to have voted on the window.
    fn settled(&self, start: i64) -> bool {
        let mut own = self.known.iter().filter(|said| said.from == self.agent);
        own.any(|said| said.statements.iter().any(|s| s.start == start))
    }

    fn answer(&self, start: i64) -> Statement {
        Statement { start, stance: if self.suits(start) { Stance::Accept } else { Stance::Refuse } }
    }

    /// Windows that suit this agent, that nobody refused and that are not on the table.
    fn fresh(&self) -> Vec<i64> {
        (0..DAY)
            .filter(|&start| self.suits(start) && !self.refused(start) && !self.open.contains(&start))
            .collect()
    }

    /// Free conversation: answer the two latest open windows that one does not remember to have answered; when none of them
    /// suits, propose a window of one's own.
    fn free_turn(&self, round: u32, stream: &mut Stream) -> Said {
        let latest = self.open.iter().rev().filter(|&&start| round == 1 || !self.settled(start)).take(2);
        let mut statements: Vec<Statement> = latest.map(|&start| self.answer(start)).collect();
        if !statements.iter().any(|statement| statement.stance == Stance::Accept) {
            let fresh = self.fresh();
            if !fresh.is_empty() {
                let start = fresh[stream.index(fresh.len())];
                statements.push(Statement { start, stance: Stance::Propose });
            }
        }
        Said { round, from: self.agent, statements, hours: None }
    }

    /// Phases: rough search in the first round; then a vote on every open window that this agent has not voted on as far as it
    /// knows, and one proposal inside the hours that all known searches share, as long as a vote on it can still follow.
    fn structured_turn(&self, round: u32, stream: &mut Stream) -> Said {
        if round == 1 {
            let hours = (0..DAY / HOUR)
                .filter(|hour| (hour * HOUR..(hour + 1) * HOUR).any(|start| self.suits(start)))
                .collect();
            return Said { round, from: self.agent, statements: Vec::new(), hours: Some(hours) };
        }
        let mut statements: Vec<Statement> = self
            .open
            .iter()
            .filter(|&&start| !self.settled(start))
            .map(|&start| self.answer(start))
            .collect();
        if round + 1 < MasTask::Scheduling.round_limit().unwrap_or(0) {
            let shared = |start: i64| {
                let mut searches = self.known.iter().filter_map(|said| said.hours.as_ref());
                searches.all(|hours| hours.contains(&(start / HOUR)))
            };
            let fresh: Vec<i64> = self.fresh().into_iter().filter(|&start| shared(start)).collect();
            if !fresh.is_empty() {
                let start = fresh[stream.index(fresh.len())];
                statements.push(Statement { start, stance: Stance::Propose });
            }
        }
        Said { round, from: self.agent, statements, hours: None }
    }
}

/// `10:20`.
fn clock(start: i64) -> String {
    let minutes = 9 * 60 + start * SLOT_MINUTES;
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// `10:20 to 10:40`.
fn span(start: i64) -> String {
    format!("{} to {}", clock(start), clock(start + DURATION))
}

/// `HOURS 9 10 13` or `VOTE 10:20=Y 11:00=N PROPOSE 13:40`; empty where there is nothing to say.
fn structured_text(said: &Said) -> String {
    if let Some(hours) = &said.hours {
        let hours: Vec<String> = hours.iter().map(|hour| (9 + hour).to_string()).collect();
        return format!("HOURS {}", hours.join(" "));
    }
    let mut votes = Vec::new();
    let mut proposals = Vec::new();
    for statement in &said.statements {
        match statement.stance {
            Stance::Propose => proposals.push(clock(statement.start)),
            Stance::Accept => votes.push(format!("{}=Y", clock(statement.start))),
            Stance::Refuse => votes.push(format!("{}=N", clock(statement.start))),
        }
    }
    let mut parts = Vec::new();
    if !votes.is_empty() {
        parts.push(format!("VOTE {}", votes.join(" ")));
    }
    if !proposals.is_empty() {
        parts.push(format!("PROPOSE {}", proposals.join(" ")));
    }
    parts.join(" ")
}

const OPENINGS: [&str; 4] = [
    "Thanks everyone, I have just gone through my day again.",
    "Hello all, here is how it looks on my side.",
    "I appreciate the suggestions so far.",
    "Let me see what my calendar says about this.",
];

const CLOSINGS: [&str; 4] = [
    "Please tell me whether that could work for you too.",
    "I am happy to hear other ideas if this does not fit.",
    "What do the others think about it?",
    "I hope that we can find something that suits us all.",
];

fn free_text(said: &Said, stream: &mut Stream) -> String {
    let mut parts = vec![OPENINGS[stream.index(OPENINGS.len())].to_owned()];
    for statement in &said.statements {
        let span = span(statement.start);
        parts.push(match statement.stance {
            Stance::Propose => {
                format!("I would like to suggest that we meet from {span}, since I am free then.")
            }
            Stance::Accept => format!("The slot from {span} would be fine with me."),
            Stance::Refuse => format!("I am afraid that from {span} I already have another meeting."),
        });
    }
    parts.push(CLOSINGS[stream.index(CLOSINGS.len())].to_owned());
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::communication::Vocabulary;
    use crate::model::Split;

    fn place(number: u32, split: Split) -> Place<'static> {
        Place { seed: 11, task: "Scheduling", number, repeat: 1, split }
    }

    #[test]
    fn an_agreement_is_never_wrong_and_rounds_stay_within_five() {
        for number in 0..60 {
            for (memory, protocol) in [(false, false), (true, false), (false, true), (true, true)] {
                let mechanism = Mechanism { memory, protocol, routing: None };
                let split = if number % 2 == 0 { Split::Simple } else { Split::Complex };
                let episode = play(&place(number, split), &mechanism, Vocabulary::default().tokenizer());
                assert!(episode.score_by_round.len() <= 5);
                let decided = episode.messages.last().unwrap().text.contains("DECIDE")
                    || episode.messages.last().unwrap().text.contains("settle on");
                assert!(!decided || episode.score > 99.0, "{number} {mechanism:?}");
                assert_eq!(episode.score_by_round.last(), Some(&episode.score));
            }
        }
    }

    #[test]
    fn memory_never_proposes_what_was_refused() {
        let calendar = Calendar { agent: "A".into(), busy: Vec::new() };
        let refused: Vec<Statement> =
            (0..46).map(|start| Statement { start, stance: Stance::Refuse }).collect();
        let known = [Said { round: 1, from: 1, statements: refused, hours: None }];
        assert_eq!(View::new(0, &calendar, &known).fresh(), [46]);
    }

    #[test]
    fn clock_times() {
        assert_eq!((clock(0), span(8)), ("09:00".into(), "10:20 to 10:40".into()));
    }
}
