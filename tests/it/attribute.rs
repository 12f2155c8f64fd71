//! `attribute` as a user runs it: on simulated runs whose actions are known to follow from something, or from nothing.

use serde_json::Value;

use crate::common::{Logs, Work, run};

/// Runs of a policy in Pursuit.
fn simulated(work: &Work, name: &str, policy: &str, seeds: &str) -> String {
    let folder = work.path(name).to_string_lossy().into_owned();
    let out = run([
        "simulate",
        "swarmbench",
        "--task",
        "Pursuit",
        "--policy",
        policy,
        "--seeds",
        seeds,
        "--agents",
        "6",
        "--rounds",
        "25",
        "--lean",
        "-q",
        "-o",
        &folder,
    ]);
    assert_eq!(out.code, 0, "{out:?}");
    folder
}

fn attribute(folder: &str, more: &[&str]) -> crate::common::Output {
    run(["attribute", folder, "--trees", "40", "-q"].into_iter().chain(more.iter().copied()))
}

fn all_models(analysis: &Value) -> &Value {
    let studies = analysis["studies"].as_array().unwrap();
    studies.iter().find(|study| study["model"].is_null()).unwrap()
}

#[test]
fn what_a_policy_looks_at_is_found_whatever_the_number_of_workers() {
    let work = Work::new();
    // `pursuit-greedy` goes towards the prey if it sees it, and knows nothing else.
    let folder = simulated(&work, "greedy", "pursuit-greedy", "1..12");
    let out = attribute(&folder, &["--format", "json", "--jobs", "1"]);
    assert_eq!(out.code, 0, "{out:?}");
    assert_eq!(out.stdout, attribute(&folder, &["--format", "json", "--jobs", "2"]).stdout);
    let analysis = out.json();
    let study = all_models(&analysis);
    assert_eq!(study["refusal"], Value::Null, "{study:#}");
    // Every decision is in the logs with its view, and runs are held out whole.
    assert_eq!(study["rows"], study["rows_logged"]);
    assert!(study["margin"]["low"].as_f64().unwrap() > 0.0);
    assert!(study["margin"]["runs"].as_u64().unwrap() >= 3);
    let mean = |row: &Value| row["drop"]["mean"].as_f64().unwrap();
    let groups = study["rankings"]["groups"].as_array().unwrap();
    let best = groups.iter().max_by(|a, b| mean(a).total_cmp(&mean(b))).unwrap();
    assert_eq!(best["name"], "observation", "{groups:#?}");
    assert_eq!(study["rankings"]["features"][0]["group"], best["group"]);

    let text = attribute(&folder, &["--jobs", "2"]).text();
    for word in
        ["Pursuit · all models", "beyond the better baseline", "groups: drop of macro F1", "observation"]
    {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(!text.contains("not ranked"), "{text}");
    let csv = attribute(&folder, &["--format", "csv", "--tasks-only"]).text();
    assert!(csv.lines().next().unwrap().starts_with("task,"), "{csv}");
}

#[test]
fn actions_that_follow_from_nothing_are_not_ranked() {
    let work = Work::new();
    let folder = simulated(&work, "random", "random", "1..9");
    let analysis = attribute(&folder, &["--format", "json"]).json();
    let study = all_models(&analysis);
    assert!(study["rankings"].is_null(), "{study:#}");
    let refusal = study["refusal"].as_str().unwrap();
    assert!(refusal.contains("does not beat its baselines"), "{refusal}");
    assert!(attribute(&folder, &[]).text().contains("not ranked: "));
}

#[test]
fn too_few_runs_bad_parameters_and_no_runs() {
    let work = Work::new();
    let folder = simulated(&work, "few", "pursuit-greedy", "1..3");
    let analysis = attribute(&folder, &["--format", "json"]).json();
    let refusal = all_models(&analysis)["refusal"].as_str().unwrap();
    assert!(refusal.contains("at least 4"), "{refusal}");
    // Its only model has as few runs: that is said too, not left out.
    let studies = analysis["studies"].as_array().unwrap();
    assert_eq!((studies.len(), &studies[1]["model"]), (2, &Value::from("pursuit-greedy")));
    assert_eq!(studies[1]["refusal"], studies[0]["refusal"]);
    assert_eq!(attribute(&folder, &["--splits", "0"]).code, 2);
    assert_eq!(attribute(&folder, &["--view", "nonsense"]).code, 2);
    std::fs::create_dir(work.path("empty")).unwrap();
    assert_eq!(attribute(&work.path("empty").to_string_lossy(), &[]).code, 3);
}

#[test]
fn runs_without_views_are_counted() {
    let work = Work::new();
    let batch = work.batch("blind", &Logs::good(5)); // its views are empty
    let out = attribute(&batch.to_string_lossy(), &["--format", "json", "--fail-on", "never"]);
    let analysis = out.json();
    let study = all_models(&analysis);
    assert_eq!(
        [&study["runs"], &study["runs_without_views"], &study["rows_logged"]],
        [0, 1, 0].map(Value::from).each_ref()
    );
    assert!(study["refusal"].as_str().unwrap().starts_with("0 runs with logged views"), "{study:#}");
    let text = attribute(&batch.to_string_lossy(), &["--fail-on", "never"]).text();
    assert!(text.contains("left out for want of a view at any decision: 1 runs"), "{text}");
}

#[test]
fn the_report_has_tables_of_what_it_shows() {
    let work = Work::new();
    let folder = work.path("logs").to_string_lossy().into_owned();
    for (name, memory) in [("a", "0"), ("b", "5"), ("c", "10")] {
        let part = format!("{folder}/{name}");
        let out = run([
            "simulate",
            "swarmbench",
            "--task",
            "Pursuit,Synchronization",
            "--policy",
            "pursuit-greedy,sync-vote",
            "--seeds",
            "1..3",
            "--agents",
            "5",
            "--rounds",
            "12",
            "--memory",
            memory,
            "--lean",
            "-q",
            "-o",
            &part,
        ]);
        assert_eq!(out.code, 0, "{out:?}");
    }
    let report = work.path("report");
    let out = run(["report", &folder, "-q", "-o", &report.to_string_lossy()]);
    assert_eq!(out.code, 0, "{out:?}");
    let table = |name: &str| std::fs::read_to_string(report.join(format!("data/{name}.csv"))).unwrap();
    for (name, heads) in [
        ("memory", "task,model,n,dropped,settings,slope"),
        ("moments", "task,mode,rank,batch,run_id"),
        ("protocol_by_model", "model,feature,n,r"),
        ("keywords", "task,model,list,rank,word"),
        ("attribution", "task,model,runs"),
        ("importance", "task,model,level,rank,name"),
        ("regressions", "task,n,without_score"),
        ("shap", "task,feature,rank"),
    ] {
        assert!(table(name).starts_with(heads), "{name}: {}", table(name));
        assert!(report.join(format!("data/{name}.parquet")).is_file(), "{name}");
    }
    // Three batches with a setting each.
    let memory = table("memory");
    let pursuit = memory.lines().find(|line| line.starts_with("Pursuit,,")).unwrap();
    assert!(pursuit.contains("[0.0,5.0,10.0]"), "{pursuit}");
    let page = std::fs::read_to_string(report.join("report.html")).unwrap();
    assert!(page.contains("The final score over the memory setting"));
    for name in ["memory", "moments", "keywords", "attribution"] {
        assert!(page.contains(&format!("data&#x2F;{name}.csv")), "{name}");
    }
}
