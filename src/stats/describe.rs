//! One sample: location, spread and order statistics.

use serde::{Deserialize, Serialize};

use super::numeric::{centre, check, co_deviation, finite, scale_of, scaled_mean};
use super::undefined::{Quantity, Stat, Undefined};

/// Arithmetic mean `Σx/n`, in the unit of x, within [min, max].
///
/// Compensated summation (Neumaier 1974) on scaled values: exact to the last digits however many values there
/// are, and finite for values near the largest float.
///
/// # Errors
///
/// Undefined: no values; a value that is not finite.
pub fn mean(x: &[f64]) -> Result<f64, Undefined> {
    check(x, 1)?;
    let scale = scale_of(x);
    finite(scaled_mean(x, scale) / scale)
}

/// Sample standard deviation `√(Σ(x − mean)²/(n−1))`, in the unit of x, ≥ 0; exactly 0 for equal values.
///
/// Corrected two-pass algorithm (Chan, Golub and LeVeque 1983).
///
/// # Errors
///
/// Undefined: n < 2; a value that is not finite; a result beyond the largest float.
pub fn sd(x: &[f64]) -> Result<f64, Undefined> {
    check(x, 2)?;
    deviation(x, x.len() - 1)
}

/// Population standard deviation `√(Σ(x − mean)²/n)`, in the unit of x, ≥ 0; 0 for a single value.
///
/// # Errors
///
/// Undefined: no values; a value that is not finite; a result beyond the largest float.
pub fn population_sd(x: &[f64]) -> Result<f64, Undefined> {
    check(x, 1)?;
    deviation(x, x.len())
}

fn deviation(x: &[f64], divisor: usize) -> Result<f64, Undefined> {
    let centred = centre(x);
    let squares = co_deviation(&centred.deviations, &centred.deviations).max(0.0);
    finite((squares / divisor as f64).sqrt() / centred.scale)
}

/// Median: the middle value, or the mean of the two middle ones; in the unit of x.
///
/// # Errors
///
/// Undefined: no values; a value that is not finite.
pub fn median(x: &[f64]) -> Result<f64, Undefined> {
    quantile(x, 0.5)
}

/// Quantile by linear interpolation between order statistics at `h = (n−1)·share`, counted from 0: type 7 of
/// Hyndman and Fan 1996 (The American Statistician 50:361–365), the default of R and NumPy. In the unit of x.
///
/// # Errors
///
/// Undefined: no values; a value that is not finite; a share outside [0, 1].
pub fn quantile(x: &[f64], share: f64) -> Result<f64, Undefined> {
    check(x, 1)?;
    quantile_of_sorted(&sorted(x), share)
}

/// [`quantile`] of values that are finite and in ascending order already.
pub(super) fn quantile_of_sorted(x: &[f64], share: f64) -> Result<f64, Undefined> {
    if !(0.0..=1.0).contains(&share) {
        return Err(Undefined::OutOfRange { what: Quantity::Probability });
    }
    let place = (x.len().saturating_sub(1)) as f64 * share;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    let (Some(&low), Some(&high)) = (x.get(below), x.get(above)) else {
        return Err(Undefined::Empty);
    };
    let weight = place - place.floor();
    let step = high - low;
    // The step between two huge values of opposite sign overflows; their weighted mean does not.
    let value = if step.is_finite() { low + weight * step } else { low * (1.0 - weight) + high * weight };
    Ok(value.clamp(low, high))
}

/// Interquartile mean: the mean of what is left after ⌊n/4⌋ of the smallest and as many of the largest values
/// are cut; in the unit of x.
///
/// Recommended as a robust score by Agarwal et al. 2021 ("Deep RL at the Edge of the Statistical Precipice",
/// NeurIPS, sec. 4.3); equals `scipy.stats.trim_mean(x, 0.25)`. Below 4 values nothing is cut, so it is the
/// mean.
///
/// # Errors
///
/// Undefined: no values; a value that is not finite.
pub fn iqm(x: &[f64]) -> Result<f64, Undefined> {
    check(x, 1)?;
    iqm_of_sorted(&sorted(x))
}

fn iqm_of_sorted(x: &[f64]) -> Result<f64, Undefined> {
    let cut = x.len() / 4;
    mean(&x[cut..x.len() - cut])
}

/// Smallest value.
///
/// # Errors
///
/// Undefined: no values; a value that is not finite.
pub fn min(x: &[f64]) -> Result<f64, Undefined> {
    check(x, 1)?;
    Ok(x.iter().copied().fold(f64::INFINITY, f64::min))
}

