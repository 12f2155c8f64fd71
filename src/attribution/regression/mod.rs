//! The final score from a run's features: a linear model with SHAP values, and a forest with permutation importance.
//!
//! After the SwarmBench paper, appendix G (Figure S.16). Both models are judged by cross-validation, since with as many
//! features as this a fit to all runs says little about new ones.

mod ridge;
mod trees;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::study::Spread;
use crate::stats::rng::Stream;
use crate::stats::{is_constant, linear_shap, mean, mean_absolute_shap};

/// Fewest runs for a regression.
pub const FEWEST_RUNS: usize = 20;

/// Folds of a cross-validation.
const FOLDS: usize = 5;
/// Cross-validations of the linear model, each with folds drawn anew.
const LINEAR_REPEATS: usize = 20;
/// Cross-validations of the forest.
const FOREST_REPEATS: usize = 4;
/// Trees of a forest.
const TREES: usize = 60;

/// One run's share of one feature.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShapPoint {
    /// SHAP value, in points of the score.
    pub shap: f64,
    /// The feature's value.
    pub value: f64,
}

/// A feature in both models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegressionRow {
    /// The feature's id.
    pub feature: String,
    /// Change of the score with one standard deviation of the feature, in points, the others held.
    pub coefficient: f64,
    /// Mean absolute SHAP value, in points.
    pub mean_shap: f64,
    /// SHAP values of the runs.
    pub points: Vec<ShapPoint>,
    /// Drop of the forest's cross-validated R² when the feature is shuffled among the runs held out.
    pub forest_drop: Option<Spread>,
}

/// The regression of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Regression {
    /// The task.
    pub task: String,
    /// Runs with a final score and all features used.
    pub n: usize,
    /// Runs without a final score.
    pub without_score: usize,
    /// Features used.
    pub features: usize,
    /// Features left out because they are constant, or undefined for some run.
    pub left_out: Vec<String>,
    /// Penalty of the ridge, chosen by leave-one-out; in units of the number of runs.
    pub penalty: Option<f64>,
    /// Cross-validated R² of the linear model over repeated draws of the folds; at most 1, below 0 when the mean score
    /// predicts better.
    pub linear_r2: Option<Spread>,
    /// That of the forest.
    pub forest_r2: Option<Spread>,
    /// Features, the largest mean absolute SHAP value first.
    pub rows: Vec<RegressionRow>,
    /// Why there is no model, where there is none.
    pub refusal: Option<String>,
}

/// Columns of standardised values, and the score.
struct Data {
    /// By run, standardised.
    x: Vec<Vec<f64>>,
    y: Vec<f64>,
}

