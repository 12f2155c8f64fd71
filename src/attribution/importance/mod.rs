//! Permutation importance: how much macro F1 drops when a feature's values are shuffled among the held-out rows.
//!
//! Breiman, L. (2001), "Random Forests", section 10, with macro F1 as the score, as in the SwarmBench paper (section 4.4).
//!
//! Shuffling one feature changes the leaf of few rows: only those whose path tests it, and of these only where the new
//! value leaves by another side. So each row is walked once per tree; for every feature on its path the walk notes the
//! first node that tests it and the span of values that would lead to the same leaf. A shuffled value inside the span
//! changes nothing; one outside is walked from that node, and its own span serves the repeats that fall into it. Votes are
//! whole numbers, so the result equals that of predicting all rows anew to the last bit.

mod walk;

use walk::{BLOCK, Job};

use super::forest::{BinnedRows, Forest, ForestError, winner, with_lanes};
use super::metrics::Confusion;
use crate::stats::rng::Stream;

/// Room for the vote changes of a piece, in bytes; measured to be about what a core's second-level cache holds.
const CHANGES_BYTES: usize = 1 << 20;

/// No unit: the column is never permuted.
const NONE: u16 = u16::MAX;

/// What is permuted, how often, and from which random stream.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportanceParams<'a> {
    /// Columns permuted jointly, as one unit each. No column may be in two units.
    pub units: &'a [Vec<usize>],
    /// Shuffles per unit.
    pub repeats: usize,
    /// The seed.
    pub seed: u64,
    /// Names the random streams.
    pub identity: &'a str,
}

/// Drops of macro F1.
#[derive(Clone, Debug, PartialEq)]
pub struct Importance {
    /// Macro F1 of the rows as they are.
    pub base: f64,
    /// `base` − macro F1 after the shuffle, by unit and repeat; in [−1, 1], larger is more important.
    pub drops: Vec<Vec<f64>>,
}

/// The shuffle of a unit in a repeat: row `i` gets the values of row `donors[i]`.
fn donors(params: &ImportanceParams<'_>, unit: usize, repeat: usize, rows: usize) -> Vec<u32> {
    let mut donors: Vec<u32> = (0..rows as u32).collect();
    Stream::new(params.seed, &format!("{}/permute/{unit}/{repeat}", params.identity)).shuffle(&mut donors);
    donors
}

/// Permutation importance of each unit on held-out rows.
///
/// `rows` and `labels` are those not used in the fit. Formula: `F1(rows) − F1(rows with the unit's columns shuffled)`,
/// where F1 is [`Confusion::macro_f1`].
///
/// # Errors
/// [`ForestError::Shape`] without rows, with another number of labels than rows, with a column in two units or beyond the
/// forest's, or with more than 65 534 units.
pub fn permutation_importance(
    forest: &Forest,
    rows: &BinnedRows,
    labels: &[u8],
    params: &ImportanceParams<'_>,
) -> Result<Importance, ForestError> {
    let unit_of = unit_of_columns(forest.columns(), params.units)?;
    if rows.columns != forest.columns() || rows.rows() != labels.len() || labels.is_empty() {
        return Err(ForestError::Shape(format!(
            "{} rows of {} columns with {} labels, for a forest of {} columns",
            rows.rows(),
            rows.columns,
            labels.len(),
            forest.columns()
        )));
    }
    if labels.iter().any(|&label| usize::from(label) >= forest.classes()) {
        return Err(ForestError::Shape(format!("a label beyond the forest's {} classes", forest.classes())));
    }
    let votes = forest.votes(rows);
    let base_classes: Vec<u8> =
        votes.chunks_exact(forest.lanes()).map(|votes| winner(&votes[..forest.classes()])).collect();
    let base = Confusion::of(labels, &base_classes, forest.classes());
    let job =
        Job { forest, rows, labels, params, unit_of: &unit_of, votes: &votes, base_classes: &base_classes };
    let per_unit = BLOCK * params.repeats.max(1) * forest.lanes() * size_of::<u32>();
    let chunk = (CHANGES_BYTES / per_unit).max(1);
    let score = |matrix: &Confusion| matrix.macro_f1().unwrap_or(0.0);
    let base_score = score(&base);
    let mut drops = Vec::with_capacity(params.units.len());
    for first in (0..params.units.len()).step_by(chunk) {
        let last = (first + chunk).min(params.units.len());
        let matrices = with_lanes!(forest.lanes(), L => job.run::<L>(first, last, &base));
        drops.extend(
            matrices
                .chunks(params.repeats.max(1))
                .map(|repeats| repeats.iter().map(|m| base_score - score(m)).collect::<Vec<f64>>()),
        );
    }
    Ok(Importance { base: base_score, drops })
}

/// The unit of each column.
fn unit_of_columns(columns: usize, units: &[Vec<usize>]) -> Result<Vec<u16>, ForestError> {
    if units.len() >= usize::from(NONE) {
        return Err(ForestError::Shape(format!("{} units to permute are too many", units.len())));
    }
    let mut unit_of = vec![NONE; columns];
    for (unit, members) in units.iter().enumerate() {
        for &column in members {
            match unit_of.get_mut(column) {
                Some(slot) if *slot == NONE => *slot = unit as u16,
                Some(_) => return Err(ForestError::Shape(format!("column {column} is in two units"))),
                None => return Err(ForestError::Shape(format!("there is no column {column}"))),
            }
        }
    }
    Ok(unit_of)
}

#[cfg(test)]
mod tests;
