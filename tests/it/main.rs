//! Integration tests, one binary so that the frames library is linked once.

mod figures;
mod stats;
mod communication;
