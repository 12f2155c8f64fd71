//! Consistency: independent proposals, majority vote.

use super::super::session::majority;
use super::{Method, Session, Worked};

/// The registry row.
pub(super) const METHOD: Method = Method {
    name: "Consistency",
    summary: "independent proposals, the most frequent one is the answer (the first at equal numbers)",
    work,
};

fn work(session: &mut Session<'_>) -> Worked {
    let initials = session.initials(session.proposers);
    let answer = majority(&initials);
    Worked::unrevised(initials, answer)
}