/// Regresses the final score of a task's runs on their features.
///
/// `columns` has the values of each feature by run, `scores` the final scores. Features that are constant, or undefined
/// for a run with a score, are left out and named. The linear model is a ridge regression on standardised features (Hoerl
/// and Kennard 1970, *Technometrics* 12:55–67), its penalty chosen by leave-one-out within the runs it is fitted to. R² is
/// `1 − Σ(y − ŷ)² / Σ(y − ȳ)²` over all runs, each predicted by a model that has not seen it, ȳ the mean of the runs that
/// model was fitted to; its interval is the middle 95 % over repeated draws of five folds.
pub fn regress(
    task: &str,
    features: &[&str],
    columns: &[Vec<Option<f64>>],
    scores: &[Option<f64>],
    seed: u64,
) -> Regression {
    let runs: Vec<usize> = (0..scores.len()).filter(|&run| scores[run].is_some()).collect();
    let y: Vec<f64> = runs.iter().filter_map(|&run| scores[run]).collect();
    let mut result = Regression {
        task: task.to_owned(),
        n: y.len(),
        without_score: scores.len() - y.len(),
        features: 0,
        left_out: Vec::new(),
        penalty: None,
        linear_r2: None,
        forest_r2: None,
        rows: Vec::new(),
        refusal: None,
    };
    let mut used: Vec<(&str, Vec<f64>)> = Vec::new();
    for (feature, column) in features.iter().zip(columns) {
        let values: Vec<f64> = runs.iter().filter_map(|&run| column.get(run).copied().flatten()).collect();
        if values.len() < runs.len() || is_constant(&values) {
            result.left_out.push((*feature).to_owned());
        } else {
            used.push((feature, values));
        }
    }
    result.features = used.len();
    result.refusal = if y.len() < FEWEST_RUNS {
        Some(format!(
            "{} runs with a final score; at least {FEWEST_RUNS} are needed for a regression",
            y.len()
        ))
    } else if is_constant(&y) {
        Some("every run has the same final score".to_owned())
    } else if used.is_empty() {
        Some("no feature varies and is defined for every run".to_owned())
    } else {
        None
    };
    if result.refusal.is_some() {
        return result;
    }
    let standardised: Vec<Vec<f64>> = used.iter().map(|(_, values)| standardise(values)).collect();
    let x = (0..y.len()).map(|run| standardised.iter().map(|column| column[run]).collect()).collect();
    let data = Data { x, y };
    let all: Vec<usize> = (0..data.y.len()).collect();
    let model = ridge::fit(&data.x, &data.y, &all);
    result.penalty = Some(model.penalty);
    let identity = |what: &str, repeat: usize| format!("regression/{task}/{what}/{repeat}");
    let linear: Vec<f64> = (0..LINEAR_REPEATS)
        .into_par_iter()
        .map(|repeat| linear_r2(&data, Stream::new(seed, &identity("linear folds", repeat))))
        .collect();
    result.linear_r2 = Spread::of(&linear);
    let forest: Vec<ForestRound> = (0..FOREST_REPEATS)
        .into_par_iter()
        .map(|repeat| forest_round(&data, seed, &identity("forest", repeat)))
        .collect();
    result.forest_r2 = Spread::of(&forest.iter().map(|round| round.r2).collect::<Vec<_>>());
    result.rows = (used.iter().zip(&standardised).enumerate())
        .filter_map(|(at, ((feature, values), standard))| {
            let shap = linear_shap(model.coefficients[at], standard).ok()?;
            let drops: Vec<f64> = forest.iter().map(|round| round.drops[at]).collect();
            Some(RegressionRow {
                feature: (*feature).to_owned(),
                coefficient: model.coefficients[at],
                mean_shap: mean_absolute_shap(&shap).ok()?,
                points: shap.iter().zip(values).map(|(&shap, &value)| ShapPoint { shap, value }).collect(),
                forest_drop: Spread::of(&drops),
            })
        })
        .collect();
    result.rows.sort_by(|a, b| b.mean_shap.total_cmp(&a.mean_shap));
    result
}

/// Mean 0, population standard deviation 1. The values vary.
fn standardise(values: &[f64]) -> Vec<f64> {
    let centre = mean(values).unwrap_or(0.0);
    let scale = (values.iter().map(|v| (v - centre).powi(2)).sum::<f64>() / values.len() as f64).sqrt();
    values.iter().map(|v| (v - centre) / scale).collect()
}

/// The runs of each fold.
fn folds(n: usize, mut stream: Stream) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..n).collect();
    stream.shuffle(&mut order);
    (0..FOLDS).map(|fold| order.iter().copied().skip(fold).step_by(FOLDS).collect()).collect()
}

/// Everything but a fold, ascending.
fn rest(n: usize, fold: &[usize]) -> Vec<usize> {
    (0..n).filter(|run| !fold.contains(run)).collect()
}

fn mean_of(y: &[f64], runs: &[usize]) -> f64 {
    runs.iter().map(|&run| y[run]).sum::<f64>() / runs.len().max(1) as f64
}

fn linear_r2(data: &Data, stream: Stream) -> f64 {
    let (mut residual, mut total) = (0.0, 0.0);
    for fold in folds(data.y.len(), stream) {
        let train = rest(data.y.len(), &fold);
        let model = ridge::fit(&data.x, &data.y, &train);
        let centre = mean_of(&data.y, &train);
        for &run in &fold {
            residual += (data.y[run] - model.predict(&data.x[run])).powi(2);
            total += (data.y[run] - centre).powi(2);
        }
    }
    1.0 - residual / total
}

/// One cross-validation of the forest.
struct ForestRound {
    r2: f64,
    /// By feature.
    drops: Vec<f64>,
}

