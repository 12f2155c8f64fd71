//! One attribution study: does a forest predict the actions of runs it has not seen, and from what?
//!
//! After the SwarmBench paper, section 4.4: a random forest predicts each agent's action from what it sees and hears, and
//! permutation importance tells how much each source matters. Here whole runs are held out, two baselines stand beside
//! the forest, and nothing is ranked when it does not beat both.

use serde::{Deserialize, Serialize};

pub use super::found::{Attribution, ClassCount, ImportanceRow, Rankings, SplitScore, Spread};

use super::cluster::{THRESHOLD, spearman_clusters};
use super::design::{Design, Group};
use super::forest::{BinnedRows, Forest, ForestError, ForestParams};
use super::importance::{ImportanceParams, permutation_importance};
use super::margin::{Margins, Predicted};
use super::matrix::Matrix;
use super::metrics::Confusion;
use super::split::{split_by_run, thin};
use super::surrogate::{Imitated, Surrogate, surrogate};
use crate::stats::rng::Stream;

/// Fewest runs that a study needs: with fewer, the held-out side is one run and says little.
pub const FEWEST_RUNS: usize = 4;

/// Columns that the surrogate tree may use: those of the highest importance.
const SURROGATE_COLUMNS: usize = 24;
/// Rows that the surrogate tree is grown on at most.
const SURROGATE_ROWS: usize = 2000;
/// Rows that the rank correlations of the clusters are over at most.
const CLUSTER_ROWS: usize = 2000;

/// How a study is done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyParams {
    /// Trees of the forest.
    pub trees: usize,
    /// Shuffles per feature and split.
    pub repeats: usize,
    /// Times that runs are held out anew.
    pub splits: usize,
    /// Share of the runs held out.
    pub held_out: f64,
    /// Rows of a study at most, drawn evenly from the runs.
    pub max_rows: usize,
    /// The seed.
    pub seed: u64,
}

impl Default for StudyParams {
    fn default() -> Self {
        Self { trees: 100, repeats: 10, splits: 3, held_out: 0.25, max_rows: 12_000, seed: 0 }
    }
}

/// What is studied, as it stands in the result.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The task.
    pub task: &'a str,
    /// The model, or all.
    pub model: Option<&'a str>,
    /// Decisions with an action in the logs, of which the design may hold a part.
    pub rows_logged: usize,
    /// Runs that have none.
    pub runs_without_views: usize,
}

/// Drops of one way of permuting, over all splits: by unit, then splits and repeats in order.
struct Drops(Vec<Vec<f64>>);

impl Drops {
    fn add(&mut self, drops: Vec<Vec<f64>>) {
        self.0.resize(drops.len().max(self.0.len()), Vec::new());
        for (all, drops) in self.0.iter_mut().zip(drops) {
            all.extend(drops);
        }
    }
}

/// A split's forest, and the rows it is asked about.
struct Fitted {
    name: String,
    forest: Forest,
    rows: BinnedRows,
    train_x: Matrix,
    test_x: Matrix,
    test_y: Vec<u8>,
    /// What the forest says of the rows.
    said: Vec<u8>,
}

/// Why the forest does not beat its baselines, if it doesn't: by more than runs differ, and in every split.
fn not_beaten(result: &Attribution) -> Option<String> {
    let says_nothing = "so what it looks at says nothing about the actions";
    if let Some(number) = result.splits.iter().position(|split| split.margin() <= 0.0) {
        let (number, splits) = (number + 1, result.splits.len());
        return Some(format!(
            "in split {number} of {splits} the forest does not beat its baselines on runs it has not seen, {says_nothing}"
        ));
    }
    match result.margin {
        Some(margin) if margin.is_clear() => None,
        Some(margin) => Some(format!(
            "over {} held out the forest does not beat its baselines by more than runs differ, {says_nothing}",
            if margin.runs == 1 { "the one run".to_owned() } else { format!("the {} runs", margin.runs) }
        )),
        None => Some("no run could be held out".to_owned()),
    }
}

