//! Train and test rows: runs are held out whole, so that rows of one run are never on both sides.

use crate::stats::rng::Stream;

/// Row numbers of the two sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Rows to fit to.
    pub train: Vec<usize>,
    /// Rows held out.
    pub test: Vec<usize>,
    /// Number of runs held out.
    pub test_runs: usize,
}

/// Holds out `share` of the runs (rounded, at least one, at most all but one), drawn at random.
///
/// `runs` names the run of each row by a number. `None` with fewer than two runs.
pub fn split_by_run(runs: &[u32], share: f64, mut stream: Stream) -> Option<Split> {
    let mut distinct = runs.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() < 2 {
        return None;
    }
    stream.shuffle(&mut distinct);
    let test_runs = ((share * distinct.len() as f64).round() as usize).clamp(1, distinct.len() - 1);
    let mut held_out = distinct[..test_runs].to_vec();
    held_out.sort_unstable();
    let (test, train) = (0..runs.len()).partition(|&row| held_out.binary_search(&runs[row]).is_ok());
    Some(Split { train, test, test_runs })
}

/// At most `limit` of the rows, drawn at random, in their order.
pub fn thin(mut rows: Vec<usize>, limit: usize, mut stream: Stream) -> Vec<usize> {
    if rows.len() > limit {
        stream.shuffle(&mut rows);
        rows.truncate(limit);
        rows.sort_unstable();
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_run_is_on_both_sides() {
        let runs: Vec<u32> = (0..200).map(|row| row / 10 * 7).collect();
        for seed in 0..20 {
            let split = split_by_run(&runs, 0.25, Stream::new(seed, "split")).unwrap();
            assert_eq!((split.train.len(), split.test.len(), split.test_runs), (150, 50, 5));
            assert!(split.train.iter().all(|&a| split.test.iter().all(|&b| runs[a] != runs[b])));
        }
    }

    #[test]
    fn few_runs() {
        assert_eq!(split_by_run(&[3, 3, 3], 0.25, Stream::new(1, "split")), None);
        let split = split_by_run(&[3, 9], 0.9, Stream::new(1, "split")).unwrap();
        assert_eq!((split.train.len(), split.test.len()), (1, 1));
    }

    #[test]
    fn thinning_keeps_the_order() {
        let thinned = thin((0..100).collect(), 10, Stream::new(1, "thin"));
        assert_eq!(thinned.len(), 10);
        assert!(thinned.is_sorted());
        assert_eq!(thin(vec![1, 2], 10, Stream::new(1, "thin")), [1, 2]);
    }
}
