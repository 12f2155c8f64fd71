//! The members of an archive that may be read: everything else is refused with a finding, nothing is ever unpacked to disk.

use std::io::{Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use zip::ZipArchive;

use super::source::{
    Archive, LazyFile, LogFile, MAX_NESTED_ARCHIVE, MemberRef, Packing, Source, packing, with_archive,
};
use crate::finding::{Findings, Place, Subject, input_rules};

/// Archives inside archives, at most this deep.
const MAX_NESTING: usize = 3;

/// A readable member: its folders within the archive, and the file.
pub(super) struct ArchiveEntry {
    /// Folder names from the archive's root; an inner archive adds its own name.
    pub(super) trail: Vec<String>,
    pub(super) file: LogFile,
}

/// Lists the archive at `path`.
pub(super) fn list(path: &Path, display: &str, findings: &mut Findings) -> Vec<ArchiveEntry> {
    let opened = LazyFile::open(path).map_err(zip::result::ZipError::from).and_then(ZipArchive::new);
    let mut entries = Vec::new();
    match opened {
        Ok(zip) => expand(Archive::Disk(zip), display, &[], 1, &mut entries, findings),
        Err(error) => {
            let subject = Subject::file(display);
            findings.add(&input_rules::ARCHIVE_UNREADABLE, &subject, None, error.to_string());
        }
    }
    entries
}

fn expand(
    archive: Archive,
    display: &str,
    trail: &[String],
    depth: usize,
    entries: &mut Vec<ArchiveEntry>,
    findings: &mut Findings,
) {
    let archive = Arc::new(archive);
    let subject = Subject::file(display);
    let mut own = (*archive).clone();
    let count = with_archive!(&own, zip => zip.len());
    let mut links: Vec<String> = Vec::new();
    let mut found = Vec::new();
    for index in 0..count {
        let member = with_archive!(&mut own, zip => {
            zip.by_index_raw(index).map(|m| MemberFacts {
                name: m.name().map_or_else(|_| String::from_utf8_lossy(m.name_raw()).into_owned(), std::borrow::Cow::into_owned),
                bytes: m.size(),
                is_dir: m.is_dir(),
                is_link: m.is_symlink(),
                encrypted: m.encrypted(),
            })
        });
        match member {
            Ok(member) if member.is_link => {
                refuse(findings, &subject, &member.name, "a symbolic link");
                links.push(format!("{}/", member.name.trim_end_matches('/')));
            }
            Ok(member) if member.is_dir => {}
            Ok(member) => found.push((index, member)),
            Err(error) => {
                let place = Some(Place::Record(index as u64));
                findings.add(&input_rules::ARCHIVE_UNREADABLE, &subject, place, error.to_string());
            }
        }
    }
    found.sort_by(|a, b| a.1.name.cmp(&b.1.name)); // not the order in which someone happened to zip
    for (index, member) in found {
        if let Some(why) = unsafe_name(&member.name, &links) {
            refuse(findings, &subject, &member.name, why);
            continue;
        }
        if member.encrypted {
            refuse(findings, &subject, &member.name, "encrypted");
            continue;
        }
        let mut parts: Vec<String> =
            member.name.split('/').filter(|p| !p.is_empty() && *p != ".").map(str::to_owned).collect();
        let Some(base) = parts.pop() else { continue };
        if parts.iter().any(|p| p == "__MACOSX") {
            continue; // resource forks that macOS puts beside every file
        }
        let file = LogFile {
            display: format!("{display}!{}", member.name),
            name: base.clone(),
            bytes: member.bytes,
            source: Source::Member(MemberRef { archive: Arc::clone(&archive), index }),
        };
        let inner: Vec<String> = trail.iter().cloned().chain(parts).collect();
        if file.head(4).is_ok_and(|head| packing(&head) == Packing::Zip) {
            nested(&file, &base, &inner, depth, entries, findings);
        } else {
            entries.push(ArchiveEntry { trail: inner, file });
        }
    }
}

struct MemberFacts {
    name: String,
    bytes: u64,
    is_dir: bool,
    is_link: bool,
    encrypted: bool,
}

fn refuse(findings: &mut Findings, subject: &Subject, name: &str, why: &str) {
    findings.add(
        &input_rules::MEMBER_REFUSED,
        subject,
        Some(Place::Key(name.to_owned())),
        format!("{name}: {why}"),
    );
}

/// Why a member's name is not to be trusted. Nothing is written, but a name may also mislead the reader of a report.
fn unsafe_name(name: &str, links: &[String]) -> Option<&'static str> {
    let first = name.split('/').next().unwrap_or_default();
    if name.starts_with('/') || (first.len() == 2 && first.ends_with(':')) {
        Some("an absolute path")
    } else if name.contains('\\') {
        Some("a back-slash in its name")
    } else if name.split('/').any(|part| part.starts_with("..")) {
        Some("it leads out of the archive")
    } else if name.contains('\0') {
        Some("a zero byte in its name")
    } else if links.iter().any(|link| name.starts_with(link.as_str())) {
        Some("it goes through a symbolic link")
    } else {
        None
    }
}

/// Opens an archive inside an archive, in memory.
fn nested(
    file: &LogFile,
    base: &str,
    trail: &[String],
    depth: usize,
    entries: &mut Vec<ArchiveEntry>,
    findings: &mut Findings,
) {
    let subject = Subject::file(&file.display);
    if depth >= MAX_NESTING {
        let message = format!("archives inside archives are opened {MAX_NESTING} deep");
        findings.add(&input_rules::ARCHIVE_LIMIT, &subject, None, message);
        return;
    }
    let bytes = file.read(|reader| {
        let mut bytes = Vec::new();
        reader.take(MAX_NESTED_ARCHIVE + 1).read_to_end(&mut bytes).map(|_| bytes)
    });
    let opened = match bytes.and_then(|inner| inner) {
        Ok(bytes) if bytes.len() as u64 > MAX_NESTED_ARCHIVE => {
            let message = format!("an inner archive may be {MAX_NESTED_ARCHIVE} bytes long");
            findings.add(&input_rules::ARCHIVE_LIMIT, &subject, None, message);
            return;
        }
        Ok(bytes) => ZipArchive::new(Cursor::new(Arc::<[u8]>::from(bytes))).map_err(|e| e.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match opened {
        Ok(zip) => {
            let stem = base.strip_suffix(".zip").unwrap_or(base).to_owned();
            let trail: Vec<String> = trail.iter().cloned().chain([stem]).collect();
            expand(Archive::Memory(zip), &file.display, &trail, depth + 1, entries, findings);
        }
        Err(message) => findings.add(&input_rules::ARCHIVE_UNREADABLE, &subject, None, message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_outside_are_refused() {
        let links = ["logs/link/".to_owned()];
        for name in ["../../e", "/abs", "..././e", "a\\b", "C:/x", "logs/link/x", "a/../b", "a\0b"] {
            assert!(unsafe_name(name, &links).is_some(), "{name}");
        }
        for name in ["logs/meta_log.json", "a/b.c", "logs/links.json", "v1..2/x.json"] {
            assert_eq!(unsafe_name(name, &links), None, "{name}");
        }
    }
}
