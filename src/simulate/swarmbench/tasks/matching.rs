//! Optimal assignment of agents to the cells of a hollow square, exact; starts from what was optimal a little earlier.

use crate::model::Cell;

/// No agent, or no slot.
const NONE: u32 = u32::MAX;

/// A hollow square as slots: four sides of `last` cells each, every corner on one of them; then as many slots as there are
/// agents to spare, which cost nothing.
#[derive(Clone, Copy, Debug)]
struct Slots {
    last: usize,
    spare: usize,
}

/// One side as seen from a cell: slot number `at` is nearest if the side has it, and each slot further on costs `slope` more.
#[derive(Clone, Copy, Debug)]
struct Side {
    first: usize,
    end: usize,
    at: i32,
    across: i32,
    slope: i32,
}

impl Side {
    fn cost(&self, slot: usize) -> i32 {
        self.across + self.slope * (self.at - slot as i32).abs()
    }

    fn nearest(&self) -> usize {
        self.at.clamp(self.first as i32, self.end as i32 - 1) as usize
    }
}

impl Slots {
    fn count(self) -> usize {
        4 * self.last + self.spare
    }

    /// Sides of the square, and that of the spare slots if there are any.
    fn sides(self) -> usize {
        if self.spare > 0 { 5 } else { 4 }
    }

    /// A side seen from a cell relative to the square's top left corner: top, right, bottom, left, spare.
    fn side(self, which: usize, cell: Cell) -> Side {
        let last = self.last as i32;
        let (across, along) = match which {
            0 => (cell.y.abs(), cell.x),
            1 => ((cell.x - last).abs(), cell.y),
            2 => ((cell.y - last).abs(), cell.x - 1),
            3 => (cell.x.abs(), cell.y - 1),
            _ => {
                let first = 4 * self.last;
                return Side { first, end: self.count(), at: first as i32, across: 0, slope: 0 };
            }
        };
        let first = which * self.last;
        Side { first, end: first + self.last, at: along + first as i32, across, slope: 1 }
    }

    /// A slot's coordinates in the square; `None` for a spare one.
    fn cell(self, slot: usize) -> Option<Cell> {
        let (last, along) = (self.last as i32, (slot % self.last) as i32);
        match slot / self.last {
            0 => Some(Cell::new(along, 0)),
            1 => Some(Cell::new(last, along)),
            2 => Some(Cell::new(along + 1, last)),
            3 => Some(Cell::new(0, along + 1)),
            _ => None,
        }
    }

    fn cost(self, slot: usize, cell: Cell) -> i32 {
        self.side(slot / self.last, cell).cost(slot)
    }
}

/// Prices of the square's cells and an assignment of agents, kept from one question to the next.
///
/// Linear programming duality: whatever the prices, Σ over agents of the least (distance + price) of any slot, less the sum
/// of all prices, is a lower bound of the least total distance, wherever square and agents are. It is the total
/// itself once every agent has a slot of its own that is cheapest for it.
///
/// Prices differ by no more than the distance of their slots; [`Matching::solve`] keeps it so. Hence, along a side, distance +
/// price falls up to the cell nearest to the agent and rises from there, and an agent's cheapest slots are a run
/// around that cell. That is why an agent needs to look at one cell of each side only, not at all slots.
#[derive(Clone, Debug)]
pub(super) struct Matching {
    slots: Slots,
    price: Vec<i32>,
    agent_of: Vec<u32>,
    slot_of: Vec<u32>,
    search: Search,
}

/// The tree of agents and slots reached from agents without a slot, over pairs that are cheapest for the agent.
#[derive(Clone, Debug, Default)]
struct Search {
    /// Per agent: distance + price of its cheapest slots.
    least: Vec<i32>,
    /// Per slot, one more than there are: the first slot from here on that is not reached, by way of others.
    right: Vec<u32>,
    /// The same downwards, counted from 1; 0 for none.
    left: Vec<u32>,
    /// Per reached slot: the agent that it was reached from.
    from: Vec<u32>,
    /// Per reached agent: the agent without a slot at the tree's root.
    root: Vec<u32>,
    agents: Vec<u32>,
    reached: Vec<u32>,
}

/// The end of a chain of references, which becomes shorter on the way.
fn end_of(chain: &mut [u32], mut place: usize) -> usize {
    while chain[place] as usize != place {
        let next = chain[place] as usize;
        chain[place] = chain[next];
        place = next;
    }
    place
}

impl Search {
    /// Starts again from the agents without a slot; returns how many there are.
    fn restart(&mut self, slot_of: &[u32], slots: usize) -> usize {
        self.agents.clear();
        self.reached.clear();
        self.right.clear();
        self.right.extend(0..=slots as u32);
        self.left.clear();
        self.left.extend(0..=slots as u32);
        for (agent, _) in slot_of.iter().enumerate().filter(|(_, slot)| **slot == NONE) {
            self.agents.push(agent as u32);
            self.root[agent] = agent as u32;
        }
        self.agents.len()
    }

