//! MAPF: the share of robots that reach their goals when the joint plan is executed.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{BadInstance, Instance, Setting, Task, Unscored};
use crate::model::{Output, ProposalTask};

/// The registry row.
pub const TASK: Task = Task {
    task: ProposalTask::Mapf,
    setting: Setting::Static,
    formula: "100 · robots that reach their goal within 30 steps / robots",
    max_formula: "100",
    source: "MASTraceBench, eq. 9; execution of faulty plans ours (docs/methods.md)",
    instance: |value| Ok(Box::new(Mapf::from_value(value)?)),
};

/// Steps after which the execution ends.
pub const MAX_STEPS: usize = 30;

/// Most robots of an instance that is executed: settling collisions takes time that grows with the square of it.
pub const MAX_ROBOTS: usize = 256;

/// A cell: row and column from 0 at the top left.
pub type RowCol = [i64; 2];

/// A robot's task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Robot {
    /// The robot's id; contents name it by its text.
    pub id: Value,
    /// Where it starts.
    pub start: RowCol,
    /// Where it has to go.
    pub goal: RowCol,
}

impl Robot {
    /// The id as contents name it: `0` and `"0"` are the same robot.
    pub fn key(&self) -> String {
        match &self.id {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }
}

/// A MAPF instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mapf {
    /// Rows and columns of the square map.
    pub map_size: u32,
    /// Cells that can't be entered.
    pub obstacles: BTreeSet<RowCol>,
    /// The robots.
    pub robots: Vec<Robot>,
}

/// What became of a robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It stands at its goal.
    Arrived,
    /// A bad action or a collision ended its plan.
    Failed,
    /// The steps ran out.
    Underway,
}

/// An executed plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// Each robot's fate.
    pub fates: Vec<Fate>,
    /// Each robot's cells, from its start on, one per step until nothing moves any more.
    pub paths: Vec<Vec<RowCol>>,
}

impl Execution {
    /// The share of robots that arrived, on 0–100; `None` without robots.
    pub fn score(&self) -> Option<f64> {
        let arrived = self.fates.iter().filter(|&&fate| fate == Fate::Arrived).count();
        (!self.fates.is_empty()).then(|| 100.0 * arrived as f64 / self.fates.len() as f64)
    }
}

/// The change of row and column that an action stands for; `None` for an unknown action.
pub fn step_of(action: &str) -> Option<RowCol> {
    Some(match action {
        "up" => [-1, 0],
        "down" => [1, 0],
        "left" => [0, -1],
        "right" => [0, 1],
        "wait" => [0, 0],
        _ => return None,
    })
}

impl Mapf {
    /// Reads an instance.
    ///
    /// # Errors
    /// Where a field is missing or of the wrong type, or there are no robots or more than [`MAX_ROBOTS`].
    pub fn from_value(value: &Value) -> Result<Self, BadInstance> {
        let instance: Self = super::read(value)?;
        if instance.robots.is_empty() || instance.robots.len() > MAX_ROBOTS {
            return Err(BadInstance(format!(
                "{} robots; 1 to {MAX_ROBOTS} can be executed",
                instance.robots.len()
            )));
        }
        Ok(instance)
    }

    /// Whether a robot may stand on the cell.
    pub fn is_free(&self, cell: RowCol) -> bool {
        let side = i64::from(self.map_size);
        cell.iter().all(|&at| (0..side).contains(&at)) && !self.obstacles.contains(&cell)
    }

