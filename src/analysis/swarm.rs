//! SwarmBench: gathers the records run by run, then compares groups and correlates features.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::memory::memory_slopes;
use super::series::SeriesCollector;
use super::{
    CorrelationRow, CoverageCell, GroupRow, MEMORY_KEY, MemoryRow, Series, Settings, StrongestRow,
    TaskVerdict, TotalRow, correlations, groups,
};
use crate::features::{FEATURES, RunRecord};
use crate::finding::Findings;
use crate::model::{RunKey, SwarmTask};

/// A run as the second stage sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRow {
    /// Batch and run id.
    pub key: RunKey,
    /// The model's label.
    pub model: String,
    /// The group's label: the model, and the values of the keys that groups are told apart by.
    pub group: String,
    /// The task.
    pub task: String,
    /// The seed.
    pub seed: Option<i64>,
    /// Agents in the logs.
    pub agents: u32,
    /// Rounds that its means are over.
    pub logged_rounds: u32,
    /// The logged `memory` setting, where it is a number.
    pub memory: Option<f64>,
    /// The final score.
    pub final_score: Option<f64>,
    /// One value per feature of the registry.
    pub values: Vec<Option<f64>>,
}

/// A run that no number rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excluded {
    /// Batch and run id.
    pub key: RunKey,
    /// Why.
    pub reason: String,
}

/// What was found out about SwarmBench runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SwarmAnalysis {
    /// Tasks: the known ones in the paper's order, then others by name.
    pub tasks: Vec<String>,
    /// Groups by name; a group's place here is its colour in every figure.
    pub models: Vec<String>,
    /// The features' ids, in the order of `values` of the runs.
    pub features: Vec<String>,
    /// The runs.
    pub runs: Vec<RunRow>,
    /// Runs left out.
    pub excluded: Vec<Excluded>,
    /// Model × task × seed.
    pub coverage: Vec<CoverageCell>,
    /// Final scores by task and group.
    pub groups: Vec<GroupRow>,
    /// Over all tasks.
    pub totals: Vec<TotalRow>,
    /// Who leads each task.
    pub verdicts: Vec<TaskVerdict>,
    /// Score by round; runs that ended early are carried on with their final score.
    pub scores: Vec<Series>,
    /// Features by round.
    pub dynamics: Vec<Series>,
    /// Correlations.
    pub correlations: Vec<CorrelationRow>,
    /// The strongest feature of each task.
    pub strongest: Vec<StrongestRow>,
    /// The final score over the logged memory setting.
    pub memory: Vec<MemoryRow>,
}

/// Gathers records; keeps a run's values and the sums by round, not its rounds.
pub struct SwarmCollector {
    group_by: Vec<String>,
    runs: Vec<RunRow>,
    scores: BTreeMap<(String, String), SeriesCollector>,
    ended: Vec<Ended>,
    dynamics: BTreeMap<(String, String, usize), SeriesCollector>,
}

/// How a run ended.
struct Ended {
    task: String,
    group: String,
    last_round: u32,
    final_score: Option<f64>,
}

impl SwarmCollector {
    /// A collector that tells groups apart by the model and these meta keys.
    pub fn new(group_by: &[String]) -> Self {
        Self {
            group_by: group_by.to_vec(),
            runs: Vec::new(),
            scores: BTreeMap::new(),
            ended: Vec::new(),
            dynamics: BTreeMap::new(),
        }
    }

    /// Number of runs so far.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Whether there is no run yet.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Takes a run.
    pub fn add(&mut self, record: &RunRecord) {
        let task = if record.task.is_empty() { "(unknown task)" } else { &record.task };
        let group = self.group(record);
        let key = || (task.to_owned(), group.clone());
        let rounds = &record.rounds;
        self.scores.entry(key()).or_default().add(&rounds.numbers, &rounds.scores);
        for (at, column) in rounds.columns.iter().enumerate() {
            if FEATURES.get(at).is_some_and(crate::features::Feature::per_round) {
                let key = (task.to_owned(), group.clone(), at);
                self.dynamics.entry(key).or_default().add(&rounds.numbers, column);
            }
        }
        self.ended.push(Ended {
            task: task.to_owned(),
            group: group.clone(),
            last_round: record.last_round,
            final_score: record.final_score,
        });
        self.runs.push(RunRow {
            key: record.key.clone(),
            model: record.model.clone(),
            task: task.to_owned(),
            seed: record.seed,
            agents: record.agents,
            logged_rounds: record.logged_rounds,
            memory: record.meta.get(MEMORY_KEY).and_then(Value::as_f64),
            final_score: record.final_score,
            values: record.values.clone(),
            group,
        });
    }

    fn group(&self, record: &RunRecord) -> String {
        let parts = self.group_by.iter().map(|key| match record.meta.get(key) {
            None | Some(Value::Null) => format!(" · {key} –"),
            Some(Value::String(text)) => format!(" · {key} {text}"),
            Some(value) => format!(" · {key} {value}"),
        });
        std::iter::once(record.model.clone()).chain(parts).collect()
    }

