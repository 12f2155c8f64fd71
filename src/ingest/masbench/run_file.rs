//! `run.json` of a MASBench run.

use serde_json::{Map, Value};

use super::SCHEMA;
use super::fields::{Notes, clip, kind};
use crate::finding::{Findings, Place, Subject, mb};
use crate::model::{MasRunMeta, MasTask, Mechanism, Routing, RunKey};

/// Keys that have a field of their own.
const OWN_KEYS: [&str; 8] =
    ["schema", "run_id", "benchmark", "task", "model", "framework", "mechanism", "seed"];

/// The run's description out of the parsed `run.json`; `None`, with a finding, where it names no run or task.
///
/// A missing model becomes `unknown`, a missing framework `reference` (the benchmark's own scaffold); both keep the run.
pub fn read_run_file(
    value: &Value,
    batch: &str,
    subject: &Subject,
    findings: &mut Findings,
) -> Option<MasRunMeta> {
    let mut notes = Notes { subject, findings, place: Place::Key("run.json".into()) };
    let Some(object) = value.as_object() else {
        notes.add(&mb::RUN_FILE_UNUSABLE, format!("it is {}, not an object", kind(value)));
        return None;
    };
    if let Some(schema) = object.get("schema").and_then(Value::as_str)
        && schema != SCHEMA
    {
        notes.add(&mb::RUN_FILE_UNUSABLE, format!("schema is \"{}\", not \"{SCHEMA}\"", clip(schema)));
        return None;
    }
    let (Some(run_id), Some(task)) = (notes.text(object, "run_id"), notes.text(object, "task")) else {
        notes.add(&mb::RUN_FILE_UNUSABLE, "run_id or task is missing");
        return None;
    };
    let task = MasTask::from_name(&task);
    if let MasTask::Other(name) = &task {
        notes.place = Place::Key("task".into());
        notes.add(&mb::TASK_UNKNOWN, format!("task is \"{}\"", clip(name)));
    }
    let columns = object
        .iter()
        .filter(|(key, _)| !OWN_KEYS.contains(&key.as_str()) || key.as_str() == "benchmark")
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    Some(MasRunMeta {
        key: RunKey { batch: batch.to_owned(), run_id },
        task,
        model: model(object),
        framework: notes.text(object, "framework").unwrap_or_else(|| "reference".into()),
        mechanism: mechanism(object, &mut notes),
        seed: notes.whole(object, "seed"),
        columns,
    })
}

/// The model's name; a list of models becomes their names joined by ` + `.
fn model(object: &Map<String, Value>) -> String {
    match object.get("model") {
        Some(Value::String(name)) => name.clone(),
        Some(Value::Array(names)) => {
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
            names.join(" + ")
        }
        _ => "unknown".into(),
    }
}

fn mechanism(object: &Map<String, Value>, notes: &mut Notes<'_>) -> Mechanism {
    notes.place = Place::Key("mechanism".into());
    let Some(parts) = object.get("mechanism").and_then(Value::as_object) else {
        notes.add(&mb::MECHANISM_UNCLEAR, "mechanism is missing or no object");
        return Mechanism::default();
    };
    let mut flag = |key: &str| match parts.get(key) {
        Some(Value::Bool(on)) => *on,
        Some(Value::Number(number)) if number.as_u64() == Some(1) => true,
        Some(Value::Number(number)) if number.as_u64() == Some(0) => false,
        other => {
            let seen = other.map_or("missing", kind);
            notes.add(&mb::MECHANISM_UNCLEAR, format!("{key} is {seen}"));
            false
        }
    };
    let memory = flag("memory");
    let protocol = flag("protocol");
    let routing = match parts.get("routing") {
        None | Some(Value::Null | Value::Bool(false)) => None,
        Some(Value::String(name)) => Routing::from_name(name),
        Some(other) => {
            notes.add(&mb::MECHANISM_UNCLEAR, format!("routing is {}", kind(other)));
            None
        }
    };
    Mechanism { memory, protocol, routing }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: &Value) -> (Option<MasRunMeta>, Vec<String>) {
        let mut findings = Findings::new();
        let meta = read_run_file(value, "batch", &Subject::file("run.json"), &mut findings);
        (meta, findings.into_sorted().into_iter().map(|finding| finding.code).collect())
    }

    #[test]
    fn a_usual_run() {
        let (meta, codes) = read(&json!({
            "schema": "masbench/1", "run_id": "r", "benchmark": "MASBench", "task": "Game", "model": "m", "framework": "CAMEL",
            "mechanism": {"memory": true, "protocol": false, "routing": "gate"}, "seed": 5, "temperature": 0.7}));
        let meta = meta.unwrap();
        assert_eq!(codes, [] as [&str; 0]);
        assert_eq!((meta.framework.as_str(), meta.mechanism.label().as_str()), ("CAMEL", "Memory+Gate"));
        assert_eq!(meta.columns.get("temperature"), Some(&json!(0.7)));
    }

    #[test]
    fn faults_are_found() {
        assert_eq!(read(&json!([])).1, ["MB001"]);
        assert_eq!(read(&json!({"schema": "masbench/2", "run_id": "r", "task": "Game"})).1, ["MB001"]);
        assert_eq!(read(&json!({"run_id": "r"})).1, ["MB001"]);
        let (meta, codes) = read(&json!({"run_id": 7, "task": "Debate", "model": ["a", "b"]}));
        assert_eq!(codes, ["MB007", "MB008"]);
        let meta = meta.unwrap();
        assert_eq!((meta.key.run_id.as_str(), meta.model.as_str()), ("7", "a + b"));
    }
}
