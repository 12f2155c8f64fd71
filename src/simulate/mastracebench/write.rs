//! Writes a simulated run as its folder.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::SimulatedRun;
use crate::error::Result;
use crate::table::{create_folder, write_file};

fn lines(values: &[Value]) -> Vec<u8> {
    let mut text = String::new();
    for value in values {
        text.push_str(&value.to_string());
        text.push('\n');
    }
    text.into_bytes()
}

/// Writes the run to a folder named by its id under `root`, and gives that folder.
///
/// # Errors
/// When a file is there already and `force` is not set, or can't be written.
pub fn write(run: &SimulatedRun, root: &Path, force: bool) -> Result<PathBuf> {
    let folder = root.join(&run.run_id);
    create_folder(&folder, force)?;
    let settings = format!("{:#}\n", run.run);
    write_file(&folder.join("run.json"), settings.as_bytes(), force)?;
    write_file(&folder.join("units.jsonl"), &lines(&run.units), force)?;
    if !run.episodes.is_empty() {
        write_file(&folder.join("episodes.jsonl"), &lines(&run.episodes), force)?;
    }
    Ok(folder)
}
