//! Sections on communication under partial observability, one file each.

pub(in crate::report) mod differences;
pub(in crate::report) mod failures;
pub(in crate::report) mod graphs;
pub(in crate::report) mod mechanisms;
pub(in crate::report) mod rounds;

use crate::analysis::Analysis;
use crate::communication::{Communication, MetricRow, Part, RunIdentity};
use crate::figures::Key;

/// The communication analysis, where there are runs to show.
fn communication(analysis: &Analysis) -> Option<&Communication> {
    analysis.communication.as_ref().filter(|all| !all.rows.is_empty())
}

/// The tasks in the benchmark's order, then others by name.
fn tasks(all: &Communication) -> Vec<String> {
    let rank = |task: &str| crate::model::MasTask::KNOWN.iter().position(|known| known.name() == task);
    let mut tasks: Vec<String> = all.rows.iter().map(|row| row.run.task.clone()).collect();
    tasks.sort_by_key(|task| (rank(task).unwrap_or(usize::MAX), task.clone()));
    tasks.dedup();
    tasks
}

/// The runs of a task by framework, model and mechanism, the simplest first; each with its place, which is its colour.
fn runs<'a>(all: &'a Communication, task: &str) -> Vec<&'a RunIdentity> {
    let overall = all.rows.iter().filter(|row| row.split == Part::Overall && row.run.task == task);
    let mut runs: Vec<&RunIdentity> = overall.map(|row| &row.run).collect();
    runs.sort_by_key(|run| {
        let others = run.framework != "reference";
        (others, &run.framework, &run.model, run.memory, run.protocol, &run.routing, run.seed, &run.batch)
    });
    runs
}

/// A run's name among the others of its task: its mechanisms, with model, framework, seed and batch where they tell runs apart.
fn label(run: &RunIdentity, runs: &[&RunIdentity]) -> String {
    let mut parts = vec![run.mechanism.clone()];
    if runs.iter().any(|other| other.model != run.model) {
        parts.push(run.model.clone());
    }
    if runs.iter().any(|other| other.framework != run.framework) {
        parts.push(run.framework.clone());
    }
    let alike = |other: &&&RunIdentity| {
        (&other.mechanism, &other.model, &other.framework) == (&run.mechanism, &run.model, &run.framework)
    };
    let twins: Vec<&&RunIdentity> = runs.iter().filter(alike).collect();
    if twins.iter().any(|other| other.seed != run.seed) {
        parts.push(run.seed.map_or_else(|| "no seed".to_owned(), |seed| format!("seed {seed}")));
    }
    if twins.iter().any(|other| other.seed == run.seed && other.batch != run.batch) {
        parts.push(run.batch.clone());
    }
    parts.join(", ")
}

/// The key of a run's marks: coloured by its place among the runs of the task.
fn key(run: &RunIdentity, runs: &[&RunIdentity]) -> Key {
    let colour = runs.iter().position(|other| *other == run).unwrap_or(0);
    Key::new(label(run, runs), colour).model(&run.model).task(&run.task)
}

/// The metrics of a run over one part.
fn row<'a>(all: &'a Communication, run: &RunIdentity, part: Part) -> Option<&'a MetricRow> {
    all.rows.iter().find(|row| row.split == part && row.run == *run)
}
