//! The built-in embedder: hashed character n-grams and words, no download, no corpus.
//!
//! The text becomes symbols with a boundary between words ([`Symbols`]), the symbols become codes, one per n-gram and per word,
//! and the codes are counted. The loops hold hardly a branch that depends on the text: mispredicted ones would cost more than
//! the work.

use std::cell::RefCell;

use super::symbols::{BLOCK, Padded, Symbol, Symbols};
use super::{Component, Embedder};

/// Components. Messages have some 50 to 500 n-grams, of which few share a component; two unlike messages then get a cosine of 0
/// with a standard deviation of 1/√4096 = 0.016.
const DIMENSIONS: usize = 1 << 12;

/// Codes: a component and a sign each.
const SIGNED: usize = 2 * DIMENSIONS;

/// Blocks whose codes are counted at once: a message has fewer, and counts of 16 bits can't overflow.
const BLOCKS: usize = 64;

/// Most codes of a symbol: three n-grams that start there, and the word that ends there.
const CODES_EACH: usize = 4;

/// Counts whose weight is looked up rather than computed.
const TABLE: usize = 64;

/// Squares of weights are summed as whole multiples of 1 / `UNIT`: such an addition takes one cycle.
const UNIT: f64 = (1u64 << 40) as f64;

/// Hashed character 3- to 5-grams within words, and whole words; weight 1 + ln(count); signed hashing (Weinberger et al.
/// 2009, "Feature hashing for large scale multitask learning"), so that collisions don't bias a cosine; length 1.
///
/// A word is a run of letters and digits, or a run of other characters that are not white space; case is folded.
#[derive(Clone, Copy, Debug, Default)]
pub struct HashedNgrams;

/// A count's weight.
#[derive(Clone, Copy)]
struct Weight {
    weight: f32,
    /// Its square, in units of 1 / [`UNIT`].
    square: u64,
}

impl Weight {
    /// ± (1 + ln |count|), 0 for 0.
    fn of(count: i64) -> Self {
        let size = if count == 0 { 0.0 } else { 1.0 + (count.abs() as f64).ln() };
        let weight = (count.signum() as f64 * size) as f32;
        Self { weight, square: (f64::from(weight).powi(2) * UNIT).round() as u64 }
    }
}

struct Counter {
    /// How often each code was counted; all 0 between uses.
    counts: Box<[u16; SIGNED]>,
    /// Signed counts by component of a text that is longer than [`BLOCKS`]; all 0 between uses.
    totals: Box<[i64; DIMENSIONS]>,
    codes: Box<[u16; CODES_EACH * BLOCK * BLOCKS]>,
    /// Weights of counts from −[`TABLE`] to [`TABLE`] − 1.
    weights: Box<[Weight; 2 * TABLE]>,
    /// The components as they are written.
    components: Box<[Component; CODES_EACH * BLOCK * BLOCKS]>,
}

thread_local! {
    static WORK: RefCell<(Symbols, Counter)> = RefCell::new((Symbols::default(), Counter::new()));
}

/// Multiply-shift hashing (Dietzfelbinger et al. 1997, "A reliable randomized algorithm for the closest-pair problem"): the
/// upper bits are the good ones.
#[inline]
fn code(key: u64) -> u16 {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - SIGNED.trailing_zeros())) as u16
}

