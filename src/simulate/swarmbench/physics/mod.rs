//! Who moves when everybody pushes at once (paper, app. B).
//!
//! The directions are settled one after the other. In each, an agent exerts force 2 along its own action's sign, and
//! the largest set of objects that can move does so: a mover needs everything straight ahead of it to move, needs as
//! much force as its mass, and hands on the surplus.
//!
//! Objects of one cell form lines along the direction, settled here in one sweep. Lines that touch a movable object
//! of several cells go to [`contested`], which is exact for any shapes.

mod contested;
mod flow;

use super::board::{Board, FREE, MeshId};
use crate::model::{Action, Direction};

/// Force of an agent (paper, app. A.2).
const FORCE: i32 = 2;

/// The force that an action exerts along a direction: 2, −2 against it, 0 across.
fn force_along(action: Action, direction: Direction) -> i32 {
    let Some(own) = action.direction() else { return 0 };
    let ((x, y), (dx, dy)) = (own.vector(), direction.vector());
    FORCE * (x * dx + y * dy)
}

/// Work space of the physics, kept from round to round.
#[derive(Clone, Debug, Default)]
pub(super) struct Physics {
    /// Round-and-direction stamp of the last visit, per object.
    visited: Vec<u32>,
    stamp: u32,
    line: Vec<MeshId>,
    movers: Vec<MeshId>,
    open: Vec<MeshId>,
    graph: contested::Workspace,
    /// Directions settled by the general method so far.
    pub(super) contested_steps: u64,
}

/// What bounds a line of one-cell objects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Free,
    Fixed,
    Large,
}

impl Physics {
    /// Moves everything that the agents' actions can move; `actions[k]` is that of agent `k`.
    pub(super) fn settle(&mut self, board: &mut Board, actions: &[Action]) {
        self.visited.resize(board.meshes().len(), 0);
        let mut wanted = [false; 4];
        for action in actions {
            if let Action::Move(direction) = action {
                wanted[*direction as usize] = true;
            }
        }
        for direction in Direction::ALL {
            if wanted[direction as usize] {
                self.settle_direction(board, actions, direction);
            }
        }
    }

    fn next_stamp(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.visited.fill(0);
            self.stamp = 1;
        }
    }

    fn settle_direction(&mut self, board: &mut Board, actions: &[Action], direction: Direction) {
        self.next_stamp();
        self.movers.clear();
        self.open.clear();
        let step = board.step(direction);
        for (agent, action) in actions.iter().enumerate() {
            let agent = agent as MeshId;
            if *action != Action::Move(direction)
                || self.visited[agent as usize] == self.stamp
                || !board.mesh(agent).present
            {
                continue;
            }
            let behind = walk_back(board, agent, step);
            let ahead = self.walk_line(board, behind.first, step);
            if behind.end == End::Large || ahead == End::Large {
                let along = |id: &MeshId| actions.get(*id as usize).map_or(0, |a| force_along(*a, direction));
                self.open.extend(self.line.iter().filter(|id| along(id) > 0));
            } else if ahead == End::Free {
                self.settle_line(board, actions, direction);
            }
        }
        if !self.open.is_empty() {
            self.contested_steps += 1;
            let force = |id: MeshId| actions.get(id as usize).map_or(0, |a| force_along(*a, direction));
            contested::settle(board, step, &self.open, force, &mut self.graph, &mut self.movers);
        }
        if !self.movers.is_empty() {
            board.shift(&self.movers, direction);
        }
    }

    /// Collects the line that starts at its last object; returns what its foremost one faces.
    fn walk_line(&mut self, board: &Board, first: MeshId, step: i32) -> End {
        self.line.clear();
        let mut id = first;
        loop {
            self.line.push(id);
            self.visited[id as usize] = self.stamp;
            match board.beside(id, step) {
                FREE => return End::Free,
                next if board.mesh(next).fixed => return End::Fixed,
                next if board.mesh(next).shape.len() > 1 => return End::Large,
                next => id = next,
            }
        }
    }

    /// A line with nothing ahead of it: from the back, each object hands on what it does not need; the movers are
    /// the longest stretch up to the front in which everybody has enough.
    fn settle_line(&mut self, board: &Board, actions: &[Action], direction: Direction) {
        let (mut carried, mut start) = (0, 0);
        for (place, &id) in self.line.iter().enumerate() {
            let own = actions.get(id as usize).map_or(0, |action| force_along(*action, direction));
            let surplus = carried + own - board.mesh(id).mass;
            if surplus < 0 {
                start = place + 1;
            }
            carried = surplus.max(0);
        }
        self.movers.extend_from_slice(&self.line[start..]);
    }
}

/// From an object of one cell back to the last of its line.
fn walk_back(board: &Board, from: MeshId, step: i32) -> Tail {
    let mut first = from;
    loop {
        let end = match board.beside(first, -step) {
            FREE => End::Free,
            id if board.mesh(id).fixed => End::Fixed,
            id if board.mesh(id).shape.len() > 1 => End::Large,
            id => {
                first = id;
                continue;
            }
        };
        return Tail { first, end };
    }
}

struct Tail {
    first: MeshId,
    end: End,
}

#[cfg(test)]
mod tests;
