//! A small tree that imitates the forest, so that what the forest has learned can be read.
//!
//! Each split is found by linfa-trees as a tree of depth 1 between two classes of equal total weight, once for each class
//! against the rest; the one that lowers the Gini impurity of all classes most is taken. That is where linfa-trees 0.8 is
//! right: below the root it can miss borders between equal values, and with more than two classes its sums and its ties
//! depend on a hash map's order.

use linfa::dataset::DatasetBase;
use linfa::traits::Fit;
use linfa_trees::{DecisionTree, SplitQuality};
use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};

use super::forest::ForestError;
use super::matrix::Matrix;

/// Deepest leaf.
pub const MAX_DEPTH: usize = 4;

/// Smallest leaf, as a share of the rows.
const LEAF_SHARE: f64 = 0.02;

/// One leaf of the tree as a rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// Conditions, all of which hold: `feature ≤ value` or `feature > value`.
    pub conditions: Vec<String>,
    /// The class that the forest mostly predicts there.
    pub class: String,
    /// Share of that class among the rows that the rule covers.
    pub purity: f64,
    /// Rows that the rule covers, of those the tree was grown on.
    pub rows: usize,
}

/// The tree and how well it imitates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Surrogate {
    /// The leaves from left to right.
    pub rules: Vec<Rule>,
    /// Share of held-out rows where the tree says what the forest says, in [0, 1].
    pub fidelity: f64,
    /// The share that always saying the forest's most frequent class would reach.
    pub fidelity_of_majority: f64,
}

/// What the tree is grown on and judged by.
#[derive(Clone, Copy, Debug)]
pub struct Imitated<'a> {
    /// Rows to grow on.
    pub x: &'a Matrix,
    /// The forest's classes of them.
    pub classes: &'a [u8],
    /// Rows to judge by.
    pub test_x: &'a Matrix,
    /// The forest's classes of those.
    pub test_classes: &'a [u8],
}

/// A node: either a split, or the class that is most frequent.
enum Node {
    Split { column: usize, value: f32, left: Box<Node>, right: Box<Node> },
    Leaf { class: usize, hits: usize, rows: usize },
}

/// Grows a tree of at most [`MAX_DEPTH`] levels that imitates the forest's predictions.
///
/// # Errors
/// [`ForestError::Shape`] without rows to grow on or to judge by; linfa's errors.
pub fn surrogate(data: Imitated<'_>, columns: &[String], names: &[String]) -> Result<Surrogate, ForestError> {
    if data.classes.is_empty() || data.test_classes.is_empty() {
        return Err(ForestError::Shape("a surrogate tree needs rows to grow on and to judge by".to_owned()));
    }
    let rows: Vec<usize> = (0..data.classes.len()).collect();
    let smallest = ((LEAF_SHARE * rows.len() as f64) as usize).max(2);
    let mut root = grow(data, names.len(), rows, smallest, 0)?;
    prune(&mut root);
    let mut rules = Vec::new();
    collect(&root, &mut Vec::new(), columns, names, &mut rules);
    let n = data.test_classes.len() as f64;
    let same = (0..data.test_classes.len())
        .filter(|&row| class_of(&root, data.test_x.row(row)) == usize::from(data.test_classes[row]));
    let fidelity = same.count() as f64 / n;
    let majority = most_frequent(&count(data.classes, 0..data.classes.len(), names.len()));
    let hits = data.test_classes.iter().filter(|&&class| usize::from(class) == majority).count();
    Ok(Surrogate { rules, fidelity, fidelity_of_majority: hits as f64 / n })
}

fn count(classes: &[u8], rows: impl Iterator<Item = usize>, n: usize) -> Vec<usize> {
    let mut counts = vec![0; n];
    rows.for_each(|row| counts[usize::from(classes[row])] += 1);
    counts
}

/// The class with the highest count; the first on equality.
fn most_frequent(counts: &[usize]) -> usize {
    (0..counts.len()).rev().max_by_key(|&class| counts[class]).unwrap_or(0)
}

fn grow(
    data: Imitated<'_>,
    n: usize,
    rows: Vec<usize>,
    smallest: usize,
    depth: usize,
) -> Result<Node, ForestError> {
    let counts = count(data.classes, rows.iter().copied(), n);
    let class = most_frequent(&counts);
    let leaf = Node::Leaf { class, hits: counts[class], rows: rows.len() };
    if depth == MAX_DEPTH || counts[class] == rows.len() || rows.len() < 2 * smallest {
        return Ok(leaf);
    }
    let mut best: Option<(f64, usize, f32)> = None;
    let table = Array2::from_shape_fn((rows.len(), data.x.columns), |(i, c)| data.x.row(rows[i])[c]);
    for one in (0..n).filter(|&one| counts[one] > 0 && counts[one] < rows.len()) {
        let Some((column, value)) = stump(data, &table, &rows, one, counts[one])? else { continue };
        let left = rows.iter().copied().filter(|&row| data.x.row(row)[column] < value);
        let left = count(data.classes, left, n);
        let sizes = (left.iter().sum::<usize>(), rows.len() - left.iter().sum::<usize>());
        if sizes.0 < smallest || sizes.1 < smallest {
            continue;
        }
        // Σ n_class² / n of both sides: larger is purer. Whole numbers up to the division.
        let squares = |side: &mut dyn Iterator<Item = usize>| side.map(|n| (n * n) as f64).sum::<f64>();
        let purity = squares(&mut left.iter().copied()) / sizes.0 as f64
            + squares(&mut counts.iter().zip(&left).map(|(all, left)| all - left)) / sizes.1 as f64;
        if best.is_none_or(|(most, ..)| purity > most) {
            best = Some((purity, column, value));
        }
    }
    let Some((_, column, value)) = best else { return Ok(leaf) };
    let (left, right) = rows.into_iter().partition(|&row| data.x.row(row)[column] < value);
    Ok(Node::Split {
        column,
        value,
        left: Box::new(grow(data, n, left, smallest, depth + 1)?),
        right: Box::new(grow(data, n, right, smallest, depth + 1)?),
    })
}

