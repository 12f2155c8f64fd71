//! Simulated `mastracebench/1` runs: generated worlds, scripted proposers, and the paper's methods as mechanisms.
//!
//! No result is written in. A proposal is made part by part, each part sound with the mind's skill; judging a part is right with a
//! chance that the same skill sets, whoever judges and for whatever purpose. Methods differ only by what they do with proposals and
//! verdicts. First proposals and episodes' set-ups come from seed, task, unit and agent alone, so that all methods start from the same
//! ones: differences between methods are not luck of the draw.

pub mod methods;
mod mind;
mod problem;
mod session;
#[cfg(test)]
mod tests;
mod worlds;
mod write;

use serde_json::{Map, Value, json};

pub use methods::{METHODS, Method, method};
pub use mind::Mind;
pub use problem::{Choice, Claim, Problem};
pub use session::{Session, Team, Worked, cost};
pub use worlds::{Play, Side, WORLDS, World, world};
pub use write::write;

use crate::ingest::mastracebench::SCHEMA;
use crate::model::ProposalTask;
use worlds::Episode;

/// What to simulate.
#[derive(Clone, Debug)]
pub struct Options {
    /// The task.
    pub task: ProposalTask,
    /// The method.
    pub method: &'static Method,
    /// The seed of worlds and agents.
    pub seed: u64,
    /// Samples of a static task, episodes of a dynamic one.
    pub units: usize,
    /// Proposers of methods with a configurable number.
    pub proposers: usize,
    /// Interaction rounds of methods with a configurable number.
    pub rounds: usize,
    /// What the agents are like.
    pub mind: Mind,
}

/// A simulated run, as its files hold it.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedRun {
    /// The run's id, which also names its folder.
    pub run_id: String,
    /// `run.json`.
    pub run: Value,
    /// The lines of `units.jsonl`.
    pub units: Vec<Value>,
    /// The lines of `episodes.jsonl`; none for static tasks.
    pub episodes: Vec<Value>,
}

/// Lower-case letters and digits, everything else one dash.
fn slug(text: &str) -> String {
    let mut slug = String::new();
    for c in text.to_lowercase().chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

/// Simulates a run; `None` for a task without a world.
pub fn simulate(options: &Options) -> Option<SimulatedRun> {
    let world = world(&options.task)?;
    let run_id = format!("{}-{}-s{}", slug(options.task.name()), slug(options.method.name), options.seed);
    let mut run = SimulatedRun {
        run: json!({"schema": SCHEMA, "run_id": run_id, "benchmark": "MASTraceBench", "task": options.task.name(),
            "method": options.method.name, "model": "scripted", "seed": options.seed,
            "proposers": options.proposers, "rounds": options.rounds, "skill": options.mind.skill,
            "correlation": options.mind.correlation, "invalid": options.mind.invalid,
            "attention": options.mind.attention}),
        run_id,
        units: Vec::new(),
        episodes: Vec::new(),
    };
    match world.play {
        Play::Static(make) => {
            for index in 0..options.units {
                let problem = make(options.seed, index);
                let unit_id = format!("{}-{index:03}", slug(options.task.name()));
                let (line, _) = work(options, problem.as_ref(), &unit_id, Map::new());
                run.units.push(line);
            }
        }
        Play::Dynamic(play) => {
            for index in 0..options.units {
                let episode_id = format!("e{index:03}");
                let mut lines = Vec::new();
                let mut decide = |side: Side, step: usize, problem: &dyn Problem| {
                    let unit_id = format!("{}-{episode_id}-{step:03}", slug(options.task.name()));
                    match side {
                        Side::Own => {
                            let place = Map::from_iter([
                                ("episode_id".to_owned(), json!(episode_id)),
                                ("step".to_owned(), json!(step)),
                            ]);
                            let (line, answer) = work(options, problem, &unit_id, place);
                            lines.push(line);
                            answer
                        }
                        Side::Opponent => opponent(options, problem, &unit_id),
                    }
                };
                let score = play(Episode { seed: options.seed, index }, &mut decide);
                run.units.append(&mut lines);
                run.episodes.push(json!({"episode_id": episode_id, "score": score}));
            }
        }
    }
    Some(run)
}

/// The fixed opponent: a Single-Agent of the same mind, with draws of its own.
fn opponent(options: &Options, problem: &dyn Problem, unit_id: &str) -> Value {
    let unit = format!("{}/{unit_id}/opponent", options.task.name());
    let draws = mind::Draws { seed: options.seed, unit: &unit, agent: "opponent", mind: options.mind };
    if draws.is_lost() { Value::Null } else { problem.propose(&draws) }
}

/// Lets the method work on a unit; gives its line and the answer.
fn work(
    options: &Options,
    problem: &dyn Problem,
    unit_id: &str,
    place: Map<String, Value>,
) -> (Value, Value) {
    let team =
        Team { mind: options.mind, seed: options.seed, proposers: options.proposers, rounds: options.rounds };
    let unit = format!("{}/{unit_id}", options.task.name());
    let mut session = Session::new(problem, team, unit, options.method.name);
    let worked = (options.method.work)(&mut session);
    let proposers: Vec<Value> = worked
        .proposers
        .iter()
        .enumerate()
        .map(|(agent, pair)| {
            json!({"agent": format!("P{agent}"), "initial": logged(problem, &pair.initial),
                "final": logged(problem, &pair.last)})
        })
        .collect();
    let mut line = Map::from_iter([
        ("unit_id".to_owned(), json!(unit_id)),
        ("instance".to_owned(), problem.instance()),
        ("max_score".to_owned(), json!(problem.scoring().max_score())),
        ("proposers".to_owned(), Value::Array(proposers)),
        ("answer".to_owned(), logged(problem, &worked.answer)),
        ("messages".to_owned(), json!(session.messages())),
        ("tokens".to_owned(), json!({"total": session.tokens(), "calls": session.calls()})),
    ]);
    line.extend(place);
    (Value::Object(line), worked.answer)
}

/// An output as logged: content, what is beside it, score, validity.
fn logged(problem: &dyn Problem, content: &Value) -> Value {
    let scored = problem.scoring().score(&problem.output(content));
    let mut output = problem.beside(content);
    output.insert("content".to_owned(), content.clone());
    output.insert("score".to_owned(), json!(scored.as_ref().copied().unwrap_or(0.0)));
    output.insert("valid".to_owned(), json!(scored.is_ok()));
    Value::Object(output)
}
