//! A convention instead of talk: lights are on in even rounds' outcomes, off in odd ones.

use crate::model::Action;
use crate::simulate::swarmbench::policy::{Intent, Local, PolicyRow, local_team};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::Sight;
use crate::stats::rng::Stream;

/// The row in the table of policies.
pub(super) const ROW: PolicyRow = PolicyRow {
    name: "sync-clock",
    tasks: &[Task::Synchronization],
    summary: "convention: sets its light by the parity of the round; silent",
    team: local_team::<Clock>,
};

struct Clock;

impl Local for Clock {
    fn new(_: u32, _: Stream) -> Self {
        Self
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        if sight.lit() != sight.round().is_multiple_of(2) {
            intent.action = Action::Switch;
        }
    }
}
