//! Int. Debate: proposers read each other's whole proposals, keep or revise their own, then vote.

use serde_json::Value;

use super::super::session::{Pair, majority};
use super::{Method, Session, Worked};

/// The registry row.
pub(super) const METHOD: Method = Method {
    name: "Int. Debate",
    summary: "proposers read the others' whole proposals and keep their own or take another; majority vote",
    work,
};

/// The exchange that Int. Debate and Agg. Debate share: each proposer's pair.
pub(super) fn exchange(session: &mut Session<'_>) -> Vec<Pair> {
    let initials = session.initials(session.proposers);
    let mut current = initials.clone();
    for round in 1..=session.rounds {
        for (agent, content) in current.iter().enumerate() {
            let others: Vec<String> =
                (0..current.len()).filter(|&other| other != agent).map(|other| format!("P{other}")).collect();
            session.say(round, &format!("P{agent}"), &others, &content.to_string());
        }
        current = (0..current.len()).map(|agent| session.reconsider(agent, &current)).collect();
    }
    initials.into_iter().zip(current).map(|(initial, last)| Pair { initial, last }).collect()
}

fn work(session: &mut Session<'_>) -> Worked {
    let proposers = exchange(session);
    let finals: Vec<Value> = proposers.iter().map(|pair| pair.last.clone()).collect();
    Worked { proposers, answer: majority(&finals) }
}
