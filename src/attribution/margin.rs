//! Whether a forest beats its baselines by more than runs differ: rows of one run belong together, so runs are what is counted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::metrics::Confusion;
use crate::stats::{mean, mean_interval};

/// Macro F1 of the forest less that of the better baseline, by run held out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Margin {
    /// Runs held out in some split.
    pub runs: usize,
    /// Mean over these runs.
    pub mean: f64,
    /// Lower end of its 95 % interval; `None` with one run.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

impl Margin {
    /// Whether the mean is beyond what runs differ by: the lower end of its interval is above 0.
    pub fn is_clear(&self) -> bool {
        self.low.is_some_and(|low| low > 0.0)
    }
}

/// What was predicted for the rows held out in one split.
#[derive(Clone, Copy, Debug)]
pub(super) struct Predicted<'a> {
    /// The run of each row.
    pub(super) runs: &'a [u32],
    /// The actions.
    pub(super) truth: &'a [u8],
    /// The forest's answers.
    pub(super) forest: &'a [u8],
    /// Those of the baselines.
    pub(super) baselines: [&'a [u8]; 2],
}

/// Collects the differences over the splits.
#[derive(Debug, Default)]
pub(super) struct Margins {
    /// By run: its differences in the splits that held it out.
    by_run: BTreeMap<u32, Vec<f64>>,
}

impl Margins {
    /// Takes a split.
    pub(super) fn add(&mut self, split: Predicted<'_>, classes: usize) {
        let mut of: BTreeMap<u32, [Confusion; 3]> = BTreeMap::new();
        for (row, &run) in split.runs.iter().enumerate() {
            let counts = of.entry(run).or_insert_with(|| std::array::from_fn(|_| Confusion::new(classes)));
            let said = [split.forest, split.baselines[0], split.baselines[1]];
            for (counts, said) in counts.iter_mut().zip(said) {
                counts.add(split.truth[row], said[row]);
            }
        }
        for (run, counts) in of {
            let [forest, one, other] = counts.map(|counts| counts.macro_f1());
            if let (Some(forest), Some(one), Some(other)) = (forest, one, other) {
                self.by_run.entry(run).or_default().push(forest - one.max(other));
            }
        }
    }

    /// Mean difference of macro F1 over the runs that were held out, each with the mean of its splits, in [−1, 1], and its 95 %
    /// interval `mean ± t · s / √m`, t with m − 1 degrees of freedom; `None` without runs.
    ///
    /// The sampling unit is the run: rows of one run are no independent observations (Cameron and Miller 2015, "A
    /// practitioner's guide to cluster-robust inference", *Journal of Human Resources* 50:317–372). That the splits' training
    /// runs overlap is left out of account.
    pub(super) fn margin(&self) -> Option<Margin> {
        let of_run: Vec<f64> =
            self.by_run.values().filter_map(|differences| mean(differences).ok()).collect();
        let centre = mean(&of_run).ok()?;
        let interval = mean_interval(&of_run).ok();
        let (low, high) = (interval.map(|i| i.low), interval.map(|i| i.high));
        Some(Margin { runs: of_run.len(), mean: centre, low, high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A split of runs with two decisions each, A and B, of which the forest gets both (macro F1 1), one (A said twice: F1 of A
    /// 2/3, of B 0, together 1/3) or none (0); the baselines always say A (1/3).
    fn split(right: &[usize]) -> Margins {
        let runs: Vec<u32> = (0..right.len() as u32).flat_map(|run| [run, run]).collect();
        let truth = [0, 1].repeat(right.len());
        let forest: Vec<u8> = right.iter().flat_map(|n| [[1, 0], [0, 0], [0, 1]][*n]).collect();
        let always = vec![0; truth.len()];
        let mut margins = Margins::default();
        let predicted =
            Predicted { runs: &runs, truth: &truth, forest: &forest, baselines: [&always, &always] };
        margins.add(predicted, 2);
        margins
    }

    #[test]
    fn the_unit_is_the_run() {
        // Differences 2/3, 2/3, 0, 2/3: mean 0.5, s = 1/3, t(3) = 3.182446: 0.5 ± 3.182446 · (1/3)/2.
        let margin = split(&[2, 2, 1, 2]).margin().unwrap();
        assert_eq!(margin.runs, 4);
        assert!((margin.mean - 0.5).abs() < 1e-12);
        let half = 3.182_446_305_284_263 / 6.0;
        assert!((margin.low.unwrap() - (0.5 - half)).abs() < 1e-9, "{margin:?}");
        assert!((margin.high.unwrap() - (0.5 + half)).abs() < 1e-9);
        assert!(!margin.is_clear());
        // Differences 2/3 five times and 0 once: mean 5/9, s = 0.272166, t(5) = 2.570582: low 0.26994.
        let clear = split(&[2, 2, 2, 1, 2, 2]).margin().unwrap();
        assert!((clear.low.unwrap() - 0.269_938).abs() < 1e-4, "{clear:?}");
        assert!(clear.is_clear());
    }

    #[test]
    fn one_run_is_no_evidence_and_a_run_counts_once() {
        let one = split(&[2]).margin().unwrap();
        assert_eq!((one.runs, one.low, one.is_clear()), (1, None, false));
        assert_eq!(Margins::default().margin(), None);
        // The same in every run: no spread, and no doubt.
        let same = split(&[2, 2, 2]).margin().unwrap();
        assert!((same.low.unwrap() - 2.0 / 3.0).abs() < 1e-12 && same.is_clear(), "{same:?}");
        let mut twice = split(&[2, 1]);
        twice.by_run.values_mut().for_each(|d| d.push(d[0]));
        assert_eq!(twice.margin(), split(&[2, 1]).margin());
    }
}
