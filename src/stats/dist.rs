//! Tail probabilities and critical values of Student's t and the normal distribution, accurate in the far tails.

use statrs::distribution::{Continuous, ContinuousCDF, StudentsT};
use statrs::function::beta::beta_reg;
use statrs::function::erf::{erfc, erfc_inv};

use super::undefined::{Quantity, Undefined};

/// Two-sided p of Student's t: `P(|T| ≥ |t|) = I_{df/(df+t²)}(df/2, ½)`, I the regularised incomplete beta
/// function (Abramowitz and Stegun 1964, 26.7.1). `df` > 0.
///
/// Relative error against 60-digit arithmetic: below 1e-9 up to 10⁵ degrees of freedom, below 1e-7 up to 10⁶.
pub(super) fn t_two_sided(t: f64, df: f64) -> f64 {
    // df/(df + t²) in a form in which a large t does not overflow.
    let ratio = df.sqrt() / t.abs();
    let x = if ratio < 1.0 { ratio * ratio / (1.0 + ratio * ratio) } else { 1.0 / (1.0 + t * t / df) };
    beta_reg(df / 2.0, 0.5, x.clamp(0.0, 1.0)).clamp(0.0, 1.0)
}

/// Two-sided p of a correlation of `n` ≥ 3 pairs: as [`t_two_sided`] of `t = r √((n−2)/(1−r²))`, for which
/// `df/(df+t²) = 1 − r²`; going without t keeps the digits of 1 − |r|.
pub(super) fn r_two_sided(r: f64, n: usize) -> f64 {
    let x = ((1.0 - r) * (1.0 + r)).clamp(0.0, 1.0);
    beta_reg((n - 2) as f64 / 2.0, 0.5, x).clamp(0.0, 1.0)
}

/// Two-sided p of a standard normal deviate: `P(|Z| ≥ |z|) = erfc(|z|/√2)`.
pub(super) fn normal_two_sided(z: f64) -> f64 {
    erfc(z.abs() / std::f64::consts::SQRT_2).clamp(0.0, 1.0)
}

/// The z with `P(|Z| ≤ z) = level`.
pub(super) fn normal_critical(level: f64) -> Result<f64, Undefined> {
    check_level(level)?;
    Ok(std::f64::consts::SQRT_2 * erfc_inv(1.0 - level))
}

/// The t with `P(|T| ≤ t) = level`, `df` > 0.
pub(super) fn t_critical(level: f64, df: f64) -> Result<f64, Undefined> {
    check_level(level)?;
    let law = StudentsT::new(0.0, 1.0, df).map_err(|_| Undefined::TooFew { n: 0, needed: 1 })?;
    let mut t = law.inverse_cdf(f64::midpoint(1.0, level));
    // The library's quantile has five digits at large df; three Newton steps bring it to the precision of p.
    for _ in 0..3 {
        t += (t_two_sided(t, df) - (1.0 - level)) / (2.0 * law.pdf(t));
    }
    super::numeric::finite(t)
}

/// Errs unless 0 < level < 1.
pub(super) fn check_level(level: f64) -> Result<(), Undefined> {
    if level > 0.0 && level < 1.0 { Ok(()) } else { Err(Undefined::OutOfRange { what: Quantity::Level }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(got: f64, want: f64, tolerance: f64) {
        assert!((got - want).abs() <= tolerance * want.abs(), "{got:e} for {want:e}");
    }

    /// df, t and p by mpmath 1.4.1: `betainc(df/2, 1/2, 0, df/(df+t²), regularized=True)` with 60 digits.
    const T_TAILS: &[[f64; 3]] = &[
        [1.0, 0.001, 0.999_363_380_439_838_9],
        [1.0, 12.0, 0.052_929_352_119_179_75],
        [1.0, 1000.0, 6.366_195_601_611_178e-4],
        [2.0, 5.0, 0.037_749_551_350_623_724],
        [3.0, 40.0, 3.438_068_078_915_852_6e-5],
        [4.7, 1.5, 0.197_541_500_862_797_81],
        [4.7, 1000.0, 1.052_887_886_170_171_5e-13],
        [9.0, 2.0, 0.076_552_823_770_701_04],
        [9.0, 40.0, 1.898_299_844_933_982_5e-11],
        [28.0, 12.0, 1.489_730_079_194_736_5e-12],
        [28.0, 1000.0, 2.719_769_580_185_024_6e-65],
        [198.0, 5.0, 1.259_339_722_121_871e-6],
        [198.0, 40.0, 8.390_743_454_365_952e-97],
        [998.0, 12.0, 4.362_269_491_888_096e-31],
        [998.0, 40.0, 1.473_876_150_110_908_3e-209],
        [99_998.0, 0.001, 0.999_202_117_566_927_7],
        [99_998.0, 12.0, 3.744_509_740_564_552_5e-33],
    ];

    #[test]
    fn t_tails_agree_with_sixty_digit_arithmetic() {
        for &[df, t, p] in T_TAILS {
            near(t_two_sided(t, df), p, 1e-9);
            near(t_two_sided(-t, df), p, 1e-9);
        }
        near(t_two_sided(5.733, 999_998.0), 9.867e-9, 1e-3); // still sane far out
        assert!(t_two_sided(f64::MAX, 4.0) <= 0.0 && t_two_sided(0.0, 4.0) >= 1.0);
    }

    #[test]
    fn critical_values_agree_with_scipy() {
        // SciPy 1.17.1: stats.t.isf(0.025, df), stats.t.isf(0.005, df), stats.norm.isf(0.025)
        for (df, t95, t99) in [
            (1.0, 12.706_204_736_174_705, 63.656_741_162_871_58),
            (4.7, 2.620_726_075_353_170_7, 4.167_892_040_119_058_4),
            (9.0, 2.262_157_162_798_205_3, 3.249_835_541_592_126_3),
            (198.0, 1.972_017_477_836_314_6, 2.600_887_277_990_511),
            (99_998.0, 1.959_987_708_009_084_6, 2.575_878_470_891_739_7),
        ] {
            near(t_critical(0.95, df).unwrap(), t95, 1e-10);
            near(t_critical(0.99, df).unwrap(), t99, 1e-10);
        }
        near(normal_critical(0.95).unwrap(), 1.959_963_984_540_054_5, 1e-14);
        assert!(t_critical(1.0, 3.0).is_err() && normal_critical(0.0).is_err());
    }

    #[test]
    fn normal_tails_agree_with_scipy() {
        // SciPy 1.17.1: 2 * stats.norm.sf(z)
        for (z, p) in [
            (0.1, 0.920_344_325_445_942),
            (3.0, 0.002_699_796_063_260_186_6),
            (8.0, 1.244_192_114_854_348e-15),
            (30.0, 9.813_427_854_295_816e-198),
        ] {
            near(normal_two_sided(z), p, 1e-10);
        }
    }
}
