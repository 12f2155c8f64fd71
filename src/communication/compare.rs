//! What a mechanism or a framework changes: differences between runs that are alike otherwise, paired on instances.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::aggregate::{InstanceValue, by_instance, over_instances, value_of};
use super::tables::Part;
use super::{EFF, ENTROPY, EpisodeMeasures, Metric, RunMeasures, SCORE, Settings, TOK};
use crate::finding::{Findings, Place, Subject, mb};
use crate::model::Mechanism;
use crate::stats::{Bootstrap, Permutation, Undefined, holm};

/// What two sides of a comparison differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Factor {
    /// Memory, off against on.
    Memory,
    /// Protocol, off against on.
    Protocol,
    /// Routing: none, random, gate.
    Routing,
    /// Several mechanisms at once, against none.
    Mechanisms,
    /// The framework.
    Framework,
}

impl Factor {
    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Protocol => "protocol",
            Self::Routing => "routing",
            Self::Mechanisms => "mechanisms",
            Self::Framework => "framework",
        }
    }
}

/// How the two sides are matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pairing {
    /// Instance by instance.
    Paired,
    /// As independent samples, since the two sides share no instances.
    Independent,
}

/// A difference of one metric between two sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The task.
    pub task: String,
    /// The model.
    pub model: String,
    /// The framework; `from` and `to` name theirs when the framework is what differs.
    pub framework: String,
    /// What differs.
    pub factor: Factor,
    /// The side that the difference starts from.
    pub from: String,
    /// The other side.
    pub to: String,
    /// The part of the instances.
    pub split: Part,
    /// The metric's id.
    pub metric: String,
    /// How the sides are matched.
    pub pairing: Pairing,
    /// Instances of the first side in the difference; pairs where paired.
    pub n_from: u64,
    /// Instances of the other side in the difference.
    pub n_to: u64,
    /// Instances of either side that have no partner or no value.
    pub left_out: u64,
    /// The metric on the first side, over the instances in the difference.
    pub value_from: Option<f64>,
    /// The metric on the other side.
    pub value_to: Option<f64>,
    /// `value_to − value_from`, in the metric's unit.
    pub difference: Option<f64>,
    /// Lower end of the bootstrap interval over instances.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Two-sided p-value of the permutation test.
    pub p: Option<f64>,
    /// The same after Holm's adjustment over all differences of this task, metric and split.
    pub p_adjusted: Option<f64>,
    /// Why there is no difference.
    pub reason: Option<String>,
}

/// Metrics that are compared.
pub const COMPARED: [&Metric; 4] = [&SCORE, &TOK, &EFF, &ENTROPY];

/// An instance of a configuration: all its episodes.
struct Pool<'a> {
    /// Episodes by seed, split and instance.
    instances: BTreeMap<InstanceKey, Vec<&'a EpisodeMeasures>>,
}

/// Names an instance across runs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct InstanceKey {
    seed: Option<i64>,
    split: String,
    instance_id: String,
}

/// What a pool of runs has in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Configuration {
    task: String,
    model: String,
    framework: String,
    mechanism: Mechanism,
}

/// A comparison to be made.
struct Plan<'a> {
    factor: Factor,
    from: &'a Configuration,
    to: &'a Configuration,
}

/// All differences, in the order of task, model, framework and factor. Runs of one configuration are pooled; their instances are told apart
/// by the run's seed.
pub(super) fn differences(
    runs: &[RunMeasures],
    settings: &Settings,
    findings: &mut Findings,
) -> Vec<Difference> {
    let mut pools: BTreeMap<Configuration, Pool<'_>> = BTreeMap::new();
    for run in runs {
        let configuration = Configuration {
            task: run.meta.task.name().to_owned(),
            model: run.meta.model.clone(),
            framework: run.meta.framework.clone(),
            mechanism: run.meta.mechanism.clone(),
        };
        let pool = pools.entry(configuration).or_insert_with(|| Pool { instances: BTreeMap::new() });
        for ((split, instance_id), episodes) in by_instance(&run.episodes) {
            let key = InstanceKey {
                seed: run.meta.seed,
                split: split.to_owned(),
                instance_id: instance_id.to_owned(),
            };
            pool.instances.entry(key).or_default().extend(episodes);
        }
    }
    let configurations: Vec<&Configuration> = pools.keys().collect();
    let plans = plans(&configurations);
    for plan in &plans {
        note_unlike(plan, &pools, findings);
    }
    let tasks: Vec<(&Plan<'_>, Part, &Metric)> = plans
        .iter()
        .flat_map(|plan| {
            Part::ALL.into_iter().flat_map(move |part| COMPARED.map(|metric| (plan, part, metric)))
        })
        .collect();
    let mut found: Vec<Difference> = tasks
        .par_iter()
        .map(|&(plan, part, metric)| difference(plan, part, metric, &pools, settings))
        .collect();
    adjust(&mut found);
    found
}

/// Which configurations to compare.
fn plans<'a>(configurations: &[&'a Configuration]) -> Vec<Plan<'a>> {
    let mut plans = Vec::new();
    for &from in configurations {
        for &to in configurations {
            if (&from.task, &from.model) != (&to.task, &to.model) || from == to {
                continue;
            }
            let factor = if from.framework == to.framework {
                mechanism_factor(&from.mechanism, &to.mechanism)
            } else {
                framework_factor(from, to, configurations)
            };
            plans.extend(factor.map(|factor| Plan { factor, from, to }));
        }
    }
    plans.sort_by(|a, b| {
        let key = |plan: &Plan<'a>| (&plan.from.task, &plan.from.model, &plan.from.framework, plan.factor);
        key(a).cmp(&key(b))
    });
    plans
}

