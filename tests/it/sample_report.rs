//! The report of the sample logs that lies in `reports/` is the one that the README's command makes.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Files below `folder` whose numbers are rounded, by path from it: the page and the figures.
fn rounded_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = vec![PathBuf::from("report.html")];
    for entry in std::fs::read_dir(folder.join("figures")).expect("the report has figures") {
        files.push(Path::new("figures").join(entry.expect("a readable folder").file_name()));
    }
    files.sort();
    files
}

#[test]
fn the_committed_report_is_the_one_that_the_readmes_command_makes() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let committed = project.join("reports/sample-logs");
    let folder = tempfile::tempdir().unwrap();
    let fresh = folder.path().join("fresh");
    let status = Command::new(env!("CARGO_BIN_EXE_swarm-analyze"))
        .current_dir(project)
        .args(["report", "sample_logs", "--quiet", "-o"])
        .arg(&fresh)
        .status()
        .unwrap();
    assert!(status.success());
    let advice = "stale: run `cargo run --release -- report sample_logs --force` and commit what changes";
    let names = rounded_files(&fresh);
    assert_eq!(names, rounded_files(&committed), "{advice}");
    for name in names {
        let same = std::fs::read(fresh.join(&name)).unwrap() == std::fs::read(committed.join(&name)).unwrap();
        assert!(same, "{} is {advice}", name.display());
    }
}
