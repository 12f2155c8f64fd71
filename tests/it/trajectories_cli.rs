//! Trajectories as a user runs them: simulate, measure, report, on good and on hostile logs.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_swarm-analyze")).args(arguments).output().expect("the binary was built")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

fn simulated(folder: &Path, task: &str, method: &str) {
    let out = run(&[
        "simulate",
        "mastracebench",
        "--task",
        task,
        "--method",
        method,
        "--seed",
        "4",
        "--units",
        "6",
        "-o",
        text(folder),
    ]);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn simulated_runs_are_measured_alike_by_any_number_of_workers() {
    let folder = tempfile::tempdir().unwrap();
    for method in ["Single-Agent", "int-debate", "CLEARS"] {
        for task in ["MAPF", "Gomoku"] {
            simulated(folder.path(), task, method);
        }
    }
    let measured =
        |jobs: &str| run(&["trajectories", text(folder.path()), "--jobs", jobs, "--resamples", "200"]).stdout;
    let one = measured("1");
    assert_eq!(one, measured("8"));
    let value: Value = serde_json::from_slice(&one).unwrap();
    let rows = value["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    assert!(rows.iter().all(|row| row["output_validity"].as_f64() > Some(80.0)));
    for (level, lines) in [("run", 7), ("group", 7)] {
        let out =
            run(&["trajectories", text(folder.path()), "--format", "csv", "--level", level, "-q"]).stdout;
        assert_eq!(String::from_utf8(out).unwrap().lines().count(), lines, "{level}");
    }
    let file = folder.path().join("units.parquet");
    let out = run(&[
        "trajectories",
        text(folder.path()),
        "--format",
        "parquet",
        "--level",
        "unit",
        "-o",
        text(&file),
    ]);
    assert!(out.status.success() && std::fs::read(&file).unwrap().starts_with(b"PAR1"));
    let again = run(&[
        "simulate",
        "mastracebench",
        "--task",
        "MAPF",
        "--method",
        "CLEARS",
        "--seed",
        "4",
        "-o",
        text(folder.path()),
    ]);
    assert_eq!(again.status.code(), Some(4), "a run is never replaced without --force");
    assert_eq!(
        run(&["simulate", "mastracebench", "--task", "Chess", "--method", "all", "-o", "x"]).status.code(),
        Some(2)
    );
}

#[test]
fn hostile_logs_are_shown_as_text_and_faults_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let attack = "</script><script>alert(1)</script><img src=x onerror=alert(1)>";
    let run_folder = folder.path().join("r");
    std::fs::create_dir(&run_folder).unwrap();
    let meta = json!({"schema": "mastracebench/1", "run_id": attack, "task": "EvidenceChain", "method": attack, "model": attack});
    std::fs::write(run_folder.join("run.json"), meta.to_string()).unwrap();
    let output = |ids: Value| json!({"content": ids, "valid": true});
    let unit = |id: &str| {
        json!({"unit_id": id, "instance": {"question": attack, "facts": [attack], "gold": [0, 1]},
            "proposers": [{"agent": attack, "initial": output(json!([0, 1])), "final": output(json!([attack]))}],
            "answer": output(json!([1]))})
        .to_string()
    };
    let lines = format!("{}\n{}\nnonsense\n{{\"unit_id\":\"cut", unit(attack), unit(attack));
    std::fs::write(run_folder.join("units.jsonl"), lines).unwrap();
    let report = folder.path().join("report");
    let out = run(&["report", text(&run_folder), "-o", text(&report), "--resamples", "100"]);
    assert_eq!(out.status.code(), Some(1), "{}", String::from_utf8_lossy(&out.stderr));
    let mut pages = vec![std::fs::read_to_string(report.join("report.html")).unwrap()];
    for figure in std::fs::read_dir(report.join("figures")).unwrap() {
        pages.push(std::fs::read_to_string(figure.unwrap().path()).unwrap());
    }
    for page in pages {
        assert!(!page.contains("<script>alert(") && !page.contains("<img src=x"));
    }
    let findings = std::fs::read_to_string(report.join("findings.json")).unwrap();
    for code in ["MT002", "MT010", "MT027", "MT031", "MT032", "IN008"] {
        assert!(findings.contains(code), "{code}");
    }
    assert!(report.join("data/trajectory_runs.csv").exists());
}

#[test]
fn other_logs_are_no_input_for_trajectories() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.txt"), "nothing").unwrap();
    assert_eq!(run(&["trajectories", text(folder.path())]).status.code(), Some(3));
}
