//! Two independent samples a and b: Welch's t, Mann–Whitney's U and effect sizes.
//!
//! Orientation: Welch's t and U are "a over b" (as SciPy's `ttest_ind(a, b)` and `mannwhitneyu(a, b)`), the effect
//! sizes are "b over a" (b the challenger, a the baseline).

use serde::{Deserialize, Serialize};

use super::dist::{normal_two_sided, t_critical, t_two_sided};
use super::interval::{Interval, LEVEL};
use super::numeric::{centre, check, co_deviation, finite, is_constant};
use super::rank::Ranks;
use super::undefined::{Input, Undefined};

/// Welch's test of equal means.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Welch {
    /// `mean a − mean b`, in the unit of the values.
    pub difference: f64,
    /// 95 % interval of the difference.
    pub interval: Interval,
    /// `difference / √(s²a/na + s²b/nb)`, without unit.
    pub t: f64,
    /// Welch–Satterthwaite degrees of freedom, not rounded.
    pub df: f64,
    /// Two-sided p-value, in [0, 1].
    pub p: f64,
}

/// Welch's t-test of equal means without equal variances, t positive when a is larger.
///
/// `df = (va + vb)² / (va²/(na−1) + vb²/(nb−1))`, v the squared standard error of each mean.
///
/// Reference: Welch 1947, Biometrika 34:28–35.
///
/// # Errors
///
/// Undefined: fewer than 2 values in either sample; both samples constant (see [`is_constant`]); a value that
/// is not finite; a result beyond the largest float.
pub fn welch(a: &[f64], b: &[f64]) -> Result<Welch, Undefined> {
    check(a, 2)?;
    check(b, 2)?;
    if is_constant(a) && is_constant(b) {
        return Err(Undefined::Constant { which: Input::Both });
    }
    // One scale for both, the one of the larger values, so that the variances can be added.
    let (ca, cb) = (centre(a), centre(b));
    let scale = ca.scale.min(cb.scale);
    let squared_error = |c: &super::numeric::Centred| {
        let n = c.deviations.len() as f64;
        let unit = scale / c.scale;
        co_deviation(&c.deviations, &c.deviations).max(0.0) / (n * (n - 1.0)) * unit * unit
    };
    let (va, vb) = (squared_error(&ca), squared_error(&cb));
    let se = (va + vb).sqrt();
    // Shares of the squared error instead of the errors: their squares can't vanish.
    let (wa, wb) = (va / (va + vb), vb / (va + vb));
    let df = 1.0 / (wa * wa / (a.len() - 1) as f64 + wb * wb / (b.len() - 1) as f64);
    let difference = ca.mean * scale - cb.mean * scale;
    let (t, df) = (finite(difference / se)?, finite(df)?);
    let half = t_critical(LEVEL, df)? * se;
    Ok(Welch {
        difference: finite(difference / scale)?,
        interval: Interval::around(difference / scale, half / scale, LEVEL)?,
        t,
        df,
        p: t_two_sided(t, df),
    })
}

/// Mann and Whitney's rank-sum test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MannWhitney {
    /// Number of pairs (one of a, one of b) in which a is larger, equal pairs counting ½; in [0, na·nb].
    pub u: f64,
    /// Two-sided p-value, in [0, 1].
    pub p: f64,
}

/// Mann–Whitney U test that neither sample tends to be larger, by the normal approximation with correction
/// for ties and continuity: `z = (|U − na·nb/2| − ½) / √(na·nb/12 · (N+1 − Σ(k³−k)/(N(N−1))))`, k the sizes
/// of the groups of equal values. Equals SciPy's `mannwhitneyu(a, b, method="asymptotic")`.
///
/// Reference: Mann and Whitney 1947, Ann. Math. Statist. 18:50–60; ties: Lehmann 1975, Nonparametrics, sec.
/// 1.4.
///
/// # Errors
///
/// Undefined: an empty sample; all values equal; a value that is not finite.
pub fn mann_whitney(a: &[f64], b: &[f64]) -> Result<MannWhitney, Undefined> {
    let Ranked { u, ranks } = rank_together(a, b)?;
    let (na, nb) = (a.len() as f64, b.len() as f64);
    let n = na + nb;
    if ranks.sizes.len() < 2 {
        return Err(Undefined::Constant { which: Input::All });
    }
    let variance = na * nb / 12.0 * (n + 1.0 - ranks.tie_term() / (n * (n - 1.0)));
    // Within half a pair of the middle nothing speaks against the hypothesis.
    let z = ((u - na * nb / 2.0).abs() - 0.5).max(0.0) / variance.sqrt();
    Ok(MannWhitney { u, p: normal_two_sided(z) })
}

