//! The planner for Flocking: the cheapest square on the map, and an optimal assignment in every round.

use super::chart::search;
use crate::model::{Cell, Direction};
use crate::simulate::swarmbench::policy::{Intent, Policy, PolicyRow};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::RoundStart;
use crate::simulate::swarmbench::tasks::assignment::Assignment;
use crate::simulate::swarmbench::tasks::target_shape;
use crate::simulate::swarmbench::world::World;

/// The row in the table of policies.
pub(super) const ROW: PolicyRow = PolicyRow {
    name: "oracle-flocking",
    tasks: &[Task::Flocking],
    summary: "planner with global view: the cheapest square on the map, agents reassigned optimally in every round",
    team: |_, _| Box::new(Planner::default()),
};

#[derive(Default)]
struct Planner {
    slots: Vec<Cell>,
    assignment: Assignment,
    cost: Vec<i32>,
}

impl Planner {
    /// Cost of giving every slot an agent. Longer ways cost more than in proportion, so that a row of agents moves up
    /// rather than one of them going round.
    fn cost(&mut self, slots: &[Cell], agents: &[Cell], bound: i32) -> Option<i32> {
        self.cost.clear();
        for slot in slots {
            self.cost.extend(agents.iter().map(|agent| {
                let away = agent.manhattan(*slot) as i32;
                64 * away + away * away
            }));
        }
        self.assignment.least(&self.cost, slots.len(), agents.len(), bound).ok()
    }

    fn choose_square(&mut self, world: &World, agents: &[Cell]) {
        let rules = world.rules();
        let shape = target_shape(rules.agents);
        let side = shape.iter().map(|cell| cell.x).max().unwrap_or(0);
        let mut least = i32::MAX;
        for y in 1..rules.height as i32 - 1 - side {
            for x in 1..rules.width as i32 - 1 - side {
                let slots: Vec<Cell> = shape.iter().map(|cell| cell.offset(x, y)).collect();
                if let Some(cost) = self.cost(&slots, agents, least) {
                    least = cost;
                    self.slots = slots;
                }
            }
        }
    }
}

impl Policy for Planner {
    fn decide(&mut self, start: RoundStart<'_>, intents: &mut [Intent]) {
        let world = start.world;
        let agents: Vec<Cell> = (0..world.rules().agents).map(|agent| world.agent(agent)).collect();
        if self.slots.is_empty() {
            self.choose_square(world, &agents);
        }
        let slots = std::mem::take(&mut self.slots);
        if !slots.is_empty() && self.cost(&slots, &agents, i32::MAX).is_some() {
            let goals: Vec<Option<usize>> = self.assignment.rows_by_column().collect();
            let mut reserved: Vec<Cell> = Vec::new();
            for (agent, goal) in goals.into_iter().enumerate() {
                let me = agents[agent];
                let open = |cell: Cell| world.board().is_free(cell) && !reserved.contains(&cell);
                let way = match goal {
                    Some(slot) => search(me, Direction::ALL, open, |cell| cell == slots[slot]),
                    None if slots.contains(&me) => {
                        search(me, Direction::ALL, open, |cell| !slots.contains(&cell))
                    }
                    None => None,
                };
                if let Some(way) = way {
                    reserved.push(me.offset(way.vector().0, way.vector().1));
                }
                intents[agent].go(way);
            }
        }
        self.slots = slots;
    }
}
