//! Flocking on one axis alone: agents and square as counts along a line, where the best assignment keeps the order.

/// Agents and a hollow square, both projected on one axis.
///
/// Between any two neighbouring coordinates at least so many agents have to pass as one side has more agents than cells, less
/// those that can be left out, or fewer. The sum over all such places is a lower bound of the part that this axis has in the
/// least total Manhattan distance; if all agents have a cell, it is the least total distance along the axis.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// Side of the square less one.
    last: i32,
    agents: i32,
    /// Agents without a cell in the square.
    spare: i32,
    /// Agents per coordinate of the map.
    count: Vec<i32>,
    /// The first and the last coordinate with agents.
    taken: (i32, i32),
    /// From the first coordinate taken to the last, without it: agents up to there.
    upto: Vec<i32>,
    /// Cells of the square up to a coordinate that counts from minus the size of the map.
    square_upto: Vec<i32>,
    /// Per shift from -`last`: a lower bound of its total distance, plus `moved` at the time.
    bound: Vec<i64>,
    /// Cells that all agents together have moved along this axis.
    moved: i64,
}

impl Axis {
    /// For a map of so many columns (or rows), without agents yet.
    pub(super) fn new(agents: u32, size: u32) -> Self {
        let (last, size) = ((agents / 4) as i32, size as i32);
        let square_upto = (-size..size + last).map(|at| square_upto(last, at)).collect();
        Self {
            last,
            agents: agents as i32,
            spare: (agents % 4) as i32,
            count: vec![0; size as usize],
            taken: (0, 0),
            upto: Vec::new(),
            square_upto,
            bound: vec![0; (size + last) as usize],
            moved: 0,
        }
    }

    /// Adds an agent.
    pub(super) fn add(&mut self, at: i32) {
        self.count[at as usize] += 1;
    }

    /// Moves an agent.
    pub(super) fn step(&mut self, from: i32, to: i32) {
        self.count[from as usize] -= 1;
        self.count[to as usize] += 1;
        self.moved += i64::from((from - to).abs());
    }

    /// Takes stock after the agents have moved.
    pub(super) fn settle(&mut self) {
        let first = self.count.iter().position(|count| *count > 0).unwrap_or(0);
        let last = self.count.iter().rposition(|count| *count > 0).unwrap_or(0);
        self.taken = (first as i32, last as i32);
        self.upto.clear();
        let mut sum = 0;
        self.upto.extend(self.count[first..last].iter().map(|count| {
            sum += count;
            sum
        }));
    }

    /// Shifts of the square, from -`last`: their number.
    pub(super) fn shifts(&self) -> usize {
        self.bound.len()
    }

    /// Side of the square less one.
    pub(super) fn last(&self) -> i32 {
        self.last
    }

    /// The first coordinate of the square under the shift of that index.
    pub(super) fn shift(&self, index: usize) -> i32 {
        index as i32 - self.last
    }

    /// Whether one of the square's two sides across this axis lies where agents are.
    pub(super) fn meets(&self, index: usize) -> bool {
        let shift = self.shift(index);
        let any = |at: i32| {
            usize::try_from(at).ok().and_then(|at| self.count.get(at)).is_some_and(|count| *count > 0)
        };
        any(shift) || any(shift + self.last)
    }

    /// What is known of a shift without working it out anew.
    pub(super) fn bound(&self, index: usize) -> i64 {
        self.bound[index] - self.moved
    }

    /// The least that is known of any shift.
    pub(super) fn least_bound(&self) -> i64 {
        self.bound.iter().min().map_or(0, |bound| bound - self.moved)
    }

