//! A text as symbols: words in lower case with a boundary at both ends of each, one between neighbours.

pub(super) use crate::byte_masks::BLOCK;

use crate::byte_masks::{Wanted, masks};

/// Symbols that are read together: the longest n-gram has five, and eight bytes are read at once.
pub(super) const WINDOW: usize = 8;

/// Stands before and after each word, so that `in` at a word's start differs from `in` inside one.
const BOUNDARY: u8 = b' ';

/// A kind of symbol. Keys are the same for the same characters in both kinds.
pub(super) trait Symbol: Copy + PartialEq {
    /// The boundary.
    const BOUNDARY: Self;

    /// Key of the `N`-gram that starts with a window, `N` from 3 to 5.
    fn gram<const N: usize>(window: &[Self; WINDOW]) -> u64;

    /// Key of a word, which may share a prefix with other symbols after it; `window` starts with it.
    fn word(word: &[Self], window: &[Self; WINDOW]) -> u64;

    /// Where a block has boundaries, one bit each.
    fn boundaries(block: &[Self; BLOCK]) -> u64 {
        block.iter().rev().fold(0, |bits, &symbol| bits << 1 | u64::from(symbol == Self::BOUNDARY))
    }
}

impl Symbol for u8 {
    const BOUNDARY: Self = BOUNDARY;

    #[inline]
    fn gram<const N: usize>(window: &[Self; WINDOW]) -> u64 {
        u64::from_le_bytes(*window) & ((1 << (8 * N)) - 1)
    }

    #[inline]
    fn word(word: &[Self], window: &[Self; WINDOW]) -> u64 {
        if word.len() < WINDOW {
            return u64::from_le_bytes(*window) & ((1 << (8 * word.len())) - 1);
        }
        word.iter().fold(0, |key, &symbol| chain(key, u32::from(symbol)))
    }

    #[inline]
    fn boundaries(block: &[Self; BLOCK]) -> u64 {
        let [boundaries] = masks(block, [Wanted::exactly(BOUNDARY)]);
        boundaries
    }
}

impl Symbol for u32 {
    const BOUNDARY: Self = BOUNDARY as u32;

    fn gram<const N: usize>(window: &[Self; WINDOW]) -> u64 {
        packed(&window[..N]).unwrap_or_else(|| window[..N].iter().fold(1 << 40, |key, &c| chain(key, c)))
    }

    fn word(word: &[Self], _: &[Self; WINDOW]) -> u64 {
        let short = if word.len() < WINDOW { packed(word) } else { None };
        short.unwrap_or_else(|| word.iter().fold(0, |key, &c| chain(key, c)))
    }
}

/// Up to eight symbols as bytes, where they are ASCII.
fn packed(symbols: &[u32]) -> Option<u64> {
    let ascii = symbols.iter().all(|&symbol| symbol < 128);
    ascii.then(|| symbols.iter().rev().fold(0, |key, &symbol| key << 8 | u64::from(symbol)))
}

/// One step of a hash over any number of symbols.
fn chain(key: u64, symbol: u32) -> u64 {
    (key ^ u64::from(symbol)).wrapping_mul(0xD6E8_FEB8_6659_FD93).rotate_left(29)
}

#[derive(PartialEq, Clone, Copy)]
enum Class {
    Space,
    Word,
    Mark,
}

const fn ascii_class(c: u8) -> Class {
    match c {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => Class::Word,
        b'!'..=b'~' => Class::Mark,
        _ => Class::Space,
    }
}

/// Class and lower case of each byte of ASCII.
const ASCII: [(Class, u8); 256] = {
    let mut table = [(Class::Space, BOUNDARY); 256];
    let mut c = 0;
    while c < 128 {
        table[c] = (ascii_class(c as u8), (c as u8).to_ascii_lowercase());
        c += 1;
    }
    table
};

fn class(c: char) -> Class {
    match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => ascii_class(byte),
        _ if c.is_alphanumeric() => Class::Word,
        _ if c.is_whitespace() || c.is_control() => Class::Space,
        _ => Class::Mark,
    }
}

/// Symbols with boundaries behind them up to the end of the block after theirs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Padded<'a, S> {
    /// Whole blocks.
    pub(super) symbols: &'a [S],
    /// How many of them are the text's.
    pub(super) len: usize,
}

/// Room for the symbols of a text.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    narrow: Vec<u8>,
    wide: Vec<u32>,
}

