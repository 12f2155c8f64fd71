//! Task Score and Collaboration Gain: table 2 of the MASTraceBench paper.

use super::{DATA, matrix, trajectories};
use crate::analysis::Analysis;
use crate::report::{Content, Draft, PLAIN, Section, TableSpec, format};
use crate::trajectory::overview::Trajectories;
use crate::trajectory::verdict::ScoreVerdict;

pub(in crate::report) const SECTION: Section =
    Section { id: "task-scores", title: "Task Score and Collaboration Gain", template: PLAIN, build };

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let all = trajectories(analysis)?;
    let higher: fn(f64, f64) -> bool = |a, b| a > b;
    let scores = matrix(
        all,
        draft,
        TableSpec {
            id: "task-score".into(),
            title: "Task Score by method and task".into(),
            how: "The highest score of a task is bold; brackets are intervals.".into(),
            data: DATA,
            task: None,
        },
        "task_score",
        2,
        Some(higher),
    );
    let gains = matrix(
        all,
        draft,
        TableSpec {
            id: "collaboration-gain".into(),
            title: "Collaboration Gain over the Single-Agent baseline".into(),
            how: "The highest gain of a task is bold. An interval that holds 0 does not tell the method from the baseline.".into(),
            data: DATA,
            task: None,
        },
        "collaboration_gain",
        2,
        Some(higher),
    );
    Some(Content {
        lead: all.verdicts.iter().map(|verdict| sentence(all, verdict)).collect(),
        blocks: vec![scores, gains],
        how: vec![
            "Task Score (MASTraceBench, eq. 2): mean score of the answers in static tasks, mean episode score in dynamic ones, \
             0–100. Collaboration Gain (eq. 3): Task Score − that of the Single-Agent run of the same benchmark, task and model, \
             both on the instances that both have."
                .into(),
            format!(
                "Intervals: {:.0} % percentile intervals of {} bootstrap resamples of units (episodes in dynamic tasks); gains are \
                 resampled in pairs with the baseline. Above 1 024 units, units are resampled in 1 024 random blocks.",
                analysis.settings.level * 100.0,
                analysis.settings.resamples
            ),
            "Methods whose interval reaches up to the leader's lower end are called not told apart from it.".into(),
        ],
        ..Content::default()
    })
}

fn sentence(all: &Trajectories, verdict: &ScoreVerdict) -> String {
    let several = all.groups.iter().any(|group| group.model != verdict.best.model);
    let name = |group: &crate::trajectory::verdict::GroupName| {
        if several { format!("{} ({})", group.method, group.model) } else { group.method.clone() }
    };
    let best = name(&verdict.best);
    let score = format::fixed(verdict.score, 1);
    match &verdict.tied {
        None => format!(
            "{}: {best} has the highest Task Score ({score}); it has no interval, so ties can't be told.",
            verdict.task
        ),
        Some(tied) if tied.is_empty() => {
            format!(
                "{}: {best} leads with {score}; no other method's interval reaches its own.",
                verdict.task
            )
        }
        Some(tied) => {
            let names: Vec<String> = tied.iter().map(name).collect();
            format!(
                "{}: {best} has the highest Task Score ({score}), not told apart from {}.",
                verdict.task,
                format::list(&names, 4)
            )
        }
    }
}
