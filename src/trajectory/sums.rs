//! Additive sums of which every run measure is a ratio, cluster by cluster.
//!
//! A cluster is what is resampled as a whole: a unit of a static task, an episode of a dynamic one; the same instance
//! in several runs of a group is one cluster.

use std::collections::BTreeMap;

use super::labels::{Gain, Lift, Refinement, Tolerance};
use super::pairing::{Baseline, Partner, is_baseline};
use super::score::Setting;
use super::trace::{RunTrace, UnitView, hash};

/// Above this number of clusters they are put together into as many blocks by their identity's hash: the spread of a
/// mean of blocks is that of the mean of their clusters, and drawing stays fast.
pub const MAX_CLUSTERS: u64 = 1024;

/// A sum and the number of its terms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    /// Sum of the terms.
    pub sum: f64,
    /// Their number.
    pub n: u64,
}

impl Mean {
    /// Adds a term; an undefined one is passed over.
    pub fn add(&mut self, term: Option<f64>) {
        if let Some(term) = term {
            self.sum += term;
            self.n += 1;
        }
    }

    /// The mean; `None` without terms.
    pub fn get(self) -> Option<f64> {
        (self.n > 0).then(|| self.sum / self.n as f64)
    }

    fn merge(&mut self, other: Self) {
        self.sum += other.sum;
        self.n += other.n;
    }
}

/// The sums of some clusters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sums {
    /// Units.
    pub units: u64,
    /// Units by GAB label, in the order of [`Gain::ALL`].
    pub gab: [u64; 4],
    /// Strong agents by label, in the same order.
    pub strong: [u64; 4],
    /// Weak agents by label, in the order of [`Lift::ALL`].
    pub weak: [u64; 5],
    /// Aggregation losses.
    pub loss: Mean,
    /// Valid outputs of all outputs.
    pub valid: Mean,
    /// Units whose final proposals agree.
    pub agree: Mean,
    /// Tokens per unit.
    pub tokens: Mean,
    /// Task-level scores: answers of a static task, episodes of a dynamic one.
    pub task_score: Mean,
    /// The answers' proposal scores.
    pub answers: Mean,
    /// Best initial scores.
    pub best_initial: Mean,
    /// Task-level scores where the baseline has the same instance; none for the baseline itself.
    pub paired_own: Mean,
    /// The baseline's scores there.
    pub paired_base: Mean,
    /// Tokens per unit of those instances.
    pub tokens_own: Mean,
    /// The baseline's tokens per unit of those instances.
    pub tokens_base: Mean,
}

impl Sums {
    /// Adds the sums of other clusters.
    pub fn merge(&mut self, other: &Self) {
        fn all<const N: usize>(to: &mut [u64; N], from: &[u64; N]) {
            for (to, from) in to.iter_mut().zip(from) {
                *to += from;
            }
        }
        self.units += other.units;
        all(&mut self.gab, &other.gab);
        all(&mut self.strong, &other.strong);
        all(&mut self.weak, &other.weak);
        self.loss.merge(other.loss);
        self.valid.merge(other.valid);
        self.agree.merge(other.agree);
        self.tokens.merge(other.tokens);
        self.task_score.merge(other.task_score);
        self.answers.merge(other.answers);
        self.best_initial.merge(other.best_initial);
        self.paired_own.merge(other.paired_own);
        self.paired_base.merge(other.paired_base);
        self.tokens_own.merge(other.tokens_own);
        self.tokens_base.merge(other.tokens_base);
    }

    fn add_unit(&mut self, view: &UnitView<'_>) {
        let unit = view.unit;
        self.units += 1;
        if let Some(gain) = view.gab(Tolerance::Exact) {
            self.gab[gain as usize] += 1;
        }
        for (_, label) in view.refinements(Tolerance::Exact) {
            match label {
                Some(Refinement::Strong(gain)) => self.strong[gain as usize] += 1,
                Some(Refinement::Weak(lift)) => self.weak[lift as usize] += 1,
                None => {}
            }
        }
        self.loss.add(view.aggregation_loss());
        self.valid.merge(Mean { sum: f64::from(unit.valid), n: u64::from(unit.outputs) });
        self.agree.add(unit.agree.map(|agree| f64::from(u8::from(agree))));
        self.tokens.add(unit.tokens.get());
        self.answers.add(unit.answer.get());
        self.best_initial.add(view.best_initial());
    }

