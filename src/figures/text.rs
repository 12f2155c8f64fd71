//! Text of figures: cleaning what comes from logs, estimating widths, shortening, and writing numbers.

/// Advance widths of Helvetica in 1/1000 em for U+0020 to U+007E (Adobe Core 14 font metrics).
const HELVETICA: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// Room for other fonts of the stack, which run up to a sixth wider (DejaVu Sans).
const SAFETY: f64 = 1.17;

/// Estimated width of `text` in points at this size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let units: f64 = text.chars().map(advance).sum();
    units * size * SAFETY / 1000.0
}

fn advance(c: char) -> f64 {
    match c {
        ' '..='~' => f64::from(HELVETICA[c as usize - 0x20]),
        '\u{300}'..='\u{36F}' | '\u{200B}'..='\u{200D}' | '\u{FE00}'..='\u{FE0F}' => 0.0,
        '\u{2009}' | '\u{202F}' => 200.0,
        '…' => 1000.0,
        '\u{1100}'..='\u{11FF}' | '\u{2E80}'..='\u{FFFD}' | '\u{1F000}'..='\u{3FFFF}' => 1050.0,
        '\u{A0}'..='\u{24F}' => 620.0,
        _ => 700.0,
    }
}

/// Text that is fit for an XML document and can't change the reading order of its surroundings: line breaks and tabs become
/// spaces, other controls, noncharacters and bidirectional overrides the replacement character. Escaping comes later.
pub(super) fn clean(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\r' | '\t' | '\u{85}' | '\u{2028}' | '\u{2029}' => ' ',
            c if c.is_control() => '\u{FFFD}',
            '\u{FFFE}'
            | '\u{FFFF}'
            | '\u{200E}'
            | '\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2066}'..='\u{2069}' => '\u{FFFD}',
            c => c,
        })
        .collect()
}

/// Escapes cleaned text for element content and attributes.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            c => out.push(c),
        }
    }
    out
}

/// The text, cut in its middle to at most `room` points; names of models and features differ at their ends.
pub(super) fn shorten(text: &str, room: f64, size: f64) -> String {
    let text = clean(text);
    // Nobody reads more, and a log can hold a name of megabytes.
    let head: Vec<char> = text.chars().take(400).collect();
    if head.len() < 400 && width(&text, size) <= room {
        return text;
    }
    let tail: Vec<char> = {
        let mut reversed: Vec<char> = text.chars().rev().take(400).collect();
        reversed.reverse();
        reversed
    };
    let mut best = "…".to_owned();
    for kept in 2..head.len() {
        let front = kept.div_ceil(2);
        let candidate: String = head[..front]
            .iter()
            .chain(std::iter::once(&'…'))
            .chain(&tail[tail.len() - (kept - front)..])
            .collect();
        if width(&candidate, size) > room {
            break;
        }
        best = candidate;
    }
    best
}

const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

fn power_of_ten(exponent: i32) -> String {
    let mut out = String::from("10");
    if exponent < 0 {
        out.push('⁻');
    }
    for digit in exponent.unsigned_abs().to_string().bytes() {
        out.push(SUPERSCRIPTS[usize::from(digit - b'0')]);
    }
    out
}

/// Puts a real minus sign, and no sign at a zero.
fn signed(negative: bool, digits: &str) -> String {
    let zero = digits.chars().all(|c| matches!(c, '0' | '.'));
    if negative && !zero { format!("−{digits}") } else { digits.to_owned() }
}

fn exponent(value: f64) -> i32 {
    if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 }
}

fn scientific(value: f64, decimals: usize) -> String {
    // Rust's own formatting splits mantissa and exponent exactly, also for subnormal numbers.
    let text = format!("{:.*e}", decimals, value.abs());
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa = trim(mantissa);
    let power = power_of_ten(power.parse().unwrap_or(0));
    let digits = if mantissa == "1" { power } else { format!("{mantissa}×{power}") };
    signed(value < 0.0, &digits)
}

fn trim(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

/// Writes a value for a reader with `significant` digits at most: `0.3`, `1 250`, `−2.5×10⁻⁷`.
pub(super) fn number(value: f64, significant: usize) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let significant = significant.max(1);
    let power = exponent(value);
    if !(-4..9).contains(&power) {
        return scientific(value, significant - 1);
    }
    let decimals = (significant as i32 - 1 - power).max(0) as usize;
    let text = format!("{:.*}", decimals, value.abs());
    signed(value < 0.0, &grouped(trim(&text)))
}

/// Writes a value with exactly this many decimals, without a leading sign at zero.
pub(super) fn number_fixed(value: f64, decimals: usize) -> String {
    signed(value < 0.0, &format!("{:.*}", decimals, value.abs()))
}

