//! Files appear whole or not at all, and replace others only on demand.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::{Error, Result};

/// A file that is written under another name beside its place, and put there when it is whole.
pub struct AtomicFile {
    path: PathBuf,
    force: bool,
    writer: BufWriter<NamedTempFile>,
}

impl AtomicFile {
    /// Starts a file that will stand at `path`.
    ///
    /// # Errors
    /// When something is there already and `force` is not set, or the folder can't be written to.
    pub fn create(path: &Path, force: bool) -> Result<Self> {
        if !force && path.symlink_metadata().is_ok() {
            return Err(Error::OutputExists { path: path.to_path_buf() });
        }
        // A device or pipe would be replaced by a file, which is never what was meant.
        if path.metadata().is_ok_and(|facts| !facts.is_file()) {
            let source = io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file");
            return Err(Error::write(path, source));
        }
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let temporary = tempfile::Builder::new()
            .prefix(".swarm-analyze-")
            .suffix(".tmp")
            .tempfile_in(folder)
            .map_err(|source| Error::write(path, source))?;
        Ok(Self { path: path.to_path_buf(), force, writer: BufWriter::new(temporary) })
    }

    /// Puts the whole file in its place.
    ///
    /// # Errors
    /// When it can't be written, or something has come to be there meanwhile.
    pub fn finish(self) -> Result<()> {
        let Self { path, force, writer } = self;
        let failed = |source| Error::write(&path, source);
        let temporary = writer.into_inner().map_err(|error| failed(error.into_error()))?;
        readable(temporary.as_file()).map_err(failed)?;
        let put = if force { temporary.persist(&path) } else { temporary.persist_noclobber(&path) };
        match put {
            Ok(_) => Ok(()),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(Error::OutputExists { path })
            }
            Err(error) => Err(Error::write(&path, error.error)),
        }
    }
}

/// Temporary files are private to their owner; an output is as open as files usually are.
#[cfg(unix)]
fn readable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_: &File) -> io::Result<()> {
    Ok(())
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Writes a whole file.
///
/// # Errors
/// As [`AtomicFile`].
pub fn write_file(path: &Path, bytes: &[u8], force: bool) -> Result<()> {
    let mut file = AtomicFile::create(path, force)?;
    file.write_all(bytes).map_err(|source| Error::write(path, source))?;
    file.finish()
}

/// Makes a folder with those above it. An existing folder is taken if it is empty, or with `force`.
///
/// # Errors
/// When something that is not an empty folder is there and `force` is not set, or it can't be made.
pub fn create_folder(path: &Path, force: bool) -> Result<()> {
    match std::fs::read_dir(path) {
        Ok(mut entries) => {
            let free = force || entries.next().is_none();
            if free { Ok(()) } else { Err(Error::OutputExists { path: path.to_path_buf() }) }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            std::fs::create_dir_all(path).map_err(|source| Error::write(path, source))
        }
        Err(_) if path.symlink_metadata().is_ok_and(|facts| !facts.is_dir()) => {
            Err(Error::OutputExists { path: path.to_path_buf() })
        }
        Err(source) => Err(Error::write(path, source)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_replaced_without_force_and_nothing_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_file(&path, b"one", false).unwrap();
        assert!(matches!(write_file(&path, b"two", false), Err(Error::OutputExists { .. })));
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        write_file(&path, b"two", true).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        drop(AtomicFile::create(&folder.path().join("b.txt"), false).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(matches!(create_folder(folder.path(), false), Err(Error::OutputExists { .. })));
        assert!(matches!(create_folder(&path, true), Err(Error::OutputExists { .. })));
    }
}
