//! `meta_log.json`: run id → settings. Small, so its entries are kept as values; read entry by entry, so that a damaged
//! file gives what comes before the damage.

use std::collections::BTreeMap;
use std::io::Read;

use serde_json::{Map, Value};

use super::fault;
use super::plan::UNKNOWN_MODEL;
use crate::finding::{Findings, Place, Subject, input_rules, sb};
use crate::ingest::LogFile;
use crate::ingest::json::{Lexer, Members, Repair, Stop, StreamEnd, decode, parse_value};
use crate::model::{RunKey, RunMeta, SwarmTask};

/// Longest meta log that is read, in bytes.
const MAX_META: u64 = 1 << 30;

/// Reads a meta log's entries into `entries`.
pub(super) fn read(
    file: &LogFile,
    batch: &str,
    entries: &mut BTreeMap<String, RunMeta>,
    findings: &mut Findings,
) {
    let subject = Subject { batch: Some(batch.to_owned()), run_id: None, file: Some(file.display.clone()) };
    let bytes = file.read(|reader| {
        let mut bytes = Vec::new();
        reader.take(MAX_META).read_to_end(&mut bytes).map(|_| bytes)
    });
    let mut bytes = match bytes.and_then(|inner| inner) {
        Ok(bytes) => bytes,
        Err(error) => return findings.add(&input_rules::FILE_UNREADABLE, &subject, None, error.to_string()),
    };
    bytes.push(b'\n'); // so that a value that ends the file is known to end
    let mut body = bytes.as_slice();
    if let Some(rest) = body.strip_prefix(b"\xEF\xBB\xBF") {
        let lines = if memchr::memmem::find(rest, b"\r\n").is_some() { ", and CRLF line ends" } else { "" };
        findings.add(&input_rules::BYTE_ORDER_MARK, &subject, None, format!("a byte-order mark{lines}"));
        body = rest;
    }
    let skipped = (bytes.len() - body.len()) as u64;
    let mut reader = Reader { batch, subject: &subject, findings, raw: BTreeMap::new() };
    if let Err((stop, at)) = reader.object(body) {
        let end = match stop {
            Stop::Incomplete => StreamEnd::Cut { at: skipped + at as u64 },
            Stop::Syntax { at, expected } => StreamEnd::Damaged { at: skipped + at as u64, expected },
            Stop::TooDeep { at } => StreamEnd::TooDeep { at: skipped + at as u64 },
        };
        fault::report(&end, reader.subject, reader.findings);
    }
    let raw = reader.raw;
    for (id, versions) in raw {
        let key = RunKey { batch: batch.to_owned(), run_id: id.clone() };
        if versions.len() > 1 || entries.contains_key(&id) {
            let models: Vec<String> =
                versions.iter().map(|v| format!("model {}", model_label(v.get("model")))).collect();
            let message = format!("run id {id} has {} entries: {}", versions.len(), models.join("; "));
            findings.add(&sb::DUPLICATE_RUN_ID, &subject, Some(Place::Key(id.clone())), message);
        }
        let entry = agreed(&versions);
        for (field, message) in unusable(&entry) {
            let subject = Subject::run(batch, &id).in_file(&file.display);
            findings.add(&sb::META_FIELD_BAD, &subject, Some(Place::Key(field.to_owned())), message);
        }
        entries.entry(id).or_insert_with(|| run_meta(key, &entry));
    }
}

struct Reader<'a> {
    batch: &'a str,
    subject: &'a Subject,
    findings: &'a mut Findings,
    raw: BTreeMap<String, Vec<Map<String, Value>>>,
}

impl Reader<'_> {
    /// Reads the entries; on a fault gives it with the offset of the entry it lies in.
    fn object(&mut self, body: &[u8]) -> Result<(), (Stop, usize)> {
        let mut lexer = Lexer::new(body);
        let mut first = true;
        lexer.object().map_err(|stop| (stop, 0))?;
        loop {
            let at = lexer.pos();
            let fault = |stop| (stop, at);
            let Some(key) = lexer.key(&mut first).map_err(fault)? else { return Ok(()) };
            let mut noticed = Members::default();
            let id = decode(key, &mut noticed.repair).into_owned();
            let value = parse_value(&mut lexer, &mut noticed).map_err(fault)?;
            self.entry(id, value, &noticed);
        }
    }

    fn entry(&mut self, id: String, value: Value, noticed: &Members) {
        let place = || Some(Place::Key(id.clone()));
        let subject = Subject::run(self.batch, &id).in_file(self.subject.file.clone().unwrap_or_default());
        repairs(noticed.repair, &subject, place(), self.findings);
        for key in &noticed.duplicate_keys {
            self.findings.add(&sb::DUPLICATE_KEY, &subject, place(), format!("key {key}"));
        }
        if noticed.non_finite > 0 {
            self.findings.add(&sb::META_NOT_FINITE, &subject, place(), "NaN or Infinity");
        }
        match value {
            Value::Object(map) => self.raw.entry(id).or_default().push(map),
            other => {
                let message = format!("the entry is {}, not an object", kind(&other));
                self.findings.add(&sb::META_ENTRY_BAD, &subject, place(), message);
            }
        }
    }
}

