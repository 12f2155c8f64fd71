//! Statistics: slices in, numbers out. Knows no files, frames or HTML.

pub mod rng;
