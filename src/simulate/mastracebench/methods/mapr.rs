//! MAPR: every agent reviews the others' solutions, each revises what its reviewers criticise, then a vote.

use serde_json::Value;

use super::super::session::{Pair, majority};
use super::{Method, Session, Worked};

/// The registry row.
pub(super) const METHOD: Method = Method {
    name: "MAPR",
    summary: "each agent reviews the others claim by claim; each redoes every part that any reviewer doubts; majority vote",
    work,
};

fn work(session: &mut Session<'_>) -> Worked {
    let initials = session.initials(session.proposers);
    let mut current = initials.clone();
    for round in 1..=session.rounds {
        let mut revised = Vec::with_capacity(current.len());
        for (agent, content) in current.iter().enumerate() {
            let claims = session.claims(content);
            let mut doubted: Vec<usize> = Vec::new();
            for reviewer in (0..current.len()).filter(|&reviewer| reviewer != agent) {
                let verdicts = session.verdicts(&format!("P{reviewer}"), &claims);
                let slots: Vec<usize> = claims
                    .iter()
                    .zip(verdicts)
                    .filter(|(_, believed)| !believed)
                    .map(|(claim, _)| claim.slot)
                    .collect();
                session.say(
                    round,
                    &format!("P{reviewer}"),
                    &[format!("P{agent}")],
                    &format!("part {slots:?} is doubtful"),
                );
                doubted.extend(slots);
            }
            doubted.sort_unstable();
            doubted.dedup();
            let shown = doubted.len() as u64 * 20;
            revised.push(session.redo(&format!("P{agent}"), round, content, &doubted, shown));
        }
        current = revised;
    }
    let answer = majority(&current);
    let proposers: Vec<Pair> = initials
        .into_iter()
        .zip(current)
        .map(|(initial, last): (Value, Value)| Pair { initial, last })
        .collect();
    Worked { proposers, answer }
}
