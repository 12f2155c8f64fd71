//! MAPF: random maps with robots for which a joint plan exists; claims are the robots' paths.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Map, Value, json};

use super::super::mind::Draws;
use super::super::problem::{Choice, Claim, Problem};
use crate::stats::rng::Stream;
use crate::trajectory::score::Instance;
use crate::trajectory::score::mapf::{Fate, MAX_STEPS, Mapf, Robot, RowCol, step_of};

const ACTIONS: [&str; 5] = ["wait", "up", "down", "left", "right"];

/// A map with its hidden joint plan.
struct World {
    instance: Mapf,
    solution: Vec<Vec<&'static str>>,
}

/// Sample `index`: a map of 5 to 7 cells a side, a fifth of them obstacles, 2 to 4 robots, solvable.
pub(super) fn problem(seed: u64, index: usize) -> Box<dyn Problem> {
    let mut stream = Stream::new(seed, &format!("MAPF/world/{index}"));
    loop {
        if let Some(world) = World::draw(&mut stream) {
            return Box::new(world);
        }
    }
}

impl World {
    fn draw(stream: &mut Stream) -> Option<Self> {
        let side = 5 + stream.index(3);
        let mut cells: Vec<RowCol> =
            (0..side).flat_map(|r| (0..side).map(move |c| [r as i64, c as i64])).collect();
        stream.shuffle(&mut cells);
        let walls = cells.len() / 5;
        let robots = 2 + stream.index(3);
        let obstacles: BTreeSet<RowCol> = cells.iter().take(walls).copied().collect();
        let places = cells.get(walls..walls + 2 * robots)?;
        let robots = places
            .chunks_exact(2)
            .enumerate()
            .map(|(id, pair)| Robot { id: json!(id), start: pair[0], goal: pair[1] })
            .collect();
        let instance = Mapf { map_size: side as u32, obstacles, robots };
        let mut order: Vec<usize> = (0..instance.robots.len()).collect();
        stream.shuffle(&mut order);
        let solution = coordinate(&instance, &order)?;
        let solved = instance.execute(&solution).fates.iter().all(|&fate| fate == Fate::Arrived);
        // A map on which nobody meets nobody tells nothing about coordination; some of those are kept.
        let alone: Vec<Vec<&str>> =
            (0..instance.robots.len()).map(|robot| shortest(&instance, robot)).collect::<Option<_>>()?;
        let easy = instance.execute(&alone).score() == Some(100.0);
        (solved && (!easy || stream.uniform() < 0.3)).then_some(Self { instance, solution })
    }
}

/// A path in space and time, by breadth-first search over (cell, step) with what the others occupy.
fn path(instance: &Mapf, robot: usize, taken: &Taken) -> Option<Vec<&'static str>> {
    let Robot { start, goal, .. } = instance.robots.get(robot)?;
    let mut queue = VecDeque::from([(*start, 0usize)]);
    let mut came: BTreeMap<(RowCol, usize), (RowCol, &'static str)> = BTreeMap::new();
    while let Some((cell, step)) = queue.pop_front() {
        if cell == *goal && taken.free_from(cell, step) {
            let mut actions = Vec::with_capacity(step);
            let mut at = (cell, step);
            while let Some(&(before, action)) = came.get(&at) {
                actions.push(action);
                at = (before, at.1 - 1);
            }
            actions.reverse();
            return Some(actions);
        }
        if step == MAX_STEPS {
            continue;
        }
        for action in ACTIONS {
            let Some(delta) = step_of(action) else { continue };
            let next = [cell[0] + delta[0], cell[1] + delta[1]];
            let key = (next, step + 1);
            let fresh = key.1 > 0 && !came.contains_key(&key);
            if fresh && instance.is_free(next) && taken.allows(cell, next, step) {
                came.insert(key, (cell, action));
                queue.push_back(key);
            }
        }
    }
    None
}

/// Where planned robots are, step by step; each stays at its last cell.
#[derive(Default)]
struct Taken {
    paths: Vec<Vec<RowCol>>,
}

