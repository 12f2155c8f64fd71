//! One walk per row and tree: what each shuffled value changes in the votes.

use rayon::prelude::*;

use super::{ImportanceParams, NONE, donors};
use crate::attribution::forest::{BinnedRows, Forest, Tree, winner};
use crate::attribution::metrics::Confusion;

/// Rows of one parallel piece.
pub(super) const BLOCK: usize = 32;

/// All that the pieces share.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) forest: &'a Forest,
    pub(super) rows: &'a BinnedRows,
    pub(super) labels: &'a [u8],
    pub(super) params: &'a ImportanceParams<'a>,
    pub(super) unit_of: &'a [u16],
    pub(super) votes: &'a [u32],
    pub(super) base_classes: &'a [u8],
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
    pub(super) fn run<const L: usize>(self, first: usize, last: usize, base: &Confusion) -> Vec<Confusion> {
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
