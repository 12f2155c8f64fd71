//! All measures of some clusters at once, with percentile-bootstrap intervals.

use super::metric::{Estimate, METRICS};
use super::sums::{Clusters, Sums};
use crate::stats::quantile;
use crate::stats::rng::Stream;

/// Settings of the intervals.
#[derive(Clone, Copy, Debug)]
pub struct Intervals {
    /// Samples to draw; 0 for none.
    pub resamples: usize,
    /// Confidence level, in (0, 1).
    pub level: f64,
    /// The seed.
    pub seed: u64,
}

/// Fewest resamples in which a measure must be defined, as a share of all.
const DEFINED: f64 = 0.5;

/// The measures of `clusters` in the order of [`METRICS`], with intervals.
///
/// Clusters are drawn with replacement, as many as there are, and every measure is computed anew from the sums of each
/// sample; a gain is paired, because a cluster holds the baseline's scores of its instances too. The interval runs from the
/// (1−level)/2 to the (1+level)/2 quantile. No interval below two clusters, nor where the measure is undefined in half of the
/// samples or more. `identity` names the random stream. Efron and Tibshirani 1993, ch. 13; Davison and Hinkley 1997, sec. 3.8.
pub fn estimate(clusters: &Clusters, intervals: Intervals, identity: &str) -> Vec<Estimate> {
    let total = clusters.total();
    let mut estimates: Vec<Estimate> = METRICS
        .iter()
        .map(|metric| Estimate {
            value: (metric.value)(&total),
            low: None,
            high: None,
            n: (metric.n)(&total),
        })
        .collect();
    let sums = clusters.sums();
    if sums.len() < 2 || intervals.resamples == 0 {
        return estimates;
    }
    let mut stream = Stream::new(intervals.seed, identity);
    let mut samples: Vec<Vec<f64>> = vec![Vec::with_capacity(intervals.resamples); METRICS.len()];
    for _ in 0..intervals.resamples {
        let mut sample = Sums::default();
        for _ in 0..sums.len() {
            sample.merge(sums[stream.index(sums.len())]);
        }
        for (metric, values) in METRICS.iter().zip(&mut samples) {
            values.extend((metric.value)(&sample));
        }
    }
    let tail = (1.0 - intervals.level) / 2.0;
    for (estimate, values) in estimates.iter_mut().zip(samples) {
        if estimate.value.is_none() || (values.len() as f64) <= DEFINED * intervals.resamples as f64 {
            continue;
        }
        estimate.low = quantile(&values, tail).ok();
        estimate.high = quantile(&values, 1.0 - tail).ok();
    }
    estimates
}
