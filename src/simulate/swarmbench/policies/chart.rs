//! What an agent remembers of the map, and the way through it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::model::{Cell, Direction};
use crate::simulate::swarmbench::sight::{Seen, Sight};
use crate::stats::rng::Stream;

/// Cells that a search looks at before it gives up.
const SEARCH_LIMIT: usize = 6000;

/// The part of the map that does not move, as far as it was seen; the box is not remembered, since it moves.
/// Coordinates start at 0, so what is left of or above that is known to be off the map.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    known: BTreeMap<(i32, i32), Seen>,
    /// Where the box was seen; no reason to go there again.
    boxes: BTreeSet<(i32, i32)>,
}

impl Chart {
    /// Takes over what the agent sees; agents and prey are remembered as free cells.
    pub(super) fn update(&mut self, sight: &Sight<'_>) {
        for (cell, seen) in sight.view() {
            let kept = match seen {
                Seen::Agent { .. } | Seen::Prey => Seen::Free,
                Seen::Box => {
                    self.known.remove(&(cell.x, cell.y));
                    self.boxes.insert((cell.x, cell.y));
                    continue;
                }
                Seen::Unseen => continue,
                other => other,
            };
            self.known.insert((cell.x, cell.y), kept);
        }
    }

    /// What is remembered of a cell; [`Seen::Unseen`] for nothing.
    pub(super) fn get(&self, cell: Cell) -> Seen {
        if cell.x < 0 || cell.y < 0 {
            return Seen::OffMap;
        }
        self.known.get(&(cell.x, cell.y)).copied().unwrap_or(Seen::Unseen)
    }

    /// A remembered cell of this kind, the one nearest to `from` (Manhattan, then row by row).
    pub(super) fn nearest(&self, from: Cell, kind: Seen) -> Option<Cell> {
        self.known
            .iter()
            .filter(|(_, seen)| **seen == kind)
            .map(|(&(x, y), _)| Cell::new(x, y))
            .min_by_key(|cell| (cell.manhattan(from), cell.y, cell.x))
    }

    /// The first step of a shortest way to a cell that `goal` accepts. Unseen cells count as free, agents next to
    /// the seeker as obstacles. `None` if there is no way, or the seeker is there already.
    ///
    /// Equally short ways are preferred in an order drawn from `stream`: agents side by side that all prefer the same ones
    /// would dance back and forth together.
    pub(super) fn step_to(
        &self,
        sight: &Sight<'_>,
        stream: &mut Stream,
        goal: impl Fn(Cell) -> bool,
    ) -> Option<Direction> {
        let mut order = Direction::ALL;
        stream.shuffle(&mut order);
        search(sight.cell(), order, |cell| self.passable(sight, cell), goal)
    }

    /// As [`Self::step_to`], but over agents as if they were not there.
    pub(super) fn step_through(
        &self,
        from: Cell,
        stream: &mut Stream,
        goal: impl Fn(Cell) -> bool,
    ) -> Option<Direction> {
        let mut order = Direction::ALL;
        stream.shuffle(&mut order);
        search(from, order, |cell| matches!(self.get(cell), Seen::Free | Seen::Unseen), goal)
    }
    fn passable(&self, sight: &Sight<'_>, cell: Cell) -> bool {
        match sight.look(cell) {
            Seen::Free => true,
            Seen::Agent { .. } => cell.manhattan(sight.cell()) > 1,
            Seen::Unseen => matches!(self.get(cell), Seen::Free | Seen::Unseen),
            _ => false,
        }
    }

    /// The first step towards the nearest cell that was never seen.
    pub(super) fn step_to_unknown(&self, sight: &Sight<'_>, stream: &mut Stream) -> Option<Direction> {
        self.step_to(sight, stream, |cell| {
            self.get(cell) == Seen::Unseen && !self.boxes.contains(&(cell.x, cell.y))
        })
    }
}

/// The first step of a shortest way from `from` over `passable` cells to one that `goal` accepts, by breadth-first search;
/// equally short ways are preferred by their first step in the given order. `None` if there is no way, or `from` is
/// a goal itself.
pub(super) fn search(
    from: Cell,
    order: [Direction; 4],
    passable: impl Fn(Cell) -> bool,
    goal: impl Fn(Cell) -> bool,
) -> Option<Direction> {
    if goal(from) {
        return None;
    }
    let mut seen = BTreeSet::from([(from.x, from.y)]);
    let mut queue = VecDeque::from([(from, None)]);
    while let Some((cell, first)) = queue.pop_front() {
        if seen.len() > SEARCH_LIMIT {
            return None;
        }
        for direction in order {
            let (dx, dy) = direction.vector();
            let next = cell.offset(dx, dy);
            if seen.contains(&(next.x, next.y)) || !passable(next) {
                continue;
            }
            let first = first.or(Some(direction));
            if goal(next) {
                return first;
            }
            seen.insert((next.x, next.y));
            queue.push_back((next, first));
        }
    }
    None
}
