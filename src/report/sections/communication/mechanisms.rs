//! Score, tokens and efficiency by mechanism: the form of tables 2 to 5, and score against tokens.

use super::{communication, label, row, runs, tasks};
use crate::analysis::Analysis;
use crate::communication::{Communication, EFF, Metric, MetricRow, Part, RunIdentity, SCORE, TOK};
use crate::figures::{Axis, IsoLine, Scatter, ScatterGroup, ScatterPoint};
use crate::report::block::{Block, CellView, ColumnView, RowView};
use crate::report::{Content, Draft, FigureSpec, PLAIN, Section, TableSpec, format, unique_slugs};

pub(in crate::report) const SECTION: Section = Section {
    id: "communication",
    title: "Communication: score, tokens, efficiency",
    template: PLAIN,
    build,
};

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let all = communication(analysis)?;
    let tasks = tasks(all);
    let slugs = unique_slugs(&tasks);
    let mut blocks = Vec::new();
    for task in &tasks {
        let runs = runs(all, task);
        blocks.push(table(all, task, &slugs[task], &runs, draft));
        blocks.push(scatter(all, task, &slugs[task], &runs, draft));
    }
    Some(Content {
        lead: tasks.iter().filter_map(|task| sentence(all, task)).collect(),
        blocks,
        how: how(all),
        ..Content::default()
    })
}

fn how(all: &Communication) -> Vec<String> {
    let counted: u64 =
        all.rows.iter().filter(|row| row.split == Part::Overall).map(|row| row.counted_messages).sum();
    let tokens = if counted == 0 {
        "Every message's tokens are as logged.".to_owned()
    } else {
        format!(
            "{} without a logged count were counted with the {} vocabulary.",
            format::counted(counted as usize, "message", "messages"),
            all.settings.tokenizer.name()
        )
    };
    let metric = |metric: &Metric| {
        format!("{} ({}): {}. {}.", metric.title, metric.unit, metric.formula, metric.source)
    };
    vec![
        metric(&SCORE),
        metric(&TOK),
        metric(&EFF),
        tokens,
        format!(
            "Intervals are percentile-bootstrap intervals over instances ({} resamples, level {}). Repeats of an instance are averaged first; n is the number of instances.",
            all.settings.resamples, all.settings.level
        ),
    ]
}

fn sentence(all: &Communication, task: &str) -> Option<String> {
    let runs = runs(all, task);
    let best = runs
        .iter()
        .filter_map(|run| row(all, run, Part::Overall))
        .filter_map(|row| Some((row, row.values.get("score")?)))
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    let name = label(&best.0.run, &runs);
    let interval = match (best.0.values.get("score_low"), best.0.values.get("score_high")) {
        (Some(low), Some(high)) => format!(" {}", format::interval(low, high, 1)),
        _ => String::new(),
    };
    let eff = best.0.values.get("eff").map_or_else(
        || "without any message".to_owned(),
        |eff| format!("at {} points per 1 000 tokens", format::number(eff)),
    );
    Some(format!(
        "{task}: {name} has the highest mean score of {}, {}{interval}, {eff} (n = {}).",
        format::counted(runs.len(), "run", "runs"),
        format::fixed(best.1, 1),
        best.0.n
    ))
}

fn cell(row: Option<&MetricRow>, metric: &Metric, decimals: usize) -> CellView {
    let Some(row) = row.filter(|row| row.n > 0) else {
        return CellView::undefined("no instance of this part");
    };
    let why = if metric.id == EFF.id { "no tokens, or no score" } else { "no instance has a value" };
    let cell = CellView::maybe(row.values.get(metric.id), decimals, why);
    let bound = |end: &str| row.values.get(&format!("{}_{end}", metric.id));
    match (cell.sort.is_some(), bound("low"), bound("high")) {
        (true, Some(low), Some(high)) => {
            let text = format!("{} {}", cell.text, format::interval(low, high, decimals));
            CellView { text, ..cell }
        }
        _ => cell,
    }
}

fn table(all: &Communication, task: &str, slug: &str, runs: &[&RunIdentity], draft: &mut Draft) -> Block {
    let mut columns =
        vec![ColumnView::text("Framework"), ColumnView::text("Model"), ColumnView::text("Mechanism")];
    for part in [Part::Simple, Part::Complex, Part::Overall] {
        columns.push(ColumnView::number(&format!("n, {}", part.name()), ""));
        for metric in [&SCORE, &TOK, &EFF] {
            columns.push(
                ColumnView::number(&format!("{}, {}", metric.title, part.name()), "")
                    .explained(metric.formula),
            );
        }
    }
    let rows = runs
        .iter()
        .map(|run| {
            let mut cells = vec![
                CellView::text(&run.framework),
                CellView::text(&run.model),
                CellView::text(label(run, runs)),
            ];
            for part in [Part::Simple, Part::Complex, Part::Overall] {
                let row = row(all, run, part);
                cells.push(CellView::count(row.map_or(0, |row| row.n as usize)));
                cells.extend([cell(row, &SCORE, 1), cell(row, &TOK, 0), cell(row, &EFF, 1)]);
            }
            RowView { cells, model: Some(run.model.clone()), task: Some(task.to_owned()) }
        })
        .collect();
    let spec = TableSpec {
        id: format!("communication-{slug}"),
        title: format!("Score, tokens and efficiency in {task}"),
        how: "Means over instances with their intervals; Score in points, Tok in tokens per episode, Eff in points per 1 000 tokens.".into(),
        data: Some("data/communication.csv"),
        task: Some(task.to_owned()),
    };
    draft.table(spec, columns, rows)
}

fn scatter(all: &Communication, task: &str, slug: &str, runs: &[&RunIdentity], draft: &mut Draft) -> Block {
    let groups: Vec<ScatterGroup> = runs
        .iter()
        .filter_map(|run| {
            let row = row(all, run, Part::Overall)?;
            let name = label(run, runs);
            Some(ScatterGroup {
                key: super::key(run, runs),
                points: vec![ScatterPoint {
                    x: row.values.get("tok"),
                    y: row.values.get("score"),
                    low: row.values.get("score_low"),
                    high: row.values.get("score_high"),
                    detail: format!("{name}: Eff {}", format::optional(row.values.get("eff"))),
                    label: name,
                }],
            })
        })
        .collect();
    // Lines through the origin: a point on one has that efficiency.
    let iso = [2.0, 10.0, 50.0, 250.0, 1250.0]
        .into_iter()
        .map(|eff| IsoLine { slope: eff / 1000.0, label: format!("Eff {}", format::number(eff)) })
        .collect();
    let title = format!("Score against tokens in {task}");
    let drawn = Scatter {
        title: title.clone(),
        description: format!(
            "Mean score and mean tokens of each run in {task}, with lines of equal efficiency."
        ),
        x: Axis::new("Tok").unit("tokens per episode"),
        y: Axis::new("Score").unit("points"),
        groups,
        iso,
        ..Scatter::default()
    }
    .draw();
    let spec = FigureSpec {
        id: format!("score-tok-{slug}"),
        title,
        how: "Vertical lines are intervals of the score. On a line through the origin the efficiency is the same.".into(),
        data: Some("data/communication.csv"),
        task: Some(task.to_owned()),
    };
    draft.figure(spec, drawn)
}
