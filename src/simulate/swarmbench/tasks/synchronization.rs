//! Synchronization: all lights on, then all off, in alternation.

use super::{add_border, place_agents_anywhere};
use crate::error::Result;
use crate::simulate::swarmbench::world::Core;

/// Number of lit agents when a point was last awarded.
#[derive(Clone, Debug)]
pub(in super::super) struct Synchronization {
    last_scored: Option<usize>,
}

impl Synchronization {
    pub(super) fn lay_out(core: &mut Core) -> Result<Self> {
        add_border(&mut core.board);
        for agent in 0..core.rules.agents as usize {
            core.lit[agent] = core.random.between(0, 1) == 1;
        }
        place_agents_anywhere(core)?;
        Ok(Self { last_scored: None })
    }

    pub(super) fn update(&mut self, core: &mut Core) {
        let lit = core.lit.iter().filter(|lit| **lit).count();
        if (lit == 0 || lit == core.lit.len()) && self.last_scored != Some(lit) {
            core.score.add_points(1);
            self.last_scored = Some(lit);
        }
    }
}
