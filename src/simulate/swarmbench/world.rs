//! The world of one run: layout, moves, score. Generic over nothing, knows no files: actions in, state out.

use super::board::{Board, Kind};
use super::physics::Physics;
use super::python_rng::PythonRandom;
use super::rules::{Rules, Task};
use super::tasks::{self, State};
use crate::error::Result;
use crate::model::{Action, Cell, Grid};

/// A score as the released code keeps it: a whole number until a fraction is added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Score {
    /// Written without a decimal point.
    Whole(i64),
    /// Written with one.
    Fraction(f64),
}

impl Score {
    /// The number.
    pub fn value(self) -> f64 {
        match self {
            Self::Whole(points) => points as f64,
            Self::Fraction(value) => value,
        }
    }

    pub(super) fn add_points(&mut self, points: i64) {
        *self = match *self {
            Self::Whole(own) => Self::Whole(own + points),
            Self::Fraction(own) => Self::Fraction(own + points as f64),
        };
    }

    pub(super) fn add_share(&mut self, share: f64) {
        *self = Self::Fraction(self.value() + share);
    }
}

/// What the tasks work on.
#[derive(Clone, Debug)]
pub(super) struct Core {
    pub(super) rules: Rules,
    pub(super) board: Board,
    pub(super) random: PythonRandom,
    pub(super) round: u32,
    pub(super) score: Score,
    /// Whether an agent's grid letter is `A`: light on, or carrying food; always so in the other tasks.
    pub(super) lit: Vec<bool>,
    /// Whether an agent is still on the map.
    pub(super) active: Vec<bool>,
}

/// A world in some round.
#[derive(Clone, Debug)]
pub struct World {
    core: Core,
    physics: Physics,
    state: State,
}

impl World {
    /// The world in round 0.
    ///
    /// # Errors
    /// [`crate::Error::Usage`] if the rules can't be played: map too small, no room for the agents.
    pub fn new(rules: &Rules) -> Result<Self> {
        rules.check()?;
        let mut board = Board::new(rules.width, rules.height, tasks::extent(rules.task));
        for _ in 0..rules.agents {
            board.add(Kind::Agent, vec![Cell::new(0, 0)], false, 1);
        }
        let agents = rules.agents as usize;
        let mut core = Core {
            rules: rules.clone(),
            board,
            random: tasks::generator(rules),
            round: 0,
            score: Score::Whole(0),
            lit: vec![true; agents],
            active: vec![true; agents],
        };
        let state = State::lay_out(&mut core)?;
        Ok(Self { core, physics: Physics::default(), state })
    }

    /// Plays a round. Actions of agents that are off the map are ignored; agents without an action stay.
    pub fn step(&mut self, actions: &[Action]) {
        let core = &mut self.core;
        let actions = &actions[..actions.len().min(core.active.len())];
        if core.rules.task == Task::Synchronization {
            for (agent, action) in actions.iter().enumerate() {
                core.lit[agent] ^= *action == Action::Switch;
            }
        }
        self.physics.settle(&mut core.board, actions);
        self.state.update(core);
        if core.rules.task == Task::Transport {
            // Only Transport has a way out.
            for agent in 0..core.rules.agents {
                core.active[agent as usize] &= core.board.mesh(agent).present;
            }
        }
        core.round += 1;
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.core.rules
    }

    /// Grid and objects.
    pub fn board(&self) -> &Board {
        &self.core.board
    }

    /// The round whose decisions come next; also the number of rounds played.
    pub fn round(&self) -> u32 {
        self.core.round
    }

    /// The score so far.
    pub fn score(&self) -> Score {
        self.core.score
    }

    /// Whether the episode is over: task done or time up.
    pub fn over(&self) -> bool {
        self.core.round >= self.core.rules.max_round || self.state.done(&self.core)
    }

    /// An agent's cell, possibly outside.
    pub fn agent(&self, agent: u32) -> Cell {
        self.core.board.mesh(agent).at
    }

    /// Whether an agent is still on the map.
    pub fn is_active(&self, agent: u32) -> bool {
        self.core.active[agent as usize]
    }

    /// Whether an agent's grid letter is `A`: its light is on, or it carries food; always so in the other tasks.
    pub fn is_lit(&self, agent: u32) -> bool {
        self.core.lit[agent as usize]
    }

    /// Directions that the general method of the physics has settled so far.
    pub fn contested_steps(&self) -> u64 {
        self.physics.contested_steps
    }

    /// The letter of the logged grid at a cell inside.
    pub fn letter(&self, cell: Cell) -> u8 {
        let owner = self.core.board.owner(cell);
        if owner < self.core.rules.agents {
            return if self.core.lit[owner as usize] { b'A' } else { b'a' };
        }
        self.core.board.kind_at(cell).map_or(b'.', Kind::letter)
    }

    /// The grid as it is logged.
    pub fn grid(&self) -> Grid {
        let (width, height) = (self.core.rules.width, self.core.rules.height);
        let cells = (0..height as i32)
            .flat_map(|y| (0..width as i32).map(move |x| Cell::new(x, y)))
            .map(|cell| self.letter(cell))
            .collect();
        Grid { width: width as usize, height: height as usize, cells }
    }
}
