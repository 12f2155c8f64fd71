//! The kinds of fault of `faulty.rs` in other fields and other files, made on the spot.

use serde_json::{Value, json};

use crate::common::{Logs, Work, array, decisions, features, meta_entry, replaced, report, state};

/// What the columns of a row say, without those that name the batch.
fn values(rows: &[Value]) -> Vec<Value> {
    let strip = |row: &Value| {
        let mut row = row.clone();
        row.as_object_mut().unwrap().remove("batch");
        row
    };
    rows.iter().map(strip).collect()
}

fn baseline(rounds: u32) -> Vec<Value> {
    let work = Work::new();
    values(&features(&work.batch("good", &Logs::good(rounds)), &["--level", "round"]))
}

fn place<'a>(finding: &'a Value, kind: &str) -> &'a Value {
    &finding["places"][0][kind]
}

fn ends(finding: &Value, name: &str) -> bool {
    finding["file"].as_str().is_some_and(|file| file.ends_with(name))
}

#[test]
fn a_game_log_cut_in_a_record() {
    let (work, mut logs) = (Work::new(), Logs::good(4));
    let states: Vec<Vec<u8>> = (0..4).map(|round| state(round).to_string().into_bytes()).collect();
    let third = 1 + states[0].len() + 1 + states[1].len() + 1; // `[`, two records, two commas
    logs.game.truncate(third + 30);
    let path = work.batch("b", &logs);
    let report = report(&work, &path);
    let finding = report.one("IN008");
    assert!(ends(finding, "game_log_r.json"), "{finding}");
    let byte = place(finding, "byte").as_u64().unwrap() as usize;
    assert!((third - 1..=third).contains(&byte), "{byte}, the third record starts at {third}");
    let rows = features(&path, &["--level", "round"]);
    assert_eq!(values(&rows)[..2], baseline(4)[..2]);
    assert!(rows[2]["score"].is_null() && rows[2]["stillness_proportion"].is_number());
    assert_eq!(features(&path, &[])[0]["final_score"], json!(1.0));
}

#[test]
fn a_meta_log_cut_in_an_entry() {
    let (work, mut logs) = (Work::new(), Logs::good(4));
    let (entry, other) = (meta_entry("m", "Foraging", 1), meta_entry("n", "Foraging", 2));
    let whole = format!("{{\"r\": {entry}, \"s\": {other}}}");
    logs.meta = whole.as_bytes()[..whole.len() - 20].to_vec();
    let report = report(&work, &work.batch("b", &logs));
    let finding = report.one("IN008");
    assert!(ends(finding, "meta_log.json"));
    assert!(place(finding, "byte").as_u64().unwrap() as usize >= entry.to_string().len());
    assert_eq!(report.analysis["swarm"]["runs"][0]["model"], "m");
    // Without its entry, a run is kept and its model unknown.
    logs.meta = whole.as_bytes()[..30].to_vec();
    let report = crate::common::report(&work, &work.batch("c", &logs));
    report.one("IN008");
    assert_eq!(report.all("SB017").len(), 2);
    assert_eq!(report.analysis["swarm"]["runs"][0]["final_score"], json!(3.0));
}

#[test]
fn nan_in_positions_tokens_and_meta_values() {
    let (work, mut logs) = (Work::new(), Logs::good(4));
    logs.game = replaced(&logs.game, b"\"x\":1", b"\"x\":NaN");
    logs.agent = replaced(&logs.agent, b"\"total_llm_tokens\":10", b"\"total_llm_tokens\":Infinity");
    logs.meta = replaced(&logs.meta, b"\"view_size\":5", b"\"view_size\":5,\"temperature\":NaN");
    let report = report(&work, &work.batch("b", &logs));
    assert_eq!(place(report.one("SB032"), "round"), 0);
    assert_eq!(place(report.one("SB042"), "record"), 0);
    assert_eq!(place(report.one("SB014"), "key"), "r");
    assert_eq!(report.code, 0);
    assert!(features(&work.path("b"), &[])[0]["temperature"].is_null());
}

