//! Simulates MASBench: scripted agents under partial observability, with mechanisms that act as mechanisms.
//!
//! The agents are rules, not language models; what a mechanism changes is what an agent can know or must say, never a score.
//! *Memory* widens what an agent still knows from recent messages and sights to all of them. *Protocol* fixes what a message holds and how it is
//! put. *Routing* decides, in Game, whether and to whom a message goes. An instance comes from the seed and its number alone, so runs
//! with different mechanisms meet the same instances and can be paired.

mod game;
mod reasoning;
mod record;
mod scheduling;

use std::io::{self, Write};

use serde_json::json;

pub use record::{EpisodeRecord, MessageRecord, StepRecord};

use crate::communication::{Tokenizer, Vocabulary};
use crate::model::{MasTask, Mechanism, Routing, Split};
use crate::{Error, Result};

/// What to simulate.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// One of the three known tasks.
    pub task: MasTask,
    /// The mechanisms switched on.
    pub mechanism: Mechanism,
    /// Game: number of agents; `None` draws 4 to 8 per map.
    pub agents: Option<u32>,
    /// The seed of instances and play.
    pub seed: u64,
    /// Instances; the first half is Simple (rounded up), the rest Complex.
    pub episodes: u32,
    /// Plays of each instance.
    pub repeats: u32,
    /// What counts the messages' tokens.
    pub tokenizer: Vocabulary,
}

/// Instances of one run at most.
const MOST_EPISODES: u32 = 100_000;

impl Request {
    /// Checks the request against the task's rules.
    ///
    /// # Errors
    ///
    /// A usage error that says what the task can't have.
    pub fn check(&self) -> Result<()> {
        let usage = |what: String| Err(Error::Usage(what));
        if matches!(self.task, MasTask::Other(_)) {
            return usage(format!("unknown task {}; tasks are Reasoning, Scheduling and Game", self.task));
        }
        if self.mechanism.routing.is_some() && self.task != MasTask::Game {
            return usage(format!(
                "{} has no routing: every message goes to everyone; leave --routing out or take --task Game",
                self.task
            ));
        }
        let agents = match self.task {
            MasTask::Reasoning => 2..=2,
            MasTask::Scheduling => 5..=5,
            _ => 4..=8,
        };
        if let Some(wanted) = self.agents
            && !agents.contains(&wanted)
        {
            let (low, high) = (agents.start(), agents.end());
            let range = if low == high { format!("{low} agents") } else { format!("{low} to {high} agents") };
            return usage(format!("{} has {range}, not {wanted}; change --agents", self.task));
        }
        if self.episodes == 0 || self.episodes > MOST_EPISODES || self.repeats == 0 || self.repeats > 1_000 {
            return usage(format!(
                "--episodes goes from 1 to {MOST_EPISODES} and --repeats from 1 to 1000, not {} and {}",
                self.episodes, self.repeats
            ));
        }
        Ok(())
    }

    /// The run's id: task, mechanisms and seed.
    pub fn run_id(&self) -> String {
        let mechanism = &self.mechanism;
        let routing =
            mechanism.routing.as_ref().map_or(String::new(), |routing| format!("-{}", routing.name()));
        format!(
            "{}-m{}p{}{routing}-s{}",
            self.task.name().to_lowercase(),
            u8::from(mechanism.memory),
            u8::from(mechanism.protocol),
            self.seed
        )
    }

    /// The run's `run.json`.
    pub fn run_file(&self) -> serde_json::Value {
        json!({
            "schema": "masbench/1",
            "run_id": self.run_id(),
            "benchmark": "MASBench",
            "task": self.task.name(),
            "model": "scripted",
            "framework": "reference",
            "mechanism": {
                "memory": self.mechanism.memory,
                "protocol": self.mechanism.protocol,
                "routing": self.mechanism.routing.as_ref().map(Routing::name),
            },
            "seed": self.seed,
            "repeats": self.repeats,
            "tokenizer": self.tokenizer.name(),
        })
    }

    /// The split of an instance.
    fn split(&self, number: u32) -> Split {
        if number < self.episodes.div_ceil(2) { Split::Simple } else { Split::Complex }
    }

