//! Cohesion alone: closes up with whoever is in view.

use super::common::{Walk, neighbours, step_towards};
use crate::model::Cell;
use crate::simulate::swarmbench::policy::{Intent, Local, PolicyRow, local_team};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::Sight;
use crate::stats::rng::Stream;

/// The row in the table of policies.
pub(super) const ROW: PolicyRow = PolicyRow {
    name: "flock-cohesion",
    tasks: &[Task::Flocking],
    summary: "cohesion alone: goes to the middle of the agents in view, walks straight on when alone; silent",
    team: local_team::<Cohesion>,
};

struct Cohesion {
    stream: Stream,
    walk: Walk,
}

impl Local for Cohesion {
    fn new(_: u32, mut stream: Stream) -> Self {
        Self { walk: Walk::new(&mut stream), stream }
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        let mates: Vec<Cell> = neighbours(sight).map(|(cell, _, _)| cell).collect();
        let count = mates.len() as i32;
        if count == 0 {
            intent.go(self.walk.step(sight, &mut self.stream));
            return;
        }
        let middle = mates.iter().fold(Cell::new(0, 0), |sum, mate| sum.offset(mate.x, mate.y));
        let middle = Cell::new((middle.x + count / 2) / count, (middle.y + count / 2) / count);
        if sight.cell().manhattan(middle) > 1 {
            intent.go(step_towards(sight, middle));
        }
    }
}
