//! Commutes like `forage-bfs`, tells others where food and nest are, and leaves the ways to a few carriers.

use super::common::point_after;
use super::forage_bfs::Commuter;
use crate::simulate::swarmbench::policy::{Intent, Local, PolicyRow, local_team};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::Sight;
use crate::stats::rng::Stream;

/// The row in the table of policies.
pub(super) const ROW: PolicyRow = PolicyRow {
    name: "forage-scout",
    tasks: &[Task::Foraging],
    summary: "shift work: tells whoever is near where food and nest are; then one of three carries, the others make room",
    team: local_team::<Scout>,
};

/// Of so many agents one carries.
pub(super) const SHARE: u32 = 3;

pub(super) struct Scout(Commuter);

impl Local for Scout {
    fn new(_: u32, stream: Stream) -> Self {
        Self(Commuter::sharing(SHARE, stream))
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        for text in sight.heard() {
            for (which, tag) in ["food at", "nest at"].into_iter().enumerate() {
                if let Some(cell) = point_after(text, tag) {
                    self.0.tell(which, cell);
                }
            }
        }
        self.0.decide(sight, intent);
        let mut known = Vec::new();
        for (which, tag) in ["food at", "nest at"].into_iter().enumerate() {
            if let Some(cell) = self.0.place(which, sight.cell()) {
                known.push(format!("{tag} ({}, {})", cell.x, cell.y));
            }
        }
        intent.message.push_str(&known.join("; "));
    }
}