/// Probability of improvement of b over a: the share of pairs (one of a, one of b) in which b is larger,
/// equal pairs counting ½; in [0, 1], ½ meaning no difference. `1 − U/(na·nb)`.
///
/// Reference: Agarwal et al. 2021, NeurIPS, sec. 4.3; Vargha and Delaney 2000, J. Educ. Behav. Stat.
/// 25:101–132 (there A).
///
/// # Errors
///
/// Undefined: an empty sample; a value that is not finite.
pub fn probability_of_improvement(a: &[f64], b: &[f64]) -> Result<f64, Undefined> {
    Ok(rank_together(b, a)?.u / (a.len() as f64 * b.len() as f64))
}

/// Cliff's delta of b over a: the share of pairs in which b is larger less the share in which a is; in [−1,
/// 1].
///
/// Reference: Cliff 1993, Psychol. Bull. 114:494–509.
///
/// # Errors
///
/// Undefined as [`probability_of_improvement`], of which it is `2·P − 1`.
pub fn cliffs_delta(a: &[f64], b: &[f64]) -> Result<f64, Undefined> {
    let pairs = a.len() as f64 * b.len() as f64;
    let u = rank_together(b, a)?.u;
    // U is a multiple of ½, so this difference is exact.
    Ok((2.0 * u - pairs) / pairs)
}

/// Two samples ranked together.
struct Ranked {
    /// U of the first sample.
    u: f64,
    /// Ranks of both, the first sample's first.
    ranks: Ranks,
}

fn rank_together(first: &[f64], second: &[f64]) -> Result<Ranked, Undefined> {
    check(first, 1)?;
    check(second, 1)?;
    let ranks = Ranks::of(&[first, second].concat());
    let n = first.len() as f64;
    let rank_sum: f64 = ranks.ranks[..first.len()].iter().sum();
    Ok(Ranked { u: rank_sum - n * (n + 1.0) / 2.0, ranks })
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the expected values are exact")]
mod tests {
    use super::*;

    #[test]
    fn pairs_counted_by_hand() {
        // Pairs (a, b): (1,1) tie, (1,2) b, (1,4) b, (3,1) a, (3,2) a, (3,4) b.
        let (a, b) = ([1.0, 3.0], [1.0, 2.0, 4.0]);
        assert_eq!(mann_whitney(&a, &b).unwrap().u, 2.5);
        assert_eq!(mann_whitney(&b, &a).unwrap().u, 3.5);
        assert_eq!(probability_of_improvement(&a, &b), Ok(3.5 / 6.0));
        assert_eq!(cliffs_delta(&a, &b), Ok(1.0 / 6.0));
        assert_eq!(cliffs_delta(&b, &a), Ok(-1.0 / 6.0));
    }

    fn near(got: f64, want: f64) {
        assert!((got - want).abs() <= 1e-9 * want.abs(), "{got:e} for {want:e}");
    }

    #[test]
    fn tests_agree_with_scipy_also_with_ties() {
        // SciPy 1.17.1: ttest_ind(a, b, equal_var=False), its confidence_interval(), mannwhitneyu(…, "asymptotic")
        let a = [3.0, 5.0, 5.0, 7.0, 9.0, 2.5];
        let b = [5.0, 8.0, 9.0, 9.0, 11.0, 12.0, 4.0, 5.0];
        let test = welch(&a, &b).unwrap();
        near(test.t, -1.818_848_234_984_863);
        near(test.df, 11.816_504_141_419_076);
        near(test.p, 0.094_351_068_910_132_1);
        near(test.interval.low, -5.774_932_755_121_277);
        near(test.interval.high, 0.524_932_755_121_277_7);
        near(mann_whitney(&a, &b).unwrap().p, 0.131_548_059_889_375_07);

        let huge = welch(&a.map(|v| v * 1e200), &b.map(|v| v * 1e200)).unwrap();
        near(huge.t, test.t);
        near(huge.df, test.df);
        near(welch(&a.map(|v| v * 1e-200), &b.map(|v| v * 1e-200)).unwrap().p, test.p);
    }

    #[test]
    fn undefined_has_a_reason() {
        assert_eq!(welch(&[1.0], &[1.0, 2.0]), Err(Undefined::TooFew { n: 1, needed: 2 }));
        assert_eq!(welch(&[0.3, 0.1 + 0.2], &[4.0, 4.0]), Err(Undefined::Constant { which: Input::Both }));
        assert_eq!(mann_whitney(&[2.0, 2.0], &[2.0]), Err(Undefined::Constant { which: Input::All }));
        assert_eq!(probability_of_improvement(&[], &[1.0]), Err(Undefined::Empty));
        assert_eq!(cliffs_delta(&[1.0], &[f64::NAN]), Err(Undefined::NonFinite));
    }
}
