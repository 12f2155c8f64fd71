//! Negotiation: the discounted share of the ideal payoff that an accepted proposal brings.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::{BadInstance, Instance, Setting, Task, Unscored};
use crate::model::{Output, ProposalTask};

/// The registry row.
pub const TASK: Task = Task {
    task: ProposalTask::Negotiation,
    setting: Setting::Dynamic,
    formula: "100 · accepted · δ^(round−1) · u/u_max; an impossible share 0",
    max_formula: "100 · δ^(round−1)",
    source: "MASTraceBench, eqs. 17 and 18; S⋆ ours",
    instance: |value| Ok(Box::new(Negotiation::from_value(value)?)),
};

/// The state of a negotiation, seen by the player who proposes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Negotiation {
    /// How many of each item there are.
    pub pool: BTreeMap<String, u64>,
    /// The player's private value of one of each item.
    pub values: BTreeMap<String, f64>,
    /// The round, from 1.
    pub round: u32,
    /// The discount δ per round, in 0–1.
    pub discount: f64,
}

impl Negotiation {
    /// Reads an instance.
    ///
    /// # Errors
    /// Where a field is missing or of the wrong type, the round is 0, or the discount outside 0–1.
    pub fn from_value(value: &Value) -> Result<Self, BadInstance> {
        let instance: Self = super::read(value)?;
        if instance.round == 0 {
            return Err(BadInstance("round 0; rounds count from 1".into()));
        }
        if !(0.0..=1.0).contains(&instance.discount) {
            return Err(BadInstance(format!("discount {} is outside 0–1", instance.discount)));
        }
        Ok(instance)
    }

    /// δ^(round−1).
    pub fn discounting(&self) -> f64 {
        self.discount.powi(i32::try_from(self.round - 1).unwrap_or(i32::MAX))
    }

    /// The payoff of all items, u_max.
    pub fn ideal(&self) -> f64 {
        self.pool.iter().map(|(item, &n)| n as f64 * self.value(item)).sum()
    }

    fn value(&self, item: &str) -> f64 {
        self.values.get(item).copied().unwrap_or(0.0)
    }

    /// The payoff u of a share; `None` for an impossible one (an unknown item, or more than there are).
    pub fn payoff(&self, share: &BTreeMap<String, u64>) -> Option<f64> {
        let mut sum = 0.0;
        for (item, &n) in share {
            if n > self.pool.get(item).copied().unwrap_or(0) {
                return None;
            }
            sum += n as f64 * self.value(item);
        }
        Some(sum)
    }
}

/// The share a content asks for itself; the inner `None` is a share with a negative or broken number of items.
///
/// # Errors
/// [`Unscored::Malformed`] where the content is no `{"self": {item: n}}`.
pub fn share(content: &Value) -> Result<Option<BTreeMap<String, u64>>, Unscored> {
    let malformed = || Unscored::Malformed("an allocation is {\"self\": {item: n}}");
    let items = content.get("self").and_then(Value::as_object).ok_or_else(malformed)?;
    let mut share = BTreeMap::new();
    for (item, n) in items {
        if !n.is_number() {
            return Err(malformed());
        }
        let Some(n) = n.as_u64() else { return Ok(None) };
        share.insert(item.clone(), n);
    }
    Ok(Some(share))
}

impl Instance for Negotiation {
    fn score(&self, output: &Output) -> Result<f64, Unscored> {
        let content = output.content.as_ref().ok_or(Unscored::Malformed("no content"))?;
        let Some(payoff) = share(content)?.and_then(|share| self.payoff(&share)) else { return Ok(0.0) };
        let accepted = output.accepted.ok_or(Unscored::Undefined("the opponent's decision is missing"))?;
        let ideal = self.ideal();
        if ideal <= 0.0 {
            return Err(Unscored::Undefined("the whole pool is worth nothing to the player"));
        }
        Ok(if accepted { 100.0 * self.discounting() * payoff / ideal } else { 0.0 })
    }

    fn max_score(&self) -> Option<f64> {
        Some(100.0 * self.discounting())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn worked_by_hand() {
        let state = Negotiation::from_value(&json!({"pool": {"shirt": 3, "diamond": 2, "food": 4},
            "values": {"shirt": 1, "diamond": 8, "food": 3}, "round": 3, "discount": 0.95}))
        .unwrap();
        let score = |content: Value, accepted| {
            state.score(&Output { content: Some(content), accepted, ..Output::default() })
        };
        // Figure 2's allocation: 2 shirts, 0 diamonds, 4 food = 14 of 31, in round 3.
        let figure = json!({"self": {"shirt": 2, "diamond": 0, "food": 4}});
        let expected = 100.0 * 0.95 * 0.95 * 14.0 / 31.0;
        assert!((score(figure.clone(), Some(true)).unwrap() - expected).abs() < 1e-12);
        assert_eq!(score(figure.clone(), Some(false)), Ok(0.0));
        assert!(matches!(score(figure, None), Err(Unscored::Undefined(_))));
        assert_eq!(score(json!({"self": {"diamond": 3}}), Some(true)), Ok(0.0)); // there are only two
        assert_eq!(score(json!({"self": {"gold": 1}}), Some(true)), Ok(0.0));
        assert_eq!(score(json!({"self": {"food": -1}}), Some(true)), Ok(0.0));
        assert!(matches!(score(json!({"self": 3}), Some(true)), Err(Unscored::Malformed(_))));
        assert!((state.max_score().unwrap() - 90.25).abs() < 1e-12);
    }
}
