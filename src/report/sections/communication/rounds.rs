//! Convergence and message length by round: the form of figures 3 to 5.

use super::{communication, key, runs, tasks};
use crate::analysis::Analysis;
use crate::communication::{Communication, Part, RoundRow, RunIdentity};
use crate::figures::{Axis, LineBands, LinePanel, LinePoint, LineSeries};
use crate::report::{Content, Draft, FigureSpec, PLAIN, Section, unique_slugs};

pub(in crate::report) const SECTION: Section =
    Section { id: "communication-rounds", title: "Convergence and message length", template: PLAIN, build };

/// One measure by round: its axis and how a round's row gives it.
struct Measure {
    id: &'static str,
    title: &'static str,
    unit: &'static str,
    how: &'static str,
    value: fn(&RoundRow) -> Option<f64>,
    n: fn(&RoundRow) -> u64,
}

const MEASURES: [Measure; 3] = [
    Measure {
        id: "score",
        title: "Score",
        unit: "points",
        how: "Mean over instances of the score after each round; an episode that ended keeps its last score.",
        value: |row| row.score,
        n: |row| row.scored_episodes,
    },
    Measure {
        id: "tokens",
        title: "Tokens per message",
        unit: "tokens",
        how: "Mean over the round's messages of all episodes.",
        value: |row| row.tokens_per_message,
        n: |row| row.messages,
    },
    Measure {
        id: "characters",
        title: "Characters per message",
        unit: "characters",
        how: "Mean over the round's messages of all episodes.",
        value: |row| row.characters_per_message,
        n: |row| row.messages,
    },
];

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let all = communication(analysis)?;
    let tasks = tasks(all);
    let slugs = unique_slugs(&tasks);
    let mut blocks = Vec::new();
    for task in &tasks {
        let runs = runs(all, task);
        for measure in &MEASURES {
            let title = format!("{} by round in {task}", measure.title);
            let drawn = LineBands {
                title: title.clone(),
                description: format!(
                    "{} by round in {task}: one panel a split, one line a run.",
                    measure.title
                ),
                x: Axis::new("Round").whole(),
                panels: panels(all, measure, &runs),
                shared_y: true,
                ..LineBands::default()
            }
            .draw();
            let spec = FigureSpec {
                id: format!("round-{}-{}", measure.id, slugs[task]),
                title,
                how: measure.how.into(),
                data: Some("data/communication_rounds.csv"),
                task: Some(task.clone()),
            };
            blocks.push(draft.figure(spec, drawn));
        }
    }
    let scored = all.rounds.iter().any(|row| row.score.is_some());
    let lead = if scored {
        "How fast runs reach their score, and how long their messages are on the way, apart for Simple and Complex."
    } else {
        "How long messages are by round, apart for Simple and Complex; no run logs its score by round."
    };
    Some(Content {
        lead: vec![lead.to_owned()],
        blocks,
        how: vec!["Repeats of an instance are averaged first for the score. Rounds without a message have no length; they are left out, not 0.".into()],
        ..Content::default()
    })
}

fn panels(all: &Communication, measure: &Measure, runs: &[&RunIdentity]) -> Vec<LinePanel> {
    [Part::Simple, Part::Complex]
        .into_iter()
        .map(|part| {
            let series = runs.iter().filter_map(|run| {
                let points: Vec<LinePoint> = all
                    .rounds
                    .iter()
                    .filter(|row| row.run_id == run.run_id && row.batch == run.batch && row.split == part)
                    .filter(|row| (measure.value)(row).is_some())
                    .map(|row| LinePoint {
                        x: f64::from(row.round),
                        mean: (measure.value)(row),
                        low: None,
                        high: None,
                        n: (measure.n)(row) as usize,
                    })
                    .collect();
                (!points.is_empty()).then(|| LineSeries { key: key(run, runs), points })
            });
            let title = if part == Part::Simple { "Simple" } else { "Complex" };
            LinePanel {
                title: title.to_owned(),
                y: Axis::new(measure.title).unit(measure.unit),
                series: series.collect(),
            }
        })
        .collect()
}
