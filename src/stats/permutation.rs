//! Permutation tests of any difference between two conditions, paired or not.

use super::rng::Stream;
use super::undefined::Undefined;

/// Random relabellings that a test draws where it can't try all.
#[derive(Clone, Copy, Debug)]
pub struct Permutation<'a> {
    /// Relabellings to draw; where a paired test has no more than this, all are tried.
    pub draws: usize,
    /// The run's seed.
    pub seed: u64,
    /// The task's identity, unlike that of any other task.
    pub identity: &'a str,
}

impl Permutation<'_> {
    /// Two-sided p-value, in (0, 1], of a difference between two conditions that were applied to the same `n` units.
    ///
    /// Under the hypothesis that the conditions do the same, the two labels of a unit may be exchanged. `difference` gets one flag per unit (whether
    /// its labels are exchanged); `p` is the share of relabellings whose difference is at least as far from 0 as the observed one.
    /// All 2ⁿ are tried where that is no more than `draws`; else `p = (1 + as far) / (1 + drawn)`, so that it is never 0.
    /// A relabelling without a value counts as far. Reference: Fisher 1935, The Design of Experiments, sec. 21; Phipson and Smyth 2010, Stat. Appl.
    /// Genet. Mol. Biol. 9:39.
    ///
    /// # Errors
    ///
    /// Undefined: `n` < 2; the difference of the data itself undefined.
    pub fn paired(
        &self,
        n: usize,
        difference: impl Fn(&[bool]) -> Result<f64, Undefined>,
    ) -> Result<f64, Undefined> {
        if n < 2 {
            return Err(Undefined::TooFew { n, needed: 2 });
        }
        let mut exchanged = vec![false; n];
        let observed = difference(&exchanged)?.abs();
        let as_far = |flags: &[bool]| difference(flags).map_or(true, |value| reaches(value, observed));
        let all = u32::try_from(n)
            .ok()
            .and_then(|n| 1_usize.checked_shl(n))
            .filter(|&all| n < 63 && all <= self.draws);
        if let Some(all) = all {
            let far = (0..all).filter(|code| {
                exchanged.iter_mut().enumerate().for_each(|(bit, flag)| *flag = code >> bit & 1 == 1);
                as_far(&exchanged)
            });
            return Ok(far.count() as f64 / all as f64);
        }
        let mut stream = Stream::new(self.seed, self.identity);
        let mut far = 0_usize;
        for _ in 0..self.draws {
            exchanged.fill_with(|| stream.next_u64() >> 63 == 1);
            far += usize::from(as_far(&exchanged));
        }
        Ok((1 + far) as f64 / (1 + self.draws) as f64)
    }

    /// Two-sided p-value, in (0, 1], of a difference between two independent samples of `left` and `right` units.
    ///
    /// `difference` gets the unit numbers (0 … left − 1 are the first sample) in a random order, of which the first `left` take the place of the
    /// first sample. `p = (1 + as far) / (1 + drawn)`. References as [`paired`](Self::paired).
    ///
    /// # Errors
    ///
    /// Undefined: a sample of fewer than 2; the difference of the data itself undefined.
    pub fn independent(
        &self,
        left: usize,
        right: usize,
        difference: impl Fn(&[usize]) -> Result<f64, Undefined>,
    ) -> Result<f64, Undefined> {
        let fewest = left.min(right);
        if fewest < 2 {
            return Err(Undefined::TooFew { n: fewest, needed: 2 });
        }
        let mut units: Vec<usize> = (0..left + right).collect();
        let observed = difference(&units)?.abs();
        let mut stream = Stream::new(self.seed, self.identity);
        let mut far = 0_usize;
        for _ in 0..self.draws {
            stream.shuffle(&mut units);
            far += usize::from(difference(&units).map_or(true, |value| reaches(value, observed)));
        }
        Ok((1 + far) as f64 / (1 + self.draws) as f64)
    }
}

/// Whether a relabelled difference is as far from 0 as the observed one; equal up to rounding counts.
fn reaches(value: f64, observed: f64) -> bool {
    value.abs() >= observed - 1e-12 * observed.max(1e-300)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean_difference(differences: &[f64]) -> impl Fn(&[bool]) -> Result<f64, Undefined> + '_ {
        |exchanged| {
            let signed = differences.iter().zip(exchanged).map(|(d, &flip)| if flip { -d } else { *d });
            Ok(signed.sum::<f64>() / differences.len() as f64)
        }
    }

    /// Fisher's reading of Darwin's maize heights (1935, sec. 21): of the 2¹⁵ = 32 768 sign patterns, 1 726 (5.267 %) give a difference as large as
    /// the observed 314 eighths of an inch.
    #[test]
    fn darwins_maize() {
        let eighths =
            [49.0, -67.0, 8.0, 16.0, 6.0, 23.0, 28.0, 41.0, 14.0, 29.0, 56.0, 24.0, 75.0, 60.0, -48.0];
        let test = Permutation { draws: 32_768, seed: 1, identity: "maize" };
        let p = test.paired(15, mean_difference(&eighths)).unwrap();
        assert!((p - 1726.0 / 32_768.0).abs() < 1e-12, "{p}");
        let drawn = Permutation { draws: 20_000, ..test }.paired(15, mean_difference(&eighths)).unwrap();
        assert!((drawn - p).abs() < 0.006, "{drawn}"); // 3.8 SDs of a share of 20 000
    }

    #[test]
    fn small_and_equal_samples() {
        let test = Permutation { draws: 100, seed: 1, identity: "x" };
        assert_eq!(test.paired(1, |_| Ok(1.0)), Err(Undefined::TooFew { n: 1, needed: 2 }));
        assert_eq!(test.paired(3, |_| Ok(0.0)), Ok(1.0));
        assert_eq!(test.paired(3, mean_difference(&[1.0, 1.0, 1.0])), Ok(0.25)); // ±3 of the eight sums
        assert_eq!(test.independent(2, 2, |_| Ok(0.0)), Ok(1.0));
        assert!(test.independent(1, 5, |_| Ok(0.0)).is_err());
    }
}
