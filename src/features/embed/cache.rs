//! Each distinct message is embedded once.

use std::collections::HashMap;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_128;

use super::{Embedder, SparseVector};

/// Components held before the cache starts anew: some 48 MB.
const MAX_HELD: usize = 4 << 20;

/// A worker's cache. Keys are 128-bit hashes of the text: two messages of any log share one with a chance of 10⁻²⁰.
#[derive(Debug, Default)]
pub struct EmbeddingCache {
    // Looked up only, never iterated: order does not matter.
    ranges: HashMap<u128, Range<usize>>,
    indices: Vec<u32>,
    weights: Vec<f64>,
    scratch: SparseVector,
}

impl EmbeddingCache {
    /// Adds the vector of `text` to `sum`; false where the text has nothing to judge.
    pub fn add_to(&mut self, embedder: &dyn Embedder, text: &str, sum: &mut [f64]) -> bool {
        let key = xxh3_128(text.as_bytes());
        let range = match self.ranges.get(&key) {
            Some(range) => range.clone(),
            None => {
                embedder.embed(text, &mut self.scratch);
                if self.indices.len() + self.scratch.indices.len() > MAX_HELD {
                    self.ranges.clear();
                    self.indices.clear();
                    self.weights.clear();
                }
                let start = self.indices.len();
                self.indices.extend_from_slice(&self.scratch.indices);
                self.weights.extend_from_slice(&self.scratch.weights);
                let range = start..self.indices.len();
                self.ranges.insert(key, range.clone());
                range
            }
        };
        for (&ix, weight) in self.indices[range.clone()].iter().zip(&self.weights[range.clone()]) {
            if let Some(slot) = sum.get_mut(ix as usize) {
                *slot += weight;
            }
        }
        !range.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::super::HashedNgrams;
    use super::*;

    #[test]
    fn a_second_look_gives_the_same_vector() {
        let mut cache = EmbeddingCache::default();
        let (mut first, mut second) = (vec![0.0; 1 << 13], vec![0.0; 1 << 13]);
        assert!(cache.add_to(&HashedNgrams, "hold the line", &mut first));
        assert!(cache.add_to(&HashedNgrams, "hold the line", &mut second));
        assert_eq!(first, second);
        assert_eq!(cache.ranges.len(), 1);
    }
}
