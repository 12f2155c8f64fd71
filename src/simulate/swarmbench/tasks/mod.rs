//! The five tasks: how each lays out its map, what it does after the moves, when it is done. One file per task.

pub(super) mod assignment;
mod axis;
mod distance;
mod flocking;
mod foraging;
mod matching;
mod occupancy;
mod pursuit;
mod synchronization;
mod transport;

use super::board::{Board, Kind};
use super::python_rng::PythonRandom;
use super::rules::{Rules, Task};
use super::world::Core;
use crate::error::{Error, Result};
use crate::model::Cell;

pub use flocking::target_shape;
pub use transport::BOX_MASS;

/// The state that a task keeps between rounds.
#[derive(Clone, Debug)]
pub(super) enum State {
    Pursuit(pursuit::Pursuit),
    Synchronization(synchronization::Synchronization),
    Foraging(foraging::Foraging),
    Flocking(Box<flocking::Flocking>),
    Transport(transport::Transport),
}

impl State {
    /// Draws the layout, objects first and agents last.
    pub(super) fn lay_out(core: &mut Core) -> Result<Self> {
        Ok(match core.rules.task {
            Task::Pursuit => Self::Pursuit(pursuit::Pursuit::lay_out(core)?),
            Task::Synchronization => Self::Synchronization(synchronization::Synchronization::lay_out(core)?),
            Task::Foraging => Self::Foraging(foraging::Foraging::lay_out(core)?),
            Task::Flocking => Self::Flocking(Box::new(flocking::Flocking::lay_out(core)?)),
            Task::Transport => Self::Transport(transport::Transport::lay_out(core)?),
        })
    }

    /// What happens after a round's moves.
    pub(super) fn update(&mut self, core: &mut Core) {
        match self {
            Self::Pursuit(state) => state.update(core),
            Self::Synchronization(state) => state.update(core),
            Self::Foraging(state) => state.update(core),
            Self::Flocking(state) => state.update(core),
            Self::Transport(state) => state.update(core),
        }
    }

    /// Whether nothing is left to do.
    pub(super) fn done(&self, core: &Core) -> bool {
        match self {
            Self::Pursuit(_) | Self::Synchronization(_) | Self::Foraging(_) => false,
            Self::Flocking(state) => state.done(),
            Self::Transport(_) => !core.active.contains(&true),
        }
    }
}

/// The generator of a task instance: Flocking ignores the run's seed.
pub(super) fn generator(rules: &Rules) -> PythonRandom {
    PythonRandom::new(if rules.task == Task::Flocking { flocking::SEED } else { rules.seed })
}

/// The widest movable object, in cells.
pub(super) fn extent(task: Task) -> u32 {
    if task == Task::Transport { transport::EXTENT } else { 1 }
}

/// Adds the closed border.
fn add_border(board: &mut Board) {
    let border = Board::border(board.width, board.height);
    add_fixed(board, Kind::Wall, border);
}

/// Adds a fixed object at absolute cells; returns its number.
fn add_fixed(board: &mut Board, kind: Kind, cells: Vec<Cell>) -> u32 {
    let mass = super::board::mass_of(cells.len());
    let id = board.add(kind, cells, true, mass);
    board.put(id, Cell::new(0, 0));
    id
}

/// Places the agents in order: x drawn from 1..=`x_high`, then y from 1..=`y_high`, again while the cell is not free.
fn place_agents(core: &mut Core, x_high: i32, y_high: i32) -> Result<()> {
    let room = (1..=y_high)
        .flat_map(|y| (1..=x_high).map(move |x| Cell::new(x, y)))
        .filter(|&cell| core.board.is_free(cell))
        .take(core.rules.agents as usize)
        .count();
    if room < core.rules.agents as usize {
        return Err(Error::Usage(format!(
            "{} agents don't fit: {} on a map of {}x{} cells has room for {room} at the start; give fewer --agents or a larger map",
            core.rules.agents,
            core.rules.task.name(),
            core.rules.width,
            core.rules.height
        )));
    }
    for agent in 0..core.rules.agents {
        loop {
            let x = core.random.between(1, x_high);
            let y = core.random.between(1, y_high);
            let cell = Cell::new(x, y);
            if core.board.is_free(cell) {
                core.board.put(agent, cell);
                break;
            }
        }
    }
    Ok(())
}

/// Places the agents anywhere within the border.
fn place_agents_anywhere(core: &mut Core) -> Result<()> {
    let (x_high, y_high) = (core.rules.width as i32 - 2, core.rules.height as i32 - 2);
    place_agents(core, x_high, y_high)
}
