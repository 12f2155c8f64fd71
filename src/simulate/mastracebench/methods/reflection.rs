//! Reflection: a reasoner and a reflector, at most two reflection–revision cycles.

use super::super::session::Pair;
use super::{Method, Session, Worked};

/// The registry row.
pub(super) const METHOD: Method = Method {
    name: "Reflection",
    summary: "a reflector names the claims it doubts and the reasoner redoes them, at most twice; it ends when nothing is doubted",
    work,
};

const CYCLES: usize = 2;

fn work(session: &mut Session<'_>) -> Worked {
    let initial = session.initial(0);
    let mut current = initial.clone();
    for cycle in 1..=CYCLES {
        let claims = session.claims(&current);
        let verdicts = session.verdicts(&format!("reflector {cycle}"), &claims);
        let doubted: Vec<usize> = claims
            .iter()
            .zip(verdicts)
            .filter(|(_, believed)| !believed)
            .map(|(claim, _)| claim.slot)
            .collect();
        if doubted.is_empty() && !claims.is_empty() {
            break;
        }
        session.say(cycle, "reflector", &["P0".to_owned()], &format!("look again at part {doubted:?}"));
        current = session.redo("P0", cycle, &current, &doubted, doubted.len() as u64 * 20);
    }
    Worked { proposers: vec![Pair { initial, last: current.clone() }], answer: current }
}
