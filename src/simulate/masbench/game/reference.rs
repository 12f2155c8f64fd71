//! The reference score of a map: a greedy team that knows everything.

use super::map::Map;
use super::world::{Act, World, way};
use crate::model::Cell;

/// Resources that a greedy team with full knowledge collects in `rounds` rounds under the same physics.
///
/// In each round the agents choose in order: who carries goes to the nearest warehouse that has room beyond what agents before it bring
/// there; who does not takes the nearest resource that no agent before it took. It is a reference, not the optimum: a team may pass it.
pub(super) fn greedy_score(map: &Map, rounds: u32) -> u32 {
    let mut world = World::new(map);
    for _ in 0..rounds {
        let mut reserved: Vec<Cell> = Vec::new();
        let mut room = world.room.clone();
        for agent in 0..world.bodies.len() {
            let body = world.bodies[agent];
            let taken: Vec<Cell> = world.bodies.iter().map(|other| other.cell).collect();
            let open = |cell: Cell| !map.wall(cell);
            let found = way(map.side, body.cell, &taken, open, |cell| {
                if body.carrying {
                    world.warehouse_at(cell).is_some_and(|warehouse| room[warehouse] > 0)
                } else {
                    !map.wall(cell) && world.lies[map.ix(cell)] && !reserved.contains(&cell)
                }
            });
            let act = match found {
                None => Act::Stay,
                Some(way) => {
                    if body.carrying {
                        if let Some(warehouse) = world.warehouse_at(way.goal) {
                            room[warehouse] -= 1;
                        }
                    } else {
                        reserved.push(way.goal);
                    }
                    match way.first {
                        Some(direction) => Act::Move(direction),
                        None if body.carrying => Act::Drop,
                        None => Act::Pick,
                    }
                }
            };
            world.act(agent, act);
        }
    }
    world.collected
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::rng::Stream;

    #[test]
    fn references_are_above_zero_and_never_beyond_the_room() {
        for number in 0..60 {
            let map = Map::generate(
                &mut Stream::new(number, "reference"),
                number % 2 == 1,
                4 + number as usize % 5,
            );
            let score = greedy_score(&map, 50);
            let room: u32 = map.warehouses.iter().map(|warehouse| warehouse.capacity).sum();
            assert!(score > 0 && score <= room, "{number}: {score} of {room}");
        }
    }
}