    /// The nearest slots of a side, upwards and downwards, that are not reached yet.
    fn unreached(&mut self, side: &Side) -> [Option<usize>; 2] {
        let nearest = side.nearest();
        let up = end_of(&mut self.right, nearest);
        let down = end_of(&mut self.left, nearest + 1);
        [(up < side.end).then_some(up), (down > side.first).then(|| down - 1)]
    }
}

impl Matching {
    /// For so many agents, at least four; all prices are 0.
    pub(super) fn new(agents: usize) -> Self {
        let slots = Slots { last: agents / 4, spare: agents % 4 };
        let search = Search { from: vec![0; agents], root: vec![0; agents], ..Search::default() };
        Self {
            slots,
            price: vec![0; agents],
            agent_of: vec![NONE; agents],
            slot_of: vec![NONE; agents],
            search,
        }
    }

    /// Forgets the assignment and sets the prices to sums of one by column and one by row of the square; neighbouring
    /// columns and neighbouring rows may differ by 1 at most.
    pub(super) fn reprice(&mut self, by_column: &[i32], by_row: &[i32], agents: &[Cell], corner: Cell) {
        self.agent_of.fill(NONE);
        self.slot_of.fill(NONE);
        for (slot, price) in self.price.iter_mut().enumerate() {
            // A spare slot gets its price below; until then it is no one's cheapest.
            *price = self
                .slots
                .cell(slot)
                .map_or(i32::MAX, |cell| by_column[cell.x as usize] + by_row[cell.y as usize]);
        }
        if self.slots.spare > 0 {
            // As if the agents for whom the square is dearest were left out.
            let place = 4 * self.slots.last;
            let mut least: Vec<i32> = agents.iter().map(|agent| self.cheapest(*agent, corner)).collect();
            let (_, price, _) = least.select_nth_unstable(place);
            self.price[place..].fill(*price);
        }
    }

    /// Distance + price of an agent's cheapest slots.
    fn cheapest(&self, agent: Cell, corner: Cell) -> i32 {
        let cell = agent.offset(-corner.x, -corner.y);
        let of_side = |which| {
            let side = self.slots.side(which, cell);
            let nearest = side.nearest();
            side.cost(nearest) + self.price[nearest]
        };
        (0..self.slots.sides()).map(of_side).min().unwrap_or(0)
    }

    fn all_prices(&self) -> i64 {
        self.price.iter().map(|price| i64::from(*price)).sum()
    }

    /// A lower bound of the least total distance with the square's top left corner at `corner`, from the prices as they are.
    pub(super) fn bound(&self, agents: &[Cell], corner: Cell) -> i64 {
        let least: i64 = agents.iter().map(|agent| i64::from(self.cheapest(*agent, corner))).sum();
        least - self.all_prices()
    }

    /// The least total Manhattan distance of an assignment of the square's cells to agents.
    ///
    /// # Errors
    /// A lower bound of it that is at least `below`, if it is not less than that.
    ///
    /// Hungarian method in its primal-dual form (Kuhn 1955; Munkres 1957), from all agents without a slot at once, with as many
    /// disjoint augmenting paths per search as come up (Hopcroft and Karp 1973). Agents keep a slot that is still cheapest for
    /// them. A search takes near O(agents), as every slot is passed once.
    pub(super) fn solve(&mut self, agents: &[Cell], corner: Cell, below: i64) -> Result<i64, i64> {
        let mut total = self.release(agents, corner);
        loop {
            if total >= below {
                return Err(total);
            }
            let free = self.search.restart(&self.slot_of, self.slots.count());
            if free == 0 {
                return Ok(total);
            }
            while !self.grow(agents, corner) {
                total += free as i64 * i64::from(self.raise(agents, corner));
                if total >= below {
                    return Err(total);
                }
            }
        }
    }

    /// Works out each agent's cheapest price and takes slots that are not cheapest any more from their agents. Returns the
    /// bound.
    fn release(&mut self, agents: &[Cell], corner: Cell) -> i64 {
        self.search.least.clear();
        let mut total = 0;
        for (agent, cell) in agents.iter().enumerate() {
            let least = self.cheapest(*cell, corner);
            self.search.least.push(least);
            total += i64::from(least);
            let slot = self.slot_of[agent];
            if slot != NONE {
                let price = self.price[slot as usize];
                if self.slots.cost(slot as usize, cell.offset(-corner.x, -corner.y)) + price > least {
                    self.slot_of[agent] = NONE;
                    self.agent_of[slot as usize] = NONE;
                }
            }
        }
        total - self.all_prices()
    }

    /// Follows pairs that are cheapest for the agent from all agents reached; assigns along every path to a free slot. Returns
    /// whether there was one; then the tree is of no more use.
    fn grow(&mut self, agents: &[Cell], corner: Cell) -> bool {
        let (mut next, mut augmented) = (0, false);
        while let Some(&agent) = self.search.agents.get(next) {
            next += 1;
            let root = self.search.root[agent as usize];
            if self.slot_of[root as usize] != NONE {
                continue; // this tree has got its slot
            }
            let cell = agents[agent as usize].offset(-corner.x, -corner.y);
            if let Some(slot) = self.reach(agent, cell, root) {
                self.assign_along(slot);
                augmented = true;
            }
        }
        augmented
    }

