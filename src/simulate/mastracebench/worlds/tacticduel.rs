//! TacticDuel against a fixed opponent; claims are an action's reasons.

use serde_json::{Value, json};

use super::super::mind::Draws;
use super::super::problem::{Choice, Claim, Problem};
use super::{Decide, Episode, Side};
use crate::trajectory::score::Instance;
use crate::trajectory::score::tacticduel::{Duel, Tactic};

const HP: i32 = 20;
const ROUNDS: usize = 15;

/// What is worth to have charged, in hit points: two energy are a later Burst.
const CHARGE_WORTH: f64 = 2.0;

/// A fighter.
#[derive(Clone, Copy, Debug)]
struct Fighter {
    hp: i32,
    energy: i64,
    last: Option<Tactic>,
}

impl Fighter {
    fn may(&self, action: Tactic) -> bool {
        self.last != Some(action) && action.energy_cost() <= self.energy.max(0)
    }

    /// What the other side may expect of this fighter: every legal action alike, Burst thrice.
    fn weight(&self, action: Tactic) -> f64 {
        match (self.may(action), action) {
            (false, _) => 0.0,
            (true, Tactic::Burst) => 3.0,
            (true, _) => 1.0,
        }
    }

    /// The first legal action of two that are never both forbidden: what an illegal answer is replaced by.
    fn fallback(&self) -> Tactic {
        if self.may(Tactic::Quick) { Tactic::Quick } else { Tactic::Guard }
    }
}

/// A round as one fighter sees it; what the other does is logged and not used.
struct Round {
    me: Fighter,
    other: Fighter,
    number: usize,
    duel: Duel,
}

impl Round {
    fn new(me: Fighter, other: Fighter, number: usize, opponent_action: Tactic) -> Self {
        let duel = Duel { energy: me.energy, last_action: me.last, opponent_action };
        Self { me, other, number, duel }
    }

    /// Expected net damage of an action against what may be expected of the other, in hit points.
    fn worth(&self, action: Tactic) -> f64 {
        let (mut sum, mut all) = (0.0, 0.0);
        for other in Tactic::ALL {
            let weight = self.other.weight(other);
            sum += weight * f64::from(action.damage(other) - other.damage(action));
            all += weight;
        }
        let bonus = if action == Tactic::Charge { CHARGE_WORTH } else { 0.0 };
        sum / f64::max(all, 1.0) + bonus
    }

    fn legal(&self) -> Vec<Tactic> {
        Tactic::ALL.into_iter().filter(|&action| self.me.may(action)).collect()
    }

    fn best(&self) -> f64 {
        self.legal().into_iter().map(|action| self.worth(action)).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// A duel of at most 15 rounds. The opponent's action is drawn first and shown to nobody; an illegal answer is
/// replaced by Quick, or Guard where Quick is not allowed.
pub(super) fn play(_episode: Episode, decide: &mut Decide<'_>) -> f64 {
    let fresh = Fighter { hp: HP, energy: 0, last: None };
    let (mut own, mut other) = (fresh, fresh);
    for number in 1..=ROUNDS {
        let legal = |fighter: &Fighter, answer: &Value| {
            let action = answer.as_str().and_then(Tactic::from_name).filter(|&action| fighter.may(action));
            action.unwrap_or_else(|| fighter.fallback())
        };
        // What the opponent's own problem says of our action is not logged anywhere: any value will do.
        let theirs = decide(Side::Opponent, number - 1, &Round::new(other, own, number, Tactic::Guard));
        let theirs = legal(&other, &theirs);
        let mine = legal(&own, &decide(Side::Own, number - 1, &Round::new(own, other, number, theirs)));
        own.hp -= theirs.damage(mine);
        other.hp -= mine.damage(theirs);
        for (fighter, action) in [(&mut own, mine), (&mut other, theirs)] {
            fighter.energy -= action.energy_cost();
            fighter.last = Some(action);
        }
        if own.hp <= 0 || other.hp <= 0 {
            break;
        }
    }
    match own.hp.cmp(&other.hp) {
        std::cmp::Ordering::Greater => 100.0,
        std::cmp::Ordering::Equal => 50.0,
        std::cmp::Ordering::Less => 0.0,
    }
}

impl Problem for Round {
    fn instance(&self) -> Value {
        json!({"energy": self.me.energy, "last_action": self.me.last.map(Tactic::name), "hp": self.me.hp,
            "opponent_hp": self.other.hp, "opponent_energy": self.other.energy, "round": self.number,
            "opponent_action": self.duel.opponent_action.name()})
    }

    /// The action with the highest expectation (skill), or any action, legal or not.
    fn propose(&self, draws: &Draws<'_>) -> Value {
        let mut stream = draws.part(0);
        let best = self.best();
        let pool: Vec<Tactic> = if stream.uniform() < draws.mind.skill {
            self.legal().into_iter().filter(|&action| (self.worth(action) - best).abs() < 1e-9).collect()
        } else {
            Tactic::ALL.to_vec()
        };
        pool.get(stream.index(pool.len())).map_or(Value::Null, |action| json!(action.name()))
    }

    fn claims(&self, content: &Value) -> Vec<Claim> {
        let Some(action) = content.as_str().and_then(Tactic::from_name) else { return Vec::new() };
        let legal = self.me.may(action);
        let worth = self.worth(action);
        let claim =
            |text: &str, good: bool| Claim { slot: 0, option: content.clone(), text: text.into(), good };
        vec![
            claim("the rules allow it", legal),
            claim("it deals at least as much as it takes", legal && worth >= 0.0),
            claim("no other action promises more", legal && (worth - self.best()).abs() < 1e-9),
            claim("it promises at most a hit point less than the best", legal && worth + 1.0 >= self.best()),
        ]
    }

    fn assemble(&self, choices: &[Choice]) -> Value {
        choices.first().map_or(Value::Null, |choice| choice.option.clone())
    }

    fn scoring(&self) -> &dyn Instance {
        &self.duel
    }
}
