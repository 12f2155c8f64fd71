//! Groups of runs compared: summary, interval, rank by task; totals over tasks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{RunRow, Settings};
use crate::finding::{Findings, Subject, sb};
use crate::stats::{Interval, Stat, Summary, Undefined, iqm, is_constant, mean};

/// Places that a group may hold, given the intervals: from 1 + the number of groups that lie wholly above, to the
/// number of groups less those that lie wholly below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankRange {
    /// Best place.
    pub best: usize,
    /// Worst place.
    pub worst: usize,
}

/// The final scores of one model (or other group) in one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupRow {
    /// The task.
    pub task: String,
    /// The group's label.
    pub model: String,
    /// Runs.
    pub runs: usize,
    /// Runs among them without a final score, left out of what follows.
    pub without_score: usize,
    /// The final scores, in the order of the runs.
    pub scores: Vec<f64>,
    /// Mean, SD, median, IQM, quartiles, extremes.
    pub summary: Stat<Summary>,
    /// 95 % bootstrap interval of the mean; undefined for one run and where all runs are equal.
    pub mean_interval: Stat<Interval>,
    /// 95 % bootstrap interval of the interquartile mean.
    pub iqm_interval: Stat<Interval>,
    /// Whether all runs have the same score: a spread of 0 then says nothing about other seeds.
    pub all_equal: bool,
    /// Places by overlapping intervals; null without an interval.
    pub rank: Option<RankRange>,
}

/// One group over all tasks: the sum of its task means, as the SwarmBench paper ranks models (Table S.1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TotalRow {
    /// The group's label.
    pub model: String,
    /// Runs with a final score.
    pub runs: usize,
    /// Tasks with at least one.
    pub tasks: usize,
    /// Tasks that any group has. A total over fewer tasks is not comparable and has no rank.
    pub tasks_in_all: usize,
    /// Sum over tasks of the mean final score.
    pub total: Stat<f64>,
    /// 95 % interval, resampled within tasks.
    pub interval: Stat<Interval>,
    /// Standard deviation of the total over one run a task: √Σ SD².
    pub sd: Stat<f64>,
    /// Places by overlapping intervals.
    pub rank: Option<RankRange>,
}

/// Who leads a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskVerdict {
    /// The task.
    pub task: String,
    /// Groups with a mean.
    pub groups: usize,
    /// The group with the highest mean.
    pub leader: String,
    /// The next one.
    pub second: Option<String>,
    /// Difference of their means.
    pub lead: Option<f64>,
    /// Other groups whose mean equals the leader's.
    pub sharing: Vec<String>,
    /// 95 % bootstrap interval of the difference.
    pub lead_interval: Stat<Interval>,
    /// Groups whose interval overlaps the leader's.
    pub tied_with_leader: Vec<String>,
    /// Groups without an interval, of which this can't be said.
    pub unknown: Vec<String>,
}

/// Compares the groups of every task.
pub(super) fn groups(runs: &[RunRow], settings: &Settings, findings: &mut Findings) -> Vec<GroupRow> {
    let mut by_group: BTreeMap<(&str, &str), Vec<&RunRow>> = BTreeMap::new();
    for run in runs {
        by_group.entry((&run.task, &run.group)).or_default().push(run);
    }
    let mut rows: Vec<GroupRow> = by_group
        .into_iter()
        .map(|((task, model), runs)| group(task, model, &runs, settings, findings))
        .collect();
    let mut start = 0;
    while start < rows.len() {
        let len = rows[start..].iter().take_while(|row| row.task == rows[start].task).count();
        let ranks = ranks(rows[start..start + len].iter().map(|row| row.mean_interval.value().copied()));
        for (row, rank) in rows[start..start + len].iter_mut().zip(ranks) {
            row.rank = rank;
        }
        start += len;
    }
    rows
}

fn group(
    task: &str,
    model: &str,
    runs: &[&RunRow],
    settings: &Settings,
    findings: &mut Findings,
) -> GroupRow {
    let scores: Vec<f64> = runs.iter().filter_map(|run| run.final_score).collect();
    let all_equal = scores.len() > 1 && is_constant(&scores);
    let summary = Summary::of(&scores);
    if summary == Err(Undefined::Overflow) {
        let subject = Subject { batch: None, run_id: None, file: None };
        findings.add(&sb::SUM_OVERFLOW, &subject, None, format!("final scores of {model} in {task}"));
    }
    let interval = |statistic: &str, f: fn(&[f64]) -> Result<f64, Undefined>| -> Stat<Interval> {
        if all_equal {
            return Stat::Undefined(Undefined::Constant { which: crate::stats::Input::All });
        }
        let identity = format!("group/{statistic}/{task}/{model}");
        let bootstrap = settings.bootstrap(&identity);
        bootstrap.pooled(&[&scores], f).map(|estimate| estimate.interval).into()
    };
    GroupRow {
        task: task.to_owned(),
        model: model.to_owned(),
        runs: runs.len(),
        without_score: runs.len() - scores.len(),
        summary: summary.into(),
        mean_interval: interval("mean", mean),
        iqm_interval: interval("iqm", iqm),
        all_equal,
        rank: None,
        scores,
    }
}

