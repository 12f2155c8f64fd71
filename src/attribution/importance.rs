//! Permutation importance: how much macro F1 drops when a feature's values are shuffled among the held-out rows.
//!
//! Breiman, L. (2001), "Random Forests", section 10, with macro F1 as the score, as in the SwarmBench paper (section 4.4).
//!
//! Shuffling one feature changes the leaf of few rows: only those whose path tests it, and of these only where the new
//! value leaves by another side. So each row is walked once per tree; for every feature on its path the walk notes the
//! first node that tests it and the span of values that would lead to the same leaf. A shuffled value inside the span
//! changes nothing; one outside is walked from that node, and its own span serves the repeats that fall into it. Votes are
//! whole numbers, so the result equals that of predicting all rows anew to the last bit.

use rayon::prelude::*;

use super::forest::{BinnedRows, Forest, ForestError, Tree, winner, with_lanes};
use super::metrics::Confusion;
use crate::stats::rng::Stream;

/// Rows of one parallel piece.
const BLOCK: usize = 32;

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
pub(super) fn donors(params: &ImportanceParams<'_>, unit: usize, repeat: usize, rows: usize) -> Vec<u32> {
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

/// All that the pieces share.
#[derive(Clone, Copy)]
struct Job<'a> {
    forest: &'a Forest,
    rows: &'a BinnedRows,
    labels: &'a [u8],
    params: &'a ImportanceParams<'a>,
    unit_of: &'a [u16],
    votes: &'a [u32],
    base_classes: &'a [u8],
}

/// The shuffled values of a unit: for a single column the values themselves, else the rows they come from.
enum Shuffled {
    /// Bins, by row and repeat.
    Values(Vec<u8>),
    /// Donor rows, by row and repeat.
    Donors(Vec<u32>),
}

/// A unit met on a row's path through a tree.
#[derive(Clone, Copy)]
struct Met {
    unit: usize,
    /// The first node that tests it.
    node: u32,
    span: Span,
}

/// Values of one feature, both ends included.
#[derive(Clone, Copy)]
struct Span {
    low: u8,
    high: u8,
}

impl Span {
    const ALL: Self = Self { low: 0, high: u8::MAX };

    fn holds(self, value: u8) -> bool {
        self.low <= value && value <= self.high
    }

    /// Narrows the span to the values that take the same side as `value`; whether that is the right one.
    fn test(&mut self, value: u8, threshold: u8) -> bool {
        let right = value > threshold;
        if right {
            self.low = self.low.max(threshold.saturating_add(1));
        } else {
            self.high = self.high.min(threshold);
        }
        right
    }
}

