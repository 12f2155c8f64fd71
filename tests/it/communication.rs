//! MASBench runs against values that another program computed.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::fs::File;
use std::path::{Path, PathBuf};

use serde_json::Value;
use swarm_analyze::communication::{
    Communication, METRICS, Pairing, Part, Settings, Vocabulary, communicate,
};
use swarm_analyze::features::embed::HashedNgrams;
use swarm_analyze::finding::{Finding, Findings, Severity};
use swarm_analyze::ingest::discover;
use swarm_analyze::model::{MasTask, Mechanism};
use swarm_analyze::pipeline::{Silent, workers};
use swarm_analyze::simulate::masbench::{Request, grid};

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
    let scheduling = result.differences.iter().filter(|difference| difference.task == "Scheduling");
    assert!(scheduling.clone().count() > 0);
    assert!(scheduling.into_iter().all(|difference| difference.pairing == Pairing::Independent));
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

/// Writes simulated runs of a task's whole grid into a folder.
fn simulated(folder: &Path, task: &MasTask, episodes: u32, repeats: u32) {
    for mechanism in grid(task) {
        let request = Request {
            task: task.clone(),
            mechanism,
            agents: None,
            seed: 9,
            episodes,
            repeats,
            tokenizer: Vocabulary::default(),
        };
        request.write(folder, false).unwrap();
    }
}

#[test]
fn simulated_runs_are_read_back_without_a_fault_and_paired() {
    for task in MasTask::KNOWN {
        let folder = tempfile::tempdir().unwrap();
        simulated(folder.path(), &task, 4, 2);
        let (result, findings) = read(folder.path());
        assert!(findings.is_empty(), "{task}: {findings:#?}");
        let overall: Vec<_> = result.rows.iter().filter(|row| row.split == Part::Overall).collect();
        assert_eq!(overall.len(), grid(&task).len());
        assert!(overall.iter().all(|row| (row.n, row.episodes, row.counted_messages) == (4, 8, 0)));
        assert!(result.differences.iter().all(|difference| difference.pairing == Pairing::Paired));
        let score =
            result.differences.iter().find(|d| d.metric == "score" && d.split == Part::Overall).unwrap();
        assert_eq!((score.n_from, score.n_to, score.left_out), (4, 4, 0));
        for row in &result.rows {
            let tok = row.values.get("tok").unwrap();
            assert_eq!(
                row.values.get("eff").is_none(),
                tok < 1.0,
                "Eff is undefined at Tok 0, and only there"
            );
            assert!(
                row.values.get("normalized_entropy").is_none_or(|entropy| (0.0..=1.0).contains(&entropy))
            );
        }
        if task == MasTask::Game {
            assert!(
                overall.iter().all(|row| row.values.get("exploration_rate").is_some_and(|cells| cells > 4.0))
            );
        }
    }
}

#[test]
fn every_simulated_instance_of_scheduling_has_the_stated_number_of_windows() {
    let request = Request {
        task: MasTask::Scheduling,
        mechanism: Mechanism::default(),
        agents: None,
        seed: 21,
        episodes: 120,
        repeats: 1,
        tokenizer: Vocabulary::default(),
    };
    for number in 0..request.episodes {
        let episode = request.play(number, 1);
        let day = episode.instance["day_slots"].as_i64().unwrap();
        let duration = episode.instance["duration_slots"].as_i64().unwrap();
        let minutes = episode.instance["slot_minutes"].as_i64().unwrap();
        assert_eq!((minutes, duration * minutes), (10, 20));
        let busy = episode.instance["busy"].as_object().unwrap();
        assert_eq!(busy.len(), 5);
        let free = |slot: i64| {
            busy.values().flat_map(|stretches| stretches.as_array().unwrap()).all(|stretch| {
                let (start, end) = (stretch[0].as_i64().unwrap(), stretch[1].as_i64().unwrap());
                slot < start || slot >= end
            })
        };
        let windows = (0..=day - duration).filter(|&start| (start..start + duration).all(free)).count();
        let stated = if episode.split == "Simple" { 4..=5 } else { 2..=3 };
        assert!(stated.contains(&windows), "{}: {windows}", episode.instance_id);
    }
}

