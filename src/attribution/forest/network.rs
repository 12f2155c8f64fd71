//! A sorting network: every lane is sorted by the same comparisons, whatever its keys.

#![expect(clippy::inline_always, reason = "only what is inlined into `grow_avx2` is compiled for AVX2")]

use super::lanes::{LANES, Lane};

/// Rows that one step holds in registers.
pub(super) const BLOCK: usize = 8;

/// Puts the smaller key of each lane first.
#[inline(always)]
fn order(a: &mut Lane<u16>, b: &mut Lane<u16>) {
    let (x, y) = (*a, *b);
    for i in 0..LANES {
        a[i] = x[i].min(y[i]);
        b[i] = x[i].max(y[i]);
    }
}

/// Sorts each lane of a whole number of [`BLOCK`]s: the blocks in registers, then Batcher's odd-even merge (Batcher 1968,
/// "Sorting networks and their applications"). All comparisons point the same way, so that those beyond the end may be
/// left out.
#[inline(always)]
pub(super) fn sort(keys: &mut [Lane<u16>]) {
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
    const LOW: [usize; 19] = [0, 2, 4, 6, 0, 1, 4, 5, 1, 5, 0, 1, 2, 3, 2, 3, 1, 3, 5];
    const HIGH: [usize; 19] = [1, 3, 5, 7, 2, 3, 6, 7, 2, 6, 4, 5, 6, 7, 4, 5, 2, 4, 6];
    let mut all = *block;
    for (a, b) in LOW.into_iter().zip(HIGH) {
        let (mut x, mut y) = (all[a], all[b]);
        order(&mut x, &mut y);
        all[a] = x;
        all[b] = y;
    }
    *block = all;
}

#[cfg(test)]
mod tests {
    use super::super::lanes::SMALL_TOTAL;
    use super::*;
    use crate::stats::rng::Stream;

    #[test]
    fn every_lane_is_sorted_for_any_number_of_blocks() {
        let mut stream = Stream::new(5, "network");
        for blocks in 1..=SMALL_TOTAL as usize / BLOCK {
            let mut keys: Vec<Lane<u16>> =
                (0..blocks * BLOCK).map(|_| std::array::from_fn(|_| stream.below(300) as u16)).collect();
            let mut want: Vec<Vec<u16>> =
                (0..LANES).map(|i| keys.iter().map(|lane| lane[i]).collect()).collect();
            want.iter_mut().for_each(|lane| lane.sort_unstable());
            sort(&mut keys);
            for (i, want) in want.iter().enumerate() {
                assert!(
                    keys.iter().map(|lane| lane[i]).eq(want.iter().copied()),
                    "{blocks} blocks, lane {i}"
                );
            }
        }
    }
}
