//! The JSON of `swarm-analyze trajectories`, written unit by unit.

use std::io::Write;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::labels::Tolerance;
use super::metric::{Estimate, METRICS};
use super::overview::{GroupRow, RunRow, Trajectories};
use super::trace::{RunTrace, UnitView};

/// The measures as an object: labels' shares nested by kind, the rest flat, intervals and numbers of terms beside them.
fn measures(estimates: &[Estimate], row: &mut Map<String, Value>) {
    let mut intervals = Map::new();
    let mut terms = Map::new();
    let mut undefined = Map::new();
    for (metric, estimate) in METRICS.iter().zip(estimates) {
        match metric.label {
            Some(label) => {
                let labels = row.entry(label.of).or_insert_with(|| Value::Object(Map::new()));
                if let (Value::Object(labels), Some(share)) = (labels, estimate.value) {
                    labels.insert(label.name.to_owned(), json!(share));
                }
            }
            None => {
                row.insert(metric.id.to_owned(), json!(estimate.value));
            }
        }
        if let (Some(low), Some(high)) = (estimate.low, estimate.high) {
            intervals.insert(metric.id.to_owned(), json!([low, high]));
        }
        terms.insert(metric.id.to_owned(), json!(estimate.n));
        if estimate.value.is_none() {
            undefined.insert(metric.id.to_owned(), json!(metric.undefined));
        }
    }
    row.insert("undefined".to_owned(), Value::Object(undefined));
    row.insert("intervals".to_owned(), Value::Object(intervals));
    row.insert("n".to_owned(), Value::Object(terms));
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn run_object(run: &RunRow) -> Value {
    let mut row = object(json!({
        "run_id": run.key.run_id, "batch": run.key.batch, "benchmark": run.benchmark, "task": run.task,
        "setting": if run.dynamic { "dynamic" } else { "static" }, "method": run.method, "model": run.model,
        "seed": run.seed, "proposers": run.proposers, "rounds": run.rounds, "meta": run.columns,
        "units": run.units, "episodes": run.episodes,
        "baseline_run_id": run.baseline.as_ref().map(|key| &key.run_id),
        "duplicate_units": run.duplicate_units, "unlabelled_units": run.unlabelled,
        "malformed_outputs": run.malformed, "unscored_outputs": run.unscored,
    }));
    measures(&run.estimates, &mut row);
    Value::Object(row)
}

fn group_object(group: &GroupRow) -> Value {
    let mut row = object(json!({
        "task": group.task, "method": group.method, "model": group.model, "by": group.by, "runs": group.runs,
    }));
    measures(&group.estimates, &mut row);
    Value::Object(row)
}

#[derive(Serialize)]
struct UnitObject<'a> {
    run_id: &'a str,
    unit_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    episode_id: Option<&'a str>,
    best_initial: Option<f64>,
    best_final: Option<f64>,
    max_score: Option<f64>,
    answer_score: Option<f64>,
    gab: Option<&'static str>,
    aggregation_loss: Option<f64>,
    ar: Map<String, Value>,
}

fn unit_object<'a>(run: &'a RunTrace, view: &UnitView<'a>) -> UnitObject<'a> {
    UnitObject {
        run_id: &run.meta.key.run_id,
        unit_id: view.id,
        episode_id: view.episode().map(|episode| episode.id.as_str()),
        best_initial: view.best_initial(),
        best_final: view.best_final(),
        max_score: view.unit.max.get(),
        answer_score: view.unit.answer.get(),
        gab: view.gab(Tolerance::Exact).map(super::labels::Gain::name),
        aggregation_loss: view.aggregation_loss(),
        ar: view
            .refinements(Tolerance::Exact)
            .map(|(agent, label)| (agent.to_owned(), json!(label.map(super::labels::Refinement::name))))
            .collect(),
    }
}

/// Writes rows, groups, robustness and units as one JSON object.
///
/// # Errors
/// Those of the writer.
pub fn json(out: &mut dyn Write, runs: &[RunTrace], all: &Trajectories) -> std::io::Result<()> {
    fn list(out: &mut dyn Write, key: &str, items: &mut dyn Iterator<Item = Value>) -> std::io::Result<()> {
        write!(out, "\"{key}\":[")?;
        for (place, item) in items.enumerate() {
            out.write_all(if place == 0 { b"\n" } else { b",\n" })?;
            serde_json::to_writer(&mut *out, &item)?;
        }
        out.write_all(b"],\n")
    }
    out.write_all(b"{")?;
    list(out, "rows", &mut all.runs.iter().map(run_object))?;
    list(out, "groups", &mut all.groups.iter().map(group_object))?;
    list(out, "robustness", &mut all.robustness.iter().map(|row| json!(row)))?;
    list(out, "consistency", &mut all.consistency.iter().map(|row| json!(row)))?;
    out.write_all(b"\"units\":[")?;
    let mut first = true;
    for run in runs {
        for view in run.views() {
            out.write_all(if first { b"\n" } else { b",\n" })?;
            first = false;
            serde_json::to_writer(&mut *out, &unit_object(run, &view))?;
        }
    }
    out.write_all(b"]}\n")
}
