//! Single-Agent: one response without collaboration; the baseline.

use super::{Method, Session, Worked};

/// The registry row.
pub(super) const METHOD: Method =
    Method { name: "Single-Agent", summary: "one agent answers by itself", work };

fn work(session: &mut Session<'_>) -> Worked {
    let answer = session.initial(0);
    Worked::unrevised(vec![answer.clone()], answer)
}
