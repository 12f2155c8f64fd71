//! Finds quotes, backslashes and brackets 64 bytes at a time. The idea: Langdale & Lemire 2019, "Parsing gigabytes of JSON
//! per second", VLDB Journal 28.

pub(super) use crate::byte_masks::BLOCK;

use crate::byte_masks::{Wanted, masks};

/// Sets this bit of an ASCII character, by which `[` becomes `{` and `]` becomes `}`.
const CASE: u8 = 0x20;

/// Brackets of a block that are not in a string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Brackets {
    pub(super) opens: u64,
    pub(super) closes: u64,
}

/// What goes from block to block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Strings {
    /// All bits set where the block before ended inside a string.
    inside: u64,
    /// 1 where the block before ended with a backslash that escapes what follows.
    escaping: u64,
}

impl Strings {
    /// The brackets of the next block.
    #[inline]
    pub(super) fn brackets(&mut self, block: &[u8; BLOCK]) -> Brackets {
        let [quotes, backslashes, opens, closes] = masks(
            block,
            [
                Wanted::exactly(b'"'),
                Wanted::exactly(b'\\'),
                Wanted { byte: b'{', set: CASE },
                Wanted { byte: b'}', set: CASE },
            ],
        );
        let quotes = quotes & !self.escaped(backslashes);
        let inside = running_xor(quotes) ^ self.inside;
        self.inside = ((inside as i64) >> 63) as u64;
        Brackets { opens: opens & !inside, closes: closes & !inside }
    }

    /// The bytes that a backslash before them escapes.
    #[inline]
    fn escaped(&mut self, backslashes: u64) -> u64 {
        if backslashes == 0 {
            return std::mem::take(&mut self.escaping);
        }
        let (mut escaped, mut left) = (self.escaping, backslashes & !self.escaping);
        self.escaping = 0;
        // One turn for each backslash that escapes; logs have few outside prompts.
        while left != 0 {
            let at = left.trailing_zeros();
            let next = (1u64 << at) << 1;
            if next == 0 {
                self.escaping = 1;
            }
            escaped |= next;
            left &= left - 1;
            left &= !next;
        }
        escaped
    }
}

/// Bit i of the result is the exclusive or of bits 0 to i.
#[inline]
fn running_xor(mut bits: u64) -> u64 {
    for by in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << by;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::rng::Stream;

    /// The brackets outside strings, byte by byte.
    fn plainly(text: &[u8]) -> Vec<Brackets> {
        let (mut inside, mut escaping) = (false, false);
        let mut all = vec![Brackets::default(); text.len() / BLOCK];
        for (at, &byte) in text.iter().enumerate() {
            let escaped = std::mem::take(&mut escaping);
            let bit = 1u64 << (at % BLOCK);
            match byte {
                b'\\' if !escaped => escaping = true,
                b'"' if !escaped => inside = !inside,
                b'[' | b'{' if !inside => all[at / BLOCK].opens |= bit,
                b']' | b'}' if !inside => all[at / BLOCK].closes |= bit,
                _ => {}
            }
        }
        all
    }

    #[test]
    fn blocks_agree_with_a_walk_byte_by_byte() {
        let mut stream = Stream::new(3, "blocks");
        for _ in 0..500 {
            let text: Vec<u8> = (0..4 * BLOCK).map(|_| br#"[]{}""\\a,;=Z "#[stream.index(14)]).collect();
            let (blocks, _) = text.as_chunks::<BLOCK>();
            let mut strings = Strings::default();
            let got: Vec<Brackets> = blocks.iter().map(|block| strings.brackets(block)).collect();
            assert_eq!(got, plainly(&text), "{}", String::from_utf8_lossy(&text));
        }
    }
}
