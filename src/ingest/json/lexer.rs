//! Tokens over a slice: the position only moves forward and every fault knows its offset.

use memchr::memchr;

use super::MAX_DEPTH;
use super::blocks::{BLOCK, Brackets, Strings};

/// Why reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The slice ends inside a value: more bytes are needed, or the file is cut.
    Incomplete,
    /// Not JSON at this offset of the slice.
    Syntax {
        /// Offset in the slice.
        at: usize,
        /// What was expected.
        expected: &'static str,
    },
    /// Nested deeper than [`MAX_DEPTH`].
    TooDeep {
        /// Offset in the slice.
        at: usize,
    },
}

/// A string between its quotes, escapes untouched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RawStr<'a> {
    /// The bytes between the quotes.
    pub(crate) bytes: &'a [u8],
}

/// A number as far as the log gave one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// A finite number.
    Finite(f64),
    /// `NaN`, `Infinity`, `-Infinity`, or a literal beyond the range of f64.
    NonFinite,
}

/// A value of which composites were skipped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scalar<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    Str(RawStr<'a>),
    /// An array or object, skipped.
    Composite,
}

/// Bytes of a string that are looked at one by one.
const SHORT: usize = 16;

/// Reads tokens from a slice.
#[derive(Clone, Debug)]
pub(crate) struct Lexer<'a> {
    bytes: &'a [u8],
    pos: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, pos: 0 }
    }

    /// Offset in the slice.
    pub(crate) fn pos(&self) -> usize {
        self.pos
    }

    fn syntax<T>(&self, expected: &'static str) -> Result<T, Stop> {
        Err(Stop::Syntax { at: self.pos, expected })
    }

    /// Skips white space and gives the next byte without taking it.
    #[inline]
    pub(crate) fn peek(&mut self) -> Result<u8, Stop> {
        match self.bytes.get(self.pos) {
            Some(&byte) if byte > b' ' => Ok(byte),
            _ => self.peek_past_space(),
        }
    }

    fn peek_past_space(&mut self) -> Result<u8, Stop> {
        const SPACE: u64 = 1 << b' ' | 1 << b'\n' | 1 << b'\r' | 1 << b'\t';
        const BLANKS: u64 = u64::from_ne_bytes([b' '; 8]);
        let mut pos = self.pos;
        loop {
            let Some(&byte) = self.bytes.get(pos) else {
                self.pos = pos;
                return Err(Stop::Incomplete);
            };
            if byte > b' ' || (SPACE >> byte) & 1 == 0 {
                self.pos = pos;
                return if byte > b' ' { Ok(byte) } else { self.syntax("a value") };
            }
            pos += 1;
            // Pretty-printing indents with blanks: eight at a time.
            while let Some(eight) = self.bytes.get(pos..).and_then(<[u8]>::first_chunk::<8>) {
                let others = u64::from_le_bytes(*eight) ^ BLANKS;
                pos += (others.trailing_zeros() / 8) as usize;
                if others != 0 {
                    break;
                }
            }
        }
    }

    /// Takes `byte`, after white space.
    pub(crate) fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), Stop> {
        if self.peek()? == byte {
            self.pos += 1;
            return Ok(());
        }
        self.syntax(expected)
    }

    /// Takes `byte` if it comes next.
    pub(crate) fn take(&mut self, byte: u8) -> Result<bool, Stop> {
        let there = self.peek()? == byte;
        self.pos += usize::from(there);
        Ok(there)
    }

    /// A string. Only quotes are looked for: a quote ends the string unless an odd number of backslashes precedes it.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<RawStr<'a>, Stop> {
        if self.peek()? != b'"' {
            return self.syntax("a string");
        }
        let start = self.pos + 1;
        let end = self.string_end(start)?;
        self.pos = end + 1;
        Ok(RawStr { bytes: &self.bytes[start..end] })
    }

    /// Offset of the quote that ends a string whose first byte is at `start`.
    #[inline]
    fn string_end(&self, start: usize) -> Result<usize, Stop> {
        // Keys and the cells of grids are short: look at some bytes before starting a wide search.
        for at in start..start + SHORT {
            match self.bytes.get(at) {
                Some(b'"') => return Ok(at),
                Some(b'\\') | None => break,
                Some(_) => {}
            }
        }
        let mut from = start;
        loop {
            let Some(found) = memchr(b'"', &self.bytes[from..]) else { return Err(Stop::Incomplete) };
            let quote = from + found;
            let slashes = self.bytes[start..quote].iter().rev().take_while(|&&b| b == b'\\').count();
            if slashes % 2 == 0 {
                return Ok(quote);
            }
            from = quote + 1;
        }
    }

    /// A value whose composites are skipped.
    pub(crate) fn scalar(&mut self) -> Result<Scalar<'a>, Stop> {
        match self.peek()? {
            b'"' => self.string().map(Scalar::Str),
            b'{' | b'[' => self.skip_composite().map(|()| Scalar::Composite),
            _ => self.literal(),
        }
    }

    /// Skips any value.
    #[inline]
    pub(crate) fn skip(&mut self) -> Result<(), Stop> {
        match self.peek()? {
            b'"' => {
                self.pos = self.string_end(self.pos + 1)? + 1;
                Ok(())
            }
            b'{' | b'[' => self.skip_composite(),
            _ => {
                let word = self.word()?;
                if !is_number(word) {
                    return self.literal().map(|_| ());
                }
                self.pos += word.len();
                Ok(())
            }
        }
    }

    /// Skips any value and gives its bytes.
    pub(crate) fn span(&mut self) -> Result<&'a [u8], Stop> {
        self.peek()?;
        let start = self.pos;
        self.skip()?;
        Ok(&self.bytes[start..self.pos])
    }

    /// Skips an array or object by counting brackets outside strings; iterative, so that depth costs no stack.
    fn skip_composite(&mut self) -> Result<(), Stop> {
        let (blocks, rest) = self.bytes[self.pos..].as_chunks::<BLOCK>();
        let mut last = [0; BLOCK]; // the zeros after the rest are no brackets
        last[..rest.len()].copy_from_slice(rest);
        let (mut strings, mut depth, mut pos) = (Strings::default(), 0, self.pos);
        for block in blocks.iter().chain([&last]) {
            let Brackets { mut opens, mut closes } = strings.brackets(block);
            let (up, down) = (opens.count_ones() as usize, closes.count_ones() as usize);
            if down >= depth || depth + up > MAX_DEPTH {
                // It may end here, or go too deep: one bracket after the other.
                while opens | closes != 0 {
                    let at = (opens | closes).trailing_zeros();
                    if opens >> at & 1 == 1 {
                        depth += 1;
                        if depth > MAX_DEPTH {
                            return Err(Stop::TooDeep { at: pos + at as usize });
                        }
                    } else {
                        depth -= 1;
                        if depth == 0 {
                            self.pos = pos + at as usize + 1;
                            return Ok(());
                        }
                    }
                    opens &= !(1 << at);
                    closes &= !(1 << at);
                }
            } else {
                depth = depth + up - down;
            }
            pos += BLOCK;
        }
        Err(Stop::Incomplete)
    }

    /// A number, `true`, `false`, `null`, or a bare non-finite token as Python's `json.dump` writes it.
    fn literal(&mut self) -> Result<Scalar<'a>, Stop> {
        let word = self.word()?;
        let value = match word {
            b"null" => Scalar::Null,
            b"true" => Scalar::Bool(true),
            b"false" => Scalar::Bool(false),
            b"NaN" | b"nan" | b"Infinity" | b"-Infinity" | b"inf" | b"-inf" => {
                Scalar::Number(Number::NonFinite)
            }
            word => match parse_number(word) {
                Some(number) => Scalar::Number(number),
                None => return self.syntax("a value"),
            },
        };
        self.pos += word.len();
        Ok(value)
    }

    /// The letters, digits and signs that come next, not taken.
    #[inline]
    fn word(&self) -> Result<&'a [u8], Stop> {
        let rest = &self.bytes[self.pos..];
        let len = rest
            .iter()
            .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.')))
            .ok_or(Stop::Incomplete)?; // a literal that touches the end may go on
        Ok(&rest[..len])
    }

    /// Enters an object; then [`Lexer::key`] until it gives `None`.
    pub(crate) fn object(&mut self) -> Result<(), Stop> {
        self.expect(b'{', "an object")
    }

    /// The next key of the object entered last, with its colon taken; `None` at the closing brace.
    #[inline]
    pub(crate) fn key(&mut self, first: &mut bool) -> Result<Option<RawStr<'a>>, Stop> {
        if self.take(b'}')? {
            return Ok(None);
        }
        if !*first {
            self.expect(b',', "',' or '}'")?;
            if self.take(b'}')? {
                return Ok(None); // a trailing comma does no harm
            }
        }
        *first = false;
        let key = self.string()?;
        self.expect(b':', "':'")?;
        Ok(Some(key))
    }

    /// Enters an array; then [`Lexer::item`] until it gives false.
    pub(crate) fn array(&mut self) -> Result<(), Stop> {
        self.expect(b'[', "an array")
    }

    /// Whether another item follows in the array entered last.
    pub(crate) fn item(&mut self, first: &mut bool) -> Result<bool, Stop> {
        if self.take(b']')? {
            return Ok(false);
        }
        if !*first {
            self.expect(b',', "',' or ']'")?;
            if self.take(b']')? {
                return Ok(false);
            }
        }
        *first = false;
        Ok(true)
    }
}

