//! Explores what it has not seen, remembers the map, and commutes between food and nest on shortest ways.

use super::chart::Chart;
use super::common::{Walk, neighbours};
use crate::model::{Cell, Direction};
use crate::simulate::swarmbench::policy::{Intent, Local, PolicyRow, local_team};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::{Seen, Sight};
use crate::stats::rng::Stream;

/// The row in the table of policies.
pub(super) const ROW: PolicyRow = PolicyRow {
    name: "forage-bfs",
    tasks: &[Task::Foraging],
    summary: "explores the nearest unseen cells, then commutes by breadth-first search, the empty-handed giving way; silent",
    team: local_team::<Commuter>,
};

pub(super) struct Commuter {
    stream: Stream,
    walk: Walk,
    chart: Chart,
    /// Where food and nest are, as others told it.
    told: [Option<Cell>; 2],
    /// Of so many agents one carries, the others keep out of the way.
    share: u32,
}

/// Distance that those who do not carry keep from food and nest, in cells.
const CLEARANCE: u64 = 4;

impl Commuter {
    /// An agent of a team in which one of `share` carries.
    pub(super) fn sharing(share: u32, mut stream: Stream) -> Self {
        Self { walk: Walk::new(&mut stream), stream, chart: Chart::default(), told: [None; 2], share }
    }

    /// Believes a report of food (0) or nest (1).
    pub(super) fn tell(&mut self, which: usize, cell: Cell) {
        self.told[which].get_or_insert(cell);
    }

    /// Where food (0) or nest (1) is, as far as it knows.
    pub(super) fn place(&self, which: usize, from: Cell) -> Option<Cell> {
        let kind = [Seen::Food, Seen::Nest][which];
        self.chart.nearest(from, kind).or(self.told[which])
    }

    fn carries(&self, agent: u32) -> bool {
        agent.is_multiple_of(self.share)
    }

    /// Whether it may push others aside: who is laden, if all carry; else who carries.
    fn may_push(&self, sight: &Sight<'_>) -> bool {
        if self.share == 1 { sight.lit() } else { self.carries(sight.me()) }
    }

    /// Half of the time, a step of an agent without a load away from a laden one beside it.
    fn give_way(&mut self, sight: &Sight<'_>) -> Option<Direction> {
        let me = sight.cell();
        let laden = neighbours(sight).find(|(cell, _, lit)| *lit && cell.manhattan(me) == 1);
        let (laden, _, _) = laden.filter(|_| !sight.lit() && self.stream.below(2) == 0)?;
        let mut order = Direction::ALL;
        self.stream.shuffle(&mut order);
        order.into_iter().find(|way| {
            let (dx, dy) = way.vector();
            sight.beside(*way) == Seen::Free && me.offset(dx, dy).manhattan(laden) > 1
        })
    }

    /// The next step of a carrier, or of anybody who does not know both places yet.
    fn commute(&mut self, sight: &Sight<'_>, goal: Option<Cell>) -> Option<Direction> {
        if self.share == 1
            && let Some(way) = self.give_way(sight)
        {
            return Some(way);
        }
        // A carrier pushes those aside that have nothing to carry.
        if let Some(goal) = goal.filter(|_| self.may_push(sight)) {
            let straight =
                self.chart.step_through(sight.cell(), &mut self.stream, |cell| cell.manhattan(goal) == 1);
            let ahead = straight.map(|way| (way, sight.beside(way)));
            if let Some((way, Seen::Agent { id, lit })) = ahead
                && (!self.carries(id) || (self.share == 1 && !lit))
            {
                return Some(way);
            }
        }
        let way = match goal {
            Some(goal) => self.chart.step_to(sight, &mut self.stream, |cell| cell.manhattan(goal) == 1),
            None => self.chart.step_to_unknown(sight, &mut self.stream),
        };
        way.or_else(|| self.walk.step(sight, &mut self.stream))
    }

    /// The next step of the others: away from both places, then out of the way of carriers.
    fn make_room(&mut self, sight: &Sight<'_>, places: [Cell; 2]) -> Option<Direction> {
        let me = sight.cell();
        let clear = |cell: Cell| places.iter().all(|place| cell.manhattan(*place) >= CLEARANCE);
        let mut order = Direction::ALL;
        self.stream.shuffle(&mut order);
        if !clear(me) {
            return self.chart.step_to(sight, &mut self.stream, clear);
        }
        let carriers: Vec<Cell> =
            neighbours(sight).filter(|(_, id, _)| self.carries(*id)).map(|(cell, _, _)| cell).collect();
        let distance = |cell: Cell| carriers.iter().map(|carrier| carrier.manhattan(cell)).min().unwrap_or(9);
        let aside = |way: &Direction| {
            let (dx, dy) = way.vector();
            sight.beside(*way) == Seen::Free && distance(me.offset(dx, dy)) > distance(me)
        };
        if distance(me) <= 2 { order.into_iter().find(aside) } else { None }
    }
}

impl Local for Commuter {
    fn new(_: u32, stream: Stream) -> Self {
        Self::sharing(1, stream)
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        self.chart.update(sight);
        let places = [0, 1].map(|which| self.place(which, sight.cell()));
        let way = match places {
            [Some(food), Some(nest)] if !self.carries(sight.me()) => self.make_room(sight, [food, nest]),
            _ => self.commute(sight, places[usize::from(sight.lit())]),
        };
        intent.go(way);
    }
}
