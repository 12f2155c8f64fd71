//! Agg. Debate: the same exchange as Int. Debate, with an aggregator in place of the vote.

use serde_json::Value;

use super::int_debate::exchange;
use super::{Method, Session, Worked};

/// The registry row.
pub(super) const METHOD: Method = Method {
    name: "Agg. Debate",
    summary: "the exchange of Int. Debate; an independent aggregator picks the final proposal that seems best to it",
    work,
};

fn work(session: &mut Session<'_>) -> Worked {
    let proposers = exchange(session);
    let finals: Vec<Value> = proposers.iter().map(|pair| pair.last.clone()).collect();
    let answer = session.choose("aggregator", &finals);
    Worked { proposers, answer }
}
