//! What a world must offer so that every method works on it: proposals, their claims, and putting claims together.

use serde_json::{Map, Value};

use super::mind::Draws;
use crate::model::Output;
use crate::trajectory::score::Instance;

/// A part of a proposal that can be judged by itself: a robot's path, a fact, an item's share, a move's reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The decision it speaks for; a proposal makes one decision per slot.
    pub slot: usize,
    /// What it would have decided there.
    pub option: Value,
    /// The claim in words.
    pub text: String,
    /// Whether it is true: what judges see through noise.
    pub good: bool,
}

/// A decision of a proposal.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The slot.
    pub slot: usize,
    /// What is decided there.
    pub option: Value,
}

/// One unit of a task: a query with a hidden truth.
pub trait Problem {
    /// The instance as logged.
    fn instance(&self) -> Value;

    /// A proposal of a scripted agent.
    fn propose(&self, draws: &Draws<'_>) -> Value;

    /// The claims of a proposal; none of a content that has not the task's form.
    fn claims(&self, content: &Value) -> Vec<Claim>;

    /// The proposal that makes these choices, one per slot; null where they make none.
    fn assemble(&self, choices: &[Choice]) -> Value;

    /// What is logged beside the content: the judge's scores, the opponent's decision.
    fn beside(&self, _content: &Value) -> Map<String, Value> {
        Map::new()
    }

    /// The content with what is beside it, as the scoring functions see it.
    fn output(&self, content: &Value) -> Output {
        Output { content: Some(content.clone()).filter(|content| !content.is_null()), ..Output::default() }
    }

    /// The task's scoring functions for this unit.
    fn scoring(&self) -> &dyn Instance;
}

/// A proposal's decisions: the option of each slot's first claim.
pub(super) fn choices(claims: &[Claim]) -> Vec<Choice> {
    let mut choices: Vec<Choice> = Vec::new();
    for claim in claims {
        if !choices.iter().any(|choice| choice.slot == claim.slot) {
            choices.push(Choice { slot: claim.slot, option: claim.option.clone() });
        }
    }
    choices
}
