//! "Memory of a goldfish" by the setting: how the final score goes with the number of remembered rounds.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::RunRow;
use crate::stats::fit_line;

/// The meta key of the setting.
pub const MEMORY_KEY: &str = "memory";

/// The final score over the logged memory setting, of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryRow {
    /// The task.
    pub task: String,
    /// The group; `None` for all groups of the task together.
    pub group: Option<String>,
    /// Runs with a final score and a logged setting.
    pub n: usize,
    /// Runs without either.
    pub dropped: usize,
    /// The settings that occur.
    pub settings: Vec<f64>,
    /// Change of the final score with one more remembered round, in points.
    pub slope: Option<f64>,
    /// Lower end of its 95 % interval.
    pub ci_low: Option<f64>,
    /// Upper end.
    pub ci_high: Option<f64>,
    /// Two-sided p of no change.
    pub p: Option<f64>,
    /// Why there is no slope, or no p.
    pub reason: Option<String>,
}

/// Slope of the final score over the logged `memory`, in points per remembered round, for each task and for each of its groups:
/// least squares, with the interval and p of [`fit_line`].
///
/// Undefined, with the reason, where no setting is logged, where it does not vary, and with fewer than two runs; without interval
/// and p with fewer than three. Source: SwarmBench paper, app. L.5, which proposes the measure, and `last memory` of app. A.
pub(super) fn memory_slopes(runs: &[RunRow], tasks: &[String]) -> Vec<MemoryRow> {
    let mut rows = Vec::new();
    for task in tasks {
        let of_task: Vec<&RunRow> = runs.iter().filter(|run| run.task == *task).collect();
        let groups: BTreeSet<&str> = of_task.iter().map(|run| run.group.as_str()).collect();
        rows.push(one(task, None, &of_task));
        for group in groups {
            let of_group: Vec<&RunRow> = of_task.iter().copied().filter(|run| run.group == group).collect();
            rows.push(one(task, Some(group), &of_group));
        }
    }
    rows
}

fn one(task: &str, group: Option<&str>, runs: &[&RunRow]) -> MemoryRow {
    let pairs: Vec<(f64, f64)> =
        runs.iter().filter_map(|run| Some((run.memory?, run.final_score?))).collect();
    let (x, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
    let mut settings = x.clone();
    settings.sort_by(f64::total_cmp);
    settings.dedup();
    let line = fit_line(&x, &y);
    let interval = line.as_ref().ok().and_then(|line| line.slope_interval.value().copied());
    let reason = match &line {
        _ if runs.iter().all(|run| run.memory.is_none()) => Some(format!("no `{MEMORY_KEY}` is logged")),
        _ if settings.len() == 1 => Some(format!("`{MEMORY_KEY}` is {} in every run", settings[0])),
        Err(why) => Some(why.to_string()),
        Ok(line) => line.slope_p.reason().map(|why| why.to_string()),
    };
    MemoryRow {
        task: task.to_owned(),
        group: group.map(str::to_owned),
        n: x.len(),
        dropped: runs.len() - x.len(),
        settings,
        slope: line.as_ref().ok().map(|line| line.slope),
        ci_low: interval.map(|i| i.low),
        ci_high: interval.map(|i| i.high),
        p: line.ok().and_then(|line| line.slope_p.value().copied()),
        reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(values: &[(Option<f64>, Option<f64>)]) -> Vec<RunRow> {
        let run = |&(memory, score): &(Option<f64>, Option<f64>)| RunRow {
            memory,
            ..RunRow::for_test("T", "m", score)
        };
        values.iter().map(run).collect()
    }

    #[test]
    fn a_slope_by_hand() {
        // Memory 0, 1, 5, 10 with scores 1, 2, 4, 9: mean 4 and 4; Sxy = 12 + 6 + 0 + 30 = 48, Sxx = 16 + 9 + 1 + 36 = 62.
        let some = |x: f64, y: f64| (Some(x), Some(y));
        let logged = [some(0.0, 1.0), some(1.0, 2.0), some(5.0, 4.0), some(10.0, 9.0), (None, Some(3.0))];
        let rows = memory_slopes(&runs(&logged), &["T".to_owned()]);
        assert_eq!((rows.len(), rows[0].group.as_deref(), rows[1].group.as_deref()), (2, None, Some("m")));
        let row = &rows[0];
        assert_eq!((row.n, row.dropped, row.settings.as_slice()), (4, 1, &[0.0, 1.0, 5.0, 10.0][..]));
        assert!((row.slope.unwrap() - 48.0 / 62.0).abs() < 1e-12);
        // Residuals' sum of squares 38 − 48²/62; s² of it over 2; t(2) = 4.302653.
        let half = 4.302_652_729_749_46 * ((38.0 - 48.0 * 48.0 / 62.0) / 2.0 / 62.0f64).sqrt();
        assert!((row.ci_high.unwrap() - (48.0 / 62.0 + half)).abs() < 1e-9, "{row:?}");
        assert!(row.p.is_some() && row.reason.is_none());
    }

    #[test]
    fn without_settings_or_without_variation_there_is_none() {
        let reason = |values: &[(Option<f64>, Option<f64>)]| {
            let row = memory_slopes(&runs(values), &["T".to_owned()]).swap_remove(0);
            assert_eq!((row.slope, row.p), (None, None));
            row.reason.unwrap()
        };
        assert_eq!(reason(&[(None, Some(1.0)), (None, Some(2.0))]), "no `memory` is logged");
        assert_eq!(reason(&[(Some(5.0), Some(1.0)), (Some(5.0), Some(2.0))]), "`memory` is 5 in every run");
        assert!(!reason(&[(Some(5.0), None)]).is_empty());
    }
}
