//! Integration tests, one binary so that the frames library is linked once.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

mod attribute;
mod browser;
mod cli;
mod common;
mod communication;
mod determinism;
mod faulty;
mod figures;
mod fuzz;
mod layout;
mod oracle;
mod packing;
mod sample_report;
mod simulate;
mod stats;
mod trajectories;
mod trajectories_cli;
mod variants;
