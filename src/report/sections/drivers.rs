//! What drives actions and scores: attribution and regression.

use crate::analysis::{Analysis, Drivers};
use crate::attribution::design::Group;
use crate::attribution::regression::Regression;
use crate::attribution::study::{Attribution, ImportanceRow as Ranked};
use crate::features::feature;
use crate::figures::{Axis, Beeswarm, Importance, ImportanceRow, Key, NothingToShow, SwarmPoint, SwarmRow};
use crate::report::block::{Block, CellView, ColumnView, RowView};
use crate::report::{Content, Draft, FigureSpec, PLAIN, Section, TableSpec, format, unique_slugs};

pub(in crate::report) const SECTION: Section =
    Section { id: "drivers", title: "What drives actions and scores", template: PLAIN, build };

/// Features in a figure.
const SHOWN: usize = 15;

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let (swarm, drivers) = (analysis.swarm.as_ref()?, analysis.drivers.as_ref()?);
    let params = &drivers.attribution.params.study;
    let slugs = unique_slugs(&swarm.tasks);
    let mut blocks = vec![scores(drivers, draft)];
    for task in &swarm.tasks {
        let study = drivers.attribution.studies.iter().find(|s| s.task == *task && s.model.is_none());
        let regression = drivers.regressions.iter().find(|r| r.task == *task);
        blocks.push(Block::Heading { text: task.clone(), task: Some(task.clone()) });
        if let Some(study) = study {
            blocks.push(ranking(study, task, &slugs[task], draft));
            blocks.extend(rules(study, task));
        }
        if let Some(regression) = regression {
            blocks.push(beeswarm(regression, task, &slugs[task], draft));
        }
    }
    blocks.push(regressions(drivers, draft));
    Some(Content {
        lead: sentences(drivers),
        blocks,
        how: vec![
            format!(
                "Rows are decisions: an agent, a round, the action chosen; at most {} of a task, drawn at random, at most equally many from \
                 each run. A random forest ({} trees, √D features per split) learns them from what the agent saw (kind of \
                 each cell at its relative position, and counts), what it was told (an embedding of the messages received, and \
                 counts), and its position and history. {} % of the runs are held out, whole runs at a time, {} times over; \
                 `swarm-analyze attribute` does the same with more rows, trees and splits.",
                params.max_rows,
                params.trees,
                format::fixed(params.held_out * 100.0, 0),
                params.splits
            ),
            "Importance is the drop of macro F1 on runs held out when a feature, a cluster of correlated features (|Spearman ρ| ≥ 0.7, \
             permuted jointly) or a whole group is shuffled; intervals are the middle 95 % over splits and repeats. Nothing is \
             ranked unless the forest beats both the majority class and a forest on shuffled labels in every split, and the mean \
             difference over the runs held out has a 95 % interval above 0: rows of one run are not independent, so runs are counted."
                .into(),
            "The final score is regressed on the runs' features: a ridge regression on standardised features with linear SHAP values, \
             and a forest with permutation importance. R² is cross-validated in five folds; below 0 the mean score predicts better. \
             Tasks with fewer than 20 runs have no regression."
                .into(),
        ],
        ..Content::default()
    })
}

fn sentences(drivers: &Drivers) -> Vec<String> {
    let mut out = Vec::new();
    for study in drivers.attribution.studies.iter().filter(|study| study.model.is_none()) {
        let Some(rankings) = &study.rankings else {
            let why = study.refusal.as_deref().unwrap_or("no ranking");
            out.push(format!("{}: what drives actions is not ranked: {why}.", study.task));
            continue;
        };
        let best = rankings.groups.iter().max_by(|a, b| a.drop.mean.total_cmp(&b.drop.mean));
        if let (Some(best), Some(f1), Some(majority)) = (best, study.f1, study.majority_f1) {
            out.push(format!(
                "{}: actions follow {} most (shuffling it costs {} of macro F1, {}); the forest reaches {} on unseen runs, the majority \
                 class {}.",
                study.task,
                best.name,
                format::fixed(best.drop.mean, 3),
                format::interval(best.drop.low, best.drop.high, 3),
                format::fixed(f1.mean, 2),
                format::fixed(majority.mean, 2)
            ));
        }
    }
    if out.is_empty() {
        out.push("No run has logged views and actions, so there is nothing to attribute actions to.".into());
    }
    out
}

