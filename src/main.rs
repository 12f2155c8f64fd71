//! The `swarm-analyze` command.

fn main() {}
