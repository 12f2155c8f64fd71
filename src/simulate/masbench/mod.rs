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

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::json;

pub use record::{EpisodeRecord, MessageRecord, StepRecord};

use crate::communication::{Tokenizer, Vocabulary};
use crate::model::{MasTask, Mechanism, Routing, Split};
use crate::pipeline::ordered_map;
use crate::table::{AtomicFile, create_folder, write_file};
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

    /// Writes the run as a folder of its own, named by its id, inside `folder`. Episodes are played in parallel and written in order:
    /// instances, repeats within.
    ///
    /// # Errors
    ///
    /// When the request can't be played, something is there already and `force` is not set, or the disk refuses.
    pub fn write(&self, folder: &Path, force: bool) -> Result<PathBuf> {
        self.check()?;
        let folder = folder.join(self.run_id());
        create_folder(&folder, force)?;
        let run_file = serde_json::to_string_pretty(&self.run_file())
            .map_err(|error| Error::internal("the simulator", error))?;
        let path = folder.join("episodes.jsonl");
        let mut file = AtomicFile::create(&path, force)?;
        let plays: Vec<Play> = (0..self.episodes)
            .flat_map(|number| (1..=self.repeats).map(move |repeat| Play { number, repeat }))
            .collect();
        ordered_map(
            &plays,
            || (),
            |play, ()| serde_json::to_vec(&self.play(play.number, play.repeat)),
            |line| {
                let mut line = line.map_err(|error| Error::internal("the simulator", error))?;
                line.push(b'\n');
                file.write_all(&line).map_err(|source| Error::write(&path, source))
            },
        )?;
        file.finish()?;
        write_file(&folder.join("run.json"), (run_file + "\n").as_bytes(), force)?;
        Ok(folder)
    }
}

/// One repeat (from 1) of one instance (from 0).
struct Play {
    number: u32,
    repeat: u32,
}

/// The configurations that the benchmark compares for a task (its tables 2 to 4).
pub fn grid(task: &MasTask) -> Vec<Mechanism> {
    let configuration = |memory, protocol, routing| Mechanism { memory, protocol, routing };
    match task {
        MasTask::Reasoning => vec![configuration(false, false, None), configuration(false, true, None)],
        MasTask::Scheduling => vec![
            configuration(false, false, None),
            configuration(true, false, None),
            configuration(false, true, None),
            configuration(true, true, None),
        ],
        MasTask::Game | MasTask::Other(_) => vec![
            configuration(false, false, None),
            configuration(true, false, None),
            configuration(true, false, Some(Routing::Random)),
            configuration(true, false, Some(Routing::Gate)),
            configuration(true, true, Some(Routing::Random)),
            configuration(true, true, Some(Routing::Gate)),
        ],
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
mod tests {
    use super::*;

    fn request(task: MasTask, mechanism: Mechanism) -> Request {
        Request {
            task,
            mechanism,
            agents: None,
            seed: 4,
            episodes: 4,
            repeats: 2,
            tokenizer: Vocabulary::R50kBase,
        }
    }

    #[test]
    fn mechanisms_meet_the_same_instances() {
        for task in MasTask::KNOWN {
            let plays: Vec<EpisodeRecord> = grid(&task)
                .into_iter()
                .map(|mechanism| request(task.clone(), mechanism).play(3, 1))
                .collect();
            for play in &plays[1..] {
                assert_eq!((&play.instance, &play.agents), (&plays[0].instance, &plays[0].agents));
                assert_eq!(play.reference_score, plays[0].reference_score);
            }
            assert!(plays.windows(2).any(|pair| pair[0].messages != pair[1].messages));
        }
    }

    #[test]
    fn a_play_depends_on_nothing_but_its_place() {
        for task in MasTask::KNOWN {
            let request = request(task.clone(), grid(&task).pop().unwrap());
            assert_eq!(request.play(1, 2), request.play(1, 2));
            assert_ne!(request.play(1, 1).instance, request.play(2, 1).instance);
        }
    }

    #[test]
    fn impossible_requests_are_refused_with_a_reason() {
        let mut wrong = request(MasTask::Scheduling, Mechanism::default());
        wrong.mechanism.routing = Some(Routing::Gate);
        assert!(wrong.check().unwrap_err().to_string().contains("no routing"));
        let mut wrong = request(MasTask::Game, Mechanism::default());
        wrong.agents = Some(9);
        assert!(wrong.check().unwrap_err().to_string().contains("4 to 8 agents"));
        wrong.agents = Some(4);
        assert!(wrong.check().is_ok());
        wrong.episodes = 0;
        assert!(wrong.check().is_err());
    }
}
