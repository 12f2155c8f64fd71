//! Plays a list of runs in parallel and writes them as batches, one per task.

use std::path::PathBuf;

use super::episode::{Outcome, play};
use super::policies::replay::Replay;
use super::policy::PolicyRow;
use super::rules::{Rules, Task};
use super::verify::{agent_numbers, rules_of};
use super::writer::{Batch, LogOptions, LogRecorder, RunEntry, run_id};
use crate::error::{Error, Result};
use crate::finding::Findings;
use crate::ingest::swarmbench::{Needs, RunPlan, Scratch, read_run};
use crate::pipeline::{Progress, ordered_map};

/// Who decides in a run.
#[derive(Clone)]
pub enum Player {
    /// A policy of the table.
    Policy(&'static PolicyRow),
    /// The decisions of a logged run.
    Replay(Box<RunPlan>),
}

/// A run that is to be simulated.
#[derive(Clone)]
pub struct Order {
    /// Its rules.
    pub rules: Rules,
    /// Who decides.
    pub player: Player,
}

impl Order {
    /// A replay of a logged run, under the rules of its meta entry.
    ///
    /// # Errors
    /// Why its rules can't be played.
    pub fn replay(plan: &RunPlan) -> Result<Self, String> {
        Ok(Self { rules: rules_of(&plan.meta)?, player: Player::Replay(Box::new(plan.clone())) })
    }

    fn model(&self) -> &str {
        match &self.player {
            Player::Policy(row) => row.name,
            Player::Replay(plan) => &plan.meta.model,
        }
    }
}

/// Where simulated runs go, and how much their logs say.
#[derive(Clone, Debug)]
pub struct Output {
    /// Folder of the batches.
    pub folder: PathBuf,
    /// Write archives instead of folders.
    pub zip: bool,
    /// Replace batches that are there.
    pub force: bool,
    /// Leave prompts, responses and token counts out.
    pub lean: bool,
    /// Rounds that prompts recall.
    pub memory: usize,
}

/// A batch that was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// Where.
    pub path: PathBuf,
    /// The task of its runs.
    pub task: Task,
    /// How its runs ended, in their order.
    pub outcomes: Vec<Outcome>,
}

/// Simulates the runs, one batch per task, in parallel on the current pool. The files do not depend on its size.
///
/// # Errors
/// [`Error::Usage`] for rules that can't be played; an output that exists or can't be written.
pub fn simulate(orders: &[Order], output: &Output, progress: &dyn Progress) -> Result<Vec<Written>> {
    for order in orders {
        order.rules.check()?;
    }
    progress.begin(orders.len() as u64, 0);
    let mut written = Vec::new();
    for task in Task::ALL {
        let own: Vec<&Order> = orders.iter().filter(|order| order.rules.task == task).collect();
        if !own.is_empty() {
            written.push(write_batch(task, &own, output, progress)?);
        }
    }
    progress.end();
    Ok(written)
}

fn write_batch(task: Task, orders: &[&Order], output: &Output, progress: &dyn Progress) -> Result<Written> {
    let name = task.name().to_lowercase();
    let mut batch = Batch::create(&output.folder, &name, output.zip, output.force)?;
    let workshop = batch.workshop().to_path_buf();
    let numbered: Vec<(usize, &Order)> = orders.iter().copied().enumerate().collect();
    let mut outcomes = Vec::with_capacity(orders.len());
    let options = LogOptions { lean: output.lean, memory: output.memory };
    ordered_map(
        &numbered,
        Scratch::default,
        |(number, order), scratch| -> Result<(RunEntry, Outcome)> {
            let run_id = run_id(*number);
            let mut recorder = LogRecorder::create(&workshop, &run_id, order.rules.agents, options)?;
            let outcome = play_order(order, scratch, &mut recorder)?;
            recorder.finish()?;
            progress.run(0);
            let (model, rules) = (order.model().to_owned(), order.rules.clone());
            Ok((RunEntry { run_id, model, rules, memory: output.memory }, outcome))
        },
        |played| {
            let (entry, outcome) = played?;
            outcomes.push(outcome);
            batch.add(&entry)
        },
    )?;
    Ok(Written { path: batch.finish()?, task, outcomes })
}

fn play_order(order: &Order, scratch: &mut Scratch, recorder: &mut LogRecorder) -> Result<Outcome> {
    match &order.player {
        Player::Policy(row) => play(&order.rules, &mut *row.new_team(&order.rules), recorder),
        Player::Replay(plan) => {
            let unusable = |reason: String| {
                let key = &plan.meta.key;
                Error::Usage(format!("run {} of {} can't be replayed: {reason}", key.run_id, key.batch))
            };
            let run = read_run(plan, Needs::default(), scratch, &mut Findings::new());
            let run = run.ok_or_else(|| unusable("neither log has a usable record".to_owned()))?;
            let numbers = agent_numbers(&run, order.rules.agents).map_err(unusable)?;
            play(&order.rules, &mut Replay::new(&run, numbers), recorder)
        }
    }
}
