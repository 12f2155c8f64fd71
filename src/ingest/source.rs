//! Where a log's bytes come from: a file, a member of an archive, an archive inside an archive; unpacked on the fly.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zip::ZipArchive;

/// Largest archive inside an archive, in bytes: it is held in memory.
pub const MAX_NESTED_ARCHIVE: u64 = 1 << 30;

/// Most bytes that one log may unpack to.
pub const MAX_UNPACKED: u64 = 64 << 30;

/// A file that opens when first read, so that archives can be cloned per thread without sharing a position.
#[derive(Debug)]
pub(crate) struct LazyFile {
    path: Arc<Path>,
    file: Option<File>,
    pos: u64,
    len: u64,
}

impl Clone for LazyFile {
    fn clone(&self) -> Self {
        Self { path: Arc::clone(&self.path), file: None, pos: 0, len: self.len }
    }
}

impl LazyFile {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let len = std::fs::metadata(path)?.len();
        Ok(Self { path: Arc::from(path), file: None, pos: 0, len })
    }
}

impl Read for LazyFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.file.is_none() {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(self.pos))?;
            self.file = Some(file);
        }
        let Some(file) = &mut self.file else { return Ok(0) };
        let n = file.read(buffer)?;
        self.pos += n as u64;
        Ok(n)
    }
}

impl Seek for LazyFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(n) => Some(n),
            SeekFrom::End(n) => self.len.checked_add_signed(n),
            SeekFrom::Current(n) => self.pos.checked_add_signed(n),
        };
        self.pos =
            target.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "seek before the start"))?;
        if let Some(file) = &mut self.file {
            file.seek(SeekFrom::Start(self.pos))?;
        }
        Ok(self.pos)
    }
}

/// An archive on disk or in memory.
#[derive(Clone)]
pub(crate) enum Archive {
    Disk(ZipArchive<LazyFile>),
    Memory(ZipArchive<Cursor<Arc<[u8]>>>),
}

/// Runs `$body` with the archive behind either variant.
macro_rules! with_archive {
    ($archive:expr, $zip:ident => $body:expr) => {
        match $archive {
            Archive::Disk($zip) => $body,
            Archive::Memory($zip) => $body,
        }
    };
}
pub(crate) use with_archive;

/// Where to find one log.
#[derive(Clone)]
pub enum Source {
    /// A file of its own.
    File(PathBuf),
    /// Member number `index` of an archive.
    Member(MemberRef),
}

/// A member of an archive.
#[derive(Clone)]
pub struct MemberRef {
    pub(crate) archive: Arc<Archive>,
    pub(crate) index: usize,
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(path) => write!(f, "File({})", path.display()),
            Self::Member(member) => write!(f, "Member({})", member.index),
        }
    }
}

/// A log that was found: where, how it is shown to the user, how large.
#[derive(Clone, Debug)]
pub struct LogFile {
    /// How the user can find it: the path as given, `archive.zip!member` inside archives.
    pub display: String,
    /// The last part of its name, without `.gz` or `.zst`.
    pub name: String,
    /// Size in bytes as stored on disk (unpacked size for archive members).
    pub bytes: u64,
    /// Where its bytes are.
    pub source: Source,
}

/// How a log is packed, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    None,
    Gzip,
    Zstd,
    Zip,
}

/// The packing that a file with these first bytes has.
pub(crate) fn packing(head: &[u8]) -> Packing {
    match head {
        [0x1f, 0x8b, ..] => Packing::Gzip,
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Packing::Zstd,
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Packing::Zip,
        _ => Packing::None,
    }
}

impl LogFile {
    /// Calls `with` with a reader of the unpacked bytes.
    ///
    /// # Errors
    /// When the file or archive can't be opened. Faults further in come out of the reader.
    pub fn read<T>(&self, with: impl FnOnce(&mut dyn Read) -> T) -> io::Result<T> {
        match &self.source {
            Source::File(path) => unpacked(&mut File::open(path)?, with),
            Source::Member(member) => {
                let mut archive = (*member.archive).clone();
                with_archive!(&mut archive, zip => {
                    let mut reader = zip.by_index(member.index).map_err(io::Error::other)?;
                    unpacked(&mut reader, with)
                })
            }
        }
    }

    /// The first bytes of the unpacked file, `max` at most.
    ///
    /// # Errors
    /// When it can't be opened or unpacked.
    pub fn head(&self, max: u64) -> io::Result<Vec<u8>> {
        self.read(|reader| {
            let mut head = Vec::new();
            reader.take(max).read_to_end(&mut head).map(|_| head)
        })?
    }
}

/// Unpacks what `raw` starts with, if it is packed.
fn unpacked<T>(raw: &mut dyn Read, with: impl FnOnce(&mut dyn Read) -> T) -> io::Result<T> {
    let mut magic = [0u8; 4];
    let mut got = 0;
    while got < magic.len() {
        match raw.read(&mut magic[got..])? {
            0 => break,
            n => got += n,
        }
    }
    let head = Cursor::new(magic).take(got as u64);
    let mut whole = head.chain(raw);
    Ok(match packing(&magic[..got]) {
        Packing::Gzip => with(&mut flate2::read::MultiGzDecoder::new(whole).take(MAX_UNPACKED)),
        Packing::Zstd => with(&mut zstd::stream::read::Decoder::new(whole)?.take(MAX_UNPACKED)),
        Packing::Zip | Packing::None => with(&mut whole),
    })
}