#[test]
fn byte_order_marks_and_crlf_in_the_logs() {
    let (work, mut logs) = (Work::new(), Logs::good(4));
    for log in [&mut logs.game, &mut logs.agent] {
        let pretty = serde_json::to_string_pretty(&serde_json::from_slice::<Value>(log).unwrap()).unwrap();
        *log = format!("\u{feff}{}\r\n", pretty.replace('\n', "\r\n")).into_bytes();
    }
    let path = work.batch("b", &logs);
    let report = report(&work, &path);
    assert_eq!((report.all("IN014").len(), report.codes()), (2, vec!["IN014"]));
    assert_eq!(values(&features(&path, &["--level", "round"])), baseline(4));
}

#[test]
fn invalid_utf8_in_names() {
    let (work, mut logs) = (Work::new(), Logs::good(4));
    logs.meta = replaced(&logs.meta, b"\"model\":\"m\"", b"\"model\":\"m\xff\"");
    let report = report(&work, &work.batch("b", &logs));
    assert_eq!(place(report.one("IN012"), "key"), "r");
    assert_eq!(report.analysis["swarm"]["runs"][0]["model"], "m\u{fffd}");

    let (work, mut logs) = (Work::new(), Logs::good(2));
    for log in [&mut logs.game, &mut logs.agent] {
        *log = replaced(log, b"Agent_0", b"Agent_\xc3");
        while log.windows(7).any(|w| w == b"Agent_0") {
            *log = replaced(log, b"Agent_0", b"Agent_\xc3");
        }
    }
    let report = crate::common::report(&work, &work.batch("c", &logs));
    let finding = report.one("IN012");
    assert_eq!((place(finding, "key").as_str(), &finding["run_id"]), (Some("Agent_\u{fffd}"), &json!("r")));
    assert_eq!(report.analysis["swarm"]["runs"][0]["agents"], 2);
}

#[test]
fn a_restart_in_one_log_only() {
    for (log, other) in [("agent", "game"), ("game", "agent")] {
        let (work, mut logs) = (Work::new(), Logs::good(4));
        let twice = |bytes: &[u8]| {
            let records: Vec<Value> = serde_json::from_slice(bytes).unwrap();
            array(&[records.clone(), records].concat())
        };
        if log == "agent" {
            logs.agent = twice(&logs.agent);
        } else {
            logs.game = twice(&logs.game);
        }
        let path = work.batch("b", &logs);
        let report = report(&work, &path);
        let finding = report.one("SB020");
        assert!(
            ends(finding, &format!("{log}_log_r.json")) && !ends(finding, &format!("{other}_log_r.json"))
        );
        assert_eq!(values(&features(&path, &["--level", "round"])), baseline(4), "{log}");
    }
}

/// Scores of the two parts differ by 100 and so do their messages' lengths, so that it shows which one was used.
fn resumed(first: std::ops::Range<u32>, second: std::ops::Range<u32>) -> Logs {
    let mut logs = Logs::good(1);
    let late = |round: u32| {
        let mut state = state(round);
        state["score"] = json!(100 + round);
        state
    };
    let said = |round: u32| {
        decisions(round).into_iter().map(|mut record| {
            record["message"] = json!("a longer message");
            record
        })
    };
    logs.game = array(&first.clone().map(state).chain(second.clone().map(late)).collect::<Vec<_>>());
    logs.agent = array(&first.flat_map(decisions).chain(second.flat_map(said)).collect::<Vec<_>>());
    logs
}

#[test]
fn a_restart_from_the_middle() {
    let work = Work::new();
    let path = work.batch("b", &resumed(0..6, 3..10));
    let report = report(&work, &path);
    assert_eq!((report.all("SB020").len(), report.codes()), (2, vec!["SB020"]));
    for finding in report.all("SB020") {
        assert!(
            finding["message"].as_str().unwrap().contains("round 3 comes again after round 5"),
            "{finding}"
        );
        // Six states, or six rounds of two decisions, come before it.
        assert_eq!(place(finding, "record"), if ends(finding, "game_log_r.json") { 6 } else { 12 });
    }
    let rows = features(&path, &["--level", "round"]);
    let rounds: Vec<u64> = rows.iter().map(|row| row["round"].as_u64().unwrap()).collect();
    assert_eq!(rounds, (0..10).collect::<Vec<_>>());
    for (round, row) in rows.iter().enumerate() {
        let (score, length) = if round < 3 { (round, 8) } else { (100 + round, 16) };
        assert_eq!(
            (row["score"].as_f64(), row["mean_message_length"].as_f64()),
            (Some(score as f64), Some(length as f64))
        );
    }
}

