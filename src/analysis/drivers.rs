//! What drives actions and scores: attribution, regressions, keywords, the worst moments of the failure modes, and
//! protocol convergence by model. Views and grids are read in a second pass over the logs.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{SwarmAnalysis, TARGET_SCORE};
use crate::attribution::collect::{AttributionAnalysis, AttributionParams, study_all};
use crate::attribution::encode::{RunRows, encode_run};
use crate::attribution::regression::{Regression, regress};
use crate::error::Result;
use crate::features::embed::Embedder;
use crate::features::{FEATURES, MODES, RunRecord, column_of, evidence};
use crate::finding::Findings;
use crate::ingest::swarmbench::{Needs, RunPlan, Scratch, read_run};
use crate::keywords::{KeywordRow, WordCounts, keywords, stop_words};
use crate::model::{RunKey, SwarmRun};
use crate::pipeline::{Progress, ordered_map};
use crate::stats::{CompletePairs, pearson};

/// Worst runs named for each failure mode and task.
const WORST: usize = 3;

/// Words of each task and model.
const TOP_WORDS: usize = 15;

/// Measures of protocol convergence that are correlated with the score by model.
pub const PROTOCOL: [&str; 2] = ["info_homogeneity_increase", "edit_distance_consistency_increase"];

/// An agent in a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MomentAgent {
    /// Its name.
    pub agent: String,
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// Whether the failure is its.
    pub concerned: bool,
}

/// One of the worst runs of a failure mode, and the moment that shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// The failure mode's id.
    pub mode: String,
    /// The task.
    pub task: String,
    /// 1 for the worst run.
    pub rank: usize,
    /// Batch and run id.
    pub key: RunKey,
    /// The model.
    pub model: String,
    /// The run's value.
    pub value: f64,
    /// Final score.
    pub final_score: Option<f64>,
    /// The round shown, where the run has one to show.
    pub round: Option<u32>,
    /// The round's value, for measures with one.
    pub round_value: Option<f64>,
    /// What happens there.
    pub what: String,
    /// The grid, one string per row.
    pub grid: Vec<String>,
    /// Agents on it.
    pub agents: Vec<MomentAgent>,
}

/// Correlation of a measure of protocol convergence with the final score over a model's runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProtocolRow {
    /// The model.
    pub model: String,
    /// The measure's id.
    pub feature: String,
    /// Runs with both values.
    pub n: usize,
    /// Pearson's r.
    pub r: Option<f64>,
    /// Two-sided p.
    pub p: Option<f64>,
    /// Lower end of the 95 % interval of r.
    pub ci_low: Option<f64>,
    /// Upper end.
    pub ci_high: Option<f64>,
    /// Why there is no coefficient.
    pub reason: Option<String>,
}

/// Everything of this stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drivers {
    /// Failure modes: the worst runs by mode and task.
    pub moments: Vec<Moment>,
    /// Protocol convergence by model.
    pub protocol_by_model: Vec<ProtocolRow>,
    /// Words by task and model.
    pub keywords: Vec<KeywordRow>,
    /// What actions follow from.
    pub attribution: AttributionAnalysis,
    /// What final scores go with, by task.
    pub regressions: Vec<Regression>,
}

/// Picks the worst runs while the records go by.
#[derive(Default)]
pub struct WorstRuns {
    /// By task and mode; at most [`WORST`] each.
    worst: BTreeMap<(String, usize), Vec<Moment>>,
}

impl WorstRuns {
    /// Takes a run.
    pub fn add(&mut self, record: &RunRecord) {
        for (at, mode) in MODES.into_iter().enumerate() {
            let Some(column) = column_of(mode) else { continue };
            let Some(value) = record.values.get(column).copied().flatten() else { continue };
            let series = record.rounds.columns.get(column).map_or(&[][..], Vec::as_slice);
            let rounds = record.rounds.numbers.iter().zip(series).filter_map(|(&r, v)| Some((r, (*v)?)));
            let worst = rounds.fold(None, |best: Option<(u32, f64)>, next| match best {
                Some(best) if best.1 >= next.1 => Some(best),
                _ => Some(next),
            });
            let list = self.worst.entry((record.task.clone(), at)).or_default();
            list.push(Moment {
                mode: mode.to_owned(),
                task: record.task.clone(),
                rank: 0,
                key: record.key.clone(),
                model: record.model.clone(),
                value,
                final_score: record.final_score,
                round: worst.map(|(round, _)| round),
                round_value: worst.map(|(_, value)| value),
                what: String::new(),
                grid: Vec::new(),
                agents: Vec::new(),
            });
            list.sort_by(|a, b| b.value.total_cmp(&a.value).then_with(|| a.key.cmp(&b.key)));
            list.truncate(WORST);
        }
    }

    fn finish(self) -> Vec<Moment> {
        let ranked = |list: Vec<Moment>| (1..).zip(list).map(|(rank, moment)| Moment { rank, ..moment });
        self.worst.into_values().flat_map(ranked).collect()
    }
}

/// What the second pass keeps of a run.
struct Second {
    rows: RunRows,
    words: WordCounts,
    shown: Vec<(usize, Moment)>,
}

