//! Discovery: walks the paths, lists everything that is there, groups what the adapters claim by folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::archive;
use super::source::{LogFile, Packing, Source, packing};
use super::{ADAPTERS, masbench, mastracebench, swarmbench};
use crate::error::{Error, Result};
use crate::finding::{Findings, Place, Subject, input_rules};

/// First bytes of a file that an adapter sees.
const HEAD: u64 = 64 << 10;

/// A file that was seen, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Seen {
    /// How the user can find it.
    pub file: String,
    /// Size in bytes.
    pub bytes: u64,
    /// The adapter that took it.
    pub format: Option<String>,
    /// Its role in the format, or why it was skipped.
    pub role: String,
}

/// A claimed file.
#[derive(Clone, Debug)]
pub struct Member {
    /// The role that the adapter gave it.
    pub role: &'static str,
    /// The file.
    pub file: LogFile,
}

/// Files of one adapter that lie in one folder (of the disk or of an archive).
#[derive(Clone, Debug)]
pub struct Folder {
    /// The batch's name: the shortest ending of the folder's path that no other folder shares.
    pub batch: String,
    /// The folder as the user can find it.
    pub display: String,
    /// Its files by name.
    pub members: Vec<Member>,
}

/// Everything that was found.
#[derive(Debug, Default)]
pub struct Inventory {
    /// Each file that was seen, in the order of the walk.
    pub seen: Vec<Seen>,
    /// Files on disk that logs come from, in the order of the walk.
    pub inputs: Vec<PathBuf>,
    /// SwarmBench runs, by batch and run id.
    pub swarm: Vec<swarmbench::RunPlan>,
    /// Proposal-trajectory runs, by batch and run id.
    pub proposals: Vec<mastracebench::RunPlan>,
    /// MASBench runs, by batch and run id.
    pub masbench: Vec<masbench::RunPlan>,
}

impl Inventory {
    /// Whether no run was found.
    pub fn is_empty(&self) -> bool {
        self.swarm.is_empty() && self.proposals.is_empty() && self.masbench.is_empty()
    }

    /// Names of all batches, sorted.
    pub fn batches(&self) -> BTreeSet<&str> {
        let swarm = self.swarm.iter().map(|plan| &plan.meta.key);
        let proposals = self.proposals.iter().map(|plan| &plan.meta.key);
        let masbench = self.masbench.iter().map(|plan| &plan.meta.key);
        swarm.chain(proposals).chain(masbench).map(|key| key.batch.as_str()).collect()
    }
}

/// Folder names from the root of the disk, an archive's name and its inner folders included.
type Trail = Vec<String>;

#[derive(Default)]
struct Walk {
    claimed: BTreeMap<(usize, Trail), Vec<Member>>,
    displays: BTreeMap<Trail, String>,
    visited: BTreeSet<PathBuf>,
    seen: Vec<Seen>,
    inputs: Vec<PathBuf>,
    /// Files claimed so far.
    claims: usize,
}

/// Finds every run under the paths.
///
/// # Errors
/// When a path does not exist, or nothing under the paths is recognised.
pub fn discover(paths: &[PathBuf], findings: &mut Findings) -> Result<Inventory> {
    let mut walk = Walk::default();
    for path in paths {
        let facts = std::fs::metadata(path).map_err(|source| Error::read(path, source))?;
        if facts.is_dir() {
            walk.folder(path, findings);
        } else {
            walk.file(path, findings);
        }
    }
    let (seen, inputs) = (std::mem::take(&mut walk.seen), std::mem::take(&mut walk.inputs));
    let mut inventory = Inventory { seen, inputs, ..Inventory::default() };
    let claimed_any = !walk.claimed.is_empty();
    for (adapter, folder) in walk.into_folders() {
        (ADAPTERS[adapter].plan)(&folder, &mut inventory, findings);
    }
    inventory.swarm.sort_by(|a, b| a.meta.key.cmp(&b.meta.key));
    inventory.proposals.sort_by(|a, b| a.meta.key.cmp(&b.meta.key));
    inventory.masbench.sort_by(|a, b| a.meta.key.cmp(&b.meta.key));
    if claimed_any {
        return Ok(inventory);
    }
    let takes: Vec<&str> = ADAPTERS.iter().map(|adapter| adapter.takes).collect();
    Err(Error::NoInput(format!(
        "no log was recognised among {} files under {}; expected {}",
        inventory.seen.len(),
        paths.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", "),
        takes.join("; or ")
    )))
}