impl Taken {
    fn at(path: &[RowCol], step: usize) -> Option<RowCol> {
        path.get(step).or(path.last()).copied()
    }

    fn allows(&self, from: RowCol, to: RowCol, step: usize) -> bool {
        self.paths.iter().all(|path| {
            let (now, next) = (Self::at(path, step), Self::at(path, step + 1));
            next != Some(to) && !(now == Some(to) && next == Some(from))
        })
    }

    /// Whether nobody enters the cell from this step on.
    fn free_from(&self, cell: RowCol, step: usize) -> bool {
        self.paths.iter().all(|path| (step..=MAX_STEPS).all(|t| Self::at(path, t) != Some(cell)))
    }
}

fn cells(start: RowCol, actions: &[&'static str]) -> Vec<RowCol> {
    let mut at = start;
    let mut cells = vec![at];
    for delta in actions.iter().filter_map(|action| step_of(action)) {
        at = [at[0] + delta[0], at[1] + delta[1]];
        cells.push(at);
    }
    cells
}

/// Plans one robot after the other around those planned before.
fn coordinate(instance: &Mapf, order: &[usize]) -> Option<Vec<Vec<&'static str>>> {
    let mut taken = Taken::default();
    let mut plans = vec![Vec::new(); instance.robots.len()];
    for &robot in order {
        let actions = path(instance, robot, &taken)?;
        taken.paths.push(cells(instance.robots.get(robot)?.start, &actions));
        plans[robot] = actions;
    }
    Some(plans)
}

/// The robot's shortest path as if it were alone.
fn shortest(instance: &Mapf, robot: usize) -> Option<Vec<&'static str>> {
    path(instance, robot, &Taken::default())
}

impl Problem for World {
    fn instance(&self) -> Value {
        serde_json::to_value(&self.instance).unwrap_or(Value::Null)
    }

    /// Each robot's path comes from the hidden joint plan (skill), or is faulty: planned as if alone, with one wrong action,
    /// or cut short. Idle waits after the goal differ between agents and do no harm.
    fn propose(&self, draws: &Draws<'_>) -> Value {
        let mut plan = Map::new();
        for (robot, sound) in self.solution.iter().enumerate() {
            let mut stream = draws.part(robot);
            let mut actions = sound.clone();
            if stream.uniform() >= draws.mind.skill {
                match stream.index(3) {
                    0 => actions = shortest(&self.instance, robot).unwrap_or_default(),
                    1 => {
                        let at = stream.index(actions.len() + 1);
                        actions.insert(at, ACTIONS[stream.index(ACTIONS.len())]);
                    }
                    _ => actions.truncate(stream.index(actions.len() + 1)),
                }
            }
            actions.extend(std::iter::repeat_n("wait", stream.index(3)));
            plan.insert(robot.to_string(), json!(actions));
        }
        Value::Object(plan)
    }

    fn claims(&self, content: &Value) -> Vec<Claim> {
        let Ok(plans) = self.instance.plan(content) else { return Vec::new() };
        let fates = self.instance.execute(&plans).fates;
        plans
            .iter()
            .zip(fates)
            .enumerate()
            .map(|(robot, (plan, fate))| Claim {
                slot: robot,
                option: json!(plan),
                text: format!("robot {robot} reaches its goal in {} steps", plan.len()),
                good: fate == Fate::Arrived,
            })
            .collect()
    }

    fn assemble(&self, choices: &[Choice]) -> Value {
        if choices.is_empty() {
            return Value::Null;
        }
        choices.iter().map(|choice| (choice.slot.to_string(), choice.option.clone())).collect()
    }

    fn scoring(&self) -> &dyn Instance {
        &self.instance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_map_has_a_joint_plan() {
        for index in 0..20 {
            let mut stream = Stream::new(3, &format!("MAPF/world/{index}"));
            let world = loop {
                if let Some(world) = World::draw(&mut stream) {
                    break world;
                }
            };
            assert_eq!(world.instance.execute(&world.solution).score(), Some(100.0));
            assert!(world.solution.iter().all(|plan| plan.len() <= MAX_STEPS));
        }
    }
}
