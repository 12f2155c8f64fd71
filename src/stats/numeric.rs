//! Sums, scaling and the test for "does not vary" on which every statistic here rests.

use super::undefined::Undefined;

/// Relative spread up to which values count as one constant; SciPy's documentation of `pearsonr` names the same
/// limit (there of the norm of the deviations over the mean) for nearly constant input.
pub const CONSTANT_TOLERANCE: f64 = 1e-13;

/// Whether the values do not vary beyond the noise of floating-point arithmetic:
/// `max − min ≤ 10⁻¹³ · max|x|`.
///
/// So `[0.3, 0.1 + 0.2]` is constant, as is a mean of equal scores added up in different orders. The price:
/// real differences in the last three of the sixteen digits that a 64-bit float holds count as noise. Empty
/// input is constant.
pub fn is_constant(x: &[f64]) -> bool {
    // Scaled, so that neither a spread beyond the largest float nor one of the smallest is lost.
    let scale = scale_of(x);
    let low = x.iter().copied().fold(f64::INFINITY, f64::min) * scale;
    let high = x.iter().copied().fold(f64::NEG_INFINITY, f64::max) * scale;
    x.is_empty() || high - low <= CONSTANT_TOLERANCE * low.abs().max(high.abs())
}

/// Errs unless there are at least `needed` values and all are finite.
pub(super) fn check(x: &[f64], needed: usize) -> Result<(), Undefined> {
    if x.is_empty() && needed > 0 {
        Err(if needed == 1 { Undefined::Empty } else { Undefined::TooFew { n: 0, needed } })
    } else if x.len() < needed {
        Err(Undefined::TooFew { n: x.len(), needed })
    } else if x.iter().any(|v| !v.is_finite()) {
        Err(Undefined::NonFinite)
    } else {
        Ok(())
    }
}

/// Errs unless both inputs are equally long, long enough and finite.
pub(super) fn check_pairs(x: &[f64], y: &[f64], needed: usize) -> Result<(), Undefined> {
    if x.len() != y.len() {
        return Err(Undefined::UnequalLengths { left: x.len(), right: y.len() });
    }
    check(x, needed)?;
    check(y, needed)
}

/// The number, or `Overflow` where the arithmetic left the finite numbers.
pub(super) fn finite(value: f64) -> Result<f64, Undefined> {
    if value.is_finite() { Ok(value) } else { Err(Undefined::Overflow) }
}

/// A compensated sum: its error does not grow with the number of terms (Neumaier 1974, ZAMM 54:39–51).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    total: f64,
    lost: f64,
}

impl Sum {
    /// Adds a term.
    pub(super) fn add(&mut self, term: f64) {
        let total = self.total + term;
        self.lost += if self.total.abs() >= term.abs() {
            (self.total - total) + term
        } else {
            (term - total) + self.total
        };
        self.total = total;
    }

    /// The sum so far.
    pub(super) fn value(self) -> f64 {
        self.total + self.lost
    }
}

impl FromIterator<f64> for Sum {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> Self {
        let mut sum = Self::default();
        for term in terms {
            sum.add(term);
        }
        sum
    }
}

/// The power of two that brings the largest |value| near 1, so that sums of squares neither overflow nor
/// vanish; multiplying by it is exact (except for terms too small to matter beside the largest).
pub(super) fn scale_of(x: &[f64]) -> f64 {
    let largest = x.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return 1.0;
    }
    let exponent = ((largest.to_bits() >> 52) as i64 - 1023).clamp(-1022, 1022);
    f64::from_bits(((1023 - exponent) as u64) << 52)
}

/// Values centred on their mean, in units of `1/scale`.
pub(super) struct Centred {
    /// `(x − mean) · scale`.
    pub(super) deviations: Vec<f64>,
    /// The power of two that the values were multiplied by.
    pub(super) scale: f64,
    /// The mean, in the values' own unit.
    pub(super) mean: f64,
}

/// Centres checked, non-empty values.
pub(super) fn centre(x: &[f64]) -> Centred {
    let scale = scale_of(x);
    let scaled = scaled_mean(x, scale);
    Centred { deviations: x.iter().map(|v| v * scale - scaled).collect(), scale, mean: scaled / scale }
}

/// Mean of `x · scale`, never outside the values' range (rounding can't move the mean of equal values).
pub(super) fn scaled_mean(x: &[f64], scale: f64) -> f64 {
    let mut sum = Sum::default();
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for v in x.iter().map(|v| v * scale) {
        sum.add(v);
        low = low.min(v);
        high = high.max(v);
    }
    (sum.value() / x.len() as f64).max(low).min(high)
}

/// `Σ dx·dy − Σdx·Σdy/n`: the corrected two-pass sum of products (Chan, Golub and LeVeque 1983, The American
/// Statistician 37:242–247), whose second term takes out the rounding of the means.
pub(super) fn co_deviation(dx: &[f64], dy: &[f64]) -> f64 {
    let products: Sum = dx.iter().zip(dy).map(|(a, b)| a * b).collect();
    let (sum_x, sum_y): (Sum, Sum) = (dx.iter().copied().collect(), dy.iter().copied().collect());
    products.value() - sum_x.value() * sum_y.value() / dx.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "the sums are exact")]
    fn the_sum_keeps_what_plain_addition_loses() {
        // Neumaier's own example: plain and Kahan summation give 0.
        assert_eq!([1.0, 1e100, 1.0, -1e100].into_iter().collect::<Sum>().value(), 2.0);
    }

    #[test]
    fn float_noise_is_constant_and_a_real_difference_is_not() {
        assert!(is_constant(&[0.667; 6]));
        assert!(is_constant(&[0.3, 0.1 + 0.2, 0.3]));
        assert!(is_constant(&[0.0, 0.0]));
        assert!(is_constant(&[-1e300, -1e300]));
        assert!(!is_constant(&[1.0, 1.0 + 1e-12]));
        assert!(!is_constant(&[0.0, 5e-324]));
        assert!(!is_constant(&[-f64::MAX, f64::MAX]));
        assert!(!is_constant(&[1e9, 1e9 + 0.001]));
    }

    #[test]
    fn scaling_brings_any_magnitude_near_one() {
        for largest in [5e-324, 1e-310, 1e-9, 1.0, 3.5, 1e200, f64::MAX] {
            let scaled = largest * scale_of(&[0.0, -largest]);
            assert!(scaled > 0.0 && scaled <= 4.0, "{largest} → {scaled}");
        }
    }
}
