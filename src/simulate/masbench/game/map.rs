//! Maps of Game: walls, resources, warehouses with capacity, starts.

use serde_json::{Value, json};

use crate::model::{Cell, Direction};
use crate::stats::rng::Stream;

/// Side of an agent's square view: two cells each way.
pub(super) const VIEW: u32 = 5;
/// How far messages reach (Chebyshev), in cells.
pub(super) const RANGE: u32 = 6;

/// A warehouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Warehouse {
    pub(super) cell: Cell,
    /// Resources it takes at most.
    pub(super) capacity: u32,
}

/// A map with everything on it at the start.
#[derive(Clone, Debug)]
pub(super) struct Map {
    /// Columns and rows.
    pub(super) side: u32,
    walls: Vec<bool>,
    pub(super) resources: Vec<Cell>,
    pub(super) warehouses: Vec<Warehouse>,
    pub(super) starts: Vec<Cell>,
}

impl Map {
    /// Simple: 15 × 15, 14 to 18 resources, 2 warehouses; Complex: 18 × 18, 20 to 26 resources, 3 warehouses. The warehouses take three
    /// quarters of the resources together (rounded up). Every cell without a wall can be reached from every other.
    pub(super) fn generate(stream: &mut Stream, hard: bool, agents: usize) -> Self {
        let side = if hard { 18 } else { 15 };
        let mut map = Self {
            side,
            walls: walls(stream, side),
            resources: Vec::new(),
            warehouses: Vec::new(),
            starts: Vec::new(),
        };
        map.close_pockets();
        let mut free: Vec<Cell> = map.cells().filter(|&cell| !map.wall(cell)).collect();
        stream.shuffle(&mut free);
        let resources = if hard { 20 + stream.index(7) } else { 14 + stream.index(5) };
        let count = if hard { 3 } else { 2 };
        let room = (resources * 3).div_ceil(4);
        let mut free = free.into_iter();
        for ix in 0..count {
            let capacity = (room / count + usize::from(ix < room % count)) as u32;
            map.warehouses.extend(free.next().map(|cell| Warehouse { cell, capacity }));
        }
        map.resources.extend(free.by_ref().take(resources));
        map.starts.extend(free.take(agents));
        map
    }

    /// Every cell, row by row.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let side = self.side as i32;
        (0..side).flat_map(move |y| (0..side).map(move |x| Cell::new(x, y)))
    }

    /// Number of a cell inside.
    pub(super) fn ix(&self, cell: Cell) -> usize {
        cell.y as usize * self.side as usize + cell.x as usize
    }

    /// Whether the cell is outside or a wall.
    pub(super) fn wall(&self, cell: Cell) -> bool {
        !cell.inside(self.side, self.side) || self.walls[self.ix(cell)]
    }

    /// Fills what can't be reached from the largest connected part.
    fn close_pockets(&mut self) {
        let mut part = vec![0_usize; self.walls.len()];
        let mut sizes = vec![0_usize];
        for cell in self.cells() {
            if self.wall(cell) || part[self.ix(cell)] > 0 {
                continue;
            }
            let number = sizes.len();
            sizes.push(0);
            part[self.ix(cell)] = number;
            let mut open = vec![cell];
            while let Some(at) = open.pop() {
                sizes[number] += 1;
                for next in neighbours(at) {
                    if !self.wall(next) && part[self.ix(next)] == 0 {
                        part[self.ix(next)] = number;
                        open.push(next);
                    }
                }
            }
        }
        // The first of the largest parts.
        let largest = (1..sizes.len()).rev().max_by_key(|&number| sizes[number]).unwrap_or(0);
        for (wall, part) in self.walls.iter_mut().zip(part) {
            *wall |= part != largest;
        }
    }

    /// The map as the instance of an episode.
    pub(super) fn to_json(&self) -> Value {
        let pairs =
            |cells: &mut dyn Iterator<Item = Cell>| cells.map(|cell| [cell.x, cell.y]).collect::<Vec<_>>();
        json!({
            "width": self.side,
            "height": self.side,
            "view_size": VIEW,
            "message_range": RANGE,
            "walls": pairs(&mut self.cells().filter(|&cell| self.wall(cell))),
            "resources": pairs(&mut self.resources.iter().copied()),
            "warehouses": self.warehouses.iter().map(|w| json!({"x": w.cell.x, "y": w.cell.y, "capacity": w.capacity})).collect::<Vec<_>>(),
            "starts": pairs(&mut self.starts.iter().copied()),
        })
    }
}

/// The four cells beside one, in the order UP, DOWN, LEFT, RIGHT.
pub(super) fn neighbours(cell: Cell) -> impl Iterator<Item = Cell> {
    Direction::ALL.into_iter().map(move |direction| step(cell, direction))
}

/// The next cell in a direction.
pub(super) fn step(cell: Cell, direction: Direction) -> Cell {
    let (dx, dy) = direction.vector();
    cell.offset(dx, dy)
}

/// Straight pieces of wall, one per row of the map, two to five cells long.
fn walls(stream: &mut Stream, side: u32) -> Vec<bool> {
    let side = side as usize;
    let mut walls = vec![false; side * side];
    for _ in 0..side {
        let (x, y) = (stream.index(side), stream.index(side));
        let length = 2 + stream.index(4);
        let across = stream.index(2) == 0;
        for k in 0..length {
            let (x, y) = if across { (x + k, y) } else { (x, y + k) };
            if x < side && y < side {
                walls[y * side + x] = true;
            }
        }
    }
    walls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_connected_and_as_stated() {
        for number in 0..200 {
            let hard = number % 2 == 1;
            let map = Map::generate(&mut Stream::new(number, "map"), hard, 8);
            assert_eq!(map.starts.len(), 8);
            let (low, high) = if hard { (20, 26) } else { (14, 18) };
            assert!((low..=high).contains(&map.resources.len()));
            let room: u32 = map.warehouses.iter().map(|w| w.capacity).sum();
            assert_eq!(room as usize, (map.resources.len() * 3).div_ceil(4));
            let mut reached = vec![false; (map.side * map.side) as usize];
            let mut open = vec![map.starts[0]];
            reached[map.ix(map.starts[0])] = true;
            while let Some(at) = open.pop() {
                for next in neighbours(at) {
                    if !map.wall(next) && !std::mem::replace(&mut reached[map.ix(next)], true) {
                        open.push(next);
                    }
                }
            }
            assert!(map.cells().all(|cell| map.wall(cell) || reached[map.ix(cell)]));
        }
    }
}
