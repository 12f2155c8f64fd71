//! The planner for Pursuit: tries many joint moves on copies of the world, which foresee the prey exactly.

use super::common::closer;
use crate::model::{Action, Cell, Direction};
use crate::simulate::swarmbench::board::Kind;
use crate::simulate::swarmbench::policy::{Intent, Policy, PolicyRow};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::RoundStart;
use crate::simulate::swarmbench::world::World;
use crate::stats::rng::Stream;

/// The row in the table of policies.
pub(super) const ROW: PolicyRow = PolicyRow {
    name: "oracle-pursuit",
    tasks: &[Task::Pursuit],
    summary: "planner with global view: the best of many joint moves, each played a few rounds ahead on a copy of the world",
    team: |row, rules| Box::new(Planner { stream: row.stream(rules, 0) }),
};

/// Joint moves tried per round, for ten agents.
const TRIALS: u32 = 150;
/// Rounds played ahead, the first included.
const AHEAD: u32 = 3;

struct Planner {
    stream: Stream,
}

impl Policy for Planner {
    fn decide(&mut self, start: RoundStart<'_>, intents: &mut [Intent]) {
        let trials = (TRIALS * 10 / start.world.rules().agents.max(1)).max(4);
        let plain = approach(start.world);
        let mut best = (f64::NEG_INFINITY, plain.clone());
        for trial in 0..trials {
            let mut actions = plain.clone();
            if trial > 0 {
                for action in &mut actions {
                    if self.stream.below(3) == 0 {
                        let draw = self.stream.index(5);
                        *action = Direction::ALL.get(draw).map_or(Action::Stay, |way| Action::Move(*way));
                    }
                }
            }
            let value = value(start.world, &actions);
            if value > best.0 {
                best = (value, actions);
            }
        }
        for (intent, action) in intents.iter_mut().zip(best.1) {
            intent.action = action;
        }
    }
}

/// How good a joint move is: captures count most, then closed ways out, then closeness.
fn value(world: &World, actions: &[Action]) -> f64 {
    let mut copy = world.clone();
    copy.step(actions);
    let mut value = copy.score().value() * 3000.0 + worth(&copy);
    for _ in 1..AHEAD {
        if copy.over() {
            break;
        }
        let next = approach(&copy);
        copy.step(&next);
        value += copy.score().value() * 1000.0;
    }
    value + worth(&copy) * 0.5
}

fn prey(world: &World) -> Option<Cell> {
    world.board().meshes().iter().find(|mesh| mesh.kind == Kind::Prey && mesh.present).map(|mesh| mesh.at)
}

fn sides(prey: Cell) -> [Cell; 4] {
    Direction::ALL.map(|way| prey.offset(way.vector().0, way.vector().1))
}

fn worth(world: &World) -> f64 {
    let Some(prey) = prey(world) else { return 0.0 };
    let closed = sides(prey).into_iter().filter(|side| !world.board().is_free(*side)).count();
    let away: u64 = (0..world.rules().agents).map(|agent| world.agent(agent).manhattan(prey)).sum();
    40.0 * closed as f64 - away as f64
}

/// Everybody steps towards the side of the prey that is nearest to it; those beside it stay.
fn approach(world: &World) -> Vec<Action> {
    let prey = prey(world);
    let step = |agent: u32| -> Action {
        let me = world.agent(agent);
        let Some(prey) = prey else { return Action::Stay };
        if me.manhattan(prey) == 1 {
            return Action::Stay;
        }
        let free = |cell: Cell| world.board().is_free(cell);
        let goal = sides(prey).into_iter().filter(|side| free(*side)).min_by_key(|side| side.manhattan(me));
        let way =
            closer(me, goal.unwrap_or(prey)).find(|way| free(me.offset(way.vector().0, way.vector().1)));
        way.map_or(Action::Stay, Action::Move)
    };
    (0..world.rules().agents).map(step).collect()
}