/// Thin spaces between groups of three digits, from five digits on.
fn grouped(digits: &str) -> String {
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    if whole.len() < 5 {
        return digits.to_owned();
    }
    let mut out = String::new();
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push('\u{202F}');
        }
        out.push(c);
    }
    out + rest
}

/// Labels of ticks that are `step` apart, all with the same decimals and the same suffix.
pub(super) fn tick_labels(ticks: &[f64], step: f64) -> Vec<String> {
    let largest = ticks.iter().fold(0.0_f64, |m, t| m.max(t.abs()));
    let (power, step_power) = (exponent(largest), exponent(step * 1.000_001));
    if largest == 0.0 || step <= 0.0 {
        return ticks.iter().map(|&t| number(t, 6)).collect();
    }
    if power >= 15 || step_power < -5 {
        let decimals = (power - step_power).clamp(0, 6) as usize;
        return ticks
            .iter()
            .map(|&t| if t == 0.0 { "0".to_owned() } else { scientific(t, decimals) })
            .collect();
    }
    let (divisor, suffix) = match power {
        12.. => (1e12, "T"),
        9.. => (1e9, "G"),
        6.. => (1e6, "M"),
        4.. => (1e3, "k"),
        _ => (1.0, ""),
    };
    let decimals = (-exponent(step * 1.000_001 / divisor)).max(0) as usize;
    if decimals > 3 && divisor > 1.0 {
        let decimals = (-step_power).max(0) as usize;
        return ticks
            .iter()
            .map(|&t| signed(t < 0.0, &grouped(&format!("{:.*}", decimals, t.abs()))))
            .collect();
    }
    let label = |t: f64| {
        let digits = format!("{:.*}", decimals, t.abs() / divisor);
        let text = signed(t < 0.0, &digits);
        if t == 0.0 { "0".to_owned() } else { text + suffix }
    };
    ticks.iter().map(|&t| label(t)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_without_float_noise() {
        let cases = [
            (0.1 + 0.2, 4, "0.3"),
            (-0.0, 4, "0"),
            (1.0 / 3.0, 3, "0.333"),
            (1234.5, 4, "1234"),
            (12_345.6, 6, "12\u{202F}345.6"),
            (-2.5e-7, 3, "−2.5×10⁻⁷"),
            (1e308, 3, "10³⁰⁸"),
            (5e-324, 3, "4.94×10⁻³²⁴"),
            (f64::NAN, 3, "–"),
        ];
        for (value, digits, text) in cases {
            assert_eq!(number(value, digits), text, "{value:e}");
        }
    }

    #[test]
    fn ticks_share_decimals_and_suffix() {
        assert_eq!(tick_labels(&[0.0, 0.1 + 0.2, 0.6], 0.3), ["0", "0.3", "0.6"]);
        assert_eq!(tick_labels(&[-0.5, 0.0, 0.5], 0.5), ["−0.5", "0", "0.5"]);
        assert_eq!(tick_labels(&[0.0, 5e5, 1e6], 5e5), ["0", "0.5M", "1.0M"]);
        assert_eq!(tick_labels(&[0.0, 2e4, 4e4], 2e4), ["0", "20k", "40k"]);
        assert_eq!(
            tick_labels(&[1_000_001.0, 1_000_002.0], 1.0),
            ["1\u{202F}000\u{202F}001", "1\u{202F}000\u{202F}002"]
        );
        assert_eq!(tick_labels(&[0.0, 2e-7], 2e-7), ["0", "2×10⁻⁷"]);
        assert_eq!(tick_labels(&[0.0, 5e307, 1e308], 5e307), ["0", "5×10³⁰⁷", "10³⁰⁸"]);
    }

    #[test]
    fn hostile_text_becomes_plain_text() {
        assert_eq!(
            escape("<a href='x'>&\"\u{0}\u{1b}[31m\n"),
            "&lt;a href=&apos;x&apos;&gt;&amp;&quot;\u{FFFD}\u{FFFD}[31m "
        );
        assert_eq!(clean("a\u{202E}b\u{FFFF}"), "a\u{FFFD}b\u{FFFD}");
    }

    #[test]
    fn long_names_keep_their_ends() {
        let name = "provider/family-with-a-very-long-name-2025-05-14-preview";
        let short = shorten(name, 80.0, 8.0);
        assert!(short.starts_with("provider") && short.ends_with("preview"), "{short}");
        assert!(width(&short, 8.0) <= 80.0);
        assert_eq!(shorten("short", 80.0, 8.0), "short");
        assert!(width(&shorten(&"x".repeat(1_000_000), 80.0, 8.0), 8.0) <= 80.0);
    }
}
