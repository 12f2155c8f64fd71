//! Negotiation with a fixed opponent; claims are the items' shares.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::super::mind::Draws;
use super::super::problem::{Choice, Claim, Problem};
use super::{Decide, Episode, Side};
use crate::model::Output;
use crate::stats::rng::Stream;
use crate::trajectory::score::Instance;
use crate::trajectory::score::negotiation::{Negotiation, share};

const ITEMS: [&str; 3] = ["diamond", "food", "shirt"];
const ROUNDS: usize = 10;
const DISCOUNT: f64 = 0.95;

/// Share of its ideal payoff from which a side accepts in round 1; it asks for less from round to round.
const DEMAND: f64 = 0.5;
const CONCESSION: f64 = 0.03;

type Share = BTreeMap<String, u64>;

/// One side's turn to propose.
struct Turn {
    state: Negotiation,
    /// The other side's values, hidden from the proposer.
    other: BTreeMap<String, f64>,
    /// The best share for itself that the other side accepts.
    target: Share,
}

fn worth(values: &BTreeMap<String, f64>, share: &Share) -> f64 {
    share.iter().map(|(item, &n)| n as f64 * values.get(item).copied().unwrap_or(0.0)).sum()
}

fn rest(pool: &Share, taken: &Share) -> Share {
    pool.iter().map(|(item, &n)| (item.clone(), n - taken.get(item).copied().unwrap_or(0).min(n))).collect()
}

/// Whether a side with these values accepts what is left for it.
fn accepts(values: &BTreeMap<String, f64>, pool: &Share, left: &Share, round: usize) -> bool {
    let ideal = worth(values, pool);
    let demand = DEMAND - CONCESSION * (round as f64 - 1.0);
    worth(values, left) >= demand * ideal
}

/// Every way to take from the pool.
fn shares(pool: &Share) -> Vec<Share> {
    pool.iter().fold(vec![Share::new()], |shares, (item, &n)| {
        shares
            .into_iter()
            .flat_map(|share| {
                (0..=n).map(move |k| {
                    let mut share = share.clone();
                    share.insert(item.clone(), k);
                    share
                })
            })
            .collect()
    })
}

impl Turn {
    fn new(pool: &Share, own: &BTreeMap<String, f64>, other: &BTreeMap<String, f64>, round: usize) -> Self {
        let state =
            Negotiation { pool: pool.clone(), values: own.clone(), round: round as u32, discount: DISCOUNT };
        let target = shares(pool)
            .into_iter()
            .filter(|share| accepts(other, pool, &rest(pool, share), round))
            .max_by(|a, b| worth(own, a).total_cmp(&worth(own, b)))
            .unwrap_or_default();
        Self { state, other: other.clone(), target }
    }

    fn accepted(&self, content: &Value) -> bool {
        share(content).ok().flatten().is_some_and(|share| {
            self.state.payoff(&share).is_some()
                && accepts(
                    &self.other,
                    &self.state.pool,
                    &rest(&self.state.pool, &share),
                    self.state.round as usize,
                )
        })
    }
}

/// An episode. Two episodes in a row share pool and values, with roles and first proposer exchanged. Both sides answer offers
/// by the same rule; an offer that is not well-formed is rejected.
pub(super) fn play(episode: Episode, decide: &mut Decide<'_>) -> f64 {
    let mut stream = Stream::new(episode.seed, &format!("Negotiation/world/{}", episode.index / 2));
    let pool: Share = ITEMS.iter().map(|&item| (item.to_owned(), 1 + stream.below(5))).collect();
    let mut values = || -> BTreeMap<String, f64> {
        ITEMS.iter().map(|&item| (item.to_owned(), (1 + stream.below(9)) as f64)).collect()
    };
    let (first, second) = (values(), values());
    let own_first = episode.index.is_multiple_of(2);
    let (own, other) = if own_first { (first, second) } else { (second, first) };
    for round in 1..=ROUNDS {
        let own_turn = (round % 2 == 1) == own_first;
        let side = if own_turn { Side::Own } else { Side::Opponent };
        let (mine, theirs) = if own_turn { (&own, &other) } else { (&other, &own) };
        let turn = Turn::new(&pool, mine, theirs, round);
        let answer = decide(side, round - 1, &turn);
        if turn.accepted(&answer)
            && let Ok(Some(taken)) = share(&answer)
        {
            let got = if own_turn { worth(&own, &taken) } else { worth(&own, &rest(&pool, &taken)) };
            return 100.0 * turn.state.discounting() * got / worth(&own, &pool);
        }
    }
    0.0
}

impl Problem for Turn {
    fn instance(&self) -> Value {
        let state = &self.state;
        json!({"pool": state.pool, "values": state.values, "round": state.round, "discount": state.discount})
    }

    /// Each item's number is that of the best acceptable share (skill), or off by one or two.
    fn propose(&self, draws: &Draws<'_>) -> Value {
        let mut asked = Share::new();
        for (part, (item, &n)) in self.state.pool.iter().enumerate() {
            let mut stream = draws.part(part);
            let aim = self.target.get(item).copied().unwrap_or(0);
            let ask = if stream.uniform() < draws.mind.skill {
                aim
            } else {
                let off = 1 + stream.below(2);
                if stream.uniform() < 0.5 { aim.saturating_sub(off) } else { (aim + off).min(n) }
            };
            asked.insert(item.clone(), ask);
        }
        json!({ "self": asked })
    }

    fn claims(&self, content: &Value) -> Vec<Claim> {
        let Ok(Some(asked)) = share(content) else { return Vec::new() };
        self.state
            .pool
            .keys()
            .enumerate()
            .map(|(slot, item)| {
                let n = asked.get(item).copied().unwrap_or(0);
                Claim {
                    slot,
                    option: json!(n),
                    text: format!("{n} of {item} is the right number to ask for"),
                    good: self.target.get(item) == Some(&n),
                }
            })
            .collect()
    }

    fn assemble(&self, choices: &[Choice]) -> Value {
        if choices.is_empty() {
            return Value::Null;
        }
        let items: Vec<&String> = self.state.pool.keys().collect();
        let asked: Map<String, Value> = choices
            .iter()
            .filter_map(|choice| Some(((*items.get(choice.slot)?).clone(), choice.option.clone())))
            .collect();
        json!({ "self": asked })
    }

    fn beside(&self, content: &Value) -> Map<String, Value> {
        Map::from_iter([("accepted".to_owned(), json!(self.accepted(content)))])
    }

    fn output(&self, content: &Value) -> Output {
        Output {
            content: Some(content.clone()).filter(|content| !content.is_null()),
            accepted: Some(self.accepted(content)),
            ..Output::default()
        }
    }

    fn scoring(&self) -> &dyn Instance {
        &self.state
    }
}
