//! Group dynamics: one number per round or run for how a swarm talks, moves and holds together.
//!
//! Every measure is a row of [`FEATURES`]; columns, glossary, axis labels and documentation derive from the row. The
//! rounds of a run are walked once ([`Walker`]); what several measures need is prepared once per round in [`RoundView`].

mod actions;
mod adjacency;
mod agents;
mod convergence;
pub mod embed;
mod evidence;
mod failure;
mod messages;
mod movement;
mod record;
mod selection;
mod semantics;
mod structure;
mod table;
mod walk;

use serde::{Deserialize, Serialize};

pub use agents::{AGENT_COLUMNS, AgentColumn, AgentTally};
pub use evidence::{Evidence, MODES, evidence};
pub use failure::{Step, steps};
pub use record::{RoundTable, RunRecord, run_record};
pub use selection::Selection;
pub use table::{FeatureTable, Level, MetaColumns};
pub use walk::{Movement, RoundView, RunView, Walker};

/// Which log a measure needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Scores and positions.
    GameLog,
    /// Actions and messages.
    AgentLog,
    /// Both.
    Both,
}

/// How a measure is computed.
#[derive(Clone, Copy)]
pub enum Compute {
    /// From one round; `None` where undefined.
    Round(fn(&RoundView<'_>) -> Option<f64>),
    /// From one round and what the measure keeps of the rounds before.
    Stateful(fn() -> Box<dyn RoundMeasure>),
    /// From the whole run.
    Run(fn(&RunView<'_>) -> Option<f64>),
}

/// A measure with a memory.
pub trait RoundMeasure {
    /// The value of the next round.
    fn round(&mut self, view: &RoundView<'_>) -> Option<f64>;
}

/// How a run's value comes from its rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunMean {
    /// Over all logged rounds, an undefined one by the `--undefined` rule (the SwarmBench paper's group dynamics).
    Logged,
    /// Over the rounds that define the measure.
    Defined,
}

/// A measure: one row of the registry.
#[derive(Clone, Copy)]
pub struct Feature {
    /// Column name, as in the released scripts where they have it.
    pub id: &'static str,
    /// Title in reports.
    pub title: &'static str,
    /// Unit, `1` for shares and other pure numbers.
    pub unit: &'static str,
    /// Range of possible values.
    pub range: &'static str,
    /// Definition in words or signs.
    pub formula: &'static str,
    /// When it is undefined.
    pub undefined: &'static str,
    /// Paper and section.
    pub source: &'static str,
    /// The family, for grouping in reports.
    pub family: &'static str,
    /// The log it needs.
    pub needs: Needs,
    /// How rounds make a run's value.
    pub run_mean: RunMean,
    /// The computation.
    pub compute: Compute,
}

impl Feature {
    /// Whether the measure has a value per round.
    pub fn per_round(&self) -> bool {
        !matches!(self.compute, Compute::Run(_))
    }
}

/// Every measure, in the order of columns.
pub const FEATURES: &[Feature] = &[
    messages::PROP_QUESTION_SENTENCES,
    messages::PROP_DIGIT_CHARS,
    messages::MEAN_MESSAGE_LENGTH,
    messages::STD_MESSAGE_LENGTH,
    semantics::INFO_HOMOGENEITY,
    semantics::NORM_MEAN_MESSAGE_EMBEDDING,
    actions::DIRECTIONAL_ENTROPY,
    actions::STILLNESS_PROPORTION,
    actions::DOMINANT_ACTION_PROP,
    actions::POLARIZATION_INDEX,
    movement::AVG_MOVING_DISTANCE,
    movement::STEP_DISTANCE,
    movement::EXPLORATION_RATE,
    structure::LOCAL_STRUCTURE_PRESERVATION_COUNT,
    structure::AGENT_PUSH_EVENTS,
    failure::ACTION_GINI,
    failure::VISUAL_COMPONENTS,
    failure::LARGEST_COMPONENT_SHARE,
    failure::CONGESTION,
    failure::CONGESTION_PRESSURE,
    failure::REVISIT_RATE,
    convergence::EDIT_DISTANCE_CONSISTENCY,
    convergence::EDIT_DISTANCE_CONSISTENCY_INCREASE,
    convergence::INFO_HOMOGENEITY_INCREASE,
];

/// The feature with this id.
pub fn feature(id: &str) -> Option<&'static Feature> {
    FEATURES.iter().find(|feature| feature.id == id)
}

/// The column of the feature with this id.
pub fn column_of(id: &str) -> Option<usize> {
    FEATURES.iter().position(|feature| feature.id == id)
}

/// What an undefined round counts as in a run's mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Undefined {
    /// 0, as in the papers.
    #[default]
    Zero,
    /// It is left out.
    Skip,
}

impl Undefined {
    /// The name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::Skip => "skip",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registry_rows_are_complete_and_ids_are_column_names() {
        let mut seen = std::collections::BTreeSet::new();
        for feature in FEATURES {
            assert!(seen.insert(feature.id), "{} is there twice", feature.id);
            assert!(
                feature.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'),
                "{}",
                feature.id
            );
            for text in [
                feature.title,
                feature.unit,
                feature.range,
                feature.formula,
                feature.undefined,
                feature.source,
            ] {
                assert!(!text.is_empty(), "{} lacks a text", feature.id);
            }
        }
    }
}
