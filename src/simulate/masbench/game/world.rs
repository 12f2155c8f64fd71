//! The physics of Game, and the way through a map.

use std::collections::VecDeque;

use super::map::{Map, step};
use crate::model::{Cell, Direction};

/// What an agent does in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Move(Direction),
    Stay,
    /// Takes the resource of the own cell.
    Pick,
    /// Gives the carried resource to the warehouse of the own cell.
    Drop,
}

impl Act {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Move(Direction::Up) => "UP",
            Self::Move(Direction::Down) => "DOWN",
            Self::Move(Direction::Left) => "LEFT",
            Self::Move(Direction::Right) => "RIGHT",
            Self::Stay => "STAY",
            Self::Pick => "PICK",
            Self::Drop => "DROP",
        }
    }
}

/// An agent's body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) cell: Cell,
    pub(super) carrying: bool,
}

/// The state of a map.
#[derive(Clone, Debug)]
pub(super) struct World<'m> {
    pub(super) map: &'m Map,
    /// Resources on the ground, by cell number.
    pub(super) lies: Vec<bool>,
    /// Room left, by warehouse.
    pub(super) room: Vec<u32>,
    pub(super) bodies: Vec<Body>,
    pub(super) collected: u32,
}

impl<'m> World<'m> {
    pub(super) fn new(map: &'m Map) -> Self {
        let mut lies = vec![false; (map.side * map.side) as usize];
        for &cell in &map.resources {
            lies[map.ix(cell)] = true;
        }
        Self {
            map,
            lies,
            room: map.warehouses.iter().map(|warehouse| warehouse.capacity).collect(),
            bodies: map.starts.iter().map(|&cell| Body { cell, carrying: false }).collect(),
            collected: 0,
        }
    }

    pub(super) fn warehouse_at(&self, cell: Cell) -> Option<usize> {
        self.map.warehouses.iter().position(|warehouse| warehouse.cell == cell)
    }

    /// Carries out one agent's action; agents act one after the other. A move into a wall or another agent, and an item that is not
    /// there or finds no room, do nothing.
    pub(super) fn act(&mut self, agent: usize, act: Act) {
        let body = self.bodies[agent];
        match act {
            Act::Move(direction) => {
                let next = step(body.cell, direction);
                if !self.map.wall(next) && self.bodies.iter().all(|other| other.cell != next) {
                    self.bodies[agent].cell = next;
                }
            }
            Act::Stay => {}
            Act::Pick => {
                let lies = &mut self.lies[self.map.ix(body.cell)];
                if *lies && !body.carrying {
                    *lies = false;
                    self.bodies[agent].carrying = true;
                }
            }
            Act::Drop => {
                if let Some(warehouse) = self.warehouse_at(body.cell)
                    && body.carrying
                    && self.room[warehouse] > 0
                {
                    self.room[warehouse] -= 1;
                    self.bodies[agent].carrying = false;
                    self.collected += 1;
                }
            }
        }
    }
}

/// The nearest goal and the first step to it: breadth first over cells that `open` lets through, in the order UP, DOWN, LEFT, RIGHT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) goal: Cell,
    /// `None` where the start is the goal.
    pub(super) first: Option<Direction>,
    /// Steps.
    pub(super) length: u32,
}

/// Finds the nearest cell that is a `goal`; a goal itself need not be open. `taken` cells can't be the first step.
pub(super) fn way(
    side: u32,
    start: Cell,
    taken: &[Cell],
    open: impl Fn(Cell) -> bool,
    goal: impl Fn(Cell) -> bool,
) -> Option<Way> {
    if goal(start) {
        return Some(Way { goal: start, first: None, length: 0 });
    }
    let ix = |cell: Cell| cell.y as usize * side as usize + cell.x as usize;
    let mut seen = vec![false; (side * side) as usize];
    seen[ix(start)] = true;
    let mut queue: VecDeque<Way> = VecDeque::new();
    queue.push_back(Way { goal: start, first: None, length: 0 });
    while let Some(at) = queue.pop_front() {
        for direction in Direction::ALL {
            let next = step(at.goal, direction);
            if !next.inside(side, side) || seen[ix(next)] || (at.length == 0 && taken.contains(&next)) {
                continue;
            }
            let found = Way { goal: next, first: at.first.or(Some(direction)), length: at.length + 1 };
            if goal(next) {
                return Some(found);
            }
            if open(next) {
                seen[ix(next)] = true;
                queue.push_back(found);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_go_around_walls_and_taken_cells() {
        let wall = |cell: Cell| cell.x == 1 && cell.y < 2;
        let to = |taken: &[Cell]| {
            way(3, Cell::new(0, 0), taken, |cell| !wall(cell), |cell| cell == Cell::new(2, 0))
        };
        let found = to(&[]).unwrap();
        assert_eq!((found.first, found.length), (Some(Direction::Down), 6));
        assert_eq!(to(&[Cell::new(0, 1)]), None);
    }
}
