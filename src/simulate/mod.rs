//! Simulators that write the logs which `ingest` reads.
//!
//! [`swarmbench`] follows the released environment so closely that logged actions reproduce a released game log.

pub mod masbench;
pub mod mastracebench;
pub mod swarmbench;
