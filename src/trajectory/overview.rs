//! All measures of some runs: by run, by group, with label robustness, table 7's correlations and examples.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::consistency::{ConsistencyRow, consistency};
use super::estimate::{Intervals, estimate};
use super::method;
use super::metric::{Estimate, METRICS, position};
use super::pairing::{self, Baseline};
use super::robustness::{Flips, TOLERANCES, flips};
use super::score::Setting;
use super::sums::Clusters;
use super::trace::{ExampleKind, RunTrace};
use super::verdict::{CostPoint, ScoreVerdict, cost_points, score_verdicts};
use crate::finding::{Findings, Subject, mt};
use crate::model::{ProposalMeta, RunKey};

/// What to compute, beside the measures of each run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Interval settings.
    pub intervals: Intervals,
    /// Keys of `run.json` that split groups further than task, method and model.
    pub by: Vec<String>,
}

/// A run's measures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRow {
    /// Batch and run id.
    pub key: RunKey,
    /// The benchmark, where logged.
    pub benchmark: Option<String>,
    /// The task.
    pub task: String,
    /// Whether it is played in episodes.
    pub dynamic: bool,
    /// The method.
    pub method: String,
    /// The model.
    pub model: String,
    /// The seed, where logged.
    pub seed: Option<i64>,
    /// Configured proposers, where logged.
    pub proposers: Option<u32>,
    /// Configured interaction rounds, where logged.
    pub rounds: Option<u32>,
    /// Other keys of `run.json`.
    pub columns: BTreeMap<String, Value>,
    /// Units.
    pub units: u64,
    /// Episodes; null for static tasks.
    pub episodes: Option<u64>,
    /// The run that gain and multiplier compare with.
    pub baseline: Option<RunKey>,
    /// Records left out because their unit id was seen before.
    pub duplicate_units: u64,
    /// Units without a GAB label.
    pub unlabelled: u64,
    /// Outputs without usable content that score 0.
    pub malformed: u64,
    /// Outputs whose score is undefined.
    pub unscored: u64,
    /// The measures, in the order of [`super::metric::METRICS`].
    pub estimates: Vec<Estimate>,
}

/// A group's measures: all runs of one task, method and model (and further keys).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupRow {
    /// The task.
    pub task: String,
    /// The method.
    pub method: String,
    /// The model.
    pub model: String,
    /// Values of the further keys; a key that a run lacks is absent.
    pub by: BTreeMap<String, Value>,
    /// Runs.
    pub runs: u64,
    /// The measures, in the order of [`super::metric::METRICS`].
    pub estimates: Vec<Estimate>,
}

/// Label robustness of a task: over all runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RobustnessRow {
    /// The task.
    pub task: String,
    /// Labels that flip, one entry per tolerance.
    pub flips: Vec<Flips>,
}

/// A proposer in an example.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExampleProposer {
    /// The agent.
    pub agent: String,
    /// Content of the initial proposal.
    pub initial: Value,
    /// Its score.
    pub initial_score: Option<f64>,
    /// Content of the final proposal.
    pub last: Value,
    /// Its score.
    pub last_score: Option<f64>,
}

/// A unit with its proposals, to be shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExampleRow {
    /// The task.
    pub task: String,
    /// The method.
    pub method: String,
    /// The run.
    pub key: RunKey,
    /// The unit.
    pub unit_id: String,
    /// Whether it shows aggregation loss (else a regression).
    pub aggregation: bool,
    /// Points lost against the best initial (or final) proposal.
    pub lost: f64,
    /// The instance.
    pub instance: Value,
    /// The proposers.
    pub proposers: Vec<ExampleProposer>,
    /// Content of the answer.
    pub answer: Value,
    /// Its score.
    pub answer_score: f64,
}

/// All measures of some runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trajectories {
    /// Ids of the measures, in the order of every list of estimates.
    pub metrics: Vec<String>,
    /// By run.
    pub runs: Vec<RunRow>,
    /// By group, in the order of tasks, then of methods as in the paper.
    pub groups: Vec<GroupRow>,
    /// Label robustness by task.
    pub robustness: Vec<RobustnessRow>,
    /// Who leads each task.
    pub verdicts: Vec<ScoreVerdict>,
    /// Cost and gain of each group, with the Pareto front.
    pub costs: Vec<CostPoint>,
    /// Correlation of mean proposal score and task score over methods, by dynamic task and model.
    pub consistency: Vec<ConsistencyRow>,
    /// Examples, the largest losses of each task and method first.
    pub examples: Vec<ExampleRow>,
}

