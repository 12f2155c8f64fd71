//! Finds quotes, backslashes and brackets 64 bytes at a time. The idea: Langdale & Lemire 2019, "Parsing gigabytes of JSON
//! per second", VLDB Journal 28.

/// Bytes looked at together, one bit of a mask each.
pub(super) const BLOCK: usize = 64;

/// Where a block has the bytes that matter to nesting; bit i stands for byte i.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Masks {
    quotes: u64,
    backslashes: u64,
    /// `[` and `{`.
    opens: u64,
    /// `]` and `}`.
    closes: u64,
}

/// Sets this bit of an ASCII character, by which `[` becomes `{` and `]` becomes `}`.
const CASE: u8 = 0x20;

impl Masks {
    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn of(block: &[u8; BLOCK]) -> Self {
        #[expect(
            unsafe_code,
            reason = "every x86-64 processor has SSE2, whose comparison of 16 bytes is what is needed"
        )]
        // SAFETY: the function is safe code that needs only SSE2, which is part of x86-64.
        unsafe {
            Self::by_sse2(block)
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "sse2")]
    fn by_sse2(block: &[u8; BLOCK]) -> Self {
        use std::arch::x86_64::{
            __m128i, _mm_cmpeq_epi8, _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8,
        };
        let mut masks = Self::default();
        let (lanes, _) = block.as_chunks::<16>();
        for (lane, at) in lanes.iter().zip((0..).step_by(16)) {
            let whole = u128::from_le_bytes(*lane);
            let bytes = _mm_set_epi64x((whole >> 64) as i64, whole as i64);
            let folded = _mm_or_si128(bytes, _mm_set1_epi8(CASE as i8));
            let equal = |these: __m128i, to: u8| {
                u64::from(_mm_movemask_epi8(_mm_cmpeq_epi8(these, _mm_set1_epi8(to as i8))) as u32) << at
            };
            masks.quotes |= equal(bytes, b'"');
            masks.backslashes |= equal(bytes, b'\\');
            masks.opens |= equal(folded, b'{');
            masks.closes |= equal(folded, b'}');
        }
        masks
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn of(block: &[u8; BLOCK]) -> Self {
        Self::portably(block)
    }

    #[cfg(any(test, not(target_arch = "x86_64")))]
    fn portably(block: &[u8; BLOCK]) -> Self {
        let mut masks = Self::default();
        for (at, &byte) in block.iter().enumerate() {
            masks.quotes |= u64::from(byte == b'"') << at;
            masks.backslashes |= u64::from(byte == b'\\') << at;
            masks.opens |= u64::from(byte | CASE == b'{') << at;
            masks.closes |= u64::from(byte | CASE == b'}') << at;
        }
        masks
    }
}

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
        let masks = Masks::of(block);
        let quotes = masks.quotes & !self.escaped(masks.backslashes);
        let inside = running_xor(quotes) ^ self.inside;
        self.inside = ((inside as i64) >> 63) as u64;
        Brackets { opens: masks.opens & !inside, closes: masks.closes & !inside }
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
            for block in blocks {
                assert_eq!(Masks::of(block), Masks::portably(block));
            }
        }
    }

    #[test]
    fn every_byte_is_told_apart() {
        for byte in 0..=255u8 {
            let block = [byte; BLOCK];
            assert_eq!(Masks::of(&block), Masks::portably(&block), "{byte}");
            let want = if matches!(byte, b'[' | b'{') { u64::MAX } else { 0 };
            assert_eq!(Masks::of(&block).opens, want, "{byte}");
        }
    }
}
