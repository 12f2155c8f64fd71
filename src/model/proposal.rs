//! Proposal trajectories (`mastracebench/1`): what proposers first proposed, what they ended with, what was answered.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use super::RunKey;

/// A task whose proposals are scored. Unknown tasks are kept by their logged name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProposalTask {
    /// Multi-agent path finding on a shared grid.
    Mapf,
    /// A multiple-choice question's options from an article.
    OptionGen,
    /// The facts that support an answer, in order.
    EvidenceChain,
    /// Five in a row on a 15 × 15 board.
    Gomoku,
    /// Division of a pool of items with private values.
    Negotiation,
    /// Simultaneous-action duel.
    TacticDuel,
    /// A task that this version does not know.
    Other(String),
}

impl ProposalTask {
    /// The six known tasks, in the paper's order.
    pub const KNOWN: [Self; 6] =
        [Self::Mapf, Self::OptionGen, Self::EvidenceChain, Self::Gomoku, Self::Negotiation, Self::TacticDuel];

    /// The task of a logged name; letter case, spaces and dashes are folded.
    pub fn from_name(name: &str) -> Self {
        let folded: String =
            name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        Self::KNOWN
            .into_iter()
            .find(|task| task.name().to_lowercase() == folded)
            .unwrap_or_else(|| Self::Other(name.trim().to_owned()))
    }

    /// The canonical name.
    pub fn name(&self) -> &str {
        match self {
            Self::Mapf => "MAPF",
            Self::OptionGen => "OptionGen",
            Self::EvidenceChain => "EvidenceChain",
            Self::Gomoku => "Gomoku",
            Self::Negotiation => "Negotiation",
            Self::TacticDuel => "TacticDuel",
            Self::Other(name) => name,
        }
    }
}

impl fmt::Display for ProposalTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What `run.json` says of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposalMeta {
    /// Batch and run id.
    pub key: RunKey,
    /// The benchmark's name, where logged.
    pub benchmark: Option<String>,
    /// The task.
    pub task: ProposalTask,
    /// The method's name as logged.
    pub method: String,
    /// The model's name; a mixed team has a label made of its members.
    pub model: String,
    /// The seed, where logged.
    pub seed: Option<i64>,
    /// Number of proposers that the run was set to, where logged.
    pub proposers: Option<u32>,
    /// Interaction rounds that the run was set to, where logged.
    pub rounds: Option<u32>,
    /// Every other key: the grouping columns.
    pub columns: BTreeMap<String, Value>,
}

/// The judge's two scores of an OptionGen output, each on 0–100.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judge {
    /// Score of the correct option.
    pub correct: f64,
    /// Score of the three distractors.
    pub distractors: f64,
}

/// An evaluable output: an initial or final proposal, or the answer of the whole system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// The task-specific content; `None` where nothing could be extracted.
    pub content: Option<Value>,
    /// The logged score, 0–100.
    pub score: Option<f64>,
    /// Whether the output was logged as extractable and scoreable.
    pub valid: Option<bool>,
    /// The judge's scores (OptionGen).
    pub judge: Option<Judge>,
    /// The opponent's decision (Negotiation).
    pub accepted: Option<bool>,
}

/// One proposer's first and last proposal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proposer {
    /// The agent's name.
    pub agent: String,
    /// Before any interaction.
    pub initial: Option<Output>,
    /// After it.
    pub last: Option<Output>,
}

/// Tokens and calls that a unit took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// All tokens of all agent calls.
    pub total: Option<f64>,
    /// Number of agent calls.
    pub calls: Option<u64>,
}

/// One evaluation unit: a sample of a static task, or one decision of a dynamic one.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposalUnit {
    /// The unit's id, unique within its run.
    pub unit_id: String,
    /// The episode (dynamic tasks).
    pub episode_id: Option<String>,
    /// The step within the episode (dynamic tasks).
    pub step: Option<u64>,
    /// The task-specific instance or state.
    pub instance: Value,
    /// The logged highest attainable score.
    pub max_score: Option<f64>,
    /// The proposers, in logged order.
    pub proposers: Vec<Proposer>,
    /// The answer of the whole system.
    pub answer: Option<Output>,
    /// What it cost, where logged.
    pub cost: Option<Cost>,
}

/// The score of one episode of a dynamic task.
#[derive(Clone, Debug, PartialEq)]
pub struct EpisodeScore {
    /// The episode.
    pub episode_id: String,
    /// Its score, 0–100.
    pub score: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fold_and_unknown_ones_stay() {
        assert_eq!(ProposalTask::from_name("mapf"), ProposalTask::Mapf);
        assert_eq!(ProposalTask::from_name("Evidence Chain"), ProposalTask::EvidenceChain);
        assert_eq!(ProposalTask::from_name(" Chess "), ProposalTask::Other("Chess".into()));
        for task in ProposalTask::KNOWN {
            assert_eq!(ProposalTask::from_name(task.name()), task);
        }
    }
}
