//! What one agent knows at the start of a round: its square view, its own state, and what it hears.

use super::board::{FREE, Kind};
use super::mailbox::Delivered;
use super::rules::{Sightings, Task};
use super::tasks::target_shape;
use super::world::{Score, World};
use crate::model::{Cell, Direction};

/// What an agent sees in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Beyond the view.
    Unseen,
    /// Beyond the map.
    OffMap,
    /// An empty cell.
    Free,
    /// A wall.
    Wall,
    /// An agent.
    Agent {
        /// Its number.
        id: u32,
        /// Whether its light is on, or it carries food.
        lit: bool,
    },
    /// The prey.
    Prey,
    /// Food.
    Food,
    /// The nest.
    Nest,
    /// The box.
    Box,
}

/// The state of a round before its decisions: what a whole team can know.
#[derive(Clone, Copy, Debug)]
pub struct RoundStart<'a> {
    /// The world. Only `oracle-*` planners may look at it directly.
    pub world: &'a World,
    /// The messages that arrive now.
    pub delivered: &'a [Delivered],
}

impl<'a> RoundStart<'a> {
    /// What an agent sees and hears by the rules.
    pub fn sight(self, agent: u32) -> Sight<'a> {
        let rules = self.world.rules();
        let commands = rules.sightings == Sightings::Global && agent == 0;
        Sight { start: self, agent, reach: if commands { i32::MAX } else { rules.reach() } }
    }

    /// What an agent would see if its view were the whole map.
    pub fn full_sight(self, agent: u32) -> Sight<'a> {
        Sight { start: self, agent, reach: i32::MAX }
    }
}

/// One agent's knowledge. Policies that are not `oracle-*` get nothing else.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    start: RoundStart<'a>,
    agent: u32,
    reach: i32,
}

impl<'a> Sight<'a> {
    /// The agent's own number.
    pub fn me(&self) -> u32 {
        self.agent
    }

    /// The agent's own cell.
    pub fn cell(&self) -> Cell {
        self.start.world.agent(self.agent)
    }

    /// Whether the agent's own light is on, or it carries food.
    pub fn lit(&self) -> bool {
        self.start.world.is_lit(self.agent)
    }

    /// The task.
    pub fn task(&self) -> Task {
        self.start.world.rules().task
    }

    /// The current round.
    pub fn round(&self) -> u32 {
        self.start.world.round()
    }

    /// The team's score so far.
    pub fn score(&self) -> Score {
        self.start.world.score()
    }

    /// How far the view reaches, in cells.
    pub fn reach(&self) -> i32 {
        self.reach
    }

    /// The shape to form in Flocking, which the task's description gives.
    pub fn target_shape(&self) -> Vec<Cell> {
        target_shape(self.start.world.rules().agents)
    }

    /// What is at a cell.
    pub fn look(&self, cell: Cell) -> Seen {
        if i64::from(self.cell().chebyshev(cell)) > i64::from(self.reach) {
            return Seen::Unseen;
        }
        let world = self.start.world;
        let board = world.board();
        if !board.inside(cell) {
            return Seen::OffMap;
        }
        let owner = board.owner(cell);
        if owner == FREE {
            return Seen::Free;
        }
        match board.mesh(owner).kind {
            Kind::Agent => Seen::Agent { id: owner, lit: world.is_lit(owner) },
            Kind::Wall => Seen::Wall,
            Kind::Prey => Seen::Prey,
            Kind::Food => Seen::Food,
            Kind::Nest => Seen::Nest,
            Kind::Box => Seen::Box,
        }
    }

    /// What is next to the agent in a direction; only its own cell is known to a view of one cell.
    pub fn beside(&self, direction: Direction) -> Seen {
        let (dx, dy) = direction.vector();
        self.look(self.cell().offset(dx, dy))
    }

    /// The cells of the view, row by row, those off the map included.
    pub fn view(&self) -> impl Iterator<Item = (Cell, Seen)> + use<'a> {
        let sight = *self;
        self.rows().flat_map(move |row| row.map(move |cell| (cell, sight.look(cell))))
    }

    /// The cells of the view as rows: a square around the agent, or the whole map for who sees all of it.
    pub fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = Cell> + use<'a>> + use<'a> {
        let rules = self.start.world.rules();
        let me = self.cell();
        let (xs, ys) = if self.reach == i32::MAX {
            (0..rules.width as i32, 0..rules.height as i32)
        } else {
            (me.x - self.reach..me.x + self.reach + 1, me.y - self.reach..me.y + self.reach + 1)
        };
        ys.map(move |y| xs.clone().map(move |x| Cell::new(x, y)))
    }

    /// What the agent hears, by round sent and sender; without names, as messages are anonymous.
    ///
    /// It hears senders within reach, both positions at the time of delivery; in the centralised variant everybody
    /// hears `Agent_0` and is heard by it, and no one else.
    pub fn heard(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let (start, me) = (self.start, self.agent);
        let rules = start.world.rules();
        let reach = rules.reach() as u32;
        start
            .delivered
            .iter()
            .filter(move |message| {
                message.from != me
                    && match rules.sightings {
                        Sightings::Local => {
                            start.world.agent(me).chebyshev(start.world.agent(message.from)) <= reach
                        }
                        Sightings::Global => me == 0 || message.from == 0,
                    }
            })
            .map(|message| message.text.as_str())
    }
}