/// Calls `with` for each bit that is set, lowest first.
#[inline]
fn each_bit(mut bits: u64, mut with: impl FnMut(usize)) {
    while bits != 0 {
        with(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// Codes as they are found: counted at once, and kept to find the counts again.
struct Tally<'a> {
    counts: &'a mut [u16; SIGNED],
    codes: &'a mut [u16; CODES_EACH * BLOCK * BLOCKS],
    len: usize,
}

impl Tally<'_> {
    #[inline]
    fn add(&mut self, key: u64) {
        let code = code(key);
        if let Some(slot) = self.codes.get_mut(self.len) {
            *slot = code;
            self.len += 1;
            let count = &mut self.counts[usize::from(code) % SIGNED];
            *count = count.wrapping_add(1);
        }
    }

    /// The `N`-grams that start where `bits` are set.
    #[inline]
    fn grams<S: Symbol, const N: usize>(&mut self, symbols: &[S], bits: u64) {
        each_bit(bits, |at| {
            if let Some(window) = symbols.get(at..).and_then(<[S]>::first_chunk) {
                self.add(S::gram::<N>(window));
            }
        });
    }
}

/// The signed counts of the components of these codes, 0 for one that comes again; all counts are 0 after.
#[inline]
fn drained<'a>(counts: &'a mut [u16; SIGNED], codes: &'a [u16]) -> impl Iterator<Item = (u16, i32)> + 'a {
    let (pairs, _) = counts.as_chunks_mut::<2>();
    codes.iter().map(|&code| {
        let index = code / 2;
        let [plus, minus] = std::mem::take(&mut pairs[usize::from(index) % DIMENSIONS]);
        (index, i32::from(plus) - i32::from(minus))
    })
}

impl Counter {
    #[expect(clippy::large_stack_arrays, reason = "made once a thread, 300 KB of its 2 MB")]
    fn new() -> Self {
        Self {
            counts: Box::new([0; SIGNED]),
            totals: Box::new([0; DIMENSIONS]),
            codes: Box::new([0; CODES_EACH * BLOCK * BLOCKS]),
            weights: Box::new(std::array::from_fn(|at| Weight::of(at as i64 - TABLE as i64))),
            components: Box::new([Component::default(); CODES_EACH * BLOCK * BLOCKS]),
        }
    }

    /// Counts the codes of `BLOCKS` blocks from block `from` on; their number. `word` is where the word at hand began.
    #[inline]
    fn count<S: Symbol>(&mut self, text: Padded<'_, S>, from: usize, word: &mut usize) -> usize {
        let mut tally = Tally { counts: &mut self.counts, codes: &mut self.codes, len: 0 };
        let (blocks, _) = text.symbols.as_chunks::<BLOCK>();
        let blocks = blocks.get(from..).unwrap_or_default();
        let mut next = blocks.first().map_or(0, S::boundaries);
        for (number, pair) in blocks.array_windows::<2>().enumerate().take(BLOCKS) {
            let start = (from + number) * BLOCK;
            let (here, symbols) = (next, &text.symbols[start..]);
            next = S::boundaries(&pair[1]);
            // An n-gram may start or end with a boundary, but not hold one inside.
            let ahead = |by: u32| here >> by | next << (u64::BITS - by);
            let three = !ahead(1);
            let four = three & !ahead(2);
            tally.grams::<S, 3>(symbols, three);
            tally.grams::<S, 4>(symbols, four);
            tally.grams::<S, 5>(symbols, four & !ahead(3));
            let ours = if text.len - start < BLOCK { here & ((1 << (text.len - start)) - 1) } else { here };
            each_bit(ours, |at| {
                let letters = text.symbols.get(*word..start + at).unwrap_or_default();
                if let (Some(window), false) = (text.symbols[*word..].first_chunk(), letters.is_empty()) {
                    tally.add(S::word(letters, window) ^ 0x5741_4C4C_0000_0000);
                }
                *word = start + at + 1;
            });
        }
        tally.len
    }

    /// Appends the components of a text, and gives what brings them to length 1.
    fn vector<S: Symbol>(&mut self, text: Padded<'_, S>, out: &mut Vec<Component>) -> f64 {
        let blocks = text.len.div_ceil(BLOCK);
        let (mut word, mut squares) = (1, 0);
        if blocks <= BLOCKS {
            let codes = self.count(text, 0, &mut word);
            let mut used = 0;
            for (index, count) in drained(&mut self.counts, &self.codes[..codes]) {
                let known = self.weights.get((count + TABLE as i32) as usize);
                let weight = known.copied().unwrap_or_else(|| Weight::of(i64::from(count)));
                // A component that comes again, or whose signs cancel, has a count of 0 and is overwritten.
                self.components[used % (CODES_EACH * BLOCK * BLOCKS)] =
                    Component { index, weight: weight.weight };
                used += usize::from(count != 0);
                squares += weight.square;
            }
            out.extend_from_slice(&self.components[..used]);
        } else {
            for from in (0..blocks).step_by(BLOCKS) {
                let codes = self.count(text, from, &mut word);
                for (index, count) in drained(&mut self.counts, &self.codes[..codes]) {
                    self.totals[usize::from(index) % DIMENSIONS] += i64::from(count);
                }
            }
            for (index, total) in self.totals.iter_mut().enumerate().filter(|(_, total)| **total != 0) {
                let weight = Weight::of(std::mem::take(total));
                out.push(Component { index: index as u16, weight: weight.weight });
                squares += weight.square;
            }
        }
        if squares == 0 { 0.0 } else { 1.0 / (squares as f64 / UNIT).sqrt() }
    }
}

impl Embedder for HashedNgrams {
    fn name(&self) -> &'static str {
        "hashed-ngrams-v2 (characters 3-5 and words, 4096 components)"
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn embed(&self, text: &str, out: &mut Vec<Component>) -> f64 {
        WORK.with_borrow_mut(|(symbols, counter)| {
            if text.is_ascii() {
                counter.vector(symbols.of_ascii(text), out)
            } else {
                counter.vector(symbols.of_any(text), out)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The values of a text's components.
    fn embed(text: &str) -> BTreeMap<u16, f64> {
        let mut components = Vec::new();
        let scale = HashedNgrams.embed(text, &mut components);
        let values: BTreeMap<u16, f64> =
            components.iter().map(|c| (c.index, scale * f64::from(c.weight))).collect();
        assert_eq!(values.len(), components.len(), "a component comes twice");
        values
    }

    fn cosine(a: &str, b: &str) -> f64 {
        let (a, b) = (embed(a), embed(b));
        a.iter().filter_map(|(ix, value)| Some(value * b.get(ix)?)).sum()
    }

    fn length(v: &BTreeMap<u16, f64>) -> f64 {
        v.values().map(|value| value * value).sum()
    }

    fn indices(text: &str) -> Vec<u16> {
        embed(text).into_keys().collect()
    }

    /// Whether all of a text's components have this weight before they are scaled.
    fn all_weigh(text: &str, weight: f64) -> bool {
        let mut components = Vec::new();
        HashedNgrams.embed(text, &mut components);
        components.iter().all(|c| (f64::from(c.weight.abs()) - weight).abs() < 1e-5)
    }

    #[test]
    fn vectors_have_length_one_and_case_is_folded() {
        for text in ["go", "Moving to (2,4), join me!", "é", "👍"] {
            assert!((length(&embed(text)) - 1.0).abs() < 1e-9, "{text}");
        }
        assert!((cosine("Moving UP", "moving up") - 1.0).abs() < 1e-9);
        assert!(embed(" \n").is_empty());
    }

    #[test]
    fn an_ascii_word_counts_the_same_in_any_text() {
        // All of the shorter text's n-grams are in the longer one, whose other character stands alone: its 3-gram and word.
        let (short, long) = (indices("moving to the nest"), indices("moving to the nest é"));
        assert!(short.iter().all(|ix| long.contains(ix)));
        assert_eq!(long.len(), short.len() + 2);
    }

    #[test]
    fn n_grams_words_and_weights_by_hand() {
        // " go " has the 3-grams " go" and "go ", the 4-gram " go ", and the word: four components of weight 1.
        assert_eq!(indices("go").len(), 4);
        assert!(all_weigh("go", 1.0));
        assert!(embed("go").values().all(|value| (value.abs() - 0.5).abs() < 1e-9));
        assert!(all_weigh("go go", 1.0 + 2f64.ln()));
        // " goes ": four 3-grams, three 4-grams, two 5-grams, the word.
        assert_eq!(indices("goes").len(), 10);
    }

    #[test]
    fn a_text_longer_than_what_is_counted_at_once_counts_like_a_short_one() {
        let times = 3 * BLOCK * BLOCKS / 5;
        assert!(all_weigh(&"wait ".repeat(times), 1.0 + (times as f64).ln()));
        assert_eq!(indices(&"wait ".repeat(times)), indices("wait"));
        // One word all the way: of each length the n-grams at either end and those between, and the word.
        let word = "x".repeat(3 * BLOCK * BLOCKS);
        assert_eq!(indices(&word).len(), 3 * 3 + 1);
        assert_eq!(indices(&format!("{word} é").replace(" é", "")), indices(&word));
        assert_eq!(indices("go").len(), 4); // nothing is left behind
    }

    #[test]
    fn words_that_straddle_blocks_count_like_others() {
        // A word at every place relative to the blocks' borders, after ones that it shares nothing with.
        let alone = indices("straddling");
        for before in 0..2 * BLOCK {
            let all = indices(&format!("{} straddling", "9".repeat(before)));
            // One may be cancelled by an n-gram of the nines that shares its component.
            let missing = alone.iter().filter(|ix| !all.contains(ix)).count();
            assert!(missing <= 1, "{before}");
        }
    }

    #[test]
    fn alike_messages_are_closer_than_others() {
        let near = cosine("moving up to the nest with food", "moving down to the nest with food");
        let far = cosine("moving up to the nest with food", "lights on now please, everybody");
        assert!(near > 0.6, "{near}");
        assert!(far.abs() < 0.15, "{far}");
    }

    #[test]
    fn no_component_comes_twice_and_the_length_is_kept_where_signs_cancel() {
        // Long text makes collisions and cancellations certain.
        let words: Vec<String> = (0..3000).map(|i| format!("w{i}")).collect();
        let v = embed(&words.join(" "));
        assert!(v.values().all(|value| value.abs() > 0.0));
        assert!((length(&v) - 1.0).abs() < 1e-9);
    }
}
