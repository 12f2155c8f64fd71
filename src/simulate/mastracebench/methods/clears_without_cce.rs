//! CLEARS w/o CCE: the claims go to the synthesiser without cross-agent evaluation.

use super::super::problem::Claim;
use super::clears::{Weighed, select};
use super::{Method, Session, Worked};

/// The registry row.
pub(super) const METHOD: Method = Method {
    name: "CLEARS w/o CCE",
    summary: "CLEARS without endorsements and challenges: every claim goes to the synthesiser, which follows their number",
    work,
};

fn work(session: &mut Session<'_>) -> Worked {
    let initials = session.initials(session.proposers);
    let claims: Vec<Claim> = initials.iter().flat_map(|content| session.decompose(content)).collect();
    let unweighed: Vec<Weighed> =
        claims.iter().map(|claim| Weighed { claim: claim.clone(), endorsed: 0, challenged: 0 }).collect();
    let choices = select(session, &unweighed);
    let answer = session.synthesise(&choices, &claims);
    Worked::unrevised(initials, answer)
}
