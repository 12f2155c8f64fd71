//! A random forest for numbers: bagged regression trees with exact splits. Runs are few, so nothing is binned.
//!
//! Breiman, L. (2001), "Random Forests", *Machine Learning* 45: a third of the features is tried at each node.

use crate::stats::rng::Stream;

/// Fewest rows of a leaf.
const MIN_LEAF: usize = 3;

enum Node {
    Leaf(f64),
    Split { feature: usize, value: f64, left: usize, right: usize },
}

/// A fitted forest.
pub(super) struct Trees(Vec<Vec<Node>>);

impl Trees {
    /// Mean over the trees of the mean score of the leaf that the row reaches.
    pub(super) fn predict(&self, row: &[f64]) -> f64 {
        let one = |nodes: &Vec<Node>| {
            let mut at = 0;
            loop {
                match nodes[at] {
                    Node::Leaf(mean) => return mean,
                    Node::Split { feature, value, left, right } => {
                        at = if row[feature] <= value { left } else { right };
                    }
                }
            }
        };
        self.0.iter().map(one).sum::<f64>() / self.0.len().max(1) as f64
    }
}

/// Grows a forest on these runs.
pub(super) fn grow(x: &[Vec<f64>], y: &[f64], runs: &[usize], trees: usize, seed: u64, name: &str) -> Trees {
    let tree = |number: usize| {
        let mut stream = Stream::new(seed, &format!("{name}/tree/{number}"));
        let sample: Vec<usize> = (0..runs.len()).map(|_| runs[stream.index(runs.len())]).collect();
        let mut nodes = vec![Node::Leaf(0.0)];
        let mut pending = vec![(0, sample)];
        while let Some((node, rows)) = pending.pop() {
            if let Some((feature, value)) = best_split(x, y, &rows, &mut stream) {
                let (left, right): (Vec<usize>, Vec<usize>) =
                    rows.into_iter().partition(|&run| x[run][feature] <= value);
                let at = nodes.len();
                nodes.extend([Node::Leaf(0.0), Node::Leaf(0.0)]);
                nodes[node] = Node::Split { feature, value, left: at, right: at + 1 };
                pending.extend([(at + 1, right), (at, left)]);
            } else {
                nodes[node] =
                    Node::Leaf(rows.iter().map(|&run| y[run]).sum::<f64>() / rows.len().max(1) as f64);
            }
        }
        nodes
    };
    Trees((0..trees).map(tree).collect())
}

/// The split that lowers the squared error most: Σy²-terms cancel, so that of (Σ left)²/n + (Σ right)²/n is largest.
fn best_split(x: &[Vec<f64>], y: &[f64], rows: &[usize], stream: &mut Stream) -> Option<(usize, f64)> {
    if rows.len() < 2 * MIN_LEAF {
        return None;
    }
    let mut features: Vec<usize> = (0..x[rows[0]].len()).collect();
    stream.shuffle(&mut features);
    let centre = rows.iter().map(|&run| y[run]).sum::<f64>() / rows.len() as f64;
    let mut best: Option<(f64, usize, f64)> = None;
    for &feature in &features[..features.len().div_ceil(3)] {
        let mut pairs: Vec<(f64, f64)> = rows.iter().map(|&run| (x[run][feature], y[run] - centre)).collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut left = 0.0;
        for at in 0..pairs.len() - MIN_LEAF {
            left += pairs[at].1;
            let (here, next) = (pairs[at].0, pairs[at + 1].0);
            if at + 1 < MIN_LEAF || here >= next {
                continue;
            }
            // The centred scores add up to 0, so the right side's sum is that of the left with the other sign.
            let (n_left, n_right) = ((at + 1) as f64, (pairs.len() - at - 1) as f64);
            let gain = left * left / n_left + left * left / n_right;
            if gain > 1e-12 && best.is_none_or(|(most, ..)| gain > most) {
                best = Some((gain, feature, f64::midpoint(here, next)));
            }
        }
    }
    best.map(|(_, feature, value)| (feature, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_learned() {
        let x: Vec<Vec<f64>> = (0..60).map(|i| vec![f64::from(i), f64::from(i % 2)]).collect();
        let y: Vec<f64> = (0..60).map(|i| if i < 30 { 0.0 } else { 10.0 }).collect();
        let forest = grow(&x, &y, &(0..60).collect::<Vec<_>>(), 40, 1, "step");
        assert!(forest.predict(&[10.0, 0.0]) < 2.0 && forest.predict(&[50.0, 0.0]) > 8.0);
    }

    #[test]
    fn the_split_by_hand() {
        let x: Vec<Vec<f64>> = [1.0, 2.0, 3.0, 7.0, 8.0, 9.0].map(|v| vec![v]).into();
        let y = [0.0, 0.0, 0.0, 6.0, 6.0, 6.0];
        let rows: Vec<usize> = (0..6).collect();
        assert_eq!(best_split(&x, &y, &rows, &mut Stream::new(1, "split")), Some((0, 5.0)));
        assert_eq!(best_split(&x, &y, &rows[..5], &mut Stream::new(1, "split")), None);
    }
}
