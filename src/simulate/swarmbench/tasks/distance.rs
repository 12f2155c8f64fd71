//! The distance between agents and Flocking's target: exact, with most translations ruled out by bounds.

use super::axis::Axis;
use super::matching::Matching;
use super::occupancy::Occupancy;
use crate::model::Cell;

/// The least cost, over all translations that take some target cell to some agent, of the optimal assignment of the
/// target's cells to agents; a pair costs its Manhattan distance (paper, app. A.3).
///
/// A translation is ruled out by a lower bound of its cost, the cheapest to get first: the sum of the best assignments
/// by columns alone and by rows alone; what is known from earlier, less what all agents have moved since; the dual
/// bound of the prices of the last assignment. What is left takes an optimal assignment, which starts from the last
/// one. Which bounds there are decides on the time, never on the distance.
#[derive(Clone, Debug)]
pub(super) struct Distance {
    columns: Axis,
    rows: Axis,
    /// Per column and row of a translation, as far as a column was ever looked at: a lower bound of its cost, plus `moved`
    /// at the time.
    known: Vec<Vec<i64>>,
    /// Cells that all agents together have moved since the start.
    moved: i64,
    agents: Vec<Cell>,
    occupancy: Occupancy,
    matching: Matching,
    by_column: Vec<i32>,
    by_row: Vec<i32>,
    promising_columns: Vec<Shift>,
    promising_rows: Vec<Shift>,
    candidates: Vec<Candidate>,
}

/// A translation along one axis.
#[derive(Clone, Copy, Debug)]
struct Shift {
    /// The least total distance along this axis.
    total: i64,
    index: usize,
    /// Whether one of the square's sides across this axis lies where agents are.
    meets: bool,
}

/// A translation that no bound has ruled out so far.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    bound: i64,
    column: usize,
    row: usize,
}

