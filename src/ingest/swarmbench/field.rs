//! Values of log fields that come in more than one type.

use crate::ingest::json::{Lexer, Number, RawStr, Scalar, Stop};

/// A number as a log gives it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum NumberField {
    /// The key was not there.
    #[default]
    Absent,
    /// A finite number.
    Value(f64),
    /// Text that shows a finite number.
    Text(f64),
    /// `null`.
    Null,
    /// NaN or infinite.
    NonFinite,
    /// Another type.
    Other,
}

impl NumberField {
    pub(super) fn read(lexer: &mut Lexer<'_>) -> Result<Self, Stop> {
        Ok(match lexer.scalar()? {
            Scalar::Null => Self::Null,
            Scalar::Number(Number::Finite(x)) => Self::Value(x),
            Scalar::Number(Number::NonFinite) => Self::NonFinite,
            Scalar::Str(raw) => Self::from_text(raw),
            Scalar::Bool(_) | Scalar::Composite => Self::Other,
        })
    }

    fn from_text(raw: RawStr<'_>) -> Self {
        let parsed = std::str::from_utf8(raw.bytes).ok().and_then(|text| text.trim().parse::<f64>().ok());
        match parsed {
            Some(x) if x.is_finite() => Self::Text(x),
            Some(_) => Self::NonFinite,
            None => Self::Other,
        }
    }

    /// The finite number, however written.
    pub(super) fn finite(self) -> Option<f64> {
        match self {
            Self::Value(x) | Self::Text(x) => Some(x),
            _ => None,
        }
    }

    /// The number as a whole one within `i32`.
    pub(super) fn whole(self) -> Option<i32> {
        let x = self.finite()?;
        (x.fract() == 0.0 && x.abs() <= f64::from(i32::MAX)).then_some(x as i32)
    }
}

/// Text as a log gives it, kept undecoded in a buffer of the caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TextField {
    /// The key was not there.
    #[default]
    Absent,
    /// `null`.
    Null,
    /// Text; its bytes are in the buffer.
    Text,
    /// Another type.
    Other,
}

impl TextField {
    pub(super) fn read(lexer: &mut Lexer<'_>, into: &mut Vec<u8>) -> Result<Self, Stop> {
        into.clear();
        Ok(match lexer.scalar()? {
            Scalar::Null => Self::Null,
            Scalar::Str(raw) => {
                into.extend_from_slice(raw.bytes);
                Self::Text
            }
            _ => Self::Other,
        })
    }
}

/// An agent's id as spelled in a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum IdField {
    /// Absent, null, or of a type that names nobody.
    #[default]
    None,
    /// A whole number.
    Number(i64),
    /// Text; its bytes are in the buffer.
    Text,
}

impl IdField {
    pub(super) fn read(lexer: &mut Lexer<'_>, into: &mut Vec<u8>) -> Result<Self, Stop> {
        into.clear();
        Ok(match lexer.scalar()? {
            Scalar::Number(Number::Finite(x)) if x.fract() == 0.0 && x.abs() < 1e15 => Self::Number(x as i64),
            Scalar::Str(raw) => {
                into.extend_from_slice(raw.bytes);
                Self::Text
            }
            _ => Self::None,
        })
    }
}
