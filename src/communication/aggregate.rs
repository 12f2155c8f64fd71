//! Repeats to instances, instances to runs: the means that tables show.

use std::collections::BTreeMap;

use super::{EpisodeMeasures, Kind};

/// One instance of a run: the means over its repeats.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceMeans {
    /// The instance.
    pub instance_id: String,
    /// Its split, as logged (lower case where known).
    pub split: String,
    /// Equal for equal instances.
    pub fingerprint: u64,
    /// Repeats.
    pub repeats: u64,
    /// Mean score of the repeats that have one.
    pub score: Option<f64>,
    /// Mean tokens.
    pub tok: f64,
    /// Mean entropy of the repeats that have one.
    pub normalized_entropy: Option<f64>,
}

/// The mean of the values that are there; `None` for none, or where the sum leaves the range of f64.
pub(super) fn mean(values: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    let mut sum = 0.0;
    let mut n = 0_u64;
    for value in values.into_iter().flatten() {
        sum += value;
        n += 1;
    }
    let mean = sum / n as f64;
    (n > 0 && mean.is_finite()).then_some(mean)
}

/// The means over repeats, in the order of split and instance id.
pub fn instance_means<'a>(episodes: impl IntoIterator<Item = &'a EpisodeMeasures>) -> Vec<InstanceMeans> {
    by_instance(episodes)
        .into_values()
        .map(|repeats| {
            let first = repeats[0];
            InstanceMeans {
                instance_id: first.instance_id.clone(),
                split: first.split.clone(),
                fingerprint: first.fingerprint,
                repeats: repeats.len() as u64,
                score: mean(repeats.iter().map(|episode| episode.score)),
                tok: mean(repeats.iter().map(|episode| Some(episode.tok))).unwrap_or(0.0),
                normalized_entropy: mean(repeats.iter().map(|episode| episode.normalized_entropy)),
            }
        })
        .collect()
}

/// Groups repeats; every group has at least one episode.
pub(super) fn by_instance<'a>(
    episodes: impl IntoIterator<Item = &'a EpisodeMeasures>,
) -> BTreeMap<(&'a str, &'a str), Vec<&'a EpisodeMeasures>> {
    let mut groups: BTreeMap<(&str, &str), Vec<&EpisodeMeasures>> = BTreeMap::new();
    for episode in episodes {
        groups.entry((&episode.split, &episode.instance_id)).or_default().push(episode);
    }
    groups
}

/// A metric's value per instance: the mean over repeats, above and (for a ratio) below the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct InstanceValue {
    pub(super) upper: Option<f64>,
    pub(super) lower: Option<f64>,
}

impl InstanceValue {
    /// Whether the instance takes part in the metric.
    pub(super) fn usable(&self, kind: &Kind) -> bool {
        self.upper.is_some() && (matches!(kind, Kind::Mean(_)) || self.lower.is_some())
    }
}

/// The value of one instance: the means over its repeats.
pub(super) fn value_of(kind: &Kind, repeats: &[&EpisodeMeasures]) -> InstanceValue {
    let over =
        |value: fn(&EpisodeMeasures) -> Option<f64>| mean(repeats.iter().map(|episode| value(episode)));
    match *kind {
        Kind::Mean(value) => InstanceValue { upper: over(value), lower: None },
        Kind::Ratio { upper, lower, .. } => InstanceValue { upper: over(upper), lower: over(lower) },
    }
}

/// The instances' values of a metric, in the order of split and instance id.
pub(super) fn instance_values(kind: &Kind, episodes: &[&EpisodeMeasures]) -> Vec<InstanceValue> {
    let groups = by_instance(episodes.iter().copied());
    groups.into_values().map(|repeats| value_of(kind, &repeats)).collect()
}

/// A metric over instances: the mean, or the ratio of the means; `None` where that is undefined.
pub(super) fn over_instances(
    kind: &Kind,
    values: impl Iterator<Item = InstanceValue> + Clone,
) -> Option<f64> {
    let upper = mean(values.clone().map(|value| value.upper));
    match kind {
        Kind::Mean(_) => upper,
        Kind::Ratio { factor, .. } => {
            let lower = mean(values.map(|value| value.lower))?;
            ratio(upper?, lower, *factor)
        }
    }
}

/// The group dynamics number `at` over instances, repeats averaged first.
pub(super) fn dynamics_over_instances(at: usize, episodes: &[&EpisodeMeasures]) -> Option<f64> {
    let value = |episode: &EpisodeMeasures| episode.dynamics.get(at).copied().flatten();
    let groups = by_instance(episodes.iter().copied());
    mean(groups.into_values().map(|repeats| mean(repeats.into_iter().map(value))))
}

/// `upper / (lower / factor)`; `None` at `lower` = 0.
fn ratio(upper: f64, lower: f64, factor: f64) -> Option<f64> {
    let ratio = upper / (lower / factor);
    (lower > 0.0 && ratio.is_finite()).then_some(ratio)
}

/// Efficiency: score per 1 000 tokens, `mean Score / (mean Tok / 1000)`, the ratio of the means. Unit: points per 1 000 tokens.
///
/// `None` at Tok 0 and where one of the means is undefined. Source: MASBench, section 4; that it is the ratio of the means, not the
/// mean of the ratios, is ours.
pub fn efficiency(score: Option<f64>, tok: Option<f64>) -> Option<f64> {
    ratio(score?, tok?, 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn efficiency_by_hand() {
        assert_eq!(efficiency(Some(50.0), Some(0.0)), None);
        assert_eq!(efficiency(None, Some(10.0)), None);
        assert_eq!(efficiency(Some(50.0), Some(500.0)), Some(100.0));
        assert_eq!(efficiency(Some(0.0), Some(500.0)), Some(0.0));
    }

    #[test]
    fn means_skip_what_is_missing_and_do_not_overflow_unseen() {
        assert_eq!(mean([Some(1.0), None, Some(2.0)]), Some(1.5));
        assert_eq!(mean([None, None]), None);
        assert_eq!(mean([Some(1e308), Some(1e308)]), None);
    }

    proptest! {
        #[test]
        fn efficiency_is_undefined_at_no_tokens_and_never_a_nan(score in proptest::option::of(-1e3_f64..1e3), tok in 0.0_f64..1e9) {
            prop_assert_eq!(efficiency(score, Some(0.0)), None);
            if let Some(value) = efficiency(score, Some(tok)) {
                prop_assert!(value.is_finite() && tok > 0.0);
            }
        }
    }
}