#[test]
fn a_shorter_second_part_replaces_what_follows_its_start() {
    let work = Work::new();
    let path = work.batch("b", &resumed(0..6, 2..4));
    let rows = features(&path, &["--level", "round"]);
    let scores: Vec<&Value> = rows.iter().map(|row| &row["score"]).collect();
    assert_eq!(scores, [&json!(0.0), &json!(1.0), &json!(102.0), &json!(103.0)]);
}

#[test]
fn two_records_of_one_agent_in_a_round() {
    let (work, mut logs) = (Work::new(), Logs::good(4));
    let mut records: Vec<Value> = serde_json::from_slice(&logs.agent).unwrap();
    let mut again = records[5].clone();
    again["action"] = json!("STAY");
    records.push(again);
    logs.agent = array(&records);
    let path = work.batch("b", &logs);
    let report = report(&work, &path);
    assert_eq!(place(report.one("SB025"), "record"), 6);
    let rows = features(&path, &["--level", "round"]);
    assert_eq!(rows[2]["stillness_proportion"], json!(0.5), "the later record stands, and is counted once");
}

#[test]
fn shuffled_rounds() {
    let (work, mut logs) = (Work::new(), Logs::good(6));
    for log in [&mut logs.game, &mut logs.agent] {
        let mut records: Vec<Value> = serde_json::from_slice(log).unwrap();
        records.reverse();
        records.swap(0, 3);
        *log = array(&records);
    }
    let path = work.batch("b", &logs);
    let report = report(&work, &path);
    assert_eq!((report.codes(), report.code), (vec!["SB021"], 0));
    assert_eq!(values(&features(&path, &["--level", "round"])), baseline(6));
}

#[test]
fn rounds_missing_in_between() {
    let (work, mut logs) = (Work::new(), Logs::good(8));
    logs.game = array(&[0, 1, 5, 6, 7].map(state));
    logs.agent = array(&[0, 1, 5, 6].into_iter().flat_map(decisions).collect::<Vec<_>>());
    let path = work.batch("b", &logs);
    let report = report(&work, &path);
    let finding = report.one("SB022");
    assert_eq!(place(finding, "round"), 5);
    assert_eq!(features(&path, &["--level", "round"]).len(), 5, "nothing is made up for the missing rounds");
}

#[test]
fn ids_that_clash() {
    let (work, mut logs) = (Work::new(), Logs::good(4));
    // In the agent log the number 0 and the text "0" act side by side: two agents, and which one is Agent_0 is unknown.
    let mut records: Vec<Value> = serde_json::from_slice(&logs.agent).unwrap();
    for (at, record) in records.iter_mut().enumerate() {
        record["agent_id"] = if at % 2 == 0 { json!(0) } else { json!("0") };
    }
    logs.agent = array(&records);
    let report = report(&work, &work.batch("b", &logs));
    assert_eq!((&report.one("SB034")["severity"], report.code), (&json!("error"), 1));
    assert!(report.all("SB033").is_empty(), "joined although unclear");
}