/// Runs a study on a design.
///
/// # Errors
/// Those of the forest for parameters out of range. Too little data is no error but a refusal in the result.
pub fn study(
    subject: Subject<'_>,
    design: &Design,
    params: &StudyParams,
) -> Result<Attribution, ForestError> {
    let identity = format!("attribution/{}/{}", subject.task, subject.model.unwrap_or("*"));
    let columns = design.varying();
    let mut result = Attribution {
        task: subject.task.to_owned(),
        model: subject.model.map(str::to_owned),
        runs: design.run_count(),
        runs_without_views: subject.runs_without_views,
        rows_logged: subject.rows_logged,
        rows: design.labels.len(),
        features: columns.len(),
        constant_features: design.columns.len() - columns.len(),
        classes: class_counts(design),
        splits: Vec::new(),
        f1: None,
        majority_f1: None,
        shuffled_f1: None,
        margin: None,
        refusal: None,
        rankings: None,
    };
    if let Some(refusal) = too_little(&result) {
        result.refusal = Some(refusal);
        return Ok(result);
    }
    let x = design.x.select_columns(&columns);
    let singles: Vec<Vec<usize>> = (0..columns.len()).map(|column| vec![column]).collect();
    let groups: Vec<Vec<usize>> = Group::ALL
        .map(|group| (0..columns.len()).filter(|&c| design.columns[columns[c]].group == group).collect())
        .into();
    let sample = thin(
        (0..x.rows()).collect(),
        CLUSTER_ROWS,
        Stream::new(params.seed, &format!("{identity}/clusters")),
    );
    let clusters = spearman_clusters(&x.select(&sample), THRESHOLD);
    let (mut by_single, mut by_group, mut by_cluster) = (Drops(vec![]), Drops(vec![]), Drops(vec![]));
    let mut margins = Margins::default();
    let mut fitted = Vec::new();
    for number in 0..params.splits.max(1) {
        let name = format!("{identity}/split/{number}");
        let Some(split) = split_by_run(&design.runs, params.held_out, Stream::new(params.seed, &name)) else {
            break;
        };
        let (train_x, train_y) = (x.select(&split.train), design.labels_of(&split.train));
        let (test_x, test_y) = (x.select(&split.test), design.labels_of(&split.test));
        let forest_params = ForestParams {
            trees: params.trees,
            seed: params.seed,
            identity: name.clone(),
            ..ForestParams::default()
        };
        let classes = design.classes.len();
        let forest = Forest::fit(&train_x, &train_y, classes, &forest_params)?;
        let rows = forest.bin_rows(&test_x)?;
        let said = forest.predict(&rows);
        let majority = vec![most_frequent(&train_y, classes); test_y.len()];
        let mut shuffled_y = train_y.clone();
        Stream::new(params.seed, &format!("{name}/shuffled labels")).shuffle(&mut shuffled_y);
        let blind = Forest::fit(&train_x, &shuffled_y, classes, &forest_params)?.predict(&rows);
        let runs: Vec<u32> = split.test.iter().map(|&row| design.runs[row]).collect();
        margins.add(
            Predicted { runs: &runs, truth: &test_y, forest: &said, baselines: [&majority, &blind] },
            classes,
        );
        let score = |said: &[u8]| Confusion::of(&test_y, said, classes);
        let f1 = |scores: &Confusion| scores.macro_f1().unwrap_or(0.0);
        let scores = score(&said);
        result.splits.push(SplitScore {
            train_rows: train_y.len(),
            test_rows: test_y.len(),
            test_runs: split.test_runs,
            accuracy: scores.accuracy().unwrap_or(0.0),
            f1: f1(&scores),
            majority_f1: f1(&score(&majority)),
            shuffled_f1: f1(&score(&blind)),
        });
        fitted.push(Fitted { name, forest, rows, train_x, test_x, test_y, said });
    }
    let over = |of: fn(&SplitScore) -> f64| Spread::of(&result.splits.iter().map(of).collect::<Vec<_>>());
    (result.f1, result.majority_f1, result.shuffled_f1) =
        (over(|s| s.f1), over(|s| s.majority_f1), over(|s| s.shuffled_f1));
    result.margin = margins.margin();
    result.refusal = not_beaten(&result);
    if result.refusal.is_some() {
        return Ok(result); // the scores are shown, rankings would mean nothing
    }
    for Fitted { name, forest, rows, test_y, .. } in &fitted {
        for (units, drops) in
            [(&singles, &mut by_single), (&groups, &mut by_group), (&clusters, &mut by_cluster)]
        {
            let how = ImportanceParams { units, repeats: params.repeats, seed: params.seed, identity: name };
            drops.add(permutation_importance(forest, rows, test_y, &how)?.drops);
        }
    }
    if let Some(first) = fitted.first() {
        let name = |column: usize| design.columns[columns[column]].name.clone();
        let group_of = |column: usize| design.columns[columns[column]].group;
        let ranked = |units: &[Vec<usize>], drops: &Drops| -> Vec<(usize, ImportanceRow)> {
            let mut rows: Vec<(usize, ImportanceRow)> = (units.iter().zip(&drops.0).enumerate())
                .filter_map(|(unit, (members, drops))| {
                    let first = *members.first()?;
                    let same = members.iter().all(|&m| group_of(m) == group_of(first));
                    let row = ImportanceRow {
                        name: members.iter().map(|&m| name(m)).collect::<Vec<_>>().join(" + "),
                        group: same.then(|| group_of(first)),
                        features: members.len(),
                        drop: Spread::of(drops)?,
                    };
                    Some((unit, row))
                })
                .collect();
            rows.sort_by(|a, b| b.1.drop.mean.total_cmp(&a.1.drop.mean));
            rows
        };
        let mut group_rows = ranked(&groups, &by_group);
        group_rows.sort_by_key(|(unit, _)| *unit);
        let features = ranked(&singles, &by_single);
        let top: Vec<usize> = features.iter().take(SURROGATE_COLUMNS).map(|(column, _)| *column).collect();
        let imitation = imitate(first, &top, &name, design, params, &identity)?;
        let rows_of = |rows: Vec<(usize, ImportanceRow)>| rows.into_iter().map(|(_, row)| row).collect();
        result.rankings = Some(Rankings {
            groups: group_rows
                .into_iter()
                .map(|(unit, row)| ImportanceRow { name: Group::ALL[unit].name().to_owned(), ..row })
                .collect(),
            clusters: rows_of(ranked(&clusters, &by_cluster)),
            features: rows_of(features),
            surrogate: Some(imitation),
        });
    }
    Ok(result)
}

