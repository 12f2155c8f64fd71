use std::collections::BTreeMap;

use super::*;
use crate::features::embed::HashedNgrams;
use crate::model::{Direction, Placed, RunKey, RunMeta, SwarmTask, TextRef};

/// Two agents, two rounds; agent 1 says "go up" in round 0 and is seen to the right of agent 0.
fn run() -> SwarmRun {
    let text = "go up 7?".to_owned();
    let view = |cells: [&str; 9]| Some(cells.map(Box::from).to_vec());
    let decide = |agent: u32, action, message, view| Decision {
        agent: AgentIx(agent),
        action: Some(action),
        message,
        tokens: None,
        view,
    };
    let up = Action::Move(Direction::Up);
    let said = Some(TextRef { start: 0, end: text.len() as u32 });
    let place = |agent: u32, x, y| Placed { agent: AgentIx(agent), cell: Cell::new(x, y) };
    let free = || view([".", ".", ".", ".", "0", ".", ".", ".", "."]);
    SwarmRun {
        meta: RunMeta {
            key: RunKey { batch: "b".into(), run_id: "r".into() },
            model: "m".into(),
            task: SwarmTask::Pursuit,
            seed: None,
            num_agents: Some(2),
            max_round: None,
            width: Some(10),
            height: Some(10),
            view_size: Some(3),
            columns: BTreeMap::new(),
        },
        agents: vec!["Agent_0".into(), "Agent_1".into()],
        rounds: vec![
            Round {
                number: 0,
                has_state: true,
                positions: vec![place(0, 2, 2), place(1, 4, 1)],
                decisions: vec![decide(0, Action::Stay, None, free()), decide(1, up, said, None)],
                ..Round::default()
            },
            Round {
                number: 1,
                has_state: true,
                positions: vec![place(0, 3, 2), place(1, 4, 1)],
                decisions: vec![
                    decide(0, up, None, view(["W", "W", "1", ".", "$0", "P", ".", ".", "*"])),
                    decide(1, up, None, free()),
                ],
                ..Round::default()
            },
        ],
        other_actions: vec![],
        text,
        has_game_log: true,
        has_agent_log: true,
    }
}

fn values(rows: &RunRows, row: usize) -> BTreeMap<&str, f32> {
    rows.rows[row].values.iter().map(|&(c, v)| (rows.columns[c as usize].name.as_str(), v)).collect()
}

#[test]
fn a_decision_by_hand() {
    let rows = encode_run(&run(), &HashedNgrams, ViewEncoding::Cells, 100, 1);
    // Agent 1 has no view in round 0, so that is no decision that can be explained.
    assert_eq!((rows.logged, rows.rows.len()), (3, 3));
    let second = values(&rows, 1);
    assert_eq!(rows.rows[1].action, "UP");
    for (name, want) in [
        ("wall at (-1, -1)", 1.0),
        ("wall at (+0, -1)", 1.0),
        ("agent at (+1, -1)", 1.0),
        ("prey at (+1, +0)", 1.0),
        ("off the map at (+1, +1)", 1.0),
        ("number of wall cells", 2.0),
        ("own mark ($)", 1.0),
        ("messages received", 1.0),
        ("mean length received", 8.0),
        ("share received with a digit", 1.0),
        ("share received with a question", 1.0),
        ("share received with \"up\"", 1.0),
        ("round", 1.0),
        ("own x", 3.0),
        ("own y", 2.0),
        ("last action STAY", 1.0),
        ("moved right by", 1.0),
    ] {
        assert_eq!(second.get(name).copied(), Some(want), "{name}");
    }
    assert!(!second.contains_key("share received with \"down\"") && !second.contains_key("moved down by"));
    assert!(second.keys().any(|name| name.starts_with("message text")));
    // Nobody spoke to agent 1, and nobody hears oneself.
    assert!(!values(&rows, 2).contains_key("messages received"));
}

#[test]
fn messages_reach_only_those_in_sight() {
    let mut run = run();
    run.rounds[1].positions[1].cell = Cell::new(9, 9);
    let rows = encode_run(&run, &HashedNgrams, ViewEncoding::Cells, 100, 1);
    assert!(!values(&rows, 1).contains_key("messages received"));
}

#[test]
fn agents_outside_decide_nothing_and_text_is_a_choice() {
    let mut run = run();
    run.rounds[1].positions[0].cell = Cell::new(-1, 2);
    let rows = encode_run(&run, &HashedNgrams, ViewEncoding::Text, 100, 1);
    assert_eq!(rows.logged, 2);
    assert!(rows.columns.iter().any(|column| column.name == "view text 00"));
    assert!(!rows.columns.iter().any(|column| column.name.contains("wall")));
}

#[test]
fn joined_runs_share_columns() {
    let rows = encode_run(&run(), &HashedNgrams, ViewEncoding::Cells, 100, 1);
    let thin = encode_run(&run(), &HashedNgrams, ViewEncoding::Cells, 1, 1);
    assert_eq!((thin.rows.len(), thin.logged), (1, 3));
    let design = join(&[&rows, &thin]);
    assert_eq!((design.x.rows(), design.runs.as_slice()), (4, [0, 0, 0, 1].as_slice()));
    assert_eq!(design.classes, ["STAY", "UP"]);
    assert!(design.columns.is_sorted());
    let column = design.columns.iter().position(|c| c.name == "number of wall cells").unwrap();
    assert_eq!(design.x.column(column)[..3], [0.0, 2.0, 0.0]);
}