/// Whether this is a plain number, digits with at most one point: what a skipped literal mostly is.
fn is_number(word: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
    let unsigned = word.strip_prefix(b"-").unwrap_or(word);
    let whole = memchr(b'.', unsigned).unwrap_or(unsigned.len());
    whole > 0 && digits(&unsigned[..whole]) && digits(unsigned.get(whole + 1..).unwrap_or_default())
}

/// A JSON number; integers of up to 15 digits take a short way that is exact.
pub(super) fn parse_number(word: &[u8]) -> Option<Number> {
    let (negative, digits) = match word {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, word),
    };
    if !digits.first()?.is_ascii_digit() {
        return None;
    }
    if digits.len() <= 15 && digits.iter().all(u8::is_ascii_digit) {
        let value = digits.iter().fold(0u64, |n, d| n * 10 + u64::from(d - b'0')) as f64;
        return Some(Number::Finite(if negative { -value } else { value }));
    }
    let value: f64 = std::str::from_utf8(word).ok()?.parse().ok()?;
    Some(if value.is_finite() { Number::Finite(value) } else { Number::NonFinite })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scalar(text: &str) -> Result<Scalar<'_>, Stop> {
        Lexer::new(text.as_bytes()).scalar()
    }

    #[test]
    fn literals() {
        for (text, value) in
            [("12,", 12.0), ("-3,", -3.0), ("5e-324,", 5e-324), ("1e+308 ", 1e308), ("0.1]", 0.1)]
        {
            assert_eq!(scalar(text), Ok(Scalar::Number(Number::Finite(value))), "{text}");
        }
        for text in ["NaN,", "-Infinity}", "1e999,"] {
            assert_eq!(scalar(text), Ok(Scalar::Number(Number::NonFinite)), "{text}");
        }
        assert!(
            matches!(scalar("-0.0,"), Ok(Scalar::Number(Number::Finite(z))) if z == 0.0 && z.is_sign_negative())
        );
        assert_eq!(scalar("12"), Err(Stop::Incomplete));
        assert!(matches!(scalar("nope,"), Err(Stop::Syntax { at: 0, .. })));
        assert!(matches!(scalar("+1,"), Err(Stop::Syntax { .. })));
    }

    #[test]
    fn what_is_skipped_has_to_be_a_value() {
        for text in ["12,", "-3.5,", "1e5,", "1., ", "null,", "NaN]", "true}"] {
            assert_eq!(Lexer::new(text.as_bytes()).skip(), Ok(()), "{text}");
        }
        for text in ["-,", "1.2.3,", ".5,", "12a,", "nope,", "+1,", "1-2,"] {
            let skipped = Lexer::new(text.as_bytes()).skip();
            assert_eq!(skipped, scalar(text).map(|_| ()), "{text}");
            assert!(matches!(skipped, Err(Stop::Syntax { at: 0, .. })), "{text}");
        }
    }

    #[test]
    fn white_space_is_blanks_tabs_and_ends_of_lines_only() {
        for n in 0..40 {
            let text = format!("\r\n\t{}[\n{}]7,", " ".repeat(n), " ".repeat(n));
            let mut lexer = Lexer::new(text.as_bytes());
            assert_eq!(lexer.peek(), Ok(b'['), "{n}");
            assert_eq!(lexer.skip(), Ok(()));
            assert_eq!(lexer.peek(), Ok(b'7'));
            let text = format!("{}\u{b}7,", " ".repeat(n));
            assert!(matches!(Lexer::new(text.as_bytes()).peek(), Err(Stop::Syntax { at, .. }) if at == n));
        }
    }

    #[test]
    fn strings_end_at_the_first_quote_that_is_not_escaped() {
        for (text, inner) in [
            (r#""" "#, ""),
            (r#""a""#, "a"),
            (r#""a\"b""#, r#"a\"b"#),
            (r#""a\\""#, r"a\\"),
            (r#""\\\"x""#, r#"\\\"x"#),
            (r#""\"""#, r#"\""#),
        ] {
            assert_eq!(scalar(text), Ok(Scalar::Str(RawStr { bytes: inner.as_bytes() })), "{text}");
        }
        assert_eq!(scalar(r#""abc\""#), Err(Stop::Incomplete));
    }

    #[test]
    fn composites_are_skipped_and_depth_is_bounded() {
        let mut lexer = Lexer::new(br#"[{"a":"]"},[1,2]] 7,"#);
        assert_eq!(lexer.scalar(), Ok(Scalar::Composite));
        assert_eq!(lexer.scalar(), Ok(Scalar::Number(Number::Finite(7.0))));
        let deep = "[".repeat(20_000);
        assert!(matches!(scalar(&deep), Err(Stop::TooDeep { at: MAX_DEPTH })));
    }
}
