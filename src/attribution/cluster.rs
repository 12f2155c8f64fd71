//! Clusters of correlated features: shuffling one of two that say the same shows little, shuffling both shows it all.

use rayon::prelude::*;

use super::matrix::Matrix;
use crate::stats::Ranks;

/// Two features belong together from this absolute Spearman correlation on.
pub const THRESHOLD: f64 = 0.7;

/// Clusters of two columns or more that are joined by |Spearman ρ| ≥ `threshold` (single linkage: the connected components
/// of that relation). Each cluster ascending, clusters by their first column. Constant columns stay alone.
pub fn spearman_clusters(x: &Matrix, threshold: f64) -> Vec<Vec<usize>> {
    // Ranks of each column, centred and scaled to length 1: a correlation is then a dot product.
    let unit_ranks: Vec<Option<Vec<f32>>> = (0..x.columns)
        .into_par_iter()
        .map(|column| {
            let values: Vec<f64> = x.column(column).into_iter().map(f64::from).collect();
            let mut ranks = Ranks::of(&values).ranks;
            let mean = f64::midpoint(values.len() as f64, 1.0);
            ranks.iter_mut().for_each(|rank| *rank -= mean);
            let norm = ranks.iter().map(|rank| rank * rank).sum::<f64>().sqrt();
            (norm > 0.0).then(|| ranks.iter().map(|rank| (rank / norm) as f32).collect())
        })
        .collect();
    let near: Vec<Vec<usize>> = (0..x.columns)
        .into_par_iter()
        .map(|a| {
            let Some(ranks) = &unit_ranks[a] else { return Vec::new() };
            let correlated = |b: &usize| {
                let dot = |other: &Vec<f32>| ranks.iter().zip(other).map(|(p, q)| p * q).sum::<f32>();
                // Single precision is good to about 1e-6 here; two equal columns must not miss a threshold of 1.
                unit_ranks[*b].as_ref().is_some_and(|other| f64::from(dot(other).abs()) >= threshold - 1e-5)
            };
            (a + 1..x.columns).filter(correlated).collect()
        })
        .collect();
    let mut root: Vec<usize> = (0..x.columns).collect();
    for (a, others) in near.iter().enumerate() {
        for &b in others {
            let (low, high) = (root[a].min(root[b]), root[a].max(root[b]));
            if low != high {
                root.iter_mut().filter(|root| **root == high).for_each(|root| *root = low);
            }
        }
    }
    (0..x.columns)
        .map(|first| (0..x.columns).filter(|&column| root[column] == first).collect::<Vec<_>>())
        .filter(|members| members.len() > 1)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_and_monotone_images_are_found_and_noise_is_not() {
        let mut stream = crate::stats::rng::Stream::new(1, "clusters");
        let mut values = Vec::new();
        for _ in 0..400 {
            let (a, b, c) = (stream.uniform() as f32, stream.uniform() as f32, stream.uniform() as f32);
            values.extend([a, b, a, 1.0, -b.powi(3), c]);
        }
        let x = Matrix { columns: 6, values };
        assert_eq!(spearman_clusters(&x, THRESHOLD), [vec![0, 2], vec![1, 4]]);
        assert_eq!(spearman_clusters(&x, 1.0), [vec![0, 2], vec![1, 4]]);
    }

    #[test]
    fn chains_are_joined() {
        // By hand: ranks 1 2 3 4 / 1 2 4 3 / 2 1 4 3 give ρ(0,1) = 0.8, ρ(1,2) = 0.8, ρ(0,2) = 0.6.
        let x = Matrix { columns: 3, values: vec![1., 1., 2., 2., 2., 1., 3., 4., 4., 4., 3., 3.] };
        assert_eq!(spearman_clusters(&x, 0.75), [vec![0, 1, 2]]);
        assert!(spearman_clusters(&x, 0.85).is_empty());
    }
}
