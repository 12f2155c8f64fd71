//! The same input gives the same bytes, whatever the number of workers and whatever else is in the batch.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::common::{Work, data, features, report_of, run};

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    walkdir::WalkDir::new(folder)
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let name = entry.path().strip_prefix(folder).unwrap().display().to_string();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect()
}

#[test]
fn reports_by_one_and_by_eight_workers_are_equal() {
    let work = Work::new();
    let zips = ["experiment_v01", "experiment_v02"].map(|b| data(&format!("swarmbench/{b}.zip")));
    let zips = zips.each_ref().map(|path| path.to_str().unwrap());
    let made = ["1", "8"].map(|jobs| {
        let report = report_of(&work, &[zips[0], zips[1], "--seed", "7", "--jobs", jobs]);
        let mut files = files(&report.dir);
        assert!(files.remove("manifest.json").is_some());
        files
    });
    assert!(made[0].len() > 10);
    assert_eq!(made[0].keys().collect::<Vec<_>>(), made[1].keys().collect::<Vec<_>>());
    for (name, bytes) in &made[0] {
        assert!(*bytes == made[1][name], "{name} differs");
    }
}

#[test]
fn the_seed_matters_only_to_what_is_drawn() {
    let work = Work::new();
    let zip = data("swarmbench/experiment_v01.zip");
    let made = ["1", "2"].map(|seed| report_of(&work, &[zip.to_str().unwrap(), "--seed", seed]));
    for table in ["data/rounds.csv", "data/runs.csv", "data/correlations.csv"] {
        let [one, two] = made.each_ref().map(|report| std::fs::read(report.dir.join(table)).unwrap());
        assert!(one == two, "{table} depends on the seed");
    }
}

#[test]
fn features_by_one_and_by_eight_workers_are_equal() {
    let zip = data("swarmbench/experiment_v03.zip");
    for level in ["round", "run", "agent"] {
        let [one, eight] = ["1", "8"].map(|jobs| {
            run(["features", zip.to_str().unwrap(), "--level", level, "--format", "ndjson", "--jobs", jobs])
                .stdout
        });
        assert!(!one.is_empty() && one == eight, "{level}");
    }
}

#[test]
fn values_of_a_run_do_not_depend_on_the_other_runs() {
    let work = Work::new();
    let zip = data("swarmbench/experiment_v02.zip");
    let together = features(&zip, &["--level", "run"]);
    let mut archive = zip::ZipArchive::new(std::fs::File::open(&zip).unwrap()).unwrap();
    let names: Vec<String> =
        (0..archive.len()).map(|i| archive.by_index_raw(i).unwrap().name().unwrap().into_owned()).collect();
    let mut read = |name: &str| {
        let mut bytes = Vec::new();
        std::io::copy(&mut archive.by_name(name).unwrap(), &mut bytes).unwrap();
        bytes
    };
    let meta_name = names.iter().find(|name| name.ends_with("meta_log.json")).unwrap();
    let meta: Value = serde_json::from_slice(&read(meta_name)).unwrap();
    for row in together.iter().step_by(3) {
        let id = row["run_id"].as_str().unwrap();
        // A batch of its own with the same name and this run only.
        let folder = format!("{id}/experiment_v02");
        let own = serde_json::json!({ id: meta[id] });
        work.write(&format!("{folder}/meta_log.json"), own.to_string());
        for name in names.iter().filter(|name| name.contains(&format!("{id}.json"))) {
            let base = name.rsplit('/').next().unwrap();
            let bytes = read(name);
            work.write(&format!("{folder}/{base}"), bytes);
        }
        let alone = features(&work.path(&folder), &["--level", "run"]);
        assert_eq!(alone.len(), 1);
        assert_eq!(&alone[0], row, "{id}");
    }
}
