//! Groups and correlations as tables for files.

use serde_json::Map;

use super::{CorrelationRow, GroupRow, MemoryRow};
use crate::stats::{Interval, Stat};
use crate::table::{Cell, Head, Kind, Row, Schema};

pub(super) fn schema(name: &str, heads: Vec<Head>) -> Schema {
    Schema { name: format!("swarm-analyze/{name}/1"), heads, settings: Map::new() }
}

pub(super) fn count(n: usize) -> Cell {
    Cell::Integer(n as i64)
}

/// The groups' table: one row for each task and group.
pub fn group_table(groups: &[GroupRow]) -> (Schema, Vec<Row>) {
    let points = |name: &str, title: &str| Head::number(name, "points", title);
    let heads = vec![
        Head::new("task", Kind::Text),
        Head::new("model", Kind::Text),
        Head::new("runs", Kind::Integer),
        Head::new("without_score", Kind::Integer),
        Head::new("n", Kind::Integer),
        points("mean", "Mean"),
        points("sd", "Sample standard deviation"),
        points("median", "Median"),
        points("iqm", "Interquartile mean"),
        points("min", "Least"),
        points("max", "Greatest"),
        points("mean_ci_low", "Lower end of the 95 % bootstrap interval of the mean"),
        points("mean_ci_high", "Upper end"),
        points("iqm_ci_low", "Lower end of the 95 % bootstrap interval of the interquartile mean"),
        points("iqm_ci_high", "Upper end"),
        Head::new("rank_best", Kind::Integer),
        Head::new("rank_worst", Kind::Integer),
        Head::new("reason", Kind::Text),
    ];
    let ends = |interval: &Stat<Interval>| {
        let interval = interval.value();
        [Cell::number(interval.map(|i| i.low)), Cell::number(interval.map(|i| i.high))]
    };
    let rows = groups.iter().map(|group| {
        let summary = group.summary.value();
        let mut row = vec![
            Cell::text(&group.task),
            Cell::text(&group.model),
            count(group.runs),
            count(group.without_score),
            count(group.scores.len()),
            Cell::number(summary.map(|s| s.mean)),
            Cell::number(summary.and_then(|s| s.sd.value().copied())),
            Cell::number(summary.map(|s| s.median)),
            Cell::number(summary.map(|s| s.iqm)),
            Cell::number(summary.map(|s| s.min)),
            Cell::number(summary.map(|s| s.max)),
        ];
        row.extend(ends(&group.mean_interval));
        row.extend(ends(&group.iqm_interval));
        row.push(group.rank.map_or(Cell::Null, |rank| count(rank.best)));
        row.push(group.rank.map_or(Cell::Null, |rank| count(rank.worst)));
        let reason = group.summary.reason().or(group.mean_interval.reason());
        row.push(reason.map_or(Cell::Null, |reason| Cell::text(reason.to_string())));
        row
    });
    (schema("groups", heads), rows.collect())
}

/// The correlations' table.
pub fn correlation_table(correlations: &[CorrelationRow]) -> (Schema, Vec<Row>) {
    let number = |name: &str, title: &str| Head::number(name, "1", title);
    let heads = vec![
        Head::new("task", Kind::Text),
        Head::new("feature", Kind::Text),
        Head::new("target", Kind::Text),
        Head::new("method", Kind::Text),
        Head::new("n", Kind::Integer),
        number("r", "Correlation"),
        number("ci_low", "Lower end of its 95 % interval"),
        number("ci_high", "Upper end"),
        number("p", "Two-sided p"),
        number("p_holm", "After Holm"),
        number("p_bh", "After Benjamini and Hochberg"),
        Head::new("reason", Kind::Text),
        Head::new("dropped", Kind::Integer),
    ];
    let rows = correlations.iter().map(|row| {
        vec![
            Cell::text(&row.task),
            Cell::text(&row.feature),
            Cell::text(&row.target),
            Cell::text(row.method.name()),
            count(row.n),
            Cell::number(row.r),
            Cell::number(row.ci_low),
            Cell::number(row.ci_high),
            Cell::number(row.p),
            Cell::number(row.p_holm),
            Cell::number(row.p_bh),
            row.reason.as_ref().map_or(Cell::Null, Cell::text),
            count(row.dropped),
        ]
    });
    (schema("correlations", heads), rows.collect())
}

/// The final score over the logged memory setting: one row for each task, and for each of its groups.
pub fn memory_table(memory: &[MemoryRow]) -> (Schema, Vec<Row>) {
    let slope = |name: &str, title: &str| Head::number(name, "points per round", title);
    let heads = vec![
        Head::new("task", Kind::Text),
        Head::new("model", Kind::Text),
        Head::new("n", Kind::Integer),
        Head::new("dropped", Kind::Integer),
        Head::new("settings", Kind::Any),
        slope("slope", "Change of the final score with one more remembered round"),
        slope("ci_low", "Lower end of its 95 % interval"),
        slope("ci_high", "Upper end"),
        Head::number("p", "1", "Two-sided p of no change"),
        Head::new("reason", Kind::Text),
    ];
    let rows = memory.iter().map(|row| {
        vec![
            Cell::text(&row.task),
            row.group.as_ref().map_or(Cell::Null, Cell::text),
            count(row.n),
            count(row.dropped),
            Cell::Any(row.settings.iter().copied().map(serde_json::Value::from).collect()),
            Cell::number(row.slope),
            Cell::number(row.ci_low),
            Cell::number(row.ci_high),
            Cell::number(row.p),
            row.reason.as_ref().map_or(Cell::Null, Cell::text),
        ]
    });
    (schema("memory", heads), rows.collect())
}
