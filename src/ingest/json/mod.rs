//! A lenient, borrowing JSON reader for logs: skips what nobody asked for at memory speed, never builds a tree of a file.
//!
//! General parsers validate and copy every string; agent logs are 95 % prompt text that no feature reads. This reader
//! takes the bare tokens `NaN` and `Infinity`, byte-order marks, raw control characters and invalid UTF-8 as data to be
//! reported rather than as reasons to lose a file, tells a cut file from a damaged one, and knows the offset of each fault.

mod blocks;
mod lexer;
mod stream;
mod text;
mod value;

pub(crate) use lexer::{Lexer, Number, RawStr, Scalar, Stop};
pub(crate) use stream::{ArrayStream, StreamEnd};
pub(crate) use text::{Repair, decode};
pub(crate) use value::{Members, parse_value};

/// Deepest nesting that is read; deeper files are refused (the released formats need 4).
pub const MAX_DEPTH: usize = 64;

/// Longest record that is read, in bytes; a longer one ends the file's reading with a finding.
pub const MAX_RECORD: usize = 64 << 20;
