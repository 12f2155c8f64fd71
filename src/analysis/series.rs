//! Means by round over runs, made run by run so that no run's rounds need be kept.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Mean ± SD by round over the runs of a group; parallel columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// The task.
    pub task: String,
    /// The group's label.
    pub model: String,
    /// `score`, or a feature's id.
    pub measure: String,
    /// Round numbers, ascending.
    pub rounds: Vec<u32>,
    /// Arithmetic mean over runs, in the measure's unit.
    pub mean: Vec<f64>,
    /// Sample standard deviation over runs (n − 1); null for one run.
    pub sd: Vec<Option<f64>>,
    /// Runs behind each mean.
    pub n: Vec<u32>,
    /// Runs among them that had ended and count with their final score; always 0 for features.
    pub carried: Vec<u32>,
}

/// Running mean and sum of squared deviations (Welford 1962, Technometrics 4:419–420).
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    n: u32,
    carried: u32,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.n += 1;
        let before = value - self.mean;
        self.mean += before / f64::from(self.n);
        self.squares += before * (value - self.mean);
    }

    fn sd(&self) -> Option<f64> {
        let sd = (self.squares / f64::from(self.n.checked_sub(1).filter(|&n| n > 0)?)).sqrt();
        sd.is_finite().then_some(sd)
    }
}

/// Collects the rounds of one group and measure.
#[derive(Clone, Debug, Default)]
pub(super) struct SeriesCollector {
    by_round: BTreeMap<u32, Moments>,
}

impl SeriesCollector {
    /// Adds a run's rounds; undefined values are not counted.
    pub(super) fn add(&mut self, numbers: &[u32], values: &[Option<f64>]) {
        for (&number, value) in numbers.iter().zip(values) {
            if let Some(value) = value {
                self.by_round.entry(number).or_default().add(*value);
            }
        }
    }

    /// Counts a run that had ended after `last` with its final score in every later round of `rounds`.
    pub(super) fn carry(&mut self, last: u32, final_score: f64, rounds: &[u32]) {
        for &number in &rounds[rounds.partition_point(|&number| number <= last)..] {
            let moments = self.by_round.entry(number).or_default();
            moments.add(final_score);
            moments.carried += 1;
        }
    }

    /// Round numbers so far.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> {
        self.by_round.keys().copied()
    }

    /// The series; `None` where no run has a value. Rounds whose mean overflows are left out.
    pub(super) fn finish(self, task: &str, model: &str, measure: &str) -> Option<Series> {
        let mut series = Series {
            task: task.to_owned(),
            model: model.to_owned(),
            measure: measure.to_owned(),
            ..Series::default()
        };
        for (number, moments) in self.by_round.into_iter().filter(|(_, moments)| moments.mean.is_finite()) {
            series.rounds.push(number);
            series.mean.push(moments.mean);
            series.sd.push(moments.sd());
            series.n.push(moments.n);
            series.carried.push(moments.carried);
        }
        (!series.rounds.is_empty()).then_some(series)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand_with_a_run_that_ended_early() {
        let mut collector = SeriesCollector::default();
        collector.add(&[0, 1, 2], &[Some(0.0), Some(1.0), Some(3.0)]);
        collector.add(&[0, 1], &[Some(2.0), None]);
        collector.carry(1, 5.0, &[0, 1, 2]);
        let series = collector.finish("T", "m", "score").unwrap();
        assert_eq!(series.rounds, [0, 1, 2]);
        assert_eq!(series.mean, [1.0, 1.0, 4.0]);
        assert_eq!(series.n, [2, 1, 2]);
        assert_eq!(series.carried, [0, 0, 1]);
        // Round 0: values 0 and 2, SD √2; round 1: one run; round 2: 3 and 5, SD √2.
        assert_eq!(series.sd[1], None);
        assert!((series.sd[0].unwrap() - 2f64.sqrt()).abs() < 1e-12);
        assert!((series.sd[2].unwrap() - 2f64.sqrt()).abs() < 1e-12);
    }
}
