//! The verdict: what was read, who leads, how sound it is.

use serde_json::json;

use crate::analysis::{Analysis, TaskVerdict};
use crate::finding::Severity;
use crate::report::block::{CellView, ColumnView, RowView};
use crate::report::{Content, Draft, Section, TableSpec, format};

pub(in crate::report) const SECTION: Section = Section {
    id: "summary",
    title: "Summary",
    template: include_str!("../../../templates/sections/summary.html"),
    build,
};

#[expect(clippy::unnecessary_wraps, reason = "the signature of every section")]
fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let overview = &analysis.overview;
    let count =
        |severity: Severity| overview.findings.iter().find(|f| f.severity == severity).map_or(0, |f| f.count);
    let [errors, warnings, notes] = Severity::ALL.map(count);
    let swarm = analysis.swarm.as_ref();
    let (models, tasks) = (analysis.models().len(), analysis.tasks().len());
    let mut tiles = vec![
        tile(overview.batches.len(), "batch", "batches"),
        tile(overview.runs, "run", "runs"),
        tile(models, "model", "models"),
        tile(tasks, "task", "tasks"),
    ];
    tiles.push(tile(errors, "error", "errors"));
    tiles.push(tile(warnings, "warning", "warnings"));
    let batches = format::counted(overview.batches.len(), "batch", "batches");
    let mut lead = vec![format!(
        "{} in {batches}: {} in {}. Findings: {}, {}, {}.",
        format::counted(overview.runs, "run", "runs"),
        format::counted(models, "model", "models"),
        format::counted(tasks, "task", "tasks"),
        format::counted(errors, "error", "errors"),
        format::counted(warnings, "warning", "warnings"),
        format::counted(notes, "note", "notes"),
    )];
    if overview.excluded > 0 {
        let runs = format::counted(overview.excluded, "run was", "runs were");
        lead.push(format!("{runs} left out of every number; the table below says why."));
    }
    let mut blocks = Vec::new();
    if let Some(swarm) = swarm {
        let without = swarm.groups.iter().map(|g| g.without_score).sum::<usize>();
        if without > 0 {
            let runs = format::counted(without, "run has", "runs have");
            lead.push(format!("{runs} no final score and count for features only."));
        }
        lead.extend(swarm.verdicts.iter().map(sentence));
        if !swarm.excluded.is_empty() {
            let rows = swarm.excluded.iter().map(|run| RowView {
                cells: vec![
                    CellView::text(&run.key.batch),
                    CellView::text(&run.key.run_id),
                    CellView::text(&run.reason),
                ],
                ..RowView::default()
            });
            let spec = TableSpec {
                id: "excluded".into(),
                title: "Runs left out".into(),
                how: "No number of this report rests on them.".into(),
                ..TableSpec::default()
            };
            let columns = ["Batch", "Run", "Reason"].map(ColumnView::text).to_vec();
            blocks.push(draft.table(spec, columns, rows.collect()));
        }
    }
    Some(Content { lead, blocks, extra: json!({"tiles": tiles}), ..Content::default() })
}

fn tile(n: usize, one: &str, many: &str) -> serde_json::Value {
    json!({"value": format::fixed(n as f64, 0), "label": if n == 1 { one } else { many }})
}

/// Who leads a task, in words.
pub(super) fn sentence(verdict: &TaskVerdict) -> String {
    let TaskVerdict { task, leader, .. } = verdict;
    let (Some(second), Some(lead)) = (&verdict.second, verdict.lead) else {
        return format!("{task}: {leader} is the only model with scores.");
    };
    if !verdict.sharing.is_empty() {
        if verdict.sharing.len() + 1 == verdict.groups {
            return format!(
                "{task}: all {} have the same mean.",
                format::counted(verdict.groups, "model", "models")
            );
        }
        return format!(
            "{task}: {leader} shares the highest mean with {}.",
            format::list(&verdict.sharing, 4)
        );
    }
    let margin = match verdict.lead_interval.value() {
        Some(interval) => {
            let decimals = format::decimals((interval.high - interval.low) / 2.0, 2).min(4);
            format!(
                "{} points (95 % interval {})",
                format::fixed(lead, decimals),
                format::interval(interval.low, interval.high, decimals)
            )
        }
        None => format!("{} points (no interval: too few or equal runs)", format::number(lead)),
    };
    let tied = match verdict.tied_with_leader.len() {
        0 if verdict.unknown.is_empty() => "; no other interval overlaps the leader's".to_owned(),
        0 => String::new(),
        _ => format!(
            "; not told apart from the leader at 95 %: {}",
            format::list(&verdict.tied_with_leader, 4)
        ),
    };
    let unknown = match verdict.unknown.len() {
        0 => String::new(),
        n => format!("; no interval for {} (single or equal runs)", format::counted(n, "model", "models")),
    };
    format!("{task}: {leader} leads {second} by {margin}{tied}{unknown}.")
}