fn scores(drivers: &Drivers, draft: &mut Draft) -> Block {
    let columns = vec![
        ColumnView::text("Task"),
        ColumnView::text("Model"),
        ColumnView::number("Runs", ""),
        ColumnView::number("Without views", "runs"),
        ColumnView::number("Decisions", "used"),
        ColumnView::number("Decisions", "logged"),
        ColumnView::number("Macro F1", ""),
        ColumnView::number("Majority", ""),
        ColumnView::number("Shuffled", ""),
        ColumnView::number("Margin", "over runs"),
        ColumnView::number("Observation", "drop"),
        ColumnView::number("Messages", "drop"),
        ColumnView::number("History", "drop"),
    ];
    let rows = drivers.attribution.studies.iter().map(|study| {
        let why = study.refusal.as_deref().unwrap_or("undefined");
        let spread = |s: Option<crate::attribution::study::Spread>| match s {
            Some(s) => CellView::fixed(s.mean, 3)
                .explained(format!("middle 95 %: {}", format::interval(s.low, s.high, 3))),
            None => CellView::undefined(why),
        };
        let mut cells = vec![
            CellView::text(&study.task),
            CellView::text(study.model.as_deref().unwrap_or("all")),
            CellView::count(study.runs),
            CellView::count(study.runs_without_views),
            CellView::count(study.rows),
            CellView::count(study.rows_logged),
            spread(study.f1),
            spread(study.majority_f1),
            spread(study.shuffled_f1),
        ];
        cells.push(match study.margin {
            Some(margin) => CellView::fixed(margin.mean, 3).explained(match (margin.low, margin.high) {
                (Some(low), Some(high)) => {
                    format!("95 % interval over {} runs: {}", margin.runs, format::interval(low, high, 3))
                }
                _ => "one run was held out: no interval".to_owned(),
            }),
            None => CellView::undefined(why),
        });
        for group in Group::ALL {
            let found = study.rankings.iter().flat_map(|r| &r.groups).find(|row| row.group == Some(group));
            cells.push(spread(found.map(|row| row.drop)));
        }
        RowView { cells, model: study.model.clone(), task: Some(study.task.clone()) }
    });
    let spec = TableSpec {
        id: "attribution".into(),
        title: "How well actions are predicted, and from what".into(),
        how: "Macro F1 on runs held out, and its drop when a whole group of features is shuffled (Figures 7 and S.34).".into(),
        data: Some("data/attribution.csv"),
        task: None,
    };
    draft.table(spec, columns, rows.collect())
}

fn colour(group: Option<Group>) -> Key {
    match group {
        Some(group) => Key::new(group.name(), Group::ALL.iter().position(|g| *g == group).unwrap_or(0)),
        None => Key::new("several groups", Group::ALL.len()),
    }
}

fn ranking(study: &Attribution, task: &str, slug: &str, draft: &mut Draft) -> Block {
    let name = format!("What actions in {task} follow from");
    let drawn = match &study.rankings {
        None => Err(NothingToShow(study.refusal.clone().unwrap_or_else(|| "Nothing is ranked.".into()))),
        Some(rankings) => {
            let row = |row: &Ranked, label: String| ImportanceRow {
                label,
                kind: colour(row.group),
                drop: Some(row.drop.mean),
                low: Some(row.drop.low),
                high: Some(row.drop.high),
                ..ImportanceRow::default()
            };
            let groups = rankings.groups.iter().map(|g| row(g, format!("all {} features", g.name)));
            let clusters = rankings.clusters.iter().take(4).map(|c| row(c, format!("cluster: {}", c.name)));
            let features = rankings.features.iter().take(SHOWN).map(|f| row(f, f.name.clone()));
            Importance {
                title: name.clone(),
                description: format!("Drop of macro F1 by group, cluster and feature in {task}."),
                measure: "macro F1".into(),
                rows: groups.chain(clusters).chain(features).collect(),
                ..Importance::default()
            }
            .draw()
        }
    };
    let spec = FigureSpec {
        id: format!("attribution-{slug}"),
        title: name,
        how: "Groups first, then clusters of correlated features, then single features; lines are the middle 95 % over splits and \
              repeats."
            .into(),
        data: Some("data/importance.csv"),
        task: Some(task.to_owned()),
    };
    draft.figure(spec, drawn)
}

