//! A run's files, and what its `run.json` says.

use std::collections::BTreeMap;
use std::io::Read;

use serde_json::{Map, Value};

use super::SCHEMA;
use super::field::{Context, id, record};
use crate::finding::{Findings, Subject, input_rules, mt};
use crate::ingest::json::{Members, Stop};
use crate::ingest::{Folder, Inventory, LogFile};
use crate::model::{ProposalMeta, ProposalTask, RunKey};

pub(super) const ROLE_RUN: &str = "run";
pub(super) const ROLE_UNITS: &str = "units";
pub(super) const ROLE_EPISODES: &str = "episodes";

/// Longest `run.json` that is read, in bytes.
const MAX_RUN_FILE: u64 = 16 << 20;

/// One run to be read: what `run.json` says, and its files.
#[derive(Clone, Debug)]
pub struct RunPlan {
    /// The run's settings.
    pub meta: ProposalMeta,
    /// The units, where there are any.
    pub units: Option<LogFile>,
    /// The episodes, where there are any.
    pub episodes: Option<LogFile>,
}

impl RunPlan {
    /// Bytes of both logs as stored.
    pub fn bytes(&self) -> u64 {
        [&self.units, &self.episodes].into_iter().flatten().map(|file| file.bytes).sum()
    }
}

pub(super) fn plan(folder: &Folder, inventory: &mut Inventory, findings: &mut Findings) {
    let here =
        Subject { batch: Some(folder.batch.clone()), run_id: None, file: Some(folder.display.clone()) };
    let mut file_of = |role: &str| {
        let mut files: Vec<&LogFile> =
            folder.members.iter().filter(|member| member.role == role).map(|member| &member.file).collect();
        files.sort_by(|a, b| a.display.cmp(&b.display));
        for other in files.iter().skip(1) {
            let subject = here.in_file(&other.display);
            findings.add(&mt::FILE_TWICE, &subject, None, format!("{} was read instead", files[0].display));
        }
        files.first().copied().cloned()
    };
    let (run, units, episodes) = (file_of(ROLE_RUN), file_of(ROLE_UNITS), file_of(ROLE_EPISODES));
    let Some(run) = run else {
        findings.add(&mt::BAD_RUN_FILE, &here, None, "there is no run.json in this folder");
        return;
    };
    if let Some(meta) = read_run_file(&run, &folder.batch, findings) {
        inventory.proposals.push(RunPlan { meta, units, episodes });
    }
}

fn read_run_file(file: &LogFile, batch: &str, findings: &mut Findings) -> Option<ProposalMeta> {
    let subject = Subject { batch: Some(batch.to_owned()), run_id: None, file: Some(file.display.clone()) };
    let bytes = file.read(|reader| {
        let mut bytes = Vec::new();
        reader.take(MAX_RUN_FILE).read_to_end(&mut bytes).map(|_| bytes)
    });
    let mut bytes = match bytes.and_then(|inner| inner) {
        Ok(bytes) => bytes,
        Err(error) => {
            findings.add(&input_rules::FILE_UNREADABLE, &subject, None, error.to_string());
            return None;
        }
    };
    bytes.push(b'\n');
    let body = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    let mut noticed = Members::default();
    let mut context = Context { subject: &subject, record: 0, findings };
    let map = match record(body, &[], &mut noticed) {
        Ok(map) => map,
        Err(stop) => {
            let what = match stop {
                Stop::Incomplete => "the file ends early".to_owned(),
                Stop::Syntax { at, expected } => format!("expected {expected} at byte {at}"),
                Stop::TooDeep { at } => format!("nested too deeply at byte {at}"),
            };
            context.note(&mt::BAD_RUN_FILE, what);
            return None;
        }
    };
    context.mended(&noticed);
    meta(map, batch, &mut context)
}

/// The settings that a `run.json` holds.
fn meta(mut map: Map<String, Value>, batch: &str, context: &mut Context<'_>) -> Option<ProposalMeta> {
    let required: Vec<String> =
        ["run_id", "task", "method"].iter().filter_map(|key| id(map.get(*key))).collect();
    let (Ok([run_id, task, method]), Some(model)) =
        (<[String; 3]>::try_from(required), model_label(map.get("model")))
    else {
        context.note(&mt::BAD_RUN_FILE, "one of run_id, task, method and model is missing");
        return None;
    };
    let schema = id(map.get("schema")).unwrap_or_default();
    if schema != SCHEMA {
        context.note(&mt::OTHER_SCHEMA, format!("schema {schema:?}"));
    }
    let small = |value: Option<u64>| value.and_then(|n| u32::try_from(n).ok());
    let seed = context.number(map.get("seed"), "seed").filter(|seed| seed.fract() == 0.0);
    let proposers = small(context.count(map.get("proposers"), "proposers"));
    let rounds = small(context.count(map.get("rounds"), "rounds"));
    let benchmark = id(map.get("benchmark"));
    for known in ["run_id", "task", "method", "model", "schema", "benchmark", "seed", "proposers", "rounds"] {
        map.remove(known);
    }
    Some(ProposalMeta {
        key: RunKey { batch: batch.to_owned(), run_id },
        benchmark,
        task: ProposalTask::from_name(&task),
        method: method.trim().to_owned(),
        model,
        seed: seed.map(|seed| seed as i64),
        proposers,
        rounds,
        columns: map.into_iter().collect(),
    })
}

/// The label of a `model` value: a text as it is, a list by its members and their numbers.
fn model_label(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(name) => Some(name.clone()),
        Value::Array(members) => {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for member in members {
                *counts.entry(id(Some(member))?).or_default() += 1;
            }
            let parts: Vec<String> = counts.iter().map(|(name, n)| format!("{n}× {name}")).collect();
            match (counts.len(), counts.first_key_value()) {
                (0, _) | (_, None) => None,
                (1, Some((name, _))) => Some(name.clone()),
                _ => Some(format!("mixed: {}", parts.join(" + "))),
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: Value) -> (Option<ProposalMeta>, Vec<String>) {
        let mut findings = Findings::new();
        let subject = Subject::file("run.json");
        let mut context = Context { subject: &subject, record: 0, findings: &mut findings };
        let Value::Object(map) = value else { panic!("an object") };
        let meta = meta(map, "b", &mut context);
        (meta, findings.into_sorted().into_iter().map(|finding| finding.code).collect())
    }

    #[test]
    fn settings_are_read_and_unknown_keys_kept() {
        let (meta, findings) = read(
            json!({"schema": "mastracebench/1", "run_id": "r", "benchmark": "MASTraceBench",
            "task": "mapf", "method": "MAV", "model": ["a", "b", "a"], "seed": 5, "proposers": 3, "rounds": 1, "x": [1]}),
        );
        let meta = meta.unwrap();
        assert!(findings.is_empty());
        assert_eq!(
            (meta.task, meta.model.as_str(), meta.seed),
            (ProposalTask::Mapf, "mixed: 2× a + 1× b", Some(5))
        );
        assert_eq!(meta.columns, BTreeMap::from([("x".to_owned(), json!([1]))]));
        let (meta, findings) = read(json!({"schema": "mastracebench/2", "run_id": "r", "task": "t"}));
        assert!(meta.is_none());
        assert_eq!(findings, ["MT001"]);
    }
}
