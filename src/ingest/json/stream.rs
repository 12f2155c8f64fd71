//! A top-level array read record by record through one small buffer: memory does not grow with the file.

use std::io::Read;

use super::MAX_RECORD;
use super::lexer::{Lexer, Stop};

/// Bytes read at once. Small enough to stay in the second-level cache while it is parsed.
const CHUNK: usize = 256 << 10;

/// How the reading of a file ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StreamEnd {
    /// At the closing bracket.
    Closed,
    /// In the middle: the file is cut. Offset of the first byte that belongs to no whole record.
    Cut {
        /// Byte offset in the unpacked file.
        at: u64,
    },
    /// Not JSON from here on; what came before stands.
    Damaged {
        /// Byte offset in the unpacked file.
        at: u64,
        /// What was expected there.
        expected: &'static str,
    },
    /// Nested too deeply.
    TooDeep {
        /// Byte offset in the unpacked file.
        at: u64,
    },
    /// A record longer than [`MAX_RECORD`].
    TooLong {
        /// Byte offset of the record.
        at: u64,
    },
    /// Reading failed; what came before stands.
    Failed {
        /// Byte offset reached.
        at: u64,
        /// The reader's words.
        what: String,
    },
}

/// Reads the records of `[ … ]`, of several such arrays in a row, or of one object a line.
pub(crate) struct ArrayStream<R> {
    reader: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    base: u64,
    eof: bool,
    /// Arrays opened so far: a second one means that a resumed run was appended.
    pub(crate) arrays: u32,
    /// Whether the file starts with a byte-order mark.
    pub(crate) bom: bool,
    in_array: bool,
    comma_due: bool,
    failure: Option<String>,
    /// Blanks before the brace of records that begin a line.
    indent: Option<usize>,
    resumed: u32,
}

/// Deepest indentation of a record that is remembered.
const MAX_INDENT: usize = 64;

/// Most damaged records that are passed over in one file.
const MAX_RESUMED: u32 = 1000;

enum Next {
    Record,
    End,
}

impl<R: Read> ArrayStream<R> {
    /// A stream that uses `buffer` (its contents are lost), so that a thread keeps one buffer for all files.
    pub(crate) fn new(reader: R, mut buffer: Vec<u8>) -> Self {
        if buffer.len() < CHUNK {
            buffer.resize(CHUNK, 0);
        }
        Self {
            reader,
            buffer,
            start: 0,
            end: 0,
            base: 0,
            eof: false,
            arrays: 0,
            bom: false,
            in_array: false,
            comma_due: false,
            failure: None,
            indent: None,
            resumed: 0,
        }
    }

    /// Gives the buffer back.
    pub(crate) fn into_buffer(self) -> Vec<u8> {
        self.buffer
    }

