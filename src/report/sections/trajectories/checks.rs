//! How far the labels can be trusted, tables 4 and 7.

use super::{label, trajectories};
use crate::analysis::Analysis;
use crate::report::block::{CellView, ColumnView, RowView};
use crate::report::{Content, Draft, PLAIN, Section, TableSpec, format};
use crate::stats::{Correlation, Stat};
use crate::trajectory::metric::ABLATION;
use crate::trajectory::overview::{Trajectories, estimate_of};

pub(in crate::report) const SECTION: Section =
    Section { id: "trajectory-checks", title: "Consistency and robustness", template: PLAIN, build };

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let all = trajectories(analysis)?;
    let worst = all
        .robustness
        .iter()
        .filter_map(|row| Some((row.flips.last()?.gab_share()?, &row.task)))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let lead = worst.map(|(share, task)| {
        format!(
            "With scores taken as equal within 1 point, {} % of GAB labels change at most (in {task}).",
            format::fixed(share, 1)
        )
    });
    let mut blocks = vec![robustness(all, draft), ablation(all, draft)];
    if !all.consistency.is_empty() {
        blocks.push(consistency(all, draft));
    }
    Some(Content {
        lead: lead.into_iter().collect(),
        blocks,
        how: vec![
            "A label flips when it differs from the one at the defined tolerance of 1e-9; an agent that changes sides between strong and weak \
             counts as flipped."
                .into(),
            "The correlation is over methods, of the mean score of all answers and the Task Score, p two-sided from t with n − 2 \
             degrees of freedom (MASTraceBench, table 7). In static tasks both are the same number, so only dynamic ones are shown."
                .into(),
        ],
        ..Content::default()
    })
}

fn robustness(all: &Trajectories, draft: &mut Draft) -> crate::report::Block {
    let columns = vec![
        ColumnView::text("Task"),
        ColumnView::number("Tolerance", "points"),
        ColumnView::number("GAB labels that flip", "%"),
        ColumnView::number("of", "labels"),
        ColumnView::number("AR labels that flip", "%"),
        ColumnView::number("of", "labels"),
    ];
    let rows = all
        .robustness
        .iter()
        .flat_map(|row| {
            row.flips.iter().map(|flips| RowView {
                cells: vec![
                    CellView::text(&row.task),
                    CellView::fixed(flips.tolerance, 2),
                    CellView::maybe(flips.gab_share(), 2, "no labels"),
                    CellView::count(flips.gab_of as usize),
                    CellView::maybe(flips.refinement_share(), 2, "no labels"),
                    CellView::count(flips.refinement_of as usize),
                ],
                task: Some(row.task.clone()),
                ..RowView::default()
            })
        })
        .collect();
    let spec = TableSpec {
        id: "label-robustness".into(),
        title: "Labels that hang on the tolerance".into(),
        how: "Shares of labels that change when scores this near to each other count as equal.".into(),
        ..TableSpec::default()
    };
    draft.table(spec, columns, rows)
}

fn ablation(all: &Trajectories, draft: &mut Draft) -> crate::report::Block {
    let mut columns =
        vec![ColumnView::text("Task"), ColumnView::text("Method"), ColumnView::number("Runs", "")];
    let titles = ["GAB Improve", "GAB Regress", "Weak agents lifted", "Strong agents regressed"];
    columns.extend(
        ABLATION
            .iter()
            .zip(titles)
            .map(|((short, _), title)| ColumnView::number(short, "%").explained(title)),
    );
    let rows = all
        .groups
        .iter()
        .map(|group| {
            let mut cells = vec![
                CellView::text(&group.task),
                CellView::text(label(all, group)),
                CellView::count(group.runs as usize),
            ];
            cells.extend(
                ABLATION.iter().map(|(_, id)| super::cell(estimate_of(&group.estimates, id), 1, "no labels")),
            );
            RowView { cells, model: Some(group.model.clone()), task: Some(group.task.clone()) }
        })
        .collect();
    let spec = TableSpec {
        id: "ablation".into(),
        title: "Gains and regressions by configuration".into(),
        how: "Group by further keys of run.json (--group-by proposers,rounds) to compare configurations."
            .into(),
        data: super::DATA,
        task: None,
    };
    draft.table(spec, columns, rows)
}

fn consistency(all: &Trajectories, draft: &mut Draft) -> crate::report::Block {
    let columns = vec![
        ColumnView::text("Task"),
        ColumnView::text("Model"),
        ColumnView::number("Methods", "n"),
        ColumnView::number("Spearman ρ", ""),
        ColumnView::number("p", ""),
        ColumnView::number("Pearson r", ""),
        ColumnView::number("p", ""),
    ];
    let pair = |stat: &Stat<Correlation>| {
        let why = stat.reason().map(|reason| reason.to_string()).unwrap_or_default();
        match stat.value() {
            Some(found) => [CellView::fixed(found.r, 3), CellView::p_value(Some(found.p), &why)],
            None => [CellView::undefined(&why), CellView::undefined(&why)],
        }
    };
    let rows = all
        .consistency
        .iter()
        .map(|row| {
            let mut cells = vec![
                CellView::text(&row.task),
                CellView::text(&row.model),
                CellView::count(row.methods as usize),
            ];
            cells.extend(pair(&row.spearman));
            cells.extend(pair(&row.pearson));
            RowView { cells, model: Some(row.model.clone()), task: Some(row.task.clone()) }
        })
        .collect();
    let spec = TableSpec {
        id: "score-consistency".into(),
        title: "Do proposal scores tell of results?".into(),
        how: "Correlation over methods of the mean proposal score and the Task Score.".into(),
        ..TableSpec::default()
    };
    draft.table(spec, columns, rows)
}
