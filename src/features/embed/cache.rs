//! Each distinct message is embedded once.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use xxhash_rust::xxh3::xxh3_128;

use super::{Component, Embedder};

/// Components held before the cache starts anew: 32 MB.
const MAX_HELD: usize = 4 << 20;

/// Components summed side by side, so that an addition does not wait for the one before it.
const ABREAST: usize = 4;

/// Takes a key as its own hash: the keys are hashes already.
#[derive(Clone, Copy, Debug, Default)]
struct KeyIsHash(u64);

impl Hasher for KeyIsHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}

/// Where a message's vector is held.
#[derive(Clone, Copy, Debug)]
struct Held {
    start: usize,
    end: usize,
    scale: f64,
}

/// A worker's cache. Keys are 128-bit hashes of the text: two messages of any log share one with a chance of 10⁻²⁰.
#[derive(Debug, Default)]
pub struct EmbeddingCache {
    // Looked up only, never iterated: order does not matter.
    held: HashMap<u128, Held, BuildHasherDefault<KeyIsHash>>,
    components: Vec<Component>,
    /// The vectors of the texts at hand.
    these: Vec<Held>,
}

impl EmbeddingCache {
    /// Forgets all messages and keeps the memory.
    pub fn clear(&mut self) {
        self.held.clear();
        self.components.clear();
    }

    /// The vector of `text`, embedded if it is not held yet.
    fn hold(&mut self, embedder: &dyn Embedder, text: &str) -> Held {
        let key = xxh3_128(text.as_bytes());
        if let Some(&held) = self.held.get(&key) {
            return held;
        }
        let start = self.components.len();
        let scale = embedder.embed(text, &mut self.components);
        let held = Held { start, end: self.components.len(), scale };
        self.held.insert(key, held);
        held
    }

    /// Norm of the sum of the texts' vectors, and how many of them have one. `sum` must be zero and is zero again after.
    ///
    /// ‖s + v‖² = ‖s‖² + 2 s·v + ‖v‖² with ‖v‖ = 1, so the sum is never walked as a whole.
    pub fn norm_of_sum(&mut self, embedder: &dyn Embedder, texts: &[&str], sum: &mut [f64]) -> SumNorm {
        if self.components.len() > MAX_HELD {
            self.clear();
        }
        let mut these = std::mem::take(&mut self.these);
        these.clear();
        these.extend(texts.iter().map(|text| self.hold(embedder, text)));
        let (mut squares, mut embedded, mut touched) = (0.0, 0, 0);
        for held in these.iter().filter(|held| held.start < held.end) {
            let components = &self.components[held.start..held.end];
            squares += 2.0 * add(components, held.scale, sum) + 1.0;
            embedded += 1;
            touched += components.len();
        }
        if touched > sum.len() / 8 {
            sum.fill(0.0);
        } else {
            for held in &these {
                for component in &self.components[held.start..held.end] {
                    if let Some(slot) = sum.get_mut(usize::from(component.index)) {
                        *slot = 0.0;
                    }
                }
            }
        }
        self.these = these;
        SumNorm { norm: f64::max(squares, 0.0).sqrt(), embedded }
    }
}

/// Adds a vector to `sum` and gives their product from before.
fn add(components: &[Component], scale: f64, sum: &mut [f64]) -> f64 {
    let mut products = [0.0; ABREAST];
    let mut one = |product: &mut f64, component: &Component| {
        if let Some(slot) = sum.get_mut(usize::from(component.index)) {
            let value = scale * f64::from(component.weight);
            *product += *slot * value;
            *slot += value;
        }
    };
    let (blocks, rest) = components.as_chunks::<ABREAST>();
    for block in blocks {
        products.iter_mut().zip(block).for_each(|(product, component)| one(product, component));
    }
    products.iter_mut().zip(rest).for_each(|(product, component)| one(product, component));
    products.iter().sum()
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
        assert_eq!((cache.held.len(), first.embedded), (3, 2));
        // Two vectors of length 1 with a cosine between 0 and 1: the norm lies between √2 and 2.
        assert!(first.norm > 2f64.sqrt() && first.norm < 2.0, "{}", first.norm);
        cache.clear();
        assert_eq!(cache.norm_of_sum(&HashedNgrams, &texts, &mut sum), first);
    }

    #[test]
    fn the_norm_is_that_of_the_sum_written_out() {
        // Many messages, so that the sum is cleared as a whole.
        let texts: Vec<String> = (0..60).map(|i| format!("agent {i} goes to cell {} now", i * i)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut written = vec![0.0; HashedNgrams.dimensions()];
        for text in &texts {
            let mut components = Vec::new();
            let scale = HashedNgrams.embed(text, &mut components);
            components.iter().for_each(|c| written[usize::from(c.index)] += scale * f64::from(c.weight));
        }
        let want = written.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut sum = vec![0.0; HashedNgrams.dimensions()];
        let got = EmbeddingCache::default().norm_of_sum(&HashedNgrams, &texts, &mut sum);
        assert!((got.norm - want).abs() < 1e-9, "{} {want}", got.norm);
        assert_eq!(got.embedded, 60);
        assert!(sum.iter().all(|x| *x == 0.0));
    }
}
