//! TacticDuel: the immediate net damage of an action against the opponent's executed one (table 8).

use serde::Deserialize;
use serde_json::Value;

use super::{BadInstance, Instance, Setting, Task, Unscored};
use crate::model::{Output, ProposalTask};

/// The registry row.
pub const TASK: Task = Task {
    task: ProposalTask::TacticDuel,
    setting: Setting::Dynamic,
    formula: "100 · (d(a,b) − d(b,a) + [a = Charge] + 5)/11; an illegal action 0",
    max_formula: "the best legal action's score",
    source: "MASTraceBench, eqs. 20–22 and table 8",
    instance: |value| Ok(Box::new(Duel::from_value(value)?)),
};

/// An action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum Tactic {
    /// 2 damage.
    Quick,
    /// 4 damage, none against Counter.
    Heavy,
    /// No damage; takes 4 off incoming damage other than Feint's.
    Guard,
    /// 1 damage, 4 against Heavy.
    Counter,
    /// 1 damage, 4 against Guard, which it bypasses.
    Feint,
    /// No damage; 2 energy.
    Charge,
    /// 6 damage for 2 energy.
    Burst,
}

impl Tactic {
    /// All seven, in the paper's order.
    pub const ALL: [Self; 7] =
        [Self::Quick, Self::Heavy, Self::Guard, Self::Counter, Self::Feint, Self::Charge, Self::Burst];

    /// The name in logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "Quick",
            Self::Heavy => "Heavy",
            Self::Guard => "Guard",
            Self::Counter => "Counter",
            Self::Feint => "Feint",
            Self::Charge => "Charge",
            Self::Burst => "Burst",
        }
    }

    /// The action of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tactic| tactic.name() == name)
    }

    /// The damage d(a, b) that this action deals against `other`, in hit points. MASTraceBench, table 8.
    pub fn damage(self, other: Self) -> i32 {
        let dealt = match (self, other) {
            (Self::Heavy, Self::Counter) | (Self::Guard | Self::Charge, _) => 0,
            (Self::Counter, Self::Heavy) | (Self::Feint, Self::Guard) | (Self::Heavy, _) => 4,
            (Self::Counter | Self::Feint, _) => 1,
            (Self::Quick, _) => 2,
            (Self::Burst, _) => 6,
        };
        if other == Self::Guard && self != Self::Feint { (dealt - 4).max(0) } else { dealt }
    }

    /// Energy that the action takes (positive) or gives (negative).
    pub fn energy_cost(self) -> i64 {
        match self {
            Self::Burst => 2,
            Self::Charge => -2,
            _ => 0,
        }
    }
}

/// The acting player's state, and what the opponent did in the same round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duel {
    /// The player's energy.
    pub energy: i64,
    /// The player's action of the round before; `None` in the first round.
    pub last_action: Option<Tactic>,
    /// The opponent's executed action.
    pub opponent_action: Tactic,
}

#[derive(Deserialize)]
struct Logged {
    energy: i64,
    #[serde(default)]
    last_action: Option<String>,
    opponent_action: Tactic,
}

impl Duel {
    /// Reads an instance.
    ///
    /// # Errors
    /// Where a field is missing or of the wrong type, or an action unknown.
    pub fn from_value(value: &Value) -> Result<Self, BadInstance> {
        let logged: Logged = super::read(value)?;
        let last_action = match logged.last_action.as_deref() {
            None | Some("" | "None") => None,
            Some(name) => Some(
                Tactic::from_name(name)
                    .ok_or_else(|| BadInstance(format!("unknown last_action {name:?}")))?,
            ),
        };
        Ok(Self { energy: logged.energy, last_action, opponent_action: logged.opponent_action })
    }

    /// Whether the rules allow the action: Burst needs 2 energy, and the last round's action can't be repeated.
    pub fn is_legal(&self, action: Tactic) -> bool {
        self.last_action != Some(action) && action.energy_cost() <= self.energy.max(0)
    }

    /// The score of an action, on 0–100; an illegal one scores 0. MASTraceBench, eqs. 20–22.
    pub fn action_score(&self, action: Tactic) -> f64 {
        if !self.is_legal(action) {
            return 0.0;
        }
        let net = action.damage(self.opponent_action) - self.opponent_action.damage(action);
        f64::from(net + i32::from(action == Tactic::Charge) + 5) / 11.0 * 100.0
    }
}

impl Instance for Duel {
    fn score(&self, output: &Output) -> Result<f64, Unscored> {
        let content = output.content.as_ref().ok_or(Unscored::Malformed("no content"))?;
        let name = content.as_str().ok_or(Unscored::Malformed("an action is a name"))?;
        // A name that is no action is an illegal action.
        Ok(Tactic::from_name(name).map_or(0.0, |action| self.action_score(action)))
    }

    fn max_score(&self) -> Option<f64> {
        Tactic::ALL
            .into_iter()
            .filter(|&action| self.is_legal(action))
            .map(|action| self.action_score(action))
            .reduce(f64::max)
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these scores are whole numbers, exact in f64")]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn table_8_cell_by_cell() {
        // Rows: the action; columns: the opponent's Quick, Heavy, Guard, Counter, Feint, Charge, Burst. Worked from
        // the table's texts by hand.
        let damage = [
            [2, 2, 0, 2, 2, 2, 2], // Quick: 2, Guard takes 4 off
            [4, 4, 0, 0, 4, 4, 4], // Heavy: 0 against Counter, 4 − 4 against Guard
            [0, 0, 0, 0, 0, 0, 0], // Guard
            [1, 4, 0, 1, 1, 1, 1], // Counter: 4 against Heavy
            [1, 1, 4, 1, 1, 1, 1], // Feint: 4 against Guard, bypassing it
            [0, 0, 0, 0, 0, 0, 0], // Charge
            [6, 6, 2, 6, 6, 6, 6], // Burst: 6 − 4 against Guard
        ];
        for (action, row) in Tactic::ALL.into_iter().zip(damage) {
            for (other, expected) in Tactic::ALL.into_iter().zip(row) {
                assert_eq!(action.damage(other), expected, "{} against {}", action.name(), other.name());
            }
        }
        let costs: Vec<i64> = Tactic::ALL.into_iter().map(Tactic::energy_cost).collect();
        assert_eq!(costs, [0, 0, 0, 0, 0, -2, 2]);
    }

    #[test]
    fn scores_span_the_papers_range() {
        let duel = |energy, last: Value, opponent: &str| {
            Duel::from_value(
                &json!({"energy": energy, "last_action": last, "opponent_action": opponent, "hp": 20}),
            )
            .unwrap()
        };
        // Best: Burst against Charge, 6 − 0; worst legal: Guard against Feint is −4, Charge against Burst −6 + 1 = −5.
        assert_eq!(duel(2, json!("Quick"), "Charge").action_score(Tactic::Burst), 100.0);
        assert_eq!(duel(0, Value::Null, "Burst").action_score(Tactic::Charge), 0.0);
        assert!((duel(0, Value::Null, "Feint").action_score(Tactic::Guard) - 100.0 / 11.0).abs() < 1e-12);
        assert_eq!(duel(1, Value::Null, "Charge").action_score(Tactic::Burst), 0.0);
        assert_eq!(duel(0, json!("Heavy"), "Charge").action_score(Tactic::Heavy), 0.0);
        // Without Burst and Heavy the best against Charge is Quick: (2 − 0 + 5)/11.
        assert!((duel(0, json!("Heavy"), "Charge").max_score().unwrap() - 700.0 / 11.0).abs() < 1e-12);
    }
}
