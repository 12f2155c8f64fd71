//! The report in headless Chromium: a copy of the page carries a script that uses it and writes down what it met.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::{Work, data, replaced, report, report_of, run_limited};

/// Whether the tests of this file are switched off by `SWARM_ANALYZE_NO_BROWSER=1`.
fn switched_off() -> bool {
    std::env::var_os("SWARM_ANALYZE_NO_BROWSER").is_some_and(|value| value == "1")
}

/// Loads a page and gives what its script wrote.
fn loaded(work: &Work, url: &str) -> Value {
    let profile = work.path("profile");
    let mut command = Command::new("chromium");
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--disable-dev-shm-usage", "--allow-file-access-from-files", "--window-size=1200,900"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(["--virtual-time-budget=20000", "--timeout=60000", "--dump-dom", url]);
    let missing = Command::new("chromium").arg("--version").output().is_err();
    assert!(
        !missing,
        "chromium is not there: `apt-get install -y chromium`, or set SWARM_ANALYZE_NO_BROWSER=1"
    );
    let output = run_limited(&mut command, Duration::from_mins(2));
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let start = dom.find("<pre id=\"results\">").unwrap_or_else(|| {
        panic!("no results from {url}: exit {}, {} bytes, {}", output.code, dom.len(), output.stderr)
    });
    let text = &dom[start + "<pre id=\"results\">".len()..];
    let text = &text[..text.find("</pre>").unwrap()];
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

fn script(name: &str) -> Vec<u8> {
    [b"<script>".as_slice(), &std::fs::read(data(&format!("browser/{name}"))).unwrap(), b"</script>"].concat()
}

/// The page with the watching script at its start, and another at its end.
fn instrumented(dir: &Path, end: &[u8]) {
    let page = std::fs::read(dir.join("report.html")).unwrap();
    let policy = b"form-action 'none'\">";
    let page = replaced(&page, policy, &[policy, script("watch.js").as_slice()].concat());
    let page = replaced(&page, b"</body>", &[end, b"</body>"].concat());
    std::fs::write(dir.join("watched.html"), page).unwrap();
}

fn nothing_happened() -> Value {
    json!({"errors": [], "violations": [], "alerts": []})
}

#[test]
fn the_page_works() {
    if switched_off() {
        return;
    }
    let work = Work::new();
    let zips = ["experiment_v01", "experiment_v02"].map(|b| data(&format!("swarmbench/{b}.zip")));
    let made = report_of(&work, &[zips[0].to_str().unwrap(), zips[1].to_str().unwrap()]);
    instrumented(&made.dir, &script("exercise.js"));
    let url = format!("file://{}#leaderboard&task=Pursuit", made.dir.join("watched.html").display());
    let got = loaded(&work, &url);
    assert_eq!(got["seen"], nothing_happened());
    assert_eq!(
        (&got["restored"]["task"], &got["restored"]["others"]),
        (&json!("Pursuit"), &json!(0)),
        "{got}"
    );
    assert!(got["restored"]["chosen"].as_u64().is_some_and(|n| n > 0), "{got}");
    assert_eq!(got["filter"], json!({"right": true, "hash": true, "reset": true}));
    assert_eq!(got["back"], json!({"restored": true, "cleared": ""}));
    let up = json!({"aria": "ascending", "ordered": true});
    let down = json!({"aria": "descending", "ordered": true});
    assert_eq!(
        got["sort"],
        json!({"up": up, "down": down, "keyboard": true, "byName": true, "one": 1, "kept": true})
    );
    assert_eq!(got["search"], json!({"right": true, "labelled": true, "reset": true, "wanted": true}));
    assert_eq!(got["theme"], json!({"shown": true, "changed": true, "back": true}));
    assert_eq!(got["links"], json!({"focused": true, "hash": "#findings"}));
    assert_eq!(got["wide"], true);
    assert_eq!(got["names"], json!({"unnamed": 0, "figures": true}));
}

#[test]
fn narrow_windows_and_hostile_logs() {
    if switched_off() {
        return;
    }
    let work = Work::new();
    let zip = data("swarmbench/experiment_v01.zip");
    let hostile = crate::packing::hostile(&work);
    let paths = [zip, data("faulty/13_html_injection"), data("faulty/21_score_types_extremes"), hostile];
    let mut pages = Vec::new();
    for path in &paths {
        let made = report(&work, path);
        instrumented(&made.dir, b"");
        pages.push(format!("{}/watched.html", made.dir.file_name().unwrap().to_str().unwrap()));
    }
    let harness = std::fs::read(data("browser/harness.html")).unwrap();
    let list = serde_json::to_vec(&pages).unwrap();
    let harness = work.write("harness.html", replaced(&harness, b"PAGES", &list));
    let got = loaded(&work, &format!("file://{}", harness.display()));
    for page in &pages {
        let here = &got[page];
        assert_eq!(here["seen"], nothing_happened(), "{page}");
        assert!(here["sections"].as_u64().is_some_and(|n| n >= 6), "{page}: {here}");
        let (width, scroll) = (here["width"].as_u64().unwrap(), here["scroll"].as_u64().unwrap());
        assert!(width <= 400 && scroll <= width, "{page} scrolls sideways: {here}");
    }
}
