//! From paths to runs: discovery, formats, streaming readers.
//!
//! [`discover`] looks at everything under the given paths (folders, files, archives, packed files), lets each row of
//! [`ADAPTERS`] say by content which files are its own, and groups those into runs. Reading a run is a second step
//! that each worker does for one run at a time, so memory does not grow with the data.

mod archive;
mod discover;
pub(crate) mod json;
pub mod masbench;
pub mod mastracebench;
mod source;
pub mod swarmbench;

use crate::finding::Findings;

pub use discover::{Folder, Inventory, Member, Seen, discover};
pub use json::{MAX_DEPTH, MAX_RECORD};
pub use source::{LogFile, MAX_NESTED_ARCHIVE, MAX_UNPACKED, Source};

/// A log format: how to know its files, and how to group them into runs.
pub struct Adapter {
    /// Short id, as in outputs.
    pub id: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// One sentence on the files it takes.
    pub takes: &'static str,
    /// The role that a file with this name and these first bytes plays, if it is one of this format's.
    pub classify: fn(name: &str, head: &[u8]) -> Option<&'static str>,
    /// Groups one folder's files into runs and adds them to the inventory.
    pub plan: fn(&Folder, &mut Inventory, &mut Findings),
}

/// Every format, in the order in which they are asked: those that name themselves first.
pub const ADAPTERS: &[Adapter] = &[masbench::ADAPTER, mastracebench::ADAPTER, swarmbench::ADAPTER];
