//! Gathers, follows the visible majority, and flips once everybody in view agrees.

use super::common::{neighbours, step_towards};
use crate::model::{Action, Cell};
use crate::simulate::swarmbench::policy::{Intent, Local, PolicyRow, local_team};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::Sight;
use crate::stats::rng::Stream;

/// The row in the table of policies.
pub(super) const ROW: PolicyRow = PolicyRow {
    name: "sync-majority",
    tasks: &[Task::Synchronization],
    summary: "gathers at (4, 4), then follows the majority of the lights in view and flips when they agree; silent",
    team: local_team::<Majority>,
};

/// Where everybody meets, by convention.
pub(super) const MEETING_POINT: Cell = Cell::new(4, 4);
/// Rounds given to gathering.
pub(super) const GATHERING: u32 = 12;

struct Majority;

impl Local for Majority {
    fn new(_: u32, _: Stream) -> Self {
        Self
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        if sight.round() < GATHERING {
            intent.go(step_towards(sight, MEETING_POINT));
            return;
        }
        let (mut lit, mut all) = (u32::from(sight.lit()), 1);
        for (_, _, on) in neighbours(sight) {
            lit += u32::from(on);
            all += 1;
        }
        let flip = if lit == 0 || lit == all {
            true // unanimous: on to the other state
        } else {
            // A tie counts as "off", so that everybody breaks it alike.
            sight.lit() != (2 * lit > all)
        };
        if flip {
            intent.action = Action::Switch;
        }
    }
}
