//! Flocking: how close the agents have come to a hollow square, wherever it may lie.

use super::assignment::Assignment;
use super::{add_border, place_agents_anywhere};
use crate::error::Result;
use crate::model::Cell;
use crate::simulate::swarmbench::world::{Core, Score};

/// The released environment draws Flocking's layout from this seed, whatever the run's seed.
pub(super) const SEED: i64 = 42;

/// The hollow square of side ⌊n/4⌋ + 1 that `agents` agents are to form, from its top left corner.
pub fn target_shape(agents: u32) -> Vec<Cell> {
    let last = (agents / 4) as i32;
    (0..=last)
        .flat_map(|y| (0..=last).map(move |x| Cell::new(x, y)))
        .filter(|cell| cell.x == 0 || cell.y == 0 || cell.x == last || cell.y == last)
        .collect()
}

/// The distance at the start and the least one so far.
#[derive(Clone, Debug)]
pub(in super::super) struct Flocking {
    initial: i32,
    least: i32,
    shape: Distance,
}

impl Flocking {
    pub(super) fn lay_out(core: &mut Core) -> Result<Self> {
        add_border(&mut core.board);
        place_agents_anywhere(core)?;
        let mut shape = Distance::new(core.rules.agents, core.rules.width, core.rules.height);
        let initial = shape.below(i32::MAX, whereabouts(core)).unwrap_or(0);
        Ok(Self { initial, least: initial, shape })
    }

    pub(super) fn update(&mut self, core: &mut Core) {
        if let Some(distance) = self.shape.below(self.least, whereabouts(core)) {
            self.least = distance;
            core.score = Score::Whole(i64::from(self.initial - distance));
        }
    }

    pub(super) fn done(&self) -> bool {
        self.least == 0
    }
}

fn whereabouts(core: &Core) -> impl Iterator<Item = Cell> + '_ {
    (0..core.rules.agents).map(|agent| core.board.mesh(agent).at)
}

/// The distance between the agents and the target: the least, over all translations that take some target cell to some
/// agent, of the optimal assignment's Manhattan cost (paper, app. A.3).
///
/// Most translations are ruled out by bounds: what they cost when last worked out, less what the agents have moved since;
/// and the sum of every target cell's distance to its nearest agent.
#[derive(Clone, Debug)]
struct Distance {
    target: Vec<Cell>,
    /// Side of the target less one.
    last: i32,
    /// Translations lie in `-last..` of either axis, this many.
    columns: usize,
    rows: usize,
    /// Per translation: a lower bound of its cost, plus `moved` at the time.
    bound: Vec<i64>,
    /// Cells that all agents together have moved since the start.
    moved: i64,
    agents: Vec<Cell>,
    /// Distance to the nearest agent, over the map and a margin of `last` cells.
    nearest: Vec<i32>,
    field_columns: usize,
    field_rows: usize,
    /// Index steps of the target's cells in `nearest`.
    steps: Vec<usize>,
    cost: Vec<i32>,
    assignment: Assignment,
}

impl Distance {
    fn new(agents: u32, width: u32, height: u32) -> Self {
        let target = target_shape(agents);
        let last = (agents / 4) as i32;
        let (columns, rows) = ((width as i32 + last) as usize, (height as i32 + last) as usize);
        let (field_columns, field_rows) = (columns + last as usize, rows + last as usize);
        let steps = target.iter().map(|cell| cell.y as usize * field_columns + cell.x as usize).collect();
        Self {
            target,
            last,
            columns,
            rows,
            bound: vec![0; columns * rows],
            moved: 0,
            agents: Vec::new(),
            nearest: vec![0; field_columns * field_rows],
            field_columns,
            field_rows,
            steps,
            cost: Vec::new(),
            assignment: Assignment::default(),
        }
    }

    /// The distance, if it is below `least`.
    fn below(&mut self, mut least: i32, agents: impl Iterator<Item = Cell>) -> Option<i32> {
        self.follow(agents);
        let mut field_is_fresh = false;
        let mut found = None;
        for dy in 0..self.rows {
            for dx in 0..self.columns {
                let place = dy * self.columns + dx;
                if self.bound[place] - self.moved >= i64::from(least) {
                    continue;
                }
                if !field_is_fresh {
                    self.spread();
                    field_is_fresh = true;
                }
                let corner = dy * self.field_columns + dx;
                let (mut sum, mut touches) = (0, false);
                for step in &self.steps {
                    let nearest = self.nearest[corner + step];
                    sum += nearest;
                    touches |= nearest == 0;
                }
                if sum < least && touches {
                    match self.cost_at(dx as i32 - self.last, dy as i32 - self.last, least) {
                        Some(cost) => {
                            (least, sum) = (cost, cost);
                            found = Some(cost);
                        }
                        None => sum = least,
                    }
                }
                self.bound[place] = i64::from(sum) + self.moved;
            }
        }
        found
    }

