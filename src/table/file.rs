//! A table in a file that appears whole or not at all.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::{AtomicFile, Format, Row, Schema, TableWriter};
use crate::error::{Error, Result};

/// The frames library takes its sink for good and may write from other threads; this is a handle that it can have.
#[derive(Clone)]
struct Handle(Arc<Mutex<AtomicFile>>);

impl Handle {
    fn with<T>(&self, act: impl FnOnce(&mut AtomicFile) -> io::Result<T>) -> io::Result<T> {
        act(&mut *self.0.lock().map_err(|_| io::Error::other("another writer panicked"))?)
    }
}

impl Write for Handle {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(|file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.with(Write::flush)
    }
}

/// Writes a table to a file.
pub struct TableFile {
    path: PathBuf,
    handle: Handle,
    writer: TableWriter<Handle>,
}

impl TableFile {
    /// Starts the table that will stand at `path`.
    ///
    /// # Errors
    /// As [`AtomicFile::create`].
    pub fn create(path: &Path, force: bool, format: Format, schema: &Schema) -> Result<Self> {
        let handle = Handle(Arc::new(Mutex::new(AtomicFile::create(path, force)?)));
        let writer = TableWriter::new(format, schema, handle.clone()).map_err(|e| Error::write(path, e))?;
        Ok(Self { path: path.to_path_buf(), handle, writer })
    }

    /// Adds a row.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn row(&mut self, row: Row) -> Result<()> {
        self.writer.row(row).map_err(|e| Error::write(&self.path, e))
    }

    /// Ends the table and puts the file in its place.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn finish(self) -> Result<()> {
        let Self { path, handle, writer } = self;
        drop(writer.finish().map_err(|e| Error::write(&path, e))?);
        let file = Arc::into_inner(handle.0).and_then(|lock| lock.into_inner().ok());
        file.ok_or_else(|| Error::internal("writing a table", "the file is still in use"))?.finish()
    }
}