fn imitate(
    fitted: &Fitted,
    columns: &[usize],
    name: &dyn Fn(usize) -> String,
    design: &Design,
    params: &StudyParams,
    identity: &str,
) -> Result<Surrogate, ForestError> {
    let sample = thin(
        (0..fitted.train_x.rows()).collect(),
        SURROGATE_ROWS,
        Stream::new(params.seed, &format!("{identity}/surrogate")),
    );
    let train_x = fitted.train_x.select(&sample);
    let data = Imitated {
        x: &train_x.select_columns(columns),
        classes: &fitted.forest.predict(&fitted.forest.bin_rows(&train_x)?),
        test_x: &fitted.test_x.select_columns(columns),
        test_classes: &fitted.said,
    };
    surrogate(data, &columns.iter().map(|&c| name(c)).collect::<Vec<_>>(), &design.classes)
}

fn class_counts(design: &Design) -> Vec<ClassCount> {
    let count = |class: usize| design.labels.iter().filter(|&&label| usize::from(label) == class).count();
    (design.classes.iter().enumerate())
        .map(|(class, action)| ClassCount { action: action.clone(), rows: count(class) })
        .collect()
}

fn most_frequent(labels: &[u8], classes: usize) -> u8 {
    let mut counts = vec![0usize; classes];
    labels.iter().for_each(|&label| counts[usize::from(label)] += 1);
    (0..classes).rev().max_by_key(|&class| counts[class]).unwrap_or(0) as u8
}