/// The places that each interval allows among all intervals; groups without one have none and count for nobody.
fn ranks(intervals: impl Iterator<Item = Option<Interval>>) -> Vec<Option<RankRange>> {
    let intervals: Vec<Option<Interval>> = intervals.collect();
    let known: Vec<&Interval> = intervals.iter().flatten().collect();
    intervals
        .iter()
        .map(|own| {
            let own = own.as_ref()?;
            let above = known.iter().filter(|other| other.low > own.high).count();
            let below = known.iter().filter(|other| other.high < own.low).count();
            Some(RankRange { best: 1 + above, worst: known.len() - below })
        })
        .collect()
}

/// Sums each group's means over tasks.
pub(super) fn totals(groups: &[GroupRow], settings: &Settings) -> Vec<TotalRow> {
    let tasks: std::collections::BTreeSet<&str> =
        groups.iter().filter(|g| !g.scores.is_empty()).map(|g| g.task.as_str()).collect();
    let mut by_model: BTreeMap<&str, Vec<&GroupRow>> = BTreeMap::new();
    for group in groups {
        by_model.entry(&group.model).or_default().push(group);
    }
    let mut rows: Vec<TotalRow> =
        by_model.iter().map(|(model, rows)| total(model, rows, tasks.len(), settings)).collect();
    let comparable =
        |row: &TotalRow| if row.tasks == tasks.len() { row.interval.value().copied() } else { None };
    let ranks = ranks(rows.iter().map(comparable));
    for (row, rank) in rows.iter_mut().zip(ranks) {
        row.rank = rank;
    }
    rows
}

fn total(model: &str, rows: &[&GroupRow], tasks_in_all: usize, settings: &Settings) -> TotalRow {
    let scored: Vec<&&GroupRow> = rows.iter().filter(|row| !row.scores.is_empty()).collect();
    let strata: Vec<&[f64]> = scored.iter().map(|row| row.scores.as_slice()).collect();
    let sum_of_means = |strata: &[&[f64]]| -> Result<f64, Undefined> {
        let sum = strata.iter().map(|scores| mean(scores)).sum::<Result<f64, Undefined>>()?;
        if sum.is_finite() { Ok(sum) } else { Err(Undefined::Overflow) }
    };
    let identity = format!("total/{model}");
    let bootstrap = settings.bootstrap(&identity);
    let interval = if scored.iter().all(|row| row.all_equal || row.scores.len() < 2) {
        Err(Undefined::Constant { which: crate::stats::Input::All })
    } else {
        bootstrap.stratified(&strata, sum_of_means).map(|estimate| estimate.interval)
    };
    let variance = scored.iter().try_fold(0.0, |sum, row| {
        let sd = row.summary.value().and_then(|summary| summary.sd.value().copied());
        sd.map(|sd| sum + sd * sd).ok_or(Undefined::TooFew { n: 1, needed: 2 })
    });
    let variance = if scored.is_empty() { Err(Undefined::Empty) } else { variance };
    let finite = |x: f64| if x.is_finite() { Ok(x) } else { Err(Undefined::Overflow) };
    TotalRow {
        model: model.to_owned(),
        runs: strata.iter().map(|scores| scores.len()).sum(),
        tasks: scored.len(),
        tasks_in_all,
        total: if strata.is_empty() { Err(Undefined::Empty) } else { sum_of_means(&strata) }.into(),
        interval: interval.into(),
        sd: variance.and_then(|v| finite(v.sqrt())).into(),
        rank: None,
    }
}