impl Job<'_> {
    /// The confusion matrices of units `first..last`, by unit and repeat.
    fn run<const L: usize>(self, first: usize, last: usize, base: &Confusion) -> Vec<Confusion> {
        let (n, repeats, classes) = (self.labels.len(), self.params.repeats, self.forest.classes());
        let shuffled: Vec<Shuffled> =
            (first..last).into_par_iter().map(|unit| self.shuffle(unit, n, repeats)).collect();
        let cells = (last - first) * repeats * classes * classes;
        let moved = (0..n.div_ceil(BLOCK))
            .into_par_iter()
            .fold(
                || Piece::<L>::new(last - first, repeats, cells),
                |mut piece, block| {
                    let from = block * BLOCK;
                    self.walk_block(&mut piece, first, &shuffled, from, (from + BLOCK).min(n));
                    piece
                },
            )
            .map(|piece| piece.moved)
            .reduce(
                || vec![0; cells],
                |mut sum, other| {
                    for (sum, n) in sum.iter_mut().zip(other) {
                        *sum += n;
                    }
                    sum
                },
            );
        moved.chunks(classes * classes).map(|moved| base.moved(moved)).collect()
    }

    fn shuffle(self, unit: usize, n: usize, repeats: usize) -> Shuffled {
        let members = &self.params.units[unit];
        let orders = (0..repeats).map(|repeat| donors(self.params, unit, repeat, n));
        if let &[column] = members.as_slice() {
            let own: Vec<u8> = (0..n).map(|row| self.rows.row(row)[column]).collect();
            let mut values = vec![0; n * repeats];
            for (repeat, order) in orders.enumerate() {
                for (row, &donor) in order.iter().enumerate() {
                    values[row * repeats + repeat] = own[donor as usize];
                }
            }
            Shuffled::Values(values)
        } else {
            let mut all = vec![0; n * repeats];
            for (repeat, order) in orders.enumerate() {
                for (row, &donor) in order.iter().enumerate() {
                    all[row * repeats + repeat] = donor;
                }
            }
            Shuffled::Donors(all)
        }
    }

    /// Adds what rows `from..to` change.
    fn walk_block<const L: usize>(
        self,
        piece: &mut Piece<L>,
        first: usize,
        shuffled: &[Shuffled],
        from: usize,
        to: usize,
    ) {
        for tree in self.forest.trees() {
            let (leaves, _) = tree.votes.as_chunks::<L>();
            for row in from..to {
                let bins = self.rows.row(row);
                let own_leaf = self.meet(piece, first, shuffled.len(), tree, bins);
                for at in 0..piece.met.len() {
                    let met = piece.met[at];
                    piece.slots[met.unit] = NONE;
                    match &shuffled[met.unit] {
                        Shuffled::Values(values) => {
                            let column = self.params.units[first + met.unit][0];
                            let values = &values[row * piece.repeats..(row + 1) * piece.repeats];
                            // The span last walked: repeats that fall into it reach the same leaf.
                            let mut span = Span { low: 1, high: 0 };
                            let mut leaf = own_leaf;
                            for (repeat, &value) in values.iter().enumerate() {
                                if met.span.holds(value) {
                                    continue;
                                }
                                if !span.holds(value) {
                                    (leaf, span) = walk_with(tree, bins, met.node, column, value);
                                }
                                piece.change(leaves, met.unit, row - from, repeat, own_leaf, leaf);
                            }
                        }
                        Shuffled::Donors(donors) => {
                            let donors = &donors[row * piece.repeats..(row + 1) * piece.repeats];
                            for (repeat, &donor) in donors.iter().enumerate() {
                                let donor = self.rows.row(donor as usize);
                                let leaf = self.walk_mixed(tree, bins, donor, met.node, first + met.unit);
                                piece.change(leaves, met.unit, row - from, repeat, own_leaf, leaf);
                            }
                        }
                    }
                }
            }
        }
        self.settle(piece, from, to);
    }

    /// Walks a row's path, notes in `piece.met` the units tested on it, and returns its leaf.
    fn meet<const L: usize>(
        self,
        piece: &mut Piece<L>,
        first: usize,
        units: usize,
        tree: &Tree,
        bins: &[u8],
    ) -> u32 {
        piece.met.clear();
        let mut at = 0u32;
        loop {
            let node = tree.nodes[at as usize];
            if node.leaf {
                return node.child;
            }
            let value = bins[usize::from(node.feature)];
            let unit = usize::from(self.unit_of[usize::from(node.feature)]).wrapping_sub(first);
            let mut right = value > node.threshold;
            if unit < units {
                if piece.slots[unit] == NONE {
                    piece.slots[unit] = piece.met.len() as u16;
                    piece.met.push(Met { unit, node: at, span: Span::ALL });
                }
                right = piece.met[usize::from(piece.slots[unit])].span.test(value, node.threshold);
            }
            at = node.child + u32::from(right);
        }
    }

    /// The leaf reached from `from` when the unit's columns are those of `donor`.
    fn walk_mixed(self, tree: &Tree, own: &[u8], donor: &[u8], from: u32, unit: usize) -> u32 {
        let mut node = tree.nodes[from as usize];
        while !node.leaf {
            let feature = usize::from(node.feature);
            let row = if usize::from(self.unit_of[feature]) == unit { donor } else { own };
            node = tree.nodes[(node.child + u32::from(row[feature] > node.threshold)) as usize];
        }
        node.child
    }

    /// Counts the rows whose class changed, and clears the changes.
    fn settle<const L: usize>(self, piece: &mut Piece<L>, from: usize, to: usize) {
        let (classes, repeats) = (self.forest.classes(), piece.repeats);
        for (slot, touched) in piece.touched.iter_mut().enumerate() {
            if !std::mem::take(touched) {
                continue;
            }
            let (unit, row) = (slot / BLOCK, from + slot % BLOCK);
            debug_assert!(row < to, "only rows of the block are touched");
            let truth = usize::from(self.labels[row]) * classes;
            let base_class = self.base_classes[row];
            for (repeat, change) in piece.changes[slot * repeats..(slot + 1) * repeats].iter_mut().enumerate()
            {
                let mut votes = [0u32; L];
                for ((sum, &own), change) in
                    votes.iter_mut().zip(&self.votes[row * L..(row + 1) * L]).zip(change)
                {
                    *sum = own.wrapping_add(std::mem::take(change));
                }
                let class = winner(&votes[..classes]);
                if class != base_class {
                    let cells = (unit * repeats + repeat) * classes * classes + truth;
                    piece.moved[cells + usize::from(base_class)] -= 1;
                    piece.moved[cells + usize::from(class)] += 1;
                }
            }
        }
    }
}

