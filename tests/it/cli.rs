//! The command line as a user meets it: exit codes, where data and talk go, formats, refusals.

use std::io::Read;
use std::process::{Command, Stdio};

use polars::prelude::{ParquetReader, SerReader};
use serde_json::{Value, json};

use crate::common::{BIN, Logs, Work, data, meta_entry, run};

fn text(path: &std::path::Path) -> &str {
    path.to_str().expect("a UTF-8 path")
}

/// The cells of a line without line breaks in its cells.
fn csv_cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => cells.last_mut().unwrap().push(c),
        }
    }
    cells
}

/// A batch with a warning: its agent log is cut.
fn cut(work: &Work) -> String {
    let mut logs = Logs::good(4);
    logs.agent.truncate(logs.agent.len() - 9);
    text(&work.batch("cut", &logs)).to_owned()
}

fn good(work: &Work) -> String {
    text(&work.batch("good", &Logs::good(4))).to_owned()
}

#[test]
fn help_and_version_are_data() {
    let listed = run(["--help"]).text();
    let commands: Vec<&str> = listed
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter(|line| line.as_bytes().get(2).is_some_and(u8::is_ascii_lowercase))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(["report", "features"].iter().all(|name| commands.contains(name)), "{commands:?}");
    for args in
        commands.iter().flat_map(|name| [[*name, "--help"], ["help", *name]]).chain([["--version", "-V"]])
    {
        let output = run(args);
        assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{args:?}");
        assert!(!output.stdout.is_empty(), "{args:?}");
    }
    let help = run(["--help"]).text();
    for code in ["0 fine", "1 findings", "2 usage", "3 no recognised input", "4 output", "70 internal"] {
        assert!(help.contains(code), "{code} is not in the help");
    }
}

