//! Final scores by task and in total, with intervals and ties.

use crate::analysis::{Analysis, GroupRow, RankRange, SwarmAnalysis};
use crate::figures::{Axis, Dot, Dots};
use crate::report::block::{Block, CellView, ColumnView, RowView};
use crate::report::{Content, Draft, FigureSpec, PLAIN, Section, TableSpec, format, unique_slugs};
use crate::stats::{Interval, Stat};

pub(in crate::report) const SECTION: Section =
    Section { id: "leaderboard", title: "Leaderboard", template: PLAIN, build };

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let swarm = analysis.swarm.as_ref()?;
    let slugs = unique_slugs(&swarm.tasks);
    let mut blocks = Vec::new();
    for task in &swarm.tasks {
        let mut groups: Vec<&GroupRow> = swarm.groups.iter().filter(|g| g.task == *task).collect();
        let mean = |g: &GroupRow| g.summary.value().map_or(f64::NEG_INFINITY, |s| s.mean);
        groups.sort_by(|a, b| mean(b).total_cmp(&mean(a)).then_with(|| a.model.cmp(&b.model)));
        blocks.push(dots(task, &slugs[task], &groups, draft));
    }
    blocks.push(group_table(swarm, draft));
    blocks.push(total_table(swarm, draft));
    Some(Content {
        lead: vec![total_sentence(swarm)],
        blocks,
        how: vec![
            "Mean, sample SD (n − 1), median, interquartile mean (the mean of the middle half), least and greatest of the \
             final scores of the runs of a model in a task. A run's final score is the score of the last entry of its game \
             log; runs without one are left out and counted."
                .into(),
            format!(
                "Intervals are {:.0} % percentile intervals of {} bootstrap resamples of runs. A group of one run, and one whose \
                 runs are all equal, has no interval: its spread is not known to be 0.",
                analysis.settings.level * 100.0,
                analysis.settings.resamples
            ),
            "Places are ranges: a model can hold every place that its interval allows, given the others'. Models whose \
             ranges overlap are not told apart by these runs."
                .into(),
            "The total is the sum of a model's mean scores over tasks (SwarmBench paper, Table S.1), resampled within tasks; \
             totals over fewer tasks than there are stand without a place. Scores of different tasks have different units, so a \
             total weighs tasks by their range."
                .into(),
        ],
        ..Content::default()
    })
}

fn total_sentence(swarm: &SwarmAnalysis) -> String {
    let ranked: Vec<_> = swarm.totals.iter().filter_map(|row| row.rank.map(|rank| (row, rank))).collect();
    if swarm.models.len() < 2 {
        return "There is one model only, so nothing is compared.".into();
    }
    let first: Vec<String> =
        ranked.iter().filter(|(_, rank)| rank.best == 1).map(|(row, _)| row.model.clone()).collect();
    match first.as_slice() {
        [] => "No total has an interval, so no place is given over all tasks.".into(),
        [one] => {
            format!("Over all tasks, {one} holds the first place; no other total's interval reaches it.")
        }
        many => format!(
            "Over all tasks, {} can hold the first place: their totals' intervals overlap.",
            format::list(many, 5)
        ),
    }
}

fn dots(task: &str, slug: &str, groups: &[&GroupRow], draft: &mut Draft) -> Block {
    let rows = groups
        .iter()
        .map(|group| Dot {
            key: draft.key(&group.model).task(task),
            mean: group.summary.value().map(|s| s.mean),
            low: group.mean_interval.value().map(|i| i.low),
            high: group.mean_interval.value().map(|i| i.high),
            points: group.scores.clone(),
            note: format!("n = {}", group.scores.len()),
        })
        .collect();
    let title = format!("Final scores in {task}");
    let drawn = Dots {
        title: title.clone(),
        description: format!(
            "Mean final score of each model in {task} with its 95 % interval and every run."
        ),
        value: Axis::new("Final score").unit("points"),
        rows,
        ..Dots::default()
    }
    .draw();
    let spec = FigureSpec {
        id: format!("leaderboard-{slug}"),
        title,
        how: "Diamonds are means, lines 95 % bootstrap intervals, points single runs.".into(),
        data: Some("data/groups.csv"),
        task: Some(task.to_owned()),
    };
    draft.figure(spec, drawn)
}

fn why<T>(stat: &Stat<T>) -> String {
    stat.reason().map_or_else(String::new, |reason| reason.to_string())
}

fn interval_cell(interval: &Stat<Interval>, decimals: usize) -> CellView {
    let ends = interval.value();
    CellView::interval(ends.map(|i| i.low), ends.map(|i| i.high), decimals, &why(interval))
}

fn rank_cell(rank: Option<RankRange>, why: &str) -> CellView {
    match rank {
        Some(RankRange { best, worst }) if best == worst => CellView::count(best),
        Some(RankRange { best, worst }) => {
            let sort = Some((best + worst).to_string());
            CellView { sort, ..CellView::text(format!("{best}–{worst}")) }
        }
        None => CellView::undefined(why),
    }
}

