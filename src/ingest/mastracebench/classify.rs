//! Which role a file plays, by its keys; by its name only where the first record is cut or empty.

use super::plan::{ROLE_EPISODES, ROLE_RUN, ROLE_UNITS};
use crate::ingest::json::{Lexer, Scalar};

/// The role of a file with this name and these first bytes.
pub(super) fn classify(name: &str, head: &[u8]) -> Option<&'static str> {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    by_keys(head).or_else(|| (name == "units.jsonl" && is_open(head)).then_some(ROLE_UNITS))
}

/// Whether the bytes may be the beginning of records: nothing but white space, or an object.
fn is_open(head: &[u8]) -> bool {
    head.iter().find(|b| !b.is_ascii_whitespace()).is_none_or(|&b| b == b'{')
}

fn by_keys(head: &[u8]) -> Option<&'static str> {
    let mut lexer = Lexer::new(head);
    let mut first = true;
    lexer.object().ok()?;
    let (mut method, mut task, mut episode, mut other) = (false, false, false, false);
    while let Ok(Some(key)) = lexer.key(&mut first) {
        match key.bytes {
            b"schema" => {
                let Ok(Scalar::Str(schema)) = lexer.scalar() else { return None };
                return schema.bytes.starts_with(b"mastracebench/").then_some(ROLE_RUN);
            }
            b"unit_id" | b"proposers" if !method => return Some(ROLE_UNITS),
            b"method" => method = true,
            b"task" => task = true,
            b"episode_id" => episode = true,
            b"score" => {}
            b"instance_id" | b"mechanism" => return None, // another benchmark's
            _ => other = true,
        }
        if lexer.skip().is_err() {
            break;
        }
    }
    if method && task { Some(ROLE_RUN) } else { (episode && !other).then_some(ROLE_EPISODES) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_decide_and_the_name_helps_out() {
        let cases: &[(&str, &str, Option<&str>)] = &[
            ("run.json", r#"{"schema": "mastracebench/1", "run_id""#, Some(ROLE_RUN)),
            ("run.json", r#"{"schema": "masbench/1", "run_id""#, None),
            ("run.json", r#"{"run_id":"r","task":"MAPF","method":"MAV","proposers":3}"#, Some(ROLE_RUN)),
            ("a.jsonl", r#"{"unit_id":"mapf-003","step":4"#, Some(ROLE_UNITS)),
            ("b.jsonl", r#"{"episode_id":"e0","score":3}"#, Some(ROLE_EPISODES)),
            ("episodes.jsonl", r#"{"instance_id":"x","score":3,"episode_id":1}"#, None),
            ("units.jsonl", "", Some(ROLE_UNITS)),
            ("units.jsonl", "{\"unit", Some(ROLE_UNITS)),
            ("units.jsonl", "PK", None),
            ("meta_log.json", r#"{"r1": {"model": "m", "task": "T"}}"#, None),
        ];
        for (name, head, role) in cases {
            assert_eq!(classify(name, head.as_bytes()), *role, "{name} {head}");
        }
    }
}
