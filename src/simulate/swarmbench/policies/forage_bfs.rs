//! Explores what it has not seen, remembers the map, and commutes between food and nest on shortest ways.

use super::chart::Chart;
use super::common::Walk;
use crate::model::{Cell, Direction};
use crate::simulate::swarmbench::policy::{Intent, Local, PolicyRow, local_team};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::{Seen, Sight};
use crate::stats::rng::Stream;

/// The row in the table of policies.
pub(super) const ROW: PolicyRow = PolicyRow {
    name: "forage-bfs",
    tasks: &[Task::Foraging],
    summary: "explores the nearest unseen cells, then commutes by breadth-first search over what it has seen; silent",
    team: local_team::<Commuter>,
};

pub(super) struct Commuter {
    stream: Stream,
    walk: Walk,
    chart: Chart,
    /// Where food and nest are, as others told it.
    told: [Option<Cell>; 2],
}

impl Commuter {
    /// Believes a report of food (0) or nest (1).
    pub(super) fn tell(&mut self, which: usize, cell: Cell) {
        self.told[which].get_or_insert(cell);
    }

    /// Where food (0) or nest (1) is, as far as it knows.
    pub(super) fn place(&self, which: usize, from: Cell) -> Option<Cell> {
        let kind = [Seen::Food, Seen::Nest][which];
        self.chart.nearest(from, kind).or(self.told[which])
    }
}

impl Local for Commuter {
    fn new(_: u32, mut stream: Stream) -> Self {
        Self { walk: Walk::new(&mut stream), stream, chart: Chart::default(), told: [None; 2] }
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        self.chart.update(sight);
        let goal = self.place(usize::from(sight.lit()), sight.cell());
        let way = match goal {
            Some(goal) => self.chart.step_to(sight, |cell| cell.manhattan(goal) == 1),
            None => self.chart.step_to_unknown(sight),
        };
        let stuck = way.is_none();
        let aside = if stuck { self.walk.step(sight, &mut self.stream) } else { None };
        let way: Option<Direction> = way.or(aside);
        intent.go(way);
    }
}
