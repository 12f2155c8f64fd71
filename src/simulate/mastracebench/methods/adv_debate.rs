//! Adv. Debate: an affirmative and a negative side, two rebuttal rounds, a judge.

use super::super::session::Pair;
use super::{Method, Session, Worked};

/// The registry row.
pub(super) const METHOD: Method = Method {
    name: "Adv. Debate",
    summary: "an affirmative agent and a negative one that has to differ; two rounds in which each changes what the other attacks; a judge picks",
    work,
};

const REBUTTALS: usize = 2;

fn work(session: &mut Session<'_>) -> Worked {
    let affirmative = session.initial(0);
    let negative = session.counter_proposal(1, &affirmative);
    let initials = [affirmative, negative];
    let mut current = initials.clone();
    for round in 1..=REBUTTALS {
        for side in [0, 1] {
            let content = current[side].clone();
            let critic = format!("P{}", 1 - side);
            let claims = session.claims(&content);
            // The role demands an attack: every claim that the critic doubts, or the first one if it doubts none.
            let verdicts = session.verdicts(&critic, &claims);
            let mut attacked: Vec<usize> = claims
                .iter()
                .zip(verdicts)
                .filter(|(_, believed)| !believed)
                .map(|(claim, _)| claim.slot)
                .collect();
            if attacked.is_empty() {
                attacked.extend(claims.first().map(|claim| claim.slot));
            }
            session.say(round, &critic, &[format!("P{side}")], &format!("I object to part {attacked:?}"));
            let shown = attacked.len() as u64 * 20;
            current[side] = session.redo(&format!("P{side}"), round, &content, &attacked, shown);
        }
    }
    let answer = session.choose("judge", &current);
    let [first, second] = initials;
    let [last_first, last_second] = current;
    let proposers =
        vec![Pair { initial: first, last: last_first }, Pair { initial: second, last: last_second }];
    Worked { proposers, answer }
}
