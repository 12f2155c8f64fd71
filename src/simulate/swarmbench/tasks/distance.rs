//! The distance between agents and Flocking's target: exact, with most translations ruled out by bounds.

use super::assignment::Assignment;
use super::flocking::target_shape;
use crate::model::Cell;

/// The least cost, over all translations that take some target cell to some agent, of the optimal assignment of the
/// target's cells to agents; a pair costs its Manhattan distance (paper, app. A.3).
///
/// A translation is ruled out by a lower bound of its cost: what it cost when last worked out, less what all agents have
/// moved since; or the sum of the best assignments by columns alone and by rows alone.
#[derive(Clone, Debug)]
pub(super) struct Distance {
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
    /// Where agents are, over the map and a margin of `last` cells.
    taken: Vec<bool>,
    field_columns: usize,
    /// Index steps of the target's cells in `taken`.
    steps: Vec<usize>,
    /// The target's coordinates on either axis, ascending: the same, as the target is a square.
    line: Vec<i32>,
    sorted: Vec<i32>,
    by_column: Vec<i32>,
    by_row: Vec<i32>,
    cost: Vec<i32>,
    assignment: Assignment,
}

/// At most so many agents have no target cell: the target has 4·⌊n/4⌋ cells, or one for fewer than four agents.
const MOST_SPARE: usize = 3;

impl Distance {
    pub(super) fn new(agents: u32, width: u32, height: u32) -> Self {
        let target = target_shape(agents);
        let last = (agents / 4) as i32;
        let (columns, rows) = ((width as i32 + last) as usize, (height as i32 + last) as usize);
        let (field_columns, field_rows) = (columns + last as usize, rows + last as usize);
        let steps = target.iter().map(|cell| cell.y as usize * field_columns + cell.x as usize).collect();
        let mut line: Vec<i32> = target.iter().map(|cell| cell.x).collect();
        line.sort_unstable();
        Self {
            target,
            last,
            columns,
            rows,
            bound: vec![0; columns * rows],
            moved: 0,
            agents: Vec::new(),
            taken: vec![false; field_columns * field_rows],
            field_columns,
            steps,
            line,
            sorted: Vec::new(),
            by_column: Vec::new(),
            by_row: Vec::new(),
            cost: Vec::new(),
            assignment: Assignment::default(),
        }
    }

    /// The distance, if it is below `least`.
    pub(super) fn below(&mut self, mut least: i32, agents: impl Iterator<Item = Cell>) -> Option<i32> {
        self.follow(agents);
        let (mut fresh, mut found) = (false, None);
        for dy in 0..self.rows {
            for dx in 0..self.columns {
                let place = dy * self.columns + dx;
                if self.bound[place] - self.moved >= i64::from(least) {
                    continue;
                }
                if !fresh {
                    self.project();
                    fresh = true;
                }
                let mut bound = self.by_column[dx] + self.by_row[dy];
                let corner = dy * self.field_columns + dx;
                if bound < least && self.steps.iter().any(|step| self.taken[corner + step]) {
                    match self.cost_at(dx as i32 - self.last, dy as i32 - self.last, least) {
                        Ok(cost) => {
                            (least, bound) = (cost, cost);
                            found = Some(cost);
                        }
                        Err(cost) => bound = cost,
                    }
                }
                self.bound[place] = i64::from(bound) + self.moved;
            }
        }
        found
    }

    /// Takes over the agents' cells and counts how far they have moved.
    fn follow(&mut self, agents: impl Iterator<Item = Cell>) {
        if self.agents.is_empty() {
            self.agents.extend(agents);
        } else {
            for (known, now) in self.agents.iter_mut().zip(agents) {
                if *known != now {
                    self.moved += known.manhattan(now) as i64;
                    let old = field_place(*known, self.last, self.field_columns);
                    self.taken[old] = false;
                    *known = now;
                }
            }
        }
        for agent in &self.agents {
            self.taken[field_place(*agent, self.last, self.field_columns)] = true;
        }
    }

    /// Works out the best assignments by columns alone and by rows alone, for every translation along the axis.
    fn project(&mut self) {
        self.sorted.clear();
        self.sorted.extend(self.agents.iter().map(|agent| agent.x));
        self.sorted.sort_unstable();
        let shifts = self.columns as i32 - self.last;
        self.by_column.clear();
        self.by_column.extend((-self.last..shifts).map(|shift| matched(&self.sorted, &self.line, shift)));
        self.sorted.clear();
        self.sorted.extend(self.agents.iter().map(|agent| agent.y));
        self.sorted.sort_unstable();
        let shifts = self.rows as i32 - self.last;
        self.by_row.clear();
        self.by_row.extend((-self.last..shifts).map(|shift| matched(&self.sorted, &self.line, shift)));
    }

    /// The optimal assignment's cost with the target moved by (dx, dy), if below `least`; else a lower bound of it.
    fn cost_at(&mut self, dx: i32, dy: i32, least: i32) -> Result<i32, i32> {
        self.cost.clear();
        for cell in &self.target {
            let (x, y) = (cell.x + dx, cell.y + dy);
            self.cost.extend(self.agents.iter().map(|agent| (agent.x - x).abs() + (agent.y - y).abs()));
        }
        self.assignment.least(&self.cost, self.target.len(), self.agents.len(), least)
    }
}

/// Index of a cell in the field of agents.
fn field_place(cell: Cell, last: i32, field_columns: usize) -> usize {
    (cell.y + last) as usize * field_columns + (cell.x + last) as usize
}

/// The least sum of |agent − (target + shift)| over all ways to give each target an agent of its own, both ascending. On a
/// line an assignment that keeps the order is optimal, so only the agents to be left out have to be chosen.
fn matched(agents: &[i32], line: &[i32], shift: i32) -> i32 {
    let spare = agents.len() - line.len();
    if spare > MOST_SPARE {
        return 0; // a bound, if a weak one
    }
    if spare == 0 {
        return agents.iter().zip(line).map(|(agent, target)| (agent - target - shift).abs()).sum();
    }
    // best[s]: the least sum so far with s agents left out.
    let mut best = [i32::MAX / 2; MOST_SPARE + 1];
    best[0] = 0;
    for (place, agent) in agents.iter().enumerate() {
        for left_out in (0..=spare.min(place + 1)).rev() {
            let taken = match line.get(place.wrapping_sub(left_out)) {
                Some(target) => best[left_out] + (agent - target - shift).abs(),
                None => i32::MAX / 2,
            };
            let skipped = if left_out > 0 { best[left_out - 1] } else { i32::MAX / 2 };
            best[left_out] = taken.min(skipped);
        }
    }
    best[spare]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::rng::Stream;

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
