//! Lines of a file, one at a time, with a limit on their length.

use std::io::{self, BufRead};

/// Longest line that is read, in bytes.
pub(super) const MAX_LINE: usize = 64 << 20;

/// What the next line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A whole line is in the buffer.
    Whole,
    /// The file's last line, which has no line end, is in the buffer.
    Unended,
    /// A line over the limit was skipped.
    TooLong,
    /// There is no more.
    End,
}

/// Reads the next line into `buffer`, without its line end. A line over `limit` is skipped without being held.
pub(super) fn next_line(reader: &mut impl BufRead, buffer: &mut Vec<u8>, limit: usize) -> io::Result<Line> {
    buffer.clear();
    let mut read_any = false;
    let mut too_long = false;
    loop {
        let chunk = match reader.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok(match (read_any, too_long) {
                (false, _) => Line::End,
                (true, true) => Line::TooLong,
                (true, false) => Line::Unended,
            });
        }
        read_any = true;
        let end = memchr::memchr(b'\n', chunk);
        let part = &chunk[..end.unwrap_or(chunk.len())];
        if too_long || buffer.len() + part.len() > limit {
            too_long = true;
            buffer.clear();
        } else {
            buffer.extend_from_slice(part);
        }
        let used = end.map_or(chunk.len(), |at| at + 1);
        reader.consume(used);
        if end.is_some() {
            return Ok(if too_long { Line::TooLong } else { Line::Whole });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_skipped_and_the_next_ones_read() {
        let text = b"ab\n0123456789\n\ncd";
        let mut reader = io::BufReader::with_capacity(3, &text[..]);
        let mut buffer = Vec::new();
        let mut seen = Vec::new();
        loop {
            let line = next_line(&mut reader, &mut buffer, 5).unwrap();
            if line == Line::End {
                break;
            }
            seen.push((line, String::from_utf8(buffer.clone()).unwrap()));
        }
        let want = [(Line::Whole, "ab"), (Line::TooLong, ""), (Line::Whole, ""), (Line::Unended, "cd")];
        assert_eq!(seen, want.map(|(line, text)| (line, text.to_owned())));
    }
}
