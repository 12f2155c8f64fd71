//! How evenly counts are shared: Gini coefficient and Shannon entropy.

use super::numeric::{Sum, check, scale_of};
use super::undefined::{Quantity, Undefined};

/// Gini coefficient `G = Σ(2i−n−1)·x₍ᵢ₎ / (n·Σx)`, x₍ᵢ₎ the i-th smallest of n counts: 0 when all are equal,
/// (n−1)/n when one holds everything; without unit.
///
/// Reference: Gini 1912; the formula: Damgaard and Weiner 2000, Ecology 81:1139–1142.
///
/// # Errors
///
/// Undefined: no counts; all counts 0; a negative count; one that is not finite.
pub fn gini(counts: &[f64]) -> Result<f64, Undefined> {
    let scaled = check_counts(counts)?;
    let sorted = super::describe::sorted(&scaled);
    let n = sorted.len() as f64;
    let weighted: Sum =
        sorted.iter().enumerate().map(|(i, x)| (2.0 * (i + 1) as f64 - n - 1.0) * x).collect();
    let total: Sum = sorted.iter().copied().collect();
    Ok((weighted.value() / (n * total.value())).clamp(0.0, 1.0))
}

/// Shannon entropy `−Σ p·log₂ p` of the shares p of the counts, in bits, in [0, log₂ n]; a count of 0 adds 0.
///
/// Reference: Shannon 1948, Bell Syst. Tech. J. 27:379–423.
///
/// # Errors
///
/// Undefined as [`gini`].
pub fn entropy_bits(counts: &[f64]) -> Result<f64, Undefined> {
    Ok(entropy(counts)? / std::f64::consts::LN_2)
}

/// Normalised entropy `−Σ p·ln p / ln n` of the shares p of the n counts (zeros count towards n): 0 when one
/// holds everything, 1 when all are equal; without unit. Also called Pielou's evenness.
///
/// Reference: Pielou 1966, J. Theor. Biol. 13:131–144.
///
/// # Errors
///
/// Undefined as [`gini`], and for n = 1.
pub fn normalised_entropy(counts: &[f64]) -> Result<f64, Undefined> {
    let entropy = entropy(counts)?;
    if counts.len() < 2 {
        return Err(Undefined::TooFew { n: counts.len(), needed: 2 });
    }
    Ok((entropy / (counts.len() as f64).ln()).clamp(0.0, 1.0))
}

/// Entropy in nats.
fn entropy(counts: &[f64]) -> Result<f64, Undefined> {
    let scaled = check_counts(counts)?;
    let total = scaled.iter().copied().collect::<Sum>().value();
    let terms: Sum = scaled.iter().map(|x| x / total).filter(|p| *p > 0.0).map(|p| -p * p.ln()).collect();
    Ok(terms.value().max(0.0))
}

/// The counts scaled so that their sum is finite.
fn check_counts(counts: &[f64]) -> Result<Vec<f64>, Undefined> {
    check(counts, 1)?;
    if counts.iter().any(|x| *x < 0.0) {
        return Err(Undefined::OutOfRange { what: Quantity::Count });
    }
    if counts.iter().all(|x| *x <= 0.0) {
        return Err(Undefined::AllZero);
    }
    let scale = scale_of(counts);
    Ok(counts.iter().map(|x| x * scale).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(got: Result<f64, Undefined>, want: f64) {
        assert!((got.unwrap() - want).abs() <= 1e-15, "{got:?} for {want}");
    }

    #[test]
    fn hand_worked() {
        near(gini(&[5.0, 1.0, 3.0]), 8.0 / 27.0); // (−2·1 + 0·3 + 2·5) / (3·9)
        near(entropy_bits(&[2.0, 1.0, 1.0, 0.0]), 1.5); // ½·1 + 2·¼·2
        near(normalised_entropy(&[2.0, 1.0, 1.0, 0.0]), 0.75); // of 2 bits
        near(normalised_entropy(&[3.0; 7]), 1.0);
        near(entropy_bits(&[4.0]), 0.0);
        near(gini(&[1e308, 1e308]), 0.0);
    }

    #[test]
    fn undefined_has_a_reason() {
        for statistic in [gini, entropy_bits, normalised_entropy] {
            assert_eq!(statistic(&[]), Err(Undefined::Empty));
            assert_eq!(statistic(&[0.0, 0.0]), Err(Undefined::AllZero));
            assert_eq!(statistic(&[1.0, -1.0]), Err(Undefined::OutOfRange { what: Quantity::Count }));
            assert_eq!(statistic(&[1.0, f64::NAN]), Err(Undefined::NonFinite));
        }
        assert_eq!(normalised_entropy(&[2.0]), Err(Undefined::TooFew { n: 1, needed: 2 }));
    }
}
