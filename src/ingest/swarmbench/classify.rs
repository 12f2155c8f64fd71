//! Which role a file plays, by content; by name only where the content can't tell (empty, cut or damaged files).

use super::plan::{ROLE_AGENT, ROLE_GAME, ROLE_META};
use crate::ingest::json::{Lexer, RawStr, Stop};

/// The role of a file with this name and these first bytes.
pub(super) fn classify(name: &str, head: &[u8]) -> Option<&'static str> {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    by_content(head).or_else(|| by_name(name, head))
}

fn by_name(name: &str, head: &[u8]) -> Option<&'static str> {
    let starts = |byte: u8| head.iter().find(|b| !b.is_ascii_whitespace()).is_none_or(|&b| b == byte);
    let stem = name.strip_suffix(".json")?;
    if stem == "meta_log" {
        Some(ROLE_META)
    } else if stem.starts_with("game_log_") && starts(b'[') {
        Some(ROLE_GAME)
    } else if stem.starts_with("agent_log_") && starts(b'[') {
        Some(ROLE_AGENT)
    } else {
        None
    }
}

/// The key that settles the matter: in each log the telling keys come before any long value.
fn log_role(key: RawStr<'_>) -> Option<&'static str> {
    match key.bytes {
        b"grid" | b"agents" => Some(ROLE_GAME),
        b"agent_id" | b"view" | b"prompt" | b"response" | b"action" => Some(ROLE_AGENT),
        _ => None,
    }
}

fn by_content(head: &[u8]) -> Option<&'static str> {
    let mut lexer = Lexer::new(head);
    match lexer.peek().ok()? {
        b'[' => {
            lexer.array().ok()?;
            record_role(&mut lexer)
        }
        b'{' => object_role(&mut lexer),
        _ => None,
    }
}

fn record_role(lexer: &mut Lexer<'_>) -> Option<&'static str> {
    let mut first = true;
    lexer.object().ok()?;
    while let Ok(Some(key)) = lexer.key(&mut first) {
        if let Some(role) = log_role(key) {
            return Some(role);
        }
        lexer.skip().ok()?;
    }
    None
}

/// A meta log (an object of objects that name a task and a model), or a log written one record a line.
fn object_role(lexer: &mut Lexer<'_>) -> Option<&'static str> {
    let line = lexer.clone();
    let mut first = true;
    lexer.object().ok()?;
    lexer.key(&mut first).ok()??;
    if lexer.peek().ok()? == b'{' {
        let (mut first, mut model, mut task, mut size) = (true, false, false, false);
        lexer.object().ok()?;
        loop {
            match lexer.key(&mut first) {
                Ok(Some(key)) => match key.bytes {
                    b"model" => model = true,
                    b"task" => task = true,
                    b"num_agents" | b"max_round" | b"view_size" => size = true,
                    _ => {}
                },
                Ok(None) | Err(Stop::Incomplete) => break,
                Err(_) => return None,
            }
            if lexer.skip().is_err() {
                break;
            }
        }
        return (task && (model || size)).then_some(ROLE_META);
    }
    let mut record = line;
    let role = record_role(&mut record)?;
    (role == ROLE_AGENT || role == ROLE_GAME).then_some(role)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides_and_names_help_out() {
        let cases: &[(&str, &str, Option<&str>)] = &[
            ("x.json", r#"[{"timestamp":1,"task":"T","round":0,"grid":[["#, Some(ROLE_GAME)),
            ("x.json", "[\n {\"round\": 0, \"agent_id\": \"A", Some(ROLE_AGENT)),
            ("x.json", r#"{"r1": {"model": "m", "task": "T", "num"#, Some(ROLE_META)),
            ("game_log_1.json", "[]", Some(ROLE_GAME)),
            ("agent_log_1.json", "", Some(ROLE_AGENT)),
            ("meta_log.json", "[[[[", Some(ROLE_META)),
            ("notes.json", r#"{"a": {"b": 1}}"#, None),
            ("game_log_1.json", "%PDF", None),
            ("x.jsonl", "{\"round\":0,\"agent_id\":0}\n", Some(ROLE_AGENT)),
            ("units.jsonl", r#"{"unit_id":"mapf-003","step":4}"#, None),
        ];
        for (name, head, role) in cases {
            assert_eq!(classify(name, head.as_bytes()), *role, "{name} {head}");
        }
    }
}
