//! Percentile-bootstrap intervals of any statistic, stratified or clustered.

use serde::{Deserialize, Serialize};

use super::describe::{mean, quantile_of_sorted};
use super::dist::check_level;
use super::interval::{Interval, LEVEL};
use super::numeric::{check, finite, scale_of, scaled_mean};
use super::rng::Stream;
use super::undefined::Undefined;

/// Resamples that reports draw.
pub const RESAMPLES: usize = 2000;

/// A percentile bootstrap: how often to resample, which interval to take, and the random stream.
///
/// The statistic is computed on `resamples` samples drawn with replacement, each as large as the data; the interval
/// runs from the (1−level)/2 to the (1+level)/2 quantile (type 7) of the values. Equal settings and data give
/// equal intervals on every machine. References: Efron and Tibshirani 1993, An Introduction to the Bootstrap, ch. 13;
/// within strata: Agarwal et al. 2021, NeurIPS, sec. 4.1 (rliable), where a stratum is a task.
#[derive(Clone, Copy, Debug)]
pub struct Bootstrap<'a> {
    /// Samples to draw.
    pub resamples: usize,
    /// Confidence level, in (0, 1).
    pub level: f64,
    /// The run's seed.
    pub seed: u64,
    /// The task's identity, unlike that of any other task.
    pub identity: &'a str,
}

/// A statistic with its bootstrap interval, both in the statistic's unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The statistic of the data itself.
    pub value: f64,
    /// Its percentile interval.
    pub interval: Interval,
    /// Samples drawn.
    pub resamples: usize,
    /// Samples of which the statistic was undefined, left out of the interval.
    pub undefined: usize,
    /// Strata of a single value, which can't vary and so narrow the interval.
    pub single: usize,
}

impl<'a> Bootstrap<'a> {
    /// The settings of reports: [`RESAMPLES`] samples, 95 %.
    pub fn new(seed: u64, identity: &'a str) -> Self {
        Self { resamples: RESAMPLES, level: LEVEL, seed, identity }
    }

    /// Mean of all values, resampled within each stratum; a fast path that equals
    /// [`pooled`](Self::pooled)`(strata, mean)` to rounding, with the same draws.
    ///
    /// Shape: a slice per stratum (task), the values (runs) inside; empty strata are passed over.
    ///
    /// # Errors
    ///
    /// Undefined as `pooled`.
    pub fn mean(&self, strata: &[&[f64]]) -> Result<Estimate, Undefined> {
        let single = Self::check_strata(strata)?;
        let all = strata.concat();
        let scale = scale_of(&all);
        let centre = scaled_mean(&all, scale);
        // Sums of deviations are small, so plain addition keeps their digits.
        let deviations: Vec<Vec<f64>> =
            strata.iter().map(|values| values.iter().map(|v| v * scale - centre).collect()).collect();
        let mut stream = self.stream();
        let draw = || {
            let mut sum = 0.0;
            for values in &deviations {
                for _ in 0..values.len() {
                    sum += values[stream.index(values.len())];
                }
            }
            finite((centre + sum / all.len() as f64) / scale)
        };
        self.estimate(mean(&all), draw, single)
    }

    /// A statistic of all values together, resampled within each stratum.
    ///
    /// Shape: a slice per stratum, the values inside; `statistic` gets the strata's values in one slice, in
    /// the strata's order.
    ///
    /// # Errors
    ///
    /// Undefined: no stratum of 2 values or more (nothing could vary); a value that is not finite; the
    /// statistic undefined for the data itself or for half of the samples; a level outside (0, 1).
    pub fn pooled(
        &self,
        strata: &[&[f64]],
        statistic: impl Fn(&[f64]) -> Result<f64, Undefined>,
    ) -> Result<Estimate, Undefined> {
        let single = Self::check_strata(strata)?;
        let all = strata.concat();
        let mut stream = self.stream();
        let mut sample = Vec::with_capacity(all.len());
        let draw = || {
            sample.clear();
            for values in strata {
                sample.extend((0..values.len()).map(|_| values[stream.index(values.len())]));
            }
            statistic(&sample)
        };
        self.estimate(statistic(&all), draw, single)
    }

