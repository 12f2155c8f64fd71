//! Whether move scores tell of game results: table 7's correlation over methods.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::overview::{GroupRow, estimate_of};
use crate::stats::{CompletePairs, Correlation, Stat, pearson, spearman};

/// The correlation of mean proposal score and task score over the methods of one task and model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConsistencyRow {
    /// The task.
    pub task: String,
    /// The model.
    pub model: String,
    /// Methods that have both values.
    pub methods: u64,
    /// Spearman's ρ.
    pub spearman: Stat<Correlation>,
    /// Pearson's r.
    pub pearson: Stat<Correlation>,
}

/// Correlates, for each task and model, the methods' mean answer scores with their task scores.
///
/// Pearson and Spearman with two-sided p from t with n−2 degrees of freedom, n the number of methods; undefined below three
/// methods or where one of the two does not vary. In a static task both are the same mean, so that only dynamic tasks are
/// looked at. MASTraceBench, table 7. `groups` lie in order of task; a method with several rows (further keys) counts by each.
pub fn consistency(groups: &[GroupRow], dynamic: impl Fn(&str) -> bool) -> Vec<ConsistencyRow> {
    /// Mean proposal score and task score of one method.
    type Pair = (Option<f64>, Option<f64>);
    let mut pairs: BTreeMap<(usize, &str, &str), Vec<Pair>> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for group in groups.iter().filter(|group| dynamic(&group.task)) {
        if !order.contains(&group.task.as_str()) {
            order.push(&group.task);
        }
        let place = order.len() - 1;
        let value = |id| estimate_of(&group.estimates, id).value;
        pairs
            .entry((place, &group.task, &group.model))
            .or_default()
            .push((value("mean_proposal_score"), value("task_score")));
    }
    pairs
        .into_iter()
        .map(|((_, task, model), values)| {
            let complete = CompletePairs::of(values);
            ConsistencyRow {
                task: task.to_owned(),
                model: model.to_owned(),
                methods: complete.x.len() as u64,
                spearman: spearman(&complete.x, &complete.y).into(),
                pearson: pearson(&complete.x, &complete.y).into(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::p_from_r;
    use crate::trajectory::metric::{Estimate, METRICS, position};

    #[test]
    fn table_7_from_r_and_eleven_methods() {
        // Printed: Gomoku ρ = 0.884 and TacticDuel ρ = 0.882, both p = 0.0003; r = 0.945 and 0.951, p < 0.0001.
        for rho in [0.884, 0.882] {
            let p = p_from_r(rho, 11).unwrap();
            assert!((p - 0.0003).abs() < 0.000_05, "{rho}: {p}");
        }
        for r in [0.945, 0.951] {
            assert!(p_from_r(r, 11).unwrap() < 0.0001, "{r}");
        }
    }

    #[test]
    fn dynamic_tasks_only_and_over_methods() {
        let group = |task: &str, method: &str, moves: f64, score: f64| {
            let mut estimates = vec![Estimate::default(); METRICS.len()];
            estimates[position("mean_proposal_score").unwrap()].value = Some(moves);
            estimates[position("task_score").unwrap()].value = Some(score);
            GroupRow {
                task: task.into(),
                method: method.into(),
                model: "m".into(),
                by: BTreeMap::new(),
                runs: 1,
                estimates,
            }
        };
        let groups = [
            group("MAPF", "a", 1.0, 1.0),
            group("Gomoku", "a", 10.0, 50.0),
            group("Gomoku", "b", 20.0, 40.0),
            group("Gomoku", "c", 30.0, 70.0),
        ];
        let rows = consistency(&groups, |task| task != "MAPF");
        assert_eq!((rows.len(), rows[0].methods), (1, 3));
        // By hand: ranks 1 2 3 and 2 1 3 give ρ = 0.5; r = 200/√(200 · 466.67) = 0.6547.
        assert!((rows[0].spearman.value().unwrap().r - 0.5).abs() < 1e-12);
        assert!((rows[0].pearson.value().unwrap().r - 0.654_653_670_707_977).abs() < 1e-12);
    }
}
