//! Aggregation loss, output validity and final-proposal agreement: figure 6 and table 9.

use super::{DATA, group, labels, matrix, tasks, trajectories};
use crate::analysis::Analysis;
use crate::figures::{Cell, Colouring, HeatMap};
use crate::report::{Content, Draft, FigureSpec, PLAIN, Section, TableSpec, format};
use crate::trajectory::overview::estimate_of;

pub(in crate::report) const SECTION: Section =
    Section { id: "aggregation", title: "Aggregation, validity, agreement", template: PLAIN, build };

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let all = trajectories(analysis)?;
    let (tasks, names) = (tasks(all), labels(all));
    let value = |task: &str, name: &str, id: &str| {
        group(all, task, name).and_then(|group| estimate_of(&group.estimates, id).value)
    };
    let cells = names
        .iter()
        .map(|name| tasks.iter().map(|task| Cell::of(value(task, name, "aggregation_loss"))).collect())
        .collect();
    let title = "Aggregation Loss".to_owned();
    let drawn = HeatMap {
        title: title.clone(),
        description:
            "Mean points between the best final proposal and the answer, methods down, tasks across.".into(),
        rows: names.clone(),
        columns: tasks.clone(),
        cells,
        colouring: Colouring::Diverging { limit: None },
        value: "Aggregation Loss (points)".into(),
        ..HeatMap::default()
    }
    .draw();
    let figure = draft.figure(
        FigureSpec {
            id: "aggregation-loss-map".into(),
            title,
            how: "Below 0 the answer is better than every final proposal: something new was put together."
                .into(),
            data: DATA,
            task: None,
        },
        drawn,
    );
    let mut table = |id: &str, title: &str, how: &str, metric: &str| {
        let spec = TableSpec { id: id.into(), title: title.into(), how: how.into(), data: DATA, task: None };
        matrix(all, draft, spec, metric, 2, None)
    };
    let blocks = vec![
        figure,
        table("aggregation-loss", "Aggregation Loss with intervals", "Lower is better.", "aggregation_loss"),
        table(
            "output-validity",
            "Output Validity",
            "Share of recorded outputs that could be extracted and scored.",
            "output_validity",
        ),
        table(
            "final-proposal-agreement",
            "Final-Proposal Agreement",
            "Share of units whose final proposals are all the same.",
            "final_proposal_agreement",
        ),
    ];
    let lead = tasks
        .iter()
        .filter_map(|task| {
            let of = |id| Some((value(task, "Consistency", id)?, value(task, "Int. Debate", id)?));
            let ((c_loss, d_loss), (c_agree, d_agree)) = (of("aggregation_loss")?, of("final_proposal_agreement")?);
            let number = |x| format::fixed(x, 1);
            Some(format!(
                "{task}: from Consistency to Int. Debate, agreement goes from {} to {} % and aggregation loss from {} to {} points.",
                number(c_agree), number(d_agree), number(c_loss), number(d_loss)
            ))
        })
        .collect();
    Some(Content {
        lead,
        blocks,
        how: vec![
            "Aggregation Loss (MASTraceBench, eq. 4): mean over units of best final score − answer's score. Output Validity (eq. 23): valid \
             outputs of all recorded ones (initial and final proposals, answers). Final-Proposal Agreement (eq. 24): contents compared as canonical \
             JSON; only units with two or more proposers."
                .into(),
        ],
        ..Content::default()
    })
}