/// Says for each task who leads and by how much.
pub(super) fn verdicts(groups: &[GroupRow], settings: &Settings) -> Vec<TaskVerdict> {
    let mut by_task: BTreeMap<&str, Vec<(&GroupRow, f64)>> = BTreeMap::new();
    for group in groups {
        if let Some(summary) = group.summary.value() {
            by_task.entry(&group.task).or_default().push((group, summary.mean));
        }
    }
    by_task
        .into_iter()
        .filter_map(|(task, mut groups)| {
            groups.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.model.cmp(&b.0.model)));
            let (leader, leader_mean) = *groups.first()?;
            let second = groups.get(1);
            let lead_interval = match second {
                None => Stat::Undefined(Undefined::TooFew { n: 1, needed: 2 }),
                Some((second, _)) => lead_interval(task, leader, second, settings),
            };
            let others = || groups.iter().skip(1).map(|(group, _)| *group);
            let overlaps =
                |group: &&GroupRow| match (group.mean_interval.value(), leader.mean_interval.value()) {
                    (Some(own), Some(lead)) => own.high >= lead.low,
                    _ => false,
                };
            let unknown = |group: &&GroupRow| {
                group.mean_interval.value().is_none() || leader.mean_interval.value().is_none()
            };
            let names =
                |groups: Vec<&GroupRow>| groups.into_iter().map(|group| group.model.clone()).collect();
            Some(TaskVerdict {
                task: task.to_owned(),
                groups: groups.len(),
                leader: leader.model.clone(),
                second: second.map(|(group, _)| group.model.clone()),
                lead: second.map(|(_, mean)| leader_mean - mean).filter(|lead| lead.is_finite()),
                lead_interval,
                sharing: groups
                    .iter()
                    .skip(1)
                    .filter(|(_, mean)| *mean >= leader_mean)
                    .map(|(g, _)| g.model.clone())
                    .collect(),
                tied_with_leader: names(others().filter(overlaps).collect()),
                unknown: names(others().filter(unknown).collect()),
            })
        })
        .collect()
}

fn lead_interval(task: &str, leader: &GroupRow, second: &GroupRow, settings: &Settings) -> Stat<Interval> {
    if (leader.all_equal || leader.scores.len() < 2) && (second.all_equal || second.scores.len() < 2) {
        return Stat::Undefined(Undefined::Constant { which: crate::stats::Input::All });
    }
    let identity = format!("lead/{task}/{}/{}", leader.model, second.model);
    let bootstrap = settings.bootstrap(&identity);
    let difference = |strata: &[&[f64]]| match strata {
        [a, b] => Ok(mean(a)? - mean(b)?),
        _ => Err(Undefined::Empty),
    };
    bootstrap
        .stratified(&[&leader.scores, &second.scores], difference)
        .map(|estimate| estimate.interval)
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(low: f64, high: f64) -> Interval {
        Interval { low, high, level: 0.95 }
    }

    #[test]
    fn ranks_follow_from_overlaps() {
        let ranks = ranks(
            [Some(interval(8.0, 9.0)), Some(interval(5.0, 7.0)), Some(interval(6.0, 8.5)), None].into_iter(),
        );
        let range = |best, worst| Some(RankRange { best, worst });
        // The first overlaps the third only; the second lies below the first; the third overlaps both.
        assert_eq!(ranks, [range(1, 2), range(2, 3), range(1, 3), None]);
    }

    fn runs(scores: &[(&str, f64)]) -> Vec<RunRow> {
        scores.iter().map(|(model, score)| RunRow::for_test("T", model, Some(*score))).collect()
    }

    #[test]
    fn a_group_of_one_and_a_group_of_equals_have_no_interval() {
        let mut findings = Findings::new();
        let settings = Settings::new(1, "e");
        let rows = groups(
            &runs(&[("a", 0.0), ("b", 0.0), ("b", 0.0), ("c", 1.0), ("c", 2.0)]),
            &settings,
            &mut findings,
        );
        let [a, b, c] = rows.as_slice() else { panic!("three groups") };
        assert_eq!(a.mean_interval.reason(), Some(Undefined::TooFew { n: 1, needed: 2 }));
        assert_eq!(a.summary.value().unwrap().sd.value(), None);
        assert!(b.all_equal && b.mean_interval.value().is_none());
        assert!(c.mean_interval.value().is_some_and(|i| i.low >= 1.0 && i.high <= 2.0));
        let verdict = &verdicts(&rows, &settings)[0];
        assert_eq!((verdict.leader.as_str(), verdict.lead), ("c", Some(1.5)));
        assert_eq!(verdict.unknown, ["a", "b"]);
    }

    #[test]
    fn sums_that_overflow_are_undefined_and_found() {
        let mut findings = Findings::new();
        let rows = groups(&runs(&[("a", 1e308), ("a", 1e308)]), &Settings::new(1, "e"), &mut findings);
        // The mean of equal huge values exists; a sum of squares may not.
        assert!(rows[0].summary.value().is_none_or(|s| s.mean.is_finite()));
    }
}
