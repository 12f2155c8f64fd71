//! What a study found, as it stands in the outputs.

use serde::{Deserialize, Serialize};

use super::design::Group;
use super::margin::Margin;
use super::surrogate::Surrogate;
use crate::stats::{mean, quantile};

/// Mean of some values and the span of their middle 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Mean.
    pub mean: f64,
    /// 2.5 % quantile.
    pub low: f64,
    /// 97.5 % quantile.
    pub high: f64,
    /// Number of values.
    pub n: usize,
}

impl Spread {
    /// Of these values: mean, and the quantiles 2.5 % and 97.5 % (type 7); `None` without values.
    pub fn of(values: &[f64]) -> Option<Self> {
        Some(Self {
            mean: mean(values).ok()?,
            low: quantile(values, 0.025).ok()?,
            high: quantile(values, 0.975).ok()?,
            n: values.len(),
        })
    }
}

/// The scores of one split.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SplitScore {
    /// Rows fitted to.
    pub train_rows: usize,
    /// Rows held out.
    pub test_rows: usize,
    /// Runs held out.
    pub test_runs: usize,
    /// Macro F1 of the forest on the rows held out.
    pub f1: f64,
    /// Accuracy there.
    pub accuracy: f64,
    /// Macro F1 of always saying the most frequent action of the fitted rows.
    pub majority_f1: f64,
    /// Macro F1 of a forest fitted to shuffled labels.
    pub shuffled_f1: f64,
}

impl SplitScore {
    /// Macro F1 beyond that of the better baseline.
    pub fn margin(&self) -> f64 {
        self.f1 - self.majority_f1.max(self.shuffled_f1)
    }
}

/// Importance of one thing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImportanceRow {
    /// Name of the group or feature; of a cluster, its members.
    pub name: String,
    /// The group it belongs to; `None` for a cluster across groups.
    pub group: Option<Group>,
    /// Features in it.
    pub features: usize,
    /// Drop of macro F1 over splits and repeats.
    pub drop: Spread,
}

/// Number of decisions for an action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassCount {
    /// The action.
    pub action: String,
    /// Rows with it.
    pub rows: usize,
}

/// The rankings; there only when the forest beats its baselines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rankings {
    /// By group, each permuted jointly; in the order of [`Group::ALL`].
    pub groups: Vec<ImportanceRow>,
    /// Clusters of correlated features permuted jointly, the most important first.
    pub clusters: Vec<ImportanceRow>,
    /// Single features, the most important first.
    pub features: Vec<ImportanceRow>,
    /// A small tree that imitates the forest of the first split.
    pub surrogate: Option<Surrogate>,
}

/// What a study found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attribution {
    /// The task.
    pub task: String,
    /// The model; `None` for all models of the task together.
    pub model: Option<String>,
    /// Runs with decisions that can be explained.
    pub runs: usize,
    /// Runs left out because no decision of theirs is logged with an action and a view.
    pub runs_without_views: usize,
    /// Decisions with an action and a view in the logs.
    pub rows_logged: usize,
    /// Decisions used.
    pub rows: usize,
    /// Features that vary.
    pub features: usize,
    /// Features left out because they are constant.
    pub constant_features: usize,
    /// Actions, by name.
    pub classes: Vec<ClassCount>,
    /// Scores by split.
    pub splits: Vec<SplitScore>,
    /// Macro F1 over the splits.
    pub f1: Option<Spread>,
    /// That of the majority class.
    pub majority_f1: Option<Spread>,
    /// That of shuffled labels.
    pub shuffled_f1: Option<Spread>,
    /// How far the forest beats the better baseline, run by run.
    pub margin: Option<Margin>,
    /// Why nothing is ranked, where nothing is.
    pub refusal: Option<String>,
    /// The rankings, where the forest beats both baselines in every split, and by more than runs differ.
    pub rankings: Option<Rankings>,
}
