//! Reading and measuring logs of the released shape: pretty-printed, some 6 KB a record, mostly prompt.
//!
//! `cargo bench --bench ingest` prints bytes per second; `skip_strings` is a scan that only finds the ends of strings, the
//! yardstick that the README of this folder compares with.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use divan::Bencher;
use divan::counter::BytesCount;
use swarm_analyze::features::embed::HashedNgrams;
use swarm_analyze::features::{FEATURES, Selection, Undefined, Walker, run_record};
use swarm_analyze::finding::Findings;
use swarm_analyze::ingest::discover;
use swarm_analyze::ingest::swarmbench::{Needs, RunPlan, Scratch, read_run};
use swarm_analyze::stats::rng::Stream;

fn main() {
    divan::main();
}

const ROUNDS: usize = 100;
const AGENTS: usize = 10;
const WORDS: &[&str] = &[
    "moving", "to", "the", "prey", "north", "wall", "corner", "food", "nest", "push", "box", "light", "we",
    "should", "gather", "near", "slot", "wait", "for", "others", "left", "right", "up", "down", "I", "see",
    "agent", "at", "go", "together",
];

fn sentence(stream: &mut Stream, words: usize) -> String {
    let words: Vec<&str> = (0..words).map(|_| WORDS[stream.index(WORDS.len())]).collect();
    words.join(" ")
}

/// A batch of one run, written as Python's `json.dump(…, indent=2)` does.
fn batch() -> (tempfile::TempDir, u64) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut stream = Stream::new(1, "bench/ingest");
    let (mut agent, mut game) = (String::from("[\n"), String::from("[\n"));
    let view = format!(
        "[{}\n    ]",
        vec![format!("\n      [{}\n      ]", ["\n        \".\""; 5].join(",")); 5].join(",")
    );
    let grid = format!(
        "[{}\n    ]",
        vec![format!("\n      [{}\n      ]", ["\n        \".\""; 10].join(",")); 10].join(",")
    );
    for round in 0..=ROUNDS {
        let cells: Vec<String> = (0..AGENTS)
            .map(|id| {
                let (x, y) = (stream.below(8) + 1, stream.below(8) + 1);
                format!("\n      {{\n        \"id\": \"Agent_{id}\",\n        \"x\": {x},\n        \"y\": {y}\n      }}")
            })
            .collect();
        let comma = if round < ROUNDS { "," } else { "" };
        write!(
            game,
            "  {{\n    \"timestamp\": 1745000000.5,\n    \"task\": \"Pursuit\",\n    \"round\": {round},\n    \"grid\": {grid},\n    \
             \"agents\": [{}\n    ],\n    \"score\": {},\n    \"messages\": []\n  }}{comma}\n",
            cells.join(","),
            round / 10
        )
        .expect("writing to a string");
        if round == ROUNDS {
            break;
        }
        for id in 0..AGENTS {
            let prompt: Vec<String> = (0..75).map(|_| sentence(&mut stream, 12)).collect();
            let (response, message) = (sentence(&mut stream, 60), sentence(&mut stream, 16));
            let action = ["UP", "DOWN", "LEFT", "RIGHT", "STAY"][stream.index(5)];
            let comma = if round + 1 < ROUNDS || id + 1 < AGENTS { "," } else { "" };
            write!(
                agent,
                "  {{\n    \"timestamp\": 1745000000.25,\n    \"task\": \"Pursuit\",\n    \"round\": {round},\n    \"agent_id\": \
                 \"Agent_{id}\",\n    \"view\": {view},\n    \"prompt\": \"You are \\\"Agent_{id}\\\".\\n{}\",\n    \"response\": \
                 \"REASONING: {response}\\nACTION: {action}\",\n    \"action\": \"{action}\",\n    \"message\": \"{message}\",\n    \
                 \"api_call_time\": 1.25,\n    \"action_success\": false,\n    \"total_llm_tokens\": {}\n  }}{comma}\n",
                prompt.join("\\n"),
                round * 1000
            )
            .expect("writing to a string");
        }
    }
    agent.push(']');
    game.push(']');
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a writable folder");
    write(
        "meta_log.json",
        r#"{"r": {"model": "m", "task": "Pursuit", "num_agents": 10, "width": 10, "height": 10, "seed": 1}}"#,
    );
    write("agent_log_r.json", &agent);
    write("game_log_r.json", &game);
    let bytes = (agent.len() + game.len()) as u64;
    (folder, bytes)
}

