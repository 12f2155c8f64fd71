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

/// Counts whose weight is looked up rather than computed.
const TABLE: usize = 64;

struct Work {
    counts: Box<[i32; DIMENSIONS]>,
    /// Components that were counted, the first `used` of them; long enough for the word at hand.
    touched: Vec<u32>,
    used: usize,
    word: Vec<u32>,
    /// ± (1 + ln |count|) for counts from −[`TABLE`] to [`TABLE`] − 1; 0 for 0.
    weights: [f64; 2 * TABLE],
}

thread_local! {
    static WORK: RefCell<Work> = RefCell::new(Work {
        counts: Box::new([0; DIMENSIONS]),
        touched: Vec::new(),
        used: 0,
        word: Vec::new(),
        weights: std::array::from_fn(|at| weight(at as i32 - TABLE as i32)),
    });
}

#[inline]
fn step(hash: u64, c: u32) -> u64 {
    (hash ^ u64::from(c)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
}

impl Work {
    #[inline]
    fn count(&mut self, hash: u64) {
        let mixed = (hash ^ (hash >> 29)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let component = (mixed >> (64 - DIMENSIONS.trailing_zeros())) as usize % DIMENSIONS;
        let sign = 1 - ((mixed & 2) as i32);
        let count = &mut self.counts[component];
        // No branch, which would be mispredicted often: the slot is written in any case and taken only if it is new.
        // (Again after a cancellation: passed over when weights are made.)
        self.touched[self.used] = component as u32;
        self.used += usize::from(*count == 0);
        *count += sign;
    }

    /// Counts the n-grams of the word that was collected, and the word.
    fn word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        self.word.push(BOUNDARY);
        let word = std::mem::take(&mut self.word);
        let most = self.used + 3 * word.len() + 2;
        if self.touched.len() < most {
            self.touched.resize(most.next_power_of_two(), 0);
        }
        let mut whole = 0x5741_4C4C_u64;
        for (start, &first) in word.iter().enumerate() {
            whole = step(whole, first);
            let rest = &word[start + 1..];
            let [second, third, ..] = *rest else { continue };
            let three = step(step(step(0xCBF2_9CE4_8422_2325, first), second), third);
            self.count(three);
            if let Some(&fourth) = rest.get(2) {
                let four = step(three, fourth);
                self.count(four);
                if let Some(&fifth) = rest.get(3) {
                    self.count(step(four, fifth));
                }
            }
        }
        self.count(whole);
        self.word = word;
        self.word.clear();
    }

    #[inline]
    fn character(&mut self, c: u32) {
        if self.word.is_empty() {
            self.word.push(BOUNDARY);
        }
        self.word.push(c);
    }
}

/// The weight of a signed count.
fn weight(count: i32) -> f64 {
    if count == 0 { 0.0 } else { f64::from(count.signum()) * (1.0 + f64::from(count.abs()).ln()) }
}

#[derive(PartialEq, Clone, Copy)]
enum Class {
    Space,
    Word,
    Mark,
}

#[inline]
fn class(c: char) -> Class {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' => Class::Word,
        '\0'..=' ' | '\u{7f}' => Class::Space,
        '!'..='~' => Class::Mark,
        c if c.is_alphanumeric() => Class::Word,
        c if c.is_whitespace() || c.is_control() => Class::Space,
        _ => Class::Mark,
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
                    work.character(u32::from(c.to_ascii_lowercase()));
                } else {
                    c.to_lowercase().for_each(|lower| work.character(u32::from(lower)));
                }
            }
            work.word();
            let mut squares = 0.0;
            let Work { counts, touched, used, weights, .. } = work;
            let touched = &touched[..std::mem::take(used)];
            out.indices.extend_from_slice(touched);
            // A component that was touched again after a cancellation is there twice; its second weight is 0.
            out.weights.extend(touched.iter().map(|&component| {
                let count = std::mem::take(&mut counts[component as usize % DIMENSIONS]);
                let at = count.wrapping_add(TABLE as i32) as usize;
                let weight = weights.get(at).copied().unwrap_or_else(|| weight(count));
                squares += weight * weight;
                weight
            }));
            if squares == 0.0 {
                out.clear();
            }
            let scale = 1.0 / squares.sqrt();
            out.weights.iter_mut().for_each(|weight| *weight *= scale);
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
    fn touching_a_component_again_after_it_cancelled_keeps_the_length() {
        // Long text makes cancellations certain: of the weights of a component one at most is not 0.
        let words: Vec<String> = (0..3000).map(|i| format!("w{i}")).collect();
        let mut v = SparseVector::default();
        HashedNgrams.embed(&words.join(" "), &mut v);
        let mut used = std::collections::BTreeMap::new();
        for (ix, weight) in v.indices.iter().zip(&v.weights) {
            *used.entry(ix).or_insert(0) += usize::from(weight.abs() > 0.0);
        }
        assert!(used.len() < v.indices.len(), "no component was touched twice");
        assert!(used.values().all(|&n| n <= 1));
        let norm: f64 = v.weights.iter().map(|w| w * w).sum();
        assert!((norm - 1.0).abs() < 1e-12);
    }
}
