//! Gain Against Best: figure 4.

use super::{DATA, label, tasks, trajectories};
use crate::analysis::Analysis;
use crate::figures::{Axis, Bar, BarPart, Bars, Key};
use crate::report::block::Block;
use crate::report::{Content, Draft, FigureSpec, PLAIN, Section, format, unique_slugs};
use crate::trajectory::metric::METRICS;
use crate::trajectory::overview::{GroupRow, Trajectories, estimate_of};

pub(in crate::report) const SECTION: Section =
    Section { id: "gain-against-best", title: "Gain Against Best", template: PLAIN, build };

/// Colours of the labels from good to bad: blue, sky, yellow, vermilion; a weak agent's five have pink in the middle.
fn colours(labels: usize) -> &'static [usize] {
    if labels == 5 { &[0, 4, 5, 6, 3] } else { &[0, 4, 6, 3] }
}

/// A stacked bar for a group: the shares of the labels of one kind. `None` where it has no label of the kind.
fn bar(all: &Trajectories, group: &GroupRow, kind: &str) -> Option<Bar> {
    let shares: Vec<_> = METRICS
        .iter()
        .filter_map(|metric| Some((metric, metric.label.filter(|label| label.of == kind)?)))
        .collect();
    let mut n = 0;
    let parts: Vec<BarPart> = shares
        .iter()
        .zip(colours(shares.len()))
        .map(|((metric, name), &colour)| {
            let share = estimate_of(&group.estimates, metric.id);
            n = share.n;
            let detail = match (share.low, share.high) {
                (Some(low), Some(high)) => format!("interval {}", format::interval(low, high, 1)),
                _ => String::new(),
            };
            BarPart {
                key: Key::new(name.name, colour).task(&group.task),
                value: share.value,
                detail,
                ..BarPart::default()
            }
        })
        .collect();
    let known = parts.iter().any(|part| part.value.is_some());
    known.then(|| Bar { label: label(all, group), parts, note: format!("n = {n}") })
}

/// The stacked bars of one task.
pub(super) fn stacked(
    all: &Trajectories,
    task: &str,
    slug: &str,
    kind: &str,
    what: &str,
    draft: &mut Draft,
) -> Block {
    let rows = all
        .groups
        .iter()
        .filter(|group| group.task == task)
        .filter_map(|group| bar(all, group, kind))
        .collect();
    let title = format!("{what} in {task}");
    let drawn = Bars {
        title: title.clone(),
        description: format!("Shares of the labels in {task}, one bar for each method."),
        value: Axis::new("Share").unit("%"),
        rows,
        stacked: true,
        ..Bars::default()
    }
    .draw();
    let spec = FigureSpec {
        id: format!("{}-{slug}", kind.replace('_', "-")),
        title,
        how: "Each bar is 100 % of what has a label; n stands at its end, intervals in the tooltips.".into(),
        data: DATA,
        task: Some(task.to_owned()),
    };
    draft.figure(spec, drawn)
}

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let all = trajectories(analysis)?;
    let tasks = tasks(all);
    let slugs = unique_slugs(&tasks);
    let blocks = tasks
        .iter()
        .map(|task| stacked(all, task, &slugs[task], "gab", "Gain Against Best", draft))
        .collect();
    let unlabelled: u64 = all.runs.iter().map(|run| run.unlabelled).sum();
    let mut lead: Vec<String> = tasks.iter().filter_map(|task| sentence(all, task)).collect();
    if unlabelled > 0 {
        lead.push(format!(
            "{} no label, because answer, initial proposals or S⋆ have no score.",
            format::counted(unlabelled as usize, "unit has", "units have")
        ));
    }
    Some(Content {
        lead,
        blocks,
        how: vec![
            "b is the best initial score of a unit's proposers, S⋆ the highest attainable score. Improve: the answer scores above b; \
             Regress: below; OptKeep: equal to b and b = S⋆; SubKeep: equal to b, below S⋆ (MASTraceBench, GAB). Scores are equal when \
             they differ by at most 1e-9 · max(1, |a|, |b|)."
                .into(),
        ],
        ..Content::default()
    })
}

/// Least and most regressing method of a task.
fn sentence(all: &Trajectories, task: &str) -> Option<String> {
    let mut shares: Vec<(f64, String)> = all
        .groups
        .iter()
        .filter(|group| group.task == task && group.method != crate::trajectory::method::BASELINE)
        .filter_map(|group| Some((estimate_of(&group.estimates, "gab_regress").value?, label(all, group))))
        .collect();
    shares.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ((least, calm), (most, wild)) = (shares.first()?, shares.last()?);
    (calm != wild).then(|| {
        format!(
            "{task}: answers fall below the best initial proposal least often with {calm} ({} % of units) and most often with {wild} ({} %).",
            format::fixed(*least, 1),
            format::fixed(*most, 1)
        )
    })
}
