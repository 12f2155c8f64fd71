//! Communication under partial observability (MASBench): score, tokens, efficiency, entropy, message graph.
//!
//! An episode is measured ([`measure`]) as it is read and its text dropped; [`RunMeasures`] collects a run, [`analyse`] makes the
//! tables. Every metric is a row of [`METRICS`].

mod aggregate;
mod analysis;
mod answer;
mod compare;
mod dynamics;
mod entropy;
mod export;
mod failure;
mod gather;
mod graph;
mod measure;
mod metric;
mod run;
mod score;
mod tables;
mod tokenizer;

pub use aggregate::{InstanceMeans, efficiency, instance_means};
pub use analysis::{Communication, Settings, analyse};
pub use answer::{answer_f1, normalise};
pub use compare::{COMPARED, Difference, Factor, Pairing};
pub use dynamics::as_swarm_run;
pub use entropy::contribution_entropy;
pub use export::{Exported, Table};
pub use failure::{Failure, FailureKind, TranscriptLine};
pub use gather::communicate;
pub use graph::{GraphMeasures, MessageGraph};
pub use measure::{EpisodeMeasures, RoundTraffic, ScoreSource, measure};
pub use metric::{EFF, ENTROPY, Kind, METRICS, Metric, SCORE, TOK};
pub use run::{AgentSums, Measurer, RunMeasures};
pub use score::{NoScore, Window, blockers, feasible_starts, score};
pub use tables::{
    AgentRow, ArcRow, EntropyRow, EpisodeRow, FailureRow, MetricRow, NamedValue, Part, RoundRow, RunIdentity,
    Values,
};
pub use tokenizer::{Tokenizer, Vocabulary};
