use super::*;

/// `rows × columns` uniform values and labels that follow from the first column.
fn planted(rows: usize, columns: usize, classes: usize) -> (Matrix, Vec<u8>) {
    let mut stream = Stream::new(11, "planted");
    let values: Vec<f32> = (0..rows * columns).map(|_| stream.uniform() as f32).collect();
    let labels = values.chunks(columns).map(|row| (row[0] * classes as f32) as u8).collect();
    (Matrix { columns, values }, labels)
}

fn params(trees: usize, seed: u64) -> ForestParams {
    ForestParams { trees, seed, ..ForestParams::default() }
}

fn accuracy(forest: &Forest, x: &Matrix, labels: &[u8]) -> f64 {
    let predicted = forest.predict(&forest.bin_rows(x).unwrap());
    predicted.iter().zip(labels).filter(|(p, l)| p == l).count() as f64 / labels.len() as f64
}

#[test]
fn learns_a_planted_rule_on_unseen_rows() {
    for classes in [2, 5, 12] {
        let (x, labels) = planted(3000, 6, classes);
        let (train, test): (Vec<usize>, Vec<usize>) = (0..3000).partition(|row| row % 3 != 0);
        let pick = |rows: &[usize]| rows.iter().map(|&r| labels[r]).collect::<Vec<_>>();
        let forest = Forest::fit(&x.select(&train), &pick(&train), classes, &params(40, 1)).unwrap();
        let accuracy = accuracy(&forest, &x.select(&test), &pick(&test));
        assert!(accuracy > 0.93, "{classes} classes: {accuracy}");
    }
}

#[test]
fn same_seed_same_forest_on_any_number_of_threads() {
    let (x, labels) = planted(700, 9, 4);
    let fit = |threads, seed| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Forest::fit(&x, &labels, 4, &params(12, seed)).unwrap())
    };
    assert_eq!(fit(1, 3), fit(5, 3));
    assert_ne!(fit(1, 3), fit(1, 4));
}

#[test]
fn a_leaf_holds_shares_of_its_rows() {
    // One column that can't split anything: each tree is one leaf with the bootstrap's class shares.
    let x = Matrix { columns: 1, values: vec![1.0; 8] };
    let forest = Forest::fit(&x, &[0, 0, 0, 0, 0, 0, 1, 1], 2, &params(3, 1)).unwrap();
    for tree in &forest.trees {
        assert_eq!(tree.nodes, [Node::leaf(0)]);
        let sum: u32 = tree.votes.iter().map(|&v| u32::from(v)).sum();
        assert!(sum.abs_diff(FULL_VOTE) <= 1, "{sum}");
    }
}

#[test]
fn limits_are_kept() {
    let (x, labels) = planted(500, 4, 3);
    let depth_of = |forest: &Forest| {
        let tree = &forest.trees[0];
        let mut deepest = 0;
        let mut pending = vec![(0usize, 0usize)];
        while let Some((node, depth)) = pending.pop() {
            let n = tree.nodes[node];
            deepest = deepest.max(depth);
            if !n.leaf {
                pending.extend([(n.child as usize, depth + 1), (n.child as usize + 1, depth + 1)]);
            }
        }
        deepest
    };
    let shallow = Forest::fit(&x, &labels, 3, &ForestParams { max_depth: Some(3), ..params(1, 1) }).unwrap();
    assert_eq!(depth_of(&shallow), 3);
    let coarse = Forest::fit(&x, &labels, 3, &ForestParams { min_leaf: 100, ..params(1, 1) }).unwrap();
    assert!(coarse.trees[0].votes.len() / coarse.lanes <= 5);
}

#[test]
fn goes_on_drawing_until_a_feature_can_split() {
    // One column of 300 varies; a node draws 17 of them first.
    let (columns, rows) = (300, 40);
    let mut values = vec![1.0; columns * rows];
    for (row, value) in values.iter_mut().skip(123).step_by(columns).enumerate() {
        *value = row as f32;
    }
    let labels: Vec<u8> = (0..rows).map(|row| u8::from(row >= rows / 2)).collect();
    let forest = Forest::fit(&Matrix { columns, values }, &labels, 2, &params(20, 1)).unwrap();
    for tree in &forest.trees {
        assert_eq!(tree.nodes.len(), 3);
        assert_eq!(tree.nodes[0].feature, 123);
    }
}

