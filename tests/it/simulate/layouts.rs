//! Starting layouts of the released environment, on five map sizes.

use serde_json::Value;
use swarm_analyze::model::SwarmTask;
use swarm_analyze::simulate::swarmbench::{Rules, Task, World};

#[test]
fn all_layouts_are_those_of_the_released_environment() {
    let text = std::fs::read_to_string(super::data().join("layouts.json")).unwrap();
    let layouts: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(layouts.len(), 300);
    for layout in &layouts {
        let number = |key: &str| layout[key].as_u64().unwrap() as u32;
        let task = Task::of(&SwarmTask::from_name(layout["task"].as_str().unwrap())).unwrap();
        let seed = layout["seed"].as_i64().unwrap();
        let rules = Rules {
            agents: number("num_agents"),
            width: number("width"),
            height: number("height"),
            ..Rules::released(task, seed)
        };
        let world = World::new(&rules).unwrap();
        let grid = world.grid();
        let rows: Vec<&str> =
            grid.cells.chunks(grid.width).map(|row| std::str::from_utf8(row).unwrap()).collect();
        let logged: Vec<&str> =
            layout["grid"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
        assert_eq!(rows, logged, "{} seed {seed}", task.name());
        for agent in 0..rules.agents {
            let place = &layout["agents"][format!("Agent_{agent}")];
            let cell = world.agent(agent);
            assert_eq!(place["x"].as_i64(), Some(cell.x.into()), "{} seed {seed}", task.name());
            assert_eq!(place["y"].as_i64(), Some(cell.y.into()), "{} seed {seed}", task.name());
        }
    }
}

#[test]
fn rules_that_cannot_be_played_are_refused() {
    let released = |task| Rules::released(task, 1);
    for rules in [
        Rules { agents: 65, ..released(Task::Synchronization) }, // 64 inner cells
        Rules { agents: 26, ..released(Task::Pursuit) },         // 5×5 cells at the start
        Rules { agents: 0, ..released(Task::Flocking) },
        Rules { width: 4, ..released(Task::Transport) },
        Rules { height: 100_000, ..released(Task::Foraging) },
        Rules { noise: f64::NAN, ..released(Task::Pursuit) },
    ] {
        let error = World::new(&rules).unwrap_err();
        assert!(matches!(error, swarm_analyze::Error::Usage(_)), "{error}");
    }
    assert!(World::new(&Rules { agents: 64, ..released(Task::Synchronization) }).is_ok());
}
