//! The split search of sixteen features side by side: one lane each.
//!
//! A node's rows are read row by row, and what is then done to a row is done to all lanes in one go. Columns of two bins
//! are only counted. In a small node those of more bins are sorted, every lane by the same network of comparisons, and
//! walked together. The loops over lanes have a fixed length and no branches: the compiler turns them into vector code.

#![expect(clippy::inline_always, reason = "only what is inlined into `grow_avx2` is compiled for AVX2")]

use super::BinnedRows;
use super::bins::TwoBinRows;
use super::grow::{class_of, weight_of};
use super::network::{self, BLOCK};
use super::scan::{Found, NodeRows, WIDE_FROM, purity};

/// Features searched side by side.
pub(super) const LANES: usize = 16;

/// Most classes that a key of [`Lanes::sort`] can tell apart.
pub(super) const KEY_CLASSES: usize = 8;

/// A small node's total stays below this: sums of squares then fit 16 bits.
pub(super) const SMALL_TOTAL: u32 = 256;

/// Rows read before they are counted: a read right after the writes would have to wait for them.
const READ_AHEAD: usize = 64;

/// A number per lane.
pub(super) type Lane<T> = [T; LANES];

/// Some of a node's features.
#[derive(Clone, Copy)]
pub(super) struct Batch {
    features: Lane<u16>,
    /// Where each came in the draw.
    places: Lane<u8>,
    len: usize,
}

impl Batch {
    pub(super) const EMPTY: Self = Self { features: [0; LANES], places: [0; LANES], len: 0 };

    /// Adds a feature; at most [`LANES`] of them.
    #[inline(always)]
    pub(super) fn push(&mut self, feature: u16, place: usize) {
        self.features[self.len % LANES] = feature;
        self.places[self.len % LANES] = place as u8;
        self.len += 1;
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len.min(LANES)
    }

    /// The features and their places in the draw.
    #[inline(always)]
    pub(super) fn iter(&self) -> impl Iterator<Item = (u16, usize)> {
        self.features.into_iter().zip(self.places.map(usize::from)).take(self.len())
    }
}

/// What was found of features, in the order of their draw. A lane without a feature looks constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outcome {
    /// The purity of the best cut; −∞ where there is none.
    pub(super) purity: Lane<f32>,
    /// Whether there is more than one bin.
    pub(super) varies: Lane<bool>,
    /// The highest bin left of the best cut.
    pub(super) bin: Lane<u8>,
    /// The lowest bin right of it.
    pub(super) next: Lane<u8>,
}

impl Outcome {
    pub(super) const EMPTY: Self = Self {
        purity: [f32::NEG_INFINITY; LANES],
        varies: [false; LANES],
        bin: [0; LANES],
        next: [0; LANES],
    };

    /// Takes what was found of the feature drawn in this place.
    #[inline(always)]
    pub(super) fn put(&mut self, place: usize, found: Found) {
        let place = place % LANES;
        self.varies[place] = found != Found::Constant;
        if let Found::Cut(cut) = found {
            self.purity[place] = cut.purity;
            self.bin[place] = cut.bin as u8;
            self.next[place] = cut.next as u8;
        }
    }

    /// Takes what was found of a batch.
    #[inline(always)]
    pub(super) fn put_batch(&mut self, batch: &Batch, of: &Self) {
        for (lane, (_, place)) in batch.iter().enumerate() {
            let place = place % LANES;
            self.purity[place] = of.purity[lane];
            self.varies[place] = of.varies[lane];
            self.bin[place] = of.bin[lane];
            self.next[place] = of.next[lane];
        }
    }
}

/// Room for the search.
pub(super) struct Lanes {
    /// By row: the byte that holds the bin of each lane.
    bytes: Box<[Lane<u8>; READ_AHEAD]>,
    /// By row: the bin, the weight and the class of each lane.
    keys: Box<[Lane<u16>; SMALL_TOTAL as usize]>,
}

/// Reads the same bytes of each row.
#[inline(always)]
fn read<'a>(to: &mut [Lane<u8>], rows: &[u32], row_bytes: impl Fn(usize) -> &'a [u8], from: &[usize]) {
    for (to, &row) in to.iter_mut().zip(rows) {
        let row = row_bytes(row as usize);
        for (to, &from) in to.iter_mut().zip(from) {
            *to = row[from];
        }
    }
}

