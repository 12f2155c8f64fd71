//! Two paired samples: Pearson's and Spearman's correlation with p-values and intervals.

use serde::{Deserialize, Serialize};

use super::dist::{normal_critical, r_two_sided};
use super::interval::{Interval, LEVEL};
use super::numeric::{Centred, centre, check_pairs, co_deviation, is_constant};
use super::rank::Ranks;
use super::undefined::{Input, Quantity, Stat, Undefined};

/// A correlation with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Correlation {
    /// Number of pairs.
    pub n: usize,
    /// The coefficient, in [−1, 1], without unit.
    pub r: f64,
    /// Two-sided p-value, see [`p_from_r`].
    pub p: f64,
    /// 95 % interval; undefined for n < 4.
    pub interval: Stat<Interval>,
}

/// Distance to ±1 that the rounding of the sums can't tell from 0.
const PERFECT: f64 = 8.0 * f64::EPSILON;

/// Pearson's product-moment correlation `r = Σdx·dy / √(Σdx²·Σdy²)`, d the deviation from the mean, with the
/// two-sided p of [`p_from_r`] and the interval of [`fisher_interval`].
///
/// |r| within 2·10⁻¹⁵ of 1 is taken as ±1, the remainder being rounding.
///
/// Reference: Pearson 1896, Phil. Trans. A 187:253–318.
///
/// # Errors
///
/// Undefined: unequal lengths; n < 3; x or y constant (see [`is_constant`]); a value that is not finite.
pub fn pearson(x: &[f64], y: &[f64]) -> Result<Correlation, Undefined> {
    check_pairs(x, y, 3)?;
    check_variation(x, y)?;
    let r = pearson_r(&centre(x), &centre(y));
    Ok(Correlation {
        n: x.len(),
        r,
        p: p_from_r(r, x.len())?,
        interval: fisher_interval(r, x.len(), LEVEL).into(),
    })
}

/// Spearman's rank correlation: Pearson's r of the ranks, ties at their average, with the two-sided p of
/// [`p_from_r`] and an interval on Fisher's z scale whose standard error is `√((1 + r²/2)/(n−3))`.
///
/// References: Spearman 1904, Am. J. Psychol. 15:72–101; interval: Bonett and Wright 2000, Psychometrika
/// 65:23–28.
///
/// # Errors
///
/// Undefined as [`pearson`].
pub fn spearman(x: &[f64], y: &[f64]) -> Result<Correlation, Undefined> {
    check_pairs(x, y, 3)?;
    check_variation(x, y)?;
    let r = pearson_r(&centre(&Ranks::of(x).ranks), &centre(&Ranks::of(y).ranks));
    let inflation = (1.0 + r * r / 2.0).sqrt();
    Ok(Correlation {
        n: x.len(),
        r,
        p: p_from_r(r, x.len())?,
        interval: interval_on_z(r, x.len(), LEVEL, inflation).into(),
    })
}

/// r of centred samples that both vary.
pub(super) fn pearson_r(x: &Centred, y: &Centred) -> f64 {
    let (dx, dy) = (&x.deviations, &y.deviations);
    let r = co_deviation(dx, dy) / (co_deviation(dx, dx).sqrt() * co_deviation(dy, dy).sqrt());
    if 1.0 - r.abs() <= PERFECT { r.signum() } else { r }
}

/// Errs if x or y is constant.
fn check_variation(x: &[f64], y: &[f64]) -> Result<(), Undefined> {
    let which = match (is_constant(x), is_constant(y)) {
        (false, false) => return Ok(()),
        (true, false) => Input::X,
        (false, true) => Input::Y,
        (true, true) => Input::Both,
    };
    Err(Undefined::Constant { which })
}