/// The surrogate tree as paragraphs.
fn rules(study: &Attribution, task: &str) -> Vec<Block> {
    let Some(tree) = study.rankings.as_ref().and_then(|r| r.surrogate.as_ref()) else { return Vec::new() };
    let paragraph = |text: String| Block::Paragraph { text, task: Some(task.to_owned()) };
    let mut out = vec![paragraph(format!(
        "In short, as a tree of depth 4 that says the same as the forest on {} % of unseen decisions (always saying the most frequent \
         action would on {} %):",
        format::fixed(tree.fidelity * 100.0, 0),
        format::fixed(tree.fidelity_of_majority * 100.0, 0)
    ))];
    out.extend(tree.rules.iter().map(|rule| {
        let conditions =
            if rule.conditions.is_empty() { "always".to_owned() } else { rule.conditions.join(" and ") };
        paragraph(format!(
            "{conditions} → {} ({} % of {})",
            rule.class,
            format::fixed(rule.purity * 100.0, 0),
            format::counted(rule.rows, "decision", "decisions")
        ))
    }));
    out
}

fn beeswarm(regression: &Regression, task: &str, slug: &str, draft: &mut Draft) -> Block {
    let name = format!("Features in a linear model of the final score in {task}");
    let row = |row: &crate::attribution::regression::RegressionRow| {
        let low = row.points.iter().map(|p| p.value).fold(f64::INFINITY, f64::min);
        let high = row.points.iter().map(|p| p.value).fold(f64::NEG_INFINITY, f64::max);
        let share = |value: f64| (high > low).then(|| (value - low) / (high - low));
        SwarmRow {
            label: feature(&row.feature).map_or(row.feature.as_str(), |f| f.title).to_owned(),
            points: (row.points.iter())
                .map(|point| SwarmPoint { value: point.shap, feature: share(point.value) })
                .collect(),
            note: format::number(row.mean_shap),
        }
    };
    let drawn = match &regression.refusal {
        Some(why) => Err(NothingToShow(format!("No regression: {why}."))),
        None => Beeswarm {
            title: name.clone(),
            description: format!("Linear SHAP values of each run by feature in {task}."),
            value: Axis::new("SHAP value").unit("points"),
            rows: regression.rows.iter().take(SHOWN).map(row).collect(),
            ..Beeswarm::default()
        }
        .draw(),
    };
    let spec = FigureSpec {
        id: format!("shap-{slug}"),
        title: name,
        how: "Each point is a run; to the right the feature lifts the prediction. Mean absolute values at the right, as in the paper's \
              Figure S.16."
            .into(),
        data: Some("data/shap.csv"),
        task: Some(task.to_owned()),
    };
    draft.figure(spec, drawn)
}

fn regressions(drivers: &Drivers, draft: &mut Draft) -> Block {
    let columns = vec![
        ColumnView::text("Task"),
        ColumnView::number("n", "runs"),
        ColumnView::number("Features", ""),
        ColumnView::number("R², linear", ""),
        ColumnView::number("R², forest", ""),
        ColumnView::text("Largest contribution"),
        ColumnView::text("Left out"),
    ];
    let rows = drivers.regressions.iter().map(|regression| {
        let why = regression.refusal.as_deref().unwrap_or("undefined");
        let spread = |s: Option<crate::attribution::study::Spread>| match s {
            Some(s) => {
                CellView::text(format!("{} {}", format::fixed(s.mean, 2), format::interval(s.low, s.high, 2)))
            }
            None => CellView::undefined(why),
        };
        let title = |id: &str| feature(id).map_or(id, |f| f.title).to_owned();
        let left_out: Vec<String> = regression.left_out.iter().map(|id| title(id)).collect();
        RowView {
            cells: vec![
                CellView::text(&regression.task),
                CellView::count(regression.n),
                CellView::count(regression.features),
                spread(regression.linear_r2),
                spread(regression.forest_r2),
                CellView::text(regression.rows.first().map_or_else(String::new, |row| title(&row.feature))),
                CellView::text(format::list(&left_out, 4)),
            ],
            model: None,
            task: Some(regression.task.clone()),
        }
    });
    let spec = TableSpec {
        id: "regressions".into(),
        title: "Final score from the features, cross-validated".into(),
        how: "R² on runs left out, with the middle 95 % over repeated draws of the folds.".into(),
        data: Some("data/regressions.csv"),
        task: None,
    };
    draft.table(spec, columns, rows.collect())
}
