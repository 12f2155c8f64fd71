//! Writes runs as the released environment logs them: the same keys, the same layout of the text.

mod batch;
mod json;
mod log;
mod prompt;

pub use batch::{Batch, RunEntry, run_id};
pub use log::{LogOptions, LogRecorder};
