//! Group dynamics by round: small multiples, one figure a task.

use crate::analysis::{Analysis, Series};
use crate::features::FEATURES;
use crate::figures::{Axis, LineBands, LinePanel};
use crate::report::{Content, Draft, FigureSpec, PLAIN, Section, format, unique_slugs};

use super::scores::line;

pub(in crate::report) const SECTION: Section =
    Section { id: "dynamics", title: "Group dynamics by round", template: PLAIN, build };

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let swarm = analysis.swarm.as_ref()?;
    let slugs = unique_slugs(&swarm.tasks);
    let mut blocks = Vec::new();
    for task in &swarm.tasks {
        let of_task: Vec<&Series> = swarm.dynamics.iter().filter(|series| series.task == *task).collect();
        let panels = FEATURES
            .iter()
            .filter_map(|feature| {
                let series: Vec<_> = of_task
                    .iter()
                    .filter(|series| series.measure == feature.id)
                    .map(|s| line(s, draft))
                    .collect();
                let unit = if feature.unit == "1" { "" } else { feature.unit };
                let y = Axis::new("").unit(unit);
                let title = if unit.is_empty() {
                    feature.title.to_owned()
                } else {
                    format!("{} ({unit})", feature.title)
                };
                (!series.is_empty()).then_some(LinePanel {
                    title,
                    y: Axis { unit: String::new(), ..y },
                    series,
                })
            })
            .collect();
        let title = format!("Group dynamics in {task}");
        let drawn = LineBands {
            title: title.clone(),
            description: format!(
                "Each measure of group dynamics by round in {task}: one panel a measure, one line a model."
            ),
            x: Axis::new("Round").whole(),
            panels,
            shared_y: false,
            ..LineBands::default()
        }
        .draw();
        let spec = FigureSpec {
            id: format!("dynamics-{}", slugs[task]),
            title,
            how: "Lines are means over the runs that define the measure in that round, bands ± 1 SD.".into(),
            data: Some("data/rounds.csv"),
            task: Some(task.clone()),
        };
        blocks.push(draft.figure(spec, drawn));
    }
    let measures = FEATURES.iter().filter(|feature| feature.per_round()).count();
    Some(Content {
        lead: vec![format!(
            "{} by round for {}; a round in which a measure is undefined is left out of its mean, never counted as 0.",
            format::counted(measures, "measure", "measures"),
            format::counted(swarm.tasks.len(), "task", "tasks"),
        )],
        blocks,
        how: vec![
            "Definitions, units and sources of the measures stand in the glossary of the last section. Runs that have ended do not \
             count in later rounds, so late rounds may rest on fewer runs (n in analysis.json)."
                .into(),
        ],
        ..Content::default()
    })
}
