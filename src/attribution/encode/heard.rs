//! The messages an agent received: those sent in the round before by others within sight now, as embedding and counts.

use super::{Scene, Writer, fold};
use crate::attribution::design::Group;
use crate::features::embed::{Component, Embedder};

/// Columns of the embedding.
const COLUMNS: usize = 32;

/// Words that a column of their own counts.
const DIRECTIONS: [&str; 4] = ["up", "down", "left", "right"];

/// Encodes what was heard.
pub(super) struct Hearing<'e> {
    embedder: &'e dyn Embedder,
    scratch: Vec<Component>,
}

impl<'e> Hearing<'e> {
    pub(super) fn new(embedder: &'e dyn Embedder) -> Self {
        Self { embedder, scratch: Vec::new() }
    }

    /// Encodes the messages that the agent of a decision had received. They travel ⌊view/2⌋ cells (Chebyshev), measured
    /// where sender and receiver are on arrival; where positions or the view's size are not logged, all are received.
    pub(super) fn encode(&mut self, scene: &Scene<'_>, to: &mut Writer) {
        let Some(before) = scene.before else { return };
        let reach = scene.run.meta.view_size.map(|size| size / 2);
        let near = |sender| {
            let there = Scene::cell_in(scene.round, sender);
            match (scene.cell, there, reach) {
                (Some(here), Some(there), Some(reach)) => here.chebyshev(there) <= reach,
                _ => true,
            }
        };
        let received: Vec<&str> = (before.decisions.iter())
            .filter(|other| other.agent != scene.decision.agent && near(other.agent))
            .filter_map(|other| other.message)
            .map(|text| scene.run.text(text))
            .collect();
        let group = Group::Messages;
        to.set(group, "messages received".to_owned(), received.len() as f32);
        if received.is_empty() {
            return;
        }
        let n = received.len() as f64;
        let share = |of: &dyn Fn(&&&str) -> bool| (received.iter().filter(of).count() as f64 / n) as f32;
        let characters: usize = received.iter().map(|text| text.chars().count()).sum();
        to.set(group, "mean length received".to_owned(), (characters as f64 / n) as f32);
        to.set(
            group,
            "share received with a digit".to_owned(),
            share(&|t| t.bytes().any(|b| b.is_ascii_digit())),
        );
        to.set(group, "share received with a question".to_owned(), share(&|t| t.contains('?')));
        for word in DIRECTIONS {
            let says = |text: &&&str| {
                text.split(|c: char| !c.is_alphanumeric()).any(|part| part.eq_ignore_ascii_case(word))
            };
            to.set(group, format!("share received with \"{word}\""), share(&says));
        }
        let mut folded = [0.0; COLUMNS];
        for text in &received {
            fold(self.embedder, text, &mut self.scratch, &mut folded);
        }
        for (i, sum) in folded.into_iter().enumerate() {
            to.set(group, format!("message text {i:02}"), (sum / n) as f32);
        }
    }
}
