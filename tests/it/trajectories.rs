//! Proposal trajectories against reference runs with independently computed values.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::path::{Path, PathBuf};

use serde_json::Value;
use swarm_analyze::finding::Findings;
use swarm_analyze::ingest::discover;
use swarm_analyze::trajectory::estimate::Intervals;
use swarm_analyze::trajectory::overview::{Settings, Trajectories, analyse};
use swarm_analyze::trajectory::trace::RunTrace;
use swarm_analyze::trajectory::{load, write};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/mastracebench").join(name)
}

struct Analysed {
    runs: Vec<RunTrace>,
    all: Trajectories,
    findings: Findings,
}

fn analysed(resamples: usize) -> Analysed {
    let mut findings = Findings::new();
    let inventory = discover(&[data("runs.zip")], &mut findings).unwrap();
    let runs = load::trace_all(&inventory.proposals, &mut findings);
    let settings =
        Settings { intervals: Intervals { resamples, level: 0.95, seed: 7 }, by: vec!["seed".into()] };
    let all = analyse(&runs, &settings, &mut findings);
    Analysed { runs, all, findings }
}

fn output(analysed: &Analysed) -> Value {
    let mut bytes = Vec::new();
    write::json(&mut bytes, &analysed.runs, &analysed.all).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// Null equals null or an absent key; numbers agree to 1e-9 of the larger of 1 and the expected value.
fn agrees(got: &Value, want: &Value) -> bool {
    match (got.as_f64(), want.as_f64()) {
        (Some(got), Some(want)) => (got - want).abs() <= 1e-9 * want.abs().max(1.0),
        _ => got == want,
    }
}

#[test]
fn the_reference_runs_to_nine_digits() {
    let expected: Value = serde_json::from_slice(&std::fs::read(data("expected.json")).unwrap()).unwrap();
    let out = output(&analysed(0));
    let rows = out["rows"].as_array().unwrap();
    let units = out["units"].as_array().unwrap();
    let expected = expected.as_object().unwrap();
    assert_eq!((rows.len(), expected.len(), units.len()), (24, 24, 24 * 24));
    for (run, want) in expected {
        let row = rows.iter().find(|row| row["run_id"] == **run).unwrap();
        for key in [
            "units",
            "task_score",
            "collaboration_gain",
            "aggregation_loss",
            "output_validity",
            "final_proposal_agreement",
            "token_cost",
            "token_multiplier",
        ] {
            assert!(agrees(&row[key], &want[key]), "{run} {key}: {} for {}", row[key], want[key]);
        }
        for kind in ["gab", "ar_strong", "ar_weak"] {
            let shares = want[kind].as_object().unwrap();
            for (label, share) in shares {
                assert!(agrees(&row[kind][label], share), "{run} {kind} {label}");
            }
            let others =
                row[kind].as_object().unwrap().iter().filter(|(label, _)| !shares.contains_key(*label));
            assert!(
                others.into_iter().all(|(_, share)| share == 0.0),
                "{run} {kind}: labels beyond the expected ones"
            );
        }
        for (unit, want) in want["labels"].as_object().unwrap() {
            let got = units.iter().find(|u| u["run_id"] == **run && u["unit_id"] == **unit).unwrap();
            assert_eq!(got["gab"], want["gab"], "{run} {unit}");
            for key in ["best_initial", "aggregation_loss"] {
                assert!(agrees(&got[key], &want[key]), "{run} {unit} {key}");
            }
            for side in ["strong", "weak"] {
                for (agent, label) in want[side].as_object().unwrap() {
                    assert_eq!(got["ar"][agent], *label, "{run} {unit} {agent}");
                }
            }
        }
    }
}

#[test]
fn reference_runs_have_no_faults_but_invalid_outputs() {
    let codes: std::collections::BTreeSet<String> =
        analysed(0).findings.into_sorted().into_iter().map(|finding| finding.code).collect();
    assert_eq!(codes.into_iter().collect::<Vec<_>>(), ["MT027"]);
}

#[test]
fn intervals_hold_their_values_and_repeat() {
    let (first, second) = (analysed(200).all, analysed(200).all);
    assert_eq!(first, second);
    let mut seen = 0;
    for estimate in first.runs.iter().flat_map(|run| &run.estimates) {
        if let (Some(value), Some(low), Some(high)) = (estimate.value, estimate.low, estimate.high) {
            assert!(low <= high && low - 1e-9 <= value && value <= high + 1e-9, "{estimate:?}");
            seen += 1;
        }
    }
    assert!(seen > 300, "{seen}");
    let gain = |run: &str| {
        let row = first.runs.iter().find(|row| row.key.run_id == run).unwrap();
        swarm_analyze::trajectory::overview::estimate_of(&row.estimates, "collaboration_gain")
    };
    // Four episodes that are 100, 100, 0, 0 against 100, 100, 100, 0: paired, the gain of −25 is never above 0.
    let gain = gain("gomoku-int-debate-s5");
    assert_eq!((gain.value, gain.high), (Some(-25.0), Some(0.0)));
}
