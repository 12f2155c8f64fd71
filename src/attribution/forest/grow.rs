//! Growing one tree: the hot loop of a fit.

#![expect(clippy::inline_always, reason = "only what is inlined into `grow_avx2` is compiled for AVX2")]

use super::bins::TwoBinRows;
use super::few::SORT_UP_TO;
use super::lanes::{LANES, Outcome};
use super::scan::NodeRows;
use super::search::Search;
use super::{BinnedColumns, BinnedRows, FULL_VOTE, ForestParams, Node, Tree};
use crate::stats::rng::Stream;

/// Bits of a tag that hold the class; the rest is how often the bootstrap drew the row.
const CLASS_BITS: u32 = 6;
const CLASS_MASK: u16 = (1 << CLASS_BITS) - 1;

/// The largest weight of a row; [`super::lanes`] has five bits for it.
const MOST_WEIGHT: u16 = 31;

/// What a tree is grown on.
#[derive(Clone, Copy)]
pub(super) struct Data<'a> {
    /// The rows by column: large nodes walk down a column.
    pub(super) by_column: &'a BinnedColumns,
    /// The same rows by row: small nodes find several features of a row in one cache line.
    pub(super) by_row: &'a BinnedRows,
    /// The columns of two bins among them, once more.
    pub(super) two_bins: &'a TwoBinRows,
    /// Their classes.
    pub(super) labels: &'a [u8],
    /// Number of classes.
    pub(super) classes: usize,
}

/// Grows a tree on a bootstrap sample of the rows. `L` is at least the number of classes and a power of two.
///
/// Takes the AVX2 code where the machine has it. Both are compiled from [`grow_portably`], and neither fuses nor
/// reorders additions, so that the trees are the same.
pub(super) fn grow<const L: usize>(data: Data<'_>, params: &ForestParams, stream: Stream) -> Tree {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("bmi2") {
        #[expect(
            unsafe_code,
            reason = "the features were just found; the scan over the bins needs 256-bit lanes"
        )]
        // SAFETY: the function is safe code that needs only the features tested above.
        return unsafe { grow_avx2::<L>(data, params, stream) };
    }
    grow_portably::<L>(data, params, stream)
}

/// [`grow_portably`], compiled for AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn grow_avx2<const L: usize>(data: Data<'_>, params: &ForestParams, stream: Stream) -> Tree {
    grow_portably::<L>(data, params, stream)
}

/// Grows a tree, for any processor.
#[inline(always)]
fn grow_portably<const L: usize>(data: Data<'_>, params: &ForestParams, mut stream: Stream) -> Tree {
    let mut drawn = vec![0u16; data.labels.len()];
    for _ in 0..data.labels.len() {
        // A row is drawn more often with probability below 10⁻³⁵ (Poisson with mean 1); it would be capped.
        let row = stream.index(data.labels.len());
        drawn[row] = (drawn[row] + 1).min(MOST_WEIGHT);
    }
    let (mut rows, mut tags) = (Vec::with_capacity(data.labels.len()), Vec::with_capacity(data.labels.len()));
    for (row, (&count, &label)) in drawn.iter().zip(data.labels).enumerate() {
        if count > 0 {
            rows.push(row as u32);
            tags.push(tag_of(label, count));
        }
    }
    let features = data.by_column.counts.len();
    let mut grower = Grower::<L> {
        data,
        params,
        stream,
        per_split: params.features_per_split.unwrap_or(features.isqrt()).clamp(1, features),
        search: Search::new(data.classes),
        features: (0..features as u16).collect(),
        constants: vec![0; features],
        found: vec![0; features + 1],
        spill: vec![(0, 0); rows.len()],
        rows,
        tags,
        tree: Tree { nodes: vec![Node::leaf(0)], votes: Vec::new() },
    };
    grower.run();
    grower.tree
}

/// A node whose rows still have to be looked at.
struct Pending {
    node: usize,
    from: usize,
    to: usize,
    depth: usize,
    /// How many features, kept at the front of the list, are known to be constant here.
    constant: usize,
}

/// The best split found so far.
#[derive(Clone, Copy)]
struct Split {
    /// Σ left²/n_left + Σ right²/n_right over the classes: larger is purer.
    purity: f32,
    feature: u16,
    threshold: u8,
}

/// Row counts by class.
struct Counts<const L: usize> {
    by_class: [u32; L],
    total: u32,
}