/// Examples kept per task, method and kind.
const EXAMPLES: usize = 2;

/// Computes everything. `runs` are in order of batch and run id.
pub fn analyse(runs: &[RunTrace], settings: &Settings, findings: &mut Findings) -> Trajectories {
    note_equal_ids(runs, findings);
    let partners = pairing::find(runs, findings);
    let rows: Vec<RunRow> = runs
        .iter()
        .zip(&partners)
        .map(|(run, &partner)| run_row(run, partner.and_then(|index| runs.get(index)), settings))
        .collect();
    let groups = group_rows(runs, &partners, settings);
    let dynamic = |task: &str| rows.iter().any(|row| row.dynamic && row.task == task);
    Trajectories {
        metrics: METRICS.iter().map(|metric| metric.id.to_owned()).collect(),
        verdicts: score_verdicts(&groups),
        costs: cost_points(&groups, method::BASELINE),
        consistency: consistency(&groups, dynamic),
        groups,
        robustness: robustness_rows(runs),
        examples: example_rows(runs),
        runs: rows,
    }
}

fn note_equal_ids(runs: &[RunTrace], findings: &mut Findings) {
    let mut seen: BTreeMap<&str, &RunKey> = BTreeMap::new();
    for run in runs {
        let key = &run.meta.key;
        if let Some(first) = seen.insert(&key.run_id, key) {
            let subject = Subject::run(&key.batch, &key.run_id);
            findings.add(&mt::DUPLICATE_RUN, &subject, None, format!("also in {}", first.batch));
        }
    }
}

fn run_row(run: &RunTrace, baseline: Option<&RunTrace>, settings: &Settings) -> RunRow {
    let meta = &run.meta;
    let partner = baseline.map(Baseline::new);
    let clusters = Clusters::of(std::iter::once((run, partner.as_ref())));
    let identity = format!("trajectories/run/{}/{}", meta.key.batch, meta.key.run_id);
    RunRow {
        key: meta.key.clone(),
        benchmark: meta.benchmark.clone(),
        task: meta.task.name().to_owned(),
        dynamic: run.setting == Setting::Dynamic,
        method: meta.method.clone(),
        model: meta.model.clone(),
        seed: meta.seed,
        proposers: meta.proposers,
        rounds: meta.rounds,
        columns: meta.columns.clone(),
        units: run.units.len() as u64,
        episodes: (run.setting == Setting::Dynamic).then_some(run.episodes.len() as u64),
        baseline: baseline.map(|base| base.meta.key.clone()),
        duplicate_units: run.counts.duplicate_units,
        unlabelled: run.counts.unlabelled,
        malformed: run.counts.malformed,
        unscored: run.counts.unscored,
        estimates: estimate(&clusters, settings.intervals, &identity),
    }
}

/// A key of `run.json` as a grouping value.
fn group_value(meta: &ProposalMeta, key: &str) -> Option<Value> {
    match key {
        "benchmark" => meta.benchmark.clone().map(Value::from),
        "batch" => Some(Value::from(meta.key.batch.clone())),
        "seed" => meta.seed.map(Value::from),
        "proposers" => meta.proposers.map(Value::from),
        "rounds" => meta.rounds.map(Value::from),
        other => meta.columns.get(other).cloned(),
    }
}

/// Tasks in the paper's order, methods in table 2's, unknown ones after them by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct GroupKey {
    task: crate::model::ProposalTask,
    method_rank: usize,
    method: String,
    model: String,
    by: Vec<(String, String)>,
}

