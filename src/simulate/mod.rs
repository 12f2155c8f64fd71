//! Simulators that write the logs `ingest` reads.

pub mod mastracebench;
