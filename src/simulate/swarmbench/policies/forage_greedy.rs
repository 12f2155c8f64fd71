//! Goes to food or nest when in view; no memory.

use super::common::{Walk, nearest_in_view, step_towards};
use crate::simulate::swarmbench::policy::{Intent, Local, PolicyRow, local_team};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::{Seen, Sight};
use crate::stats::rng::Stream;

/// The row in the table of policies.
pub(super) const ROW: PolicyRow = PolicyRow {
    name: "forage-greedy",
    tasks: &[Task::Foraging],
    summary: "goes to food (or, laden, to the nest) in view, else walks straight on; no memory, silent",
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
        let wanted = if sight.lit() { Seen::Nest } else { Seen::Food };
        let way = nearest_in_view(sight, wanted).and_then(|goal| step_towards(sight, goal));
        intent.go(way.or_else(|| self.walk.step(sight, &mut self.stream)));
    }
}
