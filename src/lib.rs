//! Offline analysis of LLM multi-agent runs.
//!
//! The data's way through the crate is visible in its modules, and dependencies point one way only:
//!
//! ```text
//! logs ── ingest ──► model ──► features ───────┐
//!                      │       trajectory ─────┤
//!                      │       communication ──┼──► stats ──► analysis ──► report
//!                      │       attribution ────┘              (one value)  figures
//!                      │
//! simulate writes the logs that ingest reads; audit checks them; finding collects what was wrong.
//! ```
//!
//! [`model`] and [`stats`] know no files, frames or HTML; the report computes nothing.

pub mod analysis;
pub mod attribution;
mod byte_masks;
pub mod cli;
pub mod communication;
pub mod error;
pub mod features;
pub mod figures;
pub mod finding;
pub mod ingest;
pub mod keywords;
pub mod model;
pub mod pipeline;
pub mod report;
pub mod simulate;
pub mod stats;
pub mod table;
pub mod trajectory;

pub use error::{Error, Result};
