//! Actions of SwarmBench agents.

/// One of the four grid directions, in the order in which the physics settles them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Towards row 0.
    Up,
    /// Away from row 0.
    Down,
    /// Towards column 0.
    Left,
    /// Away from column 0.
    Right,
}

impl Direction {
    /// All four, in the physics' order.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The unit vector (dx, dy), `y` growing downwards: UP is (0, −1).
    pub const fn vector(self) -> (i32, i32) {
        match self {
            Self::Up => (0, -1),
            Self::Down => (0, 1),
            Self::Left => (-1, 0),
            Self::Right => (1, 0),
        }
    }
}

/// What an agent did in a round, as logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// UP, DOWN, LEFT or RIGHT.
    Move(Direction),
    /// STAY, which also stands for "no parsable action".
    Stay,
    /// SWITCH (the light, in Synchronization).
    Switch,
    /// Another task's action: an index into [`super::SwarmRun::other_actions`].
    Other(u16),
}

impl Action {
    /// The action with this released name, if it is one of the six.
    pub fn from_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"UP" => Self::Move(Direction::Up),
            b"DOWN" => Self::Move(Direction::Down),
            b"LEFT" => Self::Move(Direction::Left),
            b"RIGHT" => Self::Move(Direction::Right),
            b"STAY" => Self::Stay,
            b"SWITCH" => Self::Switch,
            _ => return None,
        })
    }

    /// The direction of a move.
    pub fn direction(self) -> Option<Direction> {
        match self {
            Self::Move(direction) => Some(direction),
            _ => None,
        }
    }

    /// The name in the released logs; `None` for [`Action::Other`].
    pub fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::Move(Direction::Up) => "UP",
            Self::Move(Direction::Down) => "DOWN",
            Self::Move(Direction::Left) => "LEFT",
            Self::Move(Direction::Right) => "RIGHT",
            Self::Stay => "STAY",
            Self::Switch => "SWITCH",
            Self::Other(_) => return None,
        })
    }
}
