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
    /// The vector of `text`, embedded if it is not held yet.
    fn range(&mut self, embedder: &dyn Embedder, text: &str) -> Range<usize> {
        let key = xxh3_128(text.as_bytes());
        if let Some(range) = self.ranges.get(&key) {
            return range.clone();
        }
        embedder.embed(text, &mut self.scratch);
        let start = self.indices.len();
        self.indices.extend_from_slice(&self.scratch.indices);
        self.weights.extend_from_slice(&self.scratch.weights);
        let range = start..self.indices.len();
        self.ranges.insert(key, range.clone());
        range
    }

    /// Norm of the sum of the texts' vectors, and how many of them have one. `sum` must be zero and is zero again after.
    ///
    /// ‖s + v‖² = ‖s‖² + 2 s·v + ‖v‖², so the sum is never walked as a whole.
    pub fn norm_of_sum(&mut self, embedder: &dyn Embedder, texts: &[&str], sum: &mut [f64]) -> SumNorm {
        if self.indices.len() > MAX_HELD {
            self.ranges.clear();
            self.indices.clear();
            self.weights.clear();
        }
        let ranges: Vec<Range<usize>> = texts.iter().map(|text| self.range(embedder, text)).collect();
        let (mut squares, mut embedded) = (0.0, 0);
        for range in &ranges {
            let (mut product, mut own) = (0.0, 0.0);
            for (&ix, &weight) in self.indices[range.clone()].iter().zip(&self.weights[range.clone()]) {
                if let Some(slot) = sum.get_mut(ix as usize) {
                    product += *slot * weight;
                    own += weight * weight;
                    *slot += weight;
                }
            }
            squares += 2.0 * product + own;
            embedded += usize::from(!range.is_empty());
        }
        for range in ranges {
            for &ix in &self.indices[range] {
                if let Some(slot) = sum.get_mut(ix as usize) {
                    *slot = 0.0;
                }
            }
        }
        SumNorm { norm: squares.max(0.0).sqrt(), embedded }
    }
}

/// Norm of a sum of vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SumNorm {
    /// The norm.
    pub norm: f64,
    /// Texts among them that have a vector.
    pub embedded: usize,
}

#[cfg(test)]
mod tests {
    use super::super::HashedNgrams;
    use super::*;

    #[test]
    fn a_second_look_gives_the_same_norm_and_the_sum_is_left_clean() {
        let mut cache = EmbeddingCache::default();
        let mut sum = vec![0.0; HashedNgrams.dimensions()];
        let texts = ["hold the line", "hold on", "\u{1}"];
        let first = cache.norm_of_sum(&HashedNgrams, &texts, &mut sum);
        assert!(sum.iter().all(|x| *x == 0.0));
        assert_eq!(cache.norm_of_sum(&HashedNgrams, &texts, &mut sum), first);
        assert_eq!((cache.ranges.len(), first.embedded), (3, 2));
        // Two vectors of length 1 with a cosine between 0 and 1: the norm lies between √2 and 2.
        assert!(first.norm > 2f64.sqrt() && first.norm < 2.0, "{}", first.norm);
    }
}
