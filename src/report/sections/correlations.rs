//! How features go with the final score and with each other.

use crate::analysis::{Analysis, CorrelationRow, Method, StrongestRow, SwarmAnalysis, TARGET_SCORE};
use crate::features::{FEATURES, Feature, column_of, feature};
use crate::figures::{
    Axis, Bar, Bars, Cell, Colouring, FitPoint, HeatMap, Key, NothingToShow, Scatter, ScatterGroup,
    ScatterPoint, Width,
};
use crate::report::block::{Block, CellView, ColumnView, RowView};
use crate::report::{Content, Draft, FigureSpec, PLAIN, Section, TableSpec, format, unique_slugs};

pub(in crate::report) const SECTION: Section =
    Section { id: "correlations", title: "Features and scores", template: PLAIN, build };

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let swarm = analysis.swarm.as_ref()?;
    let slugs = unique_slugs(&swarm.tasks);
    let mut blocks = Vec::new();
    for task in &swarm.tasks {
        let slug = &slugs[task];
        let rows: Vec<&CorrelationRow> = swarm
            .correlations
            .iter()
            .filter(|row| row.task == *task && row.method == Method::Pearson)
            .collect();
        blocks.push(Block::Heading { text: task.clone(), task: Some(task.clone()) });
        blocks.push(bars(task, slug, &rows, draft));
        blocks.push(heat_map(task, slug, &rows, draft));
        blocks.push(scatter(swarm, task, slug, draft));
    }
    blocks.push(table(swarm, draft));
    Some(Content {
        lead: sentences(swarm),
        blocks,
        how: vec![
            "Pearson's r and Spearman's ρ over the runs of a task, all models together: each feature's run value with the run's \
             final score, and all pairs of features. Two-sided p from Student's t with n − 2 degrees of freedom, 95 % interval by \
             Fisher's z. Undefined for fewer than three runs and for constant values, with the reason."
                .into(),
            "p is adjusted within a task and method, once over the features' correlations with the score and once over all pairs of \
             features: by Holm (family-wise error) and by Benjamini and Hochberg (false discovery rate). Stars follow the raw p as \
             in the SwarmBench paper: * p < 0.05, ** p < 0.01, *** p < 0.001."
                .into(),
            "Runs of one model are more alike than runs of different models, so p-values over pooled runs are too small where \
             models differ much; a correlation over models is no effect within a model."
                .into(),
        ],
        ..Content::default()
    })
}

fn sentences(swarm: &SwarmAnalysis) -> Vec<String> {
    let mut out = Vec::new();
    for row in &swarm.strongest {
        let found = swarm.correlations.iter().find(|c| {
            c.task == row.task
                && c.feature == row.feature
                && c.target == TARGET_SCORE
                && c.method == Method::Pearson
        });
        let Some((r, p, c)) = found.and_then(|c| Some((c.r?, c.p?, c))) else { continue };
        let title = feature(&row.feature).map_or(row.feature.as_str(), |f| f.title);
        let interval = match (c.ci_low, c.ci_high) {
            (Some(low), Some(high)) => format!(", 95 % interval {}", format::interval(low, high, 2)),
            _ => String::new(),
        };
        let holm = c.p_holm.map_or_else(String::new, |p| format!(", after Holm {}", format::p_phrase(p)));
        out.push(format!(
            "{}: “{title}” goes most closely with the final score (r = {}{interval}, {}{holm}, n = {}).",
            row.task,
            format::fixed(r, 2),
            format::p_phrase(p),
            c.n
        ));
    }
    if out.is_empty() {
        out.push(
            "No correlation with the final score is defined: too few runs, or scores that do not vary."
                .into(),
        );
    }
    out
}

fn detail(row: &CorrelationRow) -> String {
    match (row.p, &row.reason) {
        (Some(p), _) => format!("n = {}, {}", row.n, format::p_phrase(p)),
        (None, Some(reason)) => format!("undefined: {reason}"),
        (None, None) => String::new(),
    }
}

