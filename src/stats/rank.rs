//! Ranks with ties at their average.

/// Ascending ranks from 1, tied values at the average of the ranks they fill ("mid-ranks"; Kendall 1945,
/// Biometrika 33:239–251). Ties are exact: values that differ in their last digit are different.
///
/// `sizes` counts the values of each run of equals, in ascending order of value, single values included.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranks {
    /// Rank of each value, in input order; multiples of ½.
    pub ranks: Vec<f64>,
    /// Sizes of the groups of equal values.
    pub sizes: Vec<usize>,
}

impl Ranks {
    /// Ranks the values. NaN would rank last; callers check for finite values first.
    pub fn of(x: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..x.len()).collect();
        order.sort_by(|&a, &b| x[a].partial_cmp(&x[b]).unwrap_or_else(|| x[a].total_cmp(&x[b])));
        let mut ranks = vec![0.0; x.len()];
        let mut sizes = Vec::new();
        let mut before = 0;
        for group in order.chunk_by(|&a, &b| x[a] >= x[b]) {
            // The group fills ranks before+1 … before+k, whose mean this is.
            let rank = before as f64 + (group.len() + 1) as f64 / 2.0;
            for &i in group {
                ranks[i] = rank;
            }
            before += group.len();
            sizes.push(group.len());
        }
        Self { ranks, sizes }
    }

    /// `Σ(k³ − k)` over the groups of equal values: 0 without ties.
    pub(super) fn tie_term(&self) -> f64 {
        self.sizes.iter().map(|&k| k as f64).map(|k| k * k * k - k).sum()
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "ranks are exact")]
mod tests {
    use super::*;

    #[test]
    fn ties_share_the_mean_of_their_ranks() {
        let ranked = Ranks::of(&[3.0, 1.0, 3.0, -0.0, 0.0, 3.0]);
        assert_eq!(ranked.ranks, [5.0, 3.0, 5.0, 1.5, 1.5, 5.0]);
        assert_eq!(ranked.sizes, [2, 1, 3]);
        assert_eq!(ranked.tie_term(), 6.0 + 24.0);
        assert!(Ranks::of(&[]).ranks.is_empty());
    }
}