fn names(path: &Path) -> Trail {
    path.components()
        .filter_map(|part| match part {
            std::path::Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        })
        .collect()
}

impl Walk {
    fn folder(&mut self, root: &Path, findings: &mut Findings) {
        let hidden = std::cell::RefCell::new(Vec::new());
        let entries = walkdir::WalkDir::new(root).follow_links(true).sort_by_file_name().into_iter();
        let entries = entries.filter_entry(|entry| {
            let is_hidden = entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".");
            if is_hidden {
                hidden.borrow_mut().push(entry.path().display().to_string());
            }
            !is_hidden
        });
        for entry in entries {
            match entry {
                Ok(entry) if entry.file_type().is_file() => self.file(entry.path(), findings),
                Ok(_) => {}
                Err(error) => {
                    let subject = Subject::file(root.display().to_string());
                    let place = error.path().map(|p| Place::Key(p.display().to_string()));
                    findings.add(&input_rules::FOLDER_UNREADABLE, &subject, place, error.to_string());
                }
            }
        }
        let subject = Subject::file(root.display().to_string());
        for name in hidden.into_inner() {
            let message = "its name starts with a dot: hidden files and folders are not looked into";
            findings.add(&input_rules::FILE_SKIPPED, &subject, Some(Place::Key(name)), message);
        }
    }

    fn file(&mut self, path: &Path, findings: &mut Findings) {
        let display = path.display().to_string();
        let canonical = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let bytes = std::fs::metadata(path).map_or(0, |facts| facts.len());
        if !self.visited.insert(canonical.clone()) {
            findings.add(
                &input_rules::GIVEN_TWICE,
                &Subject::file(&display),
                None,
                "reached by another path before",
            );
            return;
        }
        let file_name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let raw_head = std::fs::File::open(path).and_then(|mut file| {
            let mut magic = [0u8; 4];
            let n = std::io::Read::read(&mut file, &mut magic)?;
            Ok(packing(&magic[..n]))
        });
        let parent = canonical.parent().unwrap_or(Path::new(""));
        let claimed_before = self.claims;
        match raw_head {
            Ok(Packing::Zip) => {
                let stem =
                    path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
                for entry in archive::list(path, &display, findings) {
                    let mut trail = names(parent);
                    trail.push(stem.clone());
                    trail.extend(entry.trail);
                    trail.dedup(); // experiment.zip!experiment/… is one name
                    self.claim(trail, display.clone(), entry.file, findings);
                }
            }
            Ok(_) => {
                let name = ["gz", "zst"].iter().fold(file_name, |name, ext| {
                    name.strip_suffix(&format!(".{ext}")).map_or_else(|| name.clone(), str::to_owned)
                });
                let folder = path.parent().map_or_else(String::new, |p| p.display().to_string());
                let file = LogFile { display, name, bytes, source: Source::File(path.to_path_buf()) };
                self.claim(names(parent), folder, file, findings);
            }
            Err(error) => self.unreadable(display, bytes, &error, findings),
        }
        if self.claims > claimed_before {
            self.inputs.push(path.to_path_buf());
        }
    }

    fn unreadable(&mut self, file: String, bytes: u64, error: &std::io::Error, findings: &mut Findings) {
        findings.add(&input_rules::FILE_UNREADABLE, &Subject::file(&file), None, error.to_string());
        self.seen.push(Seen { file, bytes, format: None, role: format!("skipped: {error}") });
    }

    fn claim(&mut self, trail: Trail, folder: String, file: LogFile, findings: &mut Findings) {
        let head = match file.head(HEAD) {
            Ok(head) => head,
            Err(error) => return self.unreadable(file.display, file.bytes, &error, findings),
        };
        let claim = ADAPTERS
            .iter()
            .enumerate()
            .find_map(|(adapter, row)| (row.classify)(&file.name, &head).map(|role| (adapter, role)));
        let (format, role) = match claim {
            Some((adapter, role)) => (Some(ADAPTERS[adapter].id.to_owned()), role.to_owned()),
            None => (None, "skipped: not recognised as a log".to_owned()),
        };
        self.seen.push(Seen { file: file.display.clone(), bytes: file.bytes, format, role });
        match claim {
            Some((adapter, role)) => {
                self.claims += 1;
                self.displays.entry(trail.clone()).or_insert(folder);
                self.claimed.entry((adapter, trail)).or_default().push(Member { role, file });
            }
            None => {
                let place = Some(Place::Key(file.display));
                let message = "neither its name nor its first bytes are those of a log";
                findings.add(&input_rules::FILE_SKIPPED, &Subject::file(folder), place, message);
            }
        }
    }

    /// The claimed folders with their batch names, in a stable order.
    fn into_folders(mut self) -> Vec<(usize, Folder)> {
        self.adopt_orphan_folders();
        let trails: BTreeSet<&Trail> = self.claimed.keys().map(|(_, trail)| trail).collect();
        let labels = labels(trails.iter().copied());
        let displays = self.displays;
        self.claimed
            .into_iter()
            .map(|((adapter, trail), members)| {
                let batch = labels.get(&trail).cloned().unwrap_or_default();
                let display = displays.get(&trail).cloned().unwrap_or_default();
                (adapter, Folder { batch, display, members })
            })
            .collect()
    }

    /// Logs that lie in a folder without a meta file belong to the nearest folder above that has one.
    fn adopt_orphan_folders(&mut self) {
        let has_index = |members: &[Member]| members.iter().any(|m| m.role == swarmbench::ROLE_META);
        let orphans: Vec<(usize, Trail)> = self
            .claimed
            .iter()
            .filter(|(_, members)| !has_index(members))
            .map(|(key, _)| key.clone())
            .collect();
        for (adapter, trail) in orphans {
            let home = (0..trail.len())
                .rev()
                .map(|n| (adapter, trail[..n].to_vec()))
                .find(|key| self.claimed.get(key).is_some_and(|members| has_index(members)));
            let Some(home) = home else { continue };
            let Some(moved) = self.claimed.remove(&(adapter, trail)) else { continue };
            if let Some(members) = self.claimed.get_mut(&home) {
                members.extend(moved);
            }
        }
    }
}

/// For each trail its shortest ending that no other trail shares, joined by `/`.
fn labels<'a>(trails: impl Iterator<Item = &'a Trail> + Clone) -> BTreeMap<Trail, String> {
    let mut sharers: BTreeMap<&[String], usize> = BTreeMap::new();
    for trail in trails.clone() {
        for start in 0..trail.len() {
            *sharers.entry(&trail[start..]).or_default() += 1;
        }
    }
    trails
        .map(|trail| {
            let alone =
                (0..trail.len()).rev().map(|start| &trail[start..]).find(|ending| sharers[ending] == 1);
            (trail.clone(), alone.unwrap_or(trail).join("/"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_as_short_as_they_can_be() {
        let trail = |text: &str| text.split('/').map(str::to_owned).collect::<Trail>();
        let all = [trail("x/a/exp1"), trail("x/b/exp1"), trail("x/b/exp2"), trail("exp3")];
        let labels = labels(all.iter());
        let shown: Vec<&str> = all.iter().map(|trail| labels[trail].as_str()).collect();
        assert_eq!(shown, ["a/exp1", "b/exp1", "exp2", "exp3"]);
    }
}