/// Why the data can't be studied.
fn too_little(result: &Attribution) -> Option<String> {
    if result.runs < FEWEST_RUNS {
        return Some(format!(
            "{} runs with logged views; at least {FEWEST_RUNS} are needed to hold some out",
            result.runs
        ));
    }
    if result.classes.len() < 2 {
        return Some("every decision is the same action".to_owned());
    }
    if result.features == 0 {
        return Some("no feature varies".to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::design::Column;
    use super::*;

    /// Actions follow from column 0 (and from column 4, its double), or from nothing.
    fn design(runs: u32, planted: bool) -> Design {
        let mut stream = Stream::new(8, "study");
        let (mut values, mut labels, mut of) = (Vec::new(), Vec::new(), Vec::new());
        for run in 0..runs {
            for _ in 0..60 {
                let row: Vec<f32> = (0..4).map(|_| stream.uniform() as f32).collect();
                let noise = stream.uniform() as f32;
                let from = if planted { row[0] * 0.9 + noise * 0.1 } else { noise };
                labels.push((from * 3.0) as u8);
                values.extend(&row);
                values.extend([row[0], 1.0]);
                of.push(run);
            }
        }
        let groups = [
            Group::Observation,
            Group::Observation,
            Group::Messages,
            Group::History,
            Group::Observation,
            Group::History,
        ];
        let columns =
            groups.iter().enumerate().map(|(i, &group)| Column { group, name: format!("c{i}") }).collect();
        Design {
            columns,
            x: Matrix { columns: 6, values },
            labels,
            classes: ["A", "B", "C"].map(str::to_owned).into(),
            runs: of,
        }
    }

    fn run(design: &Design) -> Attribution {
        let params = StudyParams { trees: 40, ..StudyParams::default() };
        let subject =
            Subject { task: "T", model: None, rows_logged: design.labels.len(), runs_without_views: 0 };
        study(subject, design, &params).unwrap()
    }

    #[test]
    fn a_planted_feature_is_found_with_its_double() {
        let found = run(&design(16, true));
        assert_eq!((found.runs, found.features, found.constant_features), (16, 5, 1));
        assert!(found.f1.unwrap().mean > 0.85, "{:?}", found.f1);
        let rankings = found.rankings.unwrap();
        assert_eq!(rankings.groups[0].name, "observation");
        assert!(rankings.groups[0].drop.low > 0.3, "{:?}", rankings.groups);
        assert!(rankings.groups[1].drop.low <= 0.0 && rankings.groups[1].drop.high >= 0.0);
        assert_eq!(rankings.clusters.len(), 1);
        assert_eq!(rankings.clusters[0].name, "c0 + c4");
        // The double hides the single: only both together show what they are worth.
        assert!(rankings.clusters[0].drop.mean > rankings.features[0].drop.mean + 0.1);
        let two: Vec<&str> = rankings.features[..2].iter().map(|row| row.name.as_str()).collect();
        assert!(two.contains(&"c0") && two.contains(&"c4"), "{two:?}");
        for noise in &rankings.features[2..] {
            assert!(noise.drop.low <= 0.0 && noise.drop.high >= 0.0, "{noise:?}");
        }
        assert!(rankings.surrogate.unwrap().fidelity > 0.9);
    }

    #[test]
    fn noise_is_not_ranked() {
        let found = run(&design(16, false));
        assert!(found.rankings.is_none() && found.refusal.unwrap().contains("does not beat"));
        assert!(!found.splits.is_empty(), "the scores are shown all the same");
    }

    #[test]
    fn too_few_runs_are_refused() {
        let found = run(&design(3, true));
        assert!(found.refusal.unwrap().contains("at least 4"));
        let nothing = run(&Design { columns: vec![], ..Design::default() });
        assert!(nothing.refusal.is_some());
    }
}
