//! Score by round.

use crate::analysis::{Analysis, Series};
use crate::figures::{Axis, LineBands, LinePanel, LinePoint, LineSeries};
use crate::report::{Content, Draft, FigureSpec, PLAIN, Section, format};

pub(in crate::report) const SECTION: Section =
    Section { id: "scores", title: "Score by round", template: PLAIN, build };

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let swarm = analysis.swarm.as_ref()?;
    let panels = swarm
        .tasks
        .iter()
        .map(|task| LinePanel {
            title: task.clone(),
            y: Axis::new("Score").unit("points"),
            series: swarm
                .scores
                .iter()
                .filter(|series| series.task == *task)
                .map(|s| line(s, draft))
                .collect(),
        })
        .collect();
    let title = "Mean score by round".to_owned();
    let drawn = LineBands {
        title: title.clone(),
        description: "Mean score over runs by round, one panel for each task, one line for each model."
            .into(),
        x: Axis::new("Round").whole(),
        panels,
        shared_y: false,
        ..LineBands::default()
    }
    .draw();
    let spec = FigureSpec {
        id: "score-by-round".into(),
        title,
        how: "Lines are means over runs, bands ± 1 SD. Runs that ended before the task's last round go on with their final \
              score."
            .into(),
        data: Some("data/rounds.csv"),
        task: None,
    };
    let carried = swarm.scores.iter().filter(|series| series.carried.iter().any(|&n| n > 0)).count();
    let most =
        swarm.scores.iter().filter_map(|series| series.carried.iter().copied().max()).max().unwrap_or(0);
    let lead = if carried == 0 {
        "Every run lasted as long as the longest of its task, so no score is carried forward.".to_owned()
    } else {
        let groups = format::counted(carried, "group has", "groups have");
        let runs = format::counted(most as usize, "run", "runs");
        format!(
            "{groups} runs that ended early; up to {runs} of a group are carried forward with their final score."
        )
    };
    Some(Content {
        lead: vec![lead],
        blocks: vec![draft.figure(spec, drawn)],
        how: vec![
            "Mean and sample SD over the runs of a model, by round; the score of a round is the one before its decisions. A run \
             that ended early counts with its final score in every later round that any run of the task has (as Figure 5 of the \
             SwarmBench paper); how many are carried stands in the tooltips and in analysis.json. Rounds without a score are not \
             counted."
                .into(),
        ],
        ..Content::default()
    })
}

/// A series of means with a band of one SD.
pub(super) fn line(series: &Series, draft: &mut Draft) -> LineSeries {
    let points = (0..series.rounds.len())
        .map(|at| {
            let (mean, sd) = (series.mean[at], series.sd[at]);
            LinePoint {
                x: f64::from(series.rounds[at]),
                mean: Some(mean),
                low: sd.map(|sd| mean - sd),
                high: sd.map(|sd| mean + sd),
                n: series.n[at] as usize,
            }
        })
        .collect();
    LineSeries { key: draft.key(&series.model).task(&series.task), points }
}
