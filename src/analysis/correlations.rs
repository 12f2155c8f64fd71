//! Correlations by task: every feature with the final score, and all pairs of features.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::RunRow;
use crate::features::FEATURES;
use crate::stats::{
    CompletePairs, Correlation, Interval, Line, Stat, Undefined, benjamini_hochberg, fit_line, holm, pearson,
    spearman,
};

/// The column that features are correlated with.
pub const TARGET_SCORE: &str = "final_score";

/// Which correlation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Product-moment correlation.
    Pearson,
    /// Rank correlation.
    Spearman,
}

impl Method {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Pearson, Self::Spearman];

    /// The lower-case name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pearson => "pearson",
            Self::Spearman => "spearman",
        }
    }
}

/// A correlation over the runs of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CorrelationRow {
    /// The task.
    pub task: String,
    /// A feature's id.
    pub feature: String,
    /// `final_score`, or another feature's id.
    pub target: String,
    /// Which correlation.
    pub method: Method,
    /// Runs that have both values.
    pub n: usize,
    /// Runs left out because one is missing.
    pub dropped: usize,
    /// The coefficient.
    pub r: Option<f64>,
    /// Lower end of the 95 % interval.
    pub ci_low: Option<f64>,
    /// Upper end.
    pub ci_high: Option<f64>,
    /// Two-sided p-value.
    pub p: Option<f64>,
    /// After Holm, within the task and method: the features' family with the score, or that of all pairs.
    pub p_holm: Option<f64>,
    /// After Benjamini and Hochberg, within the same family.
    pub p_bh: Option<f64>,
    /// Why there is no coefficient.
    pub reason: Option<String>,
}

/// The feature that goes most closely with the final score of a task, with its line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StrongestRow {
    /// The task.
    pub task: String,
    /// The feature with the largest |Pearson r|.
    pub feature: String,
    /// Final score on the feature, least squares.
    pub line: Stat<Line>,
    /// The line at even steps over the feature's range: x, fitted mean, 95 % band of the mean.
    pub band: Vec<BandPoint>,
}

/// A point of a fitted line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BandPoint {
    /// The feature.
    pub x: f64,
    /// The fitted score.
    pub y: f64,
    /// Its interval.
    pub interval: Stat<Interval>,
}

/// Points of a drawn line.
const BAND_POINTS: usize = 25;

/// All correlations, task by task: with the score first, then the pairs in the registry's order.
pub(super) fn correlations(runs: &[RunRow]) -> Vec<CorrelationRow> {
    let mut by_task: BTreeMap<&str, Vec<&RunRow>> = BTreeMap::new();
    for run in runs {
        by_task.entry(&run.task).or_default().push(run);
    }
    let tasks: Vec<(&str, Vec<&RunRow>)> = by_task.into_iter().collect();
    tasks.par_iter().flat_map_iter(|(task, runs)| of_task(task, runs)).collect()
}

fn of_task(task: &str, runs: &[&RunRow]) -> Vec<CorrelationRow> {
    let column = |at: usize| -> Vec<Option<f64>> {
        runs.iter().map(|run| run.values.get(at).copied().flatten()).collect()
    };
    let columns: Vec<Vec<Option<f64>>> = (0..FEATURES.len()).map(column).collect();
    let scores: Vec<Option<f64>> = runs.iter().map(|run| run.final_score).collect();
    let mut rows = Vec::new();
    for method in Method::ALL {
        let mut with_score: Vec<CorrelationRow> = FEATURES
            .iter()
            .zip(&columns)
            .map(|(feature, x)| row(task, (feature.id, x), (TARGET_SCORE, &scores), method))
            .collect();
        adjust(&mut with_score);
        rows.append(&mut with_score);
    }
    for method in Method::ALL {
        let mut pairs: Vec<CorrelationRow> = (0..FEATURES.len())
            .flat_map(|a| (a + 1..FEATURES.len()).map(move |b| (a, b)))
            .map(|(a, b)| row(task, (FEATURES[a].id, &columns[a]), (FEATURES[b].id, &columns[b]), method))
            .collect();
        adjust(&mut pairs);
        rows.append(&mut pairs);
    }
    rows
}

