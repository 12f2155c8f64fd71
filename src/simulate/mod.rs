//! Simulators that write the logs `ingest` reads.

pub mod masbench;
pub mod mastracebench;
