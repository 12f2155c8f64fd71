//! The runs: from each number back to its logs.

use crate::analysis::Analysis;
use crate::report::block::{CellView, ColumnView, RowView};
use crate::report::{Content, Draft, PLAIN, Section, TableSpec, format};

pub(in crate::report) const SECTION: Section = Section { id: "runs", title: "Runs", template: PLAIN, build };

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let swarm = analysis.swarm.as_ref()?;
    let columns = vec![
        ColumnView::text("Batch"),
        ColumnView::text("Run"),
        ColumnView::text("Task"),
        ColumnView::text("Model"),
        ColumnView::number("Seed", ""),
        ColumnView::number("Agents", ""),
        ColumnView::number("Rounds", "logged"),
        ColumnView::number("Final score", "points"),
    ];
    let scores: Vec<f64> = swarm.runs.iter().filter_map(|run| run.final_score).collect();
    let decimals = format::column_decimals(&[], &scores);
    let rows: Vec<RowView> = swarm
        .runs
        .iter()
        .map(|run| RowView {
            cells: vec![
                CellView::text(&run.key.batch),
                CellView::text(&run.key.run_id),
                CellView::text(&run.task),
                CellView::text(&run.group),
                run.seed.map_or_else(
                    || CellView::undefined("no seed in the meta log"),
                    |seed| CellView { sort: Some(seed.to_string()), ..CellView::text(seed.to_string()) },
                ),
                CellView::count(run.agents as usize),
                CellView::count(run.logged_rounds as usize),
                CellView::maybe(
                    run.final_score,
                    decimals,
                    "no usable score in the last entry of the game log",
                ),
            ],
            model: Some(run.group.clone()),
            task: Some(run.task.clone()),
        })
        .collect();
    let spec = TableSpec {
        id: "run-table".into(),
        title: "Runs".into(),
        how: "Batch and run name the logs; data/rounds.csv has every round of each, data/runs.csv its features.".into(),
        data: Some("data/runs.csv"),
        task: None,
    };
    let lead = format!(
        "Each number above rests on these {}; batch and run lead from a number to its rounds in data/rounds.csv and to the logs.",
        format::counted(swarm.runs.len(), "run", "runs")
    );
    Some(Content { lead: vec![lead], blocks: vec![draft.table(spec, columns, rows)], ..Content::default() })
}