impl Symbols {
    /// The symbols of an ASCII text, the last one a boundary.
    pub(super) fn of_ascii(&mut self, text: &str) -> Padded<'_, u8> {
        let symbols = &mut self.narrow;
        // Not cleared: everything up to the end is written.
        let most = (2 * text.len() + 1).next_multiple_of(BLOCK) + 2 * BLOCK;
        if symbols.len() < most {
            symbols.resize(most, BOUNDARY);
        }
        symbols[0] = BOUNDARY;
        let (mut n, mut before) = (1, Class::Space);
        for &byte in text.as_bytes() {
            let (now, folded) = ASCII[usize::from(byte)];
            // The boundary is written in any case and kept only where a word ends.
            let ends = usize::from(now != before && before != Class::Space);
            let Some(slots) = symbols.get_mut(n..n + 2) else { break };
            slots[0] = BOUNDARY;
            slots[ends] = folded;
            n += ends + usize::from(now != Class::Space);
            before = now;
        }
        n += usize::from(before != Class::Space);
        let end = n.next_multiple_of(BLOCK) + BLOCK;
        symbols[n - 1..end].fill(BOUNDARY);
        Padded { symbols: &symbols[..end], len: n }
    }

    /// The same for any text.
    pub(super) fn of_any(&mut self, text: &str) -> Padded<'_, u32> {
        let symbols = &mut self.wide;
        symbols.clear();
        symbols.push(u32::BOUNDARY);
        let mut before = Class::Space;
        for c in text.chars() {
            let now = class(c);
            if now != before && before != Class::Space {
                symbols.push(u32::BOUNDARY);
            }
            if now != Class::Space {
                symbols.extend(c.to_lowercase().map(u32::from));
            }
            before = now;
        }
        if before != Class::Space {
            symbols.push(u32::BOUNDARY);
        }
        let len = symbols.len();
        symbols.resize(len.next_multiple_of(BLOCK) + BLOCK, u32::BOUNDARY);
        Padded { symbols, len }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_boundaries_at_both_ends_and_both_kinds_agree() {
        let mut symbols = Symbols::default();
        let long = "x".repeat(200);
        for (text, want) in [
            ("", " "),
            (" \n", " "),
            ("Go", " go "),
            ("  Go, NOW!? x1", " go , now !? x1 "),
            ("a\tb\u{7f}c ", " a b c "),
            (&long, &format!(" {long} ")),
        ] {
            let len = want.len();
            let mut want = want.as_bytes().to_vec();
            want.resize(len.next_multiple_of(BLOCK) + BLOCK, BOUNDARY);
            let narrow = symbols.of_ascii(text);
            assert_eq!((narrow.symbols, narrow.len), (&want[..], len), "{text:?}");
            let want: Vec<u32> = want.iter().map(|&b| u32::from(b)).collect();
            let wide = symbols.of_any(text);
            assert_eq!((wide.symbols, wide.len), (&want[..], len), "{text:?}");
        }
        let want: Vec<u32> = " é 👍 ".chars().map(u32::from).collect();
        assert_eq!(symbols.of_any("É👍").symbols[..5], want);
    }

    #[test]
    fn keys_are_the_same_for_both_kinds_of_symbol() {
        let narrow = *b" moving ";
        let wide = narrow.map(u32::from);
        assert_eq!(u8::gram::<3>(&narrow), u32::gram::<3>(&wide));
        assert_eq!(u8::gram::<5>(&narrow), u32::gram::<5>(&wide));
        assert_eq!(u8::gram::<3>(&narrow), u64::from(b' ') | u64::from(b'm') << 8 | u64::from(b'o') << 16);
        for len in [1, 7, 8, 30] {
            let (narrow, wide) = (vec![b'w'; 32], vec![u32::from(b'w'); 32]);
            let windows = (narrow.first_chunk().unwrap(), wide.first_chunk().unwrap());
            assert_eq!(u8::word(&narrow[..len], windows.0), u32::word(&wide[..len], windows.1), "{len}");
        }
    }

    #[test]
    fn boundaries_are_found_in_both_kinds() {
        let narrow: [u8; BLOCK] = std::array::from_fn(|i| if i % 7 == 3 { BOUNDARY } else { b'a' + i as u8 });
        let want = (0..BLOCK).filter(|i| i % 7 == 3).fold(0, |bits, i| bits | 1 << i);
        assert_eq!(u8::boundaries(&narrow), want);
        assert_eq!(u32::boundaries(&narrow.map(u32::from)), want);
    }
}