fn bars(task: &str, slug: &str, rows: &[&CorrelationRow], draft: &mut Draft) -> Block {
    let mut with_score: Vec<&&CorrelationRow> =
        rows.iter().filter(|row| row.target == TARGET_SCORE).collect();
    with_score.sort_by(|a, b| b.r.unwrap_or(-2.0).total_cmp(&a.r.unwrap_or(-2.0)));
    let bars: Vec<Bar> = with_score
        .iter()
        .map(|row| {
            let label = feature(&row.feature).map_or(row.feature.as_str(), |f| f.title);
            let mut bar = Bar::of(Key::new(label, 0).task(task), row.r);
            label.clone_into(&mut bar.label);
            row.p.map_or("", format::stars).clone_into(&mut bar.note);
            for part in &mut bar.parts {
                (part.low, part.high) = (row.ci_low, row.ci_high);
                part.detail = detail(row);
            }
            bar
        })
        .collect();
    let title = format!("Correlation of features with the final score in {task}");
    let drawn = Bars {
        title: title.clone(),
        description: format!(
            "Pearson's r of each feature with the final score over the runs of {task}, with 95 % intervals."
        ),
        value: Axis::new("Pearson's r with the final score").include(-1.0).include(1.0),
        rows: bars,
        width: Width::Page,
        ..Bars::default()
    }
    .draw();
    let how = "Bars are r, lines 95 % intervals; * p < 0.05, ** p < 0.01, *** p < 0.001, not adjusted.";
    draft.figure(spec(format!("score-correlations-{slug}"), title, how, task), drawn)
}

fn spec(id: String, title: String, how: &str, task: &str) -> FigureSpec {
    let (data, task) = (Some("data/correlations.csv"), Some(task.to_owned()));
    FigureSpec { id, title, how: how.to_owned(), data, task }
}

fn heat_map(task: &str, slug: &str, rows: &[&CorrelationRow], draft: &mut Draft) -> Block {
    let ids: Vec<&str> = FEATURES.iter().map(|f| f.id).chain([TARGET_SCORE]).collect();
    let names: Vec<String> =
        FEATURES.iter().map(|f| f.title.to_owned()).chain(["Final score".to_owned()]).collect();
    let cell = |a: &str, b: &str| {
        if a == b {
            return Cell { detail: "a measure with itself".into(), ..Cell::default() };
        }
        let found =
            rows.iter().find(|r| (r.feature == a && r.target == b) || (r.feature == b && r.target == a));
        found.map_or_else(Cell::default, |row| Cell {
            value: row.r,
            mark: row.p.map_or("", format::stars).to_owned(),
            detail: detail(row),
        })
    };
    let cells = ids.iter().map(|a| ids.iter().map(|b| cell(a, b)).collect()).collect();
    let title = format!("Correlations among features in {task}");
    let drawn = HeatMap {
        title: title.clone(),
        description: format!(
            "Pearson's r of every pair of features and of each with the final score in {task}."
        ),
        value: "Pearson's r".into(),
        rows: names.clone(),
        columns: names,
        cells,
        colouring: Colouring::Diverging { limit: Some(1.0) },
        ..HeatMap::default()
    }
    .draw();
    let how = "Blue is negative, orange positive; the last row and column are the final score; a dash is undefined.";
    draft.figure(spec(format!("feature-correlations-{slug}"), title, how, task), drawn)
}

