//! Simulators that write the logs which `ingest` reads.
//!
//! [`swarmbench`] follows the released environment so closely that logged actions reproduce a released game log.

pub mod swarmbench;