/// The leaf reached from `from` when `column` has this value, and the span of values that reach it too.
fn walk_with(tree: &Tree, bins: &[u8], from: u32, column: usize, value: u8) -> (u32, Span) {
    let mut span = Span::ALL;
    let mut node = tree.nodes[from as usize];
    while !node.leaf {
        let feature = usize::from(node.feature);
        let right =
            if feature == column { span.test(value, node.threshold) } else { bins[feature] > node.threshold };
        node = tree.nodes[(node.child + u32::from(right)) as usize];
    }
    (node.child, span)
}

/// Room that a thread reuses from block to block.
struct Piece<const L: usize> {
    repeats: usize,
    /// Changes of the votes by unit, row of the block and repeat; wrapping, as they can be negative.
    changes: Vec<[u32; L]>,
    /// Whether a unit changed a row's votes.
    touched: Vec<bool>,
    /// Changes of the confusion matrices by unit, repeat, true and predicted class.
    moved: Vec<i32>,
    /// The units met on the current path.
    met: Vec<Met>,
    /// Where in `met` a unit is.
    slots: Vec<u16>,
}

impl<const L: usize> Piece<L> {
    fn new(units: usize, repeats: usize, cells: usize) -> Self {
        Self {
            repeats,
            changes: vec![[0; L]; units * BLOCK * repeats],
            touched: vec![false; units * BLOCK],
            moved: vec![0; cells],
            met: Vec::new(),
            slots: vec![NONE; units],
        }
    }