    fn add_pair(&mut self, own: Option<f64>, base: Option<f64>) {
        if own.is_some() && base.is_some() {
            self.paired_own.add(own);
            self.paired_base.add(base);
        }
    }
}

/// Sums by cluster, in an order that depends on the data alone.
#[derive(Clone, Debug, Default)]
pub struct Clusters {
    blocks: Option<u64>,
    by_key: BTreeMap<u64, Sums>,
}

impl Clusters {
    /// The clusters of one or several runs, each with its baseline.
    pub fn of<'a>(runs: impl Iterator<Item = (&'a RunTrace, Option<&'a Baseline<'a>>)> + Clone) -> Self {
        let largest = runs.clone().map(|(run, _)| cluster_count(run)).max().unwrap_or(0);
        let blocks = (largest > MAX_CLUSTERS).then_some(MAX_CLUSTERS);
        let mut clusters = Self { blocks, by_key: BTreeMap::new() };
        for (run, baseline) in runs {
            match run.setting {
                Setting::Static => clusters.add_static(run, baseline),
                Setting::Dynamic => clusters.add_dynamic(run, baseline),
            }
        }
        clusters
    }

    /// The clusters' sums.
    pub fn sums(&self) -> Vec<&Sums> {
        self.by_key.values().collect()
    }

    /// The sum over all clusters.
    pub fn total(&self) -> Sums {
        let mut total = Sums::default();
        for sums in self.by_key.values() {
            total.merge(sums);
        }
        total
    }

    fn at(&mut self, key: u64) -> &mut Sums {
        let key = self.blocks.map_or(key, |blocks| key % blocks);
        self.by_key.entry(key).or_default()
    }

    fn add_static(&mut self, run: &RunTrace, baseline: Option<&Baseline<'_>>) {
        let gains = !is_baseline(run);
        for view in run.views() {
            let unit = view.unit;
            let sums = self.at(unit.instance);
            sums.add_unit(&view);
            sums.task_score.add(unit.answer.get());
            if let Some(Partner::Unit(base)) = baseline.and_then(|baseline| baseline.partner(unit.instance)) {
                if gains {
                    sums.add_pair(unit.answer.get(), base.answer.get());
                }
                if let (Some(own), Some(base)) = (unit.tokens.get(), base.tokens.get()) {
                    sums.tokens_own.add(Some(own));
                    sums.tokens_base.add(Some(base));
                }
            }
        }
    }

    fn add_dynamic(&mut self, run: &RunTrace, baseline: Option<&Baseline<'_>>) {
        let gains = !is_baseline(run);
        let mut paired = vec![false; run.episodes.len()];
        for (index, episode) in run.episodes.iter().enumerate() {
            let sums = self.at(episode.setup);
            sums.task_score.add(episode.score);
            if let Some(Partner::Episode { score, tokens }) =
                baseline.and_then(|baseline| baseline.partner_episode(run, episode))
            {
                paired[index] = true;
                if gains {
                    sums.add_pair(episode.score, score);
                }
                sums.tokens_base.merge(tokens);
            }
        }
        for view in run.views() {
            let key = view.episode().map_or_else(|| hash(&["unit", view.id], None), |episode| episode.setup);
            let sums = self.at(key);
            sums.add_unit(&view);
            if paired.get(view.unit.episode as usize).copied().unwrap_or(false) {
                sums.tokens_own.add(view.unit.tokens.get());
            }
        }
    }
}

fn cluster_count(run: &RunTrace) -> u64 {
    match run.setting {
        Setting::Static => run.units.len() as u64,
        Setting::Dynamic => {
            let loose = run.units.iter().filter(|unit| unit.episode == u32::MAX).count();
            (run.episodes.len() + loose) as u64
        }
    }
}

// The label arrays are indexed by the labels' order.
const _: () = {
    assert!(Gain::ALL.len() == 4 && Lift::ALL.len() == 5);
    assert!(Gain::ALL[3] as usize == 3 && Lift::ALL[4] as usize == 4);
};
