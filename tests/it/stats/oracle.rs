//! Every number of `tests/data/stats/statistics.json`, which SciPy 1.17.1 and statsmodels 0.15.0 reproduce to the last
//! bit (pearsonr, spearmanr, linregress, multipletests, mannwhitneyu asymptotic, ttest_ind, trim_mean). Its
//! published correlations are those printed in the MASTraceBench paper.

use serde::Deserialize;
use swarm_analyze::stats::{self, Undefined};

#[derive(Deserialize)]
struct Oracle {
    correlation: Vec<Pair>,
    published_correlation: Vec<Published>,
    multiple_testing: Vec<Adjusted>,
    two_sample: Vec<TwoSample>,
    gini: Vec<Gini>,
    edit_distance: Vec<Edit>,
}

#[derive(Deserialize)]
struct Pair {
    n: usize,
    kind: String,
    x: Vec<f64>,
    y: Vec<f64>,
    pearson_r: Option<f64>,
    pearson_p: Option<f64>,
    pearson_ci95: Option<[f64; 2]>,
    spearman_rho: Option<f64>,
    spearman_p: Option<f64>,
    ols_slope: f64,
    ols_intercept: f64,
    ols_r2: Option<f64>,
}

#[derive(Deserialize)]
struct Published {
    n: usize,
    rho: f64,
    rho_p_printed: String,
    r: f64,
    rho_p: f64,
    r_p: f64,
}

#[derive(Deserialize)]
struct Adjusted {
    p: Vec<Option<f64>>,
    holm: Vec<f64>,
    bh: Vec<f64>,
}

#[derive(Deserialize)]
struct TwoSample {
    a: Vec<f64>,
    b: Vec<f64>,
    mannwhitney_u: f64,
    mannwhitney_p: f64,
    welch_t: f64,
    welch_p: f64,
    probability_of_improvement_b_over_a: f64,
    cliffs_delta_b_over_a: f64,
    iqm_a: f64,
    iqm_b: f64,
}

#[derive(Deserialize)]
struct Gini {
    counts: Vec<f64>,
    gini: Option<f64>,
}

#[derive(Deserialize)]
struct Edit {
    a: String,
    b: String,
    distance: usize,
    similarity: f64,
}

fn oracle() -> Oracle {
    serde_json::from_str(include_str!("../../data/stats/statistics.json")).expect("the oracle has this shape")
}

/// Equal to 1e-9 of the wanted value.
#[track_caller]
fn near(got: f64, want: f64) {
    assert!((got - want).abs() <= 1e-9 * want.abs(), "{got:e}, want {want:e}");
}

#[test]
fn correlations_with_p_values_and_intervals() {
    let pairs = oracle().correlation;
    assert_eq!(pairs.len(), 21);
    for pair in &pairs {
        let (pearson, spearman) = (stats::pearson(&pair.x, &pair.y), stats::spearman(&pair.x, &pair.y));
        let (Some(r), Some(p), Some(rho), Some(rho_p)) =
            (pair.pearson_r, pair.pearson_p, pair.spearman_rho, pair.spearman_p)
        else {
            assert!(
                matches!(pearson, Err(Undefined::Constant { .. })) && pearson == spearman,
                "{}",
                pair.kind
            );
            continue;
        };
        let (pearson, spearman) = (pearson.unwrap(), spearman.unwrap());
        assert_eq!((pearson.n, spearman.n), (pair.n, pair.n));
        near(pearson.r, r);
        near(pearson.p, p);
        near(spearman.r, rho);
        if rho > 1.0 - 1e-15 {
            // A perfect order; the tool's sums are off by one rounding in two cases, which its p of 1e-24 shows.
            assert!(spearman.p <= 0.0 && rho_p < 1e-20, "{} {rho_p:e}", spearman.p);
        } else {
            near(spearman.p, rho_p);
        }
        match pair.pearson_ci95 {
            Some([low, high]) => {
                let interval = pearson.interval.value().unwrap();
                near(interval.low, low);
                near(interval.high, high);
            }
            None => assert_eq!(pearson.interval.reason(), Some(Undefined::TooFew { n: pair.n, needed: 4 })),
        }
    }
}

#[test]
fn lines() {
    for pair in oracle().correlation {
        let line = stats::fit_line(&pair.x, &pair.y).unwrap();
        near(line.slope, pair.ols_slope);
        near(line.intercept, pair.ols_intercept);
        match pair.ols_r2 {
            Some(r2) => near(*line.r_squared.value().unwrap(), r2),
            None => assert!(matches!(line.r_squared.reason(), Some(Undefined::Constant { .. }))),
        }
    }
}

#[test]
fn published_p_values() {
    for published in oracle().published_correlation {
        let rho_p = stats::p_from_r(published.rho, published.n).unwrap();
        near(rho_p, published.rho_p);
        assert_eq!(format!("{rho_p:.4}"), published.rho_p_printed);
        near(stats::p_from_r(published.r, published.n).unwrap(), published.r_p);
    }
}

#[test]
fn adjusted_p_values() {
    for family in oracle().multiple_testing {
        let (holm, bh) = (stats::holm(&family.p).unwrap(), stats::benjamini_hochberg(&family.p).unwrap());
        assert_eq!((holm.len(), bh.len()), (family.holm.len(), family.bh.len()));
        for (got, want) in holm.iter().zip(&family.holm).chain(bh.iter().zip(&family.bh)) {
            near(got.unwrap(), *want);
        }
    }
}

#[test]
fn two_samples() {
    for case in oracle().two_sample {
        let (a, b) = (&case.a, &case.b);
        let (rank_sum, welch) = (stats::mann_whitney(a, b).unwrap(), stats::welch(a, b).unwrap());
        near(rank_sum.u, case.mannwhitney_u);
        near(rank_sum.p, case.mannwhitney_p);
        near(welch.t, case.welch_t);
        near(welch.p, case.welch_p);
        near(stats::probability_of_improvement(a, b).unwrap(), case.probability_of_improvement_b_over_a);
        near(stats::cliffs_delta(a, b).unwrap(), case.cliffs_delta_b_over_a);
        near(stats::iqm(a).unwrap(), case.iqm_a);
        near(stats::iqm(b).unwrap(), case.iqm_b);
    }
}

#[test]
fn gini_coefficients() {
    for case in oracle().gini {
        match case.gini {
            Some(want) => near(stats::gini(&case.counts).unwrap(), want),
            None => assert_eq!(stats::gini(&case.counts), Err(Undefined::AllZero)),
        }
    }
}

#[test]
fn edit_distances() {
    for case in oracle().edit_distance {
        for (a, b) in [(&case.a, &case.b), (&case.b, &case.a)] {
            assert_eq!(stats::edit_distance(a, b), case.distance, "{a:?} {b:?}");
            near(stats::edit_similarity(a, b), case.similarity);
            near(stats::EditComparer::new(a).similarity(b), case.similarity);
        }
    }
}
