//! What the forest looks at: one row per agent and round, named columns in groups, and the action chosen.

use serde::{Deserialize, Serialize};

use super::matrix::Matrix;

/// What a column tells about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// What the agent sees.
    Observation,
    /// What it was told.
    Messages,
    /// Where it is and what it did.
    History,
}

impl Group {
    /// All groups, in the order of reports.
    pub const ALL: [Self; 3] = [Self::Observation, Self::Messages, Self::History];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Observation => "observation",
            Self::Messages => "messages",
            Self::History => "history",
        }
    }
}

/// A column's group and name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Column {
    /// The group.
    pub group: Group,
    /// The name, as reports show it.
    pub name: String,
}

/// Encoded decisions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Design {
    /// Columns, sorted by group and name.
    pub columns: Vec<Column>,
    /// A row per decision.
    pub x: Matrix,
    /// Class of each row: an index into `classes`.
    pub labels: Vec<u8>,
    /// Names of the classes.
    pub classes: Vec<String>,
    /// Number of the run that each row is from.
    pub runs: Vec<u32>,
}

impl Design {
    /// Number of different runs.
    pub fn run_count(&self) -> usize {
        let mut runs = self.runs.clone();
        runs.sort_unstable();
        runs.dedup();
        runs.len()
    }

    /// The columns that take more than one value.
    pub fn varying(&self) -> Vec<usize> {
        let Some(first) = (self.x.rows() > 0).then(|| self.x.row(0).to_vec()) else { return Vec::new() };
        let mut varies = vec![false; self.x.columns];
        for row in self.x.values.chunks_exact(self.x.columns.max(1)) {
            for ((varies, &value), &first) in varies.iter_mut().zip(row).zip(&first) {
                *varies |= value.to_bits() != first.to_bits();
            }
        }
        (0..self.x.columns).filter(|&column| varies[column]).collect()
    }

    /// The labels of these rows.
    pub fn labels_of(&self, rows: &[usize]) -> Vec<u8> {
        rows.iter().map(|&row| self.labels[row]).collect()
    }
}
