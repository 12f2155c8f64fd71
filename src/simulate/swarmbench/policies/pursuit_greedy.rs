//! Runs after a prey in view.

use super::common::{Walk, nearest_in_view, step_towards};
use crate::simulate::swarmbench::policy::{Intent, Local, PolicyRow, local_team};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::{Seen, Sight};
use crate::stats::rng::Stream;

/// The row in the table of policies.
pub(super) const ROW: PolicyRow = PolicyRow {
    name: "pursuit-greedy",
    tasks: &[Task::Pursuit],
    summary: "runs after a prey in view, else walks straight on; silent",
    team: local_team::<Greedy>,
};

struct Greedy {
    stream: Stream,
    walk: Walk,
}

impl Local for Greedy {
    fn new(_: u32, mut stream: Stream) -> Self {
        Self { walk: Walk::new(&mut stream), stream }
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        match nearest_in_view(sight, Seen::Prey) {
            // Next to the prey it stays: every neighbouring cell counts.
            Some(prey) if prey.manhattan(sight.cell()) == 1 => {}
            Some(prey) => intent.go(step_towards(sight, prey)),
            None => intent.go(self.walk.step(sight, &mut self.stream)),
        }
    }
}
