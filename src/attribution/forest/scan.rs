//! The split search of a large node: counts by class and bin, then one pass over the bins.
//!
//! Two classes share a 32-bit word, so that the running sums take half the additions; the purities of all bins are then
//! computed side by side. Every loop runs over whole arrays without branches, which the compiler turns into vector code.

#![expect(clippy::inline_always, reason = "only what is inlined into `grow_avx2` is compiled for AVX2")]

use super::bins::MAX_BINS;
use super::grow::{class_of, weight_of};

/// Columns with at most this many bins are counted in [`PARTS`] interleaved tables: neighbouring rows mostly fall into
/// the same bin there, and an addition would have to wait for the one before it.
const FEW_BINS: usize = 64;

/// Number of interleaved tables.
const PARTS: usize = MAX_BINS / FEW_BINS;

/// Lanes of a vector step; the arrays are a whole number of steps.
const STEP: usize = 8;

/// Row totals that counters of 16 bits can't reach: from here on a class needs a word of its own.
pub(super) const WIDE_FROM: u32 = 1 << 16;

/// A word per bin.
type Words = [u32; MAX_BINS];
/// A number per bin.
type Lanes = [f32; MAX_BINS];

/// The best cut of one feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cut {
    /// Σ left²/n_left + Σ right²/n_right over the classes: larger is purer.
    pub(super) purity: f32,
    /// The highest bin that occurs on the left.
    pub(super) bin: u32,
    /// The lowest bin that occurs on the right.
    pub(super) next: u32,
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Found {
    /// All rows are in one bin.
    Constant,
    /// The feature varies, but no cut leaves enough rows on both sides.
    NoCut,
    /// The purest cut; the lowest one on equality.
    Cut(Cut),
}

/// A node's rows, and what they add up to.
#[derive(Clone, Copy)]
pub(super) struct NodeRows<'a, const L: usize> {
    /// Row numbers.
    pub(super) rows: &'a [u32],
    /// Their tags.
    pub(super) tags: &'a [u16],
    /// Totals by class.
    pub(super) by_class: &'a [u32; L],
    /// Total.
    pub(super) total: u32,
    /// Fewest rows on either side of a cut.
    pub(super) min_leaf: u32,
}

/// Σ left²/n_left + Σ right²/n_right over a common denominator: one division.
#[inline(always)]
pub(super) fn purity(left_squares: f32, left_total: f32, right_squares: f32, right_total: f32) -> f32 {
    (left_squares * right_total + right_squares * left_total) / (left_total * right_total)
}

/// Room for the counts of a node and for the pass over them.
pub(super) struct Table<const L: usize> {
    /// Number of classes.
    classes: usize,
    /// Counts; all 0 between uses. Packed: classes 2k and 2k+1 in the low and high half of `words[k]`.
    words: Box<[Words; L]>,
    left_squares: Box<Lanes>,
    right_squares: Box<Lanes>,
    left_totals: Box<Lanes>,
}

impl<const L: usize> Table<L> {
    pub(super) fn new(classes: usize) -> Self {
        let lanes = || Box::new([0.0; MAX_BINS]);
        Self {
            classes,
            words: Box::new([[0; MAX_BINS]; L]),
            left_squares: lanes(),
            right_squares: lanes(),
            left_totals: lanes(),
        }
    }

    /// The best cut of a column with this many bins.
    #[inline(always)]
    pub(super) fn search(&mut self, column: &[u8], bins: usize, node: NodeRows<'_, L>) -> Found {
        if bins < 2 {
            return Found::Constant;
        }
        if node.total < WIDE_FROM {
            self.search_packed::<true>(column, bins, node)
        } else {
            self.search_packed::<false>(column, bins, node)
        }
    }