    /// Executes a joint plan, given as one action list per robot in the instance's order.
    ///
    /// A robot at its goal stops and blocks. An unknown action, a move off the map or into an obstacle fails that robot:
    /// it stays where it is and blocks. Robots that would swap cells or end in one cell fail, as far as they are still
    /// moving, where they stood; this is repeated until no new collision appears. A plan that ends early waits.
    pub fn execute<A: AsRef<str>>(&self, plans: &[Vec<A>]) -> Execution {
        let mut at: Vec<RowCol> = self.robots.iter().map(|robot| robot.start).collect();
        let mut fates: Vec<Fate> = self
            .robots
            .iter()
            .map(|robot| if robot.start == robot.goal { Fate::Arrived } else { Fate::Underway })
            .collect();
        let mut paths: Vec<Vec<RowCol>> = at.iter().map(|&cell| vec![cell]).collect();
        let longest = plans.iter().map(Vec::len).max().unwrap_or(0);
        // Once every plan has ended, all that is left to happen is one more look at who shares a cell.
        for step in 0..MAX_STEPS.min(longest.saturating_add(1)) {
            let mut next = at.clone();
            for robot in 0..at.len() {
                if fates[robot] != Fate::Underway {
                    continue;
                }
                let action = plans.get(robot).and_then(|plan| plan.get(step)).map_or("wait", AsRef::as_ref);
                match step_of(action).map(|delta| [at[robot][0] + delta[0], at[robot][1] + delta[1]]) {
                    Some(cell) if cell == at[robot] || self.is_free(cell) => next[robot] = cell,
                    _ => fates[robot] = Fate::Failed,
                }
            }
            settle_collisions(&at, &mut next, &mut fates);
            at = next;
            for (robot, path) in paths.iter_mut().enumerate() {
                path.push(at[robot]);
                if fates[robot] == Fate::Underway && at[robot] == self.robots[robot].goal {
                    fates[robot] = Fate::Arrived;
                }
            }
        }
        Execution { fates, paths }
    }

    /// The plan of a content, one action list per robot; a robot without a list waits.
    ///
    /// # Errors
    /// [`Unscored::Malformed`] where the content is no object of lists.
    pub fn plan(&self, content: &Value) -> Result<Vec<Vec<String>>, Unscored> {
        let object =
            content.as_object().ok_or(Unscored::Malformed("a plan is an object, robot id to action list"))?;
        let mut by_robot: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (robot, actions) in object {
            let actions =
                actions.as_array().ok_or(Unscored::Malformed("a robot's plan is a list of actions"))?;
            // An action that is no text is an unknown action: it fails that robot, not the whole plan.
            let names = actions
                .iter()
                .take(MAX_STEPS)
                .map(|action| action.as_str().unwrap_or("?").to_owned())
                .collect();
            by_robot.insert(robot, names);
        }
        Ok(self
            .robots
            .iter()
            .map(|robot| by_robot.remove(robot.key().as_str()).unwrap_or_default())
            .collect())
    }
}

/// Sends colliding robots back to where they stood, until no new collision appears.
fn settle_collisions(at: &[RowCol], next: &mut [RowCol], fates: &mut [Fate]) {
    loop {
        let mut hit = Vec::new();
        for a in 0..at.len() {
            for b in a + 1..at.len() {
                let meet = next[a] == next[b];
                let swap = next[a] == at[b] && next[b] == at[a] && next[a] != at[a];
                if meet || swap {
                    hit.extend([a, b].into_iter().filter(|&robot| fates[robot] == Fate::Underway));
                }
            }
        }
        if hit.is_empty() {
            return;
        }
        for robot in hit {
            fates[robot] = Fate::Failed;
            next[robot] = at[robot];
        }
    }
}

impl Instance for Mapf {
    fn score(&self, output: &Output) -> Result<f64, Unscored> {
        let content = output.content.as_ref().ok_or(Unscored::Malformed("no content"))?;
        let plans = self.plan(content)?;
        self.execute(&plans).score().ok_or(Unscored::Undefined("no robots"))
    }

