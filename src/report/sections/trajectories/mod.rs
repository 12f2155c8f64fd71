//! Sections on proposal trajectories, one file each.

pub(in crate::report) mod aggregation;
pub(in crate::report) mod checks;
pub(in crate::report) mod cost;
pub(in crate::report) mod examples;
pub(in crate::report) mod gains;
mod pictures;
pub(in crate::report) mod refinement;
pub(in crate::report) mod scores;

use crate::analysis::Analysis;
use crate::report::block::{Block, CellView, ColumnView, RowView};
use crate::report::{Draft, TableSpec, format};
use crate::trajectory::metric::{Estimate, METRICS, position};
use crate::trajectory::overview::{GroupRow, Trajectories, estimate_of};

/// Where the groups' numbers lie.
const DATA: Option<&str> = Some("data/trajectory_groups.csv");

/// The trajectories, where there are groups to show.
fn trajectories(analysis: &Analysis) -> Option<&Trajectories> {
    analysis.trajectories.as_ref().filter(|all| !all.groups.is_empty())
}

/// The tasks in order.
fn tasks(all: &Trajectories) -> Vec<String> {
    let mut tasks: Vec<String> = Vec::new();
    for group in &all.groups {
        if !tasks.contains(&group.task) {
            tasks.push(group.task.clone());
        }
    }
    tasks
}

/// A group's name among the others: its method, with model and further keys where there are several.
fn label(all: &Trajectories, group: &GroupRow) -> String {
    let mut parts = vec![group.method.clone()];
    if all.groups.iter().any(|other| other.model != group.model) {
        parts.push(group.model.clone());
    }
    parts.extend(group.by.iter().map(|(key, value)| match value {
        serde_json::Value::String(text) => format!("{key} {text}"),
        other => format!("{key} {other}"),
    }));
    parts.join(", ")
}

/// The groups' names, each once, in order.
fn labels(all: &Trajectories) -> Vec<String> {
    let mut labels: Vec<(usize, String)> = Vec::new();
    for group in &all.groups {
        let label = label(all, group);
        if !labels.iter().any(|(_, other)| *other == label) {
            labels.push((crate::trajectory::method::rank(&group.method), label));
        }
    }
    labels.sort();
    labels.into_iter().map(|(_, label)| label).collect()
}

fn group<'a>(all: &'a Trajectories, task: &str, name: &str) -> Option<&'a GroupRow> {
    all.groups.iter().find(|group| group.task == task && label(all, group) == name)
}

/// Value with interval, or a dash with the reason.
fn cell(estimate: Estimate, decimals: usize, why: &str) -> CellView {
    match (estimate.value, estimate.low, estimate.high) {
        (Some(value), Some(low), Some(high)) => {
            let text =
                format!("{} {}", format::fixed(value, decimals), format::interval(low, high, decimals));
            CellView { sort: Some(format::sort_key(value)), ..CellView::text(text) }
                .explained(format!("n = {}", estimate.n))
        }
        (Some(value), ..) => {
            CellView::fixed(value, decimals).explained(format!("n = {}; no interval", estimate.n))
        }
        _ => CellView::undefined(why),
    }
}

/// A table of one measure: groups down, tasks across, the best of each task bold where `best` says which way.
fn matrix(
    all: &Trajectories,
    draft: &mut Draft,
    spec: TableSpec,
    id: &str,
    decimals: usize,
    best: Option<fn(f64, f64) -> bool>,
) -> Block {
    let tasks = tasks(all);
    let metric = position(id).and_then(|at| METRICS.get(at));
    let (unit, why) = metric.map_or(("", ""), |metric| (metric.unit, metric.undefined));
    let mut columns = vec![ColumnView::text("Method")];
    columns.extend(tasks.iter().map(|task| ColumnView::number(task, unit)));
    let tops: Vec<Option<f64>> = tasks
        .iter()
        .map(|task| {
            let better = best?;
            let values = all.groups.iter().filter(|group| group.task == *task);
            values
                .filter_map(|group| estimate_of(&group.estimates, id).value)
                .reduce(|top, value| if better(value, top) { value } else { top })
        })
        .collect();
    let rows = labels(all)
        .iter()
        .map(|name| {
            let cells = tasks.iter().zip(&tops).map(|(task, top)| {
                let Some(group) = group(all, task, name) else { return CellView::undefined("no run") };
                let estimate = estimate_of(&group.estimates, id);
                let is_top =
                    estimate.value.zip(*top).is_some_and(|(value, top)| value.total_cmp(&top).is_eq());
                cell(estimate, decimals, why).strong(is_top)
            });
            RowView {
                cells: std::iter::once(CellView::text(name)).chain(cells).collect(),
                ..RowView::default()
            }
        })
        .collect();
    draft.table(spec, columns, rows)
}