    /// Bytes of the (unpacked) file that were taken so far.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.start as u64
    }

    /// Moves the rest to the front and reads more. False at the end of the file.
    fn refill(&mut self) -> bool {
        if self.eof {
            return false;
        }
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.base += self.start as u64;
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            let larger = (self.buffer.len() * 2).min(MAX_RECORD + CHUNK);
            if larger == self.buffer.len() {
                return false;
            }
            self.buffer.resize(larger, 0);
        }
        // Fill up: decompressors give little at a time, and each retry of a record starts at its beginning.
        let before = self.end;
        while self.end < self.buffer.len() && !self.eof {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.eof = true,
                Ok(n) => self.end += n,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(error.to_string());
                    self.eof = true;
                }
            }
        }
        self.end > before
    }

    fn cut(&self) -> StreamEnd {
        let at = self.offset();
        match &self.failure {
            Some(what) => StreamEnd::Failed { at, what: what.clone() },
            None if self.end - self.start >= MAX_RECORD => StreamEnd::TooLong { at },
            None => StreamEnd::Cut { at },
        }
    }

    fn stopped(&self, stop: Stop) -> StreamEnd {
        match stop {
            Stop::Incomplete => self.cut(),
            Stop::Syntax { at, expected } => StreamEnd::Damaged { at: self.offset() + at as u64, expected },
            Stop::TooDeep { at } => StreamEnd::TooDeep { at: self.offset() + at as u64 },
        }
    }

    /// Moves to the next record or to the end.
    fn advance(&mut self) -> Result<Next, StreamEnd> {
        if self.base == 0 && self.start == 0 && !self.bom && self.arrays == 0 {
            while self.end - self.start < 3 && self.refill() {}
            if self.buffer[self.start..self.end].starts_with(b"\xEF\xBB\xBF") {
                self.bom = true;
                self.start += 3;
            }
        }
        loop {
            let mut lexer = Lexer::new(&self.buffer[self.start..self.end]);
            let byte = match lexer.peek() {
                Ok(byte) => byte,
                Err(Stop::Incomplete) => {
                    self.start += lexer.pos();
                    if self.refill() {
                        continue;
                    }
                    // White space to the end: fine outside an array, a cut inside one.
                    let fine = !self.in_array && self.arrays > 0 && self.failure.is_none();
                    return if fine { Ok(Next::End) } else { Err(self.cut()) };
                }
                Err(stop) => return Err(self.stopped(stop)),
            };
            let space = lexer.pos();
            self.note_indent(space);
            self.start += space;
            match byte {
                b',' if self.in_array && self.comma_due => self.comma_due = false,
                b']' if self.in_array => self.in_array = false,
                b'[' if !self.in_array => {
                    self.in_array = true;
                    self.comma_due = false;
                    self.arrays += 1;
                }
                b'{' if self.in_array && !self.comma_due => return Ok(Next::Record),
                b'{' if !self.in_array => {
                    self.arrays = self.arrays.max(1); // one object a line
                    return Ok(Next::Record);
                }
                _ => {
                    let expected =
                        if self.in_array { "',' or ']' or a record" } else { "an array of records" };
                    return Err(self.stopped(Stop::Syntax { at: 0, expected }));
                }
            }
            self.start += 1;
        }
    }

    /// Looks at the white space of `len` bytes at the start: what follows its last end of line is an indentation.
    fn note_indent(&mut self, len: usize) {
        let space = &self.buffer[self.start..self.start + len];
        if let Some(line) = memchr::memrchr(b'\n', space)
            && len - line <= MAX_INDENT
            && space[line + 1..].iter().all(|&byte| byte == b' ')
        {
            self.indent = Some(len - line - 1);
        }
    }

    /// After damage: moves to the next line that begins like a record, and gives the number of bytes passed over. `None` where
    /// the records don't begin lines, or there is none left; then the file ends here.
    ///
    /// Inside a string an end of line is escaped, and what a record holds is indented further, so such a line is no part of
    /// another record.
    pub(crate) fn resume_after(&mut self, end: &StreamEnd) -> Option<u64> {
        let mut start = vec![b'\n'];
        start.resize(self.indent? + 1, b' ');
        start.push(b'{');
        let damaged = matches!(end, StreamEnd::Damaged { .. });
        if !damaged || self.arrays == 0 || self.resumed == MAX_RESUMED {
            return None;
        }
        let from = self.offset();
        loop {
            let rest = &self.buffer[self.start..self.end];
            // The record's own first byte is the brace, so its own line is not found again.
            if let Some(at) = memchr::memmem::find(rest, &start) {
                self.start += at + start.len() - 1;
                self.comma_due = false;
                self.resumed += 1;
                return Some(self.offset() - from);
            }
            self.start = self.end.saturating_sub(start.len() - 1).max(self.start);
            if !self.refill() {
                return None;
            }
        }
    }

    /// Parses the next record; false at the regular end. `parse` runs again from the record's start when the record
    /// straddles the buffer's end, so it must first clear what it writes to.
    pub(crate) fn next(
        &mut self,
        mut parse: impl FnMut(&mut Lexer<'_>) -> Result<(), Stop>,
    ) -> Result<bool, StreamEnd> {
        if matches!(self.advance()?, Next::End) {
            return Ok(false);
        }
        loop {
            let mut lexer = Lexer::new(&self.buffer[self.start..self.end]);
            match parse(&mut lexer) {
                Ok(()) => {
                    self.start += lexer.pos();
                    self.comma_due = self.in_array;
                    return Ok(true);
                }
                Err(Stop::Incomplete) if self.end - self.start < MAX_RECORD && self.refill() => {}
                Err(stop) => return Err(self.stopped(stop)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time, so that every record straddles every boundary.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let (Some((&first, rest)), Some(slot)) = (self.0.split_first(), out.first_mut()) else {
                return Ok(0);
            };
            *slot = first;
            self.0 = rest;
            Ok(1)
        }
    }

    /// Reads a record's members.
    fn members(lexer: &mut Lexer<'_>) -> Result<(), Stop> {
        let mut first = true;
        lexer.object()?;
        while lexer.key(&mut first)?.is_some() {
            lexer.skip()?;
        }
        Ok(())
    }

    fn read(text: &[u8]) -> (Vec<usize>, Result<bool, StreamEnd>, u32) {
        let mut stream = ArrayStream::new(Drip(text), Vec::new());
        let mut lengths = Vec::new();
        loop {
            let mut len = 0;
            match stream.next(|lexer| lexer.span().map(|span| len = span.len())) {
                Ok(true) => lengths.push(len),
                end => return (lengths, end, stream.arrays),
            }
        }
    }

    #[test]
    fn whole_arrays() {
        assert_eq!(read(b"[{}, {\"a\":1}\n]\n"), (vec![2, 7], Ok(false), 1));
        assert_eq!(read(b"\xEF\xBB\xBF[]"), (vec![], Ok(false), 1));
        assert_eq!(read(b"[{}][{}]"), (vec![2, 2], Ok(false), 2));
        assert_eq!(read(b"{}\n{}\n"), (vec![2, 2], Ok(false), 1));
    }

    #[test]
    fn reading_goes_on_at_the_next_record_that_begins_a_line() {
        let text = b"[\n  {\"a\": 1\n  },\n  {\"a\" ? {\n    {\n  },\n  {\"a\": 3\n  },\n  {\"b\n  },\n  {\"c\": 4}\n]";
        let mut stream = ArrayStream::new(Drip(text), Vec::new());
        let (mut records, mut passed) = (Vec::new(), Vec::new());
        let end = loop {
            let at = stream.offset();
            match stream.next(members) {
                Ok(true) => records.push(at),
                Ok(false) => break StreamEnd::Closed,
                Err(end) => match stream.resume_after(&end) {
                    Some(bytes) => passed.push(bytes),
                    None => break end,
                },
            }
        };
        assert_eq!(end, StreamEnd::Closed);
        // By hand: the second record has a '?' for its colon; the string of the fourth goes on to the fifth's first quote.
        assert_eq!(passed.len(), 2);
        assert_eq!(records.len(), 3);
        // Records that follow each other on one line are not told apart from what is inside them.
        let mut stream = ArrayStream::new(&b"[{\"a\" ?}, {}]"[..], Vec::new());
        let end = stream.next(members).unwrap_err();
        assert!(matches!(end, StreamEnd::Damaged { at: 6, .. }));
        assert_eq!(stream.resume_after(&end), None);
    }

    #[test]
    fn cut_and_damaged_files_keep_their_whole_records() {
        assert_eq!(read(b"[{}, {\"a\": [1"), (vec![2], Err(StreamEnd::Cut { at: 5 }), 1));
        assert_eq!(read(b"[{},"), (vec![2], Err(StreamEnd::Cut { at: 4 }), 1));
        assert_eq!(read(b""), (vec![], Err(StreamEnd::Cut { at: 0 }), 0));
        let (records, end, _) = read(b"[{} ?");
        assert_eq!(records, vec![2]);
        assert!(matches!(end, Err(StreamEnd::Damaged { at: 4, .. })), "{end:?}");
        let deep = [b"[{\"a\":".as_slice(), &b"[".repeat(200)].concat();
        assert!(matches!(read(&deep).1, Err(StreamEnd::TooDeep { .. })));
    }
}