struct Grower<'a, const L: usize> {
    data: Data<'a>,
    params: &'a ForestParams,
    stream: Stream,
    per_split: usize,
    search: Search<L>,
    /// All features. Those constant in a node are constant in its children, which need not look at them again: a node
    /// finds its known constants at the front, in the order in which `constants` has them.
    features: Vec<u16>,
    /// The constant features in the order found on the way down to the current node.
    constants: Vec<u16>,
    /// Places in `features` of the constants found in the current node, the highest first.
    found: Vec<u16>,
    /// The distinct rows of the bootstrap sample; a node owns a stretch of them.
    rows: Vec<u32>,
    /// Their classes and multiplicities, in step with `rows`.
    tags: Vec<u16>,
    /// Rows going right while a stretch is partitioned.
    spill: Vec<(u32, u16)>,
    tree: Tree,
}

impl<const L: usize> Grower<'_, L> {
    #[inline(always)]
    fn run(&mut self) {
        // A stack of our own: the depth of a tree is not bounded by the machine's stack.
        let mut pending = vec![Pending { node: 0, from: 0, to: self.rows.len(), depth: 0, constant: 0 }];
        while let Some(Pending { node, from, to, depth, mut constant }) = pending.pop() {
            let counts = self.count(from, to);
            let pure = counts.by_class.iter().filter(|&&n| n > 0).count() <= 1;
            let stop = pure
                || counts.total < self.params.min_split
                || self.params.max_depth.is_some_and(|max| depth >= max);
            let split = if stop { None } else { self.best_split(from, to, &counts, &mut constant) };
            let Some(split) = split else {
                self.close(node, &counts);
                continue;
            };
            let middle = self.partition(from, to, split);
            let left = self.tree.nodes.len();
            self.tree.nodes.extend([Node::leaf(0); 2]);
            self.tree.nodes[node] =
                Node { child: left as u32, feature: split.feature, threshold: split.threshold, leaf: false };
            pending.push(Pending { node: left + 1, from: middle, to, depth: depth + 1, constant });
            pending.push(Pending { node: left, from, to: middle, depth: depth + 1, constant });
        }
    }

    #[inline(always)]
    fn count(&self, from: usize, to: usize) -> Counts<L> {
        let mut by_class = [0; L];
        for &tag in &self.tags[from..to] {
            by_class[class_of::<L>(tag)] += weight_of(tag);
        }
        Counts { by_class, total: by_class.iter().sum() }
    }

    /// Makes `node` a leaf with these class shares.
    #[inline(always)]
    fn close(&mut self, node: usize, counts: &Counts<L>) {
        self.tree.nodes[node] = Node::leaf((self.tree.votes.len() / L) as u32);
        let total = u64::from(counts.total.max(1));
        let vote = |&n: &u32| ((u64::from(n) * u64::from(FULL_VOTE) + total / 2) / total) as u16;
        self.tree.votes.extend(counts.by_class.iter().map(vote));
    }

    /// Draws features without replacement until enough were looked at and one of them can split the rows. `constant`
    /// comes in as the number of features known to be constant and goes out with those found here added.
    #[inline(always)]
    fn best_split(
        &mut self,
        from: usize,
        to: usize,
        counts: &Counts<L>,
        constant: &mut usize,
    ) -> Option<Split> {
        let node = NodeRows {
            rows: &self.rows[from..to],
            tags: &self.tags[from..to],
            by_class: &counts.by_class,
            total: counts.total,
            min_leaf: self.params.min_leaf,
        };
        let mut best: Option<Split> = None;
        // The list: constants drawn | other known constants | not yet drawn | drawn, the last one first.
        let known = *constant;
        let (mut drawn_constants, mut end) = (0, self.features.len());
        let (mut looked, mut found, mut varies) = (0, 0, false);
        while end > known && (looked < self.per_split || !varies) {
            // Beyond the number wanted we look no further than the first that varies.
            let beyond = looked >= self.per_split;
            let before = end;
            while end > known && before - end < LANES && (beyond || looked < self.per_split) {
                looked += 1;
                let pick = drawn_constants + self.stream.index(end - drawn_constants);
                if pick < known {
                    self.features.swap(drawn_constants, pick);
                    drawn_constants += 1;
                } else {
                    end -= 1;
                    self.features.swap(end, pick);
                }
            }
            let outcome = self.search.best_cuts(self.data, &self.features[end..before], node);
            for (place, at) in (end..before).rev().enumerate() {
                let place = place % LANES;
                // Written in any case and kept if constant: no branch to mispredict.
                self.found[found] = at as u16;
                found += usize::from(!outcome.varies[place]);
                varies |= outcome.varies[place];
                if best.is_none_or(|b| outcome.purity[place] > b.purity) {
                    best = outcome.split(place, self.features[at]).or(best);
                }
                if beyond && varies {
                    break;
                }
            }
        }
        // From the lowest place up, so that no swap moves one that still has its turn.
        for (count, &at) in self.found[..found].iter().rev().enumerate() {
            self.features.swap(known + count, usize::from(at));
        }
        // The sibling, and the nodes below, have to find the front as it was.
        self.features[..known].copy_from_slice(&self.constants[..known]);
        *constant = known + found;
        self.constants[known..*constant].copy_from_slice(&self.features[known..*constant]);
        best
    }

    /// Moves the rows that go left to the front, both sides keeping their order; where the right side begins.
    #[inline(always)]
    fn partition(&mut self, from: usize, to: usize, split: Split) -> usize {
        let feature = usize::from(split.feature);
        let data = self.data;
        if data.by_column.counts[feature] == 2 {
            let place = data.two_bins.place(feature);
            let byte = usize::from(place.byte);
            self.partition_by(from, to, |row| data.two_bins.row(row)[byte] & place.mask == 0)
        } else if to - from <= SORT_UP_TO {
            // The search has just read these rows.
            self.partition_by(from, to, |row| data.by_row.row(row)[feature] <= split.threshold)
        } else {
            let column = data.by_column.column(feature);
            self.partition_by(from, to, |row| column[row] <= split.threshold)
        }
    }

    #[inline(always)]
    fn partition_by(&mut self, from: usize, to: usize, goes_left: impl Fn(usize) -> bool) -> usize {
        let (rows, tags) = (&mut self.rows[from..to], &mut self.tags[from..to]);
        let spill = &mut self.spill[..rows.len()];
        // Each row is written to both sides, and the place moves on for one of them: no branch to mispredict.
        let (mut left, mut right) = (0, 0);
        for at in 0..rows.len() {
            let (row, tag) = (rows[at], tags[at]);
            let goes_left = goes_left(row as usize);
            rows[left] = row;
            tags[left] = tag;
            spill[right] = (row, tag);
            left += usize::from(goes_left);
            right += usize::from(!goes_left);
        }
        for ((&(from_row, from_tag), row), tag) in
            spill[..right].iter().zip(&mut rows[left..]).zip(&mut tags[left..])
        {
            *row = from_row;
            *tag = from_tag;
        }
        from + left
    }
}

