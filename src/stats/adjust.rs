//! Many p-values: adjustment for multiple testing.

use super::undefined::{Quantity, Undefined};

/// Holm's step-down adjustment, which bounds the probability of any false rejection (family-wise error rate).
///
/// With the m defined p-values in ascending order, `adjustedᵢ = max_{j ≤ i} min(1, (m−j+1)·pⱼ)`; in [0, 1],
/// never below the raw value. Undefined entries (`None`) stay so and do not count towards m.
///
/// Reference: Holm 1979, Scand. J. Statist. 6:65–70.
///
/// # Errors
///
/// Undefined: a value outside [0, 1].
pub fn holm(p: &[Option<f64>]) -> Result<Vec<Option<f64>>, Undefined> {
    let order = ascending(p)?;
    let m = order.len();
    let mut adjusted = vec![None; p.len()];
    let mut so_far = 0.0_f64;
    for (i, entry) in order.iter().enumerate() {
        so_far = so_far.max(((m - i) as f64 * entry.p).min(1.0));
        adjusted[entry.place] = Some(so_far);
    }
    Ok(adjusted)
}

/// Benjamini and Hochberg's step-up adjustment, which bounds the expected share of false rejections (false
/// discovery rate) for independent or positively dependent tests.
///
/// With the m defined p-values in ascending order, `adjustedᵢ = min_{j ≥ i} min(1, m·pⱼ/j)`; in [0, 1], never
/// below the raw value. Undefined entries as in [`holm`].
///
/// Reference: Benjamini and Hochberg 1995, J. R. Statist. Soc. B 57:289–300.
///
/// # Errors
///
/// Undefined as [`holm`].
pub fn benjamini_hochberg(p: &[Option<f64>]) -> Result<Vec<Option<f64>>, Undefined> {
    let order = ascending(p)?;
    let m = order.len() as f64;
    let mut adjusted = vec![None; p.len()];
    let mut so_far = 1.0_f64;
    for (i, entry) in order.iter().enumerate().rev() {
        // m/rank first would round below the raw value for the last rank; max keeps the promise.
        so_far = so_far.min((m * entry.p / (i + 1) as f64).max(entry.p));
        adjusted[entry.place] = Some(so_far);
    }
    Ok(adjusted)
}

struct Entry {
    place: usize,
    p: f64,
}

/// The defined p-values in ascending order with their places.
fn ascending(p: &[Option<f64>]) -> Result<Vec<Entry>, Undefined> {
    let mut order = Vec::with_capacity(p.len());
    for (place, p) in p.iter().enumerate().filter_map(|(place, p)| p.map(|p| (place, p))) {
        if !(0.0..=1.0).contains(&p) {
            return Err(Undefined::OutOfRange { what: Quantity::PValue });
        }
        order.push(Entry { place, p });
    }
    order.sort_by(|a, b| a.p.total_cmp(&b.p));
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(got: &[Option<f64>], want: &[Option<f64>]) {
        let same = |(a, b): (&Option<f64>, &Option<f64>)| match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-15,
            (a, b) => a.is_none() && b.is_none(),
        };
        assert!(got.len() == want.len() && got.iter().zip(want).all(same), "{got:?} for {want:?}");
    }

    #[test]
    fn hand_worked_with_gaps() {
        // Defined, ascending: 0.01 0.02 0.03 0.04, m = 4.
        let p = [Some(0.04), None, Some(0.01), Some(0.03), Some(0.02)];
        // Holm: 4·0.01 = 0.04, 3·0.02 = 0.06, 2·0.03 = 0.06, 1·0.04 → 0.06.
        near(&holm(&p).unwrap(), &[Some(0.06), None, Some(0.04), Some(0.06), Some(0.06)]);
        // BH: 4·0.01/1 = 4·0.02/2 = 4·0.03/3 = 4·0.04/4 = 0.04.
        near(&benjamini_hochberg(&p).unwrap(), &[Some(0.04), None, Some(0.04), Some(0.04), Some(0.04)]);
    }

    #[test]
    fn nothing_to_adjust_and_impossible_values() {
        assert_eq!(holm(&[]), Ok(vec![]));
        assert_eq!(benjamini_hochberg(&[None]), Ok(vec![None]));
        for bad in [-0.1, 1.1, f64::NAN] {
            assert_eq!(holm(&[Some(bad)]), Err(Undefined::OutOfRange { what: Quantity::PValue }));
            assert!(benjamini_hochberg(&[Some(bad)]).is_err());
        }
    }
}