    /// Takes the old leaf's vote back and gives the new leaf's.
    fn change(&mut self, leaves: &[[u16; L]], unit: usize, row: usize, repeat: usize, old: u32, new: u32) {
        if old == new {
            return;
        }
        let slot = unit * BLOCK + row;
        self.touched[slot] = true;
        let (old, new) = (&leaves[old as usize], &leaves[new as usize]);
        for ((sum, &new), &old) in self.changes[slot * self.repeats + repeat].iter_mut().zip(new).zip(old) {
            *sum = sum.wrapping_add(u32::from(new)).wrapping_sub(u32::from(old));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribution::forest::ForestParams;
    use crate::attribution::matrix::Matrix;

    /// Two informative columns (0 and 3), one binary, the rest noise.
    fn data(rows: usize, columns: usize, seed: u64) -> (Matrix, Vec<u8>) {
        let mut stream = Stream::new(seed, "importance data");
        let (mut values, mut labels) = (Vec::new(), Vec::new());
        for _ in 0..rows {
            let mut row: Vec<f32> = (0..columns).map(|_| stream.uniform() as f32).collect();
            row[1] = row[1].round();
            let noisy = row[0] * 2.0 + row[3] + row[1] + 0.5 * stream.uniform() as f32;
            labels.push((noisy as u8).min(3));
            values.extend(row);
        }
        (Matrix { columns, values }, labels)
    }

    /// The plain way: shuffle, predict everything, score.
    fn naive(
        forest: &Forest,
        rows: &BinnedRows,
        labels: &[u8],
        params: &ImportanceParams<'_>,
    ) -> Vec<Vec<f64>> {
        let score = |rows: &BinnedRows| {
            Confusion::of(labels, &forest.predict(rows), forest.classes()).macro_f1().unwrap()
        };
        let base = score(rows);
        let drop = |unit: usize, repeat: usize| {
            let mut changed = rows.clone();
            for (row, donor) in donors(params, unit, repeat, labels.len()).into_iter().enumerate() {
                for &column in &params.units[unit] {
                    changed.bins[row * rows.columns + column] = rows.row(donor as usize)[column];
                }
            }
            base - score(&changed)
        };
        (0..params.units.len()).map(|u| (0..params.repeats).map(|r| drop(u, r)).collect()).collect()
    }

    #[test]
    fn equals_the_naive_result_to_the_last_bit() {
        let (x, y) = data(900, 11, 1);
        let (test, truth) = data(333, 11, 2);
        let forest =
            Forest::fit(&x, &y, 4, &ForestParams { trees: 25, seed: 7, ..ForestParams::default() }).unwrap();
        let rows = forest.bin_rows(&test).unwrap();
        let singles: Vec<Vec<usize>> = (0..11).map(|c| vec![c]).collect();
        let joint = vec![vec![0, 4], vec![7], vec![3, 1, 9], vec![]];
        for units in [singles, joint] {
            let params = ImportanceParams { units: &units, repeats: 4, seed: 3, identity: "test" };
            let quick = permutation_importance(&forest, &rows, &truth, &params).unwrap();
            assert_eq!(quick.drops, naive(&forest, &rows, &truth, &params));
        }
    }

    #[test]
    fn a_planted_feature_ranks_first_and_noise_covers_zero() {
        let (x, y) = data(2000, 8, 3);
        let (test, truth) = data(1000, 8, 4);
        let forest = Forest::fit(&x, &y, 4, &ForestParams { trees: 60, ..ForestParams::default() }).unwrap();
        let units: Vec<Vec<usize>> = (0..8).map(|c| vec![c]).collect();
        let params = ImportanceParams { units: &units, repeats: 10, seed: 1, identity: "test" };
        let rows = forest.bin_rows(&test).unwrap();
        let found = permutation_importance(&forest, &rows, &truth, &params).unwrap();
        let mean = |unit: usize| found.drops[unit].iter().sum::<f64>() / 10.0;
        for other in 1..8 {
            assert!(mean(0) > mean(other) + 0.05, "column 0 {} against {other} {}", mean(0), mean(other));
        }
        for noise in [2, 4, 5, 6, 7] {
            assert!(mean(noise).abs() < 0.02, "column {noise}: {}", mean(noise));
        }
    }

    #[test]
    fn the_same_on_any_number_of_threads() {
        let (x, y) = data(400, 6, 5);
        let forest = Forest::fit(&x, &y, 4, &ForestParams { trees: 9, ..ForestParams::default() }).unwrap();
        let rows = forest.bin_rows(&x).unwrap();
        let units = vec![vec![0], vec![1, 2], vec![3]];
        let params = ImportanceParams { units: &units, repeats: 3, seed: 1, identity: "test" };
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| permutation_importance(&forest, &rows, &y, &params).unwrap())
        };
        assert_eq!(on(1), on(5));
    }

    #[test]
    fn contradictory_units_are_refused() {
        let (x, y) = data(50, 4, 6);
        let forest = Forest::fit(&x, &y, 4, &ForestParams { trees: 2, ..ForestParams::default() }).unwrap();
        let rows = forest.bin_rows(&x).unwrap();
        for units in [vec![vec![0], vec![0]], vec![vec![4]]] {
            let params = ImportanceParams { units: &units, repeats: 1, seed: 1, identity: "test" };
            assert!(permutation_importance(&forest, &rows, &y, &params).is_err());
        }
        let params = ImportanceParams { units: &[], repeats: 1, seed: 1, identity: "test" };
        assert!(permutation_importance(&forest, &rows, &y[..3], &params).is_err());
    }
}
