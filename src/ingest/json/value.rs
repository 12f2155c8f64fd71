//! Small values as trees: meta entries, never whole logs.

use serde_json::{Map, Number as JsonNumber, Value};

use super::lexer::{Lexer, Stop};
use super::{MAX_DEPTH, Number, Repair, Scalar, decode};

/// What was noticed while building a value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Members {
    /// Replaced characters.
    pub(crate) repair: Repair,
    /// Numbers that are not finite, each read as null.
    pub(crate) non_finite: u32,
    /// Keys that occur twice in one object; the last value stands.
    pub(crate) duplicate_keys: Vec<String>,
}

/// Reads one value; composites up to [`MAX_DEPTH`].
pub(crate) fn parse_value(lexer: &mut Lexer<'_>, noticed: &mut Members) -> Result<Value, Stop> {
    nested(lexer, noticed, 0)
}

fn nested(lexer: &mut Lexer<'_>, noticed: &mut Members, depth: usize) -> Result<Value, Stop> {
    if depth > MAX_DEPTH {
        return Err(Stop::TooDeep { at: lexer.pos() });
    }
    let mut first = true;
    match lexer.peek()? {
        b'{' => {
            lexer.object()?;
            let mut map = Map::new();
            while let Some(key) = lexer.key(&mut first)? {
                let key = decode(key, &mut noticed.repair).into_owned();
                let value = nested(lexer, noticed, depth + 1)?;
                if map.insert(key.clone(), value).is_some() {
                    noticed.duplicate_keys.push(key);
                }
            }
            Ok(Value::Object(map))
        }
        b'[' => {
            lexer.array()?;
            let mut items = Vec::new();
            while lexer.item(&mut first)? {
                items.push(nested(lexer, noticed, depth + 1)?);
            }
            Ok(Value::Array(items))
        }
        _ => Ok(match lexer.scalar()? {
            Scalar::Bool(b) => Value::Bool(b),
            Scalar::Str(raw) => Value::String(decode(raw, &mut noticed.repair).into_owned()),
            Scalar::Number(Number::Finite(x)) => number(x),
            Scalar::Number(Number::NonFinite) => {
                noticed.non_finite += 1;
                Value::Null
            }
            Scalar::Null | Scalar::Composite => Value::Null,
        }),
    }
}

/// A JSON number that prints as an integer where it is one.
fn number(x: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
    if x.fract() == 0.0 && x.abs() <= EXACT && !(x == 0.0 && x.is_sign_negative()) {
        return Value::Number(JsonNumber::from(x as i64));
    }
    JsonNumber::from_f64(x).map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_duplicates_and_non_finite() {
        let mut noticed = Members::default();
        let text = br#"{"a":[1,2.5,"x"],"b":NaN,"a":true}"#;
        let value = parse_value(&mut Lexer::new(text), &mut noticed);
        assert_eq!(value, Ok(json!({"a":true,"b":null})));
        assert_eq!((noticed.non_finite, noticed.duplicate_keys), (1, vec!["a".to_owned()]));
    }
}
