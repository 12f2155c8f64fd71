//! Which files are a run's, and the runs of a folder.

use super::fields::Notes;
use super::line::parse_line;
use super::{SCHEMA, read_episodes, read_run_file};
use crate::finding::{Findings, Place, Subject, input_rules, mb};
use crate::ingest::json::{Lexer, Scalar};
use crate::ingest::{Folder, Inventory, LogFile};
use crate::model::{Episode, MasRunMeta};

const ROLE_RUN: &str = "run file";
const ROLE_EPISODES: &str = "episodes";

/// Largest `run.json`, in bytes.
const MOST_RUN_FILE: u64 = 16 << 20;

/// One run to be read.
#[derive(Clone, Debug)]
pub struct RunPlan {
    /// What `run.json` says.
    pub meta: MasRunMeta,
    /// Its episodes, where the file is there.
    pub episodes: Option<LogFile>,
}

/// The role of a file with these first bytes: `run.json` names the schema, an episode names its instance.
/// Where the telling key lies beyond the head, the file's name and a key that only episodes have decide.
pub(super) fn classify(name: &str, head: &[u8]) -> Option<&'static str> {
    let mut lexer = Lexer::new(head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head));
    let (mut first, mut of_episode) = (true, false);
    lexer.object().ok()?;
    while let Ok(Some(key)) = lexer.key(&mut first) {
        match key.bytes {
            b"instance_id" => return Some(ROLE_EPISODES),
            b"schema" => {
                let Ok(Scalar::Str(schema)) = lexer.scalar() else { return None };
                return (schema.bytes == SCHEMA.as_bytes()).then_some(ROLE_RUN);
            }
            b"messages" | b"steps" | b"score_by_round" | b"reference_score" => of_episode = true,
            _ => {}
        }
        if lexer.skip().is_err() {
            break;
        }
    }
    (of_episode && name == "episodes.jsonl").then_some(ROLE_EPISODES)
}

pub(super) fn plan(folder: &Folder, inventory: &mut Inventory, findings: &mut Findings) {
    let of_role = |role: &str| {
        let mut files: Vec<&LogFile> =
            folder.members.iter().filter(|member| member.role == role).map(|member| &member.file).collect();
        files.sort_by(|a, b| a.display.cmp(&b.display));
        files
    };
    let (runs, episodes) = (of_role(ROLE_RUN), of_role(ROLE_EPISODES));
    for file in episodes.iter().skip(1) {
        let subject = subject_of(folder, &file.display);
        findings.add(
            &mb::FILE_LEFT_OVER,
            &subject,
            None,
            format!("{} was read instead", episodes[0].display),
        );
    }
    for file in runs.iter().skip(1) {
        let subject = subject_of(folder, &file.display);
        findings.add(&mb::FILE_LEFT_OVER, &subject, None, format!("{} was read instead", runs[0].display));
    }
    let Some(run) = runs.first() else {
        let subject = subject_of(folder, &folder.display);
        findings.add(&mb::RUN_FILE_UNUSABLE, &subject, None, "episodes lie here, but no run.json");
        return;
    };
    if let Some(meta) = read_meta(run, folder, findings) {
        inventory.masbench.push(RunPlan { meta, episodes: episodes.first().map(|&file| file.clone()) });
    }
}

fn subject_of(folder: &Folder, file: &str) -> Subject {
    Subject { batch: Some(folder.batch.clone()), run_id: None, file: Some(file.to_owned()) }
}

fn read_meta(file: &LogFile, folder: &Folder, findings: &mut Findings) -> Option<MasRunMeta> {
    let subject = subject_of(folder, &file.display);
    let bytes = match file.head(MOST_RUN_FILE) {
        Ok(bytes) => bytes,
        Err(error) => {
            findings.add(&input_rules::FILE_UNREADABLE, &subject, None, error.to_string());
            return None;
        }
    };
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    let mut notes =
        Notes { subject: &subject, findings: &mut *findings, place: Place::Key("run.json".into()) };
    let Some(value) = parse_line(bytes, false, &mut notes) else {
        notes.add(&mb::RUN_FILE_UNUSABLE, "it is not one JSON object");
        return None;
    };
    read_run_file(&value, &folder.batch, &subject, findings)
}

impl RunPlan {
    /// Bytes of its episodes as stored.
    pub fn bytes(&self) -> u64 {
        self.episodes.as_ref().map_or(0, |file| file.bytes)
    }

    /// What findings of this run are about.
    pub fn subject(&self) -> Subject {
        let key = &self.meta.key;
        let subject = Subject::run(&key.batch, &key.run_id);
        match &self.episodes {
            Some(file) => subject.in_file(&file.display),
            None => subject,
        }
    }

    /// Gives every episode to `each` with its line number; see [`read_episodes`].
    pub fn read(&self, findings: &mut Findings, each: impl FnMut(Episode, u64, &mut Findings)) {
        let Some(file) = &self.episodes else { return };
        let subject = self.subject();
        let opened = file.read(|bytes| {
            read_episodes(std::io::BufReader::new(bytes), &self.meta.task, &subject, findings, each);
        });
        if let Err(error) = opened {
            findings.add(&input_rules::FILE_UNREADABLE, &subject, None, error.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides() {
        let cases: &[(&str, Option<&str>)] = &[
            (r#"{"schema":"masbench/1","run_id""#, Some(ROLE_RUN)),
            (r#"{ "run_id": "r", "task": {"a": [1]}, "schema": "masbench/1"}"#, Some(ROLE_RUN)),
            (r#"{"schema":"mastracebench/1"}"#, None),
            ("{\"instance_id\": \"game-000\", \"split\"", Some(ROLE_EPISODES)),
            (r#"{"messages":[{"round":1,"from":"A","te"#, None),
            (r#"{"episode_id":"e01","score":3}"#, None),
            (r#"{"r1": {"model": "m"}}"#, None),
            ("[]", None),
            ("", None),
        ];
        for (head, role) in cases {
            assert_eq!(classify("x", head.as_bytes()), *role, "{head}");
        }
        let cut = br#"{"messages":[{"round":1,"from":"A","te"#;
        assert_eq!(classify("episodes.jsonl", cut), Some(ROLE_EPISODES));
    }
}
