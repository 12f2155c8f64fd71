//! The split search of sixteen features side by side: one lane each.
//!
//! A node's rows are read row by row, and what is then done to a row is done to all lanes in one go. Columns of two bins
//! are only counted. In a small node those of more bins are sorted, every lane by the same network of comparisons, and
//! walked together. The loops over lanes have a fixed length and no branches: the compiler turns them into vector code.

#![expect(clippy::inline_always, reason = "only what is inlined into `grow_avx2` is compiled for AVX2")]

use super::BinnedRows;
use super::grow::{class_of, weight_of};
use super::scan::{Cut, Found, NodeRows, purity};

/// Features searched side by side.
pub(super) const LANES: usize = 16;

/// Most classes that a key of [`Lanes::sort`] can tell apart.
pub(super) const KEY_CLASSES: usize = 8;

/// A small node's total stays below this: sums of squares then fit 16 bits.
pub(super) const SMALL_TOTAL: u32 = 256;

/// The total that 16-bit counters can't reach.
pub(super) const COUNTED_TOTAL: u32 = 1 << 16;

/// Rows that one step of the sort holds in registers.
const BLOCK: usize = 8;

/// Rows read before they are counted: a read right after the writes would have to wait for them.
const READ_AHEAD: usize = 64;

/// A number per lane.
type Lane<T> = [T; LANES];

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

    /// Puts what was found where each feature came in the draw.
    #[inline(always)]
    pub(super) fn hand_out(&self, found: &Lane<Found>, to: &mut Lane<Option<Found>>) {
        for (&found, &place) in found.iter().zip(&self.places[..self.len()]) {
            to[usize::from(place) % LANES] = Some(found);
        }
    }
}

/// Room for the search.
pub(super) struct Lanes {
    bins: Box<[Lane<u8>; READ_AHEAD]>,
    /// By row: the bin, the weight and the class of each lane.
    keys: Box<[Lane<u16>; SMALL_TOTAL as usize]>,
}

impl Lanes {
    pub(super) fn new() -> Self {
        Self { bins: Box::new([[0; LANES]; READ_AHEAD]), keys: Box::new([[0; LANES]; SMALL_TOTAL as usize]) }
    }

    /// Reads the bins of the batch's features in these rows, at most [`READ_AHEAD`] of them.
    #[inline(always)]
    fn read(&mut self, rows: &BinnedRows, batch: &Batch, of: &[u32]) {
        let features = batch.features.map(usize::from);
        for (bins, &row) in self.bins.iter_mut().zip(of) {
            let row = rows.row(row as usize);
            for (bin, &feature) in bins.iter_mut().zip(&features[..batch.len()]) {
                *bin = row[feature];
            }
        }
    }

    /// The one cut of each column of two bins.
    #[inline(always)]
    pub(super) fn count_two_bins<const L: usize>(
        &mut self,
        rows: &BinnedRows,
        batch: &Batch,
        node: NodeRows<'_, L>,
    ) -> Lane<Found> {
        let mut upper = [[0u16; LANES]; L];
        for (of, tags) in node.rows.chunks(READ_AHEAD).zip(node.tags.chunks(READ_AHEAD)) {
            self.read(rows, batch, of);
            for (bins, &tag) in self.bins.iter().zip(tags) {
                let (sums, weight) = (&mut upper[class_of::<L>(tag)], weight_of(tag) as u16);
                for i in 0..LANES {
                    sums[i] = sums[i].wrapping_add(u16::from(bins[i]).wrapping_mul(weight));
                }
            }
        }
        let (mut left_squares, mut right_squares) = ([0f32; LANES], [0f32; LANES]);
        let mut right_totals = [0u32; LANES];
        for (upper, &all) in upper.iter().zip(node.by_class) {
            for i in 0..LANES {
                let right = u32::from(upper[i]);
                let left = all.wrapping_sub(right) as i32 as f32;
                right_totals[i] += right;
                left_squares[i] += left * left;
                right_squares[i] += right as f32 * right as f32;
            }
        }
        let mut found = [Found::Constant; LANES];
        for i in 0..batch.len() {
            let (left_total, right_total) = (node.total.wrapping_sub(right_totals[i]), right_totals[i]);
            found[i] = if left_total == 0 || right_total == 0 {
                Found::Constant
            } else if left_total < node.min_leaf || right_total < node.min_leaf {
                Found::NoCut
            } else {
                let purity = purity(left_squares[i], left_total as f32, right_squares[i], right_total as f32);
                Found::Cut(Cut { purity, bin: 0, next: 1 })
            };
        }
        found
    }

