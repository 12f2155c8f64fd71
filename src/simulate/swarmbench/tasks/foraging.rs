//! Foraging: food in one corner, the nest in the opposite one, walls with gaps between.

use super::{add_fixed, place_agents_anywhere};
use crate::error::Result;
use crate::model::{Cell, Direction};
use crate::simulate::swarmbench::board::{Board, FREE, Kind, MeshId};
use crate::simulate::swarmbench::world::Core;

/// The food and the nest.
#[derive(Clone, Debug)]
pub(in super::super) struct Foraging {
    food: MeshId,
    nest: MeshId,
}

impl Foraging {
    pub(super) fn lay_out(core: &mut Core) -> Result<Self> {
        let (width, height) = (core.rules.width as i32, core.rules.height as i32);
        let mut food = Cell::new(0, core.random.either(1, height - 3));
        food.x = core.random.either(1, width - 3);
        let mut nest = Cell::new(width - 2 - food.x, height - 2 - food.y);
        let horizontal = core.random.between(0, 1) == 0;
        let (along, across) = if horizontal { (width, height) } else { (height, width) };
        let lines: Vec<i32> = (4..across - 4).step_by(4).collect();
        if lines.len() % 2 == 1 {
            if horizontal {
                (food.x, nest.x) = (1, 1);
            } else {
                (food.y, nest.y) = (1, 1);
            }
        }
        let mut cells = Board::border(core.rules.width, core.rules.height);
        for (number, &line) in lines.iter().enumerate() {
            let span = if number % 2 == 0 {
                0..along - (along - 1) / 3 // ⌈along/3⌉ − 1 cells stay free
            } else {
                along / 3..along
            };
            cells.extend(
                span.map(|place| if horizontal { Cell::new(place, line) } else { Cell::new(line, place) }),
            );
        }
        cells.sort_by_key(|cell| (cell.y, cell.x));
        cells.dedup();
        add_fixed(&mut core.board, Kind::Wall, cells);
        let square = |at: Cell| {
            [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter().map(|(dx, dy)| at.offset(dx, dy)).collect()
        };
        let food = add_fixed(&mut core.board, Kind::Food, square(food));
        let nest = add_fixed(&mut core.board, Kind::Nest, square(nest));
        core.lit.fill(false);
        place_agents_anywhere(core)?;
        Ok(Self { food, nest })
    }

    pub(super) fn update(&mut self, core: &mut Core) {
        for agent in 0..core.rules.agents {
            let steps = Direction::ALL.map(|direction| core.board.beside(agent, core.board.step(direction)));
            if steps == [FREE; 4] {
                continue;
            }
            let carrying = &mut core.lit[agent as usize];
            if steps.contains(&self.food) {
                *carrying = true;
            }
            if steps.contains(&self.nest) {
                core.score.add_points(i64::from(*carrying));
                *carrying = false;
            }
        }
    }
}