    /// Compares and correlates. `excluded` are the runs that gave no record.
    pub fn finish(
        mut self,
        excluded: Vec<Excluded>,
        settings: &Settings,
        findings: &mut Findings,
    ) -> SwarmAnalysis {
        self.carry_on();
        let tasks = ordered_tasks(self.runs.iter().map(|run| run.task.as_str()));
        let place = |task: &str| tasks.iter().position(|t| t == task);
        let models: BTreeSet<&str> = self.runs.iter().map(|run| run.group.as_str()).collect();
        let models: Vec<String> = models.into_iter().map(str::to_owned).collect();
        let mut groups = groups::groups(&self.runs, settings, findings);
        groups.sort_by_key(|row| place(&row.task));
        let totals = groups::totals(&groups, settings);
        let mut verdicts = groups::verdicts(&groups, settings);
        verdicts.sort_by_key(|row| place(&row.task));
        let mut correlations = correlations::correlations(&self.runs);
        correlations.sort_by_key(|row| place(&row.task));
        let mut strongest = correlations::strongest(&self.runs, &correlations);
        strongest.sort_by_key(|row| place(&row.task));
        let mut scores: Vec<Series> = self
            .scores
            .into_iter()
            .filter_map(|((task, model), c)| c.finish(&task, &model, "score"))
            .collect();
        scores.sort_by_key(|series| place(&series.task));
        let mut dynamics: Vec<Series> = self
            .dynamics
            .into_iter()
            .filter_map(|((task, model, at), c)| c.finish(&task, &model, FEATURES[at].id))
            .collect();
        dynamics.sort_by_key(|series| place(&series.task));
        let coverage = coverage(&self.runs);
        let memory = memory_slopes(&self.runs, &tasks);
        SwarmAnalysis {
            tasks: tasks.clone(),
            models,
            features: FEATURES.iter().map(|feature| feature.id.to_owned()).collect(),
            runs: self.runs,
            excluded,
            coverage,
            groups,
            totals,
            verdicts,
            scores,
            dynamics,
            correlations,
            strongest,
            memory,
        }
    }

    /// Runs that ended before the task's last round go on with their final score, and are counted as carried.
    fn carry_on(&mut self) {
        let mut rounds: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for ((task, _), collector) in &self.scores {
            rounds.entry(task.clone()).or_default().extend(collector.numbers());
        }
        let rounds: BTreeMap<String, Vec<u32>> =
            rounds.into_iter().map(|(task, numbers)| (task, numbers.into_iter().collect())).collect();
        for run in &self.ended {
            let (Some(score), Some(numbers)) = (run.final_score, rounds.get(&run.task)) else { continue };
            if let Some(collector) = self.scores.get_mut(&(run.task.clone(), run.group.clone())) {
                collector.carry(run.last_round, score, numbers);
            }
        }
    }
}

/// The tasks that occur: the known ones in the paper's order, then others by name.
fn ordered_tasks<'a>(tasks: impl Iterator<Item = &'a str>) -> Vec<String> {
    let present: BTreeSet<&str> = tasks.collect();
    let known: Vec<String> = SwarmTask::KNOWN.iter().map(|task| task.name().to_owned()).collect();
    let mut ordered: Vec<String> =
        known.iter().filter(|name| present.contains(name.as_str())).cloned().collect();
    ordered.extend(
        present.iter().filter(|name| !known.iter().any(|k| k == *name)).map(|name| (*name).to_owned()),
    );
    ordered
}

fn coverage(runs: &[RunRow]) -> Vec<CoverageCell> {
    let mut counts: BTreeMap<(&str, &str, Option<i64>), u64> = BTreeMap::new();
    for run in runs {
        *counts.entry((&run.group, &run.task, run.seed)).or_default() += 1;
    }
    counts
        .into_iter()
        .map(|((model, task, seed), runs)| CoverageCell {
            model: model.to_owned(),
            task: task.to_owned(),
            seed,
            runs,
        })
        .collect()
}

#[cfg(test)]
impl RunRow {
    pub(super) fn for_test(task: &str, model: &str, final_score: Option<f64>) -> Self {
        Self {
            key: RunKey { batch: "b".into(), run_id: "r".into() },
            model: model.into(),
            group: model.into(),
            task: task.into(),
            seed: Some(1),
            agents: 1,
            logged_rounds: 1,
            memory: None,
            final_score,
            values: vec![None; FEATURES.len()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_come_in_the_papers_order() {
        let tasks = ordered_tasks(["Transport", "Zeta", "Pursuit", "Alpha"].into_iter());
        assert_eq!(tasks, ["Pursuit", "Transport", "Alpha", "Zeta"]);
    }
}