/// Two-sided p-value of a correlation of `n` pairs under independence: `t = r √((n−2)/(1−r²))` against
/// Student's t with n−2 degrees of freedom; in [0, 1], and 0 for |r| = 1.
///
/// Exact for normal data and Pearson's r, an approximation for Spearman's.
///
/// Reference: Student 1908, Biometrika 6:302–310.
///
/// # Errors
///
/// Undefined: n < 3; r outside [−1, 1].
pub fn p_from_r(r: f64, n: usize) -> Result<f64, Undefined> {
    check_r(r)?;
    if n < 3 {
        return Err(Undefined::TooFew { n, needed: 3 });
    }
    Ok(r_two_sided(r, n))
}

/// Confidence interval of Pearson's r by Fisher's transformation: `tanh(atanh r ± z/√(n−3))`, z the normal
/// quantile of `level`; within [−1, 1]. For |r| = 1 the limit [r, r].
///
/// Reference: Fisher 1921, Metron 1:3–32.
///
/// # Errors
///
/// Undefined: n < 4; r outside [−1, 1]; a level outside (0, 1).
pub fn fisher_interval(r: f64, n: usize, level: f64) -> Result<Interval, Undefined> {
    interval_on_z(r, n, level, 1.0)
}

fn interval_on_z(r: f64, n: usize, level: f64, inflation: f64) -> Result<Interval, Undefined> {
    check_r(r)?;
    if n < 4 {
        return Err(Undefined::TooFew { n, needed: 4 });
    }
    let half = normal_critical(level)? * inflation / ((n - 3) as f64).sqrt();
    let z = r.atanh();
    Ok(Interval { low: (z - half).tanh(), high: (z + half).tanh(), level })
}

fn check_r(r: f64) -> Result<(), Undefined> {
    if (-1.0..=1.0).contains(&r) {
        Ok(())
    } else {
        Err(Undefined::OutOfRange { what: Quantity::Correlation })
    }
}

/// The pairs of which both halves are there, and how many were left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompletePairs {
    /// First halves.
    pub x: Vec<f64>,
    /// Second halves, in the same order.
    pub y: Vec<f64>,
    /// Pairs left out because a half is missing or not finite.
    pub dropped: usize,
}

