//! What must hold for any data.

use proptest::prelude::*;
use swarm_analyze::stats::{self, Bootstrap};

/// Values on a grid of quarters, so that ties occur and affine maps by powers of two are exact.
fn grid() -> impl Strategy<Value = f64> {
    (-200i32..200).prop_map(|v| f64::from(v) / 4.0)
}

fn sample(range: std::ops::Range<usize>) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(grid(), range)
}

fn pairs() -> impl Strategy<Value = Vec<(f64, f64)>> {
    prop::collection::vec((grid(), grid()), 0..40)
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1.0)
}

/// Wagner and Fischer's table, row by row: the definition, slow and plain.
fn table_distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn correlations_are_in_range_and_symmetric(data in pairs()) {
        let (x, y): (Vec<f64>, Vec<f64>) = data.into_iter().unzip();
        for statistic in [stats::pearson, stats::spearman] {
            let Ok(found) = statistic(&x, &y) else { continue };
            prop_assert!((-1.0..=1.0).contains(&found.r) && (0.0..=1.0).contains(&found.p));
            if let Some(interval) = found.interval.value() {
                prop_assert!(interval.contains(found.r) && interval.low >= -1.0 && interval.high <= 1.0);
            }
            let turned = statistic(&y, &x).unwrap();
            prop_assert!(near(found.r, turned.r, 1e-12) && near(found.p, turned.p, 1e-9));
        }
    }

    #[test]
    fn correlations_survive_affine_maps(data in pairs(), factor in 0.01..100.0_f64, shift in -50.0..50.0_f64) {
        let (x, y): (Vec<f64>, Vec<f64>) = data.into_iter().unzip();
        let mapped: Vec<f64> = x.iter().map(|v| v * factor + shift).collect();
        let mirrored: Vec<f64> = x.iter().map(|v| -v).collect();
        if let Ok(found) = stats::pearson(&x, &y) {
            prop_assert!(near(found.r, stats::pearson(&mapped, &y).unwrap().r, 1e-9));
            prop_assert!(near(found.r, -stats::pearson(&mirrored, &y).unwrap().r, 1e-12));
        }
        if let Ok(found) = stats::spearman(&x, &y) {
            // Any rising function leaves ranks alone.
            let bent: Vec<f64> = x.iter().map(|v| v.powi(3)).collect();
            prop_assert_eq!(found, stats::spearman(&bent, &y).unwrap());
        }
    }

    #[test]
    fn location_and_spread_follow_affine_maps(x in sample(2..40), exponent in -40i32..40, shift in grid()) {
        // A power of two and quarters: the map itself does not round.
        let factor = 2f64.powi(exponent);
        let mapped: Vec<f64> = x.iter().map(|v| (v + shift) * factor).collect();
        for statistic in [stats::mean, stats::median, stats::iqm, stats::min, stats::max] {
            let (before, after) = (statistic(&x).unwrap(), statistic(&mapped).unwrap());
            prop_assert!(near((before + shift) * factor, after, 1e-12 * factor.max(1.0)));
            prop_assert!(stats::min(&x).unwrap() <= before && before <= stats::max(&x).unwrap());
        }
        let (before, after) = (stats::sd(&x).unwrap(), stats::sd(&mapped).unwrap());
        prop_assert!(before >= 0.0 && (before * factor - after).abs() <= 1e-12 * after);
    }

    #[test]
    fn adjusted_p_values_keep_order_and_never_shrink(
        p in prop::collection::vec(prop::option::of(0.0..=1.0_f64), 0..30),
    ) {
        let (holm, bh) = (stats::holm(&p).unwrap(), stats::benjamini_hochberg(&p).unwrap());
        let defined: Vec<usize> = (0..p.len()).filter(|&i| p[i].is_some()).collect();
        for adjusted in [&holm, &bh] {
            prop_assert!((0..p.len()).all(|i| p[i].is_some() == adjusted[i].is_some()));
            for &i in &defined {
                prop_assert!(adjusted[i] >= p[i] && adjusted[i] <= Some(1.0));
                prop_assert!(defined.iter().all(|&j| p[i] > p[j] || adjusted[i] <= adjusted[j]));
            }
        }
        // Bonferroni bounds Holm, Holm bounds Benjamini and Hochberg.
        let m = defined.len() as f64;
        for i in defined {
            prop_assert!(holm[i].unwrap() <= (m * p[i].unwrap()).min(1.0) + 1e-15);
            prop_assert!(bh[i].unwrap() <= holm[i].unwrap() + 1e-15);
        }
    }

    #[test]
    fn effect_sizes_mirror_and_tests_stay_in_range(a in sample(1..25), b in sample(1..25)) {
        let better = stats::probability_of_improvement(&a, &b).unwrap();
        let delta = stats::cliffs_delta(&a, &b).unwrap();
        prop_assert!(near(better, 1.0 - stats::probability_of_improvement(&b, &a).unwrap(), 1e-12));
        prop_assert!(near(delta, 2.0 * better - 1.0, 1e-12) && (-1.0..=1.0).contains(&delta));
        if let Ok(test) = stats::mann_whitney(&a, &b) {
            prop_assert!((0.0..=1.0).contains(&test.p));
            prop_assert!(near(test.p, stats::mann_whitney(&b, &a).unwrap().p, 1e-12));
        }
        if let Ok(test) = stats::welch(&a, &b) {
            let turned = stats::welch(&b, &a).unwrap();
            prop_assert!((0.0..=1.0).contains(&test.p) && near(test.p, turned.p, 1e-9));
            prop_assert!(near(test.t, -turned.t, 1e-9) && test.interval.contains(test.difference));
            // The interval excludes 0 exactly when p < 0.05.
            prop_assert!((test.p - 0.05).abs() < 1e-6 || test.interval.contains(0.0) == (test.p > 0.05));
        }
    }

    #[test]
    fn lines_pass_through_the_means_with_residuals_adding_to_nothing(data in pairs()) {
        let (x, y): (Vec<f64>, Vec<f64>) = data.into_iter().unzip();
        let Ok(line) = stats::fit_line(&x, &y) else { return Ok(()) };
        prop_assert!(near(line.at(line.x_mean), stats::mean(&y).unwrap(), 1e-9));
        let residuals: f64 = x.iter().zip(&y).map(|(x, y)| y - line.at(*x)).sum();
        prop_assert!(residuals.abs() < 1e-6);
        if let Some(r2) = line.r_squared.value() {
            prop_assert!((0.0..=1.0).contains(r2));
        }
        if let Ok(band) = line.band(7.0, 0.95) {
            prop_assert!(band.contains(line.at(7.0)));
        }
    }

    #[test]
    fn evenness_is_in_range_and_blind_to_order_and_unit(
        counts in prop::collection::vec(0u32..50, 1..12), factor in 1e-6..1e6_f64,
    ) {
        let counts: Vec<f64> = counts.into_iter().map(f64::from).collect();
        let other: Vec<f64> = counts.iter().rev().map(|v| v * factor).collect();
        for statistic in [stats::gini, stats::normalised_entropy, stats::entropy_bits] {
            let Ok(value) = statistic(&counts) else { continue };
            prop_assert!(value >= 0.0 && value <= (counts.len() as f64).log2().max(1.0) + 1e-12);
            prop_assert!(near(value, statistic(&other).unwrap(), 1e-12));
        }
    }

    #[test]
    fn linear_shap_values_add_up_to_nothing(x in sample(1..40), coefficient in grid()) {
        let shap = stats::linear_shap(coefficient, &x).unwrap();
        prop_assert!(shap.iter().sum::<f64>().abs() < 1e-8);
    }

    #[test]
    fn edit_distance_is_what_the_table_says(a in "[abc→继]{0,150}", b in "[abc→继]{0,150}") {
        let chars = |text: &str| text.chars().collect::<Vec<char>>();
        let (x, y) = (chars(&a), chars(&b));
        prop_assert_eq!(stats::edit_distance(&a, &b), table_distance(&x, &y));
        let alike = stats::edit_similarity(&a, &b);
        prop_assert!((0.0..=1.0).contains(&alike) && (a == b) == (alike >= 1.0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn bootstrap_intervals_hold_the_centre_of_symmetric_data(half in sample(2..15), seed: u64) {
        let symmetric: Vec<f64> = half.iter().flat_map(|v| [20.0 - v, 20.0 + v]).collect();
        for estimate in [
            Bootstrap::new(seed, "symmetric").mean(&[&symmetric]),
            Bootstrap::new(seed, "symmetric").pooled(&[&symmetric], stats::iqm),
        ] {
            let estimate = estimate.unwrap();
            prop_assert!(near(estimate.value, 20.0, 1e-12));
            prop_assert!(estimate.interval.low <= 20.0 + 1e-9 && estimate.interval.high >= 20.0 - 1e-9);
        }
    }

    #[test]
    fn bootstrap_intervals_repeat_and_stay_within_the_data(
        strata in prop::collection::vec(sample(0..8), 1..5), seed: u64, identity in "[a-z/]{0,12}",
    ) {
        let strata: Vec<&[f64]> = strata.iter().map(Vec::as_slice).collect();
        let bootstrap = Bootstrap { resamples: 300, ..Bootstrap::new(seed, &identity) };
        let estimate = bootstrap.mean(&strata);
        prop_assert_eq!(estimate, bootstrap.mean(&strata));
        prop_assert_eq!(estimate.is_ok(), strata.iter().any(|values| values.len() > 1));
        let Ok(estimate) = estimate else { return Ok(()) };
        let all = strata.concat();
        let (low, high) = (stats::min(&all).unwrap(), stats::max(&all).unwrap());
        let interval = estimate.interval;
        prop_assert!(interval.low <= interval.high);
        prop_assert!(low - 1e-9 <= interval.low && interval.high <= high + 1e-9);
        let general = bootstrap.pooled(&strata, stats::mean).unwrap().interval;
        prop_assert!(near(interval.low, general.low, 1e-12) && near(interval.high, general.high, 1e-12));
    }

    #[test]
    fn no_input_gives_a_number_that_is_not_finite(x in prop::collection::vec(prop::num::f64::ANY, 0..12)) {
        let finite = |result: Result<f64, stats::Undefined>| result.is_err() || result.is_ok_and(f64::is_finite);
        let y: Vec<f64> = x.iter().rev().copied().collect();
        for statistic in [stats::mean, stats::sd, stats::median, stats::iqm, stats::gini, stats::entropy_bits] {
            prop_assert!(finite(statistic(&x)));
        }
        prop_assert!(finite(stats::pearson(&x, &y).map(|c| c.r)) && finite(stats::pearson(&x, &y).map(|c| c.p)));
        prop_assert!(finite(stats::fit_line(&x, &y).map(|line| line.slope)));
        prop_assert!(finite(stats::welch(&x, &y).map(|test| test.p)));
        prop_assert!(finite(stats::mann_whitney(&x, &y).map(|test| test.p)));
        let bootstrap = Bootstrap { resamples: 50, ..Bootstrap::new(1, "any") };
        prop_assert!(finite(bootstrap.mean(&[&x]).map(|estimate| estimate.interval.high)));
    }
}
