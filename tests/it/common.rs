//! Runs the binary as a user does, and makes small batches to run it on.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

pub(crate) const BIN: &str = env!("CARGO_BIN_EXE_swarm-analyze");

/// A file of `tests/data`.
pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// What a command left.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) code: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Output {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.stdout.clone()).expect("stdout is UTF-8")
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }
}

#[expect(clippy::disallowed_methods, reason = "a time limit needs a clock")]
fn now() -> Instant {
    Instant::now()
}

/// Runs a command to its end; one that takes longer than `limit` is stopped and fails the test.
pub(crate) fn run_limited(command: &mut Command, limit: Duration) -> Output {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    let drain = |mut pipe: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.read_to_end(&mut bytes);
            bytes
        })
    };
    let out = drain(Box::new(child.stdout.take().expect("piped")));
    let err = drain(Box::new(child.stderr.take().expect("piped")));
    let start = now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("waits") {
            break status;
        }
        if start.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            panic!("{command:?} ran longer than {limit:?}");
        }
        std::thread::sleep(Duration::from_millis(3));
    };
    let stdout = out.join().expect("reads");
    let stderr = String::from_utf8_lossy(&err.join().expect("reads")).into_owned();
    Output { code: status.code().unwrap_or(-1), stdout, stderr }
}

/// Runs the binary; no command may panic, whatever it is given.
pub(crate) fn run<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Output {
    let output = run_limited(Command::new(BIN).args(args), Duration::from_mins(2));
    assert!(!output.stderr.contains("panicked"), "{}", output.stderr);
    output
}

/// The rows of `features` as JSON, with more arguments.
pub(crate) fn features(path: &Path, more: &[&str]) -> Vec<Value> {
    let path = path.to_str().expect("a UTF-8 path");
    let output = run(["features", path, "--format", "json"].iter().chain(more));
    assert!(output.code <= 1, "{output:?}");
    output.json()["rows"].as_array().expect("rows").clone()
}

/// A folder that goes away at the end of the test.
pub(crate) struct Work(tempfile::TempDir);

impl Work {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, with its folders.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(&path, bytes).expect("writes");
        path
    }

    /// Writes a batch of one run `r` under `name`.
    pub(crate) fn batch(&self, name: &str, logs: &Logs) -> PathBuf {
        self.write(&format!("{name}/meta_log.json"), &logs.meta);
        self.write(&format!("{name}/game_log_r.json"), &logs.game);
        self.write(&format!("{name}/agent_log_r.json"), &logs.agent);
        self.path(name)
    }
}

/// A report that was made, and what it says.
pub(crate) struct Report {
    pub(crate) dir: PathBuf,
    pub(crate) code: i32,
    pub(crate) stderr: String,
    pub(crate) html: String,
    pub(crate) analysis: Value,
    pub(crate) findings: Vec<Value>,
}

/// Makes a report of `path` in a new folder of `work`.
pub(crate) fn report(work: &Work, path: &Path) -> Report {
    report_of(work, &[path.to_str().expect("a UTF-8 path")])
}

