//! Errors that end a command, with the path and place they happened at, and the exit codes they map to.
//!
//! A fault in the *data* is not an error: it is a [`crate::finding::Finding`], and the rest is analysed.

use std::path::{Path, PathBuf};

/// What a command can end with. The numbers are part of the documented interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitCode {
    /// Everything was done and no finding reached the `--fail-on` level.
    Fine = 0,
    /// Done, but findings at or above `--fail-on` were made.
    Findings = 1,
    /// The command line can't be understood or contradicts itself.
    Usage = 2,
    /// Nothing under the given paths is a log that is recognised.
    NoInput = 3,
    /// The output exists already or can't be written.
    Output = 4,
    /// A fault of this program.
    Internal = 70,
}

/// An error that ends the command.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request is contradictory or out of range.
    #[error("{0}")]
    Usage(String),
    /// No recognised input was found.
    #[error("{0}")]
    NoInput(String),
    /// An output is there already.
    #[error("{path} exists already; choose another place with -o, or add --force to replace it")]
    OutputExists {
        /// The existing file or folder.
        path: PathBuf,
    },
    /// An output can't be written.
    #[error("can't write {path}: {source}; check the folder's rights and the free space")]
    Write {
        /// Where to.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// An input can't be read at all (unlike a damaged one, which is a finding).
    #[error("can't read {path}: {source}")]
    Read {
        /// Where from.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// An invariant of this program does not hold.
    #[error("internal error in {place}: {what}; please report this with the command line that led to it")]
    Internal {
        /// The part of the program.
        place: &'static str,
        /// What went wrong.
        what: String,
    },
}

/// The crate's result.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// The exit code that this error ends the command with.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) => ExitCode::Usage,
            Self::NoInput(_) | Self::Read { .. } => ExitCode::NoInput,
            Self::OutputExists { .. } | Self::Write { .. } => ExitCode::Output,
            Self::Internal { .. } => ExitCode::Internal,
        }
    }

    /// A write error at `path`.
    pub fn write(path: impl AsRef<Path>, source: std::io::Error) -> Self {
        Self::Write { path: path.as_ref().to_path_buf(), source }
    }

    /// A read error at `path`.
    pub fn read(path: impl AsRef<Path>, source: std::io::Error) -> Self {
        Self::Read { path: path.as_ref().to_path_buf(), source }
    }

    /// A broken invariant in `place`.
    pub fn internal(place: &'static str, what: impl std::fmt::Display) -> Self {
        Self::Internal { place, what: what.to_string() }
    }
}
