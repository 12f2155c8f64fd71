//! Five batches with values made by running the benchmark's released scripts (`expected_rounds.json`) and by SciPy on
//! their run means (`run_features.json`): tolerance 1e-9 for values, 1e-7 for correlations; null counts as the 0 that
//! those scripts write.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::common::{Work, data, features, report_of};

const BATCHES: [&str; 5] =
    ["experiment_v01", "experiment_v02", "experiment_v03", "experiment_v04", "experiment_v05"];

fn parsed(name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(data(name)).expect("the oracle")).expect("JSON")
}

fn zip(batch: &str) -> std::path::PathBuf {
    data(&format!("swarmbench/{batch}.zip"))
}

fn near(got: f64, want: f64, tolerance: f64) -> bool {
    (got - want).abs() <= tolerance * want.abs().max(1.0)
}

#[test]
fn values_of_rounds_as_the_released_scripts_compute_them() {
    let expected = parsed("swarmbench/expected_rounds.json");
    let mut compared = 0;
    for batch in BATCHES {
        let mut got: BTreeMap<(String, u64), Value> = BTreeMap::new();
        for row in features(&zip(batch), &["--level", "round"]) {
            let run = row["run_id"].as_str().expect("a run id").to_owned();
            assert_eq!(row["batch"], batch);
            assert!(got.insert((run, row["round"].as_u64().expect("a round")), row).is_none());
        }
        for (run, want) in expected[batch].as_object().expect("runs") {
            for (id, series) in want["rounds"].as_object().expect("series") {
                for (round, want) in series.as_array().expect("values").iter().enumerate() {
                    let row = &got[&(run.clone(), round as u64)];
                    let value = row.get(id).unwrap_or_else(|| panic!("no column {id}"));
                    let (value, want) = (value.as_f64().unwrap_or(0.0), want.as_f64().unwrap_or(0.0));
                    assert!(near(value, want, 1e-9), "{batch} {run} round {round} {id}: {value}, not {want}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 10_000, "only {compared} values");
}

#[test]
fn values_of_runs_as_the_released_scripts_compute_them() {
    let expected = parsed("swarmbench/run_features.json");
    let mut got = BTreeMap::new();
    for batch in BATCHES {
        for row in features(&zip(batch), &["--level", "run"]) {
            let name = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
            got.insert((name("batch"), name("run_id")), row);
        }
    }
    let runs = expected["runs"].as_array().expect("runs");
    assert_eq!(got.len(), runs.len());
    for run in runs {
        let name = |key: &str| run[key].as_str().unwrap_or_default().to_owned();
        let row = &got[&(name("experiment"), name("run_id"))];
        for key in ["model", "task", "seed"] {
            assert_eq!(row[key], run[key]);
        }
        assert_eq!(row["rounds_logged"], run["rounds"]);
        let values = run["features"].as_object().expect("features");
        for (id, want) in values.iter().chain([(&"final_score".to_owned(), &run["final_score"])]) {
            let (value, want) = (row[id].as_f64().unwrap_or(0.0), want.as_f64().unwrap_or(0.0));
            assert!(near(value, want, 1e-9), "{} {id}: {value}, not {want}", row["run_id"]);
        }
    }
}

#[test]
fn correlations_with_the_final_score_as_scipy_computes_them() {
    let work = Work::new();
    let zips = BATCHES.map(|batch| zip(batch).display().to_string());
    let report = report_of(&work, &zips.each_ref().map(String::as_str));
    assert_eq!(report.code, 0, "{}", report.stderr);
    let csv = std::fs::read_to_string(report.dir.join("data/correlations.csv")).expect("the table");
    let mut lines = csv.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    let documented = [
        "task", "feature", "target", "method", "n", "r", "ci_low", "ci_high", "p", "p_holm", "p_bh", "reason",
    ];
    assert_eq!(head[..documented.len()], documented);
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let expected = parsed("swarmbench/run_features.json");
    let mut compared = 0;
    for (task, features) in expected["correlation_with_final_score"].as_object().expect("tasks") {
        for (feature, want) in features.as_object().expect("features") {
            let row = rows
                .iter()
                .find(|row| row[..4] == [task.as_str(), feature, "final_score", "pearson"])
                .unwrap_or_else(|| panic!("no row for {task} {feature}"));
            for (column, value) in [("r", row[5]), ("p", row[8])] {
                compared += 1;
                match want[column].as_f64() {
                    None => assert_eq!(value, "", "{task} {feature} {column}"),
                    Some(want) => {
                        let value: f64 = value.parse().expect("a number");
                        assert!(near(value, want, 1e-7), "{task} {feature} {column}: {value}, not {want}");
                    }
                }
            }
            if want["r"].is_null() {
                assert!(!row[11].is_empty(), "{task} {feature}: undefined without a reason");
            } else {
                assert_eq!(row[4], want["n"].to_string(), "{task} {feature}: n");
            }
        }
    }
    assert!(compared >= 100, "only {compared} values");
}
