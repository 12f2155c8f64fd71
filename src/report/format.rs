//! Numbers as people read them: the one place that rounds.

/// What stands for an undefined value.
pub const UNDEFINED: &str = "–";

/// Most decimals that are ever shown.
const MOST_DECIMALS: usize = 6;

/// A number with so many decimals; a real minus sign, no `-0`, thin spaces between thousands; very large and very small
/// numbers as powers of ten.
pub fn fixed(x: f64, decimals: usize) -> String {
    if !x.is_finite() {
        return UNDEFINED.to_owned();
    }
    let size = x.abs();
    if size >= 1e9 || (size > 0.0 && size < 0.5 * 10f64.powi(-(MOST_DECIMALS as i32))) {
        return power_of_ten(x);
    }
    let text = format!("{size:.decimals$}");
    let zero = text.bytes().all(|b| matches!(b, b'0' | b'.'));
    let sign = if x < 0.0 && !zero { "−" } else { "" };
    format!("{sign}{}", group_thousands(&text))
}

fn power_of_ten(x: f64) -> String {
    let text = format!("{:.2e}", x.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let sign = if x < 0.0 { "−" } else { "" };
    format!("{sign}{mantissa}·10^{}", exponent.replace('-', "−"))
}

fn group_thousands(text: &str) -> String {
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    if whole.len() < 5 {
        return text.to_owned();
    }
    let mut out = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out + rest
}

/// Decimals that show `digits` significant digits of `x`.
pub fn decimals(x: f64, digits: i32) -> usize {
    if x == 0.0 || !x.is_finite() {
        return 0;
    }
    let magnitude = x.abs().log10().floor() as i32;
    (digits - 1 - magnitude).clamp(0, MOST_DECIMALS as i32) as usize
}

/// A number with four significant digits, whole numbers as they are.
pub fn number(x: f64) -> String {
    if x.fract() == 0.0 && x.abs() < 1e9 { fixed(x, 0) } else { fixed(x, decimals(x, 4)) }
}

/// The same, or a dash.
pub fn optional(x: Option<f64>) -> String {
    x.map_or_else(|| UNDEFINED.to_owned(), number)
}

/// Decimals for a column of numbers: two significant digits of the typical uncertainty (the median of those that are
/// not 0), or three of the typical value where there is none.
pub fn column_decimals(uncertainties: &[f64], values: &[f64]) -> usize {
    let typical = |xs: &[f64]| {
        let mut sizes: Vec<f64> = xs.iter().map(|x| x.abs()).filter(|x| *x > 0.0 && x.is_finite()).collect();
        sizes.sort_unstable_by(f64::total_cmp);
        sizes.get(sizes.len() / 2).copied()
    };
    if values.iter().chain(uncertainties).all(|x| x.fract() == 0.0) {
        return usize::from(typical(uncertainties).is_some());
    }
    match typical(uncertainties) {
        Some(size) => decimals(size, 2).min(4),
        None => typical(values).map_or(0, |size| decimals(size, 3).min(4)),
    }
}

/// An interval in brackets.
pub fn interval(low: f64, high: f64, decimals: usize) -> String {
    format!("[{}, {}]", fixed(low, decimals), fixed(high, decimals))
}

/// What a cell sorts by: nine significant digits, so that the page does not depend on the last bit of a sum.
pub fn sort_key(x: f64) -> String {
    format!("{:.8e}", x + 0.0) // −0 sorts as 0
}

/// A p-value: three decimals, or an upper bound.
pub fn p_value(p: f64) -> String {
    if p < 0.0005 { "< 0.001".to_owned() } else { fixed(p, 3) }
}

/// A p-value after the sign that belongs to it: `p = 0.012`, `p < 0.001`.
pub fn p_phrase(p: f64) -> String {
    if p < 0.0005 { "p < 0.001".to_owned() } else { format!("p = {}", fixed(p, 3)) }
}

/// Stars as the SwarmBench paper sets them: * p < 0.05, ** p < 0.01, *** p < 0.001.
pub fn stars(p: f64) -> &'static str {
    match p {
        p if p < 0.001 => "***",
        p if p < 0.01 => "**",
        p if p < 0.05 => "*",
        _ => "",
    }
}

/// `1 run`, `2 runs`.
pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", fixed(n as f64, 0), if n == 1 { one } else { many })
}

/// Bytes in decimal units.
pub fn bytes(n: u64) -> String {
    let n = n as f64;
    match n {
        n if n < 1e3 => format!("{} B", fixed(n, 0)),
        n if n < 1e6 => format!("{} kB", fixed(n / 1e3, 1)),
        n if n < 1e9 => format!("{} MB", fixed(n / 1e6, 1)),
        n => format!("{} GB", fixed(n / 1e9, 2)),
    }
}

/// `a`, `a and b`, `a, b and c`; past `most`, `a, b and 5 others`.
pub fn list(names: &[String], most: usize) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        names if names.len() > most => {
            let others = names.len() - most;
            format!("{} and {}", names[..most].join(", "), counted(others, "other", "others"))
        }
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(fixed(-0.0, 2), "0.00");
        assert_eq!(fixed(-0.001, 2), "0.00");
        assert_eq!(fixed(-1.5, 1), "−1.5");
        assert_eq!(fixed(1_234_567.0, 0), "1\u{202f}234\u{202f}567");
        assert_eq!(fixed(1e308, 2), "1.00·10^308");
        assert_eq!(fixed(5e-324, 2), "4.94·10^−324");
        assert_eq!(fixed(f64::NAN, 2), "–");
        assert_eq!(number(0.1 + 0.2), "0.3000");
        assert_eq!(number(42.0), "42");
        assert_eq!(optional(None), "–");
    }

    #[test]
    fn decimals_follow_the_uncertainty() {
        assert_eq!(column_decimals(&[0.123, 0.2], &[10.0]), 2);
        assert_eq!(column_decimals(&[12.0], &[120.5]), 0);
        assert_eq!(column_decimals(&[], &[3.0, 4.0]), 0);
        assert_eq!(column_decimals(&[], &[0.512]), 3);
        assert_eq!(column_decimals(&[0.0], &[0.667]), 3);
    }

    #[test]
    fn sort_keys_are_numbers_and_forget_the_last_bits() {
        assert_eq!(sort_key(0.1 + 0.2), sort_key(0.3));
        assert_eq!(sort_key(-0.0), sort_key(0.0));
        assert!((sort_key(-12.5).parse::<f64>().unwrap() + 12.5).abs() < 1e-12);
    }

    #[test]
    fn words() {
        assert_eq!(p_phrase(0.0001), "p < 0.001");
        assert_eq!(p_value(0.0499), "0.050");
        assert_eq!((stars(0.05), stars(0.0499), stars(0.0009)), ("", "*", "***"));
        let names: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!(list(&names, 5), "a, b and c");
        assert_eq!(list(&names, 2), "a, b and 1 other");
        assert_eq!(bytes(1_500_000), "1.5 MB");
    }
}