/// Largest value.
///
/// # Errors
///
/// Undefined: no values; a value that is not finite.
pub fn max(x: &[f64]) -> Result<f64, Undefined> {
    check(x, 1)?;
    Ok(x.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

/// A sorted copy of finite values.
pub(super) fn sorted(x: &[f64]) -> Vec<f64> {
    let mut sorted = x.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// A sample in numbers, all in the unit of the values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Number of values.
    pub n: usize,
    /// See [`mean`].
    pub mean: f64,
    /// See [`sd`]: undefined for a single value.
    pub sd: Stat<f64>,
    /// See [`median`].
    pub median: f64,
    /// See [`iqm`].
    pub iqm: f64,
    /// Smallest value.
    pub min: f64,
    /// Lower quartile, see [`quantile`].
    pub q1: f64,
    /// Upper quartile, see [`quantile`].
    pub q3: f64,
    /// Largest value.
    pub max: f64,
}

impl Summary {
    /// Summarises a sample.
    ///
    /// # Errors
    ///
    /// Undefined: no values; a value that is not finite.
    pub fn of(x: &[f64]) -> Result<Self, Undefined> {
        check(x, 1)?;
        let sorted = sorted(x);
        Ok(Self {
            n: x.len(),
            mean: mean(x)?,
            sd: sd(x).into(),
            median: quantile_of_sorted(&sorted, 0.5)?,
            iqm: iqm_of_sorted(&sorted)?,
            min: quantile_of_sorted(&sorted, 0.0)?,
            q1: quantile_of_sorted(&sorted, 0.25)?,
            q3: quantile_of_sorted(&sorted, 0.75)?,
            max: quantile_of_sorted(&sorted, 1.0)?,
        })
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the expected values are exact")]
mod tests {
    use super::*;

    #[test]
    fn a_hand_worked_sample() {
        // 2 4 4 4 5 5 7 9: mean 40/8 = 5, squares 9+1+1+1+0+0+4+16 = 32.
        let x = [9.0, 2.0, 4.0, 5.0, 4.0, 7.0, 4.0, 5.0];
        let summary = Summary::of(&x).unwrap();
        assert_eq!((summary.n, summary.mean, summary.median), (8, 5.0, 4.5));
        assert_eq!((summary.min, summary.max), (2.0, 9.0));
        // h = 7/4 lies between the 4s; h = 21/4 a quarter of the way from 5 to 7.
        assert_eq!((summary.q1, summary.q3), (4.0, 5.5));
        assert_eq!(summary.iqm, 4.5); // (4+4+5+5)/4
        assert_eq!(summary.sd, Stat::Defined((32.0_f64 / 7.0).sqrt()));
        assert_eq!(population_sd(&x), Ok(2.0));
    }

    #[test]
    fn huge_and_tiny_values_neither_overflow_nor_vanish() {
        assert_eq!(mean(&[1e308, 1e308, 1e308]), Ok(1e308));
        assert_eq!(median(&[-1.5e308, 1.5e308]), Ok(0.0));
        assert_eq!(quantile(&[-1e308, 1e308], 0.25), Ok(-5e307));
        assert_eq!(population_sd(&[-1e308, 1e308]), Ok(1e308));
        assert_eq!(sd(&[-1.7e308, 1.7e308]), Err(Undefined::Overflow));
        let tiny = sd(&[1e-200, 3e-200]).unwrap(); // √2 · 1e-200, whose square is no float
        assert!((tiny / 1e-200 - std::f64::consts::SQRT_2).abs() < 1e-14);
    }

    #[test]
    fn equal_values_have_no_spread_at_all() {
        let x = [0.667; 6];
        assert_eq!(mean(&x), Ok(0.667));
        assert_eq!(sd(&x), Ok(0.0));
    }

    #[test]
    fn a_large_offset_costs_no_digits() {
        // NIST StRD NumAcc4: mean 10 000 000.2, SD 0.1.
        let mut x = vec![10_000_000.2];
        for _ in 0..500 {
            x.extend([10_000_000.1, 10_000_000.3]);
        }
        assert!((mean(&x).unwrap() - 10_000_000.2).abs() < 2e-9);
        assert!((sd(&x).unwrap() - 0.1).abs() < 1e-8); // the data as floats are off by as much
    }

    #[test]
    fn undefined_has_a_reason() {
        assert_eq!(mean(&[]), Err(Undefined::Empty));
        assert_eq!(sd(&[1.0]), Err(Undefined::TooFew { n: 1, needed: 2 }));
        assert_eq!(iqm(&[1.0, f64::NAN]), Err(Undefined::NonFinite));
        assert_eq!(max(&[f64::INFINITY]), Err(Undefined::NonFinite));
        assert_eq!(quantile(&[1.0], 1.5), Err(Undefined::OutOfRange { what: Quantity::Probability }));
        assert_eq!(Summary::of(&[3.0]).unwrap().sd.reason(), Some(Undefined::TooFew { n: 1, needed: 2 }));
    }
}
