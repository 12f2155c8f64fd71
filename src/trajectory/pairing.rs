//! Each run's baseline: the Single-Agent run of the same task, model and instances.

use super::method::BASELINE;
use super::score::Setting;
use super::sums::Mean;
use super::trace::{EpisodeTrace, RunTrace, UnitTrace};
use crate::finding::{Findings, Subject, mt};

/// What the baseline has for an instance.
#[derive(Clone, Copy, Debug)]
pub enum Partner<'a> {
    /// The unit of a static task.
    Unit(&'a UnitTrace),
    /// The episode of a dynamic one: its score, and the tokens of its units.
    Episode {
        /// The episode's score.
        score: Option<f64>,
        /// Tokens per unit.
        tokens: Mean,
    },
}

/// A baseline, ready for look-ups by instance.
#[derive(Clone, Debug)]
pub struct Baseline<'a> {
    run: &'a RunTrace,
    /// (instance, index of its unit or episode), sorted.
    keys: Vec<(u64, u32)>,
    /// Tokens by episode.
    tokens: Vec<Mean>,
}

impl<'a> Baseline<'a> {
    /// Makes a run ready for look-ups.
    pub fn new(run: &'a RunTrace) -> Self {
        let mut keys: Vec<(u64, u32)> =
            instances(run).enumerate().map(|(index, key)| (key, index as u32)).collect();
        keys.sort_unstable();
        let mut tokens = vec![Mean::default(); run.episodes.len()];
        for unit in &run.units {
            if let Some(mean) = tokens.get_mut(unit.episode as usize) {
                mean.add(unit.tokens.get());
            }
        }
        Self { run, keys, tokens }
    }

    /// The baseline's run.
    pub fn run(&self) -> &'a RunTrace {
        self.run
    }

    fn index(&self, key: u64) -> Option<usize> {
        let at = self.keys.partition_point(|&(other, _)| other < key);
        self.keys.get(at).filter(|&&(other, _)| other == key).map(|&(_, index)| index as usize)
    }

    /// The baseline's unit of the same id and instance.
    pub fn partner(&self, instance: u64) -> Option<Partner<'a>> {
        self.run.units.get(self.index(instance)?).map(Partner::Unit)
    }

    /// The baseline's episode of the same id and set-up.
    pub fn partner_episode(&self, run: &RunTrace, episode: &EpisodeTrace) -> Option<Partner<'a>> {
        let index = self.index(episode.setup)?;
        let base = self.run.episodes.get(index)?;
        comparable(run, episode, self.run, base).then(|| Partner::Episode {
            score: base.score,
            tokens: self.tokens.get(index).copied().unwrap_or_default(),
        })
    }

    /// Instances of `run` that the baseline has too.
    fn shared(&self, run: &RunTrace) -> usize {
        match run.setting {
            Setting::Static => run.units.iter().filter(|unit| self.index(unit.instance).is_some()).count(),
            Setting::Dynamic => {
                run.episodes.iter().filter(|episode| self.partner_episode(run, episode).is_some()).count()
            }
        }
    }
}

/// What is compared: units of a static task, episodes of a dynamic one.
fn instances(run: &RunTrace) -> Box<dyn Iterator<Item = u64> + '_> {
    match run.setting {
        Setting::Static => Box::new(run.units.iter().map(|unit| unit.instance)),
        Setting::Dynamic => Box::new(run.episodes.iter().map(|episode| episode.setup)),
    }
}

/// Whether two episodes of the same id and set-up are one instance.
///
/// A dynamic task's states follow from the moves, so only its beginning can be compared; and that may already hold a move
/// of the opponent. Episodes of runs with different seeds are taken for the same only where they begin alike.
fn comparable(run: &RunTrace, own: &EpisodeTrace, base_run: &RunTrace, base: &EpisodeTrace) -> bool {
    let seeds = (run.meta.seed, base_run.meta.seed);
    let other_seed = matches!(seeds, (Some(own), Some(base)) if own != base);
    !other_seed || (own.units > 0 && base.units > 0 && own.first_instance == base.first_instance)
}

/// Whether a run is the baseline method.
pub fn is_baseline(run: &RunTrace) -> bool {
    run.meta.method == BASELINE
}

/// For each run the index of its baseline; a baseline has itself.
///
/// Among the Single-Agent runs of the same benchmark, task and model the one that shares most instances is taken, then the one
/// of the same seed, then of the same batch, then the first by name. Without a shared instance there is none.
pub fn find(runs: &[RunTrace], findings: &mut Findings) -> Vec<Option<usize>> {
    let baselines: Vec<(usize, Baseline<'_>)> = runs
        .iter()
        .enumerate()
        .filter(|(_, run)| is_baseline(run))
        .map(|(index, run)| (index, Baseline::new(run)))
        .collect();
    runs.iter()
        .enumerate()
        .map(|(index, run)| if is_baseline(run) { Some(index) } else { choose(run, &baselines, findings) })
        .collect()
}

fn choose(run: &RunTrace, baselines: &[(usize, Baseline<'_>)], findings: &mut Findings) -> Option<usize> {
    let meta = &run.meta;
    let subject = Subject::run(&meta.key.batch, &meta.key.run_id);
    let best = baselines
        .iter()
        .filter(|(_, base)| {
            let other = &base.run.meta;
            other.task == meta.task && other.model == meta.model && other.benchmark == meta.benchmark
        })
        .map(|(index, base)| {
            let other = &base.run.meta;
            let rank = (base.shared(run), other.seed == meta.seed, other.key.batch == meta.key.batch);
            (rank, *index, base)
        })
        .reduce(|best, next| if next.0 > best.0 { next } else { best });
    let what = || format!("task {}, model {:?}", meta.task, meta.model);
    let Some(((shared, ..), index, base)) = best else {
        findings.add(&mt::NO_BASELINE, &subject, None, what());
        return None;
    };
    let (own, theirs) = (instances(run).count(), base.keys.len());
    if shared == 0 {
        let message = format!("{}: none of its {own} instances is in {:?}", what(), base.run.meta.key.run_id);
        findings.add(&mt::NO_BASELINE, &subject, None, message);
        return None;
    }
    if shared < own || shared < theirs {
        let message = format!(
            "{shared} instances are shared; {} only here, {} only in {:?}",
            own - shared,
            theirs.saturating_sub(shared),
            base.run.meta.key.run_id
        );
        findings.add(&mt::INSTANCES_DIFFER, &subject, None, message);
    }
    Some(index)
}
