//! Transport: a heavy box plugs the only gap; push it out and leave.

use super::{add_fixed, place_agents_anywhere};
use crate::error::Result;
use crate::model::Cell;
use crate::simulate::swarmbench::board::{Board, Kind};
use crate::simulate::swarmbench::rules::Obstacle;
use crate::simulate::swarmbench::world::Core;

/// What it takes to move the box, whatever its shape: five agents (paper, app. A.3).
pub const BOX_MASS: i32 = 5;
/// Longest side of a box, in cells.
pub(super) const EXTENT: u32 = 5;
/// Cells of the gap.
const GAP: i32 = 4;

/// One of the eight places of the gap: the four cells of a border that end in one of its corners.
///
/// The box plugs the gap with a bar; behind it lies a block of 3×3 cells, from the third cell of the gap to one beyond.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Whether the gap is in the top or bottom border.
    horizontal: bool,
    /// Whether that border is the bottom or the right one.
    far_side: bool,
    /// Whether the gap ends in the right or the bottom corner.
    far_corner: bool,
}

/// The eight places in the released order.
const PLACES: [Place; 8] = [
    place(true, true, true),
    place(true, true, false),
    place(false, true, false),
    place(false, true, true),
    place(false, false, false),
    place(false, false, true),
    place(true, false, false),
    place(true, false, true),
];

const fn place(horizontal: bool, far_side: bool, far_corner: bool) -> Place {
    Place { horizontal, far_side, far_corner }
}

impl Place {
    /// The cell `along` the border from the corner and `inwards` from the border.
    fn cell(self, along: i32, inwards: i32, width: u32, height: u32) -> Cell {
        let (length, depth) = if self.horizontal { (width, height) } else { (height, width) };
        let along = if self.far_corner { length as i32 - 1 - along } else { along };
        let inwards = if self.far_side { depth as i32 - 1 - inwards } else { inwards };
        if self.horizontal { Cell::new(along, inwards) } else { Cell::new(inwards, along) }
    }

    /// A box's cells, in (along, inwards).
    fn shape(obstacle: Obstacle) -> Vec<(i32, i32)> {
        let (bar, block) = match obstacle {
            Obstacle::LShape => (0..GAP, 2..5),
            // One cell off the corner, so that the square does not open the other border as well.
            Obstacle::Square => (1..GAP + 1, 1..GAP + 1),
        };
        let bar = bar.map(|along| (along, 0));
        bar.chain(block.flat_map(|along| (1..4).map(move |inwards| (along, inwards)))).collect()
    }
}

/// Nothing but the board and the agents' whereabouts.
#[derive(Clone, Debug)]
pub(in super::super) struct Transport;

impl Transport {
    pub(super) fn lay_out(core: &mut Core) -> Result<Self> {
        let (width, height) = (core.rules.width, core.rules.height);
        let place = PLACES[core.random.below(PLACES.len() as u32) as usize];
        let cells: Vec<Cell> = Place::shape(core.rules.obstacle)
            .into_iter()
            .map(|(along, inwards)| place.cell(along, inwards, width, height))
            .collect();
        let mut border = Board::border(width, height);
        border.retain(|cell| !cells.contains(cell));
        add_fixed(&mut core.board, Kind::Wall, border);
        let origin = cells[0];
        let shape = cells.iter().map(|cell| cell.offset(-origin.x, -origin.y)).collect();
        let id = core.board.add(Kind::Box, shape, false, BOX_MASS);
        core.board.put(id, origin);
        place_agents_anywhere(core)?;
        Ok(Self)
    }

    /// Agents that are outside for the first time score what is left of the time.
    #[expect(clippy::unused_self, reason = "the same shape as the other tasks")]
    pub(super) fn update(&mut self, core: &mut Core) {
        let max_round = f64::from(core.rules.max_round);
        let share = (max_round - f64::from(core.round)) / max_round;
        for agent in 0..core.rules.agents {
            if core.active[agent as usize] && !core.board.mesh(agent).present {
                core.score.add_share(share);
            }
        }
    }
}
