//! trajectory.