fn forest_round(data: &Data, seed: u64, identity: &str) -> ForestRound {
    let features = data.x.first().map_or(0, Vec::len);
    let (mut residual, mut total) = (0.0, 0.0);
    let mut shuffled_residual = vec![0.0; features];
    for (number, fold) in folds(data.y.len(), Stream::new(seed, identity)).into_iter().enumerate() {
        let train = rest(data.y.len(), &fold);
        let name = format!("{identity}/{number}");
        let forest = trees::grow(&data.x, &data.y, &train, TREES, seed, &name);
        let centre = mean_of(&data.y, &train);
        for &run in &fold {
            residual += (data.y[run] - forest.predict(&data.x[run])).powi(2);
            total += (data.y[run] - centre).powi(2);
        }
        for (feature, sum) in shuffled_residual.iter_mut().enumerate() {
            let mut donors = fold.clone();
            Stream::new(seed, &format!("{name}/permute/{feature}")).shuffle(&mut donors);
            for (&run, &donor) in fold.iter().zip(&donors) {
                let mut row = data.x[run].clone();
                row[feature] = data.x[donor][feature];
                *sum += (data.y[run] - forest.predict(&row)).powi(2);
            }
        }
    }
    let r2 = 1.0 - residual / total;
    ForestRound { r2, drops: shuffled_residual.into_iter().map(|sum| r2 - (1.0 - sum / total)).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A score made of features 0 and 1; feature 2 is noise, 3 constant, 4 undefined once.
    fn planted(n: usize) -> (Vec<Vec<Option<f64>>>, Vec<Option<f64>>) {
        let mut stream = Stream::new(4, "regression");
        let mut columns = vec![Vec::new(); 5];
        let mut scores = Vec::new();
        for run in 0..n {
            let row: Vec<f64> = (0..3).map(|_| stream.uniform()).collect();
            scores.push(Some(50.0 + 30.0 * row[0] - 10.0 * row[1] + 2.0 * stream.uniform()));
            for (column, value) in columns.iter_mut().zip(&row) {
                column.push(Some(*value));
            }
            columns[3].push(Some(1.0));
            columns[4].push((run > 0).then_some(run as f64));
        }
        (columns, scores)
    }

    const NAMES: [&str; 5] = ["a", "b", "noise", "constant", "gap"];

    #[test]
    fn finds_what_the_score_is_made_of() {
        let (columns, scores) = planted(60);
        let found = regress("T", &NAMES, &columns, &scores, 1);
        assert_eq!((found.n, found.features, found.refusal.clone()), (60, 3, None));
        assert_eq!(found.left_out, ["constant", "gap"]);
        assert!(found.linear_r2.unwrap().low > 0.95, "{:?}", found.linear_r2);
        let order: Vec<&str> = found.rows.iter().map(|row| row.feature.as_str()).collect();
        assert_eq!(order, ["a", "b", "noise"]);
        // One SD of a uniform variable is 0.289: 30 points of it are 8.7, 10 points 2.9.
        assert!(
            (found.rows[0].coefficient - 8.66).abs() < 1.5 && (found.rows[1].coefficient + 2.89).abs() < 0.8
        );
        let shap_sum: f64 = found.rows[0].points.iter().map(|p| p.shap).sum();
        assert!(shap_sum.abs() < 1e-9);
        assert!(found.forest_r2.unwrap().mean > 0.6, "{:?}", found.forest_r2);
        let drop = |at: usize| found.rows[at].forest_drop.unwrap();
        assert!(drop(0).mean > 0.5 && drop(2).mean.abs() < 0.1);
        assert_eq!(found, regress("T", &NAMES, &columns, &scores, 1));
    }

    #[test]
    fn noise_has_no_r2_and_few_runs_are_refused() {
        let (columns, _) = planted(60);
        let mut stream = Stream::new(9, "noise");
        let scores: Vec<Option<f64>> = (0..60).map(|_| Some(stream.uniform())).collect();
        let found = regress("T", &NAMES, &columns, &scores, 1);
        assert!(found.linear_r2.unwrap().mean < 0.1, "{:?}", found.linear_r2);
        let (columns, scores) = planted(19);
        assert!(regress("T", &NAMES, &columns, &scores, 1).refusal.unwrap().contains("at least 20"));
        let (columns, mut scores) = planted(25);
        scores[3] = None;
        assert_eq!(regress("T", &NAMES, &columns, &scores, 1).without_score, 1);
        scores.fill(Some(5.0));
        assert!(regress("T", &NAMES, &columns, &scores, 1).refusal.unwrap().contains("same final score"));
    }
}