    /// The best cut of each column, in a small node with at most [`KEY_CLASSES`] classes.
    #[inline(always)]
    pub(super) fn sort<const L: usize>(
        &mut self,
        rows: &BinnedRows,
        batch: &Batch,
        classes: usize,
        node: NodeRows<'_, L>,
    ) -> Lane<Found> {
        let padded = node.rows.len().next_multiple_of(BLOCK).min(self.keys.len());
        for (block, (of, tags)) in node.rows.chunks(READ_AHEAD).zip(node.tags.chunks(READ_AHEAD)).enumerate()
        {
            self.read(rows, batch, of);
            let keys = self.keys[..padded].iter_mut().skip(block * READ_AHEAD);
            for ((keys, bins), &tag) in keys.zip(self.bins.iter()).zip(tags) {
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
        sort_lanes(keys);
        walk(&keys[..node.rows.len().min(padded)], batch.len(), classes, node)
    }
}

/// Puts the smaller key of each lane first.
#[inline(always)]
fn order(a: &mut Lane<u16>, b: &mut Lane<u16>) {
    let (x, y) = (*a, *b);
    for i in 0..LANES {
        a[i] = x[i].min(y[i]);
        b[i] = x[i].max(y[i]);
    }
}

/// Sorts each lane: blocks of eight in registers, then Batcher's odd-even merge (Batcher 1968, "Sorting networks and
/// their applications"). All comparisons point the same way, so that those beyond the end may be left out.
#[inline(always)]
fn sort_lanes(keys: &mut [Lane<u16>]) {
    for block in keys.as_chunks_mut::<BLOCK>().0 {
        sort_block(block);
    }
    let mut run = BLOCK;
    while run < keys.len() {
        for pair in keys.chunks_mut(2 * run) {
            order_halves(pair, run);
            let mut half = run / 2;
            while half > 0 {
                for pair in pair.get_mut(half..).unwrap_or_default().chunks_mut(2 * half) {
                    order_halves(pair, half);
                }
                half /= 2;
            }
        }
        run *= 2;
    }
}

/// Orders each of the first `half` with the one `half` further on, where there is one.
#[inline(always)]
fn order_halves(keys: &mut [Lane<u16>], half: usize) {
    if let Some((low, high)) = keys.split_at_mut_checked(half) {
        for (a, b) in low.iter_mut().zip(high) {
            order(a, b);
        }
    }
}

/// Batcher's network for eight.
#[inline(always)]
fn sort_block(block: &mut [Lane<u16>; BLOCK]) {
    const PAIRS: [(usize, usize); 19] = [
        (0, 1),
        (2, 3),
        (4, 5),
        (6, 7),
        (0, 2),
        (1, 3),
        (4, 6),
        (5, 7),
        (1, 2),
        (5, 6),
        (0, 4),
        (1, 5),
        (2, 6),
        (3, 7),
        (2, 4),
        (3, 5),
        (1, 2),
        (3, 4),
        (5, 6),
    ];
    let mut all = *block;
    for (a, b) in PAIRS {
        let (mut x, mut y) = (all[a], all[b]);
        order(&mut x, &mut y);
        all[a] = x;
        all[b] = y;
    }
    *block = all;
}

/// Walks sorted keys and keeps each lane's purest cut.
#[inline(always)]
fn walk<const L: usize>(
    keys: &[Lane<u16>],
    lanes: usize,
    classes: usize,
    node: NodeRows<'_, L>,
) -> Lane<Found> {
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
            let allowed = (key[i] >> 8 != next[i] >> 8) & (left_totals[i] >= least) & (right_total >= least);
            let better = allowed & (purity > best[i]);
            best[i] = if better { purity } else { best[i] };
            best_at[i] = if better { at as u32 } else { best_at[i] };
        }
    }
    let mut found = [Found::Constant; LANES];
    let Some((first, last)) = keys.first().zip(keys.last()) else { return found };
    for i in 0..lanes {
        if first[i] >> 8 != last[i] >> 8 {
            found[i] = Found::NoCut;
            if best[i] > f32::NEG_INFINITY {
                let at = best_at[i] as usize;
                let bin = |at: usize| u32::from(keys[at][i] >> 8);
                found[i] = Found::Cut(Cut { purity: best[i], bin: bin(at), next: bin(at + 1) });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::few;
    use super::super::grow::tag_of;
    use super::*;
    use crate::stats::rng::Stream;

    #[test]
    fn the_network_sorts_every_lane_for_any_number_of_rows() {
        let mut stream = Stream::new(5, "network");
        for blocks in 1..=SMALL_TOTAL as usize / BLOCK {
            let mut keys: Vec<Lane<u16>> =
                (0..blocks * BLOCK).map(|_| std::array::from_fn(|_| stream.below(300) as u16)).collect();
            let mut want: Vec<Vec<u16>> =
                (0..LANES).map(|i| keys.iter().map(|lane| lane[i]).collect()).collect();
            want.iter_mut().for_each(|lane| lane.sort_unstable());
            sort_lanes(&mut keys);
            for (i, want) in want.iter().enumerate() {
                assert!(
                    keys.iter().map(|lane| lane[i]).eq(want.iter().copied()),
                    "{blocks} blocks, lane {i}"
                );
            }
        }
    }

    /// A batch of all columns.
    fn all(columns: usize) -> Batch {
        let mut batch = Batch::EMPTY;
        (0..columns).for_each(|feature| batch.push(feature as u16, feature));
        batch
    }

    #[test]
    fn cuts_are_those_found_by_hand() {
        // Classes 0 0 1 1 with weights 1 2 1 1. Column 0 (bins 3 3 9 9) separates them: 3²/3 + 2²/2 = 5. Column 1 does
        // not vary. Column 2 (0 1 1 0) has 0 and 1 in both: (1² + 1²)/2 + (2² + 1²)/3 = 8/3. Column 3 (0 7 8 8) is best cut
        // after 7, as column 0.
        let rows = BinnedRows { columns: 4, bins: vec![3, 5, 0, 0, 3, 5, 1, 7, 9, 5, 1, 8, 9, 5, 0, 8] };
        let tags = [(0, 1), (0, 2), (1, 1), (1, 1)].map(|(class, weight)| tag_of(class, weight));
        let mut by_class = [0; 8];
        by_class[..2].copy_from_slice(&[3, 2]);
        let node = NodeRows { rows: &[0, 1, 2, 3], tags: &tags, by_class: &by_class, total: 5, min_leaf: 1 };
        let cut = |purity, bin, next| Found::Cut(Cut { purity, bin, next });
        let want = [cut(5.0, 3, 9), Found::Constant, cut(8.0 / 3.0, 0, 1), cut(5.0, 7, 8)];
        let mut lanes = Lanes::new();
        assert_eq!(lanes.sort(&rows, &all(4), 2, node)[..4], want);
        let mut two_bins = Batch::EMPTY;
        two_bins.push(2, 0);
        assert_eq!(lanes.count_two_bins(&rows, &two_bins, node)[0], want[2]);
        // Three on the left and two on the right are the only sizes that three rows at least do not allow.
        assert_eq!(lanes.sort(&rows, &all(4), 2, NodeRows { min_leaf: 3, ..node })[0], Found::NoCut);
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
            let node = NodeRows {
                rows: &numbers,
                tags: &tags,
                by_class: &by_class,
                total,
                min_leaf: n as u32 / 20 + 1,
            };
            let want: Vec<Found> = (0..columns).map(|f| few::search_sorted(&rows, f, node)).collect();
            let mut lanes = Lanes::new();
            if total < SMALL_TOTAL {
                assert_eq!(lanes.sort(&rows, &all(columns), 5, node)[..columns], want, "{n} rows");
            }
            assert_eq!(lanes.count_two_bins(&rows, &all(1), node)[0], want[0], "{n} rows");
        }
    }
}