/// Reads the runs a second time, and computes this stage. Findings of the first pass are not made again.
///
/// # Errors
/// Parameters out of range.
pub fn drivers(
    plans: &[RunPlan],
    worst: WorstRuns,
    swarm: &SwarmAnalysis,
    embedder: &dyn Embedder,
    params: &AttributionParams,
    progress: &dyn Progress,
) -> Result<Drivers> {
    let mut moments = worst.finish();
    let stop = stop_words();
    let mut per_task: BTreeMap<&str, usize> = BTreeMap::new();
    for plan in plans {
        *per_task.entry(plan.meta.task.name()).or_default() += 1;
    }
    let mut runs: Vec<RunRows> = Vec::new();
    let mut words: BTreeMap<(String, String), WordCounts> = BTreeMap::new();
    let mut shown: Vec<(usize, Moment)> = Vec::new();
    progress.begin(plans.len() as u64, plans.iter().map(RunPlan::bytes).sum());
    let second = |plan: &RunPlan, scratch: &mut Scratch| {
        let mine: Vec<usize> = (0..moments.len()).filter(|&i| moments[i].key == plan.meta.key).collect();
        let needs = Needs { views: true, grids: !mine.is_empty(), ..Needs::default() };
        let run = read_run(plan, needs, scratch, &mut Findings::new());
        progress.run(plan.bytes());
        let run = run?;
        let of_task = per_task.get(plan.meta.task.name()).copied().unwrap_or(1);
        let limit = params.study.max_rows.div_ceil(of_task.max(1));
        Some(Second {
            rows: encode_run(&run, embedder, params.view, limit, params.study.seed),
            words: WordCounts::of(&run, &stop),
            shown: mine.into_iter().map(|i| (i, show(&run, moments[i].clone()))).collect(),
        })
    };
    ordered_map(plans, Scratch::default, second, |second| {
        let Some(second) = second else { return Ok(()) };
        let key = (second.rows.task.clone(), second.rows.model.clone());
        if second.words.total() > 0 {
            words.entry(key).or_default().merge(&second.words);
        }
        runs.push(second.rows);
        shown.extend(second.shown);
        Ok(())
    })?;
    progress.end();
    for (at, moment) in shown {
        moments[at] = moment;
    }
    let studies = study_all(&runs, params)?;
    Ok(Drivers {
        moments,
        protocol_by_model: protocol_by_model(swarm),
        keywords: keywords(&words, TOP_WORDS),
        attribution: AttributionAnalysis {
            params: params.clone(),
            embedder: embedder.name().to_owned(),
            studies,
        },
        regressions: regressions(swarm, params.study.seed),
    })
}

/// Fills in the moment of a run.
fn show(run: &SwarmRun, mut moment: Moment) -> Moment {
    let Some(found) = evidence(run, &moment.mode, moment.round) else { return moment };
    moment.round = Some(found.round);
    moment.what = found.what;
    let Some(round) = run.rounds.iter().find(|round| round.number == found.round) else { return moment };
    if let Some(grid) = &round.grid {
        let rows = grid.cells.chunks(grid.width.max(1));
        moment.grid = rows.map(|row| row.iter().map(|&b| char::from(b)).collect()).collect();
    }
    moment.agents = (round.positions.iter())
        .map(|placed| MomentAgent {
            agent: run.agents.get(placed.agent.ix()).cloned().unwrap_or_default(),
            x: placed.cell.x,
            y: placed.cell.y,
            concerned: found.agents.contains(&placed.agent),
        })
        .collect();
    moment
}

fn regressions(swarm: &SwarmAnalysis, seed: u64) -> Vec<Regression> {
    let names: Vec<&str> = FEATURES.iter().map(|feature| feature.id).collect();
    let one = |task: &String| {
        let runs: Vec<_> = swarm.runs.iter().filter(|run| run.task == *task).collect();
        let column = |at: usize| runs.iter().map(|run| run.values.get(at).copied().flatten()).collect();
        let columns: Vec<Vec<Option<f64>>> = (0..names.len()).map(column).collect();
        let scores: Vec<Option<f64>> = runs.iter().map(|run| run.final_score).collect();
        regress(task, &names, &columns, &scores, seed)
    };
    swarm.tasks.par_iter().map(one).collect()
}

/// Pearson's r of each measure of protocol convergence with [`TARGET_SCORE`] over all runs of a model.
fn protocol_by_model(swarm: &SwarmAnalysis) -> Vec<ProtocolRow> {
    debug_assert_eq!(TARGET_SCORE, "final_score");
    let models: BTreeSet<&str> = swarm.runs.iter().map(|run| run.model.as_str()).collect();
    let mut rows = Vec::new();
    for model in models {
        for feature in PROTOCOL {
            let Some(at) = column_of(feature) else { continue };
            let runs = swarm.runs.iter().filter(|run| run.model == model);
            let pairs =
                CompletePairs::of(runs.map(|run| (run.values.get(at).copied().flatten(), run.final_score)));
            let found = pearson(&pairs.x, &pairs.y);
            let interval = found.ok().and_then(|c| c.interval.value().copied());
            rows.push(ProtocolRow {
                model: model.to_owned(),
                feature: feature.to_owned(),
                n: pairs.x.len(),
                r: found.ok().map(|c| c.r),
                p: found.ok().map(|c| c.p),
                ci_low: interval.map(|i| i.low),
                ci_high: interval.map(|i| i.high),
                reason: found.err().map(|why| why.to_string()),
            });
        }
    }
    rows
}
