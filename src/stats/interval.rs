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
