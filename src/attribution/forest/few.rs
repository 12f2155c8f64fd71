//! The split search of one feature in a node of few rows.

#![expect(clippy::inline_always, reason = "only what is inlined into `grow_avx2` is compiled for AVX2")]

use super::BinnedRows;
use super::grow::{class_of, weight_of};
use super::scan::{Cut, Found, NodeRows, purity};

/// Nodes with at most this many distinct rows sort them instead of counting bins (measured: below about this size the
/// pass over 256 bins costs more than the sort).
pub(super) const SORT_UP_TO: usize = 128;

/// Up to this many rows are sorted by counting, for each, the smaller ones: no branch to mispredict.
const RANK_UP_TO: usize = 32;

/// The best cut by sorting a node's few rows by bin.
#[inline(always)]
pub(super) fn search_sorted<const L: usize>(
    rows: &BinnedRows,
    feature: usize,
    node: NodeRows<'_, L>,
) -> Found {
    // A key is the bin, then the place among the rows (so that no two are equal), then the tag.
    let mut keys = [i32::MAX; SORT_UP_TO];
    let keys = &mut keys[..node.rows.len().next_multiple_of(8).min(SORT_UP_TO)];
    let (mut lowest, mut highest) = (u8::MAX, 0);
    for (place, ((key, &row), &tag)) in keys.iter_mut().zip(node.rows).zip(node.tags).enumerate() {
        let bin = rows.bins[row as usize * rows.columns + feature];
        *key = i32::from(bin) << 23 | (place as i32) << 16 | i32::from(tag);
        lowest = lowest.min(bin);
        highest = highest.max(bin);
    }
    if lowest == highest {
        return Found::Constant;
    }
    match node.rows.len() {
        0..=8 => sort_by_rank::<8>(keys),
        9..=16 => sort_by_rank::<16>(keys),
        17..=RANK_UP_TO => sort_by_rank::<RANK_UP_TO>(keys),
        _ => keys.sort_unstable(),
    }
    scan_sorted(&keys[..node.rows.len()], node)
}

/// Sorts distinct keys, at most `N` of them: a key's place is the number of smaller ones.
#[inline(always)]
fn sort_by_rank<const N: usize>(keys: &mut [i32]) {
    let mut all = [i32::MAX; N];
    for (to, &from) in all.iter_mut().zip(keys.iter()) {
        *to = from;
    }
    let mut ranks = [0i32; N];
    for &other in keys.iter() {
        for i in 0..N {
            ranks[i] += i32::from(other < all[i]);
        }
    }
    let mut sorted = [i32::MAX; N];
    for (&key, &rank) in all.iter().zip(&ranks) {
        if key != i32::MAX {
            sorted[rank as usize % N] = key;
        }
    }
    for (to, &from) in keys.iter_mut().zip(&sorted) {
        *to = from;
    }
}

/// Walks sorted keys and keeps the purest cut.
#[inline(always)]
fn scan_sorted<const L: usize>(keys: &[i32], node: NodeRows<'_, L>) -> Found {
    let mut left = [0u32; L];
    let mut right = *node.by_class;
    let (mut left_total, mut right_total) = (0u32, node.total);
    // At most 128 rows drawn at most 255 times each: the squares stay below 2³².
    let mut left_squares = 0u32;
    let mut right_squares: u32 = right.iter().map(|n| n * n).sum();
    let mut best: Option<Cut> = None;
    for pair in keys.windows(2) {
        let tag = pair[0] as u16;
        let (class, weight) = (class_of::<L>(tag), weight_of(tag));
        left_squares += weight * (2 * left[class] + weight);
        right_squares -= weight * (2 * right[class] - weight);
        left[class] += weight;
        right[class] -= weight;
        left_total += weight;
        right_total -= weight;
        let (bin, next) = ((pair[0] >> 23) as u32, (pair[1] >> 23) as u32);
        if bin != next && left_total >= node.min_leaf && right_total >= node.min_leaf {
            let purity =
                purity(left_squares as f32, left_total as f32, right_squares as f32, right_total as f32);
            if best.is_none_or(|b| purity > b.purity) {
                best = Some(Cut { purity, bin, next });
            }
        }
    }
    best.map_or(Found::NoCut, Found::Cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_sort_like_the_standard_library() {
        let mut stream = crate::stats::rng::Stream::new(5, "ranks");
        for n in [8, 16, 32] {
            let mut keys: Vec<i32> = (0..n).map(|i| (stream.below(9) as i32) << 23 | i << 16).collect();
            let mut want = keys.clone();
            want.sort_unstable();
            match n {
                8 => sort_by_rank::<8>(&mut keys),
                16 => sort_by_rank::<16>(&mut keys),
                _ => sort_by_rank::<32>(&mut keys),
            }
            assert_eq!(keys, want);
        }
    }
}
