//! The SwarmBench world, as the released environment behaves.
//!
//! [`World`] takes actions and gives states; nothing in it knows policies or files.

mod board;
mod physics;
mod python_rng;
mod rules;
mod tasks;
mod world;

pub use board::{Board, FREE, Kind, Mesh, MeshId};
pub use rules::{MAX_AGENTS, MAX_DELAY, MAX_SIDE, Obstacle, Rules, Sightings, Task};
pub use tasks::{BOX_MASS, target_shape};
pub use world::{Score, World};