impl Lanes {
    pub(super) fn new() -> Self {
        Self { bytes: Box::new([[0; LANES]; READ_AHEAD]), keys: Box::new([[0; LANES]; SMALL_TOTAL as usize]) }
    }

    /// The one cut of each column of two bins.
    #[inline(always)]
    pub(super) fn count_two_bins<const L: usize>(
        &mut self,
        rows: &TwoBinRows,
        batch: &Batch,
        classes: usize,
        node: NodeRows<'_, L>,
    ) -> Outcome {
        let (mut from, mut masks) = ([0; LANES], [0u8; LANES]);
        for (lane, (feature, _)) in batch.iter().enumerate() {
            let place = rows.place(usize::from(feature));
            from[lane] = usize::from(place.byte);
            masks[lane] = place.mask;
        }
        let mut upper = [[0u16; LANES]; L];
        for (numbers, tags) in node.rows.chunks(READ_AHEAD).zip(node.tags.chunks(READ_AHEAD)) {
            read(&mut self.bytes[..], numbers, |row| rows.row(row), &from[..batch.len()]);
            for (bytes, &tag) in self.bytes.iter().zip(tags) {
                let (sums, weight) = (&mut upper[class_of::<L>(tag)], weight_of(tag) as u16);
                for i in 0..LANES {
                    sums[i] = sums[i].wrapping_add(if bytes[i] & masks[i] == 0 { 0 } else { weight });
                }
            }
        }
        // Lanes without a feature have no mask, so they look constant.
        let (mut left_squares, mut right_squares) = ([0f32; LANES], [0f32; LANES]);
        let mut right_totals = [0u16; LANES];
        for (upper, &all) in upper.iter().zip(node.by_class).take(classes) {
            let all = all as u16;
            for i in 0..LANES {
                let (left, right) = (f32::from(all.wrapping_sub(upper[i])), f32::from(upper[i]));
                right_totals[i] = right_totals[i].wrapping_add(upper[i]);
                left_squares[i] += left * left;
                right_squares[i] += right * right;
            }
        }
        let mut outcome = Outcome { next: [1; LANES], ..Outcome::EMPTY };
        let total = node.total as u16;
        let least = node.min_leaf.min(WIDE_FROM - 1) as u16;
        for i in 0..LANES {
            let left_total = total.wrapping_sub(right_totals[i]);
            let purity =
                purity(left_squares[i], f32::from(left_total), right_squares[i], f32::from(right_totals[i]));
            let smaller = left_total.min(right_totals[i]);
            outcome.varies[i] = smaller > 0;
            let allowed = if smaller >= least { purity } else { f32::NEG_INFINITY };
            outcome.purity[i] = if smaller > 0 { allowed } else { f32::NEG_INFINITY };
        }
        outcome
    }

    /// The best cut of each column, in a small node with at most [`KEY_CLASSES`] classes.
    #[inline(always)]
    pub(super) fn sort<const L: usize>(
        &mut self,
        rows: &BinnedRows,
        batch: &Batch,
        classes: usize,
        node: NodeRows<'_, L>,
    ) -> Outcome {
        let from = batch.features.map(usize::from);
        let padded = node.rows.len().next_multiple_of(BLOCK).min(self.keys.len());
        for (block, (numbers, tags)) in
            node.rows.chunks(READ_AHEAD).zip(node.tags.chunks(READ_AHEAD)).enumerate()
        {
            read(&mut self.bytes[..], numbers, |row| rows.row(row), &from[..batch.len()]);
            let keys = self.keys[..padded].iter_mut().skip(block * READ_AHEAD);
            for ((keys, bins), &tag) in keys.zip(self.bytes.iter()).zip(tags) {
                let low = (weight_of(tag) as u16) << 3 | class_of::<KEY_CLASSES>(tag) as u16;
                for i in 0..LANES {
                    keys[i] = u16::from(bins[i]) << 8 | low;
                }
            }
        }
        let keys = &mut self.keys[..padded];
        for beyond in keys.iter_mut().skip(node.rows.len()) {
            *beyond = [u16::MAX; LANES];
        }
        network::sort(keys);
        walk(&keys[..node.rows.len().min(padded)], batch.len(), classes, node)
    }
}