fn row(task: &str, x: (&str, &[Option<f64>]), y: (&str, &[Option<f64>]), method: Method) -> CorrelationRow {
    let pairs = CompletePairs::of(x.1.iter().copied().zip(y.1.iter().copied()));
    let result: Result<Correlation, Undefined> = match method {
        Method::Pearson => pearson(&pairs.x, &pairs.y),
        Method::Spearman => spearman(&pairs.x, &pairs.y),
    };
    let interval = result.ok().and_then(|c| c.interval.value().copied());
    CorrelationRow {
        task: task.to_owned(),
        feature: x.0.to_owned(),
        target: y.0.to_owned(),
        method,
        n: pairs.x.len(),
        dropped: pairs.dropped,
        r: result.ok().map(|c| c.r),
        ci_low: interval.map(|i| i.low),
        ci_high: interval.map(|i| i.high),
        p: result.ok().map(|c| c.p),
        p_holm: None,
        p_bh: None,
        reason: result.err().map(|reason| reason.to_string()),
    }
}

/// Adjusts the p-values of one family; those that are undefined stay so and don't count.
fn adjust(family: &mut [CorrelationRow]) {
    let p: Vec<Option<f64>> = family.iter().map(|row| row.p).collect();
    let (Ok(by_holm), Ok(by_bh)) = (holm(&p), benjamini_hochberg(&p)) else { return };
    for ((row, by_holm), by_bh) in family.iter_mut().zip(by_holm).zip(by_bh) {
        row.p_holm = by_holm;
        row.p_bh = by_bh;
    }
}

/// For each task the feature with the largest |Pearson r| with the score, and its line.
pub(super) fn strongest(runs: &[RunRow], correlations: &[CorrelationRow]) -> Vec<StrongestRow> {
    let tasks: BTreeSet<&str> = correlations.iter().map(|row| row.task.as_str()).collect();
    tasks
        .into_iter()
        .filter_map(|task| {
            let with_score = correlations.iter().filter(|row| {
                row.task == task && row.target == TARGET_SCORE && row.method == Method::Pearson
            });
            // The first of equals, in the registry's order.
            let best = with_score.filter(|row| row.r.is_some()).reduce(|best, row| {
                if row.r.unwrap_or(0.0).abs() > best.r.unwrap_or(0.0).abs() { row } else { best }
            })?;
            let at = crate::features::column_of(&best.feature)?;
            let of_task = runs.iter().filter(|run| run.task == task);
            let pairs = CompletePairs::of(
                of_task.map(|run| (run.values.get(at).copied().flatten(), run.final_score)),
            );
            let line = fit_line(&pairs.x, &pairs.y);
            let band = line.as_ref().map(|line| band(line, &pairs.x)).unwrap_or_default();
            Some(StrongestRow {
                task: task.to_owned(),
                feature: best.feature.clone(),
                line: line.into(),
                band,
            })
        })
        .collect()
}

fn band(line: &Line, x: &[f64]) -> Vec<BandPoint> {
    let low = x.iter().copied().fold(f64::INFINITY, f64::min);
    let high = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (0..BAND_POINTS)
        .map(|i| low + (high - low) * (i as f64 / (BAND_POINTS - 1) as f64))
        .filter(|&x| x.is_finite() && line.at(x).is_finite())
        .map(|x| BandPoint { x, y: line.at(x), interval: line.band(x, crate::stats::LEVEL).into() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_runs_and_constant_scores_have_a_reason_instead_of_a_number() {
        let two = [RunRow::for_test("T", "a", Some(0.0)), RunRow::for_test("T", "b", Some(1.0))];
        let rows = correlations(&two);
        assert!(rows.iter().all(|row| row.r.is_none() && row.p.is_none() && row.reason.is_some()));
        assert_eq!(rows[0].reason.as_deref(), Some("n < 3"));
        let mut constant: Vec<RunRow> = (0..6).map(|_| RunRow::for_test("T", "a", Some(0.667))).collect();
        for (i, run) in constant.iter_mut().enumerate() {
            run.values = vec![Some(i as f64); FEATURES.len()];
        }
        let rows = correlations(&constant);
        assert!(rows[0].reason.as_deref().is_some_and(|reason| reason.contains("constant")), "{:?}", rows[0]);
        assert!(strongest(&constant, &rows).is_empty());
    }
}
