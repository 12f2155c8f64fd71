//! Decoding of strings: escapes, surrogates, invalid UTF-8.

use std::borrow::Cow;

use super::RawStr;

/// What had to be replaced while decoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Repair {
    /// Sequences that are not UTF-8, each replaced by U+FFFD.
    pub(crate) invalid_utf8: u32,
    /// Escapes without meaning (lone surrogates, `\x`), each replaced by U+FFFD.
    pub(crate) bad_escapes: u32,
}

impl Repair {
    /// Whether anything was replaced.
    pub(crate) fn any(self) -> bool {
        self.invalid_utf8 > 0 || self.bad_escapes > 0
    }
}

/// The text of a string; borrowed where it has no escape and is valid UTF-8.
pub(crate) fn decode<'a>(raw: RawStr<'a>, repair: &mut Repair) -> Cow<'a, str> {
    let valid = match std::str::from_utf8(raw.bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            let text = String::from_utf8_lossy(raw.bytes);
            let kept = raw.bytes.windows(3).filter(|w| *w == "\u{FFFD}".as_bytes()).count();
            repair.invalid_utf8 += (text.matches('\u{FFFD}').count() - kept) as u32;
            text
        }
    };
    if memchr::memchr(b'\\', valid.as_bytes()).is_none() {
        return valid;
    }
    let mut out = String::with_capacity(valid.len());
    let mut rest: &str = &valid;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        let (decoded, used) = escape(&rest[at..]);
        out.push(decoded.unwrap_or_else(|| {
            repair.bad_escapes += 1;
            '\u{FFFD}'
        }));
        rest = &rest[at + used..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The character of the escape that `text` starts with, and its length in bytes.
fn escape(text: &str) -> (Option<char>, usize) {
    let mut chars = text.chars();
    chars.next();
    let Some(kind) = chars.next() else { return (None, text.len()) };
    let simple = match kind {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        '"' | '\\' | '/' => kind,
        'u' => return unicode(text),
        _ => return (None, 1 + kind.len_utf8()),
    };
    (Some(simple), 2)
}

fn unicode(text: &str) -> (Option<char>, usize) {
    let unit = |at: usize| {
        let digits = text.get(at..at + 4)?;
        digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    };
    match unit(2) {
        None => (None, 2),
        Some(high @ 0xD800..=0xDBFF) => match (text.get(6..8), unit(8)) {
            (Some("\\u"), Some(low @ 0xDC00..=0xDFFF)) => {
                (char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)), 12)
            }
            _ => (None, 6),
        },
        Some(code) => (char::from_u32(code), 6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> (String, Repair) {
        let mut repair = Repair::default();
        let text = decode(RawStr { bytes }, &mut repair).into_owned();
        (text, repair)
    }

    #[test]
    fn escapes() {
        assert_eq!(text(br#"a\n\"\\\/\u00e9\ud83d\ude00z"#).0, "a\n\"\\/é😀z");
        assert_eq!(text(b"plain"), ("plain".into(), Repair::default()));
    }

    #[test]
    fn damage_becomes_replacement_characters_and_is_counted() {
        let (out, repair) = text(br"x\ud83dy\qz\u12");
        assert_eq!((out.as_str(), repair.bad_escapes), ("x\u{FFFD}y\u{FFFD}z\u{FFFD}12", 3));
        let (out, repair) = text(b"caf\xE9 \xEF\xBF\xBD");
        assert_eq!((out.as_str(), repair.invalid_utf8), ("caf\u{FFFD} \u{FFFD}", 1));
    }
}