#[test]
fn every_feature_has_the_same_chance() {
    // Four copies of a column, three columns that do not vary and one that varies only right of the root: whichever copy
    // is drawn first splits the root, and on both sides again one of them, the constants being known by then or not.
    let labels: Vec<u8> = (0..64).map(|row| (row / 16) as u8).collect();
    let copies = [0, 2, 5, 6];
    let value = |row: usize, column: usize| match column {
        _ if copies.contains(&column) => (row / 16) as f32,
        7 => f32::from(u8::from(row == 40)),
        _ => 3.0,
    };
    let values = (0..64 * 8).map(|at| value(at / 8, at % 8)).collect();
    let params = ForestParams { features_per_split: Some(8), ..params(800, 4) };
    let forest = Forest::fit(&Matrix { columns: 8, values }, &labels, 4, &params).unwrap();
    let mut counts = [[0; 8]; 2];
    let mut inner = 0;
    for tree in &forest.trees {
        counts[0][usize::from(tree.nodes[0].feature)] += 1;
        for node in tree.nodes[1..].iter().filter(|node| !node.leaf) {
            counts[1][usize::from(node.feature)] += 1;
            inner += 1;
        }
    }
    for (counts, all) in counts.iter().zip([800.0, f64::from(inner)]) {
        for (column, &count) in counts.iter().enumerate() {
            // Binomial(n, 1/4): six SDs either way.
            let expected = if copies.contains(&column) { all / 4.0 } else { 0.0 };
            let margin = 6.0 * (all * 0.25 * 0.75f64).sqrt() * f64::from(u8::from(expected > 0.0));
            assert!((f64::from(count) - expected).abs() <= margin, "column {column}: {count} of {all}");
        }
    }
}

#[test]
fn deep_chains_do_not_exhaust_the_stack() {
    // Alternating labels along one column make a tree that has to isolate every row.
    let n = 4000u16;
    let x = Matrix { columns: 1, values: (0..n).map(f32::from).collect() };
    let labels: Vec<u8> = (0..n).map(|i| (i % 2) as u8).collect();
    let forest = Forest::fit(&x, &labels, 2, &params(2, 1)).unwrap();
    assert!(forest.trees[0].nodes.len() > 300);
}

#[test]
fn unusable_input_is_refused() {
    let x = Matrix { columns: 1, values: vec![1.0, f32::NAN] };
    let refused = |x: &Matrix, labels: &[u8], classes, p: &ForestParams| {
        Forest::fit(x, labels, classes, p).unwrap_err().to_string()
    };
    assert!(refused(&x, &[0, 1], 2, &params(1, 1)).contains("row 1, column 0 is NaN"));
    let x = Matrix { columns: 1, values: vec![1.0, 2.0] };
    assert!(refused(&x, &[0], 2, &params(1, 1)).contains("1 labels for 2 rows"));
    assert!(refused(&x, &[0, 2], 2, &params(1, 1)).contains("label 2"));
    assert!(refused(&x, &[0, 1], 65, &params(1, 1)).contains("65 classes"));
    assert!(refused(&x, &[0, 1], 2, &params(0, 1)).contains("number of trees is 0"));
    assert!(refused(&Matrix::with_columns(3), &[], 2, &params(1, 1)).contains("0 rows"));
    let forest = Forest::fit(&x, &[0, 1], 2, &params(1, 1)).unwrap();
    assert!(forest.bin_rows(&Matrix { columns: 2, values: vec![0.0; 2] }).is_err());
}

#[test]
fn stands_behind_linfas_traits() {
    use linfa::Dataset;
    use linfa::traits::{Fit, Predict};
    use ndarray::{Array1, Array2};

    let (x, labels) = planted(400, 3, 3);
    let records = Array2::from_shape_vec((400, 3), x.values.clone()).unwrap();
    let targets: Array1<usize> = labels.iter().map(|&l| usize::from(l) * 10).collect();
    let dataset = Dataset::new(records, targets.clone());
    let fitted = RandomForestParams::new(params(20, 1)).fit(&dataset).unwrap();
    assert_eq!(fitted.labels, [0, 10, 20]);
    let predicted = fitted.predict(&dataset);
    let right = predicted.iter().zip(&targets).filter(|(a, b)| a == b).count();
    assert!(right >= 398, "{right}");
    assert!(RandomForestParams::new(params(0, 1)).fit(&dataset).is_err());
}