    /// Reaches the agent's cheapest slots and who holds them, up to a slot that nobody holds.
    fn reach(&mut self, agent: u32, cell: Cell, root: u32) -> Option<usize> {
        let least = self.search.least[agent as usize];
        for which in 0..self.slots.sides() {
            let side = self.slots.side(which, cell);
            let nearest = side.nearest();
            if side.cost(nearest) + self.price[nearest] > least {
                continue;
            }
            loop {
                let cheapest = |slot: &usize| side.cost(*slot) + self.price[*slot] == least;
                let Some(slot) = self.search.unreached(&side).into_iter().flatten().find(cheapest) else {
                    break;
                };
                let search = &mut self.search;
                search.right[slot] = slot as u32 + 1;
                search.left[slot + 1] = slot as u32;
                search.from[slot] = agent;
                search.reached.push(slot as u32);
                let holder = self.agent_of[slot];
                if holder == NONE {
                    return Some(slot);
                }
                search.root[holder as usize] = root;
                search.agents.push(holder);
            }
        }
        None
    }

    /// Gives each slot on the path to the agent that it was reached from.
    fn assign_along(&mut self, mut slot: usize) {
        loop {
            let agent = self.search.from[slot];
            let before = std::mem::replace(&mut self.slot_of[agent as usize], slot as u32);
            self.agent_of[slot] = agent;
            if before == NONE {
                return;
            }
            slot = before as usize;
        }
    }

    /// Raises the prices of all slots reached until another one is as cheap for some agent reached; returns by how much.
    fn raise(&mut self, agents: &[Cell], corner: Cell) -> i32 {
        let mut step = i32::MAX;
        for place in 0..self.search.agents.len() {
            let agent = self.search.agents[place] as usize;
            let cell = agents[agent].offset(-corner.x, -corner.y);
            for which in 0..self.slots.sides() {
                let side = self.slots.side(which, cell);
                for slot in self.search.unreached(&side).into_iter().flatten() {
                    step = step.min(side.cost(slot) + self.price[slot] - self.search.least[agent]);
                }
            }
        }
        for slot in &self.search.reached {
            self.price[*slot as usize] += step;
        }
        for agent in &self.search.agents {
            self.search.least[*agent as usize] += step;
        }
        step
    }
}

#[cfg(test)]
mod tests {
    use super::super::assignment::Assignment;
    use super::super::flocking::target_shape;
    use super::*;
    use crate::stats::rng::Stream;

    /// By the general method, which knows nothing of squares.
    fn by_general_method(agents: &[Cell], corner: Cell) -> i64 {
        let target = target_shape(agents.len() as u32);
        let cost: Vec<i32> = target
            .iter()
            .flat_map(|slot| {
                agents.iter().map(|agent| agent.manhattan(slot.offset(corner.x, corner.y)) as i32)
            })
            .collect();
        Assignment::default().least(&cost, target.len(), agents.len(), i32::MAX).unwrap().into()
    }

    #[test]
    fn slots_are_the_target_shape() {
        for agents in 4..30 {
            let slots = Slots { last: agents / 4, spare: agents % 4 };
            let mut cells: Vec<Cell> = (0..slots.count()).filter_map(|slot| slots.cell(slot)).collect();
            cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
            assert_eq!(cells, target_shape(agents as u32));
            for slot in 0..slots.count() {
                let expected = slots.cell(slot).map_or(0, |cell| cell.manhattan(Cell::new(-3, 5)) as i32);
                assert_eq!(slots.cost(slot, Cell::new(-3, 5)), expected);
            }
        }
    }

    #[test]
    fn agrees_with_the_general_method_wherever_it_comes_from() {
        let mut stream = Stream::new(4, "matching");
        for case in 0..400 {
            let count = 4 + case % 37;
            let side = 5 + stream.below(12);
            let mut agents: Vec<Cell> =
                (0..count).map(|_| Cell::new(stream.below(side) as i32, stream.below(side) as i32)).collect();
            let mut matching = Matching::new(count);
            for _ in 0..6 {
                let corner = Cell::new(stream.below(20) as i32 - 10, stream.below(side + 10) as i32 - 10);
                let total = by_general_method(&agents, corner);
                assert!(matching.bound(&agents, corner) <= total);
                if stream.below(2) == 0 {
                    let refused = matching.solve(&agents, corner, total).unwrap_err();
                    assert_eq!(refused, total);
                }
                assert_eq!(matching.solve(&agents, corner, total + 1), Ok(total));
                assert_eq!(matching.bound(&agents, corner), total);
                for agent in &mut agents {
                    *agent = agent.offset(stream.below(3) as i32 - 1, stream.below(3) as i32 - 1);
                }
            }
        }
    }
}
