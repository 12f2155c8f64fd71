//! MAS-GPT, its fall-back workflow: three candidate solutions and an aggregator. No program is generated here.

use super::{Method, Session, Worked};

/// The registry row.
pub(super) const METHOD: Method = Method {
    name: "MAS-GPT",
    summary: "the fall-back workflow only: three candidates, an aggregator answers with the one that seems best to it",
    work,
};

const CANDIDATES: usize = 3;

fn work(session: &mut Session<'_>) -> Worked {
    let initials = session.initials(CANDIDATES);
    let answer = session.choose("aggregator", &initials);
    Worked::unrevised(initials, answer)
}