    #[inline(always)]
    fn search_packed<const PACKED: bool>(
        &mut self,
        column: &[u8],
        bins: usize,
        node: NodeRows<'_, L>,
    ) -> Found {
        let used = if PACKED { self.classes.div_ceil(2) } else { self.classes };
        self.count::<PACKED>(column, bins, node, used);
        // Whole steps: bins beyond the last one hold no rows, so they look like a cut with nothing on the right.
        let width = bins.next_multiple_of(STEP);
        self.left_squares[..width].fill(0.0);
        self.right_squares[..width].fill(0.0);
        self.left_totals[..width].fill(0.0);
        for k in 0..used {
            running_sums(&mut self.words[k], width);
            let (words, _) = self.words[k][..width].as_chunks::<STEP>();
            let (left_squares, _) = self.left_squares[..width].as_chunks_mut::<STEP>();
            let (right_squares, _) = self.right_squares[..width].as_chunks_mut::<STEP>();
            let (left_totals, _) = self.left_totals[..width].as_chunks_mut::<STEP>();
            let (a, b) = if PACKED { (2 * k, 2 * k + 1) } else { (k, k) };
            let (all_a, all_b) = (node.by_class[a % L] as f32, node.by_class[b % L] as f32);
            for (((words, ls), rs), lt) in words.iter().zip(left_squares).zip(right_squares).zip(left_totals)
            {
                for i in 0..STEP {
                    if PACKED {
                        let (la, lb) = ((words[i] & 0xFFFF) as f32, (words[i] >> 16) as f32);
                        let (ra, rb) = (all_a - la, all_b - lb);
                        ls[i] += la * la + lb * lb;
                        rs[i] += ra * ra + rb * rb;
                        lt[i] += la + lb;
                    } else {
                        let la = words[i] as f32;
                        let ra = all_a - la;
                        ls[i] += la * la;
                        rs[i] += ra * ra;
                        lt[i] += la;
                    }
                }
            }
            self.words[k][..width].fill(0);
        }
        self.best(bins, width, node)
    }

    /// Counts the node's rows.
    #[inline(always)]
    fn count<const PACKED: bool>(&mut self, column: &[u8], bins: usize, node: NodeRows<'_, L>, used: usize) {
        let place = |tag: u16| {
            let class = class_of::<L>(tag);
            if PACKED { (class / 2, weight_of(tag) << (16 * (class % 2))) } else { (class, weight_of(tag)) }
        };
        if bins <= FEW_BINS {
            for (i, (&row, &tag)) in node.rows.iter().zip(node.tags).enumerate() {
                let (array, word) = place(tag);
                let bin = usize::from(column[row as usize]) % FEW_BINS + i % PARTS * FEW_BINS;
                self.words[array][bin] += word;
            }
            for words in self.words.iter_mut().take(used) {
                let (first, others) = words.split_at_mut(FEW_BINS);
                for part in others.chunks_exact_mut(FEW_BINS) {
                    for (sum, add) in first.iter_mut().zip(part) {
                        *sum += std::mem::take(add);
                    }
                }
            }
        } else {
            for (&row, &tag) in node.rows.iter().zip(node.tags) {
                let (array, word) = place(tag);
                self.words[array][usize::from(column[row as usize])] += word;
            }
        }
    }

    /// Turns squares into purities, and finds the best.
    #[inline(always)]
    fn best(&mut self, bins: usize, width: usize, node: NodeRows<'_, L>) -> Found {
        let (total, least) = (node.total as f32, node.min_leaf as f32);
        let purities = &mut self.left_squares;
        let mut highest = [f32::NEG_INFINITY; STEP];
        {
            let (left_squares, _) = purities[..width].as_chunks_mut::<STEP>();
            let (right_squares, _) = self.right_squares[..width].as_chunks::<STEP>();
            let (left_totals, _) = self.left_totals[..width].as_chunks::<STEP>();
            for ((ls, rs), lt) in left_squares.iter_mut().zip(right_squares).zip(left_totals) {
                for i in 0..STEP {
                    let right_total = total - lt[i];
                    let purity = purity(ls[i], lt[i], rs[i], right_total);
                    // Two selections, not one with `&&`: no branch.
                    let left_allows = if lt[i] >= least { purity } else { f32::NEG_INFINITY };
                    ls[i] = if right_total >= least { left_allows } else { f32::NEG_INFINITY };
                    highest[i] = if ls[i] > highest[i] { ls[i] } else { highest[i] };
                }
            }
        }
        let highest = highest.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let totals = &self.left_totals[..bins];
        if highest == f32::NEG_INFINITY {
            let varies = totals.iter().any(|&left| left > 0.0 && left < total);
            return if varies { Found::NoCut } else { Found::Constant };
        }
        // A bin without rows repeats the purity of the one before it, so the first match is one that occurs.
        let bin = purities[..bins].iter().position(|&p| p >= highest).unwrap_or(0);
        let next = (bin + 1..bins).find(|&b| totals[b] > totals[bin]).unwrap_or(bin + 1);
        Found::Cut(Cut { purity: highest, bin: bin as u32, next: next as u32 })
    }
}

/// Replaces the first `width` words by their running sums.
#[inline(always)]
fn running_sums(words: &mut Words, width: usize) {
    let mut sum = 0u32;
    for word in &mut words[..width] {
        sum = sum.wrapping_add(*word);
        *word = sum;
    }
}