    /// A statistic that sees the strata apart (a mean of task means, a difference of two groups), resampled
    /// within each.
    ///
    /// Shape: a slice per stratum, the values inside; `statistic` gets the same shape.
    ///
    /// # Errors
    ///
    /// Undefined as [`pooled`](Self::pooled).
    pub fn stratified(
        &self,
        strata: &[&[f64]],
        statistic: impl Fn(&[&[f64]]) -> Result<f64, Undefined>,
    ) -> Result<Estimate, Undefined> {
        let single = Self::check_strata(strata)?;
        let mut stream = self.stream();
        let mut samples: Vec<Vec<f64>> = strata.iter().map(|values| values.to_vec()).collect();
        let draw = || {
            for (sample, values) in samples.iter_mut().zip(strata) {
                sample.fill_with(|| values[stream.index(values.len())]);
            }
            let views: Vec<&[f64]> = samples.iter().map(Vec::as_slice).collect();
            statistic(&views)
        };
        self.estimate(statistic(strata), draw, single)
    }

    /// A statistic of rows 0 … n−1 (pairs, say), each resampled as a whole.
    ///
    /// `statistic` gets the numbers of the drawn rows, repeated ones included.
    ///
    /// # Errors
    ///
    /// Undefined: n < 2; the statistic undefined for the data itself or for half of the samples; a level
    /// outside (0, 1).
    pub fn rows(
        &self,
        n: usize,
        statistic: impl Fn(&[usize]) -> Result<f64, Undefined>,
    ) -> Result<Estimate, Undefined> {
        let rows: Vec<[usize; 1]> = (0..n).map(|row| [row]).collect();
        self.clustered(&rows, statistic)
    }

    /// A statistic of rows that come in clusters (rounds of a run, runs of a seed): whole clusters are
    /// resampled, so that rows of one cluster are not taken for independent.
    ///
    /// Shape: per cluster its row numbers; `statistic` gets those of the drawn clusters one after the other,
    /// as many clusters as there are (the number of rows varies with their sizes).
    ///
    /// Reference: Davison and Hinkley 1997, Bootstrap Methods and their Application, sec. 3.8.
    ///
    /// # Errors
    ///
    /// Undefined as [`rows`](Self::rows), n being the number of clusters.
    pub fn clustered<C: AsRef<[usize]>>(
        &self,
        clusters: &[C],
        statistic: impl Fn(&[usize]) -> Result<f64, Undefined>,
    ) -> Result<Estimate, Undefined> {
        if clusters.len() < 2 {
            return Err(Undefined::TooFew { n: clusters.len(), needed: 2 });
        }
        let all: Vec<usize> = clusters.iter().flat_map(|cluster| cluster.as_ref().iter().copied()).collect();
        let mut stream = self.stream();
        let mut rows = Vec::with_capacity(all.len());
        let draw = || {
            rows.clear();
            for _ in clusters {
                rows.extend_from_slice(clusters[stream.index(clusters.len())].as_ref());
            }
            statistic(&rows)
        };
        self.estimate(statistic(&all), draw, 0)
    }

    fn stream(&self) -> Stream {
        Stream::new(self.seed, self.identity)
    }

    /// Errs unless something can vary; else the number of strata that can't.
    fn check_strata(strata: &[&[f64]]) -> Result<usize, Undefined> {
        for values in strata {
            check(values, 0)?;
        }
        let largest = strata.iter().map(|values| values.len()).max().unwrap_or(0);
        match largest {
            0 => Err(Undefined::Empty),
            1 => Err(Undefined::TooFew { n: 1, needed: 2 }),
            _ => Ok(strata.iter().filter(|values| values.len() == 1).count()),
        }
    }