/// What the second mechanism has more than the first: one of the three, or several against none.
fn mechanism_factor(from: &Mechanism, to: &Mechanism) -> Option<Factor> {
    let memory = from.memory != to.memory;
    let protocol = from.protocol != to.protocol;
    let routing = from.routing != to.routing;
    match (memory, protocol, routing) {
        (true, false, false) => (!from.memory).then_some(Factor::Memory),
        (false, true, false) => (!from.protocol).then_some(Factor::Protocol),
        // None before random before gate: the derived order.
        (false, false, true) => (from.routing < to.routing).then_some(Factor::Routing),
        _ => (*from == Mechanism::default()).then_some(Factor::Mechanisms),
    }
}

/// Another framework against the benchmark's own: with the same mechanisms where there is such a run, else against each.
fn framework_factor(from: &Configuration, to: &Configuration, all: &[&Configuration]) -> Option<Factor> {
    let is_twin = |configuration: &&Configuration| {
        configuration.framework == from.framework
            && (&configuration.task, &configuration.model) == (&to.task, &to.model)
            && configuration.mechanism == to.mechanism
    };
    let comparable = from.mechanism == to.mechanism || !all.iter().any(is_twin);
    let reference = |configuration: &Configuration| configuration.framework == "reference";
    let in_order = reference(from) || (!reference(to) && from.framework < to.framework);
    (comparable && in_order).then_some(Factor::Framework)
}

/// Notes instances of one id that are not the same on both sides.
fn note_unlike(plan: &Plan<'_>, pools: &BTreeMap<Configuration, Pool<'_>>, findings: &mut Findings) {
    let (from, to) = (&pools[plan.from], &pools[plan.to]);
    let subject =
        Subject { batch: None, run_id: Some(format!("{} {}", plan.from.task, plan.from.model)), file: None };
    for (key, ours) in &from.instances {
        let Some(theirs) = to.instances.get(key) else { continue };
        if ours[0].fingerprint != theirs[0].fingerprint {
            let message = format!("{} and {}", side(plan, plan.from), side(plan, plan.to));
            findings.add(&mb::INSTANCES_DIFFER, &subject, Some(Place::Key(key.instance_id.clone())), message);
        }
    }
}

/// The name of a side.
fn side(plan: &Plan<'_>, configuration: &Configuration) -> String {
    let mechanism = configuration.mechanism.label();
    if plan.factor == Factor::Framework {
        format!("{} {mechanism}", configuration.framework)
    } else {
        mechanism
    }
}

/// The values of both sides: paired ones first where there are any, else all.
struct Sides {
    pairing: Pairing,
    from: Vec<InstanceValue>,
    to: Vec<InstanceValue>,
    left_out: u64,
}

fn sides(plan: &Plan<'_>, part: Part, metric: &Metric, pools: &BTreeMap<Configuration, Pool<'_>>) -> Sides {
    let usable = |value: &InstanceValue| value.usable(&metric.kind);
    let values = |configuration: &Configuration| -> BTreeMap<&InstanceKey, (u64, InstanceValue)> {
        let instances = pools[configuration].instances.iter();
        instances
            .filter(|(_, episodes)| part.holds(episodes[0]))
            .map(|(key, episodes)| (key, (episodes[0].fingerprint, value_of(&metric.kind, episodes))))
            .collect()
    };
    let (from, to) = (values(plan.from), values(plan.to));
    let shared: Vec<(InstanceValue, InstanceValue)> = from
        .iter()
        .filter_map(|(key, (print, ours))| {
            let (other_print, theirs) = to.get(key)?;
            (print == other_print).then_some((*ours, *theirs))
        })
        .collect();
    let all = (from.len() + to.len()) as u64;
    if shared.is_empty() {
        let take = |side: BTreeMap<&InstanceKey, (u64, InstanceValue)>| -> Vec<InstanceValue> {
            side.into_values().map(|(_, value)| value).filter(usable).collect()
        };
        let (from, to) = (take(from), take(to));
        let left_out = all - (from.len() + to.len()) as u64;
        return Sides { pairing: Pairing::Independent, from, to, left_out };
    }
    let pairs: Vec<_> = shared.into_iter().filter(|(ours, theirs)| usable(ours) && usable(theirs)).collect();
    let left_out = all - 2 * pairs.len() as u64;
    let (from, to) = pairs.into_iter().unzip();
    Sides { pairing: Pairing::Paired, from, to, left_out }
}