#[test]
fn usage_errors_end_with_2() {
    let work = Work::new();
    let good = good(&work);
    let cases: &[&[&str]] = &[
        &[],
        &["nonsense"],
        &["features"],
        &["features", &good, "--level", "galaxy"],
        &["features", &good, "--format", "xls"],
        &["features", &good, "--undefined", "maybe"],
        &["features", &good, "--only", "no_such_feature"],
        &["report", &good, "--fail-on", "sometimes"],
        &["report", &good, "--seed", "-1"],
        &["report", &good, "--group-by", "no_such_key"],
    ];
    for args in cases {
        let output = run(*args);
        assert_eq!((output.code, output.stdout.len()), (2, 0), "{args:?}: {}", output.stderr);
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
    assert!(!work.path("reports").exists());
}

#[test]
fn no_recognised_input_ends_with_3_and_writes_nothing() {
    let work = Work::new();
    let empty = work.path("empty");
    std::fs::create_dir(&empty).unwrap();
    let notes = work.write("notes/readme.txt", "hello");
    let missing = work.path("missing");
    for path in [&empty, &notes, &missing] {
        for command in ["features", "report"] {
            let out = work.path("out");
            let output = run([command, text(path), "-o", text(&out)]);
            assert_eq!((output.code, output.stdout.len()), (3, 0), "{command} {path:?}: {}", output.stderr);
            assert!(output.stderr.contains("error: "), "{}", output.stderr);
            assert!(!out.exists(), "{command} {path:?} left something behind");
        }
    }
}

#[test]
fn findings_decide_between_0_and_1() {
    let work = Work::new();
    let (cut, good) = (cut(&work), good(&work));
    let error = data("faulty/04_duplicate_run_id");
    let code = |path: &str, on: &str| run(["features", path, "--fail-on", on]).code;
    assert_eq!((code(&cut, "error"), code(&cut, "warning"), code(&cut, "never")), (0, 1, 0));
    assert_eq!((code(text(&error), "error"), code(text(&error), "never")), (1, 0));
    assert_eq!(code(&good, "warning"), 0);
    assert_eq!(run(["features", text(&error)]).code, 1, "error is the default");
    // The output is there all the same.
    assert!(run(["features", text(&error)]).text().lines().count() > 1);
}

#[test]
fn stdout_is_data_and_stderr_is_talk() {
    let work = Work::new();
    let cut = cut(&work);
    let output = run(["features", &cut, "--format", "json"]);
    assert_eq!(output.json()["rows"].as_array().map(Vec::len), Some(1));
    assert!(output.stderr.contains("warning IN008"), "{}", output.stderr);
    let quiet = run(["features", &cut, "--quiet"]);
    assert_eq!(quiet.stderr, "");
    let dash = run(["features", &cut, "-o", "-"]);
    assert_eq!(dash.stdout, quiet.stdout);
    let file = work.path("t.csv");
    let to_file = run(["features", &cut, "-o", text(&file)]);
    assert!(to_file.stdout.is_empty());
    assert_eq!(std::fs::read(&file).unwrap(), quiet.stdout);
}

#[test]
fn formats_agree_on_every_cell() {
    let work = Work::new();
    let good = good(&work);
    for level in ["round", "run", "agent"] {
        let get = |format: &str| run(["features", &good, "--level", level, "--format", format]);
        let whole = get("json").json();
        let rows = whole["rows"].as_array().unwrap().clone();
        let columns: Vec<&str> = whole["schema"]["columns"]
            .as_array()
            .unwrap()
            .iter()
            .map(|column| column["name"].as_str().unwrap())
            .collect();
        assert_eq!(columns[..5], ["batch", "run_id", "model", "task", "seed"], "{level}");
        let lines: Vec<Value> =
            get("ndjson").text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines, rows, "{level}");
        let csv = get("csv").text();
        let table: Vec<Vec<String>> = csv.lines().map(csv_cells).collect();
        assert_eq!(table[0], columns, "{level}");
        let path = work.path(&format!("{level}.parquet"));
        let code = run(["features", &good, "--level", level, "--format", "parquet", "-o", text(&path)]).code;
        assert_eq!(code, 0);
        let frame = ParquetReader::new(std::fs::File::open(&path).unwrap()).finish().unwrap();
        assert_eq!(frame.shape(), (rows.len(), columns.len()), "{level}");
        for (at, row) in rows.iter().enumerate() {
            for (column, in_csv) in columns.iter().zip(&table[at + 1]) {
                let in_parquet = frame.column(column).unwrap().get(at).unwrap();
                match &row[column] {
                    Value::Null => assert!(in_csv.is_empty() && in_parquet.is_null(), "{column}"),
                    Value::Number(n) => {
                        let want = n.as_f64().unwrap().to_bits();
                        assert_eq!(in_csv.parse::<f64>().unwrap().to_bits(), want, "{column}");
                        assert_eq!(in_parquet.extract::<f64>().unwrap().to_bits(), want, "{column}");
                    }
                    Value::String(text) => {
                        assert_eq!(in_csv, text, "{column}");
                        assert_eq!(in_parquet.get_str(), Some(text.as_str()), "{column}");
                    }
                    other => panic!("{column}: {other}"),
                }
            }
        }
    }
}

#[test]
fn levels_have_a_row_for_each_round_run_and_agent() {
    let work = Work::new();
    let good = good(&work);
    let rows =
        |level: &str| run(["features", &good, "--level", level, "--format", "ndjson"]).text().lines().count();
    assert_eq!((rows("round"), rows("run"), rows("agent")), (4, 1, 2));
}

#[test]
fn only_the_features_asked_for_are_written_with_the_values_that_all_of_them_have() {
    let work = Work::new();
    let good = good(&work);
    let ids = "exploration_rate,info_homogeneity_increase,mean_message_length";
    let all = run(["features", &good, "--format", "json"]).json();
    let some = run(["features", &good, "--format", "json", "--only", ids]).json();
    let (all, some) = (&all["rows"][0], &some["rows"][0]);
    for id in ids.split(',') {
        assert_eq!(some[id], all[id], "{id}");
    }
    assert!(all.get("stillness_proportion").is_some() && some.get("stillness_proportion").is_none());
    assert!(some.get("info_homogeneity").is_none() && some.get("final_score").is_some());
}

