//! AgentVerse: a solver and two critics; an evaluator ends it at 8 of 10 or after three refinements.

use super::super::session::Pair;
use super::{Method, Session, Worked};

/// The registry row.
pub(super) const METHOD: Method = Method {
    name: "AgentVerse",
    summary: "two critics of roles that change by round; the solver redoes what both doubt; an evaluator ends it at 80 of 100 or after three rounds",
    work,
};

const ROUNDS: usize = 3;
const ENOUGH: f64 = 80.0;

fn work(session: &mut Session<'_>) -> Worked {
    let initial = session.initial(0);
    let mut current = initial.clone();
    for round in 1..=ROUNDS {
        let claims = session.claims(&current);
        let first = session.verdicts(&format!("critic 1 of round {round}"), &claims);
        let second = session.verdicts(&format!("critic 2 of round {round}"), &claims);
        let doubted: Vec<usize> = claims
            .iter()
            .zip(first.into_iter().zip(second))
            .filter(|(_, (first, second))| !first && !second)
            .map(|(claim, _)| claim.slot)
            .collect();
        session.say(round, "critics", &["P0".to_owned()], &format!("part {doubted:?} is wrong"));
        if !doubted.is_empty() || claims.is_empty() {
            current = session.redo("P0", round, &current, &doubted, doubted.len() as u64 * 20);
        }
        let rating = session.rate(&format!("evaluator {round}"), &[&current]);
        if rating.first().is_some_and(|&rating| rating >= ENOUGH) {
            break;
        }
    }
    Worked { proposers: vec![Pair { initial, last: current.clone() }], answer: current }
}