impl CompletePairs {
    /// Drops incomplete pairs, counting them.
    pub fn of(pairs: impl IntoIterator<Item = (Option<f64>, Option<f64>)>) -> Self {
        let mut complete = Self::default();
        for pair in pairs {
            match pair {
                (Some(x), Some(y)) if x.is_finite() && y.is_finite() => {
                    complete.x.push(x);
                    complete.y.push(y);
                }
                _ => complete.dropped += 1,
            }
        }
        complete
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the expected values are exact")]
mod tests {
    use super::*;

    fn near(got: f64, want: f64) {
        assert!((got - want).abs() <= 1e-12 * want.abs(), "{got:e} for {want:e}");
    }

    #[test]
    fn hand_worked() {
        // Deviations −2 −1 0 1 2 and −2 0 −1 1 2: Σdxdy = 4+0+0+1+4 = 9, Σdx² = Σdy² = 10.
        let correlation = pearson(&[1.0, 2.0, 3.0, 4.0, 5.0], &[1.0, 3.0, 2.0, 4.0, 5.0]).unwrap();
        near(correlation.r, 0.9);
        // Ranks' deviations −1.5 0 0 1.5 and −1.5 −0.5 0.5 1.5: Σdxdy = 4.5, Σdx² = 4.5, Σdy² = 5.
        near(spearman(&[0.0, 1.0, 1.0, 9.0], &[1.0, 2.0, 3.0, 4.0]).unwrap().r, 4.5 / (4.5_f64 * 5.0).sqrt());
    }

    #[test]
    fn intervals_agree_with_forty_digit_arithmetic() {
        // mpmath 1.4.1: tanh(atanh(1/2) ∓ z·s/5), z the 97.5 % quantile, s = 1 (Fisher) and √(9/8) (Bonett and Wright)
        let fisher = fisher_interval(0.5, 28, 0.95).unwrap();
        near(fisher.low, 0.156_028_362_529_085_98);
        near(fisher.high, 0.735_818_479_443_937_6);
        let ranks = interval_on_z(0.5, 28, 0.95, 1.125_f64.sqrt()).unwrap();
        near(ranks.low, 0.132_746_903_722_298_7);
        near(ranks.high, 0.746_533_057_841_545_2);
    }

    #[test]
    fn perfect_lines_are_perfect() {
        let x = [0.1, 0.2, 0.3, 0.7, 1.9];
        let y = x.map(|v| 3.0 - 0.7 * v);
        let correlation = pearson(&x, &y).unwrap();
        assert_eq!((correlation.r, correlation.p), (-1.0, 0.0));
        assert_eq!(correlation.interval, Stat::Defined(Interval { low: -1.0, high: -1.0, level: 0.95 }));
        assert_eq!(spearman(&x, &x.map(f64::exp)).unwrap().r, 1.0);
    }

    #[test]
    fn float_noise_is_no_correlation() {
        let noisy = [0.667, 0.667, 0.1 + 0.567, 0.667, 0.667, 0.3 + 0.367];
        let score = [1.0, 2.0, 3.0, 5.0, 8.0, 13.0];
        for (x, y, which) in
            [(&noisy, &score, Input::X), (&score, &noisy, Input::Y), (&noisy, &noisy, Input::Both)]
        {
            assert_eq!(pearson(x, y), Err(Undefined::Constant { which }));
            assert_eq!(spearman(x, y), Err(Undefined::Constant { which }));
        }
    }

    #[test]
    fn undefined_has_a_reason() {
        assert_eq!(pearson(&[1.0, 2.0], &[2.0, 1.0]), Err(Undefined::TooFew { n: 2, needed: 3 }));
        assert_eq!(pearson(&[1.0], &[]), Err(Undefined::UnequalLengths { left: 1, right: 0 }));
        assert_eq!(pearson(&[1.0, 2.0, f64::NAN], &[1.0, 2.0, 4.0]), Err(Undefined::NonFinite));
        let three = pearson(&[1.0, 2.0, 3.0], &[1.0, 2.0, 4.0]).unwrap();
        assert_eq!(three.interval.reason(), Some(Undefined::TooFew { n: 3, needed: 4 }));
        assert!(p_from_r(1.01, 9).is_err() && p_from_r(f64::NAN, 9).is_err() && p_from_r(0.5, 2).is_err());
    }

    #[test]
    fn huge_values_correlate_like_small_ones() {
        let x = [1.0, 2.0, 4.0, 3.0];
        let y = [1.5, 1.0, 2.0, 9.0];
        let small = pearson(&x, &y).unwrap().r;
        near(pearson(&x.map(|v| v * 4e307), &y.map(|v| v * 1e-300)).unwrap().r, small);
    }

    #[test]
    fn far_tails_keep_their_digits() {
        // mpmath 1.4.1, 60 digits: betainc((n-2)/2, 1/2, 0, 1-r**2, regularized=True)
        near_9(p_from_r(0.91, 30).unwrap(), 3.208_830_316_297_717_3e-12);
        near_9(p_from_r(-0.9999, 12).unwrap(), 7.873_687_584_368_204e-20);
        near_9(p_from_r(0.2, 1200).unwrap(), 2.714_999_148_961_602_3e-12);
        near_9(p_from_r(0.001, 50).unwrap(), 0.994_500_850_029_947_4);
    }

    fn near_9(got: f64, want: f64) {
        assert!((got - want).abs() <= 1e-9 * want.abs(), "{got:e} for {want:e}");
    }

    #[test]
    fn incomplete_pairs_are_dropped_and_counted() {
        let pairs = CompletePairs::of([
            (Some(1.0), Some(2.0)),
            (None, Some(1.0)),
            (Some(f64::NAN), Some(0.0)),
            (Some(3.0), Some(4.0)),
        ]);
        assert_eq!(pairs, CompletePairs { x: vec![1.0, 3.0], y: vec![2.0, 4.0], dropped: 2 });
    }
}
