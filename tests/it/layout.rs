//! Large reports stay within their size, and every report's links, anchors and panels are whole.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::common::{Report, Work, data, is_a, meta_entry, report, report_of};

const TASKS: [&str; 5] = ["Pursuit", "Synchronization", "Foraging", "Flocking", "Transport"];

/// A batch of so many models, each in every task with so many seeds. Logs hold only what the features need; scores differ
/// by model, task, seed and round.
fn batch(work: &Work, models: usize, seeds: usize, rounds: usize, agents: usize) -> PathBuf {
    let mut meta = Map::new();
    let mut decided = String::from("[");
    for round in 0..rounds - 1 {
        for agent in 0..agents {
            let action = ["UP", "DOWN", "LEFT", "RIGHT", "STAY"][(round * 3 + agent) % 5];
            let message = ["", "moving on", "who is at the nest?", "hold row 3"][(round + agent) % 4];
            let comma = if round + agent == 0 { "" } else { "," };
            write!(decided, "{comma}{{\"round\":{round},\"agent_id\":\"Agent_{agent}\",\"action\":\"{action}\",\"message\":\"{message}\"}}").unwrap();
        }
    }
    decided.push(']');
    let mut at = 0;
    for model in 0..models {
        for (place, task) in TASKS.iter().enumerate() {
            for seed in 0..seeds {
                let id = format!("r{at:03}");
                at += 1;
                let mut entry = meta_entry(&format!("model-{model:02}"), task, seed as i64);
                (entry["num_agents"], entry["width"], entry["height"]) =
                    (agents.into(), 20.into(), 20.into());
                meta.insert(id.clone(), entry);
                let mut game = String::from("[");
                for round in 0..rounds {
                    let comma = if round == 0 { "" } else { "," };
                    let score = round * (place + 1) + (model * 7 + seed * 3 + round) % 11;
                    write!(game, "{comma}{{\"round\":{round},\"score\":{score},\"agents\":[").unwrap();
                    for agent in 0..agents {
                        let (comma, x, y) = (
                            if agent == 0 { "" } else { "," },
                            (agent + round * (1 + model % 2)) % 20,
                            (agent * 2 + round * seed / 2) % 20,
                        );
                        write!(game, "{comma}{{\"id\":\"Agent_{agent}\",\"x\":{x},\"y\":{y}}}").unwrap();
                    }
                    game.push_str("]}");
                }
                game.push(']');
                work.write(&format!("batch/game_log_{id}.json"), game);
                work.write(&format!("batch/agent_log_{id}.json"), &decided);
            }
        }
    }
    work.write("batch/meta_log.json", Value::Object(meta).to_string());
    work.path("batch")
}

/// Every `name="…"` of the page outside its script, entities resolved.
fn attributes(html: &str, name: &str) -> Vec<String> {
    let start = format!(" {name}=\"");
    let body = &html[..html.rfind("<script>").expect("the page's script")];
    body.split(&start)
        .skip(1)
        .map(|rest| rest[..rest.find('"').unwrap()].replace("&#x2F;", "/").replace("&amp;", "&"))
        .collect()
}

