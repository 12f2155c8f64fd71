//! One unit being worked on: the agents' calls, what they cost, what they said.

use serde_json::{Value, json};

use super::mind::{Draws, Mind};
use super::problem::{Choice, Claim, Problem, choices};
use crate::stats::rng::Stream;

/// The cost model, in tokens. A call reads the task and whatever is shown to it, thinks, and writes.
///
/// A JSON text has a token for every four bytes, rounded up. These are round numbers of the size that such calls have; nothing
/// in the results depends on them but the token columns.
pub mod cost {
    /// Role and workflow prompt of every call.
    pub const PROMPT: u64 = 300;
    /// Reasoning before a proposal is written.
    pub const REASONING: u64 = 600;
    /// A verdict on one proposal or claim.
    pub const VERDICT: u64 = 40;
    /// Bytes of JSON per token.
    pub const BYTES_PER_TOKEN: u64 = 4;
}

fn size(value: &Value) -> u64 {
    (value.to_string().len() as u64).div_ceil(cost::BYTES_PER_TOKEN)
}

/// A proposer's first and last proposal.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Before any interaction.
    pub initial: Value,
    /// After it.
    pub last: Value,
}

/// What a method makes of a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Worked {
    /// The proposers' pairs.
    pub proposers: Vec<Pair>,
    /// The answer.
    pub answer: Value,
}

impl Worked {
    /// Proposers that did not change their minds.
    pub fn unrevised(initials: Vec<Value>, answer: Value) -> Self {
        let proposers = initials.into_iter().map(|initial| Pair { last: initial.clone(), initial }).collect();
        Self { proposers, answer }
    }
}

/// A unit in work.
pub struct Session<'a> {
    problem: &'a dyn Problem,
    mind: Mind,
    seed: u64,
    unit: String,
    method: &'static str,
    /// Proposers of methods with a configurable number.
    pub proposers: usize,
    /// Interaction rounds of methods with a configurable number.
    pub rounds: usize,
    instance_size: u64,
    tokens: u64,
    calls: u64,
    messages: Vec<Value>,
}

/// What to work on a unit with.
#[derive(Clone, Copy, Debug)]
pub struct Team {
    /// What the agents are like.
    pub mind: Mind,
    /// Seed of the whole simulation.
    pub seed: u64,
    /// Proposers of methods with a configurable number.
    pub proposers: usize,
    /// Interaction rounds of methods with a configurable number.
    pub rounds: usize,
}

impl<'a> Session<'a> {
    /// A unit to be worked on. `unit` names it for all methods alike: first proposals then agree between methods.
    pub fn new(problem: &'a dyn Problem, team: Team, unit: String, method: &'static str) -> Self {
        Self {
            instance_size: size(&problem.instance()),
            problem,
            mind: team.mind,
            seed: team.seed,
            unit,
            method,
            proposers: team.proposers,
            rounds: team.rounds,
            tokens: 0,
            calls: 0,
            messages: Vec::new(),
        }
    }

    /// Tokens so far.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// Calls so far.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// Messages so far, as logged.
    pub fn messages(&self) -> &[Value] {
        &self.messages
    }

    fn call(&mut self, shown: u64, written: u64) {
        self.tokens += cost::PROMPT + self.instance_size + shown + written;
        self.calls += 1;
    }

    /// Logs that `from` showed a text to the others.
    pub fn say(&mut self, round: usize, from: &str, to: &[String], text: &str) {
        let tokens = (text.len() as u64).div_ceil(cost::BYTES_PER_TOKEN);
        self.messages.push(json!({"round": round, "from": from, "to": to, "text": text, "tokens": tokens}));
    }

    fn draw(&self, agent: &str) -> Value {
        let draws = Draws { seed: self.seed, unit: &self.unit, agent, mind: self.mind };
        if draws.is_lost() { Value::Null } else { self.problem.propose(&draws) }
    }

    /// The first proposal of proposer number `agent`.
    pub fn initial(&mut self, agent: usize) -> Value {
        let content = self.draw(&format!("P{agent}"));
        self.call(0, cost::REASONING + size(&content));
        content
    }

    /// First proposals of `n` proposers.
    pub fn initials(&mut self, n: usize) -> Vec<Value> {
        (0..n).map(|agent| self.initial(agent)).collect()
    }

    fn chance(&self, what: &str) -> f64 {
        Stream::new(self.seed, &format!("{}/{}/{what}", self.unit, self.method)).uniform()
    }

    /// The claims of a proposal.
    pub fn claims(&self, content: &Value) -> Vec<Claim> {
        self.problem.claims(content)
    }

    /// What `judge` thinks of a claim: right with the mind's discernment. Equal claims in equal places get one verdict.
    pub fn believes(&self, judge: &str, claim: &Claim) -> bool {
        let identity = format!("belief/{judge}/{}/{}/{}", claim.slot, claim.option, claim.text);
        claim.good == (self.chance(&identity) < self.mind.discernment())
    }

    /// How good a whole proposal seems to `judge`, 0–100: the share of its claims that it believes, of those that it looks
    /// at ([`Mind::attention`]). No claims: 0.
    ///
    /// Wholes are seen through the same noise as single claims. But who reads whole proposals does not check all that is in
    /// them, which is the paper's premise: useful and unreliable parts come undifferentiated.
    pub fn seems(&self, judge: &str, content: &Value) -> f64 {
        let mut claims = self.claims(content);
        let identity = format!("{}/{}/look/{judge}/{content}", self.unit, self.method);
        Stream::new(self.seed, &identity).shuffle(&mut claims);
        claims.truncate(self.mind.attention.max(1));
        let believed = claims.iter().filter(|claim| self.believes(judge, claim)).count();
        if claims.is_empty() { 0.0 } else { 100.0 * believed as f64 / claims.len() as f64 }
    }

