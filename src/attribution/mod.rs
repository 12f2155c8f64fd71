//! What drives actions and scores: forests, permutation importance, and the encodings they look at.

pub mod cluster;
pub mod forest;
pub mod importance;
pub mod matrix;
pub mod metrics;
pub mod split;
pub mod surrogate;
