//! A run in compact form: what the labels and metrics need of each unit, in about 150 bytes.

use serde_json::Value;

use super::labels::{Gain, Refinement, Tolerance};
use super::score::Setting;
use crate::model::{ProposalMeta, ProposalUnit};

/// A number or nothing, in eight bytes: a million units have some ten million of them.
#[derive(Clone, Copy, Debug)]
pub struct Maybe(f64);

impl Maybe {
    /// Undefined.
    pub const NONE: Self = Self(f64::NAN);

    /// The number, if there is one.
    pub fn get(self) -> Option<f64> {
        (!self.0.is_nan()).then_some(self.0)
    }
}

impl From<Option<f64>> for Maybe {
    fn from(value: Option<f64>) -> Self {
        value.map_or(Self::NONE, Self)
    }
}

/// One proposer's scores in one unit.
#[derive(Clone, Copy, Debug)]
pub struct AgentTrace {
    /// Index into [`RunTrace::agents`].
    pub agent: u32,
    /// Score of the initial proposal.
    pub initial: Maybe,
    /// Score of the final proposal.
    pub last: Maybe,
}

/// One unit.
#[derive(Clone, Copy, Debug)]
pub struct UnitTrace {
    /// One past the unit's id in [`RunTrace::ids`].
    pub(super) id_end: usize,
    /// One past the unit's agents in [`RunTrace::proposals`].
    pub(super) agents_end: usize,
    /// Index into [`RunTrace::episodes`]; `u32::MAX` without one.
    pub(super) episode: u32,
    /// Recorded outputs.
    pub outputs: u16,
    /// Valid ones of them.
    pub valid: u16,
    /// Hash of id and instance: what is equal between a run and its baseline.
    pub instance: u64,
    /// S⋆.
    pub max: Maybe,
    /// The answer's score.
    pub answer: Maybe,
    /// Tokens of the unit.
    pub tokens: Maybe,
    /// Whether all final proposals are equal; `None` below two proposers.
    pub agree: Option<bool>,
}

/// One episode of a dynamic task.
#[derive(Clone, Debug)]
pub struct EpisodeTrace {
    /// Its id.
    pub id: String,
    /// Its score.
    pub score: Option<f64>,
    /// Hash of the id and of what stays the same during an episode.
    pub setup: u64,
    /// Hash of its first unit's instance.
    pub first_instance: u64,
    /// Units seen.
    pub units: u32,
}

/// Why a unit is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExampleKind {
    /// The answer is below the best initial proposal.
    Regress,
    /// The answer is below the best final proposal.
    AggregationLoss,
}

/// A unit kept with its contents, to be shown.
#[derive(Clone, Debug)]
pub struct Example {
    /// Why.
    pub kind: ExampleKind,
    /// Points lost.
    pub lost: f64,
    /// The unit as logged.
    pub unit: ProposalUnit,
    /// Scores of the proposers' initial and final proposals, in the unit's order.
    pub scores: Vec<ScorePair>,
    /// The answer's score.
    pub answer: f64,
}

/// Scores of a proposer's first and last proposal.
#[derive(Clone, Copy, Debug)]
pub struct ScorePair {
    /// Initial.
    pub initial: Option<f64>,
    /// Final.
    pub last: Option<f64>,
}

/// What was left out or stands on less than it should.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Units with an id seen before, left out.
    pub duplicate_units: u64,
    /// Units without an answer.
    pub without_answer: u64,
    /// Units without a GAB label, for whatever reason.
    pub unlabelled: u64,
    /// Outputs without usable content that score 0.
    pub malformed: u64,
    /// Outputs whose score is undefined.
    pub unscored: u64,
}