    /// Draws, sorts and cuts.
    fn estimate(
        &self,
        value: Result<f64, Undefined>,
        mut draw: impl FnMut() -> Result<f64, Undefined>,
        single: usize,
    ) -> Result<Estimate, Undefined> {
        check_level(self.level)?;
        let value = value?;
        let mut replicates: Vec<f64> =
            (0..self.resamples).filter_map(|_| draw().ok()).filter(|v| v.is_finite()).collect();
        let undefined = self.resamples - replicates.len();
        if 2 * undefined >= self.resamples {
            return Err(Undefined::Resamples { undefined, resamples: self.resamples });
        }
        replicates.sort_unstable_by(f64::total_cmp);
        let tail = (1.0 - self.level) / 2.0;
        let interval = Interval {
            low: quantile_of_sorted(&replicates, tail)?,
            high: quantile_of_sorted(&replicates, 1.0 - tail)?,
            level: self.level,
        };
        Ok(Estimate { value, interval, resamples: self.resamples, undefined, single })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{iqm, pearson, probability_of_improvement};

    const A: [f64; 6] = [1.0, 4.0, 2.0, 8.0, 5.0, 7.0];
    const B: [f64; 4] = [10.0, 13.0, 11.0, 16.0];

    fn near(got: f64, want: f64, tolerance: f64) {
        assert!((got - want).abs() <= tolerance, "{got} for {want}");
    }

    #[test]
    fn the_fast_mean_is_the_mean() {
        let bootstrap = Bootstrap::new(7, "mean");
        for strata in [&[A.as_slice()][..], &[A.as_slice(), &B, &[], &[3.0]]] {
            let (fast, general) = (bootstrap.mean(strata).unwrap(), bootstrap.pooled(strata, mean).unwrap());
            near(fast.value, general.value, 0.0);
            near(fast.interval.low, general.interval.low, 1e-12);
            near(fast.interval.high, general.interval.high, 1e-12);
            assert_eq!((fast.single, general.single), (strata.len() / 4, strata.len() / 4));
        }
    }

    #[test]
    fn the_interval_has_the_width_that_theory_gives() {
        // The bootstrap distribution of the mean has variance Σ(x − mean)²/n² (Efron and Tibshirani 1993, ch. 5)
        // and is near normal for 400 uniform values: half width 1.96·√(1/12/400) = 0.02829.
        let x: Vec<f64> = (0..400).map(|i| (f64::from(i) + 0.5) / 400.0).collect();
        let bootstrap = Bootstrap { resamples: 20_000, ..Bootstrap::new(1, "width") };
        let interval = bootstrap.mean(&[&x]).unwrap().interval;
        near(interval.low, 0.5 - 0.028_29, 0.001);
        near(interval.high, 0.5 + 0.028_29, 0.001);
    }

    #[test]
    fn two_values_resample_to_three_means() {
        // Means 0, ½, 1 with shares ¼, ½, ¼: the 2.5 % and 97.5 % quantiles are the extremes, the quartiles' inside ½.
        let wide = Bootstrap::new(5, "coin").mean(&[&[0.0, 1.0]]).unwrap().interval;
        near(wide.low, 0.0, 0.0);
        near(wide.high, 1.0, 0.0);
        let narrow =
            Bootstrap { level: 0.4, ..Bootstrap::new(5, "coin") }.mean(&[&[0.0, 1.0]]).unwrap().interval;
        near(narrow.low, 0.5, 0.0);
        near(narrow.high, 0.5, 0.0);
    }

    #[test]
    fn strata_keep_their_sizes_and_their_own_values() {
        // Values that are constant within each stratum can't vary when resampled within them.
        let estimate = Bootstrap::new(2, "strata").pooled(&[&[1.0; 3], &[5.0; 5]], mean).unwrap();
        near(estimate.interval.high - estimate.interval.low, 0.0, 0.0);
        let shift = |s: &[&[f64]]| Ok(mean(s[1])? - mean(s[0])?);
        let difference = Bootstrap::new(2, "difference").stratified(&[&A, &B], shift).unwrap();
        near(difference.value, 8.0, 1e-12); // 12.5 − 4.5
        assert!(difference.interval.low > 0.0);
        let better = |s: &[&[f64]]| probability_of_improvement(s[0], s[1]);
        near(Bootstrap::new(2, "better").stratified(&[&A, &B], better).unwrap().interval.low, 1.0, 0.0);
    }

    #[test]
    fn clusters_stay_whole() {
        let clusters = [vec![0, 1, 2], vec![3], vec![4, 5]];
        let check = |rows: &[usize]| {
            let mut rest = rows;
            while let Some((first, _)) = rest.split_first() {
                let size = clusters.iter().find(|c| c[0] == *first).ok_or(Undefined::Empty)?.len();
                let (cluster, after) = rest.split_at(size);
                assert!(clusters.iter().any(|c| c == cluster));
                rest = after;
            }
            Ok(rows.len() as f64)
        };
        let estimate = Bootstrap::new(3, "clusters").clustered(&clusters, check).unwrap();
        near(estimate.value, 6.0, 0.0);
        assert!(estimate.interval.low >= 3.0 && estimate.interval.high <= 9.0 && estimate.undefined == 0);
    }

    #[test]
    fn undefined_resamples_are_counted() {
        // Of the 256 draws of four pairs from four, the 4 that take one pair four times are constant: 31 of 2000.
        let (x, y) = ([1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 2.0, 4.0]);
        let statistic = |rows: &[usize]| {
            let pick = |v: &[f64; 4]| rows.iter().map(|&row| v[row]).collect::<Vec<f64>>();
            Ok(pearson(&pick(&x), &pick(&y))?.r)
        };
        let estimate = Bootstrap::new(9, "pairs").rows(4, statistic).unwrap();
        near(estimate.value, 0.8, 1e-12);
        assert!((10..=60).contains(&estimate.undefined), "{}", estimate.undefined);
        let never = Bootstrap::new(9, "never")
            .rows(4, |rows| if rows == [0, 1, 2, 3] { Ok(1.0) } else { Err(Undefined::Empty) });
        assert!(matches!(never, Err(Undefined::Resamples { resamples: RESAMPLES, .. })));
    }

    #[test]
    fn one_value_has_no_interval() {
        let bootstrap = Bootstrap::new(0, "one");
        let too_few = Err(Undefined::TooFew { n: 1, needed: 2 });
        assert_eq!(bootstrap.mean(&[&[1.0]]), too_few);
        assert_eq!(bootstrap.pooled(&[&[1.0], &[2.0]], iqm), too_few);
        assert_eq!(bootstrap.rows(1, |_| Ok(1.0)), too_few);
        assert_eq!(bootstrap.mean(&[]), Err(Undefined::Empty));
        assert_eq!(bootstrap.mean(&[&[1.0, f64::NAN]]), Err(Undefined::NonFinite));
        assert!(Bootstrap { level: 1.0, ..bootstrap }.mean(&[&A]).is_err());
        assert!(Bootstrap { resamples: 0, ..bootstrap }.mean(&[&A]).is_err());
    }

    #[test]
    fn the_identity_and_the_seed_decide() {
        let low = |seed, identity| Bootstrap::new(seed, identity).pooled(&[&A], iqm).unwrap();
        assert_eq!(low(1, "a"), low(1, "a"));
        let values = |e: Estimate| (e.interval.low, e.interval.high);
        assert_ne!(
            values(Bootstrap::new(1, "a").mean(&[&A, &B]).unwrap()),
            values(Bootstrap::new(2, "a").mean(&[&A, &B]).unwrap())
        );
    }
}