    /// Takes over the agents' cells and counts how far they have moved.
    fn follow(&mut self, agents: impl Iterator<Item = Cell>) {
        if self.agents.is_empty() {
            self.agents.extend(agents);
            return;
        }
        for (known, now) in self.agents.iter_mut().zip(agents) {
            self.moved += known.manhattan(now) as i64;
            *known = now;
        }
    }

    /// Works out every cell's distance to the nearest agent, in two sweeps (Rosenfeld and Pfaltz 1966).
    fn spread(&mut self) {
        let far = (self.field_columns + self.field_rows) as i32;
        self.nearest.fill(far);
        for agent in &self.agents {
            let (x, y) = ((agent.x + self.last) as usize, (agent.y + self.last) as usize);
            self.nearest[y * self.field_columns + x] = 0;
        }
        let (columns, count) = (self.field_columns, self.nearest.len());
        for place in 1..count {
            let left = if place % columns == 0 { far } else { self.nearest[place - 1] };
            let above = if place < columns { far } else { self.nearest[place - columns] };
            self.nearest[place] = self.nearest[place].min(left + 1).min(above + 1);
        }
        for place in (0..count - 1).rev() {
            let right = if (place + 1) % columns == 0 { far } else { self.nearest[place + 1] };
            let below = if place + columns >= count { far } else { self.nearest[place + columns] };
            self.nearest[place] = self.nearest[place].min(right + 1).min(below + 1);
        }
    }

    /// The optimal assignment's cost with the target moved by (dx, dy), if below `least`.
    fn cost_at(&mut self, dx: i32, dy: i32, least: i32) -> Option<i32> {
        self.cost.clear();
        for cell in &self.target {
            let (x, y) = (cell.x + dx, cell.y + dy);
            self.cost.extend(self.agents.iter().map(|agent| (agent.x - x).abs() + (agent.y - y).abs()));
        }
        self.assignment.least(&self.cost, self.target.len(), self.agents.len(), least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::rng::Stream;

    #[test]
    fn the_target_is_a_hollow_square() {
        assert_eq!(target_shape(10).len(), 8);
        assert_eq!(target_shape(16).len(), 16);
        assert_eq!(target_shape(3), [Cell::new(0, 0)]);
    }

    /// The definition itself, without bounds.
    fn by_definition(agents: &[Cell]) -> i32 {
        let target = target_shape(agents.len() as u32);
        let mut assignment = Assignment::default();
        let mut least = i32::MAX;
        for a in agents {
            for t in &target {
                let cost: Vec<i32> = target
                    .iter()
                    .flat_map(|t2| {
                        agents.iter().map(move |a2| (a2.x - t2.x - a.x + t.x, a2.y - t2.y - a.y + t.y))
                    })
                    .map(|(dx, dy)| dx.abs() + dy.abs())
                    .collect();
                let all = assignment.least(&cost, target.len(), agents.len(), i32::MAX).unwrap();
                least = least.min(all);
            }
        }
        least
    }

    #[test]
    fn bounds_never_change_the_distance() {
        let mut stream = Stream::new(9, "flocking");
        for case in 0..60 {
            let count = [1, 3, 5, 8, 10, 12][case % 6];
            let (width, height) = (8 + stream.below(4) as i32, 7 + stream.below(5) as i32);
            let mut cells: Vec<Cell> =
                (1..height - 1).flat_map(|y| (1..width - 1).map(move |x| Cell::new(x, y))).collect();
            stream.shuffle(&mut cells);
            let mut agents = cells[..count].to_vec();
            let mut distance = Distance::new(count as u32, width as u32, height as u32);
            let mut least = i32::MAX;
            for _ in 0..15 {
                let now = by_definition(&agents);
                let found = distance.below(least, agents.iter().copied());
                assert_eq!(found, (now < least).then_some(now));
                least = least.min(now);
                for agent in &mut agents {
                    agent.x = (agent.x + stream.below(3) as i32 - 1).clamp(1, width - 2);
                    agent.y = (agent.y + stream.below(3) as i32 - 1).clamp(1, height - 2);
                }
            }
        }
    }
}