/// Reports replaced characters.
pub(super) fn repairs(repair: Repair, subject: &Subject, place: Option<Place>, findings: &mut Findings) {
    if repair.invalid_utf8 > 0 {
        findings.add(&input_rules::INVALID_UTF8, subject, place.clone(), "bytes that are not UTF-8");
    }
    if repair.bad_escapes > 0 {
        findings.add(&input_rules::BAD_ESCAPE, subject, place, "an escape without meaning");
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// What all entries of one id agree on; where models or tasks differ, a label that names each.
fn agreed(versions: &[Map<String, Value>]) -> Map<String, Value> {
    let Some((first, rest)) = versions.split_first() else { return Map::new() };
    let mut out = first.clone();
    for other in rest {
        for key in first.keys().chain(other.keys()) {
            if first.get(key) == other.get(key) {
                continue;
            }
            let value = if key == "model" || key == "task" {
                let names: Vec<String> = versions.iter().map(|v| model_label(v.get(key))).collect();
                Value::String(format!("contradictory: {}", names.join(" | ")))
            } else {
                Value::Null
            };
            out.insert(key.clone(), value);
        }
    }
    out
}

/// The label of a `model` value: a string as it is, a list by its members and their numbers.
fn model_label(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => UNKNOWN_MODEL.to_owned(),
        Some(Value::String(name)) => name.clone(),
        Some(Value::Array(members)) => {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for member in members {
                *counts.entry(model_label(Some(member))).or_default() += 1;
            }
            match counts.len() {
                0 => UNKNOWN_MODEL.to_owned(),
                1 => counts.into_keys().next().unwrap_or_default(),
                _ => {
                    let parts: Vec<String> = counts.iter().map(|(name, n)| format!("{n}× {name}")).collect();
                    format!("mixed: {}", parts.join(" + "))
                }
            }
        }
        Some(other) => other.to_string(),
    }
}

/// A whole number, also one written as text.
fn integer(entry: &Map<String, Value>, name: &str) -> Option<i64> {
    match entry.get(name) {
        Some(Value::Number(n)) => n.as_i64(),
        Some(Value::String(text)) => text.trim().parse().ok(),
        _ => None,
    }
}

/// Fields that count as unknown, and why. A number that is not there is merely not known.
fn unusable(entry: &Map<String, Value>) -> Vec<(&'static str, String)> {
    let said = |name: &str| entry.get(name).map_or("missing", kind);
    let mut bad = Vec::new();
    if model_label(entry.get("model")) == UNKNOWN_MODEL {
        bad.push(("model", format!("model is {}", said("model"))));
    }
    if !matches!(entry.get("task"), Some(Value::String(_))) {
        bad.push(("task", format!("task is {}", said("task"))));
    }
    for name in ["seed", "num_agents", "max_round", "width", "height", "view_size"] {
        let there = entry.get(name).is_some_and(|value| !value.is_null());
        let small = name == "seed" || integer(entry, name).is_some_and(|n| u32::try_from(n).is_ok());
        if there && (integer(entry, name).is_none() || !small) {
            bad.push((name, format!("{name} is {}, not a whole number in range", said(name))));
        }
    }
    bad
}

fn run_meta(key: RunKey, entry: &Map<String, Value>) -> RunMeta {
    let integer = |name: &str| integer(entry, name);
    let small = |name: &str| integer(name).and_then(|n| u32::try_from(n).ok());
    let columns = entry
        .iter()
        .filter(|(name, _)| !matches!(name.as_str(), "model" | "task" | "seed"))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let task = match entry.get("task") {
        Some(Value::String(name)) => SwarmTask::from_name(name),
        _ => SwarmTask::Other(String::new()),
    };
    RunMeta {
        key,
        model: model_label(entry.get("model")),
        task,
        seed: integer("seed"),
        num_agents: small("num_agents"),
        max_round: small("max_round"),
        width: small("width"),
        height: small("height"),
        view_size: small("view_size"),
        columns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn model_labels() {
        assert_eq!(model_label(Some(&json!("gpt"))), "gpt");
        assert_eq!(model_label(Some(&json!(["b", "a", "a"]))), "mixed: 2× a + 1× b");
        assert_eq!(model_label(Some(&json!(["a", "a"]))), "a");
        assert_eq!(model_label(Some(&json!(null))), UNKNOWN_MODEL);
        assert_eq!(model_label(Some(&json!(7))), "7");
    }

    #[test]
    fn contradictory_entries_agree_only_on_what_is_equal() {
        let (Value::Object(a), Value::Object(b)) =
            (json!({"model":"a","task":"T","seed":1,"k":2}), json!({"model":"b","task":"T","seed":3,"k":2}))
        else {
            panic!("objects")
        };
        let both = agreed(&[a, b]);
        assert_eq!(Value::Object(both), json!({"model":"contradictory: a | b","task":"T","seed":null,"k":2}));
    }
}