fn plan(folder: &Path) -> RunPlan {
    let mut inventory =
        discover(&[PathBuf::from(folder)], &mut Findings::new()).expect("the batch is recognised");
    inventory.swarm.remove(0)
}

/// Parsing alone.
#[divan::bench]
fn parse(bencher: Bencher<'_, '_>) {
    let (folder, bytes) = batch();
    let plan = plan(folder.path());
    let mut scratch = Scratch::default();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        read_run(&plan, Needs::default(), &mut scratch, &mut Findings::new()).expect("a run").rounds.len()
    });
}

/// Parsing and every feature, every message embedded anew.
#[divan::bench]
fn parse_and_all_features(bencher: Bencher<'_, '_>) {
    measure(bencher, &Selection::all());
}

/// Parsing and the fourteen features of the SwarmBench paper with `step_distance`.
#[divan::bench]
fn parse_and_paper_features(bencher: Bencher<'_, '_>) {
    let ids: Vec<String> = FEATURES.iter().take(15).map(|feature| feature.id.to_owned()).collect();
    assert_eq!(ids.last().map(String::as_str), Some("agent_push_events"), "the paper's features come first");
    measure(bencher, &Selection::of(&ids).expect("ids of the registry"));
}

/// The same without the two that embed messages.
#[divan::bench]
fn parse_and_features_without_embedding(bencher: Bencher<'_, '_>) {
    let embedding = ["info_homogeneity", "norm_mean_message_embedding"];
    let ids = FEATURES.iter().take(15).map(|feature| feature.id.to_owned());
    let ids: Vec<String> = ids.filter(|id| !embedding.contains(&id.as_str())).collect();
    measure(bencher, &Selection::of(&ids).expect("ids of the registry"));
}

fn measure(bencher: Bencher<'_, '_>, selection: &Selection) {
    let (folder, bytes) = batch();
    let plan = plan(folder.path());
    // A worker keeps both from run to run.
    let (mut scratch, mut walker) = (Scratch::default(), Walker::new(&HashedNgrams).selecting(selection));
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        let run = read_run(&plan, Needs::default(), &mut scratch, &mut Findings::new()).expect("a run");
        walker.forget_messages();
        run_record(&run, &mut walker, Undefined::Zero).values.len()
    });
}

/// The yardstick: reads the agent log and finds the end of every string, nothing else.
#[divan::bench]
fn skip_strings(bencher: Bencher<'_, '_>) {
    let (folder, _) = batch();
    let path = folder.path().join("agent_log_r.json");
    let bytes = std::fs::metadata(&path).expect("the log").len();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        let text = std::fs::read(&path).expect("the log");
        let (mut at, mut strings) = (0, 0u64);
        while let Some(open) = memchr::memchr(b'"', &text[at..]) {
            at += open + 1;
            loop {
                let Some(found) = memchr::memchr(b'"', &text[at..]) else { return strings };
                let slashes = text[..at + found].iter().rev().take_while(|&&b| b == b'\\').count();
                at += found + 1;
                if slashes.is_multiple_of(2) {
                    break;
                }
            }
            strings += 1;
        }
        strings
    });
}

/// The general parser on the same bytes, into a lean borrowed struct.
#[divan::bench]
fn serde_json_typed(bencher: Bencher<'_, '_>) {
    #[derive(serde::Deserialize)]
    struct Record<'a> {
        round: u32,
        agent_id: &'a str,
        action: &'a str,
        message: Option<std::borrow::Cow<'a, str>>,
    }
    let (folder, _) = batch();
    let path = folder.path().join("agent_log_r.json");
    let bytes = std::fs::metadata(&path).expect("the log").len();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        let text = std::fs::read(&path).expect("the log");
        let records: Vec<Record<'_>> = serde_json::from_slice(&text).expect("valid JSON");
        let size =
            |r: &Record<'_>| r.agent_id.len() + r.action.len() + r.message.as_ref().map_or(0, |m| m.len());
        records.iter().map(|r| size(r) + r.round as usize).sum::<usize>()
    });
}
