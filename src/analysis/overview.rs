//! What was read, from where, and how.

use serde::{Deserialize, Serialize};

use crate::finding::Severity;

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// As given.
    pub file: String,
    /// Size on disk in bytes.
    pub bytes: u64,
    /// SHA-256 of the file as it lies on the disk, in hexadecimal.
    pub sha256: String,
}

/// How the analysis was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// This program's version.
    pub version: String,
    /// A command that makes the same report (where it goes and how many workers it takes left out).
    pub command: String,
    /// The inputs, by name.
    pub inputs: Vec<Input>,
}

/// Findings of one severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingCount {
    /// The severity.
    pub severity: Severity,
    /// How many.
    pub count: usize,
}

/// Runs of one model, task and seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageCell {
    /// The group's label.
    pub model: String,
    /// The task.
    pub task: String,
    /// The seed; null where the meta log has none.
    pub seed: Option<i64>,
    /// How many.
    pub runs: u64,
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overview {
    /// Batches, sorted.
    pub batches: Vec<String>,
    /// Runs that the numbers rest on.
    pub runs: usize,
    /// Runs left out.
    pub excluded: usize,
    /// Files seen.
    pub files: usize,
    /// Files that are no logs.
    pub skipped: usize,
    /// Bytes of logs, as stored.
    pub bytes: u64,
    /// Findings by severity, the gravest first.
    pub findings: Vec<FindingCount>,
}
