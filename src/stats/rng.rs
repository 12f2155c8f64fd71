//! Random streams that come from the seed and the task's identity, never from threads.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// A random stream. Two streams with the same seed and identity give the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct Stream(Pcg64Mcg);

impl Stream {
    /// The stream of the task called `identity` (for example `"bootstrap/Pursuit/gpt-x"`) under `seed`.
    pub fn new(seed: u64, identity: &str) -> Self {
        let state = xxh3_128_with_seed(identity.as_bytes(), seed);
        Self(Pcg64Mcg::from_seed((state | 1).to_le_bytes()))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in `0..n`, unbiased (Lemire 2019, "Fast random integer generation in an interval"); 0 for `n` = 0.
    pub fn below(&mut self, n: u64) -> u64 {
        let mut product = u128::from(self.next_u64()) * u128::from(n);
        if (product as u64) < n {
            let threshold = n.wrapping_neg() % n.max(1);
            while (product as u64) < threshold {
                product = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// Uniform index into a slice of `len` items.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// Uniform in [0, 1), a multiple of 2⁻⁵³.
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Fisher–Yates shuffle.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.index(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_by_identity_and_seed_and_repeat() {
        let first = |seed, id| Stream::new(seed, id).next_u64();
        assert_eq!(first(1, "a"), first(1, "a"));
        assert_ne!(first(1, "a"), first(2, "a"));
        assert_ne!(first(1, "a"), first(1, "b"));
    }

    #[test]
    fn below_is_in_range_and_covers_it() {
        let mut stream = Stream::new(3, "below");
        let mut counts = [0u32; 7];
        for _ in 0..7000 {
            counts[stream.below(7) as usize] += 1;
        }
        // Binomial(7000, 1/7) has SD 29: six SDs either way.
        assert!(counts.iter().all(|&c| (824..=1176).contains(&c)), "{counts:?}");
        assert_eq!(stream.below(0), 0);
        assert_eq!(stream.below(1), 0);
    }
}