    /// Plays one repeat (from 1) of one instance (from 0). The same request, instance and repeat give the same episode.
    pub fn play(&self, number: u32, repeat: u32) -> EpisodeRecord {
        let place =
            Place { seed: self.seed, task: self.task.name(), number, repeat, split: self.split(number) };
        let tokenizer = self.tokenizer.tokenizer();
        match self.task {
            MasTask::Reasoning => reasoning::play(&place, &self.mechanism, tokenizer),
            MasTask::Scheduling => scheduling::play(&place, &self.mechanism, tokenizer),
            MasTask::Game | MasTask::Other(_) => game::play(&place, &self.mechanism, self.agents, tokenizer),
        }
    }

    /// Writes `episodes.jsonl`: instances in order, repeats within.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_episodes(&self, out: &mut impl Write) -> io::Result<()> {
        for number in 0..self.episodes {
            for repeat in 1..=self.repeats {
                serde_json::to_writer(&mut *out, &self.play(number, repeat))?;
                out.write_all(b"\n")?;
            }
        }
        Ok(())
    }
}

/// Which episode is played: all that randomness may depend on.
struct Place<'a> {
    seed: u64,
    task: &'a str,
    number: u32,
    repeat: u32,
    split: Split,
}

impl Place<'_> {
    /// The stream that makes the instance: the same for all mechanisms and repeats.
    fn instance_stream(&self) -> crate::stats::rng::Stream {
        let identity = format!("masbench/{}/instance/{}/{}", self.task, self.split.name(), self.number);
        crate::stats::rng::Stream::new(self.seed, &identity)
    }

    /// The stream of one agent's choices.
    fn agent_stream(&self, agent: usize) -> crate::stats::rng::Stream {
        let identity = format!("masbench/{}/play/{}/{}/{agent}", self.task, self.number, self.repeat);
        crate::stats::rng::Stream::new(self.seed, &identity)
    }

    fn instance_id(&self) -> String {
        format!("{}-{:03}", self.task.to_lowercase(), self.number)
    }

    fn split_name(&self) -> &'static str {
        if self.split == Split::Simple { "Simple" } else { "Complex" }
    }

    fn hard(&self) -> bool {
        self.split != Split::Simple
    }
}

/// Makes message records: counts tokens as it goes.
struct Channel {
    tokenizer: Tokenizer,
    messages: Vec<MessageRecord>,
}

impl Channel {
    fn new(tokenizer: Tokenizer) -> Self {
        Self { tokenizer, messages: Vec::new() }
    }

    fn send(&mut self, round: u32, from: &str, to: Vec<String>, text: String) {
        let tokens = self.tokenizer.count(&text);
        self.messages.push(MessageRecord { round, from: from.to_owned(), to, text, tokens });
    }
}
#[cfg(test)]
mod scratch {
    use super::*;
    #[test]
    fn table() {
        for task in [MasTask::Reasoning, MasTask::Scheduling, MasTask::Game] {
            let routes: &[Option<Routing>] = if task == MasTask::Game {
                &[None, Some(Routing::Random), Some(Routing::Gate)]
            } else {
                &[None]
            };
            for memory in [false, true] {
                for protocol in [false, true] {
                    for routing in routes {
                        let m = Mechanism { memory, protocol, routing: routing.clone() };
                        let r = Request {
                            task: task.clone(),
                            mechanism: m.clone(),
                            agents: None,
                            seed: 7,
                            episodes: 200,
                            repeats: 1,
                            tokenizer: Vocabulary::default(),
                        };
                        let mut s = [0.0; 2];
                        let mut t = [0.0; 2];
                        let mut ms = 0;
                        for i in 0..200 {
                            let e = r.play(i, 1);
                            let k = usize::from(i >= 100);
                            s[k] += e.score / 100.0;
                            t[k] += e.messages.iter().map(|m| m.tokens as f64).sum::<f64>() / 100.0;
                            ms += e.messages.len();
                            if i == 3 {
                                for m in e.messages.iter().take(12) {
                                    println!(
                                        "   {} {}->{:?} {} [{}]",
                                        m.round, m.from, m.to, m.text, m.tokens
                                    );
                                }
                                println!("   pred {} score {}", e.prediction, e.score);
                            }
                        }
                        println!(
                            "{task} {} score {:.1} {:.1} tok {:.0} {:.0} msgs {}",
                            m.label(),
                            s[0],
                            s[1],
                            t[0],
                            t[1],
                            ms as f64 / 200.0
                        );
                    }
                }
            }
        }
    }
}
