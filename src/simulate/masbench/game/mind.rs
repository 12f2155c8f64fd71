//! What an agent of Game knows, and what it does with it.

use std::collections::BTreeMap;

use super::map::{Map, VIEW, step};
use super::world::{Act, World, way};
use crate::model::{Cell, Direction};
use crate::stats::rng::Stream;

/// Rounds for which a teammate's announced plan is respected.
const PLAN_LASTS: u32 = 6;

/// What one agent can tell another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sight {
    /// A warehouse, with the room it had; 1 where only "some" is known.
    Warehouse { cell: Cell, room: u32 },
    /// A resource on the ground.
    Resource { cell: Cell },
}

impl Sight {
    pub(super) fn cell(self) -> Cell {
        match self {
            Self::Warehouse { cell, .. } | Self::Resource { cell } => cell,
        }
    }
}

/// Something known, and since when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) sight: Sight,
    /// The round it was seen or heard in.
    pub(super) round: u32,
}

/// An agent's knowledge.
#[derive(Clone, Debug)]
pub(super) struct Mind {
    side: u32,
    /// Whether a cell was seen, and when; by cell number.
    seen: Vec<Option<u32>>,
    walls: Vec<bool>,
    /// By cell.
    known: BTreeMap<Cell, Known>,
    /// Teammates' plans: goal and round, by agent.
    plans: BTreeMap<usize, (Cell, u32)>,
    heading: Direction,
    /// The goal of the last decision, where it is a thing and not the unknown.
    pub(super) goal: Option<Cell>,
}

impl Mind {
    pub(super) fn new(side: u32, stream: &mut Stream) -> Self {
        let cells = (side * side) as usize;
        Self {
            side,
            seen: vec![None; cells],
            walls: vec![false; cells],
            known: BTreeMap::new(),
            plans: BTreeMap::new(),
            heading: Direction::ALL[stream.index(4)],
            goal: None,
        }
    }

    /// Forgets everything but the heading: an agent without memory starts each round so.
    pub(super) fn forget(&mut self) {
        self.seen.fill(None);
        self.walls.fill(false);
        self.known.clear();
        self.plans.clear();
    }

    fn ix(&self, cell: Cell) -> usize {
        cell.y as usize * self.side as usize + cell.x as usize
    }

    /// Takes in what lies in view; it overrides what was known of those cells.
    pub(super) fn look(&mut self, world: &World<'_>, agent: usize, round: u32) {
        let map: &Map = world.map;
        let here = world.bodies[agent].cell;
        for cell in map.cells().filter(|cell| cell.chebyshev(here) <= VIEW / 2) {
            let ix = self.ix(cell);
            self.seen[ix] = Some(round);
            self.walls[ix] = map.wall(cell);
            let sight = match world.warehouse_at(cell) {
                Some(warehouse) => Some(Sight::Warehouse { cell, room: world.room[warehouse] }),
                None => (!map.wall(cell) && world.lies[map.ix(cell)]).then_some(Sight::Resource { cell }),
            };
            match sight {
                Some(sight) => self.known.insert(cell, Known { sight, round }),
                None => self.known.remove(&cell),
            };
        }
    }

    /// Takes in what a teammate told. A cell that was seen with own eyes in the last three rounds is known better.
    pub(super) fn hear(&mut self, from: usize, sights: &[Sight], plan: Option<Cell>, round: u32) {
        for &sight in sights {
            let fresh = self.seen[self.ix(sight.cell())].is_some_and(|seen| seen + 3 >= round);
            if !fresh {
                self.known.insert(sight.cell(), Known { sight, round });
            }
        }
        if let Some(goal) = plan {
            self.plans.insert(from, (goal, round));
        }
    }

    /// Everything known, the warehouses first.
    pub(super) fn sights(&self) -> Vec<Known> {
        let mut sights: Vec<Known> = self.known.values().copied().collect();
        sights.sort_by_key(|known| known.sight);
        sights
    }

    /// Decides: drop, pick, go to the nearest known warehouse or resource, or explore.
    pub(super) fn decide(
        &mut self,
        world: &World<'_>,
        agent: usize,
        round: u32,
        memory: bool,
        stream: &mut Stream,
    ) -> Act {
        let body = world.bodies[agent];
        let here = body.cell;
        let near = |cell: Cell| cell.chebyshev(here) <= VIEW / 2;
        let taken: Vec<Cell> =
            world.bodies.iter().map(|other| other.cell).filter(|&cell| near(cell)).collect();
        let claimed = |cell: Cell| {
            self.plans
                .iter()
                .any(|(&who, &(goal, since))| who != agent && goal == cell && since + PLAN_LASTS >= round)
        };
        let wanted = |cell: Cell| match self.known.get(&cell).map(|known| known.sight) {
            Some(Sight::Warehouse { room, .. }) => body.carrying && room > 0,
            Some(Sight::Resource { .. }) => !body.carrying && (cell == here || !claimed(cell)),
            None => false,
        };
        let open = |cell: Cell| !self.walls[self.ix(cell)];
        let found = way(self.side, here, &taken, open, wanted);
        self.goal = found.map(|found| found.goal);
        if let Some(found) = found {
            return match found.first {
                Some(direction) => Act::Move(direction),
                None if body.carrying => Act::Drop,
                None => Act::Pick,
            };
        }
        if memory {
            let open = |cell: Cell| !self.walls[self.ix(cell)];
            let unknown = |cell: Cell| self.seen[self.ix(cell)].is_none();
            if let Some(direction) = way(self.side, here, &taken, open, unknown).and_then(|found| found.first)
            {
                return Act::Move(direction);
            }
        }
        self.wander(world, here, stream)
    }

    /// Keeps its heading; turns at walls and agents, and one time in ten without a reason.
    fn wander(&mut self, world: &World<'_>, here: Cell, stream: &mut Stream) -> Act {
        let free = |direction: Direction| {
            let next = step(here, direction);
            !world.map.wall(next) && world.bodies.iter().all(|body| body.cell != next)
        };
        if !free(self.heading) || stream.index(10) == 0 {
            let choices: Vec<Direction> =
                Direction::ALL.into_iter().filter(|&direction| free(direction)).collect();
            if choices.is_empty() {
                return Act::Stay;
            }
            self.heading = choices[stream.index(choices.len())];
        }
        Act::Move(self.heading)
    }
}