fn group_table(swarm: &SwarmAnalysis, draft: &mut Draft) -> Block {
    let columns = vec![
        ColumnView::text("Task"),
        ColumnView::text("Model"),
        ColumnView::number("Place", "").explained("Places that the interval allows"),
        ColumnView::number("n", "runs"),
        ColumnView::number("Mean", "points"),
        ColumnView::number("SD", "points"),
        ColumnView::number("95 % interval of the mean", "points"),
        ColumnView::number("Median", "points"),
        ColumnView::number("IQM", "points").explained("Interquartile mean: the mean of the middle half"),
        ColumnView::number("Min", "points"),
        ColumnView::number("Max", "points"),
        ColumnView::number("No score", "runs").explained("Runs without a final score, left out"),
    ];
    let mut rows = Vec::new();
    for task in &swarm.tasks {
        let groups: Vec<&GroupRow> = swarm.groups.iter().filter(|g| g.task == *task).collect();
        let sds: Vec<f64> =
            groups.iter().filter_map(|g| g.summary.value().and_then(|s| s.sd.value().copied())).collect();
        let means: Vec<f64> = groups.iter().filter_map(|g| g.summary.value().map(|s| s.mean)).collect();
        let decimals = format::column_decimals(&sds, &means);
        let best = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for group in groups {
            rows.push(group_row(group, decimals, best));
        }
    }
    let spec = TableSpec {
        id: "groups".into(),
        title: "Final scores by task and model".into(),
        how: "The highest mean of a task is bold; a dash says on hover why there is no number.".into(),
        data: Some("data/groups.csv"),
        task: None,
    };
    draft.table(spec, columns, rows)
}

fn group_row(group: &GroupRow, decimals: usize, best: f64) -> RowView {
    let summary = group.summary.value();
    let reason = why(&group.summary);
    let number = |x: Option<f64>| CellView::maybe(x, decimals, &reason);
    let sd = match summary {
        _ if group.all_equal => {
            CellView::text("0, all equal").explained("Every run has this score; other seeds may differ")
        }
        Some(summary) => CellView::maybe(summary.sd.value().copied(), decimals, &why(&summary.sd)),
        None => CellView::undefined(reason.clone()),
    };
    let mean = summary.map(|s| s.mean);
    RowView {
        cells: vec![
            CellView::text(&group.task),
            CellView::text(&group.model),
            rank_cell(group.rank, "no interval"),
            CellView::count(group.scores.len()),
            number(mean).strong(mean.is_some_and(|mean| mean >= best)),
            sd,
            interval_cell(&group.mean_interval, decimals),
            number(summary.map(|s| s.median)),
            number(summary.map(|s| s.iqm)),
            number(summary.map(|s| s.min)),
            number(summary.map(|s| s.max)),
            CellView::count(group.without_score),
        ],
        model: Some(group.model.clone()),
        task: Some(group.task.clone()),
    }
}

fn total_table(swarm: &SwarmAnalysis, draft: &mut Draft) -> Block {
    let columns = vec![
        ColumnView::text("Model"),
        ColumnView::number("Place", "").explained("Places that the interval allows"),
        ColumnView::number("Tasks", ""),
        ColumnView::number("n", "runs"),
        ColumnView::number("Total", "points").explained("Sum over tasks of the mean final score"),
        ColumnView::number("SD", "points").explained("Of the total over one run a task"),
        ColumnView::number("95 % interval", "points"),
    ];
    let mut totals: Vec<_> = swarm.totals.iter().collect();
    let value = |stat: &Stat<f64>| stat.value().copied().unwrap_or(f64::NEG_INFINITY);
    totals.sort_by(|a, b| {
        (b.tasks, value(&b.total))
            .partial_cmp(&(a.tasks, value(&a.total)))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let sds: Vec<f64> = totals.iter().filter_map(|t| t.sd.value().copied()).collect();
    let means: Vec<f64> = totals.iter().filter_map(|t| t.total.value().copied()).collect();
    let decimals = format::column_decimals(&sds, &means);
    let rows = totals
        .into_iter()
        .map(|total| RowView {
            cells: vec![
                CellView::text(&total.model),
                rank_cell(
                    total.rank,
                    if total.tasks < total.tasks_in_all { "not all tasks" } else { "no interval" },
                ),
                CellView {
                    sort: Some(total.tasks.to_string()),
                    ..CellView::text(format!("{} of {}", total.tasks, total.tasks_in_all))
                },
                CellView::count(total.runs),
                CellView::maybe(total.total.value().copied(), decimals, &why(&total.total)),
                CellView::maybe(total.sd.value().copied(), decimals, &why(&total.sd)),
                interval_cell(&total.interval, decimals),
            ],
            model: Some(total.model.clone()),
            task: None,
        })
        .collect();
    let spec = TableSpec {
        id: "totals".into(),
        title: "Totals over tasks".into(),
        how: "Models with all tasks first, then by total.".into(),
        ..TableSpec::default()
    };
    draft.table(spec, columns, rows)
}