/// Makes a report with these arguments.
pub(crate) fn report_of(work: &Work, args: &[&str]) -> Report {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let dir = work.path(&format!("report-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
    let out = dir.to_str().expect("a UTF-8 path");
    let output = run(["report", "-o", out, "--resamples", "200"].iter().chain(args));
    assert!(output.code <= 1, "{output:?}");
    assert!(output.stdout.is_empty(), "a report prints no data");
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let parse = |name: &str| serde_json::from_str::<Value>(&read(name)).expect("JSON");
    let findings = parse("findings.json")["findings"].as_array().expect("findings").clone();
    let (html, analysis) = (read("report.html"), parse("analysis.json"));
    Report { code: output.code, stderr: output.stderr, html, analysis, findings, dir }
}

impl Report {
    /// The findings with this code.
    pub(crate) fn all(&self, code: &str) -> Vec<&Value> {
        self.findings.iter().filter(|f| f["code"] == code).collect()
    }

    /// The one finding with this code; its effect and remedy are there and the page shows its code.
    pub(crate) fn one(&self, code: &str) -> &Value {
        let all = self.all(code);
        assert_eq!(all.len(), 1, "{code} among {:#?}", self.findings);
        assert!(self.html.contains(code), "the page does not show {code}");
        for part in ["title", "message", "effect", "remedy"] {
            assert!(all[0][part].as_str().is_some_and(|text| !text.is_empty()), "{code} lacks its {part}");
        }
        all[0]
    }

    /// The codes that occur, each once, sorted.
    pub(crate) fn codes(&self) -> Vec<&str> {
        let mut codes: Vec<&str> = self.findings.iter().filter_map(|f| f["code"].as_str()).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    /// Every text file of the folder with its name.
    pub(crate) fn texts(&self) -> Vec<(String, String)> {
        walkdir::WalkDir::new(&self.dir)
            .into_iter()
            .filter_map(Result::ok)
            .filter(|entry| entry.file_type().is_file())
            .filter(|entry| entry.path().extension().is_none_or(|e| e != "parquet"))
            .map(|entry| {
                let text = std::fs::read_to_string(entry.path()).expect("UTF-8");
                (entry.path().strip_prefix(&self.dir).expect("inside").display().to_string(), text)
            })
            .collect()
    }
}

/// The three files of a batch of one run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Logs {
    pub(crate) meta: Vec<u8>,
    pub(crate) game: Vec<u8>,
    pub(crate) agent: Vec<u8>,
}

pub(crate) fn meta_entry(model: &str, task: &str, seed: i64) -> Value {
    json!({"model": model, "task": task, "num_agents": 2, "max_round": 3, "width": 8, "height": 8, "seed": seed, "view_size": 5})
}

/// The state of round `round`: two agents side by side that move one cell down a round; the score is the round.
pub(crate) fn state(round: u32) -> Value {
    let y = round % 8;
    json!({"timestamp": 1, "task": "Foraging", "round": round, "grid": [],
        "agents": [{"id": "Agent_0", "x": 1, "y": y}, {"id": "Agent_1", "x": 2, "y": y}], "score": round, "messages": []})
}

/// The decisions of round `round`: both go down and say something.
pub(crate) fn decisions(round: u32) -> Vec<Value> {
    [0, 1]
        .map(|agent| {
            json!({"timestamp": 1, "task": "Foraging", "round": round, "agent_id": format!("Agent_{agent}"), "view": [],
                "prompt": "look", "response": "go", "action": "DOWN", "message": format!("round {round}?"),
                "api_call_time": 0, "action_success": false, "total_llm_tokens": 10 * (round + 1)})
        })
        .to_vec()
}

/// An array of records as `json.dump` writes it.
pub(crate) fn array(records: &[Value]) -> Vec<u8> {
    serde_json::to_vec(records).expect("JSON")
}

impl Logs {
    /// A good run of `rounds` states; the last has no decisions.
    pub(crate) fn good(rounds: u32) -> Self {
        let states: Vec<Value> = (0..rounds).map(state).collect();
        let decided: Vec<Value> = (0..rounds.saturating_sub(1)).flat_map(decisions).collect();
        Self {
            meta: json!({"r": meta_entry("m", "Foraging", 1)}).to_string().into_bytes(),
            game: array(&states),
            agent: array(&decided),
        }
    }
}

/// Whether a file's name ends with one of these endings.
pub(crate) fn is_a(name: &str, endings: &[&str]) -> bool {
    let ending = Path::new(name).extension().and_then(std::ffi::OsStr::to_str);
    ending.is_some_and(|ending| endings.contains(&ending))
}

/// `bytes` with the first `from` replaced.
pub(crate) fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let at = bytes.windows(from.len()).position(|w| w == from).expect("the text to replace is there");
    [&bytes[..at], to, &bytes[at + from.len()..]].concat()
}
