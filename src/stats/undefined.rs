//! Why a statistic has no value, and a value that carries that reason into files.

use serde::{Deserialize, Serialize};

/// Which of several inputs a reason speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// The only input, or all of them pooled.
    All,
    /// The explaining variable.
    X,
    /// The explained variable.
    Y,
    /// The explaining and the explained variable.
    Both,
}

impl std::fmt::Display for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::All => "",
            Self::X => " (x)",
            Self::Y => " (y)",
            Self::Both => " (x and y)",
        })
    }
}

/// The reason why a statistic is undefined. Never an excuse for a NaN: every statistic of this module
/// returns a finite number or one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Undefined {
    /// There is no value at all.
    #[error("no values")]
    Empty,
    /// There are fewer values than the statistic needs.
    #[error("n < {needed}")]
    TooFew {
        /// Values there are.
        n: usize,
        /// Values needed at least.
        needed: usize,
    },
    /// The values do not vary, see [`is_constant`](super::is_constant).
    #[error("constant input{which}")]
    Constant {
        /// Which input.
        which: Input,
    },
    /// All weights or counts are 0.
    #[error("all counts are 0")]
    AllZero,
    /// An input holds NaN or an infinity.
    #[error("a value is not finite")]
    NonFinite,
    /// The result is beyond the largest 64-bit float.
    #[error("the result overflows")]
    Overflow,
    /// Two inputs that belong together differ in length.
    #[error("inputs of {left} and {right} values")]
    UnequalLengths {
        /// Values of the first.
        left: usize,
        /// Values of the second.
        right: usize,
    },
    /// An input lies outside the range in which the statistic has a meaning.
    #[error("{what} out of range")]
    OutOfRange {
        /// Which quantity.
        what: Quantity,
    },
    /// The statistic was undefined in half of a bootstrap's resamples or more.
    #[error("undefined in {undefined} of {resamples} resamples")]
    Resamples {
        /// Resamples without a value.
        undefined: usize,
        /// Resamples drawn.
        resamples: usize,
    },
}

/// A quantity that [`Undefined::OutOfRange`] names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// A correlation outside [−1, 1].
    Correlation,
    /// A count or weight below 0.
    Count,
    /// A confidence level outside (0, 1).
    Level,
    /// A p-value outside [0, 1].
    PValue,
    /// A share outside [0, 1].
    Probability,
}

impl std::fmt::Display for Quantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Correlation => "correlation",
            Self::Count => "negative count",
            Self::Level => "confidence level",
            Self::PValue => "p-value",
            Self::Probability => "probability",
        })
    }
}

/// A statistic as outputs hold it: `{"value": 0.5}` or `{"value": null, "undefined": {"reason": …}}`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Wire<T>", into = "Wire<T>", bound(serialize = "T: Clone + Serialize"))]
pub enum Stat<T> {
    /// The value.
    Defined(T),
    /// Why there is none.
    Undefined(Undefined),
}

/// The serialised form of [`Stat`].
#[derive(Serialize, Deserialize)]
struct Wire<T> {
    value: Option<T>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    undefined: Option<Undefined>,
}

impl<T> From<Wire<T>> for Stat<T> {
    fn from(wire: Wire<T>) -> Self {
        match wire.value {
            Some(value) => Self::Defined(value),
            None => Self::Undefined(wire.undefined.unwrap_or(Undefined::Empty)),
        }
    }
}

impl<T> From<Stat<T>> for Wire<T> {
    fn from(stat: Stat<T>) -> Self {
        match stat {
            Stat::Defined(value) => Self { value: Some(value), undefined: None },
            Stat::Undefined(reason) => Self { value: None, undefined: Some(reason) },
        }
    }
}

impl<T> From<Result<T, Undefined>> for Stat<T> {
    fn from(result: Result<T, Undefined>) -> Self {
        result.map_or_else(Self::Undefined, Self::Defined)
    }
}

impl<T> From<Stat<T>> for Result<T, Undefined> {
    fn from(stat: Stat<T>) -> Self {
        match stat {
            Stat::Defined(value) => Ok(value),
            Stat::Undefined(reason) => Err(reason),
        }
    }
}

impl<T> Stat<T> {
    /// The value, if there is one.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Defined(value) => Some(value),
            Self::Undefined(_) => None,
        }
    }

    /// Why there is no value.
    pub fn reason(&self) -> Option<Undefined> {
        match self {
            Self::Defined(_) => None,
            Self::Undefined(reason) => Some(*reason),
        }
    }

    /// The statistic after `f`, undefined for the same reason if it was undefined.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Stat<U> {
        match self {
            Self::Defined(value) => Stat::Defined(f(value)),
            Self::Undefined(reason) => Stat::Undefined(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_read_as_plain_lower_case_words() {
        assert_eq!(Undefined::TooFew { n: 2, needed: 3 }.to_string(), "n < 3");
        assert_eq!(Undefined::Constant { which: Input::All }.to_string(), "constant input");
        assert_eq!(Undefined::Constant { which: Input::X }.to_string(), "constant input (x)");
        assert_eq!(Undefined::OutOfRange { what: Quantity::PValue }.to_string(), "p-value out of range");
    }

    #[test]
    fn undefined_statistics_are_null_with_the_reason_and_come_back() {
        let defined: Stat<f64> = Ok(0.5).into();
        assert_eq!(serde_json::to_string(&defined).unwrap(), r#"{"value":0.5}"#);
        let undefined: Stat<f64> = Err(Undefined::TooFew { n: 2, needed: 3 }).into();
        let json = serde_json::to_string(&undefined).unwrap();
        assert_eq!(json, r#"{"value":null,"undefined":{"reason":"too_few","n":2,"needed":3}}"#);
        for stat in [defined, undefined] {
            let back: Stat<f64> = serde_json::from_str(&serde_json::to_string(&stat).unwrap()).unwrap();
            assert_eq!(back, stat);
        }
    }
}
