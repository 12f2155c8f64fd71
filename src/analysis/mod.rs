//! The second stage: from the records of runs to [`Analysis`], one serialisable value with every number that reports show.

mod correlations;
mod driver_tables;
mod drivers;
mod groups;
mod memory;
mod overview;
mod perform;
mod series;
mod swarm;
mod tables;

use serde::{Deserialize, Serialize};

use crate::communication::Communication;
use crate::features::Undefined;
use crate::finding::Finding;
use crate::trajectory::overview::Trajectories;

pub use correlations::{BandPoint, CorrelationRow, Method, StrongestRow, TARGET_SCORE};
pub use driver_tables::driver_tables;
pub use drivers::{Drivers, Moment, MomentAgent, PROTOCOL, ProtocolRow, WorstRuns, drivers};
pub use groups::{GroupRow, RankRange, TaskVerdict, TotalRow};
pub use memory::{MEMORY_KEY, MemoryRow};
pub use overview::{CoverageCell, FindingCount, Input, Overview, Provenance};
pub(crate) use perform::hex;
pub use perform::{Request, analyse, trajectory_settings};
pub use series::Series;
pub use swarm::{Excluded, RunRow, SwarmAnalysis, SwarmCollector};
pub use tables::{correlation_table, group_table, memory_table};

/// Settings that the numbers depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Seed of every random draw.
    pub seed: u64,
    /// Bootstrap resamples.
    pub resamples: usize,
    /// Confidence level of every interval.
    pub level: f64,
    /// What an undefined round counts as in a run's mean.
    pub undefined: Undefined,
    /// Meta keys beside the model that tell groups apart.
    pub group_by: Vec<String>,
    /// The embedder's name.
    pub embedder: String,
}

impl Settings {
    /// The defaults with this seed.
    pub fn new(seed: u64, embedder: &str) -> Self {
        Self {
            seed,
            resamples: crate::stats::RESAMPLES,
            level: crate::stats::LEVEL,
            undefined: Undefined::default(),
            group_by: Vec::new(),
            embedder: embedder.to_owned(),
        }
    }

    /// The bootstrap of what `identity` names, with these settings.
    pub(crate) fn bootstrap<'a>(&self, identity: &'a str) -> crate::stats::Bootstrap<'a> {
        let Self { resamples, level, seed, .. } = *self;
        crate::stats::Bootstrap { resamples, level, seed, identity }
    }
}

/// Everything that was found out: reports show it and compute nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// Name and version of this form.
    pub schema: String,
    /// Title of the report.
    pub title: String,
    /// How it was made: no times, so that equal inputs give equal bytes.
    pub provenance: Provenance,
    /// The settings.
    pub settings: Settings,
    /// What was read.
    pub overview: Overview,
    /// SwarmBench runs.
    pub swarm: Option<SwarmAnalysis>,
    /// Proposal trajectories.
    pub trajectories: Option<Trajectories>,
    /// What drives actions and scores; `None` where it was not asked for, or there are no runs.
    pub drivers: Option<Drivers>,
    /// Communication under partial observability.
    pub communication: Option<Communication>,
    /// What was wrong or doubtful, the gravest first.
    pub findings: Vec<Finding>,
}

impl Analysis {
    /// Every model (or other group) of any benchmark, in the order of their colours.
    pub fn models(&self) -> Vec<String> {
        let swarm = self.swarm.iter().flat_map(|swarm| swarm.models.iter().cloned());
        let groups = self.trajectories.iter().flat_map(|all| &all.groups);
        let rows = self.communication.iter().flat_map(|all| &all.rows);
        let all = swarm.chain(groups.map(|group| group.model.clone()));
        unique(all.chain(rows.map(|row| row.run.model.clone())))
    }

    /// Every task of any benchmark.
    pub fn tasks(&self) -> Vec<String> {
        let swarm = self.swarm.iter().flat_map(|swarm| swarm.tasks.iter().cloned());
        let groups = self.trajectories.iter().flat_map(|all| &all.groups);
        let rows = self.communication.iter().flat_map(|all| &all.rows);
        let all = swarm.chain(groups.map(|group| group.task.clone()));
        unique(all.chain(rows.map(|row| row.run.task.clone())))
    }
}

/// The names, each at its first place.
fn unique(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    names.filter(|name| seen.insert(name.clone())).collect()
}

/// Name and version of the serialised form.
pub const SCHEMA: &str = "swarm-analyze/analysis/1";