    fn max_score(&self) -> Option<f64> {
        Some(100.0)
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these scores are whole numbers, exact in f64")]
mod tests {
    use super::*;
    use serde_json::json;

    fn score(instance: &Value, content: Value) -> f64 {
        let output = Output { content: Some(content), ..Output::default() };
        Mapf::from_value(instance).unwrap().score(&output).unwrap()
    }

    /// Figure 7's bottleneck: the walls leave one row and one cell to step aside; robots must swap ends.
    fn bottleneck() -> Value {
        json!({"map_size": 5,
            "obstacles": [[2,1],[2,3],[4,1],[4,2],[4,3],[2,0],[2,4],[4,0],[4,4]],
            "robots": [{"id": 0, "start": [3,1], "goal": [3,3]}, {"id": 1, "start": [3,3], "goal": [3,1]}]})
    }

    #[test]
    fn two_robots_in_a_bottleneck() {
        let both = json!({"0": ["right","up","wait","down","right"], "1": ["wait","left","left"]});
        // By hand: step 1: 0 at (3,2); step 2: 0 up to (2,2), 1 left to (3,2); step 3: 1 to (3,1), its goal;
        // steps 4 and 5: 0 down to (3,2), right to (3,3).
        assert_eq!(score(&bottleneck(), both), 100.0);
        // Meeting in the middle cell fails both; swapping does too.
        assert_eq!(score(&bottleneck(), json!({"0": ["right","right"], "1": ["left","left"]})), 0.0);
        let swap = json!({"map_size": 2, "obstacles": [], "robots": [
            {"id": 0, "start": [0,0], "goal": [0,1]}, {"id": 1, "start": [0,1], "goal": [0,0]}]});
        assert_eq!(score(&swap, json!({"0": ["right"], "1": ["left"]})), 0.0);
        assert_eq!(score(&swap, json!({"0": ["down","right","up"], "1": ["left"]})), 100.0);
    }

    #[test]
    fn thirds_of_three_robots() {
        let instance = json!({"map_size": 3, "obstacles": [[1,1]], "robots": [
            {"id": 0, "start": [0,0], "goal": [0,2]}, {"id": 1, "start": [1,0], "goal": [1,2]},
            {"id": 2, "start": [2,0], "goal": [2,2]}]});
        let go = json!(["right", "right"]);
        // The paper's 66.7 %: robot 1 runs into the obstacle, the other two arrive.
        let two = score(&instance, json!({"0": go, "1": go, "2": go}));
        assert!((two - 200.0 / 3.0).abs() < 1e-12);
        let one = score(&instance, json!({"0": go}));
        assert!((one - 100.0 / 3.0).abs() < 1e-12);
        assert_eq!(score(&instance, json!({})), 0.0);
    }

    #[test]
    fn a_chain_of_collisions_goes_back_to_its_start() {
        // 0 runs off the map and stays; 1 wants its cell and fails; 2 wants 1's cell and fails in turn.
        let instance = json!({"map_size": 4, "obstacles": [], "robots": [
            {"id": 0, "start": [0,0], "goal": [3,0]}, {"id": 1, "start": [0,1], "goal": [3,1]},
            {"id": 2, "start": [0,2], "goal": [3,2]}, {"id": "z", "start": [3,3], "goal": [3,2]}]});
        let plan = json!({"0": ["left","down"], "1": ["left","down"], "2": ["left","down"], "z": ["left"]});
        let instance = Mapf::from_value(&instance).unwrap();
        let done = instance.execute(&instance.plan(&plan).unwrap());
        assert_eq!(done.fates, [Fate::Failed, Fate::Failed, Fate::Failed, Fate::Arrived]);
        assert_eq!(done.paths[2].last(), Some(&[0, 2]));
    }

    #[test]
    fn goals_block_steps_end_and_bad_actions_fail() {
        let line = |robots: Value| json!({"map_size": 40, "obstacles": [], "robots": robots});
        let one = line(json!([{"id": 0, "start": [0,0], "goal": [0,30]}]));
        assert_eq!(score(&one, json!({"0": vec!["right"; 30]})), 100.0);
        let far = line(json!([{"id": 0, "start": [0,0], "goal": [0,31]}]));
        assert_eq!(score(&far, json!({"0": vec!["right"; 31]})), 0.0);
        let behind =
            line(json!([{"id": 0, "start": [0,1], "goal": [0,1]}, {"id": 1, "start": [0,0], "goal": [0,2]}]));
        assert_eq!(score(&behind, json!({"0": [], "1": ["right", "right"]})), 50.0);
        assert_eq!(score(&one, json!({"0": ["jump", "right"]})), 0.0);
        // A robot past its goal's cell has stopped there: later actions are not executed.
        let near = line(json!([{"id": 0, "start": [0,0], "goal": [0,1]}]));
        assert_eq!(score(&near, json!({"0": ["right", "right"]})), 100.0);
    }

    #[test]
    fn a_plan_of_another_form_is_malformed() {
        let instance = Mapf::from_value(&bottleneck()).unwrap();
        for content in [json!([1]), json!("up"), json!({"0": "up"})] {
            let output = Output { content: Some(content), ..Output::default() };
            assert!(matches!(instance.score(&output), Err(Unscored::Malformed(_))));
        }
        assert!(Mapf::from_value(&json!({"map_size": 5, "obstacles": [], "robots": []})).is_err());
    }
}
