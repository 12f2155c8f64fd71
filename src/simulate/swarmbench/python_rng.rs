//! The random numbers of Python's `random.Random`, on which the released layouts depend.
//!
//! MT19937 (Matsumoto and Nishimura 1998) seeded by `init_by_array` with the absolute value of the seed in 32-bit
//! digits, least first; integers below a bound by rejection of the top bits, as CPython's `_randbelow` does.

use rand_mt::Mt;

/// A generator that agrees with `random.Random(seed)` of CPython 3.
#[derive(Clone, Debug)]
pub(super) struct PythonRandom(Mt);

impl PythonRandom {
    /// As `random.Random(seed)`: the sign of the seed does not matter.
    pub(super) fn new(seed: i64) -> Self {
        let magnitude = seed.unsigned_abs();
        let (low, high) = (magnitude as u32, (magnitude >> 32) as u32);
        let digits = if high == 0 { 1 } else { 2 };
        Self(Mt::new_with_key([low, high].into_iter().take(digits)))
    }

    /// Uniform in `0..n`, as `_randbelow(n)`; 0 for `n` = 0. It draws at least once for `n` = 1, as CPython does.
    pub(super) fn below(&mut self, n: u32) -> u32 {
        if n == 0 {
            return 0;
        }
        let spare = n.leading_zeros(); // bits beyond n.bit_length()
        loop {
            let draw = self.0.next_u32() >> spare;
            if draw < n {
                return draw;
            }
        }
    }

    /// Uniform in `low..=high`, as `randint(low, high)`; `low` if the range is empty.
    pub(super) fn between(&mut self, low: i32, high: i32) -> i32 {
        let span = (i64::from(high) - i64::from(low) + 1).clamp(0, i64::from(u32::MAX)) as u32;
        low.wrapping_add_unsigned(self.below(span))
    }

    /// One of two values, as `choice([first, second])`.
    pub(super) fn either(&mut self, first: i32, second: i32) -> i32 {
        if self.below(2) == 0 { first } else { second }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Expected values: CPython 3.11.7, `r = random.Random(seed)`.

    #[test]
    fn raw_words_agree_with_cpython() {
        let words = |seed| {
            let mut random = PythonRandom::new(seed);
            [random.0.next_u32(), random.0.next_u32(), random.0.next_u32()]
        };
        assert_eq!(words(0), [3_626_764_237, 1_654_615_998, 3_255_389_356]);
        assert_eq!(words(42), [2_746_317_213, 478_163_327, 107_420_369]);
        assert_eq!(words(-7), [1_390_851_128, 4_071_050_724, 647_892_279]);
        assert_eq!(words((1 << 40) + 5)[0], 2_166_296_868);
    }

    #[test]
    fn integers_and_choices_agree_with_cpython() {
        let mut random = PythonRandom::new(42);
        for _ in 0..3 {
            random.0.next_u32();
        }
        let dice: Vec<i32> = (0..12).map(|_| random.between(1, 8)).collect();
        assert_eq!(dice, [5, 4, 4, 3, 2, 2, 7, 1, 1, 2, 4, 4]);
        let letters: String = (0..6).map(|_| char::from(b'a' + random.below(8) as u8)).collect();
        assert_eq!(letters, "adgdhe");
        assert_eq!((random.below(1), random.below(1000)), (0, 777));
    }
}
