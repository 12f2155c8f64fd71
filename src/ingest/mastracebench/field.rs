//! Fields of a record, taken leniently: what is not of the right type is noted and left out.

use serde_json::{Map, Value};

use crate::finding::{Findings, Place, Subject, input_rules, mt};
use crate::ingest::json::{Lexer, Members, Repair, Stop, decode, parse_value};
use crate::model::{Judge, Output};

/// Where a record is, for findings.
pub(super) struct Context<'a> {
    pub(super) subject: &'a Subject,
    pub(super) record: u64,
    pub(super) findings: &'a mut Findings,
}

impl Context<'_> {
    pub(super) fn note(&mut self, rule: &'static crate::finding::Rule, message: impl Into<String>) {
        self.findings.add(rule, self.subject, Some(Place::Record(self.record)), message);
    }

    /// Notes what the JSON reader had to mend.
    pub(super) fn mended(&mut self, noticed: &Members) {
        let Repair { invalid_utf8, bad_escapes, .. } = noticed.repair;
        if invalid_utf8 > 0 {
            self.note(&input_rules::INVALID_UTF8, "bytes that are not UTF-8");
        }
        if bad_escapes > 0 {
            self.note(&input_rules::BAD_ESCAPE, "an escape without meaning");
        }
        if noticed.non_finite > 0 {
            self.note(&mt::NOT_A_NUMBER, "NaN or Infinity");
        }
        for key in &noticed.duplicate_keys {
            self.note(&mt::DUPLICATE_KEY, format!("key {key:?}"));
        }
    }

    /// A number; one written as text is read and noted.
    pub(super) fn number(&mut self, value: Option<&Value>, key: &str) -> Option<f64> {
        match value? {
            Value::Number(number) => number.as_f64(),
            Value::Null => None,
            Value::String(text) => match text.trim().parse::<f64>().ok().filter(|x| x.is_finite()) {
                Some(number) => {
                    self.note(&mt::NUMBER_AS_TEXT, format!("{key} is {text:?}"));
                    Some(number)
                }
                None => self.no_number(value, key),
            },
            _ => self.no_number(value, key),
        }
    }

    fn no_number(&mut self, value: Option<&Value>, key: &str) -> Option<f64> {
        let shown: String = value.map(Value::to_string).unwrap_or_default().chars().take(40).collect();
        self.note(&mt::NOT_A_NUMBER, format!("{key} is {shown}"));
        None
    }

    /// A whole number that is not negative.
    pub(super) fn count(&mut self, value: Option<&Value>, key: &str) -> Option<u64> {
        let number = self.number(value, key)?;
        if number >= 0.0 && number.fract() == 0.0 && number <= 9_007_199_254_740_992.0 {
            return Some(number as u64);
        }
        self.no_number(value, key)?;
        None
    }

    /// An output; `None` where the key is absent, null or no object.
    pub(super) fn output(&mut self, value: Option<Value>) -> Option<Output> {
        let Some(Value::Object(mut map)) = value else { return None };
        let score = self.number(map.get("score"), "score");
        let judge = map.get("judge").and_then(|judge| {
            let correct = self.number(judge.get("correct"), "judge.correct");
            let distractors = self.number(judge.get("distractors"), "judge.distractors");
            correct.zip(distractors).map(|(correct, distractors)| Judge { correct, distractors })
        });
        Some(Output {
            score,
            judge,
            valid: map.get("valid").and_then(Value::as_bool),
            accepted: map.get("accepted").and_then(Value::as_bool),
            content: map.remove("content").filter(|content| !content.is_null()),
        })
    }
}

/// An id: a text, or a number as its text.
pub(super) fn id(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Reads a record as a map; the values of keys in `skip` are passed over.
pub(super) fn record(line: &[u8], skip: &[&[u8]], noticed: &mut Members) -> Result<Map<String, Value>, Stop> {
    let mut lexer = Lexer::new(line);
    let mut first = true;
    let mut map = Map::new();
    lexer.object()?;
    while let Some(key) = lexer.key(&mut first)? {
        if skip.contains(&key.bytes) {
            lexer.skip()?;
            continue;
        }
        let key = decode(key, &mut noticed.repair).into_owned();
        let value = parse_value(&mut lexer, noticed)?;
        if map.insert(key.clone(), value).is_some() {
            noticed.duplicate_keys.push(key);
        }
    }
    match lexer.peek() {
        Err(Stop::Incomplete) => Ok(map), // nothing but white space is left
        Err(stop) => Err(stop),
        Ok(_) => Err(Stop::Syntax { at: lexer.pos(), expected: "the end of the line" }),
    }
}
