//! Against scikit-learn 1.9.1: three data sets made here and in Python from the same SplitMix64 numbers, the first half to
//! fit and the second to judge. The figures are the means over ten seeds of `RandomForestClassifier(100)`; the SD over
//! seeds is at most 0.5 points.

use super::*;
use crate::attribution::metrics::Confusion;

const ROWS: usize = 6000;

/// The `at`-th number of SplitMix64 from this seed, uniform in [0, 1).
fn uniform(seed: u64, at: usize) -> f64 {
    let mut z = seed.wrapping_add((at as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// A row's features and class.
type Made = (Vec<f64>, usize);

/// A step of a sum of two columns among eight, a tenth of the labels drawn anew.
fn smooth(row: usize) -> Made {
    let u: Vec<f64> = (0..10).map(|k| uniform(1, row * 10 + k)).collect();
    let step = (3.0 * (u[0] + 0.5 * u[1]) / 1.5).floor() as usize;
    let class = if u[8] < 0.1 { (3.0 * u[9]).floor() as usize } else { step };
    (u[..8].to_vec(), class)
}

/// Ten cells of four kinds, one indicator each; the class has the largest noisy sum of weights.
fn one_hot(row: usize) -> Made {
    let u: Vec<f64> = (0..14).map(|k| uniform(2, row * 14 + k)).collect();
    let (mut x, mut scores) = (vec![0.0; 40], vec![0.0; 4]);
    for (cell, &v) in u[..10].iter().enumerate() {
        let at = cell * 4 + (4.0 * v).floor() as usize;
        x[at] = 1.0;
        for (class, score) in scores.iter_mut().enumerate() {
            *score += uniform(3, at * 4 + class);
        }
    }
    for (score, noise) in scores.iter_mut().zip(&u[10..]) {
        *score += 2.0 * noise;
    }
    let class = (0..4).fold(0, |best, class| if scores[class] > scores[best] { class } else { best });
    (x, class)
}

/// Five clouds in twelve dimensions.
fn mixture(row: usize) -> Made {
    let u: Vec<f64> = (0..25).map(|k| uniform(4, row * 25 + k)).collect();
    let class = (5.0 * u[0]).floor() as usize;
    let x = (0..12).map(|k| uniform(5, class * 12 + k) + 1.2 * (u[1 + k] + u[13 + k] - 1.0)).collect();
    (x, class)
}

fn scores(make: fn(usize) -> Made, classes: usize, seed: u64) -> (f64, f64) {
    let half = |rows: std::ops::Range<usize>| {
        let (mut values, mut labels, mut columns) = (Vec::new(), Vec::new(), 0);
        for row in rows {
            let (x, class) = make(row);
            columns = x.len();
            values.extend(x.into_iter().map(|v| v as f32));
            labels.push(class as u8);
        }
        (Matrix { columns, values }, labels)
    };
    let (train, train_labels) = half(0..ROWS / 2);
    let (test, test_labels) = half(ROWS / 2..ROWS);
    let params = ForestParams { seed, ..ForestParams::default() };
    let forest = Forest::fit(&train, &train_labels, classes, &params).unwrap();
    let predicted = forest.predict(&forest.bin_rows(&test).unwrap());
    let confusion = Confusion::of(&test_labels, &predicted, classes);
    (confusion.accuracy().unwrap(), confusion.macro_f1().unwrap())
}

#[test]
fn as_good_as_scikit_learn() {
    for (name, make, classes, accuracy, f1) in [
        ("smooth", smooth as fn(usize) -> Made, 3, 0.9055, 0.8998),
        ("one-hot", one_hot, 4, 0.6013, 0.5509),
        ("mixture", mixture, 5, 0.7304, 0.7257),
    ] {
        // The mean of four seeds, as one seed alone varies by half a point.
        let runs: Vec<(f64, f64)> = (0..4).map(|seed| scores(make, classes, seed)).collect();
        let ours = runs.iter().map(|r| r.0).sum::<f64>() / 4.0;
        let our_f1 = runs.iter().map(|r| r.1).sum::<f64>() / 4.0;
        assert!((ours - accuracy).abs() < 0.01, "{name}: accuracy {ours} against {accuracy}");
        assert!((our_f1 - f1).abs() < 0.02, "{name}: F1 {our_f1} against {f1}");
    }
}
