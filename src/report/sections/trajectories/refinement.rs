//! Agent Refinement of strong and weak agents: figures 5 and 10.

use super::gains::stacked;
use super::{tasks, trajectories};
use crate::analysis::Analysis;
use crate::report::{Content, Draft, PLAIN, Section, unique_slugs};

pub(in crate::report) const SECTION: Section =
    Section { id: "agent-refinement", title: "Agent Refinement", template: PLAIN, build };

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let all = trajectories(analysis)?;
    let tasks = tasks(all);
    let slugs = unique_slugs(&tasks);
    let mut blocks = Vec::new();
    for task in &tasks {
        blocks.push(stacked(all, task, &slugs[task], "ar_strong", "Strong agents", draft));
        blocks.push(stacked(all, task, &slugs[task], "ar_weak", "Weak agents", draft));
    }
    Some(Content {
        lead: vec![
            "Strong agents start at the best initial score of their unit, weak ones below it; the bars show where their final proposals end."
                .into(),
        ],
        blocks,
        how: vec![
            "Strong agents have the labels of Gain Against Best, with the agent's final score in place of the answer's. Weak agents: Surpass \
             above b, Reach equal to b, Partial above their own initial score, Keep equal to it, Degrade below it (MASTraceBench, AR). \
             Methods without revision keep by construction."
                .into(),
        ],
        ..Content::default()
    })
}
