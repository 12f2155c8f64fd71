//! Which method leads a task, which are not told apart from it, and which give most gain for their tokens.

use serde::{Deserialize, Serialize};

use super::overview::{GroupRow, estimate_of};

/// A group's name within its task: method, model and further keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GroupName {
    /// The method.
    pub method: String,
    /// The model.
    pub model: String,
}

/// Who leads a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoreVerdict {
    /// The task.
    pub task: String,
    /// The group with the highest task score; the first one at equal scores.
    pub best: GroupName,
    /// Its score.
    pub score: f64,
    /// Groups that are not told apart from it: their interval reaches up to the lower end of its own. Null where it has no interval.
    pub tied: Option<Vec<GroupName>>,
}

/// A group's place in the plane of token multiplier and gain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CostPoint {
    /// The task.
    pub task: String,
    /// The group.
    pub group: GroupName,
    /// Token multiplier.
    pub multiplier: f64,
    /// Collaboration gain; 0 for the baseline, from which it is measured.
    pub gain: f64,
    /// Whether no other group of the task has at most the tokens and at least the gain, one of them strictly better.
    pub on_front: bool,
}

fn name(group: &GroupRow) -> GroupName {
    GroupName { method: group.method.clone(), model: group.model.clone() }
}

fn tasks(groups: &[GroupRow]) -> Vec<&str> {
    let mut tasks: Vec<&str> = Vec::new();
    for group in groups {
        if !tasks.contains(&group.task.as_str()) {
            tasks.push(&group.task);
        }
    }
    tasks
}

/// The leaders of all tasks. Intervals that overlap are taken as a tie, which is cautious: differences may still be real.
pub fn score_verdicts(groups: &[GroupRow]) -> Vec<ScoreVerdict> {
    tasks(groups)
        .into_iter()
        .filter_map(|task| {
            let here: Vec<_> = groups
                .iter()
                .filter(|group| group.task == task)
                .map(|group| (group, estimate_of(&group.estimates, "task_score")))
                .collect();
            let (best, top) = here.iter().filter(|(_, score)| score.value.is_some()).fold(
                None,
                |best: Option<(&GroupRow, super::metric::Estimate)>, (group, score)| match best {
                    Some((_, top)) if top.value >= score.value => best,
                    _ => Some((group, *score)),
                },
            )?;
            let tied = top.low.map(|low| {
                here.iter()
                    .filter(|(group, score)| {
                        !std::ptr::eq(*group, best) && score.high.or(score.value) >= Some(low)
                    })
                    .map(|(group, _)| name(group))
                    .collect()
            });
            Some(ScoreVerdict { task: task.to_owned(), best: name(best), score: top.value?, tied })
        })
        .collect()
}

/// All groups that have both values, task by task.
pub fn cost_points(groups: &[GroupRow], baseline: &str) -> Vec<CostPoint> {
    let mut points: Vec<CostPoint> = groups
        .iter()
        .filter_map(|group| {
            let value = |id| estimate_of(&group.estimates, id).value;
            let gain = value("collaboration_gain").or((group.method == baseline).then_some(0.0))?;
            let multiplier = value("token_multiplier")?;
            Some(CostPoint {
                task: group.task.clone(),
                group: name(group),
                multiplier,
                gain,
                on_front: false,
            })
        })
        .collect();
    let fronts: Vec<bool> = points
        .iter()
        .map(|point| {
            !points.iter().any(|other| {
                other.task == point.task
                    && other.multiplier <= point.multiplier
                    && other.gain >= point.gain
                    && (other.multiplier < point.multiplier || other.gain > point.gain)
            })
        })
        .collect();
    for (point, on_front) in points.iter_mut().zip(fronts) {
        point.on_front = on_front;
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trajectory::metric::{Estimate, METRICS, position};
    use std::collections::BTreeMap;

    fn group(method: &str, score: (f64, f64, f64), gain: Option<f64>, tokens: f64) -> GroupRow {
        let mut estimates = vec![Estimate::default(); METRICS.len()];
        let mut set = |id: &str, value, low, high| {
            estimates[position(id).unwrap()] = Estimate { value, low, high, n: 1 };
        };
        set("task_score", Some(score.0), Some(score.1), Some(score.2));
        set("collaboration_gain", gain, None, None);
        set("token_multiplier", Some(tokens), None, None);
        GroupRow {
            task: "MAPF".into(),
            method: method.into(),
            model: "m".into(),
            by: BTreeMap::new(),
            runs: 1,
            estimates,
        }
    }

    #[test]
    fn leader_ties_and_front_by_hand() {
        let groups = [
            group("Single-Agent", (50.0, 45.0, 55.0), None, 1.0),
            group("A", (70.0, 62.0, 78.0), Some(20.0), 4.0),
            group("B", (66.0, 60.0, 72.0), Some(16.0), 3.0),
            group("C", (60.0, 58.0, 61.0), Some(10.0), 5.0),
        ];
        let verdicts = score_verdicts(&groups);
        assert_eq!((verdicts.len(), verdicts[0].best.method.as_str()), (1, "A"));
        let tied: Vec<&str> = verdicts[0].tied.as_ref().unwrap().iter().map(|g| g.method.as_str()).collect();
        assert_eq!(tied, ["B"]);
        let front: Vec<bool> = cost_points(&groups, "Single-Agent").iter().map(|p| p.on_front).collect();
        assert_eq!(front, [true, true, true, false]);
    }
}
