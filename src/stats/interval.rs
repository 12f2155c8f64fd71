//! An interval with its confidence level.

use serde::{Deserialize, Serialize};

/// The confidence level that reports use.
pub const LEVEL: f64 = 0.95;

/// A two-sided confidence interval, `low ≤ high`, in the unit of its statistic.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Confidence level, in (0, 1).
    pub level: f64,
}

impl Interval {
    /// Whether the value lies within, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// `centre ± half`, ends in order.
    pub(super) fn around(centre: f64, half: f64, level: f64) -> Result<Self, super::Undefined> {
        let (low, high) = (centre - half.abs(), centre + half.abs());
        Ok(Self { low: super::numeric::finite(low)?, high: super::numeric::finite(high)?, level })
    }
}

/// 95 % interval of a mean, `mean ± t·s/√n`, t with n−1 degrees of freedom, in the unit of x: for values that are about normal
/// or many.
///
/// Reference: Student 1908, "The probable error of a mean", *Biometrika* 6:1–25.
///
/// # Errors
///
/// Undefined: n < 2; a value that is not finite; ends beyond the largest float.
pub fn mean_interval(x: &[f64]) -> Result<Interval, super::Undefined> {
    let (mean, sd) = (super::mean(x)?, super::sd(x)?);
    let t = super::dist::t_critical(LEVEL, (x.len() - 1) as f64)?;
    Interval::around(mean, t * sd / (x.len() as f64).sqrt(), LEVEL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_of_a_mean_as_in_tables_of_t() {
        // Mean 3, s = √2.5, t(4) at 97.5 % = 2.776445 (any table): 3 ± 2.776445 · √2.5 / √5.
        let interval = mean_interval(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        let half = 2.776_445_105_197_8 * 0.5f64.sqrt();
        assert!((interval.low - (3.0 - half)).abs() < 1e-9 && (interval.high - (3.0 + half)).abs() < 1e-9);
        assert_eq!(mean_interval(&[1.0]).unwrap_err(), super::super::Undefined::TooFew { n: 1, needed: 2 });
    }
}
