//! Token cost, and what it buys: tables 3 and 10, cost against gain.

use super::{DATA, matrix, tasks, trajectories};
use crate::analysis::Analysis;
use crate::figures::{Axis, FrontPoint, Key, Scatter, ScatterGroup, ScatterPoint};
use crate::report::block::Block;
use crate::report::{Content, Draft, FigureSpec, PLAIN, Section, TableSpec, format, unique_slugs};
use crate::trajectory::overview::{Trajectories, estimate_of};
use crate::trajectory::verdict::CostPoint;

pub(in crate::report) const SECTION: Section =
    Section { id: "token-cost", title: "Token cost and gain", template: PLAIN, build };

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let all = trajectories(analysis)?;
    let tasks = tasks(all);
    let slugs = unique_slugs(&tasks);
    let mut blocks = vec![matrix(
        all,
        draft,
        TableSpec {
            id: "token-multipliers".into(),
            title: "Token cost multipliers over the Single-Agent baseline".into(),
            how: "Mean tokens per unit, divided by the baseline's on the same instances.".into(),
            data: DATA,
            task: None,
        },
        "token_multiplier",
        2,
        None,
    )];
    blocks.extend(tasks.iter().map(|task| scatter(all, task, &slugs[task], draft)));
    Some(Content {
        lead: tasks.iter().filter_map(|task| sentence(all, task)).collect(),
        blocks,
        how: vec![
            "Token Cost (MASTraceBench, eq. 5): tokens of all agent calls, mean per unit. A method lies on the front when no other of its task has at \
             most its tokens and at least its gain, one of them strictly better; the baseline stands at 1 × and gain 0."
                .into(),
        ],
        ..Content::default()
    })
}

fn front<'a>(all: &'a Trajectories, task: &str) -> Vec<&'a CostPoint> {
    let mut front: Vec<&CostPoint> =
        all.costs.iter().filter(|point| point.task == task && point.on_front).collect();
    front.sort_by(|a, b| a.multiplier.total_cmp(&b.multiplier).then(a.gain.total_cmp(&b.gain)));
    front
}

fn sentence(all: &Trajectories, task: &str) -> Option<String> {
    let names: Vec<String> = front(all, task).iter().map(|point| point.group.method.clone()).collect();
    (names.len() > 1)
        .then(|| format!("{task}: no method gives more for fewer tokens than {}.", format::list(&names, 6)))
}

fn scatter(all: &Trajectories, task: &str, slug: &str, draft: &mut Draft) -> Block {
    let groups = all
        .costs
        .iter()
        .filter(|point| point.task == task)
        .map(|point| {
            let group = all.groups.iter().find(|group| {
                group.task == task && group.method == point.group.method && group.model == point.group.model
            });
            let gain =
                group.map(|group| estimate_of(&group.estimates, "collaboration_gain")).unwrap_or_default();
            ScatterGroup {
                key: Key::new(&point.group.model, draft.colour(&point.group.model))
                    .model(&point.group.model)
                    .task(task),
                points: vec![ScatterPoint {
                    x: Some(point.multiplier),
                    y: Some(point.gain),
                    low: gain.low,
                    high: gain.high,
                    label: point.group.method.clone(),
                    detail: format!("{} ({})", point.group.method, point.group.model),
                }],
            }
        })
        .collect();
    let title = format!("Cost against gain in {task}");
    let drawn = Scatter {
        title: title.clone(),
        description: format!(
            "Token multiplier and Collaboration Gain of each method in {task}, with the Pareto front."
        ),
        x: Axis::new("Token multiplier").unit("×"),
        y: Axis::new("Collaboration Gain").unit("points"),
        groups,
        front: front(all, task)
            .iter()
            .map(|point| FrontPoint { x: point.multiplier, y: point.gain })
            .collect(),
        ..Scatter::default()
    }
    .draw();
    let spec = FigureSpec {
        id: format!("cost-gain-{slug}"),
        title,
        how: "The line joins the methods on the Pareto front; vertical lines are intervals of the gain."
            .into(),
        data: DATA,
        task: Some(task.to_owned()),
    };
    draft.figure(spec, drawn)
}
