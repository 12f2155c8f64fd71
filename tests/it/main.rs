//! Integration tests, one binary so that the frames library is linked once.

mod communication;
mod figures;
mod sample_report;
mod simulate;
mod stats;
mod trajectories;
mod trajectories_cli;
