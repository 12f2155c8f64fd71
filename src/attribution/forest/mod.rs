//! A histogram random forest for classification.
//!
//! Breiman, L. (2001), "Random Forests", *Machine Learning* 45, with what makes it quick: features are cut into at most
//! 256 quantile bins ([`Bins`]), so that a large node counts bytes and a small one sorts them; each node draws √D features
//! and searches them side by side; trees are grown in parallel, each from its own random stream, and votes are whole
//! numbers, so that the same seed gives the same forest and the same votes on any number of threads.
//!
//! [`Forest::fit`] is the plain entry; [`RandomForestParams`] stands behind linfa's `Fit` and `Predict` traits.

mod bins;
mod few;
mod grow;
mod lanes;
mod linfa_traits;
mod network;
mod predict;
mod scan;
mod search;

pub use bins::{BinnedColumns, BinnedRows, Bins, MAX_BINS};
pub use linfa_traits::{FittedForest, RandomForestParams, RandomForestValidParams};
pub(crate) use predict::winner;

use rayon::prelude::*;

use crate::attribution::matrix::Matrix;
use crate::stats::rng::Stream;

/// Most classes a forest can tell apart.
pub const MAX_CLASSES: usize = 64;

/// The vote of a leaf that holds one class only; the votes of a leaf add up to about this number.
pub const FULL_VOTE: u32 = 1 << 15;

/// What ends a fit or a prediction.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ForestError {
    /// A parameter is out of range.
    #[error("the forest's {parameter} is {value}; it has to be {range}")]
    Parameter {
        /// Which one.
        parameter: &'static str,
        /// What was given.
        value: String,
        /// What is allowed.
        range: &'static str,
    },
    /// Rows, labels or columns do not fit together, or are too few or too many.
    #[error("the forest's input is unusable: {0}")]
    Shape(String),
    /// linfa's own error.
    #[error(transparent)]
    Linfa(#[from] linfa::Error),
}

/// How a forest is grown. [`ForestParams::default`] follows scikit-learn's `RandomForestClassifier`.
#[derive(Clone, Debug, PartialEq)]
pub struct ForestParams {
    /// Number of trees (default 100).
    pub trees: usize,
    /// Features drawn per node; `None` for ⌊√D⌋.
    pub features_per_split: Option<usize>,
    /// Deepest level of a leaf; `None` for no limit.
    pub max_depth: Option<usize>,
    /// Fewest bootstrap rows that a node needs to be split (default 2).
    pub min_split: u32,
    /// Fewest bootstrap rows on either side of a split (default 1).
    pub min_leaf: u32,
    /// The seed.
    pub seed: u64,
    /// What the forest is for; names its random streams.
    pub identity: String,
}

impl Default for ForestParams {
    fn default() -> Self {
        Self {
            trees: 100,
            features_per_split: None,
            max_depth: None,
            min_split: 2,
            min_leaf: 1,
            seed: 0,
            identity: "forest".to_owned(),
        }
    }
}

impl ForestParams {
    /// Checks the ranges.
    ///
    /// # Errors
    /// [`ForestError::Parameter`] names the first parameter out of range.
    pub fn check(&self) -> Result<(), ForestError> {
        let wrong = |parameter, value: usize, range| {
            Err(ForestError::Parameter { parameter, value: value.to_string(), range })
        };
        // Votes are summed in 32 bits.
        if !(1..=65_536).contains(&self.trees) {
            return wrong("number of trees", self.trees, "between 1 and 65536");
        }
        if self.features_per_split == Some(0) {
            return wrong("features per split", 0, "at least 1");
        }
        if self.min_split < 2 {
            return wrong("min_split", self.min_split as usize, "at least 2");
        }
        if self.min_leaf < 1 {
            return wrong("min_leaf", 0, "at least 1");
        }
        Ok(())
    }
}

/// A node: eight bytes, so that a walk touches few cache lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// The left child (the right one follows it); for a leaf the leaf's number.
    pub(crate) child: u32,
    /// The feature tested.
    pub(crate) feature: u16,
    /// Bins up to this one go left.
    pub(crate) threshold: u8,
    /// Whether this is a leaf.
    pub(crate) leaf: bool,
}

impl Node {
    pub(crate) const fn leaf(number: u32) -> Self {
        Self { child: number, feature: 0, threshold: u8::MAX, leaf: true }
    }
}

/// A tree: nodes with the root first, and the votes of its leaves.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    /// `leaves × lanes` votes; the votes of a leaf are its class shares in units of 1 / [`FULL_VOTE`].
    pub(crate) votes: Vec<u16>,
}

/// A fitted forest.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest {
    bins: Bins,
    classes: usize,
    /// Classes rounded up to a width the vector unit likes.
    lanes: usize,
    trees: Vec<Tree>,
}

