//! JSON text as Python's `json.dump` writes it: ASCII only; in logs an indent of two, in the meta log none.

use std::fmt::Write;

/// Appends a quoted string, with everything beyond ASCII escaped.
pub(super) fn push_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='\u{7f}' => out.push(c),
            _ => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
}

/// Appends a list of one-line items at this depth, or `[]`.
pub(super) fn push_list<T>(
    out: &mut String,
    depth: usize,
    items: impl Iterator<Item = T>,
    mut push_item: impl FnMut(&mut String, T),
) {
    let mut any = false;
    out.push('[');
    for item in items {
        out.push_str(if any { ",\n" } else { "\n" });
        push_indent(out, depth + 1);
        push_item(out, item);
        any = true;
    }
    if any {
        out.push('\n');
        push_indent(out, depth);
    }
    out.push(']');
}

/// Appends the line break and key of an object's member at this depth.
pub(super) fn push_key(out: &mut String, depth: usize, key: &str, first: bool) {
    out.push_str(if first { "\n" } else { ",\n" });
    push_indent(out, depth);
    out.push('"');
    out.push_str(key);
    out.push_str("\": ");
}

/// Appends the indent of a depth.
pub(super) fn push_indent(out: &mut String, depth: usize) {
    for _ in 0..depth {
        out.push_str("  ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_as_by_python() {
        // python3.11 -c 'import json; print(json.dumps("a\"\\\n\u00e9\U0001f600\x7f"))'
        let mut out = String::new();
        push_text(&mut out, "a\"\\\né😀\u{7f}");
        assert_eq!(out, "\"a\\\"\\\\\\n\\u00e9\\ud83d\\ude00\u{7f}\"");
    }

    #[test]
    fn lists_are_laid_out_as_by_python() {
        // json.dumps([1, 2], indent=2) and json.dumps([], indent=2)
        let mut out = String::new();
        push_list(&mut out, 0, [1, 2].iter(), |out, n| out.push_str(&n.to_string()));
        push_list(&mut out, 0, std::iter::empty::<i32>(), |_, _| {});
        assert_eq!(out, "[\n  1,\n  2\n][]");
    }
}
