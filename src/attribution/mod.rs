//! What drives actions and scores: forests, permutation importance, and the encodings they look at.
//!
//! ```text
//! logs ── encode ──► design ──► study (split, forest, importance, cluster, surrogate) ──► Attribution
//! ```

pub mod cluster;
pub mod collect;
pub mod design;
pub mod encode;
pub mod forest;
mod found;
pub mod importance;
pub mod margin;
pub mod matrix;
pub mod metrics;
pub mod regression;
pub mod show;
pub mod split;
pub mod study;
pub mod surrogate;