#[test]
fn neither_the_simulator_nor_the_analysis_depends_on_the_number_of_workers() {
    let bytes = |jobs: usize| {
        workers(jobs).unwrap().install(|| {
            let folder = tempfile::tempdir().unwrap();
            simulated(folder.path(), &MasTask::Scheduling, 6, 1);
            let logs = std::fs::read(folder.path().join("scheduling-m1p1-s9/episodes.jsonl")).unwrap();
            let (mut result, _) = read(folder.path());
            result.failures.clear();
            (logs, serde_json::to_string(&result).unwrap())
        })
    };
    assert_eq!(bytes(1), bytes(8));
}

#[test]
fn the_analysis_survives_its_own_json() {
    let (result, _) = read(&oracle());
    let text = serde_json::to_string(&result).unwrap();
    let again: Communication = serde_json::from_str(&text).unwrap();
    assert_eq!(again, result);
}

#[test]
fn faults_of_a_run_are_found_and_the_rest_is_scored() {
    let folder = tempfile::tempdir().unwrap();
    let run = r#"{"schema":"masbench/1","run_id":"r","task":"Scheduling","model":"m","mechanism":{"memory":true,"protocol":false,"routing":null}}"#;
    let episode = |instance: &str, repeat: u32, more: &str| {
        format!(
            r#"{{"instance_id":"{instance}","split":"Simple","repeat":{repeat},"agents":["A","B"],"instance":{{"slot_minutes":10,"day_slots":6,"duration_slots":2,"busy":{{"A":[[0,2]],"B":[[4,6]]}}}},"messages":[{{"round":1,"from":"A","to":["B"],"text":"at two","tokens":2}}],{more}}}"#
        )
    };
    let lines = [
        episode("i1", 1, r#""prediction":2"#),             // free: 100
        episode("i1", 2, r#""prediction":0,"score":100"#), // A is busy: the log is wrong
        episode("i2", 1, r#""prediction":null"#),          // 0, and its second repeat is missing
        episode("i2", 1, r#""prediction":2"#),             // twice
        "{broken".to_owned(),
    ];
    std::fs::write(folder.path().join("run.json"), run).unwrap();
    std::fs::write(folder.path().join("episodes.jsonl"), lines.join("\n") + "\n").unwrap();
    let (result, findings) = read(folder.path());
    let codes: Vec<&str> = findings.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(codes, ["MB003", "MB015", "MB019", "MB018"]);
    let row = &result.rows[0];
    assert_eq!((row.n, row.episodes), (2, 3));
    // Repeats first: i1 is (100 + 100)/2 as logged, i2 is 0; 2 tokens an episode.
    assert_eq!(row.values.get("score"), Some(50.0));
    assert_eq!(row.values.get("tok"), Some(2.0));
    assert_eq!(row.values.get("eff"), Some(25_000.0));
    assert_eq!(result.episodes[0].normalized_entropy, Some(0.0));
}

#[test]
fn hostile_text_in_a_run_stays_text_in_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let evil = "<script>alert(1)</script><img src=x onerror=alert(1)>";
    let run = format!(
        r#"{{"schema":"masbench/1","run_id":"{evil}","task":"Reasoning","model":"{evil}","framework":"{evil}","mechanism":{{"memory":false,"protocol":false,"routing":null}}}}"#
    );
    let episode = format!(
        r#"{{"instance_id":"{evil}","split":"Simple","repeat":1,"agents":["{evil}","B"],"instance":{{"question":"{evil}","gold_answer":"x"}},"prediction":"{evil}","messages":[{{"round":1,"from":"{evil}","to":["B"],"text":"{evil}"}}]}}"#
    );
    std::fs::write(folder.path().join("run.json"), run).unwrap();
    std::fs::write(folder.path().join("episodes.jsonl"), episode + "\n").unwrap();
    let out = tempfile::tempdir().unwrap();
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_swarm-analyze"))
        .args(["report", "--quiet", "-o"])
        .args([&out.path().join("r"), folder.path()])
        .status()
        .unwrap();
    assert!(status.code().is_some_and(|code| code <= 1), "{status}");
    let page = std::fs::read_to_string(out.path().join("r/report.html")).unwrap();
    assert!(page.contains("Failed episodes"), "the section on failures is there");
    assert!(!page.contains("<script>alert(") && !page.contains("<img src=x"));
}
