//! The built-in embedder: hashed character n-grams and words, no download, no corpus.

use std::cell::RefCell;

use super::{Embedder, SparseVector};

/// Components. A message of 300 characters has some 900 n-grams, so few of them share a component.
const DIMENSIONS: usize = 1 << 13;

/// Stands before and after each word, so that `in` at a word's start differs from `in` inside one.
const BOUNDARY: u32 = 0x11_0000; // one past the last Unicode scalar value

/// Hashed character 3- to 5-grams within words, and whole words; weight 1 + ln(count); signed hashing (Weinberger et al.
/// 2009, "Feature hashing for large scale multitask learning"), so that collisions don't bias a cosine; length 1.
///
/// A word is a run of letters and digits, or a run of other characters that are not white space; case is folded.
#[derive(Clone, Copy, Debug, Default)]
pub struct HashedNgrams;

struct Work {
    counts: Vec<i32>,
    touched: Vec<u32>,
    word: Vec<u32>,
}

thread_local! {
    static WORK: RefCell<Work> =
        const { RefCell::new(Work { counts: Vec::new(), touched: Vec::new(), word: Vec::new() }) };
}

impl Work {
    #[inline]
    fn count(&mut self, hash: u64) {
        let mixed = (hash ^ (hash >> 29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let component = (mixed >> (64 - DIMENSIONS.trailing_zeros())) as usize;
        let sign = if mixed & 1 == 0 { 1 } else { -1 };
        let count = &mut self.counts[component];
        if *count == 0 {
            self.touched.push(component as u32); // again after a cancellation: removed below
        }
        *count += sign;
    }

    /// Counts the n-grams of the word that was collected, and the word.
    fn word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        self.word.push(BOUNDARY);
        let word = std::mem::take(&mut self.word);
        let step =
            |hash: u64, c: u32| (hash ^ u64::from(c)).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(23);
        let mut whole = 0x5741_4C4C_u64;
        for (start, &first) in word.iter().enumerate() {
            whole = step(whole, first);
            let mut hash = step(0xCBF2_9CE4_8422_2325, first);
            for (n, &c) in word[start + 1..].iter().take(4).enumerate() {
                hash = step(hash, c);
                if n >= 1 {
                    self.count(hash ^ (n as u64));
                }
            }
        }
        self.count(whole);
        self.word = word;
        self.word.clear();
    }

    #[inline]
    fn character(&mut self, c: char) {
        if self.word.is_empty() {
            self.word.push(BOUNDARY);
        }
        self.word.push(u32::from(c));
    }
}

#[derive(PartialEq, Clone, Copy)]
enum Class {
    Space,
    Word,
    Mark,
}

fn class(c: char) -> Class {
    if c.is_alphanumeric() {
        Class::Word
    } else if c.is_whitespace() || c.is_control() {
        Class::Space
    } else {
        Class::Mark
    }
}

impl Embedder for HashedNgrams {
    fn name(&self) -> &'static str {
        "hashed-ngrams-v1 (characters 3-5 and words, 8192 components)"
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn embed(&self, text: &str, out: &mut SparseVector) {
        out.clear();
        WORK.with_borrow_mut(|work| {
            work.counts.resize(DIMENSIONS, 0);
            let mut before = Class::Space;
            for c in text.chars() {
                let now = class(c);
                if now != before {
                    work.word();
                }
                before = now;
                if now == Class::Space {
                    continue;
                }
                if c.is_ascii() {
                    work.character(c.to_ascii_lowercase());
                } else {
                    c.to_lowercase().for_each(|lower| work.character(lower));
                }
            }
            work.word();
            let mut squares = 0.0;
            for &component in &work.touched {
                let count = std::mem::take(&mut work.counts[component as usize]);
                if count != 0 {
                    let weight = f64::from(count.signum()) * (1.0 + f64::from(count.abs()).ln());
                    squares += weight * weight;
                    out.indices.push(component);
                    out.weights.push(weight);
                }
            }
            work.touched.clear();
            let norm = squares.sqrt();
            out.weights.iter_mut().for_each(|weight| *weight /= norm);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(a: &str, b: &str) -> f64 {
        let (mut va, mut vb) = (SparseVector::default(), SparseVector::default());
        HashedNgrams.embed(a, &mut va);
        HashedNgrams.embed(b, &mut vb);
        let weight = |i: &u32| vb.indices.iter().position(|j| j == i).map_or(0.0, |at| vb.weights[at]);
        va.indices.iter().zip(&va.weights).map(|(i, w)| w * weight(i)).sum()
    }

    #[test]
    fn vectors_have_length_one_and_case_is_folded() {
        let mut v = SparseVector::default();
        for text in ["go", "Moving to (2,4), join me!", "é", "👍"] {
            HashedNgrams.embed(text, &mut v);
            let norm: f64 = v.weights.iter().map(|w| w * w).sum();
            assert!((norm - 1.0).abs() < 1e-12, "{text}: {norm}");
        }
        assert!((cosine("Moving UP", "moving up") - 1.0).abs() < 1e-12);
        HashedNgrams.embed(" \n", &mut v);
        assert!(v.indices.is_empty());
    }

    #[test]
    fn alike_messages_are_closer_than_others() {
        let near = cosine("moving up to the nest with food", "moving down to the nest with food");
        let far = cosine("moving up to the nest with food", "lights on now please, everybody");
        assert!(near > 0.6, "{near}");
        assert!(far.abs() < 0.15, "{far}");
    }

    #[test]
    fn touching_a_component_again_after_it_cancelled_keeps_the_vector_clean() {
        // Long text makes cancellations certain; every index must be there once.
        let words: Vec<String> = (0..3000).map(|i| format!("w{i}")).collect();
        let text = words.join(" ");
        let mut v = SparseVector::default();
        HashedNgrams.embed(&text, &mut v);
        let distinct: std::collections::BTreeSet<u32> = v.indices.iter().copied().collect();
        assert_eq!(distinct.len(), v.indices.len());
    }
}
