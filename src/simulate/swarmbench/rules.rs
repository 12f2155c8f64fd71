//! What defines a run before anybody acts: task, seed, sizes and variants of the rules.

use crate::error::{Error, Result};
use crate::model::SwarmTask;

/// One of the five tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Task {
    /// Surround the prey.
    Pursuit,
    /// All lights on, then all off, in alternation.
    Synchronization,
    /// Carry food to the nest.
    Foraging,
    /// Form a hollow square.
    Flocking,
    /// Push the box out of the gap and leave.
    Transport,
}

impl std::fmt::Display for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Task {
    /// All five, in the paper's order.
    pub const ALL: [Self; 5] =
        [Self::Pursuit, Self::Synchronization, Self::Foraging, Self::Flocking, Self::Transport];

    /// The simulated task behind a task of the logs; `None` for tasks that this version does not know.
    pub fn of(task: &SwarmTask) -> Option<Self> {
        Some(match task {
            SwarmTask::Pursuit => Self::Pursuit,
            SwarmTask::Synchronization => Self::Synchronization,
            SwarmTask::Foraging => Self::Foraging,
            SwarmTask::Flocking => Self::Flocking,
            SwarmTask::Transport => Self::Transport,
            SwarmTask::Other(_) => return None,
        })
    }

    /// The task's name in the logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pursuit => "Pursuit",
            Self::Synchronization => "Synchronization",
            Self::Foraging => "Foraging",
            Self::Flocking => "Flocking",
            Self::Transport => "Transport",
        }
    }
}

/// The box of Transport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Obstacle {
    /// One of the eight L shapes of the released environment.
    #[default]
    LShape,
    /// A solid square that fills the gap, as in the paper's Figure 8.
    Square,
}

impl Obstacle {
    /// The name on the command line and in the meta entry.
    pub fn name(self) -> &'static str {
        match self {
            Self::LShape => "l-shape",
            Self::Square => "square",
        }
    }

    /// The obstacle of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::LShape, Self::Square].into_iter().find(|obstacle| obstacle.name() == name)
    }
}

/// What agents see and who hears whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sightings {
    /// Everybody sees and hears a square around itself.
    #[default]
    Local,
    /// `Agent_0` sees the whole map, hears everybody and is heard by everybody; the others hear it alone and do
    /// as it orders (the paper's centralised variant, app. L.3).
    Global,
}

/// Everything that defines a run, apart from the agents' actions.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// The task.
    pub task: Task,
    /// The seed of layout and prey; Flocking's layout ignores it, as the released environment does.
    pub seed: i64,
    /// Number of agents.
    pub agents: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Rounds that the run can last.
    pub max_round: u32,
    /// Side of an agent's square view, in cells.
    pub view_size: u32,
    /// The box of Transport.
    pub obstacle: Obstacle,
    /// Local or centralised.
    pub sightings: Sightings,
    /// Chance of a message to be corrupted on its way, in 0..=1.
    pub noise: f64,
    /// Longest extra delay of a message, in rounds; each message draws its own from `0..=delay`.
    pub delay: u32,
}

impl Rules {
    /// The released setting: 10×10 cells, 10 agents, 100 rounds, a view of 5×5 cells.
    pub fn released(task: Task, seed: i64) -> Self {
        Self {
            task,
            seed,
            agents: 10,
            width: 10,
            height: 10,
            max_round: 100,
            view_size: 5,
            obstacle: Obstacle::LShape,
            sightings: Sightings::Local,
            noise: 0.0,
            delay: 0,
        }
    }

    /// How far agents see and hear, in cells (Chebyshev): ⌊view/2⌋.
    pub fn reach(&self) -> i32 {
        (self.view_size / 2) as i32
    }

    /// Checks the sizes: a map so small that the task's objects do not fit, or too large to handle, is refused.
    ///
    /// # Errors
    /// [`Error::Usage`] naming the value and the range that is allowed.
    pub fn check(&self) -> Result<()> {
        let smallest = match self.task {
            Task::Pursuit => 5,
            Task::Synchronization | Task::Flocking => 3,
            Task::Foraging | Task::Transport => 7,
        };
        let sides = smallest..=MAX_SIDE;
        if !sides.contains(&self.width) || !sides.contains(&self.height) {
            return Err(Error::Usage(format!(
                "a map of {}x{} cells can't be simulated in {}; give --width and --height from {smallest} to {MAX_SIDE}",
                self.width,
                self.height,
                self.task.name()
            )));
        }
        if self.agents == 0 || self.agents > MAX_AGENTS {
            return Err(Error::Usage(format!(
                "{} agents can't be simulated; give --agents from 1 to {MAX_AGENTS}",
                self.agents
            )));
        }
        if self.view_size == 0 || self.view_size > MAX_SIDE {
            return Err(Error::Usage(format!(
                "a view of {} cells can't be simulated; give --view from 1 to {MAX_SIDE}",
                self.view_size
            )));
        }
        if !(0.0..=1.0).contains(&self.noise) {
            return Err(Error::Usage(format!("noise {} is no chance; give --noise from 0 to 1", self.noise)));
        }
        if self.delay > MAX_DELAY {
            return Err(Error::Usage(format!(
                "delay {} is too long; give --delay up to {MAX_DELAY}",
                self.delay
            )));
        }
        Ok(())
    }
}

/// Longest side of a map, in cells.
pub const MAX_SIDE: u32 = 1000;
/// Most agents of a run.
pub const MAX_AGENTS: u32 = 100_000;
/// Longest extra delay of a message, in rounds.
pub const MAX_DELAY: u32 = 100;
