//! Against the plain way, and against what was planted.

use super::*;
use crate::attribution::forest::ForestParams;
use crate::attribution::matrix::Matrix;

/// Two informative columns (0 and 3), one binary, the rest noise.
fn data(rows: usize, columns: usize, seed: u64) -> (Matrix, Vec<u8>) {
    let mut stream = Stream::new(seed, "importance data");
    let (mut values, mut labels) = (Vec::new(), Vec::new());
    for _ in 0..rows {
        let mut row: Vec<f32> = (0..columns).map(|_| stream.uniform() as f32).collect();
        row[1] = row[1].round();
        let noisy = row[0] * 2.0 + row[3] + row[1] + 0.5 * stream.uniform() as f32;
        labels.push((noisy as u8).min(3));
        values.extend(row);
    }
    (Matrix { columns, values }, labels)
}

/// The plain way: shuffle, predict everything, score.
fn naive(forest: &Forest, rows: &BinnedRows, labels: &[u8], params: &ImportanceParams<'_>) -> Vec<Vec<f64>> {
    let score = |rows: &BinnedRows| {
        Confusion::of(labels, &forest.predict(rows), forest.classes()).macro_f1().unwrap()
    };
    let base = score(rows);
    let drop = |unit: usize, repeat: usize| {
        let mut changed = rows.clone();
        for (row, donor) in donors(params, unit, repeat, labels.len()).into_iter().enumerate() {
            for &column in &params.units[unit] {
                changed.bins[row * rows.columns + column] = rows.row(donor as usize)[column];
            }
        }
        base - score(&changed)
    };
    (0..params.units.len()).map(|u| (0..params.repeats).map(|r| drop(u, r)).collect()).collect()
}

#[test]
fn equals_the_naive_result_to_the_last_bit() {
    let (x, y) = data(900, 11, 1);
    let (test, truth) = data(333, 11, 2);
    let forest =
        Forest::fit(&x, &y, 4, &ForestParams { trees: 25, seed: 7, ..ForestParams::default() }).unwrap();
    let rows = forest.bin_rows(&test).unwrap();
    let singles: Vec<Vec<usize>> = (0..11).map(|c| vec![c]).collect();
    let joint = vec![vec![0, 4], vec![7], vec![3, 1, 9], vec![]];
    for units in [singles, joint] {
        let params = ImportanceParams { units: &units, repeats: 4, seed: 3, identity: "test" };
        let quick = permutation_importance(&forest, &rows, &truth, &params).unwrap();
        assert_eq!(quick.drops, naive(&forest, &rows, &truth, &params));
    }
}

#[test]
fn a_planted_feature_ranks_first_and_noise_covers_zero() {
    let (x, y) = data(2000, 8, 3);
    let (test, truth) = data(1000, 8, 4);
    let forest = Forest::fit(&x, &y, 4, &ForestParams { trees: 60, ..ForestParams::default() }).unwrap();
    let units: Vec<Vec<usize>> = (0..8).map(|c| vec![c]).collect();
    let params = ImportanceParams { units: &units, repeats: 10, seed: 1, identity: "test" };
    let rows = forest.bin_rows(&test).unwrap();
    let found = permutation_importance(&forest, &rows, &truth, &params).unwrap();
    let mean = |unit: usize| found.drops[unit].iter().sum::<f64>() / 10.0;
    for other in 1..8 {
        assert!(mean(0) > mean(other) + 0.05, "column 0 {} against {other} {}", mean(0), mean(other));
    }
    for noise in [2, 4, 5, 6, 7] {
        assert!(mean(noise).abs() < 0.02, "column {noise}: {}", mean(noise));
    }
}

#[test]
fn the_same_on_any_number_of_threads() {
    let (x, y) = data(400, 6, 5);
    let forest = Forest::fit(&x, &y, 4, &ForestParams { trees: 9, ..ForestParams::default() }).unwrap();
    let rows = forest.bin_rows(&x).unwrap();
    let units = vec![vec![0], vec![1, 2], vec![3]];
    let params = ImportanceParams { units: &units, repeats: 3, seed: 1, identity: "test" };
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| permutation_importance(&forest, &rows, &y, &params).unwrap())
    };
    assert_eq!(on(1), on(5));
}

#[test]
fn contradictory_units_are_refused() {
    let (x, y) = data(50, 4, 6);
    let forest = Forest::fit(&x, &y, 4, &ForestParams { trees: 2, ..ForestParams::default() }).unwrap();
    let rows = forest.bin_rows(&x).unwrap();
    for units in [vec![vec![0], vec![0]], vec![vec![4]]] {
        let params = ImportanceParams { units: &units, repeats: 1, seed: 1, identity: "test" };
        assert!(permutation_importance(&forest, &rows, &y, &params).is_err());
    }
    let params = ImportanceParams { units: &[], repeats: 1, seed: 1, identity: "test" };
    assert!(permutation_importance(&forest, &rows, &y[..3], &params).is_err());
}
