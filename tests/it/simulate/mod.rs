//! The SwarmBench simulator against the released environment's logs and layouts.
//!
//! `tests/data/swarmbench` holds 40 runs and 300 starting layouts written by the released environment.

mod generate;
mod layouts;
mod properties;
mod verify;

use std::path::{Path, PathBuf};

use swarm_analyze::finding::Findings;
use swarm_analyze::ingest::discover;
use swarm_analyze::pipeline::Silent;
use swarm_analyze::simulate::swarmbench::verify::{Verdict, verify_runs};

/// The folder of the released data.
pub(crate) fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/swarmbench")
}

/// Verdicts on everything under a path.
fn verdicts(path: &Path) -> Vec<Verdict> {
    let mut findings = Findings::new();
    let inventory = discover(&[path.to_path_buf()], &mut findings).unwrap();
    verify_runs(&inventory.swarm, &Silent, &mut findings).unwrap()
}