impl Distance {
    /// For at least four agents.
    pub(super) fn new(width: u32, height: u32, agents: Vec<Cell>) -> Self {
        let count = agents.len();
        let mut columns = Axis::new(count as u32, width);
        let mut rows = Axis::new(count as u32, height);
        let mut occupancy = Occupancy::new(width, height);
        for agent in &agents {
            columns.add(agent.x);
            rows.add(agent.y);
            occupancy.set(*agent, true);
        }
        columns.settle();
        rows.settle();
        Self {
            known: vec![Vec::new(); columns.shifts()],
            columns,
            rows,
            moved: 0,
            agents,
            occupancy,
            matching: Matching::new(count),
            by_column: Vec::new(),
            by_row: Vec::new(),
            promising_columns: Vec::new(),
            promising_rows: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// The distance, agents being where they were put.
    pub(super) fn at_start(&mut self) -> Option<i64> {
        self.promise(i64::MAX);
        let first = self.most_promising()?;
        let least = self.assign(first, i64::MAX).ok()?;
        Some(self.search(least).unwrap_or(least))
    }

    /// The distance, if it is below `least`, after the agents have moved.
    pub(super) fn below(&mut self, least: i64, agents: impl Iterator<Item = Cell>) -> Option<i64> {
        self.follow(agents);
        self.search(least)
    }

    fn search(&mut self, mut least: i64) -> Option<i64> {
        self.promise(least);
        self.collect(least);
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.sort_unstable_by_key(|candidate| candidate.bound);
        let mut found = None;
        for mut candidate in candidates.drain(..) {
            // Prices have changed with every assignment since.
            if candidate.bound < least {
                candidate.bound = candidate.bound.max(self.dual_bound(candidate));
            }
            if candidate.bound < least {
                match self.assign(candidate, least) {
                    Ok(cost) => {
                        (least, candidate.bound) = (cost, cost);
                        found = Some(cost);
                    }
                    Err(bound) => candidate.bound = bound,
                }
            }
            self.known[candidate.column][candidate.row] = candidate.bound + self.moved;
        }
        self.candidates = candidates;
        found
    }

    /// Takes over the agents' cells and counts how far they have moved.
    fn follow(&mut self, agents: impl Iterator<Item = Cell>) {
        let mut moved = false;
        for (known, now) in self.agents.iter_mut().zip(agents) {
            if *known != now {
                moved = true;
                self.moved += known.manhattan(now) as i64;
                self.columns.step(known.x, now.x);
                self.rows.step(known.y, now.y);
                self.occupancy.set(*known, false);
                *known = now;
            }
        }
        if moved {
            // Only now, as an agent may have moved to where another one came from.
            self.agents.iter().for_each(|agent| self.occupancy.set(*agent, true));
            self.columns.settle();
            self.rows.settle();
        }
    }

    /// Picks the columns and rows in which a translation can cost less than `least`, cheapest first.
    fn promise(&mut self, least: i64) {
        let row = self.rows.least_bound();
        work_out(&mut self.columns, least.saturating_sub(row), &mut self.promising_columns);
        let column = self.columns.least_bound();
        work_out(&mut self.rows, least.saturating_sub(column), &mut self.promising_rows);
    }

    /// Of all translations allowed, one with the least sum of costs by column and by row.
    fn most_promising(&self) -> Option<Candidate> {
        let mut best: Option<Candidate> = None;
        for column in &self.promising_columns {
            let allowed =
                |row: &&Shift| (column.meets || row.meets) && self.is_allowed(column.index, row.index);
            let least = best.map_or(i64::MAX, |best| best.bound);
            let mut rows = self.promising_rows.iter().take_while(|row| column.total + row.total < least);
            if let Some(row) = rows.find(allowed) {
                best =
                    Some(Candidate { bound: column.total + row.total, column: column.index, row: row.index });
            }
        }
        best
    }

    /// Collects the translations whose cost may be below `least` as far as bounds tell.
    fn collect(&mut self, least: i64) {
        self.candidates.clear();
        let columns = std::mem::take(&mut self.promising_columns);
        let rows = std::mem::take(&mut self.promising_rows);
        for column in &columns {
            let known = &mut self.known[column.index];
            known.resize(self.rows.shifts(), i64::MIN / 2);
            for row in rows.iter().take_while(|row| column.total + row.total < least) {
                let known = self.known[column.index][row.index] - self.moved;
                if known >= least || !(column.meets || row.meets) || !self.is_allowed(column.index, row.index)
                {
                    continue;
                }
                let mut candidate = Candidate {
                    bound: known.max(column.total + row.total),
                    column: column.index,
                    row: row.index,
                };
                candidate.bound = candidate.bound.max(self.dual_bound(candidate));
                if candidate.bound < least {
                    self.candidates.push(candidate);
                } else {
                    self.known[column.index][row.index] = candidate.bound + self.moved;
                }
            }
        }
        self.promising_columns = columns;
        self.promising_rows = rows;
    }

    /// Whether the translation takes some target cell to some agent.
    fn is_allowed(&self, column: usize, row: usize) -> bool {
        self.occupancy.meets_square(self.corner(column, row), self.columns.last())
    }

    fn corner(&self, column: usize, row: usize) -> Cell {
        Cell::new(self.columns.shift(column), self.rows.shift(row))
    }

    fn dual_bound(&self, candidate: Candidate) -> i64 {
        self.matching.bound(&self.agents, self.corner(candidate.column, candidate.row))
    }

    /// The cost of a translation if below `least`, else a lower bound of it. Starts from the last assignment, or afresh if the
    /// axes know better.
    fn assign(&mut self, candidate: Candidate, least: i64) -> Result<i64, i64> {
        let corner = self.corner(candidate.column, candidate.row);
        let by_axes = self.columns.bound(candidate.column) + self.rows.bound(candidate.row);
        if self.matching.bound(&self.agents, corner) < by_axes {
            self.columns.prices(candidate.column, &mut self.by_column);
            self.rows.prices(candidate.row, &mut self.by_row);
            self.matching.reprice(&self.by_column, &self.by_row, &self.agents, corner);
        }
        self.matching.solve(&self.agents, corner, least)
    }
}

/// Works out the shifts that may cost less than `least` along their axis, and lists those that do, cheapest first.
fn work_out(axis: &mut Axis, least: i64, promising: &mut Vec<Shift>) {
    promising.clear();
    for index in 0..axis.shifts() {
        if axis.bound(index) < least {
            let total = axis.work_out(index);
            if total < least {
                promising.push(Shift { total, index, meets: axis.meets(index) });
            }
        }
    }
    promising.sort_unstable_by_key(|shift| (shift.total, shift.index));
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::assignment::Assignment;
    use super::super::flocking::target_shape;
    use super::*;
    use crate::stats::rng::Stream;

    /// The definition itself, without bounds, by the general method of assignment.
    fn by_definition(agents: &[Cell]) -> i64 {
        let target = target_shape(agents.len() as u32);
        let translations: BTreeSet<(i32, i32)> = agents
            .iter()
            .flat_map(|agent| target.iter().map(move |cell| (agent.x - cell.x, agent.y - cell.y)))
            .collect();
        let cost_at = |&(dx, dy): &(i32, i32)| {
            let cost: Vec<i32> = target
                .iter()
                .map(|cell| cell.offset(dx, dy))
                .flat_map(|cell| agents.iter().map(move |agent| agent.manhattan(cell) as i32))
                .collect();
            Assignment::default().least(&cost, target.len(), agents.len(), i32::MAX).unwrap()
        };
        translations.iter().map(cost_at).min().unwrap().into()
    }

    /// Random agents on a map, whose distance is asked for in every round while they walk: at random, or towards a corner, or
    /// towards the square (3, 3), slot by slot.
    fn follow_walk(stream: &mut Stream, count: usize, width: i32, height: i32, rounds: usize) {
        let mut cells: Vec<Cell> =
            (1..height - 1).flat_map(|y| (1..width - 1).map(move |x| Cell::new(x, y))).collect();
        stream.shuffle(&mut cells);
        let mut agents = cells[..count].to_vec();
        let shape = target_shape(count as u32);
        let mut distance = Distance::new(width as u32, height as u32, agents.clone());
        let mut least = by_definition(&agents);
        assert_eq!(distance.at_start(), Some(least));
        let walk = stream.below(3);
        for _ in 0..rounds {
            for (place, agent) in agents.iter_mut().enumerate() {
                let goal = match walk {
                    0 => agent.offset(stream.below(3) as i32 - 1, stream.below(3) as i32 - 1),
                    1 => Cell::new(width, 0),
                    _ => shape[place % shape.len()].offset(3, 3),
                };
                if stream.below(4) > 0 {
                    agent.x = (agent.x + (goal.x - agent.x).signum()).clamp(1, width - 2);
                    agent.y = (agent.y + (goal.y - agent.y).signum()).clamp(1, height - 2);
                }
            }
            let now = by_definition(&agents);
            assert_eq!(distance.below(least, agents.iter().copied()), (now < least).then_some(now));
            least = least.min(now);
        }
    }

    #[test]
    fn bounds_never_change_the_distance() {
        let mut stream = Stream::new(9, "flocking");
        for case in 0..120 {
            let count = [4, 5, 7, 8, 10, 11, 12, 16, 19][case % 9];
            let (width, height) = (8 + stream.below(6) as i32, 7 + stream.below(6) as i32);
            follow_walk(&mut stream, count, width, height, 10);
        }
    }

    #[test]
    fn nor_do_they_where_the_square_is_larger_than_the_map() {
        let mut stream = Stream::new(10, "flocking");
        for count in [20, 25, 34] {
            follow_walk(&mut stream, count, 8, 9, 4);
        }
    }
}