#[test]
fn numbers_beyond_all_bounds() {
    let (work, mut logs) = (Work::new(), Logs::good(4));
    logs.agent = replaced(&logs.agent, b"\"round\":2", b"\"round\":4000000000");
    logs.game = replaced(&logs.game, b"\"x\":1", b"\"x\":1e12");
    let path = work.batch("b", &logs);
    let report = report(&work, &path);
    assert_eq!(place(report.one("SB023"), "record"), 4);
    assert_eq!(place(report.one("SB032"), "round"), 0);
    assert_eq!(features(&path, &["--level", "round"]).len(), 4);

    // A round that fits but lies far off: a gap, not two thousand million rounds.
    let mut logs = Logs::good(4);
    logs.game = replaced(&logs.game, b"\"round\":3", b"\"round\":2000000000");
    let path = work.batch("c", &logs);
    let report = crate::common::report(&work, &path);
    assert_eq!(place(report.one("SB022"), "round"), 2_000_000_000_u64);
    assert_eq!(features(&path, &["--level", "round"]).len(), 4);
}

#[test]
fn deep_nesting_inside_a_record_of_a_good_log() {
    let (work, mut logs) = (Work::new(), Logs::good(4));
    let deep = format!("\"prompt\":{}", "[".repeat(20_000));
    let at = 1 + 2 * (decisions(0)[0].to_string().len() + 1);
    let tail = replaced(&logs.agent[at..], b"\"prompt\":\"look\"", deep.as_bytes());
    logs.agent = [&logs.agent[..at], &tail].concat();
    let path = work.batch("b", &logs);
    let report = report(&work, &path);
    let finding = report.one("IN010");
    assert!(ends(finding, "agent_log_r.json") && place(finding, "byte").as_u64().unwrap() as usize > at);
    assert_eq!((&finding["severity"], report.code), (&json!("error"), 1));
    let rows = features(&path, &["--level", "round"]);
    assert!(rows[0]["stillness_proportion"].is_number() && rows[1]["stillness_proportion"].is_null());
    assert_eq!(rows.len(), 4);
}

#[test]
fn a_damaged_record_of_a_pretty_printed_log_is_left_out_and_the_rest_is_read() {
    let pretty = |log: &[u8]| {
        let value: Value = serde_json::from_slice(log).unwrap();
        serde_json::to_vec_pretty(&value).unwrap() // indents by two blanks, as Python's `json.dump(…, indent=2)`
    };
    let (work, mut logs) = (Work::new(), Logs::good(4));
    (logs.agent, logs.game) = (pretty(&logs.agent), pretty(&logs.game));
    // The colon after the first "round" of round 1 becomes a question mark.
    let spot = b"\"round\": 1,";
    let at = logs.agent.windows(spot.len()).position(|w| w == spot).unwrap();
    logs.agent[at + 7] = b'?';
    let path = work.batch("b", &logs);
    let report = report(&work, &path);
    let finding = report.one("IN015");
    assert!(ends(finding, "agent_log_r.json"));
    assert_eq!(place(finding, "byte").as_u64().unwrap() as usize, at + 7);
    assert_eq!((&finding["count"], &finding["severity"], report.code), (&json!(1), &json!("error"), 1));
    let rows = features(&path, &["--level", "round"]);
    assert_eq!(rows.len(), 4);
    // The last round is a state without decisions.
    assert!(rows[..3].iter().all(|row| row["stillness_proportion"].is_number()), "{rows:?}");
}

#[test]
fn files_that_are_empty_or_garbage() {
    for (bytes, code) in [(&b""[..], "IN008"), (b"[", "IN008"), (b"[{?}]", "IN009"), (b"\xff\xfe\x00", "")] {
        for log in ["game", "agent"] {
            let (work, mut logs) = (Work::new(), Logs::good(4));
            if log == "game" {
                logs.game = bytes.to_vec();
            } else {
                logs.agent = bytes.to_vec();
            }
            let report = report(&work, &work.batch("b", &logs));
            let missing = if log == "game" { "SB015" } else { "SB016" };
            let want = if code.is_empty() { missing } else { code };
            assert!(report.codes().contains(&want), "{log} {bytes:?}: {:?}", report.codes());
            assert_eq!(report.analysis["swarm"]["runs"].as_array().unwrap().len(), 1, "{log} {bytes:?}");
        }
        let (work, mut logs) = (Work::new(), Logs::good(4));
        logs.meta = bytes.to_vec();
        let report = report(&work, &work.batch("b", &logs));
        assert_eq!(report.analysis["swarm"]["runs"][0]["final_score"], json!(3.0), "{bytes:?}");
        assert!(
            report.findings.iter().any(|f| ends(f, "meta_log.json") && f["severity"] != "info"),
            "{bytes:?}"
        );
    }
}

