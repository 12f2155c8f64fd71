//! simulate.
pub mod masbench;
