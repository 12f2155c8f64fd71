//! Parts of a record, taken leniently: what has the wrong form is noted and counts as missing.

use serde_json::{Map, Value};

use crate::finding::{Findings, Place, Rule, Subject, mb};

/// Where in a file a record was read, and where its faults go.
pub(super) struct Notes<'a> {
    pub(super) subject: &'a Subject,
    pub(super) findings: &'a mut Findings,
    pub(super) place: Place,
}

impl Notes<'_> {
    /// Notes an occurrence of `rule` in this record.
    pub(super) fn add(&mut self, rule: &'static Rule, message: impl Into<String>) {
        self.findings.add(rule, self.subject, Some(self.place.clone()), message);
    }

    fn malformed(&mut self, key: &str, want: &str, value: &Value) {
        self.add(&mb::PART_MALFORMED, format!("{key} is {}, not {want}", kind(value)));
    }

    /// A finite number; a text that shows one is taken with a note. `Err` for anything else that is not null.
    pub(super) fn number_or_text(&mut self, key: &str, value: Option<&Value>) -> Result<Option<f64>, ()> {
        match value {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Number(number)) => number.as_f64().filter(|x| x.is_finite()).map(Some).ok_or(()),
            Some(Value::String(text)) => {
                let number = text.trim().parse::<f64>().ok().filter(|x| x.is_finite()).ok_or(())?;
                self.add(&mb::NUMBER_AS_TEXT, format!("{key} is \"{}\"", clip(text)));
                Ok(Some(number))
            }
            Some(_) => Err(()),
        }
    }

    /// A finite number, else `None` with a note.
    pub(super) fn number(&mut self, object: &Map<String, Value>, key: &str) -> Option<f64> {
        let value = object.get(key);
        self.number_or_text(key, value).unwrap_or_else(|()| {
            self.malformed(key, "a number", value.unwrap_or(&Value::Null));
            None
        })
    }

    /// A whole number, else `None` with a note.
    pub(super) fn whole(&mut self, object: &Map<String, Value>, key: &str) -> Option<i64> {
        let number = self.number(object, key)?;
        let whole = to_whole(number);
        if whole.is_none() {
            self.add(&mb::PART_MALFORMED, format!("{key} is {number}, not a whole number"));
        }
        whole
    }

    /// A text; numbers are taken as their digits, since ids are often numbers.
    pub(super) fn text(&mut self, object: &Map<String, Value>, key: &str) -> Option<String> {
        match object.get(key) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(Value::Number(number)) => Some(number.to_string()),
            Some(other) => {
                self.malformed(key, "a text", other);
                None
            }
        }
    }

    /// A list; missing and null are empty.
    pub(super) fn list<'v>(&mut self, object: &'v Map<String, Value>, key: &str) -> &'v [Value] {
        match object.get(key) {
            None | Some(Value::Null) => &[],
            Some(Value::Array(items)) => items,
            Some(other) => {
                self.malformed(key, "a list", other);
                &[]
            }
        }
    }

    /// An item of a list that has to be an object.
    pub(super) fn object<'v>(&mut self, what: &str, value: &'v Value) -> Option<&'v Map<String, Value>> {
        let object = value.as_object();
        if object.is_none() {
            self.malformed(what, "an object", value);
        }
        object
    }
}

/// The number as a whole one, where it is one.
pub(super) fn to_whole(number: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
    (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64)
}

/// What kind of value this is, in words.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The start of a text from a log, for a message.
pub(super) fn clip(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
