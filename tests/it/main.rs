//! Integration tests, one binary so that the frames library is linked once.

mod communication;
mod figures;
mod sample_report;
mod stats;
mod trajectories;
mod browser;
mod cli;
mod common;
mod determinism;
mod faulty;
mod figures;
mod fuzz;
mod layout;
mod oracle;
mod packing;
mod stats;
mod variants;
