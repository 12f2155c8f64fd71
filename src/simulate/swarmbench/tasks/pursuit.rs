//! Pursuit: a prey that flees two cells a round towards the least dangerous place, until its four neighbours are taken.

use super::{add_border, place_agents};
use crate::error::Result;
use crate::model::Cell;
use crate::simulate::swarmbench::board::{Kind, MeshId};
use crate::simulate::swarmbench::world::Core;

/// Steps (di, dj) in the order in which the prey tries them.
const STEPS: [(i32, i32); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
/// A wall frightens a little less than an agent.
const WALL_DANGER: f64 = 0.9;

/// The prey.
#[derive(Clone, Debug)]
pub(in super::super) struct Pursuit {
    prey: MeshId,
    wall: MeshId,
}

impl Pursuit {
    pub(super) fn lay_out(core: &mut Core) -> Result<Self> {
        add_border(&mut core.board);
        let wall = core.board.meshes().len() as MeshId - 1;
        let (width, height) = (core.rules.width as i32, core.rules.height as i32);
        let i = core.random.between(height / 2 + 1, height - 2);
        let j = core.random.between(width / 2 + 1, width - 2);
        let prey = core.board.add(Kind::Prey, vec![Cell::new(0, 0)], false, 1);
        core.board.put(prey, Cell::new(j, i));
        // The released code bounds the column by the height and the row by the width.
        place_agents(core, (height / 2).max(5), (width / 2).max(5))?;
        Ok(Self { prey, wall })
    }

    pub(super) fn update(&mut self, core: &mut Core) {
        let prey = core.board.mesh(self.prey);
        if !prey.present {
            return;
        }
        let Cell { x: j, y: i } = prey.at;
        let cornered = STEPS.iter().all(|(di, dj)| !core.board.is_free(Cell::new(j + dj, i + di)));
        if cornered {
            core.score.add_points(1);
            core.board.take_off(self.prey);
            core.board.fix(self.prey);
            if let Some(home) = self.quiet_place(core) {
                core.board.put(self.prey, home);
            }
        } else if let Some(refuge) = self.refuge(core, i, j) {
            core.board.take_off(self.prey);
            core.board.put(self.prey, refuge);
        }
    }

    /// Where a new prey appears: the least dangerous of the first height·width free draws; `None` on a full map, on
    /// which the released code would search for ever.
    fn quiet_place(&self, core: &mut Core) -> Option<Cell> {
        let (width, height) = (core.rules.width as i32, core.rules.height as i32);
        let mut inner = (1..height - 1).flat_map(|y| (1..width - 1).map(move |x| Cell::new(x, y)));
        if !inner.any(|cell| core.board.is_free(cell)) {
            return None;
        }
        let mut best: Option<(f64, Cell)> = None;
        let mut free_draws = 0;
        while free_draws < height * width {
            let i = core.random.between(1, height - 2);
            let j = core.random.between(1, width - 2);
            if core.board.is_free(Cell::new(j, i)) {
                free_draws += 1;
                let danger = self.danger(core, i, j);
                if best.is_none_or(|(least, _)| danger < least) {
                    best = Some((danger, Cell::new(j, i)));
                }
            }
        }
        best.map(|(_, cell)| cell)
    }

    /// Where the prey flees to; `None` if it stays.
    fn refuge(&self, core: &Core, i: i32, j: i32) -> Option<Cell> {
        let free = |(di, dj): (i32, i32)| core.board.is_free(Cell::new(j + dj, i + di));
        // The released code takes the danger one column to the left as that of staying.
        let mut least = self.danger(core, i, j - 1);
        let mut refuge = None;
        for first in STEPS.into_iter().filter(|step| free(*step)) {
            for second in STEPS.into_iter().filter(|step| free(*step)) {
                let both = (first.0 + second.0, first.1 + second.1);
                if free(both) {
                    let danger = self.danger(core, i + both.0, j + both.1);
                    if danger < least {
                        least = danger;
                        refuge = Some(Cell::new(j + both.1, i + both.0));
                    }
                }
            }
        }
        refuge
    }

    /// Agents + 0.9 · walls in rows i−4..i+3 and columns j−4..j+3, as far as they are inside.
    fn danger(&self, core: &Core, i: i32, j: i32) -> f64 {
        let (mut agents, mut walls) = (0_u32, 0_u32);
        for y in (i - 4).max(0)..=(i + 3).min(core.rules.height as i32 - 1) {
            let left = (j - 4).max(0);
            let right = (j + 3).min(core.rules.width as i32 - 1);
            for &owner in core.board.row(y, left, right) {
                agents += u32::from(owner < core.rules.agents);
                walls += u32::from(owner == self.wall);
            }
        }
        f64::from(agents) + WALL_DANGER * f64::from(walls)
    }
}
