//! Where the agent is and what it did: position, round, the last action and whether it took effect.

use super::{Scene, Writer, action_name};
use crate::attribution::design::Group;

/// Encodes position and history of a decision.
pub(super) fn encode(scene: &Scene<'_>, to: &mut Writer) {
    let group = Group::History;
    to.set(group, "round".to_owned(), scene.round.number as f32);
    if let Some(cell) = scene.cell {
        to.set(group, "own x".to_owned(), cell.x as f32);
        to.set(group, "own y".to_owned(), cell.y as f32);
    } else {
        to.set(group, "own position not logged".to_owned(), 1.0);
    }
    let agent = scene.decision.agent;
    let Some(before) = scene.before else {
        to.set(group, "no round before".to_owned(), 1.0);
        return;
    };
    let last = Scene::decision_in(before, agent).and_then(|decision| decision.action);
    to.set(group, format!("last action {}", action_name(scene.run, last)), 1.0);
    if let (Some(now), Some(was)) = (scene.cell, Scene::cell_in(before, agent)) {
        to.set(group, "moved right by".to_owned(), (i64::from(now.x) - i64::from(was.x)) as f32);
        to.set(group, "moved down by".to_owned(), (i64::from(now.y) - i64::from(was.y)) as f32);
    }
}
