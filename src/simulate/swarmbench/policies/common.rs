//! Small skills that several policies share.

use crate::model::{Cell, Direction};
use crate::simulate::swarmbench::sight::{Seen, Sight};
use crate::stats::rng::Stream;

/// The opposite direction.
pub(super) fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::Up => Direction::Down,
        Direction::Down => Direction::Up,
        Direction::Left => Direction::Right,
        Direction::Right => Direction::Left,
    }
}

/// Directions that bring `from` closer to `to`, the longer way first.
pub(super) fn closer(from: Cell, to: Cell) -> impl Iterator<Item = Direction> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let across = if dx < 0 { Direction::Left } else { Direction::Right };
    let along = if dy < 0 { Direction::Up } else { Direction::Down };
    let ways = if dx.abs() >= dy.abs() { [(across, dx), (along, dy)] } else { [(along, dy), (across, dx)] };
    ways.into_iter().filter(|(_, gap)| *gap != 0).map(|(direction, _)| direction)
}

/// A step towards a cell over free cells; `None` if it is reached or both ways are taken.
pub(super) fn step_towards(sight: &Sight<'_>, to: Cell) -> Option<Direction> {
    closer(sight.cell(), to).find(|direction| sight.beside(*direction) == Seen::Free)
}

/// The cell of the first thing of this kind in view, the nearest one.
pub(super) fn nearest_in_view(sight: &Sight<'_>, kind: Seen) -> Option<Cell> {
    let me = sight.cell();
    sight.view().filter(|(_, seen)| *seen == kind).map(|(cell, _)| cell).min_by_key(|cell| cell.manhattan(me))
}

/// The other agents in view, with their numbers and lights.
pub(super) fn neighbours<'a>(sight: &Sight<'a>) -> impl Iterator<Item = (Cell, u32, bool)> + use<'a> {
    let me = sight.me();
    sight.view().filter_map(move |(cell, seen)| match seen {
        Seen::Agent { id, lit } if id != me => Some((cell, id, lit)),
        _ => None,
    })
}

/// The point "(x, y)" that follows `tag` in a message.
pub(super) fn point_after(text: &str, tag: &str) -> Option<Cell> {
    let (_, rest) = text.split_once(tag)?;
    let (inner, _) = rest.trim_start().strip_prefix('(')?.split_once(')')?;
    let (x, y) = inner.split_once(',')?;
    let (x, y) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
    ((0..10_000).contains(&x) && (0..10_000).contains(&y)).then(|| Cell::new(x, y))
}

/// The number that follows `tag` in a message.
pub(super) fn number_after(text: &str, tag: &str) -> Option<i64> {
    let (_, rest) = text.split_once(tag)?;
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(rest.len());
    rest[..end].parse().ok().filter(|n: &i64| n.abs() < 1_000_000)
}

/// One of the four directions.
pub(super) fn any_direction(stream: &mut Stream) -> Direction {
    Direction::ALL[stream.index(4)]
}

/// A walk that keeps its heading until something is in the way, or now and then for no reason.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    heading: Direction,
}

impl Walk {
    /// Starts in a random direction.
    pub(super) fn new(stream: &mut Stream) -> Self {
        Self { heading: any_direction(stream) }
    }

    /// The next step over free cells; `None` if there is no free cell beside.
    pub(super) fn step(&mut self, sight: &Sight<'_>, stream: &mut Stream) -> Option<Direction> {
        let free = |direction: &Direction| sight.beside(*direction) == Seen::Free;
        if !free(&self.heading) || stream.below(12) == 0 {
            let ways: Vec<Direction> = Direction::ALL.into_iter().filter(free).collect();
            let turned: Vec<Direction> =
                ways.iter().copied().filter(|way| *way != opposite(self.heading)).collect();
            let choice = if turned.is_empty() { &ways } else { &turned };
            self.heading = *choice.get(stream.index(choice.len()))?;
        }
        Some(self.heading)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_numbers_are_read_from_messages() {
        assert_eq!(point_after("prey at (3, 12) now", "prey at"), Some(Cell::new(3, 12)));
        assert_eq!(point_after("prey at (3 12)", "prey at"), None);
        assert_eq!(point_after("prey at (-1, 2)", "prey at"), None);
        assert_eq!(number_after("on from round 17.", "from round"), Some(17));
        assert_eq!(number_after("on from", "round"), None);
        assert_eq!(number_after("seen é 5", "seen"), None);
    }

    #[test]
    fn the_longer_way_comes_first() {
        let ways: Vec<Direction> = closer(Cell::new(0, 0), Cell::new(-1, 5)).collect();
        assert_eq!(ways, [Direction::Down, Direction::Left]);
    }
}
