//! The same logs packed, nested, linked, given twice, or written another way give the same values; hostile names are names.

use std::io::Write;

use serde_json::{Value, json};

use crate::common::{Logs, Work, array, features, meta_entry, report, report_of};
use crate::faulty::assert_inert;

/// A zip of batches, each in a folder.
pub(crate) fn zipped(batches: &[(&str, &Logs)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (folder, logs) in batches {
        for (name, bytes) in [
            ("meta_log.json", &logs.meta),
            ("game_log_r.json", &logs.game),
            ("agent_log_r.json", &logs.agent),
        ] {
            writer.start_file(format!("{folder}/{name}"), options).unwrap();
            writer.write_all(bytes).unwrap();
        }
    }
    writer.finish().unwrap().into_inner()
}

fn zip_of(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap().into_inner()
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn rows(path: &std::path::Path) -> Vec<Value> {
    let mut rows = features(path, &["--level", "round"]);
    for row in &mut rows {
        row.as_object_mut().unwrap().remove("batch");
    }
    rows
}

#[test]
fn packed_logs_have_the_same_values() {
    let (work, logs) = (Work::new(), Logs::good(6));
    let want = rows(&work.batch("plain", &logs));
    let files = [("meta_log", &logs.meta), ("game_log_r", &logs.game), ("agent_log_r", &logs.agent)];
    for (name, bytes) in files {
        work.write(&format!("gz/{name}.json.gz"), gz(bytes));
        work.write(&format!("zst/{name}.json.zst"), zstd::encode_all(bytes.as_slice(), 1).unwrap());
    }
    let inner = zipped(&[("logs", &logs)]);
    work.write("zip/b.zip", &inner);
    work.write("zips/outer.zip", zip_of("inner/b.zip", &inner));
    for folder in ["gz", "zst", "zip", "zips"] {
        assert_eq!(rows(&work.path(folder)), want, "{folder}");
    }
    assert_eq!(rows(&work.path("zip/b.zip")), want, "the archive itself");
}

#[test]
fn archives_are_opened_three_deep_and_no_deeper() {
    let (work, logs) = (Work::new(), Logs::good(4));
    let three = zip_of("b.zip", &zip_of("c.zip", &zipped(&[("logs", &logs)])));
    assert_eq!(rows(&work.write("three/a.zip", &three)).len(), 4);
    work.write("four/a.zip", zip_of("z.zip", &three));
    work.batch("four/good", &logs);
    let report = report(&work, &work.path("four"));
    assert_eq!((&report.one("IN003")["severity"], report.code), (&json!("error"), 1));
}

/// A name, and how it writes a log anew.
type Rewrite<'a> = (&'a str, &'a dyn Fn(&[u8]) -> Vec<u8>);

#[test]
fn other_ways_to_write_a_log() {
    let (work, logs) = (Work::new(), Logs::good(6));
    let want = rows(&work.batch("plain", &logs));
    let lines = |bytes: &[u8], end: &str| {
        let records: Vec<Value> = serde_json::from_slice(bytes).unwrap();
        records
            .iter()
            .flat_map(|record| [record.to_string(), end.to_owned()])
            .collect::<String>()
            .into_bytes()
    };
    let halves = |bytes: &[u8]| {
        let records: Vec<Value> = serde_json::from_slice(bytes).unwrap();
        let (first, second) = records.split_at(records.len() / 2);
        [array(first), array(second)].concat()
    };
    let ways: [Rewrite<'_>; 4] = [
        ("lines", &|bytes| lines(bytes, "\n")),
        ("crlf", &|bytes| lines(bytes, "\r\n")),
        ("packed", &|bytes| lines(bytes, "")),
        ("two arrays", &halves),
    ];
    for (name, way) in ways {
        let rewritten = Logs { meta: logs.meta.clone(), game: way(&logs.game), agent: way(&logs.agent) };
        assert_eq!(rows(&work.batch(name, &rewritten)), want, "{name}");
    }
    for (log, bytes) in [("game_log_r", &logs.game), ("agent_log_r", &logs.agent)] {
        work.write(&format!("jsonl/{log}.jsonl"), lines(bytes, "\n"));
    }
    work.write("jsonl/meta_log.json", &logs.meta);
    assert_eq!(rows(&work.path("jsonl")), want, "jsonl");
}

#[test]
fn links_and_repeated_paths_count_once() {
    let (work, logs) = (Work::new(), Logs::good(4));
    let path = work.batch("b", &logs);
    std::os::unix::fs::symlink(&path, path.join("loop")).unwrap();
    std::os::unix::fs::symlink(work.path("nowhere"), path.join("dangling")).unwrap();
    let looped = report(&work, &path);
    assert_eq!(looped.one("IN004")["count"], json!(2));
    assert_eq!(looped.analysis["swarm"]["runs"].as_array().unwrap().len(), 1);
    std::fs::remove_file(path.join("loop")).unwrap();
    std::fs::remove_file(path.join("dangling")).unwrap();
    let (once, dotted) = (path.to_str().unwrap(), format!("{}/../b", path.display()));
    let twice = report_of(&work, &[once, &dotted]);
    assert_eq!(twice.all("IN005").len(), 3, "one for each file");
    assert_eq!((twice.analysis["swarm"]["runs"].as_array().unwrap().len(), twice.code), (1, 0));
}

#[test]
fn equal_run_ids_in_two_batches_are_two_runs() {
    let (work, logs) = (Work::new(), Logs::good(4));
    work.batch("all/one", &logs);
    work.batch("all/two", &logs);
    let rows = features(&work.path("all"), &[]);
    let keys: Vec<_> =
        rows.iter().map(|row| (row["batch"].as_str().unwrap(), row["run_id"].as_str().unwrap())).collect();
    assert_eq!(keys, [("one", "r"), ("two", "r")]);
}

#[test]
fn escapes_at_the_ends_of_the_readers_buffer() {
    // Each log has a run of escaped quotes and backslashes across byte 262 144 (the reader's buffer), one byte further on
    // each time.
    let (work, want) = (Work::new(), Logs::good(3));
    let records: Vec<Value> = serde_json::from_slice(&want.agent).unwrap();
    let mut meta = serde_json::Map::new();
    for shift in 0..12 {
        let id = format!("r{shift}");
        meta.insert(id.clone(), meta_entry("m", "Foraging", 1));
        let mut padded = records.clone();
        padded[1]["prompt"] = json!("");
        let before = array(&padded[..1]).len() + padded[1].to_string().find("\"prompt\":\"").unwrap() + 10;
        let filler = "x".repeat(262_144 - before - shift);
        padded[1]["prompt"] = json!(format!("{filler}\\\\\"\\\"\"{{[\\"));
        padded[1]["message"] = json!("round 0?");
        work.write(&format!("b/game_log_{id}.json"), &want.game);
        work.write(&format!("b/agent_log_{id}.json"), array(&padded));
    }
    work.write("b/meta_log.json", Value::Object(meta).to_string());
    let report = report(&work, &work.path("b"));
    assert!(report.findings.is_empty(), "{:#?}", report.findings);
    let rows = features(&work.path("b"), &[]);
    for row in &rows {
        assert_eq!(row["mean_message_length"], rows[0]["mean_message_length"], "{}", row["run_id"]);
        assert_eq!(row["mean_message_length"], json!(16.0 / 3.0), "{}", row["run_id"]);
    }
    assert_eq!(rows.len(), 12);
}

const HOSTILE: [&str; 8] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(2)>",
    "' onmouseover='alert(3)",
    "</style><svg onload=alert(4)>",
    "{{7*7}}{% include \"/etc/passwd\" %}",
    "]]> --> <!-- \u{202e}gnp.exe \u{0} \u{1b}[31m",
    "=HYPERLINK(\"javascript:alert(5)\")",
    "../../etc/passwd",
];

/// Batches whose every name is hostile: folder, run, model, task, agent, action, message, meta keys and values.
pub(crate) fn hostile(work: &Work) -> std::path::PathBuf {
    for (at, text) in HOSTILE.iter().enumerate() {
        let name = text.replace(['/', '\0'], "_");
        let folder = format!("all/b{name}"); // not with a dot at its start
        let mut entry = meta_entry(text, text, 1);
        entry[*text] = json!(text);
        entry["batch"] = json!({ *text: [text] });
        entry["meta.batch"] = json!(1);
        entry["embedder"] = json!("mine");
        entry[""] = json!(true);
        let id = format!("{name}{at}");
        let mut logs = Logs::good(4);
        for log in [&mut logs.game, &mut logs.agent] {
            let mut records: Vec<Value> = serde_json::from_slice(log).unwrap();
            for record in &mut records {
                record["task"] = json!(text);
                if record["agents"].is_array() {
                    record["agents"][0]["id"] = json!(text);
                } else if record["agent_id"] == "Agent_0" {
                    record["agent_id"] = json!(text);
                    record["action"] = json!(text);
                    record["message"] = json!(text);
                }
            }
            *log = array(&records);
        }
        work.write(&format!("{folder}/meta_log.json"), json!({ id.as_str(): entry, *text: 7 }).to_string());
        work.write(&format!("{folder}/game_log_{id}.json"), &logs.game);
        work.write(&format!("{folder}/agent_log_{id}.json"), &logs.agent);
    }
    work.path("all")
}

#[test]
fn hostile_names_are_names() {
    let work = Work::new();
    let all = hostile(&work);
    let report = report_of(&work, &[all.to_str().unwrap(), "--title", HOSTILE[0], "--group-by", HOSTILE[1]]);
    assert_inert(&report);
    assert_eq!(report.analysis["swarm"]["runs"].as_array().unwrap().len(), HOSTILE.len());
    assert_eq!(report.html.matches("<script").count(), 1);
    assert!(!report.html.contains("onerror=alert(2)>"), "markup is not escaped");
    assert!(!report.html.contains(">49<") && !report.stderr.contains('\u{1b}'));
    for entry in walkdir::WalkDir::new(&report.dir).into_iter().filter_map(Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        assert!(name.chars().all(plain) && !name.contains(".."), "a file is called {name}");
    }
    for level in ["run", "round", "agent"] {
        for format in ["csv", "parquet", "ndjson"] {
            let path = all.to_str().unwrap();
            let output = crate::common::run(["features", path, "--level", level, "--format", format, "-q"]);
            assert!(output.code <= 1, "{level} {format}: {}", output.stderr);
        }
    }
}

#[test]
fn hidden_folders_are_skipped_and_said() {
    let (work, logs) = (Work::new(), Logs::good(4));
    work.batch("b/.old", &logs);
    work.batch("b/new", &logs);
    let report = report(&work, &work.path("b"));
    let finding = report.one("IN006");
    assert!(finding["places"][0]["key"].as_str().unwrap().ends_with("b/.old"), "{finding}");
    assert_eq!(report.analysis["swarm"]["runs"].as_array().unwrap().len(), 1);
}
