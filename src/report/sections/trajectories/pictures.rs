//! Drawn proposals: a MAPF map with the robots' moves, a Gomoku board with the proposed stones.

use serde_json::Value;

use crate::figures::{Drawn, GridAgent, GridMark, GridPanel, GridPicture, GridStyle};
use crate::trajectory::overview::ExampleRow;
use crate::trajectory::score::gomoku::Gomoku;
use crate::trajectory::score::mapf::{Fate, Mapf};

pub(super) const HOW: &str = "MAPF: robots stand where the plan leaves them, filled where they arrived; marked cells are goals. Gomoku: the \
                              marked crossing is the proposed move.";

/// Largest side of a map that is drawn.
const MOST_SIDE: u32 = 40;

/// Whether the task has a picture.
pub(super) fn can_draw(example: &ExampleRow) -> bool {
    matches!(example.task.as_str(), "MAPF" | "Gomoku")
}

/// The best initial proposal, the best final one and the answer, side by side; `None` for tasks without a picture.
pub(super) fn draw(example: &ExampleRow) -> Option<Drawn> {
    let best = |score: &dyn Fn(&crate::trajectory::overview::ExampleProposer) -> Option<f64>| {
        example
            .proposers
            .iter()
            .filter(|proposer| score(proposer).is_some())
            .reduce(|best, next| if score(next) > score(best) { next } else { best })
    };
    let mut moments: Vec<(String, &Value)> = Vec::new();
    if let Some(first) = best(&|proposer| proposer.initial_score) {
        moments.push((format!("{}, initial", first.agent), &first.initial));
    }
    if let Some(last) = best(&|proposer| proposer.last_score) {
        moments.push((format!("{}, final", last.agent), &last.last));
    }
    moments.push(("Answer".to_owned(), &example.answer));
    let (panels, style): (Vec<GridPanel>, GridStyle) = match example.task.as_str() {
        "MAPF" => {
            let map = Mapf::from_value(&example.instance).ok().filter(|map| map.map_size <= MOST_SIDE)?;
            (
                moments.iter().map(|(title, content)| map_panel(&map, title, content)).collect(),
                GridStyle::World,
            )
        }
        "Gomoku" => {
            Gomoku::from_value(&example.instance).ok()?;
            let board: Vec<String> = example
                .instance
                .get("board")?
                .as_array()?
                .iter()
                .filter_map(|row| row.as_str().map(str::to_owned))
                .collect();
            (
                moments.iter().map(|(title, content)| board_panel(&board, title, content)).collect(),
                GridStyle::Board,
            )
        }
        _ => return None,
    };
    let picture = GridPicture {
        title: format!("Proposals in unit {}", example.unit_id),
        description: "The best initial proposal, the best final one, and the answer.".into(),
        panels,
        style,
        ..GridPicture::default()
    };
    Some(picture.draw())
}

fn map_panel(map: &Mapf, title: &str, content: &Value) -> GridPanel {
    let side = map.map_size as usize;
    let mut rows = vec![vec!['.'; side]; side];
    for &[row, column] in &map.obstacles {
        if let Some(cell) = usize::try_from(row)
            .ok()
            .zip(usize::try_from(column).ok())
            .and_then(|(row, column)| rows.get_mut(row)?.get_mut(column))
        {
            *cell = '@';
        }
    }
    let plans = map.plan(content).unwrap_or_default();
    let done = map.execute(&plans);
    let agents = map
        .robots
        .iter()
        .zip(done.paths.iter().zip(&done.fates))
        .map(|(robot, (path, &fate))| {
            let [row, column] = path.last().copied().unwrap_or(robot.start);
            GridAgent {
                x: column as i32,
                y: row as i32,
                label: robot.key().chars().take(3).collect(),
                active: fate == Fate::Arrived,
                arrow: None,
            }
        })
        .collect();
    let marks = map
        .robots
        .iter()
        .map(|robot| GridMark {
            x: robot.goal[1] as i32,
            y: robot.goal[0] as i32,
            label: format!("goal of robot {}", robot.key()),
        })
        .collect();
    let rows = rows.into_iter().map(|row| row.into_iter().collect()).collect();
    GridPanel { title: title.to_owned(), rows, agents, marks }
}

fn board_panel(board: &[String], title: &str, content: &Value) -> GridPanel {
    let marks = Gomoku::place(content)
        .ok()
        .map(|(row, column)| GridMark {
            x: column as i32,
            y: row as i32,
            label: format!("proposed: row {row}, column {column}"),
        })
        .into_iter()
        .collect();
    GridPanel { title: title.to_owned(), rows: board.to_vec(), agents: Vec::new(), marks }
}