    /// Works out the bound of a shift's least total distance.
    pub(super) fn work_out(&mut self, index: usize) -> i64 {
        let shift = self.shift(index);
        let (first, last) = self.taken;
        // Left of all agents every cell of the square has to be reached, right of them likewise: sums in closed form.
        let outside = sum_upto(self.last, first - shift) + sum_upto(self.last, shift + self.last - last);
        let start = (first - shift + self.count.len() as i32) as usize;
        let spare = self.spare;
        let passing = self.upto.iter().zip(&self.square_upto[start..]).map(|(agents, cells)| {
            let surplus = cells - agents;
            i64::from(surplus.max(-surplus - spare).max(0))
        });
        let total = outside + passing.sum::<i64>();
        self.bound[index] = total + self.moved;
        total
    }

    /// Prices along the square for a shift: each step that agents have to go makes a cell cheaper by 1, and dearer where they go
    /// the other way. If all agents have a cell, linear programming duality gets the same bound from them.
    pub(super) fn prices(&self, index: usize, prices: &mut Vec<i32>) {
        let shift = self.shift(index);
        let agents_upto = |at: i32| {
            if at < self.taken.0 {
                0
            } else {
                self.upto.get((at - self.taken.0) as usize).copied().unwrap_or(self.agents)
            }
        };
        let mut price = 0;
        prices.clear();
        prices.push(price);
        for at in 0..self.last {
            let surplus = square_upto(self.last, at) - agents_upto(at + shift);
            price += i32::from(surplus > 0) - i32::from(-surplus > self.spare);
            prices.push(price);
        }
    }
}

/// Cells of a hollow square of side `last` + 1 (at least 2) up to a coordinate, its first being 0.
fn square_upto(last: i32, at: i32) -> i32 {
    match at {
        ..0 => 0,
        at if at < last => last + 1 + 2 * at,
        _ => 4 * last,
    }
}

/// The sum of [`square_upto`] over all coordinates less than `end`.
fn sum_upto(last: i32, end: i32) -> i64 {
    let (last, end) = (i64::from(last), i64::from(end));
    match end {
        ..0 => 0,
        end if end <= last => end * (last + end),
        _ => 2 * last * last + 4 * last * (end - last),
    }
}

#[cfg(test)]
mod tests {
    use super::super::flocking::target_shape;
    use super::*;
    use crate::stats::rng::Stream;

    #[test]
    fn counts_of_the_square_are_those_of_its_cells() {
        for agents in [4, 5, 8, 15, 40] {
            let last = (agents / 4) as i32;
            let shape = target_shape(agents);
            let upto = |at: i32| shape.iter().filter(|cell| cell.x <= at).count() as i32;
            for at in -3..last + 4 {
                assert_eq!(square_upto(last, at), upto(at));
                assert_eq!(sum_upto(last, at), (-9..at).map(|at| i64::from(upto(at))).sum::<i64>());
            }
        }
    }

    /// The least sum over all ways to leave some agents out, the others in order.
    fn by_order(agents: &[i32], line: &[i32]) -> i64 {
        if agents.len() == line.len() {
            return agents.iter().zip(line).map(|(agent, cell)| i64::from((agent - cell).abs())).sum();
        }
        let without = |place| [&agents[..place], &agents[place + 1..]].concat();
        (0..agents.len()).map(|place| by_order(&without(place), line)).min().unwrap()
    }

    #[test]
    fn never_exceeds_the_assignment_in_order_and_equals_it_if_all_agents_have_a_cell() {
        let mut stream = Stream::new(5, "axis");
        for count in 4..16_u32 {
            let mut axis = Axis::new(count, 12);
            let mut agents: Vec<i32> = (0..count).map(|_| 1 + stream.below(10) as i32).collect();
            agents.sort_unstable();
            agents.iter().for_each(|at| axis.add(*at));
            axis.settle();
            for index in 0..axis.shifts() {
                let mut line: Vec<i32> =
                    target_shape(count).iter().map(|cell| cell.x + axis.shift(index)).collect();
                line.sort_unstable();
                let (bound, least) = (axis.work_out(index), by_order(&agents, &line));
                assert!(bound <= least && (bound == least || count % 4 > 0));
            }
        }
    }
}
