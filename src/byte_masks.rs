//! Finds bytes in blocks of 64, one bit each: what JSON's nesting and the words of a message are looked for with.

/// Bytes looked at together; bit i of a mask stands for byte i.
pub(crate) const BLOCK: usize = 64;

/// What is looked for: a byte, after these bits were set in each byte of the block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) byte: u8,
    pub(crate) set: u8,
}

impl Wanted {
    /// This byte and no other.
    pub(crate) const fn exactly(byte: u8) -> Self {
        Self { byte, set: 0 }
    }
}

/// Where a block has each of the bytes wanted.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn masks<const N: usize>(block: &[u8; BLOCK], wanted: [Wanted; N]) -> [u64; N] {
    #[expect(
        unsafe_code,
        reason = "every x86-64 processor has SSE2, whose comparison of 16 bytes is what is needed"
    )]
    // SAFETY: the function is safe code that needs only SSE2, which is part of x86-64.
    unsafe {
        by_sse2(block, wanted)
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn by_sse2<const N: usize>(block: &[u8; BLOCK], wanted: [Wanted; N]) -> [u64; N] {
    use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8};
    let mut masks = [0; N];
    let (lanes, _) = block.as_chunks::<16>();
    for (lane, at) in lanes.iter().zip((0..).step_by(16)) {
        let whole = u128::from_le_bytes(*lane);
        let bytes = _mm_set_epi64x((whole >> 64) as i64, whole as i64);
        for (mask, Wanted { byte, set }) in masks.iter_mut().zip(wanted) {
            let bytes = _mm_or_si128(bytes, _mm_set1_epi8(set as i8));
            let equal = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8)));
            *mask |= u64::from(equal as u32) << at;
        }
    }
    masks
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn masks<const N: usize>(block: &[u8; BLOCK], wanted: [Wanted; N]) -> [u64; N] {
    portably(block, wanted)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn portably<const N: usize>(block: &[u8; BLOCK], wanted: [Wanted; N]) -> [u64; N] {
    wanted.map(|Wanted { byte, set }| {
        block.iter().rev().fold(0, |mask, &b| mask << 1 | u64::from(b | set == byte))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::rng::Stream;

    const WANTED: [Wanted; 3] =
        [Wanted::exactly(b'"'), Wanted { byte: b'{', set: 0x20 }, Wanted { byte: 0xFF, set: 0x80 }];

    #[test]
    fn every_byte_is_told_apart() {
        for byte in 0..=255u8 {
            let all = |there: bool| if there { u64::MAX } else { 0 };
            let want = [all(byte == b'"'), all(matches!(byte, b'[' | b'{')), all(byte & 0x7F == 0x7F)];
            assert_eq!(masks(&[byte; BLOCK], WANTED), want, "{byte}");
            assert_eq!(portably(&[byte; BLOCK], WANTED), want, "{byte}");
        }
    }

    #[test]
    fn bits_stand_where_the_bytes_do() {
        let mut stream = Stream::new(3, "byte masks");
        for _ in 0..500 {
            let block: [u8; BLOCK] = std::array::from_fn(|_| b"\"[{\x7f\xff;"[stream.index(6)]);
            let [quotes, ..] = masks(&block, WANTED);
            assert!((0..BLOCK).all(|at| (quotes >> at & 1 == 1) == (block[at] == b'"')), "{block:?}");
            assert_eq!(masks(&block, WANTED), portably(&block, WANTED));
        }
    }
}
