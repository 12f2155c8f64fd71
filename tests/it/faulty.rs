//! The faulty batches of `tests/data/faulty`, each with one kind of fault that people have met, and what must come of it.

use serde_json::{Value, json};

use crate::common::{Logs, Report, Work, array, data, features, is_a, meta_entry, report, run};

const RUN: &str = "1746000000-ThreadPoolExecutor-0_0";

fn made(folder: &str) -> (Report, Vec<Value>) {
    let path = data(&format!("faulty/{folder}"));
    let work = Work::new();
    let report = report(&work, &path);
    assert_inert(&report);
    (report, features(&path, &["--level", "round"]))
}

/// Nothing that a log says runs or loads anything, in any file of the report.
pub(crate) fn assert_inert(report: &Report) {
    for (name, text) in report.texts() {
        for bad in ["<script>alert", "<img src=x", "<animate onbegin", "<svg onload", "href=\"javascript:"] {
            let in_json = is_a(&name, &["json", "csv"]);
            assert!(in_json || !text.contains(bad), "{name} holds {bad}");
        }
        assert!(!text.contains("root:x:0:0"), "{name} includes a file");
        if is_a(&name, &["svg"]) {
            roxmltree::Document::parse(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        if is_a(&name, &["json"]) {
            let _: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    }
}

fn file_is(finding: &Value, name: &str) {
    let file = finding["file"].as_str().unwrap_or_default();
    assert!(file.ends_with(name), "{file} is not {name}");
}

fn at(rows: &[Value], round: u64) -> &Value {
    rows.iter().find(|row| row["round"] == round).unwrap_or_else(|| panic!("no round {round}"))
}

fn severity(finding: &Value, want: &str) {
    assert_eq!(finding["severity"], want, "{finding}");
}

#[test]
fn f01_scores_that_are_not_finite_are_null() {
    let (report, rows) = made("01_nan_infinity_tokens");
    let finding = report.one("SB001");
    file_is(finding, &format!("game_log_{RUN}.json"));
    assert_eq!((&finding["count"], report.code), (&json!(4), 0));
    assert_eq!(finding["places"], json!([{"round": 0}, {"round": 1}, {"round": 2}, {"round": 3}]));
    assert_eq!(rows.len(), 4);
    for row in &rows {
        assert!(row["score"].is_null());
        assert!(row["exploration_rate"].is_number(), "the rest is kept");
    }
    report.one("SB004");
    assert_eq!(report.codes(), ["SB001", "SB004"]);
}

#[test]
fn f02_a_byte_order_mark_and_crlf_are_read_as_usual() {
    let (report, rows) = made("02_bom_crlf");
    let finding = report.one("IN014");
    severity(finding, "info");
    file_is(finding, "meta_log.json");
    assert!(finding["message"].as_str().unwrap().contains("CRLF"));
    assert_eq!((report.codes(), report.code), (vec!["IN014"], 0));
    assert_eq!((&rows[0]["model"], &rows[0]["seed"], rows.len()), (&json!("gpt-4o-mini"), &json!(27), 4));
}

#[test]
fn f03_whole_records_before_a_cut_are_kept() {
    let (report, rows) = made("03_truncated_after_kill");
    let finding = report.one("IN008");
    file_is(finding, &format!("agent_log_{RUN}.json"));
    severity(finding, "warning");
    let log = std::fs::read_to_string(data(&format!("faulty/03_truncated_after_kill/agent_log_{RUN}.json")))
        .unwrap();
    let cut_record = log.rfind("{\"timestamp\"").unwrap() as u64;
    let place = finding["places"][0]["byte"].as_u64().unwrap();
    assert!((cut_record - 2..=cut_record).contains(&place), "{place}, the cut record starts at {cut_record}");
    assert_eq!(report.code, 0);
    // Round 0 is whole; of round 1 one record of three; nothing of rounds 2 and 3, whose states are there.
    assert!(at(&rows, 0)["stillness_proportion"].is_number());
    for round in [2, 3] {
        assert!(at(&rows, round)["stillness_proportion"].is_null());
        assert!(at(&rows, round)["mean_message_length"].is_null());
        assert!(at(&rows, round)["avg_moving_distance"].is_number());
        assert!(at(&rows, round)["score"].is_number());
    }
    report.one("SB027");
    report.one("SB028");
}

#[test]
fn f04_contradictory_meta_entries_are_an_error_and_neither_wins() {
    let (report, rows) = made("04_duplicate_run_id");
    let finding = report.one("SB012");
    severity(finding, "error");
    file_is(finding, "meta_log.json");
    let message = finding["message"].as_str().unwrap();
    assert!(message.contains(RUN) && message.contains("model-a") && message.contains("model-b"), "{message}");
    assert_eq!(report.code, 1);
    let model = rows[0]["model"].as_str().unwrap();
    assert!(model.contains("model-a") && model.contains("model-b") && model.len() > 16, "{model}");
    assert_eq!(report.analysis["swarm"]["runs"].as_array().unwrap().len(), 1);
}

fn correlations(report: &Report) -> &Vec<Value> {
    report.analysis["swarm"]["correlations"].as_array().unwrap()
}

#[test]
fn f07_a_constant_score_has_no_correlation() {
    let (report, _) = made("07_constant_feature_and_float_noise");
    let with_score: Vec<_> =
        correlations(&report).iter().filter(|row| row["target"] == "final_score").collect();
    assert!(!with_score.is_empty());
    for row in with_score {
        assert!(row["r"].is_null() && row["p"].is_null(), "{row}");
        assert!(row["reason"].as_str().is_some_and(|reason| reason.contains("constant")), "{row}");
    }
    assert_eq!(report.code, 0);
}

#[test]
fn f08_two_runs_have_no_correlation_and_a_whole_report() {
    let (report, _) = made("08_n2_pearson");
    assert!(!correlations(&report).is_empty());
    for row in correlations(&report) {
        assert!(row["r"].is_null() && row["reason"].is_string(), "{row}");
        assert!(row["n"].as_u64().unwrap() <= 2);
    }
    for section in ["coverage", "leaderboard", "correlations", "findings", "methods"] {
        assert!(report.html.contains(&format!("<section id=\"{section}\"")), "{section}");
    }
    assert_eq!(report.code, 0);
}

#[test]
fn f09_one_run_has_no_spread_and_equal_runs_are_said_to_be_equal() {
    let work = Work::new();
    let report = report(&work, &data("faulty/09_single_run_group_all_zero"));
    let csv = std::fs::read_to_string(report.dir.join("data/groups.csv")).unwrap();
    let head: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let column = |line: &str, name: &str| {
        let at = head.iter().position(|h| *h == name).unwrap();
        line.split(',').nth(at).unwrap().to_owned()
    };
    let mut kinds = (0, 0);
    for line in csv.lines().skip(1) {
        assert!(["0", "0.0", "-0.0"].contains(&column(line, "mean").as_str()), "{line}");
        assert_eq!(
            (column(line, "mean_ci_low"), column(line, "mean_ci_high")),
            (String::new(), String::new())
        );
        assert!(!column(line, "reason").is_empty(), "{line}");
        if column(line, "n") == "1" {
            kinds.0 += 1;
            assert_eq!(column(line, "sd"), "");
        } else {
            kinds.1 += 1;
        }
    }
    assert!(kinds.0 >= 1 && kinds.1 >= 1, "{csv}");
    assert!(!report.html.contains("± 0.00"), "a spread of 0 is shown as if it were known");
    assert!(
        report.html.contains("all equal") || report.html.contains("same score"),
        "equal runs are not said to be equal"
    );
}

#[test]
fn f11_vanished_agents_and_cells_outside_the_grid() {
    let (report, rows) = made("11_agents_vanish_and_out_of_map");
    severity(report.one("SB030"), "warning");
    severity(report.one("SB031"), "info");
    assert_eq!((rows.len(), report.code), (4, 0));
    let game: Value = serde_json::from_slice(
        &std::fs::read(data(&format!("faulty/11_agents_vanish_and_out_of_map/game_log_{RUN}.json"))).unwrap(),
    )
    .unwrap();
    // Steps by hand: over the agents present in this round and the one before.
    for pair in game.as_array().unwrap().windows(2) {
        let cell = |state: &Value, id: &Value| {
            let agent = state["agents"].as_array().unwrap().iter().find(|agent| agent["id"] == *id)?;
            Some((agent["x"].as_i64()?, agent["y"].as_i64()?))
        };
        let steps: Vec<i64> = pair[1]["agents"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|agent| Some((cell(&pair[0], &agent["id"])?, cell(&pair[1], &agent["id"])?)))
            .map(|((a, b), (c, d))| (a - c).abs() + (b - d).abs())
            .collect();
        let want = steps.iter().sum::<i64>() as f64 / steps.len() as f64;
        let got = at(&rows, pair[1]["round"].as_u64().unwrap())["step_distance"].as_f64().unwrap();
        assert!((got - want).abs() < 1e-12, "{got}, not {want}");
    }
}

#[test]
fn f12_ids_are_matched_where_that_is_unambiguous() {
    let (report, _) = made("12_int_vs_string_agent_ids");
    severity(report.one("SB033"), "info");
    assert_eq!((report.code, &report.analysis["swarm"]["runs"][0]["agents"]), (0, &json!(3)));
    assert_eq!(report.codes(), ["SB033"]);
    let places = report.one("SB033")["places"].to_string();
    assert!(places.contains("Agent_0"), "{places}");
}

#[test]
fn f13_markup_in_logs_is_text_everywhere() {
    let (report, rows) = made("13_html_injection");
    assert_eq!(rows[0]["model"], "m<script>alert(0)</script>");
    assert!(report.html.contains("m&lt;script&gt;alert(0)"), "the name is shown as text");
    assert_eq!(report.html.matches("<script").count(), 1, "only the page's own script");
    assert_eq!(report.code, 0);
}

#[test]
fn f15_invalid_utf8_is_replaced_and_said() {
    let (report, rows) = made("15_invalid_utf8");
    let finding = report.one("IN012");
    severity(finding, "warning");
    file_is(finding, &format!("agent_log_{RUN}.json"));
    assert!(finding["places"][0]["record"].is_u64(), "{finding}");
    assert_eq!((rows.len(), report.code, report.codes()), (4, 0, vec!["IN012"]));
}

#[test]
fn f17_nothing_outside_an_archive_is_read_or_written() {
    let work = Work::new();
    let inner = work.write("a/b/evil.zip", std::fs::read(data("faulty/17_zip_slip/evil.zip")).unwrap());
    let report = report(&work, &inner);
    assert_inert(&report);
    let finding = report.one("IN001");
    severity(finding, "error");
    let refused = finding["places"].to_string();
    for name in [
        "../../escape.txt",
        "/abs_escape.txt",
        "..././escape2.txt",
        "logs\\\\win",
        "logs/link",
        "logs/link/through_link.txt",
    ] {
        assert!(refused.contains(name), "{name} is not among {refused}");
    }
    assert_eq!((&finding["count"], report.code), (&json!(6), 1));
    assert_eq!(report.analysis["swarm"]["runs"].as_array().unwrap().len(), 1);
    let written = walkdir::WalkDir::new(work.path(".")).into_iter().filter_map(Result::ok);
    for entry in written {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(!name.contains("escape") && !name.contains("e.txt") && name != "link", "{name} was written");
    }
    assert!(!std::path::Path::new("/abs_escape.txt").exists());
}

#[test]
fn f19_a_restart_is_noticed_and_the_later_part_stands() {
    let (report, rows) = made("19_cumulative_or_resumed");
    let restarts = report.all("SB020");
    assert_eq!(restarts.len(), 2, "one for each log");
    for (finding, log) in restarts.iter().zip(["agent_log", "game_log"]) {
        file_is(finding, &format!("{log}_{RUN}.json"));
        let said = format!("{} {}", finding["message"], finding["effect"]);
        // The last state has no decisions.
        let last = if log == "agent_log" { 2 } else { 3 };
        let again = format!("round 0 comes again after round {last}");
        assert!(said.contains(&again) && said.contains("the later part was used"), "{said}");
    }
    assert_eq!((rows.len(), report.code), (4, 0));
    assert_eq!(report.codes(), ["SB020"]);
}

#[test]
fn f20_missing_and_orphaned_files() {
    let (report, _) = made("20_missing_and_orphan_files");
    assert_eq!(report.one("SB015")["run_id"], RUN);
    severity(report.one("SB015"), "error");
    file_is(report.one("SB017"), "game_log_1746999999-ThreadPoolExecutor-0_9.json");
    let without: Vec<&str> = report.all("SB016").iter().filter_map(|f| f["run_id"].as_str()).collect();
    assert_eq!(without, ["1746000001-ThreadPoolExecutor-0_1", "1746999999-ThreadPoolExecutor-0_9"]);
    assert_eq!((report.analysis["swarm"]["runs"].as_array().unwrap().len(), report.code), (3, 1));
    let rows = features(&data("faulty/20_missing_and_orphan_files"), &[]);
    assert!(rows[0]["final_score"].is_null() && rows[0]["stillness_proportion"].is_number());
    assert!(rows[1]["final_score"].is_number() && rows[1]["stillness_proportion"].is_null());
    assert!(rows[1]["exploration_rate"].is_number());
}

#[test]
fn f21_scores_of_other_types_and_sizes() {
    let (report, _) = made("21_score_types_extremes");
    let rows = features(&data("faulty/21_score_types_extremes"), &[]);
    let finals: Vec<&Value> = rows.iter().map(|row| &row["final_score"]).collect();
    for (got, want) in finals.iter().zip([-3.0, -0.0, 1e308, 5e-324, 0.5]) {
        assert!(got.as_f64().is_some_and(|x| x.to_bits() == f64::to_bits(want)), "{got}, not {want}");
    }
    assert!(finals[5..].iter().all(|score| score.is_null()));
    severity(report.one("SB003"), "info");
    let bad: Vec<&str> = report.all("SB001").iter().filter_map(|f| f["run_id"].as_str()).collect();
    assert_eq!(bad.len(), 3, "{bad:?}");
    for (name, text) in report.texts() {
        let shown = is_a(&name, &["csv", "json", "svg"]);
        let odd = ["inf", "Infinity", "NaN", "nan"]
            .iter()
            .find(|bad| text.split(|c: char| !c.is_alphabetic()).any(|w| w == **bad));
        assert!(
            !shown || odd.is_none() || name == "findings.json" || name == "analysis.json",
            "{name} holds {odd:?}"
        );
    }
}

#[test]
fn f25_logs_without_rounds_are_listed_and_left_out() {
    let path = data("faulty/25_empty_lists_and_rounds");
    let work = Work::new();
    let report = report(&work, &path);
    assert!(features(&path, &[]).is_empty());
    let excluded: Vec<&str> = report.analysis["swarm"]["excluded"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| {
            assert!(!run["reason"].as_str().unwrap().is_empty());
            run["key"]["run_id"].as_str().unwrap()
        })
        .collect();
    assert_eq!(excluded, [RUN, "1746000001-ThreadPoolExecutor-0_1", "1746000002-ThreadPoolExecutor-0_2"]);
    assert_eq!((report.all("SB019").len(), report.code), (3, 0));
    for id in &excluded {
        assert!(report.html.contains(id), "{id} is not listed");
    }
    assert!(report.codes().contains(&"SB019") && report.codes().contains(&"SB024"), "{:?}", report.codes());
}

#[test]
fn f26_a_score_that_first_appears_in_round_150() {
    let mut logs = Logs::good(160);
    let states: Vec<Value> = (0..160u32)
        .map(|round| {
            let mut state = crate::common::state(round);
            if round < 150 {
                state.as_object_mut().unwrap().remove("score");
            }
            state
        })
        .collect();
    logs.game = array(&states);
    let work = Work::new();
    let path = work.batch("late", &logs);
    let report = report(&work, &path);
    let finding = report.one("SB002");
    assert_eq!(
        (&finding["count"], &finding["places"][0], report.code),
        (&json!(150), &json!({"round": 0}), 0)
    );
    for row in features(&path, &["--level", "round"]) {
        let round = row["round"].as_u64().unwrap();
        assert_eq!(row["score"].as_f64(), (round >= 150).then_some(round as f64));
    }
}

#[test]
fn f28_deep_nesting_is_refused_with_the_files_name() {
    let work = Work::new();
    let path = work.write("deep/meta_log.json", [b"[".repeat(20_000), b"]".repeat(20_000)].concat());
    let output = run(["features", path.to_str().unwrap(), "--format", "json"]);
    assert!([1, 3].contains(&output.code), "{output:?}");
    assert!(
        output.stderr.contains("error IN0") && output.stderr.contains("deep/meta_log.json"),
        "{}",
        output.stderr
    );
    // The same inside an entry, beside a good one.
    let good = meta_entry("m", "Foraging", 1);
    let nested = format!("{{\"r\": {good}, \"s\": {{\"model\": {}", "[".repeat(20_000));
    let mut logs = Logs::good(4);
    logs.meta = nested.into_bytes();
    let report = report(&work, &work.batch("deep-entry", &logs));
    assert_eq!(report.one("IN010")["severity"], "error");
    assert_eq!((report.code, &report.analysis["swarm"]["runs"][0]["model"]), (1, &json!("m")));
}