/// Anchors lead somewhere, ids are unique, linked files are there, panels have marks, numbers are numbers.
fn whole(report: &Report) {
    let ids = attributes(&report.html, "id");
    let unique: BTreeSet<&String> = ids.iter().collect();
    let mut sorted: Vec<&String> = ids.iter().collect();
    sorted.sort_unstable();
    let twice: Vec<_> = sorted.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    assert!(twice.is_empty(), "ids that occur twice: {twice:?}");
    let mut links = 0;
    for href in attributes(&report.html, "href") {
        links += 1;
        if let Some(anchor) = href.strip_prefix('#') {
            assert!(unique.contains(&anchor.to_owned()), "nothing has the id {anchor}");
        } else if !href.starts_with("https://") {
            assert!(report.dir.join(&href).is_file(), "{href} is linked and not there");
        }
    }
    assert!(links > 10);
    for other in ["aria-labelledby", "aria-describedby", "for"] {
        for value in attributes(&report.html, other) {
            assert!(value.split(' ').all(|id| unique.contains(&id.to_owned())), "{other} {value}");
        }
    }
    for (name, text) in report.texts() {
        let json = is_a(&name, &["json"]);
        let bare = |word: &str| {
            [": ", ":", ", ", "[", "\n"].iter().any(|before| {
                text.contains(&format!("{before}{word},")) || text.contains(&format!("{before}{word}\n"))
            })
        };
        assert!(!json || !["NaN", "Infinity", "-Infinity", "inf"].iter().any(|word| bare(word)), "{name}");
        if is_a(&name, &["svg"]) {
            assert!(
                !text.contains("NaN") && !text.contains("=\"inf"),
                "{name} has a coordinate that is none"
            );
            let document = roxmltree::Document::parse(&text).unwrap();
            let marks = ["path", "circle", "rect", "polyline", "line"];
            let drawn = document.descendants().filter(|node| marks.contains(&node.tag_name().name())).count();
            assert!(drawn > 1, "{name} is empty");
        }
    }
    let swarm = &report.analysis["swarm"];
    for kind in ["scores", "dynamics"] {
        for series in swarm[kind].as_array().unwrap() {
            let points =
                series["mean"].as_array().map_or(0, |mean| mean.iter().filter(|m| m.is_number()).count());
            assert!(
                points > 0,
                "{kind}: a panel of {} in {} has no point: {series}",
                series["model"],
                series["task"]
            );
        }
    }
    let listed = std::fs::read_to_string(report.dir.join("manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&listed).unwrap();
    let listed: BTreeSet<&str> =
        manifest["files"].as_array().unwrap().iter().filter_map(|f| f["path"].as_str()).collect();
    for entry in walkdir::WalkDir::new(&report.dir)
        .into_iter()
        .filter_map(Result::ok)
        .filter(|e| e.file_type().is_file())
    {
        let name = entry.path().strip_prefix(&report.dir).unwrap().display().to_string();
        assert!(name == "manifest.json" || listed.contains(name.as_str()), "{name} is not in the manifest");
    }
}

#[test]
fn a_report_of_325_runs_is_at_most_10_mb() {
    let work = Work::new();
    let path = batch(&work, 13, 5, 100, 10);
    let report = report(&work, &path);
    assert!(report.findings.is_empty(), "{:?}", report.codes());
    assert_eq!(report.analysis["swarm"]["runs"].as_array().unwrap().len(), 325);
    assert!(report.html.len() <= 10_000_000, "{} bytes", report.html.len());
    whole(&report);
    for series in report.analysis["swarm"]["scores"].as_array().unwrap() {
        assert_eq!(series["mean"].as_array().map(Vec::len), Some(100));
    }
}

#[test]
fn forty_models_are_still_told_apart() {
    let work = Work::new();
    let path = batch(&work, 40, 2, 12, 3);
    let report = report(&work, &path);
    assert_eq!(report.analysis["swarm"]["models"].as_array().unwrap().len(), 40);
    assert!(report.html.len() <= 10_000_000, "{} bytes", report.html.len());
    whole(&report);
    for model in 0..40 {
        assert!(
            report.html.contains(&format!("data-model=\"model-{model:02}\"")),
            "model {model} has no row"
        );
    }
}

#[test]
fn reports_of_odd_batches_are_whole() {
    let work = Work::new();
    for folder in std::fs::read_dir(data("faulty")).unwrap() {
        whole(&report(&work, &folder.unwrap().path()));
    }
    let zip = data("swarmbench/experiment_v04.zip");
    whole(&report_of(
        &work,
        &[zip.to_str().unwrap(), "--group-by", "num_agents,view_size", "--undefined", "skip"],
    ));
}