/// The tag of a row of this class that the bootstrap drew this often.
#[inline(always)]
pub(super) fn tag_of(class: u8, weight: u16) -> u16 {
    weight << CLASS_BITS | u16::from(class)
}

/// The class of a tag; the mask with `L − 1` is what lets the compiler drop the bounds check.
#[inline(always)]
pub(super) fn class_of<const L: usize>(tag: u16) -> usize {
    usize::from(tag & CLASS_MASK) % L
}

#[inline(always)]
pub(super) fn weight_of(tag: u16) -> u32 {
    u32::from(tag >> CLASS_BITS)
}

impl Outcome {
    /// The split at the best cut of the feature drawn in this place, if it has one. The threshold lies midway in bins, so
    /// that unseen values between fall to the nearer side.
    #[inline(always)]
    fn split(&self, place: usize, feature: u16) -> Option<Split> {
        let (purity, threshold) = (self.purity[place], self.bin[place].midpoint(self.next[place]));
        (purity > f32::NEG_INFINITY).then_some(Split { purity, feature, threshold })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_hold_class_and_weight() {
        let tag = tag_of(3, 5);
        assert_eq!((class_of::<8>(tag), weight_of(tag)), (3, 5));
    }

    #[test]
    fn the_portable_and_the_avx2_code_grow_the_same_tree() {
        use super::super::Bins;
        use crate::attribution::matrix::Matrix;

        let mut data = Stream::new(9, "twins");
        for classes in [2, 5, 11] {
            // Real, few-valued and binary columns, so that every search is taken.
            let (mut values, mut labels) = (Vec::new(), Vec::new());
            for _ in 0..1500 {
                let row: Vec<f64> = (0..6).map(|_| data.uniform()).collect();
                labels.push((row[0] * classes as f64) as u8);
                values.extend(row[..3].iter().map(|&v| v as f32));
                values.extend(row[3..5].iter().map(|&v| (v * 9.0).floor() as f32));
                values.push(row[5].round() as f32);
            }
            let x = Matrix { columns: 6, values };
            let bins = Bins::learn(&x);
            let (by_column, by_row) = (bins.by_column(&x), bins.by_row(&x));
            let two_bins = TwoBinRows::of(&by_column);
            let data = Data {
                by_column: &by_column,
                by_row: &by_row,
                two_bins: &two_bins,
                labels: &labels,
                classes,
            };
            let params = ForestParams::default();
            let portable = grow_portably::<16>(data, &params, Stream::new(1, "tree"));
            assert_eq!(grow::<16>(data, &params, Stream::new(1, "tree")), portable);
            if classes <= 8 {
                let portable = grow_portably::<8>(data, &params, Stream::new(1, "tree"));
                assert_eq!(grow::<8>(data, &params, Stream::new(1, "tree")), portable);
            }
        }
    }
}