/// Walks sorted keys and keeps each lane's purest cut.
#[inline(always)]
fn walk<const L: usize>(keys: &[Lane<u16>], lanes: usize, classes: usize, node: NodeRows<'_, L>) -> Outcome {
    let total = node.total as u16;
    let least = node.min_leaf.min(SMALL_TOTAL) as u16;
    let mut lefts = [[0u16; LANES]; KEY_CLASSES];
    let mut left_totals = [0u16; LANES];
    let mut best = [f32::NEG_INFINITY; LANES];
    let mut best_at = [0u32; LANES];
    for (at, pair) in keys.windows(2).enumerate() {
        let (key, next) = (&pair[0], &pair[1]);
        let (mut left_squares, mut right_squares) = ([0u16; LANES], [0u16; LANES]);
        for ((class, left), &all) in (0u16..).zip(lefts.iter_mut()).zip(node.by_class).take(classes) {
            let all = all as u16;
            for i in 0..LANES {
                let add = if key[i] & 7 == class { key[i] >> 3 & 31 } else { 0 };
                left[i] = left[i].wrapping_add(add);
                let right = all.wrapping_sub(left[i]);
                left_squares[i] = left_squares[i].wrapping_add(left[i].wrapping_mul(left[i]));
                right_squares[i] = right_squares[i].wrapping_add(right.wrapping_mul(right));
            }
        }
        for i in 0..LANES {
            left_totals[i] = left_totals[i].wrapping_add(key[i] >> 3 & 31);
            let right_total = total.wrapping_sub(left_totals[i]);
            let purity = purity(
                f32::from(left_squares[i]),
                f32::from(left_totals[i]),
                f32::from(right_squares[i]),
                f32::from(right_total),
            );
            // Two selections, not one with `&&`: no branch.
            let smaller = left_totals[i].min(right_total);
            let allowed = if smaller >= least { purity } else { f32::NEG_INFINITY };
            let purity = if key[i] >> 8 == next[i] >> 8 { f32::NEG_INFINITY } else { allowed };
            let better = purity > best[i];
            best[i] = if better { purity } else { best[i] };
            best_at[i] = if better { at as u32 } else { best_at[i] };
        }
    }
    let mut outcome = Outcome { purity: best, ..Outcome::EMPTY };
    let (Some(first), Some(last)) = (keys.first(), keys.last()) else { return outcome };
    for i in 0..LANES {
        outcome.varies[i] = first[i] >> 8 != last[i] >> 8;
    }
    for i in 0..lanes {
        // Where there is no cut this is the first row, which does no harm.
        let at = best_at[i] as usize;
        outcome.bin[i] = (keys[at][i] >> 8) as u8;
        outcome.next[i] = keys.get(at + 1).map_or(0, |next| (next[i] >> 8) as u8);
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::super::grow::tag_of;
    use super::super::scan::Cut;
    use super::super::{BinnedColumns, few};
    use super::*;
    use crate::stats::rng::Stream;

    /// A batch of all columns.
    fn all(columns: usize) -> Batch {
        let mut batch = Batch::EMPTY;
        (0..columns).for_each(|feature| batch.push(feature as u16, feature));
        batch
    }

    /// The columns of two bins as bits.
    fn bits(rows: &BinnedRows) -> TwoBinRows {
        let column = |c: usize| rows.bins.iter().skip(c).step_by(rows.columns).copied();
        let bins = (0..rows.columns).flat_map(column).collect();
        let counts = (0..rows.columns).map(|c| column(c).max().map_or(1, |bin| u16::from(bin) + 1)).collect();
        TwoBinRows::of(&BinnedColumns { rows: rows.rows(), bins, counts })
    }

    fn outcome(found: &[Found]) -> Outcome {
        let mut outcome = Outcome::EMPTY;
        found.iter().enumerate().for_each(|(place, &found)| outcome.put(place, found));
        outcome
    }

    /// What was found of a batch, in the order of the draw, and without the bins where there is no cut.
    fn settled(batch: &Batch, of: &Outcome) -> Outcome {
        let mut outcome = Outcome::EMPTY;
        outcome.put_batch(batch, of);
        for i in 0..LANES {
            if outcome.purity[i] == f32::NEG_INFINITY {
                (outcome.bin[i], outcome.next[i]) = (0, 0);
            }
        }
        outcome
    }

    #[test]
    fn cuts_are_those_found_by_hand() {
        // Classes 0 0 1 1 with weights 1 2 1 1. Column 0 (bins 3 3 9 9) separates them: 3²/3 + 2²/2 = 5. Column 1 does
        // not vary. Column 2 (0 1 1 0) has 0 and 1 on both sides: (1² + 1²)/2 + (2² + 1²)/3 = 8/3. Column 3 (0 7 8 8) is
        // best cut after 7, as column 0.
        let rows = BinnedRows { columns: 4, bins: vec![3, 5, 0, 0, 3, 5, 1, 7, 9, 5, 1, 8, 9, 5, 0, 8] };
        let tags = [(0, 1), (0, 2), (1, 1), (1, 1)].map(|(class, weight)| tag_of(class, weight));
        let mut by_class = [0; 8];
        by_class[..2].copy_from_slice(&[3, 2]);
        let node = NodeRows { rows: &[0, 1, 2, 3], tags: &tags, by_class: &by_class, total: 5, min_leaf: 1 };
        let cut = |purity, bin, next| Found::Cut(Cut { purity, bin, next });
        let want = [cut(5.0, 3, 9), Found::Constant, cut(8.0 / 3.0, 0, 1), cut(5.0, 7, 8)];
        let mut lanes = Lanes::new();
        let batch = all(4);
        assert_eq!(settled(&batch, &lanes.sort(&rows, &batch, 2, node)), outcome(&want));
        let mut third = Batch::EMPTY;
        third.push(2, 0);
        let found = lanes.count_two_bins(&bits(&rows), &third, 2, node);
        assert_eq!(settled(&third, &found), outcome(&want[2..3]));
        // Five rows can't leave three on both sides.
        let strict = NodeRows { min_leaf: 3, ..node };
        let want = [Found::NoCut, Found::Constant, Found::NoCut, Found::NoCut];
        assert_eq!(settled(&batch, &lanes.sort(&rows, &batch, 2, strict)), outcome(&want));
        let found = lanes.count_two_bins(&bits(&rows), &third, 2, strict);
        assert_eq!(settled(&third, &found), outcome(&want[2..3]));
    }

    #[test]
    fn the_searches_find_the_same_cuts() {
        let mut stream = Stream::new(6, "searches");
        for n in 1..=128 {
            let columns = 5;
            let mut bins: Vec<u8> = (0..n * columns).map(|_| stream.below(40) as u8).collect();
            bins.iter_mut().step_by(columns).for_each(|bin| *bin %= 2);
            let rows = BinnedRows { columns, bins };
            let tags: Vec<u16> =
                (0..n).map(|_| tag_of(stream.below(5) as u8, stream.below(2) as u16 + 1)).collect();
            let mut by_class = [0; 8];
            for &tag in &tags {
                by_class[class_of::<8>(tag)] += weight_of(tag);
            }
            let total = by_class.iter().sum();
            let numbers: Vec<u32> = (0..n as u32).collect();
            let min_leaf = n as u32 / 20 + 1;
            let node = NodeRows { rows: &numbers, tags: &tags, by_class: &by_class, total, min_leaf };
            let want: Vec<Found> = (0..columns).map(|f| few::search_sorted(&rows, f, node)).collect();
            let mut lanes = Lanes::new();
            if total < SMALL_TOTAL {
                let batch = all(columns);
                let found = lanes.sort(&rows, &batch, 5, node);
                assert_eq!(settled(&batch, &found), outcome(&want), "{n} rows");
            }
            let batch = all(1);
            let found = lanes.count_two_bins(&bits(&rows), &batch, 5, node);
            assert_eq!(settled(&batch, &found), outcome(&want[..1]), "{n} rows");
        }
    }
}
