//! MASBench runs against values that another program computed.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde_json::Value;
use swarm_analyze::communication::{Communication, METRICS, Measurer, Part, RunMeasures, Settings, analyse};
use swarm_analyze::features::Walker;
use swarm_analyze::features::embed::HashedNgrams;
use swarm_analyze::finding::{Finding, Findings, Subject};
use swarm_analyze::ingest::masbench::{read_episodes, read_run_file};

fn oracle() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/masbench")
}

fn read(folder: &Path) -> (Communication, Vec<Finding>) {
    let settings = Settings::default();
    let mut findings = Findings::new();
    let mut runs = Vec::new();
    let mut folders: Vec<PathBuf> =
        folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    for folder in folders {
        let subject = Subject::file(folder.display().to_string());
        let value: Value = serde_json::from_reader(File::open(folder.join("run.json")).unwrap()).unwrap();
        let meta = read_run_file(&value, "masbench", &subject, &mut findings).unwrap();
        let task = meta.task.clone();
        let mut run = RunMeasures::new(meta);
        let reader = BufReader::new(File::open(folder.join("episodes.jsonl")).unwrap());
        let mut measurer = Measurer {
            tokenizer: settings.tokenizer.tokenizer(),
            walker: Walker::new(&HashedNgrams),
            undefined: settings.undefined,
        };
        read_episodes(reader, &task, &subject, &mut findings, |episode, record, findings| {
            run.add(&episode, record, &mut measurer, &subject, findings);
        });
        run.finish(&subject, &mut findings);
        runs.push(run);
    }
    (analyse(runs, settings), findings.into_sorted())
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
    assert!(findings.is_empty(), "{findings:#?}");
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