#[test]
fn undefined_rounds_count_as_zero_or_are_left_out() {
    let work = Work::new();
    let good = good(&work);
    // 3 of 4 rounds have messages, each `round N?` of 8 characters: 3·8/4 and 3·8/3.
    for (rule, want) in [("zero", 6.0), ("skip", 8.0)] {
        let whole = run(["features", &good, "--undefined", rule, "--format", "json"]).json();
        assert_eq!(whole["rows"][0]["mean_message_length"], json!(want), "{rule}");
        assert_eq!(whole["schema"]["settings"]["undefined"], rule);
    }
}

#[test]
fn existing_outputs_are_kept_unless_forced() {
    let work = Work::new();
    let good = good(&work);
    let file = work.write("kept.csv", "mine");
    let refused = run(["features", &good, "-o", text(&file)]);
    assert_eq!(refused.code, 4, "{}", refused.stderr);
    assert!(refused.stderr.contains("kept.csv exists already") && refused.stderr.contains("--force"));
    assert_eq!(std::fs::read(&file).unwrap(), b"mine");
    assert_eq!(run(["features", &good, "-o", text(&file), "--force"]).code, 0);
    assert_ne!(std::fs::read(&file).unwrap(), b"mine");

    work.write("folder/mine.txt", "mine");
    let folder = work.path("folder");
    let refused = run(["report", &good, "-o", text(&folder), "--resamples", "100"]);
    assert_eq!(refused.code, 4, "{}", refused.stderr);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "something was left behind");
    let forced = ["report", &good, "-o", text(&folder), "--resamples", "100", "--force"];
    assert_eq!(run(forced).code, 0);
    assert!(folder.join("report.html").exists() && folder.join("mine.txt").exists());
    assert_eq!(run(forced).code, 0, "a report may be made anew over itself");
    let stray: Vec<_> = walkdir::WalkDir::new(work.path("."))
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_string_lossy().ends_with(".tmp"))
        .collect();
    assert!(stray.is_empty(), "{stray:?}");
}

#[test]
fn outputs_that_can_not_be_written_end_with_4() {
    let work = Work::new();
    let good = good(&work);
    let file = work.write("file", "x");
    let below = file.join("t.csv");
    assert_eq!(run(["features", &good, "-o", text(&below)]).code, 4);
    assert_eq!(run(["report", &good, "-o", text(&file)]).code, 4);
    let pipe = work.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert_eq!(run(["features", &good, "-o", text(&pipe), "--force"]).code, 4);
    assert!(!std::fs::symlink_metadata(&pipe).unwrap().is_file(), "the pipe was replaced by a file");
    assert_eq!(std::fs::read(&file).unwrap(), b"x");
}

#[test]
fn a_reader_that_stops_early_is_no_failure() {
    let work = Work::new();
    let mut entries = serde_json::Map::new();
    let logs = Logs::good(60);
    for n in 0..40 {
        entries.insert(format!("r{n}"), meta_entry("m", "Foraging", n));
        work.write(&format!("many/game_log_r{n}.json"), &logs.game);
        work.write(&format!("many/agent_log_r{n}.json"), &logs.agent);
    }
    work.write("many/meta_log.json", Value::Object(entries).to_string());
    for format in ["ndjson", "csv", "json", "parquet"] {
        let mut child = Command::new(BIN)
            .args(["features", text(&work.path("many")), "--level", "round", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0u8; 4];
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut first).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{format}: {stderr}");
        assert!(!stderr.contains("panicked") && !stderr.contains("error:"), "{format}: {stderr}");
    }
}

#[test]
fn the_default_folder_has_the_first_inputs_name() {
    let work = Work::new();
    let good = good(&work);
    let mut command = Command::new(BIN);
    command.args(["report", &good, "--resamples", "100"]).current_dir(work.path("."));
    let output = crate::common::run_limited(&mut command, std::time::Duration::from_mins(1));
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(work.path("reports/good/report.html").exists());
    assert!(output.stderr.contains("reports/good/report.html"), "{}", output.stderr);
}