/// A run in compact form.
#[derive(Clone, Debug)]
pub struct RunTrace {
    /// What `run.json` says.
    pub meta: ProposalMeta,
    /// Static or dynamic.
    pub setting: Setting,
    /// Agent names.
    pub agents: Vec<String>,
    /// The units in logged order.
    pub units: Vec<UnitTrace>,
    /// All units' agents, unit by unit.
    pub proposals: Vec<AgentTrace>,
    /// All unit ids, one after another.
    pub ids: String,
    /// The episodes, in order of their first mention.
    pub episodes: Vec<EpisodeTrace>,
    /// Units to be shown.
    pub examples: Vec<Example>,
    /// What was left out.
    pub counts: Counts,
}

/// A unit seen with its run: the derived values.
#[derive(Clone, Copy, Debug)]
pub struct UnitView<'a> {
    run: &'a RunTrace,
    /// The compact record.
    pub unit: &'a UnitTrace,
    /// Its agents.
    pub agents: &'a [AgentTrace],
    /// Its id.
    pub id: &'a str,
}

impl RunTrace {
    /// The unit at an index.
    pub fn unit(&self, index: usize) -> Option<UnitView<'_>> {
        let unit = self.units.get(index)?;
        let before = index.checked_sub(1).and_then(|i| self.units.get(i));
        let (id_start, agents_start) = before.map_or((0, 0), |unit| (unit.id_end, unit.agents_end));
        Some(UnitView {
            run: self,
            unit,
            agents: self.proposals.get(agents_start..unit.agents_end)?,
            id: self.ids.get(id_start..unit.id_end)?,
        })
    }

    /// All units.
    pub fn views(&self) -> impl Iterator<Item = UnitView<'_>> {
        (0..self.units.len()).filter_map(|index| self.unit(index))
    }
}

impl<'a> UnitView<'a> {
    /// b: the best initial score of the recorded initial proposals.
    pub fn best_initial(&self) -> Option<f64> {
        self.agents.iter().filter_map(|agent| agent.initial.get()).reduce(f64::max)
    }

    /// The best final score of the recorded final proposals.
    pub fn best_final(&self) -> Option<f64> {
        self.agents.iter().filter_map(|agent| agent.last.get()).reduce(f64::max)
    }

    /// GAB: the answer against b; `None` where answer or b is undefined (or S⋆, for a kept b).
    pub fn gab(&self, tolerance: Tolerance) -> Option<Gain> {
        Gain::of(self.unit.answer.get()?, self.best_initial()?, self.unit.max.get(), tolerance)
    }

    /// The refinement labels of the unit's agents, in logged order, with the agents' names.
    pub fn refinements(&self, tolerance: Tolerance) -> impl Iterator<Item = (&'a str, Option<Refinement>)> {
        let (best, max, run) = (self.best_initial(), self.unit.max.get(), self.run);
        self.agents.iter().map(move |agent| {
            let name = run.agents.get(agent.agent as usize).map_or("?", String::as_str);
            let label = || Refinement::of(agent.initial.get()?, agent.last.get()?, best?, max, tolerance);
            (name, label())
        })
    }

    /// Aggregation loss of the unit: best final score − answer's score, in points; may be negative. MASTraceBench, eq. 4.
    pub fn aggregation_loss(&self) -> Option<f64> {
        Some(self.best_final()? - self.unit.answer.get()?)
    }

    /// The unit's episode.
    pub fn episode(&self) -> Option<&'a EpisodeTrace> {
        self.run.episodes.get(self.unit.episode as usize)
    }
}

/// A stable hash of an identity and a JSON value in canonical form (sorted keys).
pub(super) fn hash(identity: &[&str], value: Option<&Value>) -> u64 {
    struct Sink(xxhash_rust::xxh3::Xxh3);
    impl std::io::Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.update(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut sink = Sink(xxhash_rust::xxh3::Xxh3::new());
    for part in identity {
        sink.0.update(part.as_bytes());
        sink.0.update(&[0]);
    }
    if let Some(value) = value {
        // Writing into a hash can't fail, and every Value serialises; `Value`'s maps are sorted.
        let _ = serde_json::to_writer(&mut sink, value);
    }
    sink.0.digest()
}