/// The best single split between class `one` and the rest, the two sides weighing the same.
fn stump(
    data: Imitated<'_>,
    table: &Array2<f32>,
    rows: &[usize],
    one: usize,
    members: usize,
) -> Result<Option<(usize, f32)>, ForestError> {
    let is_one: Vec<usize> =
        rows.iter().map(|&row| usize::from(usize::from(data.classes[row]) == one)).collect();
    let rest_weight = members as f32 / (rows.len() - members) as f32;
    let weights = is_one.iter().map(|&one| if one == 1 { 1.0 } else { rest_weight }).collect();
    let dataset =
        DatasetBase::new(table.view(), Array1::from_vec(is_one)).with_weights(Array1::from_vec(weights));
    let tree = DecisionTree::<f32, usize>::params()
        .split_quality(SplitQuality::Gini)
        .max_depth(Some(1))
        .min_weight_leaf(f32::EPSILON)
        .fit(&dataset)?;
    let root = tree.root_node();
    let (column, value, _) = root.split();
    Ok((!root.is_leaf()).then_some((column, value)))
}

fn class_of(node: &Node, row: &[f32]) -> usize {
    match node {
        Node::Leaf { class, .. } => *class,
        Node::Split { column, value, left, right } => {
            class_of(if row[*column] < *value { left } else { right }, row)
        }
    }
}

/// Joins leaves that say the same.
fn prune(node: &mut Node) {
    let Node::Split { left, right, .. } = node else { return };
    prune(left);
    prune(right);
    if let (Node::Leaf { class: a, hits: h, rows: r }, Node::Leaf { class: b, hits: i, rows: s }) =
        (&**left, &**right)
        && a == b
    {
        *node = Node::Leaf { class: *a, hits: h + i, rows: r + s };
    }
}

fn collect(node: &Node, path: &mut Vec<String>, columns: &[String], names: &[String], rules: &mut Vec<Rule>) {
    match node {
        Node::Leaf { class, hits, rows } => rules.push(Rule {
            conditions: path.clone(),
            class: names[*class].clone(),
            purity: *hits as f64 / (*rows).max(1) as f64,
            rows: *rows,
        }),
        Node::Split { column, value, left, right } => {
            for (side, sign) in [(left, "<"), (right, "≥")] {
                path.push(format!("{} {sign} {}", columns[*column], short(*value)));
                collect(side, path, columns, names, rules);
                path.pop();
            }
        }
    }
}

/// A border to four significant digits.
fn short(value: f32) -> String {
    let digits = 3 - value.abs().max(f32::MIN_POSITIVE).log10().floor() as i32;
    let scale = 10f64.powi(digits.clamp(0, 6));
    format!("{}", (f64::from(value) * scale).round() / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn reads_a_planted_rule_back() {
        // Class 2 where a ≥ 0.5, else class 1 where b is set, else class 0.
        let mut stream = crate::stats::rng::Stream::new(2, "surrogate");
        let (mut values, mut classes) = (Vec::new(), Vec::new());
        for _ in 0..600 {
            let (a, b, noise) = (stream.uniform() as f32, stream.below(2) as f32, stream.uniform() as f32);
            values.extend([noise, a, b]);
            classes.push(if a >= 0.5 { 2 } else { b as u8 });
        }
        let x = Matrix { columns: 3, values };
        let data = Imitated { x: &x, classes: &classes, test_x: &x, test_classes: &classes };
        let found = surrogate(data, &names(&["noise", "a", "b"]), &names(&["zero", "one", "two"])).unwrap();
        assert!(found.fidelity > 0.99, "{found:?}");
        assert!((0.4..0.6).contains(&found.fidelity_of_majority));
        assert_eq!(found.rules.len(), 3, "{found:?}");
        assert_eq!(found.rules[2].class, "two");
        assert!(
            found.rules[2].conditions[0].starts_with("a ≥ 0.5")
                || found.rules[2].conditions[0].starts_with("a ≥ 0.49")
        );
        assert_eq!(found.rules[0].conditions[1], "b < 0.5");
        assert_eq!(found.rules.iter().map(|rule| rule.rows).sum::<usize>(), 600);
        for _ in 0..20 {
            assert_eq!(
                surrogate(data, &names(&["noise", "a", "b"]), &names(&["zero", "one", "two"])).unwrap(),
                found,
                "depends on a hash map's order"
            );
        }
    }

    #[test]
    fn one_class_is_one_rule_without_conditions() {
        let x = Matrix { columns: 1, values: vec![1.0, 2.0, 3.0] };
        let data = Imitated { x: &x, classes: &[0; 3], test_x: &x, test_classes: &[0; 3] };
        let found = surrogate(data, &names(&["a"]), &names(&["only"])).unwrap();
        assert_eq!(found.rules.len(), 1);
        assert!(found.rules[0].conditions.is_empty());
    }

    #[test]
    fn borders_are_short() {
        assert_eq!(
            (short(0.5), short(1234.567), short(0.001_234_56)),
            ("0.5".into(), "1235".into(), "0.001235".into())
        );
    }
}
