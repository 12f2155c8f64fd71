//! From logs to studies: encodes runs one at a time, then studies each task, and each task by model.

use serde::{Deserialize, Serialize};

use super::encode::{RunRows, ViewEncoding, encode_run, join};
use super::study::{Attribution, StudyParams, Subject, study};
use crate::error::{Error, Result};
use crate::features::embed::Embedder;
use crate::finding::Findings;
use crate::ingest::swarmbench::{Needs, RunPlan, Scratch, read_run};
use crate::pipeline::{Progress, ordered_map};

/// What `attribute` is asked to do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AttributionParams {
    /// How each study is done.
    pub study: StudyParams,
    /// How views are encoded.
    pub view: ViewEncoding,
    /// Whether each model of a task is studied too.
    pub by_model: bool,
}

/// Every study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttributionAnalysis {
    /// The settings.
    pub params: AttributionParams,
    /// The embedder's name.
    pub embedder: String,
    /// By task and model; all models of a task together come first.
    pub studies: Vec<Attribution>,
}

/// Reads the runs again for their views, and studies what drives actions.
///
/// # Errors
/// Parameters out of range.
pub fn attribute_runs(
    plans: &[RunPlan],
    embedder: &dyn Embedder,
    params: &AttributionParams,
    progress: &dyn Progress,
    findings: &mut Findings,
) -> Result<AttributionAnalysis> {
    let limit_of = |plan: &RunPlan| {
        let of_task = plans.iter().filter(|other| other.meta.task == plan.meta.task).count();
        params.study.max_rows.div_ceil(of_task.max(1))
    };
    let limits: Vec<(&RunPlan, usize)> = plans.iter().map(|plan| (plan, limit_of(plan))).collect();
    let mut runs: Vec<RunRows> = Vec::new();
    progress.begin(plans.len() as u64, plans.iter().map(RunPlan::bytes).sum());
    ordered_map(
        &limits,
        Scratch::default,
        |(plan, limit), scratch| {
            let mut own = Findings::new();
            let needs = Needs { views: true, ..Needs::default() };
            let run = read_run(plan, needs, scratch, &mut own);
            progress.run(plan.bytes());
            (run.map(|run| encode_run(&run, embedder, params.view, *limit, params.study.seed)), own)
        },
        |(rows, own)| {
            findings.merge(own);
            runs.extend(rows);
            Ok(())
        },
    )?;
    progress.end();
    let studies = study_all(&runs, params)?;
    Ok(AttributionAnalysis { params: params.clone(), embedder: embedder.name().to_owned(), studies })
}

/// Studies each task, and where asked each of its models; those with too few runs are refused, not left out.
///
/// # Errors
/// Parameters out of range.
pub fn study_all(runs: &[RunRows], params: &AttributionParams) -> Result<Vec<Attribution>> {
    let mut tasks: Vec<&str> = runs.iter().map(|run| run.task.as_str()).collect();
    tasks.sort_unstable();
    tasks.dedup();
    let mut studies = Vec::new();
    for task in tasks {
        let of_task: Vec<&RunRows> = runs.iter().filter(|run| run.task == task).collect();
        let mut models: Vec<&str> = of_task.iter().map(|run| run.model.as_str()).collect();
        models.sort_unstable();
        models.dedup();
        studies.push(one(task, None, &of_task, params)?);
        for model in models.into_iter().filter(|_| params.by_model) {
            let of_model: Vec<&RunRows> = of_task.iter().copied().filter(|run| run.model == model).collect();
            studies.push(one(task, Some(model), &of_model, params)?);
        }
    }
    Ok(studies)
}

fn one(
    task: &str,
    model: Option<&str>,
    runs: &[&RunRows],
    params: &AttributionParams,
) -> Result<Attribution> {
    let rows_logged = runs.iter().map(|run| run.logged).sum();
    let runs_without_views = runs.iter().filter(|run| run.logged == 0).count();
    study(Subject { task, model, rows_logged, runs_without_views }, &join(runs), &params.study)
        .map_err(|error| Error::Usage(error.to_string()))
}
