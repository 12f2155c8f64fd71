//! One JSON value out of a line or a small file, leniently, with its faults noted.

use serde_json::Value;

use super::fields::{Notes, clip};
use crate::finding::{input_rules, mb};
use crate::ingest::json::{Lexer, Members, Stop, parse_value};

/// The value that `bytes` hold; `None`, with a finding, where they are not one JSON value. `ended` says whether the line had
/// its line end, so that a cut file is told from a damaged line.
pub(super) fn parse_line(bytes: &[u8], ended: bool, notes: &mut Notes<'_>) -> Option<Value> {
    let mut lexer = Lexer::new(bytes);
    let mut noticed = Members::default();
    let parsed = parse_value(&mut lexer, &mut noticed);
    if noticed.repair.invalid_utf8 > 0 {
        let what = format!("{} sequences are not UTF-8", noticed.repair.invalid_utf8);
        notes.add(&input_rules::INVALID_UTF8, what);
    }
    if noticed.repair.bad_escapes > 0 {
        let what = format!("{} escapes stand for no character", noticed.repair.bad_escapes);
        notes.add(&input_rules::BAD_ESCAPE, what);
    }
    if noticed.non_finite > 0 {
        notes.add(
            &mb::NOT_FINITE,
            format!("{} numbers are NaN, infinite or out of range", noticed.non_finite),
        );
    }
    for key in &noticed.duplicate_keys {
        notes.add(&mb::KEY_TWICE, format!("key {} occurs twice", clip(key)));
    }
    match parsed {
        Ok(value) => {
            let rest = &bytes[lexer.pos()..];
            if !rest.iter().all(u8::is_ascii_whitespace) {
                let what = format!("after a whole value, byte {} of the line goes on", lexer.pos());
                notes.add(&mb::LINE_UNREADABLE, what);
                return None;
            }
            Some(value)
        }
        Err(Stop::Incomplete) if !ended => {
            notes.add(&input_rules::FILE_CUT, "the file ends inside this record");
            None
        }
        Err(Stop::Incomplete) => {
            notes.add(&mb::LINE_UNREADABLE, "the line ends inside a value");
            None
        }
        Err(Stop::Syntax { at, expected }) => {
            notes.add(&mb::LINE_UNREADABLE, format!("byte {at} of the line: expected {expected}"));
            None
        }
        Err(Stop::TooDeep { at }) => {
            notes.add(&input_rules::NESTED_TOO_DEEP, format!("byte {at} of the line is nested too deeply"));
            None
        }
    }
}
