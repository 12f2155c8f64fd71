//! Pushes whatever box is in view, towards it; leaves when it sees a way out.

use super::common::{Walk, closer, nearest_in_view};
use crate::simulate::swarmbench::policy::{Intent, Local, PolicyRow, local_team};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::{Seen, Sight};
use crate::stats::rng::Stream;

/// The row in the table of policies.
pub(super) const ROW: PolicyRow = PolicyRow {
    name: "transport-greedy",
    tasks: &[Task::Transport],
    summary: "goes to the box in view and pushes it straight on; silent",
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
        let goal = nearest_in_view(sight, Seen::Box);
        let way = goal.and_then(|goal| {
            closer(sight.cell(), goal).find(|way| matches!(sight.beside(*way), Seen::Free | Seen::Box))
        });
        intent.go(way.or_else(|| self.walk.step(sight, &mut self.stream)));
    }
}