/// The lane width for a number of classes.
const fn lanes_of(classes: usize) -> usize {
    match classes {
        0..=8 => 8,
        9..=16 => 16,
        17..=32 => 32,
        _ => MAX_CLASSES,
    }
}

/// Runs `$body` with the constant `$lanes` set to a forest's lane width.
macro_rules! with_lanes {
    ($width:expr, $lanes:ident => $body:expr) => {
        match $width {
            8 => {
                const $lanes: usize = 8;
                $body
            }
            16 => {
                const $lanes: usize = 16;
                $body
            }
            32 => {
                const $lanes: usize = 32;
                $body
            }
            _ => {
                const $lanes: usize = $crate::attribution::forest::MAX_CLASSES;
                $body
            }
        }
    };
}
pub(crate) use with_lanes;

impl Forest {
    /// Fits a forest to the rows of `x` and their class numbers `labels` (each below `classes`).
    ///
    /// Every tree sees a bootstrap sample of the rows; a node draws ⌊√D⌋ features, goes on drawing while none of them
    /// can split it, and takes the split that lowers the Gini impurity most (the earlier drawn one on equality).
    ///
    /// # Errors
    /// [`ForestError::Parameter`] for parameters out of range; [`ForestError::Shape`] for no rows, no columns, a number of
    /// labels other than that of the rows, more than [`MAX_CLASSES`] classes, a label beyond `classes`, or a value that
    /// is not finite.
    pub fn fit(
        x: &Matrix,
        labels: &[u8],
        classes: usize,
        params: &ForestParams,
    ) -> Result<Self, ForestError> {
        params.check()?;
        check_shapes(x, labels, classes)?;
        let bins = Bins::learn(x);
        let by_column = bins.by_column(x);
        let (by_row, two_bins) = (by_column.by_row(), bins::TwoBinRows::of(&by_column));
        let data =
            grow::Data { by_column: &by_column, by_row: &by_row, two_bins: &two_bins, labels, classes };
        let lanes = lanes_of(classes);
        let trees = (0..params.trees)
            .into_par_iter()
            .with_max_len(1)
            .map(|tree| {
                let stream = Stream::new(params.seed, &format!("{}/tree/{tree}", params.identity));
                with_lanes!(lanes, L => grow::grow::<L>(data, params, stream))
            })
            .collect();
        Ok(Self { bins, classes, lanes, trees })
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Number of features.
    pub fn columns(&self) -> usize {
        self.bins.columns()
    }

    /// The width of a leaf's votes.
    pub(crate) fn lanes(&self) -> usize {
        self.lanes
    }

    /// The trees.
    pub(crate) fn trees(&self) -> &[Tree] {
        &self.trees
    }

    /// The rows of `x` in this forest's bins.
    ///
    /// # Errors
    /// [`ForestError::Shape`] for another number of columns than the forest was fitted to, or a value that is not finite.
    pub fn bin_rows(&self, x: &Matrix) -> Result<BinnedRows, ForestError> {
        if x.columns != self.columns() {
            let (got, want) = (x.columns, self.columns());
            return Err(ForestError::Shape(format!("{got} columns where the forest was fitted to {want}")));
        }
        check_finite(x)?;
        Ok(self.bins.by_row(x))
    }
}

fn check_finite(x: &Matrix) -> Result<(), ForestError> {
    match x.values.iter().position(|v| !v.is_finite()) {
        Some(at) => Err(ForestError::Shape(format!(
            "row {}, column {} is {}, not a finite number; give undefined values an indicator column",
            at / x.columns.max(1),
            at % x.columns.max(1),
            x.values[at]
        ))),
        None => Ok(()),
    }
}

fn check_shapes(x: &Matrix, labels: &[u8], classes: usize) -> Result<(), ForestError> {
    let rows = x.rows();
    if rows == 0 || x.columns == 0 {
        return Err(ForestError::Shape(format!("{rows} rows and {} columns", x.columns)));
    }
    if x.columns > usize::from(u16::MAX) || u32::try_from(rows).is_err() {
        return Err(ForestError::Shape(format!("{rows} rows and {} columns are too many", x.columns)));
    }
    if labels.len() != rows {
        return Err(ForestError::Shape(format!("{} labels for {rows} rows", labels.len())));
    }
    if classes == 0 || classes > MAX_CLASSES {
        return Err(ForestError::Shape(format!("{classes} classes; 1 to {MAX_CLASSES} are possible")));
    }
    if let Some(label) = labels.iter().find(|&&label| usize::from(label) >= classes) {
        return Err(ForestError::Shape(format!("label {label} where there are {classes} classes")));
    }
    check_finite(x)
}

#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;
