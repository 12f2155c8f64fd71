//! Tokens over a slice: the position only moves forward and every fault knows its offset.

use memchr::memchr;

use super::MAX_DEPTH;

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

/// Eight blanks, as pretty-printing indents with.
const BLANKS: [u8; 8] = [b' '; 8];

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
        let mut pos = self.pos;
        loop {
            if self.bytes.get(pos..pos + 8) == Some(&BLANKS) {
                pos += 8;
                continue;
            }
            let Some(&byte) = self.bytes.get(pos) else {
                self.pos = pos;
                return Err(Stop::Incomplete);
            };
            if byte > b' ' || (SPACE >> byte) & 1 == 0 {
                self.pos = pos;
                return if byte > b' ' { Ok(byte) } else { self.syntax("a value") };
            }
            pos += 1;
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
            _ => self.literal().map(|_| ()),
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
        let mut depth = 0usize;
        let mut pos = self.pos;
        while let Some(&byte) = self.bytes.get(pos) {
            match byte {
                b'"' => pos = self.string_end(pos + 1)?,
                b'[' | b'{' => {
                    depth += 1;
                    if depth > MAX_DEPTH {
                        return Err(Stop::TooDeep { at: pos });
                    }
                }
                b']' | b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        self.pos = pos + 1;
                        return Ok(());
                    }
                }
                b' ' => {
                    while self.bytes.get(pos..pos + 8) == Some(&BLANKS) {
                        pos += 8;
                    }
                    pass_blanks(self.bytes, &mut pos);
                    continue;
                }
                _ => {}
            }
            pos += 1;
        }
        Err(Stop::Incomplete)
    }

    /// A number, `true`, `false`, `null`, or a bare non-finite token as Python's `json.dump` writes it.
    fn literal(&mut self) -> Result<Scalar<'a>, Stop> {
        let rest = &self.bytes[self.pos..];
        let len = rest
            .iter()
            .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.')))
            .ok_or(Stop::Incomplete)?; // a literal that touches the end may go on
        let value = match &rest[..len] {
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
        self.pos += len;
        Ok(value)
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

/// Moves past the blanks at `pos`.
#[inline]
fn pass_blanks(bytes: &[u8], pos: &mut usize) {
    while bytes.get(*pos) == Some(&b' ') {
        *pos += 1;
    }
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