fn scatter(swarm: &SwarmAnalysis, task: &str, slug: &str, draft: &mut Draft) -> Block {
    let title = format!("Strongest feature against the final score in {task}");
    let how = "Each point is a run; the line is least squares, its band the 95 % interval of the mean.";
    let spec = spec(format!("strongest-{slug}"), title.clone(), how, task);
    let strongest = swarm.strongest.iter().find(|row| row.task == task);
    let chosen = strongest.and_then(|row| Some((row, feature(&row.feature)?, column_of(&row.feature)?)));
    let Some((row, feature, at)) = chosen else {
        let why = "No feature of this task has a defined correlation with the final score, so there is no strongest one.";
        return draft.figure(spec, Err(NothingToShow(why.into())));
    };
    let groups = swarm
        .models
        .iter()
        .filter_map(|model| {
            let runs = swarm.runs.iter().filter(|run| run.task == task && run.group == *model);
            let points: Vec<ScatterPoint> = runs
                .map(|run| ScatterPoint {
                    x: run.values.get(at).copied().flatten(),
                    y: run.final_score,
                    detail: format!("{} / {}", run.key.batch, run.key.run_id),
                    ..ScatterPoint::default()
                })
                .collect();
            (!points.is_empty()).then(|| ScatterGroup { key: draft.key(model).task(task), points })
        })
        .collect();
    let drawn = Scatter {
        title,
        description: format!(
            "{} of each run against its final score in {task}, with a fitted line.",
            feature.title
        ),
        x: axis(feature),
        y: Axis::new("Final score").unit("points"),
        groups,
        fit: fit(row),
        fit_text: fit_text(swarm, row),
        width: Width::Column,
        ..Scatter::default()
    }
    .draw();
    draft.figure(spec, drawn)
}

fn axis(feature: &Feature) -> Axis {
    let axis = Axis::new(feature.title);
    if feature.unit == "1" { axis } else { axis.unit(feature.unit) }
}

fn fit(row: &StrongestRow) -> Vec<FitPoint> {
    let point = |p: &crate::analysis::BandPoint| FitPoint {
        x: p.x,
        y: p.y,
        low: p.interval.value().map(|i| i.low),
        high: p.interval.value().map(|i| i.high),
    };
    row.band.iter().map(point).collect()
}

fn fit_text(swarm: &SwarmAnalysis, row: &StrongestRow) -> String {
    let found = swarm.correlations.iter().find(|c| {
        c.task == row.task
            && c.feature == row.feature
            && c.target == TARGET_SCORE
            && c.method == Method::Pearson
    });
    found.and_then(|c| c.r.map(|r| format!("r = {}, n = {}", format::fixed(r, 2), c.n))).unwrap_or_default()
}

fn table(swarm: &SwarmAnalysis, draft: &mut Draft) -> Block {
    let columns = vec![
        ColumnView::text("Task"),
        ColumnView::text("Feature"),
        ColumnView::text("Method"),
        ColumnView::number("n", "runs"),
        ColumnView::number("r", ""),
        ColumnView::number("95 % interval", ""),
        ColumnView::number("p", ""),
        ColumnView::number("p, Holm", ""),
        ColumnView::number("p, BH", ""),
    ];
    let rows = swarm
        .correlations
        .iter()
        .filter(|row| row.target == TARGET_SCORE)
        .map(|row| {
            let why = row.reason.as_deref().unwrap_or("undefined");
            let no_interval = row.reason.as_deref().unwrap_or("n < 4");
            RowView {
                cells: vec![
                    CellView::text(&row.task),
                    CellView::text(feature(&row.feature).map_or(row.feature.as_str(), |f| f.title)),
                    CellView::text(if row.method == Method::Pearson { "Pearson" } else { "Spearman" }),
                    CellView::count(row.n),
                    CellView::maybe(row.r, 2, why),
                    CellView::interval(row.ci_low, row.ci_high, 2, no_interval),
                    CellView::p_value(row.p, why),
                    CellView::p_value(row.p_holm, why),
                    CellView::p_value(row.p_bh, why),
                ],
                model: None,
                task: Some(row.task.clone()),
            }
        })
        .collect();
    let spec = TableSpec {
        id: "score-correlations".into(),
        title: "Correlations with the final score".into(),
        how: "Over the runs of each task; pairs of features are in the data file.".into(),
        data: Some("data/correlations.csv"),
        task: None,
    };
    draft.table(spec, columns, rows)
}
