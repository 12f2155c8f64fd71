//! The six proposal scoring functions S(·) and the highest attainable scores S⋆, one file and one row of [`TASKS`] each.
//!
//! Source of all: MASTraceBench, appendix "Benchmark Details". Scores are on 0–100.

pub mod evidencechain;
pub mod gomoku;
pub mod mapf;
pub mod negotiation;
pub mod optiongen;
pub mod tacticduel;

use serde_json::Value;

use crate::model::{Output, ProposalTask};

/// Whether a task's units are independent samples or decisions within episodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// One-shot samples; the task score is the mean answer score.
    Static,
    /// Decisions within episodes; the task score is the mean episode score.
    Dynamic,
}

/// Why an output has no score of its own.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unscored {
    /// The content has not the task's form: nothing was proposed that can be judged. It counts as invalid and scores 0.
    #[error("the content has not the task's form: {0}")]
    Malformed(&'static str),
    /// Something that the score needs was not logged: the score is undefined.
    #[error("{0}")]
    Undefined(&'static str),
}

/// An instance that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadInstance(pub String);

/// A unit's instance, ready to score many outputs.
pub trait Instance {
    /// The output's score S(y), on 0–100, computed from its content alone.
    ///
    /// # Errors
    /// See [`Unscored`].
    fn score(&self, output: &Output) -> Result<f64, Unscored>;

    /// The highest attainable score S⋆; `None` where no legal proposal exists.
    fn max_score(&self) -> Option<f64>;
}

/// A row of the task registry.
#[derive(Debug)]
pub struct Task {
    /// The task.
    pub task: ProposalTask,
    /// Static or dynamic.
    pub setting: Setting,
    /// S(y) in words.
    pub formula: &'static str,
    /// S⋆ in words.
    pub max_formula: &'static str,
    /// Where the definition stands.
    pub source: &'static str,
    /// Reads an instance.
    pub instance: fn(&Value) -> Result<Box<dyn Instance>, BadInstance>,
}

/// Every task, in the paper's order.
pub const TASKS: &[&Task] = &[
    &mapf::TASK,
    &optiongen::TASK,
    &evidencechain::TASK,
    &gomoku::TASK,
    &negotiation::TASK,
    &tacticduel::TASK,
];

/// The registry row of a task; `None` for unknown ones.
pub fn task(task: &ProposalTask) -> Option<&'static Task> {
    TASKS.iter().copied().find(|row| row.task == *task)
}

/// Reads a typed instance.
fn read<T: serde::de::DeserializeOwned>(instance: &Value) -> Result<T, BadInstance> {
    T::deserialize(instance).map_err(|error| BadInstance(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_task_has_one_row_with_its_texts() {
        for known in ProposalTask::KNOWN {
            assert_eq!(TASKS.iter().filter(|row| row.task == known).count(), 1, "{known}");
        }
        for row in TASKS {
            assert!(!row.formula.is_empty() && !row.max_formula.is_empty() && !row.source.is_empty());
        }
        assert!(task(&ProposalTask::Other("Chess".into())).is_none());
    }
}