fn difference(
    plan: &Plan<'_>,
    part: Part,
    metric: &Metric,
    pools: &BTreeMap<Configuration, Pool<'_>>,
    settings: &Settings,
) -> Difference {
    let Sides { pairing, from, to, left_out } = sides(plan, part, metric, pools);
    let (from_name, to_name) = (side(plan, plan.from), side(plan, plan.to));
    let Configuration { task, model, framework, .. } = plan.from;
    let identity = format!(
        "communication/difference/{task}/{model}/{framework}/{from_name}/{to_name}/{}/{}",
        part.name(),
        metric.id
    );
    let over = |values: &mut dyn Iterator<Item = InstanceValue>| {
        let values: Vec<InstanceValue> = values.collect();
        over_instances(&metric.kind, values.into_iter()).ok_or(Undefined::Empty)
    };
    let minus = |ours: &mut dyn Iterator<Item = InstanceValue>,
                 theirs: &mut dyn Iterator<Item = InstanceValue>| {
        Ok(over(theirs)? - over(ours)?)
    };
    let bootstrap = Bootstrap {
        resamples: settings.resamples as usize,
        level: settings.level,
        seed: settings.seed,
        identity: &identity,
    };
    let permutation =
        Permutation { draws: settings.resamples as usize, seed: settings.seed, identity: &identity };
    let observed = minus(&mut from.iter().copied(), &mut to.iter().copied());
    let (interval, p) = match pairing {
        Pairing::Paired => (
            bootstrap.rows(from.len(), |rows| {
                minus(&mut rows.iter().map(|&row| from[row]), &mut rows.iter().map(|&row| to[row]))
            }),
            permutation.paired(from.len(), |exchanged| {
                let pick =
                    |row: usize, other: bool| if exchanged[row] == other { from[row] } else { to[row] };
                minus(
                    &mut (0..from.len()).map(|row| pick(row, false)),
                    &mut (0..from.len()).map(|row| pick(row, true)),
                )
            }),
        ),
        Pairing::Independent => {
            let all: Vec<InstanceValue> = from.iter().chain(&to).copied().collect();
            let numbers: Vec<f64> = (0..all.len()).map(|unit| unit as f64).collect();
            let (left, right) = numbers.split_at(from.len());
            let of = |units: &[f64]| units.iter().map(|&unit| all[unit as usize]).collect::<Vec<_>>();
            (
                bootstrap.stratified(&[left, right], |samples| {
                    minus(&mut of(samples[0]).into_iter(), &mut of(samples[1]).into_iter())
                }),
                permutation.independent(from.len(), to.len(), |units| {
                    let (left, right) = units.split_at(from.len());
                    minus(&mut left.iter().map(|&unit| all[unit]), &mut right.iter().map(|&unit| all[unit]))
                }),
            )
        }
    };
    let reason = match (&observed, &p) {
        (Err(_), _) if from.is_empty() || to.is_empty() => {
            Some("no instance has a value on both sides".to_owned())
        }
        (Err(_), _) => Some("the metric is undefined on one side".to_owned()),
        (_, Err(undefined)) => Some(undefined.to_string()),
        _ => None,
    };
    let interval = interval.ok().map(|estimate| estimate.interval);
    Difference {
        task: task.clone(),
        model: model.clone(),
        framework: framework.clone(),
        factor: plan.factor,
        from: from_name,
        to: to_name,
        split: part,
        metric: metric.id.to_owned(),
        pairing,
        n_from: from.len() as u64,
        n_to: to.len() as u64,
        left_out,
        value_from: over(&mut from.iter().copied()).ok(),
        value_to: over(&mut to.iter().copied()).ok(),
        difference: observed.ok(),
        low: interval.map(|interval| interval.low),
        high: interval.map(|interval| interval.high),
        p: p.ok(),
        p_adjusted: None,
        reason,
    }
}

/// Holm's adjustment within each task, metric and split.
fn adjust(differences: &mut [Difference]) {
    let mut families: BTreeMap<(String, String, Part), Vec<usize>> = BTreeMap::new();
    for (ix, found) in differences.iter().enumerate() {
        families.entry((found.task.clone(), found.metric.clone(), found.split)).or_default().push(ix);
    }
    for members in families.into_values() {
        let p: Vec<Option<f64>> = members.iter().map(|&ix| differences[ix].p).collect();
        let Ok(adjusted) = holm(&p) else { continue };
        for (ix, adjusted) in members.into_iter().zip(adjusted) {
            differences[ix].p_adjusted = adjusted;
        }
    }
}
