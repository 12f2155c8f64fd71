//! Flocking: how close the agents have come to a hollow square, wherever it may lie.

use super::distance::Distance;
use super::{add_border, place_agents_anywhere};
use crate::error::Result;
use crate::model::Cell;
use crate::simulate::swarmbench::world::{Core, Score};

/// The released environment draws Flocking's layout from this seed, whatever the run's seed.
pub(super) const SEED: i64 = 42;

/// The hollow square of side ⌊n/4⌋ + 1 that `agents` agents are to form, from its top left corner.
pub fn target_shape(agents: u32) -> Vec<Cell> {
    let last = (agents / 4) as i32;
    (0..=last)
        .flat_map(|y| (0..=last).map(move |x| Cell::new(x, y)))
        .filter(|cell| cell.x == 0 || cell.y == 0 || cell.x == last || cell.y == last)
        .collect()
}

/// The distance at the start and the least one so far.
#[derive(Clone, Debug)]
pub(in super::super) struct Flocking {
    initial: i64,
    least: i64,
    /// `None` for a target of one cell, which always lies on some agent.
    distance: Option<Distance>,
}

impl Flocking {
    pub(super) fn lay_out(core: &mut Core) -> Result<Self> {
        add_border(&mut core.board);
        place_agents_anywhere(core)?;
        let rules = &core.rules;
        let mut distance = (rules.agents >= 4)
            .then(|| Distance::new(rules.width, rules.height, whereabouts(core).collect()));
        let initial = distance.as_mut().and_then(Distance::at_start).unwrap_or(0);
        Ok(Self { initial, least: initial, distance })
    }

    pub(super) fn update(&mut self, core: &mut Core) {
        let Some(distance) = &mut self.distance else { return };
        if let Some(least) = distance.below(self.least, whereabouts(core)) {
            self.least = least;
            core.score = Score::Whole(self.initial - least);
        }
    }

    pub(super) fn done(&self) -> bool {
        self.least == 0
    }
}

fn whereabouts(core: &Core) -> impl Iterator<Item = Cell> + '_ {
    (0..core.rules.agents).map(|agent| core.board.mesh(agent).at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_a_hollow_square() {
        assert_eq!(target_shape(10).len(), 8);
        assert_eq!(target_shape(16).len(), 16);
        assert_eq!(target_shape(3), [Cell::new(0, 0)]);
    }
}
