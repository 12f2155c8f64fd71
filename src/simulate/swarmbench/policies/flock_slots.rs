//! Everybody has a slot of its own in a square at a place known by convention.

use super::chart::Chart;
use super::common::any_direction;
use crate::model::Cell;
use crate::simulate::swarmbench::policy::{Intent, Local, PolicyRow, local_team};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::{Seen, Sight};
use crate::stats::rng::Stream;

/// The row in the table of policies.
pub(super) const ROW: PolicyRow = PolicyRow {
    name: "flock-slots",
    tasks: &[Task::Flocking],
    summary: "convention: each number has its slot in a square at (2, 2), reached by breadth-first search; silent",
    team: local_team::<Slots>,
};

/// Top left corner of the square, by convention.
const ANCHOR: Cell = Cell::new(2, 2);

/// The slots of the conventional square.
pub(super) fn slots(sight: &Sight<'_>) -> Vec<Cell> {
    sight.target_shape().into_iter().map(|cell| cell.offset(ANCHOR.x, ANCHOR.y)).collect()
}

struct Slots {
    stream: Stream,
    chart: Chart,
}

impl Local for Slots {
    fn new(_: u32, stream: Stream) -> Self {
        Self { stream, chart: Chart::default() }
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        self.chart.update(sight);
        let slots = slots(sight);
        let me = sight.cell();
        let way = match slots.get(sight.me() as usize) {
            Some(&own) if own == me => return,
            Some(&own) => self.chart.step_to(sight, &mut self.stream, |cell| cell == own),
            // More agents than slots: keep out of the way.
            None if slots.contains(&me) => {
                self.chart.step_to(sight, &mut self.stream, |cell| !slots.contains(&cell))
            }
            None => return,
        };
        let aside = any_direction(&mut self.stream);
        let sidestep = sight.beside(aside) == Seen::Free && self.stream.below(2) == 0;
        intent.go(way.or_else(|| sidestep.then_some(aside)));
    }
}