fn group_rows(runs: &[RunTrace], partners: &[Option<usize>], settings: &Settings) -> Vec<GroupRow> {
    let mut groups: BTreeMap<GroupKey, Vec<usize>> = BTreeMap::new();
    for (index, run) in runs.iter().enumerate() {
        let meta = &run.meta;
        let by = settings
            .by
            .iter()
            .filter_map(|key| Some((key.clone(), group_value(meta, key)?.to_string())))
            .collect();
        let key = GroupKey {
            task: meta.task.clone(),
            method_rank: method::rank(&meta.method),
            method: meta.method.clone(),
            model: meta.model.clone(),
            by,
        };
        groups.entry(key).or_default().push(index);
    }
    groups
        .into_iter()
        .map(|(key, members)| {
            let first = members.first().and_then(|&index| runs.get(index));
            let by = settings
                .by
                .iter()
                .filter_map(|name| Some((name.clone(), group_value(&first?.meta, name)?)))
                .collect();
            let pairs: Vec<(&RunTrace, Option<Baseline<'_>>)> = members
                .iter()
                .filter_map(|&index| {
                    let base = partners.get(index).copied().flatten().and_then(|base| runs.get(base));
                    Some((runs.get(index)?, base.map(Baseline::new)))
                })
                .collect();
            let clusters = Clusters::of(pairs.iter().map(|(run, base)| (*run, base.as_ref())));
            let identity = format!("trajectories/group/{key:?}");
            GroupRow {
                task: key.task.name().to_owned(),
                method: key.method,
                model: key.model,
                by,
                runs: members.len() as u64,
                estimates: estimate(&clusters, settings.intervals, &identity),
            }
        })
        .collect()
}

fn robustness_rows(runs: &[RunTrace]) -> Vec<RobustnessRow> {
    let mut by_task: BTreeMap<&crate::model::ProposalTask, Vec<&RunTrace>> = BTreeMap::new();
    for run in runs {
        by_task.entry(&run.meta.task).or_default().push(run);
    }
    by_task
        .into_iter()
        .map(|(task, runs)| RobustnessRow {
            task: task.name().to_owned(),
            flips: TOLERANCES.iter().map(|&points| flips(runs.iter().copied(), points)).collect(),
        })
        .collect()
}

fn example_rows(runs: &[RunTrace]) -> Vec<ExampleRow> {
    let mut all: Vec<(&RunTrace, &super::trace::Example)> =
        runs.iter().flat_map(|run| run.examples.iter().map(move |example| (run, example))).collect();
    let order =
        |run: &RunTrace| (run.meta.task.clone(), method::rank(&run.meta.method), run.meta.method.clone());
    all.sort_by(|(run_a, a), (run_b, b)| {
        order(run_a)
            .cmp(&order(run_b))
            .then(a.kind.cmp(&b.kind))
            .then(b.lost.total_cmp(&a.lost))
            .then(run_a.meta.key.cmp(&run_b.meta.key))
            .then(a.unit.unit_id.cmp(&b.unit.unit_id))
    });
    let mut kept: BTreeMap<(crate::model::ProposalTask, String, ExampleKind), usize> = BTreeMap::new();
    all.retain(|(run, example)| {
        let key = (run.meta.task.clone(), run.meta.method.clone(), example.kind);
        let count = kept.entry(key).or_default();
        *count += 1;
        *count <= EXAMPLES
    });
    let content = |output: Option<&crate::model::Output>| {
        output.and_then(|output| output.content.clone()).unwrap_or(Value::Null)
    };
    all.into_iter()
        .map(|(run, example)| ExampleRow {
            task: run.meta.task.name().to_owned(),
            method: run.meta.method.clone(),
            key: run.meta.key.clone(),
            unit_id: example.unit.unit_id.clone(),
            aggregation: example.kind == ExampleKind::AggregationLoss,
            lost: example.lost,
            instance: example.unit.instance.clone(),
            proposers: example
                .unit
                .proposers
                .iter()
                .zip(&example.scores)
                .map(|(proposer, scores)| ExampleProposer {
                    agent: proposer.agent.clone(),
                    initial: content(proposer.initial.as_ref()),
                    initial_score: scores.initial,
                    last: content(proposer.last.as_ref()),
                    last_score: scores.last,
                })
                .collect(),
            answer: content(example.unit.answer.as_ref()),
            answer_score: example.answer,
        })
        .collect()
}

/// A measure of a row by its id.
pub fn estimate_of(estimates: &[Estimate], id: &str) -> Estimate {
    position(id).and_then(|at| estimates.get(at)).copied().unwrap_or_default()
}
