//! One record a line, through one buffer: memory does not grow with the file.

use std::io::BufRead;

use crate::finding::{Findings, Place, Subject, input_rules, mt};
use crate::ingest::MAX_RECORD;
use crate::ingest::json::Stop;

/// Calls `each` with every line that is not blank: its number among those (from 0) and its bytes, ended by a line feed.
///
/// `each` gives back why a line could not be read. A last line that is cut, a line that is too long, and a reader that fails
/// become findings; the rest is read.
pub(super) fn each_line(
    mut reader: impl BufRead,
    subject: &Subject,
    findings: &mut Findings,
    mut each: impl FnMut(u64, &[u8], &mut Findings) -> Result<(), Stop>,
) {
    let mut line = Vec::new();
    let (mut offset, mut record) = (0u64, 0u64);
    loop {
        line.clear();
        let length = match next_line(&mut reader, &mut line) {
            Ok(0) => return,
            Ok(length) => length,
            Err(error) => {
                let message = format!("{error} after byte {offset}");
                findings.add(&input_rules::FILE_UNREADABLE, subject, Some(Place::Byte(offset)), message);
                return;
            }
        };
        let start = offset;
        offset += length;
        if start == 0 && line.starts_with(b"\xEF\xBB\xBF") {
            line.drain(..3);
            findings.add(&input_rules::BYTE_ORDER_MARK, subject, None, "a byte-order mark");
        }
        if length > line.len() as u64 + 3 {
            let message = format!("the record at byte {start} has {length} bytes");
            findings.add(&mt::LINE_TOO_LONG, subject, Some(Place::Byte(start)), message);
            record += 1;
            continue;
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let ended = line.ends_with(b"\n");
        if !ended {
            line.push(b'\n'); // so that a value that ends the file is known to end
        }
        if let Err(stop) = each(record, &line, findings) {
            let (rule, at, message) = match stop {
                Stop::Incomplete if !ended => {
                    (&input_rules::FILE_CUT, start, format!("the whole records end at byte {start}"))
                }
                Stop::Incomplete => (&mt::BAD_LINE, start, format!("incomplete record {record}")),
                Stop::Syntax { at, expected } => {
                    (&mt::BAD_LINE, start + at as u64, format!("record {record}: expected {expected}"))
                }
                Stop::TooDeep { at } => {
                    (&mt::BAD_LINE, start + at as u64, format!("record {record}: nested too deeply"))
                }
            };
            findings.add(rule, subject, Some(Place::Byte(at)), message);
        }
        record += 1;
    }
}

/// Reads up to and including a line feed. Gives the line's length; beyond [`MAX_RECORD`] its bytes are passed over.
fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<u64> {
    let mut length = 0u64;
    loop {
        let available = match reader.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok(length);
        }
        let found = memchr::memchr(b'\n', available);
        let take = found.map_or(available.len(), |at| at + 1);
        if length + take as u64 <= MAX_RECORD as u64 {
            line.extend_from_slice(&available[..take]);
        } else {
            line.clear();
        }
        reader.consume(take);
        length += take as u64;
        if found.is_some() {
            return Ok(length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_blank_lines_marks_and_a_cut_end() {
        let text = "\u{feff}{\"a\":1}\r\n\n{\"b\"\n{\"c\":2}";
        let mut findings = Findings::new();
        let mut seen = Vec::new();
        each_line(text.as_bytes(), &Subject::file("f"), &mut findings, |record, line, _| {
            seen.push((record, line.len()));
            if record == 1 { Err(Stop::Incomplete) } else { Ok(()) }
        });
        assert_eq!(seen, [(0, 9), (1, 5), (2, 8)]);
        let codes: Vec<String> = findings.into_sorted().into_iter().map(|f| f.code).collect();
        assert_eq!(codes, ["MT002", "IN014"]);
    }
}
