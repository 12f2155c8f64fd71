//! MASBench runs against values that another program computed.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::fs::File;
use std::path::{Path, PathBuf};

use serde_json::Value;
use swarm_analyze::communication::{Communication, METRICS, Pairing, Part, Settings, communicate};
use swarm_analyze::features::embed::HashedNgrams;
use swarm_analyze::finding::{Finding, Findings, Severity};
use swarm_analyze::ingest::discover;
use swarm_analyze::pipeline::Silent;

fn oracle() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/masbench")
}

fn read(folder: &Path) -> (Communication, Vec<Finding>) {
    let mut findings = Findings::new();
    let inventory = discover(&[folder.to_path_buf()], &mut findings).unwrap();
    let result =
        communicate(&inventory.masbench, &HashedNgrams, Settings::default(), &Silent, &mut findings).unwrap();
    (result, findings.into_sorted())
}

fn same(got: Option<f64>, want: &Value) -> bool {
    match (got, want.as_f64()) {
        (Some(got), Some(want)) => (got - want).abs() <= 1e-9 * want.abs().max(1.0),
        (got, want) => got.is_none() && want.is_none(),
    }
}

#[test]
fn oracle_runs_give_the_reference_values() {
    let expected: Value =
        serde_json::from_reader(File::open(oracle().join("expected.json")).unwrap()).unwrap();
    let (result, findings) = read(&oracle());
    // Its runs share instance ids but not instances.
    let known = |finding: &Finding| finding.severity == Severity::Info || finding.code == "MB026";
    assert!(findings.iter().all(known), "{findings:#?}");
    assert!(result.differences.iter().all(|difference| difference.pairing == Pairing::Independent));
    let mut checked = 0;
    for (run_id, want) in expected.as_object().unwrap() {
        for part in Part::ALL {
            let row = result.rows.iter().find(|row| row.run.run_id == *run_id && row.split == part).unwrap();
            let want = &want[part.name()];
            assert_eq!(Some(row.n), want["n"].as_u64());
            for id in ["score", "tok", "eff"] {
                assert!(same(row.values.get(id), &want[id]), "{run_id} {} {id}", part.name());
                checked += 1;
            }
        }
        let mut entropy: Vec<_> = result.episodes.iter().filter(|row| row.run_id == *run_id).collect();
        entropy.sort_by(|a, b| a.instance_id.cmp(&b.instance_id));
        for (row, want) in entropy.iter().zip(want["normalized_entropy"].as_array().unwrap()) {
            assert!(same(row.normalized_entropy, want), "{run_id} {}", row.instance_id);
            checked += 1;
        }
    }
    assert_eq!(checked, 9 * (9 + 12));
}

#[test]
fn every_row_has_every_metric() {
    let (result, _) = read(&oracle());
    let row = serde_json::to_value(&result.rows[0]).unwrap();
    for metric in METRICS {
        assert!(row.get(metric.id).is_some(), "{}", metric.id);
    }
    assert_eq!(row["split"], "overall");
}
