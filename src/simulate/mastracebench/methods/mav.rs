//! MAV: independent proposals; five verifiers approve or reject each, the most approved one is the answer.

use super::{Method, Session, Worked};

/// The registry row.
pub(super) const METHOD: Method = Method {
    name: "MAV",
    summary: "independent proposals; five verifiers each approve or reject every one, the most approved is the answer",
    work,
};

/// What the five verifiers look at.
const ASPECTS: [&str; 5] = ["correctness", "completeness", "clarity", "reasoning", "relevance"];

/// Rating from which a verifier approves, in 0–100.
const APPROVAL: f64 = 70.0;

fn work(session: &mut Session<'_>) -> Worked {
    let initials = session.initials(session.proposers);
    let mut approvals = vec![0u32; initials.len()];
    for aspect in ASPECTS {
        // Each verifier assesses each proposal in a call of its own.
        for (count, content) in approvals.iter_mut().zip(&initials) {
            let rating = session.rate(aspect, &[content]);
            *count += u32::from(rating.first().is_some_and(|&rating| rating >= APPROVAL));
        }
    }
    let most = approvals.iter().copied().max().unwrap_or(0);
    let place = approvals.iter().position(|&count| count == most).unwrap_or(0);
    let answer = initials.get(place).cloned().unwrap_or_default();
    Worked::unrevised(initials, answer)
}
