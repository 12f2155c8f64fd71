//! The view: what kind of thing is in each cell around the agent, and how many of each.

use super::{Scene, ViewEncoding, Writer, fold};
use crate::attribution::design::Group;
use crate::features::embed::{Component, Embedder};

/// Columns of the view as text.
const TEXT_COLUMNS: usize = 64;

/// What a cell of a view shows. Free cells are what every cell is without a column being set.
fn kind_of(cell: &str) -> Option<&'static str> {
    Some(match cell {
        "." => return None,
        "W" => "wall",
        "*" => "off the map",
        "P" => "prey",
        "F" => "food",
        "N" => "nest",
        "B" => "box",
        _ if !cell.is_empty() && cell.bytes().all(|b| b.is_ascii_digit()) => "agent",
        // The dollar marks an agent whose light is off, or whose hands are empty.
        _ if cell.strip_prefix('$').is_some_and(|id| id.bytes().all(|b| b.is_ascii_digit())) => "$agent",
        _ => "other",
    })
}

/// Encodes views.
pub(super) struct Seeing<'e> {
    embedder: &'e dyn Embedder,
    how: ViewEncoding,
    scratch: Vec<Component>,
}

impl<'e> Seeing<'e> {
    pub(super) fn new(embedder: &'e dyn Embedder, how: ViewEncoding) -> Self {
        Self { embedder, how, scratch: Vec::new() }
    }

    /// Encodes the view of a decision. Views that are not square, or not odd, are read as the square of the largest odd
    /// side that their number of cells allows.
    pub(super) fn encode(&mut self, scene: &Scene<'_>, to: &mut Writer) {
        let Some(view) = &scene.decision.view else { return };
        match self.how {
            ViewEncoding::Cells => cells(view, to),
            ViewEncoding::Text => {
                let side = view.len().isqrt().max(1);
                let lines: Vec<String> = view.chunks(side).map(|line| line.join(" ")).collect();
                let mut folded = [0.0; TEXT_COLUMNS];
                fold(self.embedder, &lines.join("\n"), &mut self.scratch, &mut folded);
                for (i, value) in folded.into_iter().enumerate() {
                    to.set(Group::Observation, format!("view text {i:02}"), value as f32);
                }
            }
        }
    }
}

fn cells(view: &[Box<str>], to: &mut Writer) {
    let side = view.len().isqrt();
    let centre = (side / 2) as i64;
    let mut counts: Vec<(&'static str, f32)> = Vec::new();
    for (i, cell) in view.iter().take(side * side).enumerate() {
        let Some(kind) = kind_of(cell) else { continue };
        let (dx, dy) = ((i % side) as i64 - centre, (i / side) as i64 - centre);
        if (dx, dy) == (0, 0) {
            // The agent itself: only its mark tells something.
            to.set(Group::Observation, "own mark ($)".to_owned(), f32::from(u8::from(kind == "$agent")));
            continue;
        }
        to.set(Group::Observation, format!("{kind} at ({dx:+}, {dy:+})"), 1.0);
        match counts.iter_mut().find(|(k, _)| *k == kind) {
            Some((_, n)) => *n += 1.0,
            None => counts.push((kind, 1.0)),
        }
    }
    for (kind, n) in counts {
        to.set(Group::Observation, format!("number of {kind} cells"), n);
    }
}
