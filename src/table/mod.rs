//! Tables as they leave the program: typed columns with nulls, written as CSV, JSON, NDJSON or Parquet, batch by batch.

mod atomic;
mod file;
mod write;

use serde_json::{Map, Value, json};

pub use atomic::{AtomicFile, create_folder, write_file};
pub use file::TableFile;
pub use write::{Format, TableWriter};

/// Type of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Whole numbers.
    Integer,
    /// Numbers.
    Number,
    /// Text.
    Text,
    /// True or false.
    Boolean,
    /// Lists, objects, or values of mixed types: native in JSON, JSON text elsewhere.
    Any,
}

/// A column's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Name.
    pub name: String,
    /// Type.
    pub kind: Kind,
    /// Unit, where it has one.
    pub unit: Option<String>,
    /// What it is.
    pub title: Option<String>,
}

impl Head {
    /// A head without unit and title.
    pub fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self { name: name.into(), kind, unit: None, title: None }
    }

    /// A column of numbers with unit and title.
    pub fn number(name: &str, unit: &str, title: &str) -> Self {
        let (unit, title) = (Some(unit.to_owned()), Some(title.to_owned()));
        Self { name: name.to_owned(), kind: Kind::Number, unit, title }
    }
}

/// What a table is: its name and version, its columns, and the settings that its numbers depend on.
#[derive(Clone, Debug)]
pub struct Schema {
    /// Name and version, such as `swarm-analyze/features-run/1`.
    pub name: String,
    /// Columns.
    pub heads: Vec<Head>,
    /// Settings, such as the rule for undefined rounds.
    pub settings: Map<String, Value>,
}

impl Schema {
    /// The schema as it stands in a JSON output.
    pub fn to_json(&self) -> Value {
        let columns: Vec<Value> = self
            .heads
            .iter()
            .map(|head| json!({"name": head.name, "type": head.kind, "unit": head.unit, "title": head.title}))
            .collect();
        json!({"name": self.name, "settings": self.settings, "columns": columns})
    }
}

/// A cell. Numbers must be finite: what is undefined is [`Cell::Null`].
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Undefined or absent.
    Null,
    /// A whole number.
    Integer(i64),
    /// A finite number.
    Number(f64),
    /// Text.
    Text(String),
    /// True or false.
    Boolean(bool),
    /// Anything.
    Any(Value),
}

impl Cell {
    /// A number, or null where undefined.
    pub fn number(value: Option<f64>) -> Self {
        value.filter(|x| x.is_finite()).map_or(Self::Null, Self::Number)
    }

    /// Text.
    pub fn text(value: impl Into<String>) -> Self {
        Self::Text(value.into())
    }

    /// The JSON value as a cell of a column of this kind.
    pub fn of_json(value: Option<&Value>, kind: Kind) -> Self {
        let Some(value) = value.filter(|value| !value.is_null()) else { return Self::Null };
        match kind {
            Kind::Integer => value.as_i64().map_or(Self::Null, Self::Integer),
            Kind::Number => Self::number(value.as_f64()),
            Kind::Boolean => value.as_bool().map_or(Self::Null, Self::Boolean),
            Kind::Text => value.as_str().map_or(Self::Null, Self::text),
            Kind::Any => Self::Any(value.clone()),
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Integer(n) => json!(n),
            Self::Number(x) => json!(x),
            Self::Text(text) => json!(text),
            Self::Boolean(b) => json!(b),
            Self::Any(value) => value.clone(),
        }
    }
}

/// The narrowest kind that holds all values of a key.
pub fn kind_of<'a>(values: impl Iterator<Item = &'a Value>) -> Kind {
    let mut kind: Option<Kind> = None;
    for value in values {
        let this = match value {
            Value::Null => continue,
            Value::Bool(_) => Kind::Boolean,
            Value::Number(n) if n.is_i64() => Kind::Integer,
            Value::Number(_) => Kind::Number,
            Value::String(_) => Kind::Text,
            Value::Array(_) | Value::Object(_) => Kind::Any,
        };
        kind = Some(match (kind, this) {
            (None, this) => this,
            (Some(before), this) if before == this => this,
            (Some(Kind::Integer | Kind::Number), Kind::Integer | Kind::Number) => Kind::Number,
            _ => return Kind::Any,
        });
    }
    kind.unwrap_or(Kind::Text)
}

/// A row, in the order of the schema's columns.
pub type Row = Vec<Cell>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        let kind = |values: &[Value]| kind_of(values.iter());
        assert_eq!(kind(&[json!(1), json!(null), json!(2)]), Kind::Integer);
        assert_eq!(kind(&[json!(1), json!(2.5)]), Kind::Number);
        assert_eq!(kind(&[json!("a"), json!(1)]), Kind::Any);
        assert_eq!(kind(&[json!([1])]), Kind::Any);
        assert_eq!(kind(&[json!(null)]), Kind::Text);
    }
}
