//! The SwarmBench world, as the released environment behaves.
//!
//! [`World`] takes actions and gives states; nothing in it knows policies or files.

mod board;
pub mod episode;
pub mod generate;
pub mod mailbox;
mod physics;
pub mod policies;
pub mod policy;
mod python_rng;
mod rules;
pub mod sight;
mod tasks;
pub mod verify;
mod world;
pub mod writer;

pub use board::{Board, FREE, Kind, Mesh, MeshId};
pub use policies::{POLICIES, is_oracle, policy as policy_named};
pub use rules::{MAX_AGENTS, MAX_DELAY, MAX_SIDE, Obstacle, Rules, Sightings, Task};
pub use tasks::{BOX_MASS, target_shape};
pub use world::{Score, World};