#[test]
fn a_broken_zip_member_and_a_cut_archive() {
    let (work, logs) = (Work::new(), Logs::good(40));
    let whole = crate::packing::zipped(&[("b", &logs)]);
    let mut damaged = whole.clone();
    let at = damaged.len() / 3; // in the middle of a member's data
    damaged[at..at + 40].fill(0x55);
    let path = work.write("damaged.zip", damaged);
    let damaged = report(&work, &path);
    assert!(damaged.findings.iter().any(|f| f["severity"] == "error"), "{:?}", damaged.codes());
    assert_eq!(damaged.code, 1);
    // Without its directory an archive can not be read; beside a good batch that is a finding, not the end.
    work.write("both/cut.zip", &whole[..whole.len() / 2]);
    work.batch("both/good", &Logs::good(4));
    let cut = report(&work, &work.path("both"));
    assert_eq!((&cut.one("IN002")["severity"], cut.code), (&json!("error"), 1));
    assert_eq!(cut.analysis["swarm"]["runs"].as_array().unwrap().len(), 1);
}

#[test]
fn states_without_positions() {
    let (work, mut logs) = (Work::new(), Logs::good(4));
    let mut states: Vec<Value> = serde_json::from_slice(&logs.game).unwrap();
    states[2].as_object_mut().unwrap().remove("agents");
    logs.game = array(&states);
    let path = work.batch("b", &logs);
    let report = report(&work, &path);
    assert_eq!(place(report.one("SB030"), "round"), 2);
    assert!(features(&path, &["--level", "round"])[2]["step_distance"].is_null());
}

#[test]
fn sums_of_the_largest_scores_do_not_overflow() {
    let (work, logs) = (Work::new(), Logs::good(3));
    let mut meta = serde_json::Map::new();
    for (id, score) in [("r", 1.7e308), ("s", 1.6e308)] {
        meta.insert(id.to_owned(), meta_entry("m", "Foraging", 1));
        let states = [0, 1, 2].map(|round| {
            let mut state = state(round);
            state["score"] = json!(score);
            state
        });
        work.write(&format!("b/game_log_{id}.json"), array(&states));
        work.write(&format!("b/agent_log_{id}.json"), &logs.agent);
    }
    work.write("b/meta_log.json", Value::Object(meta).to_string());
    let report = report(&work, &work.path("b"));
    let summary = &report.analysis["swarm"]["groups"][0]["summary"]["value"];
    // By hand: the mean of 1.6 and 1.7, and |1.7 − 1.6| / √2, times 1e308.
    for (name, want) in [("mean", 1.65), ("median", 1.65)] {
        assert!((summary[name].as_f64().unwrap() / 1e308 - want).abs() < 1e-12, "{summary}");
    }
    let csv = std::fs::read_to_string(report.dir.join("data/groups.csv")).unwrap();
    assert!(!csv.contains("inf") && !report.html.contains("∞"));
}

#[test]
fn meta_fields_of_other_types() {
    let (work, mut logs) = (Work::new(), Logs::good(4));
    for (from, to) in [
        (&b"\"model\":\"m\""[..], &b"\"model\":null"[..]),
        (b"\"seed\":1", b"\"seed\":1.5"),
        (b"\"width\":8", b"\"width\":-8"),
        (b"\"max_round\":3", b"\"max_round\":\"3\""),
    ] {
        logs.meta = replaced(&logs.meta, from, to);
    }
    let report = report(&work, &work.batch("b", &logs));
    let finding = report.one("SB043");
    assert_eq!(finding["places"], json!([{"key": "model"}, {"key": "seed"}, {"key": "width"}]));
    let run = &report.analysis["swarm"]["runs"][0];
    assert_eq!(
        (&run["model"], &run["seed"], &run["final_score"]),
        (&json!("(unknown)"), &Value::Null, &json!(3.0))
    );
}