    /// `judge` rates each of the proposals in one call.
    pub fn rate(&mut self, judge: &str, contents: &[&Value]) -> Vec<f64> {
        let shown = contents.iter().map(|content| size(content)).sum();
        self.call(shown, cost::VERDICT * contents.len() as u64);
        contents.iter().map(|content| self.seems(judge, content)).collect()
    }

    /// `judge` gives a verdict on each claim in one call.
    pub fn verdicts(&mut self, judge: &str, claims: &[Claim]) -> Vec<bool> {
        let shown = claims.iter().map(|claim| size(&claim.option) + size(&json!(claim.text))).sum();
        self.call(shown, cost::VERDICT * claims.len() as u64);
        claims.iter().map(|claim| self.believes(judge, claim)).collect()
    }

    /// A proposal is taken apart into its claims by its own proposer.
    pub fn decompose(&mut self, content: &Value) -> Vec<Claim> {
        let claims = self.claims(content);
        let written = claims.iter().map(|claim| size(&json!(claim.text))).sum::<u64>();
        self.call(size(content), written);
        claims
    }

    /// `agent` writes a proposal anew with other choices in `slots`, having been shown `shown` tokens.
    ///
    /// The other slots stay. A content without claims is drawn anew as a whole.
    pub fn redo(
        &mut self,
        agent: &str,
        attempt: usize,
        content: &Value,
        slots: &[usize],
        shown: u64,
    ) -> Value {
        let fresh = self.draw(&format!("{}/{agent}/again {attempt}", self.method));
        let (old, new) = (choices(&self.claims(content)), choices(&self.claims(&fresh)));
        let revised = if old.is_empty() {
            fresh
        } else {
            let kept = old.into_iter().filter(|choice| !slots.contains(&choice.slot));
            let changed = new.into_iter().filter(|choice| slots.contains(&choice.slot));
            self.problem.assemble(&kept.chain(changed).collect::<Vec<_>>())
        };
        self.call(shown + size(content), cost::REASONING + size(&revised));
        revised
    }

    /// `agent` reads the others' proposals and keeps its own or takes one of theirs as a whole.
    ///
    /// It takes the one that seems best to it; its own stays at equal rating. Proposals that two or more others share seem better
    /// by `CONFORMITY` points.
    pub fn reconsider(&mut self, agent: usize, all: &[Value]) -> Value {
        const CONFORMITY: f64 = 10.0;
        let name = format!("P{agent}");
        let own = all.get(agent).cloned().unwrap_or(Value::Null);
        let shown = all.iter().map(size).sum();
        let mut best = (self.seems(&name, &own), own.clone());
        for (other, content) in all.iter().enumerate().filter(|(other, _)| *other != agent) {
            let shared = all.iter().enumerate().any(|(k, c)| k != agent && k != other && c == content);
            let seems = self.seems(&name, content) + if shared { CONFORMITY } else { 0.0 };
            if seems > best.0 {
                best = (seems, content.clone());
            }
        }
        self.call(shown, cost::REASONING + size(&best.1));
        best.1
    }

    /// An independent aggregator is shown `contents` and names the one that seems best to it; the first at equal rating.
    pub fn choose(&mut self, judge: &str, contents: &[Value]) -> Value {
        let views: Vec<&Value> = contents.iter().collect();
        let ratings = self.rate(judge, &views);
        let mut best: Option<(f64, &Value)> = None;
        for (rating, content) in ratings.into_iter().zip(contents) {
            if best.is_none_or(|(most, _)| rating > most) {
                best = Some((rating, content));
            }
        }
        best.map_or(Value::Null, |(_, content)| content.clone())
    }

    /// A synthesiser writes the proposal that makes these choices, having been shown `shown` claims.
    pub fn synthesise(&mut self, choices: &[Choice], shown: &[Claim]) -> Value {
        let answer = self.problem.assemble(choices);
        let read = shown.iter().map(|claim| size(&claim.option) + size(&json!(claim.text))).sum();
        self.call(read, cost::REASONING + size(&answer));
        answer
    }

    /// What a fresh attempt of `agent` would choose in a slot.
    pub fn fresh_choice(&self, agent: &str, slot: usize) -> Option<Choice> {
        let content = self.draw(&format!("{}/{agent}/fresh", self.method));
        choices(&self.claims(&content)).into_iter().find(|choice| choice.slot == slot)
    }

    /// A whole proposal by an agent that is told to differ from `other`; equal ones are tried again a few times.
    pub fn counter_proposal(&mut self, agent: usize, other: &Value) -> Value {
        let mut content = self.draw(&format!("P{agent}"));
        for attempt in 0..4 {
            if content != *other {
                break;
            }
            content = self.draw(&format!("{}/P{agent}/counter {attempt}", self.method));
        }
        self.call(size(other), cost::REASONING + size(&content));
        content
    }
}

/// The content that most proposals share; the earliest one at equal numbers. No call: votes are counted.
pub(super) fn majority(contents: &[Value]) -> Value {
    let votes = |content: &Value| contents.iter().filter(|other| *other == content).count();
    let mut best: Option<(usize, &Value)> = None;
    for content in contents {
        let n = votes(content);
        if best.is_none_or(|(most, _)| n > most) {
            best = Some((n, content));
        }
    }
    best.map_or(Value::Null, |(_, content)| content.clone())
}
