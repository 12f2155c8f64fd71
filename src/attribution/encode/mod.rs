//! Encodings: what an agent saw, heard and did before, as named numbers.
//!
//! A row is a decision: an agent in a round with a logged action. Agents outside the grid make none.

mod cells;
mod heard;
mod history;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::design::{Column, Design, Group};
use super::matrix::Matrix;
use super::split::thin;
use crate::features::embed::{Component, Embedder};
use crate::model::{Action, AgentIx, Cell, Decision, Round, SwarmRun};
use crate::stats::rng::Stream;

/// How the view is encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ViewEncoding {
    /// Relative position and kind of each cell, and counts by kind
    #[default]
    Cells,
    /// An embedding of the view as text
    Text,
}

/// The rows of one run, sparse: most cells of a view are free.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunRows {
    /// The task.
    pub task: String,
    /// The model.
    pub model: String,
    /// Decisions with an action, of which `rows` may be a part.
    pub logged: usize,
    /// Columns met.
    pub columns: Vec<Column>,
    /// Rows.
    pub rows: Vec<SparseRow>,
}

/// A decision: the action's name, and values by column; all other columns are 0.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseRow {
    /// The action's name.
    pub action: String,
    /// Column number and value.
    pub values: Vec<(u32, f32)>,
}

/// Collects the columns of a run and the values of its rows.
#[derive(Default)]
pub(super) struct Writer {
    columns: BTreeMap<Column, u32>,
    values: Vec<(u32, f32)>,
}

impl Writer {
    /// Sets a value; 0 is what every column is without being set.
    pub(super) fn set(&mut self, group: Group, name: String, value: f32) {
        let next = self.columns.len() as u32;
        let column = *self.columns.entry(Column { group, name }).or_insert(next);
        if value != 0.0 {
            self.values.push((column, value));
        }
    }
}

/// What the encoders see of a decision.
pub(super) struct Scene<'a> {
    pub(super) run: &'a SwarmRun,
    pub(super) round: &'a Round,
    /// The round before, where it has the preceding number.
    pub(super) before: Option<&'a Round>,
    pub(super) decision: &'a Decision,
    /// Where the agent is, if logged.
    pub(super) cell: Option<Cell>,
}

impl Scene<'_> {
    /// Where an agent is in a round.
    pub(super) fn cell_in(round: &Round, agent: AgentIx) -> Option<Cell> {
        let at = round.positions.binary_search_by_key(&agent, |placed| placed.agent).ok()?;
        Some(round.positions[at].cell)
    }

    /// What an agent decided in a round.
    pub(super) fn decision_in(round: &Round, agent: AgentIx) -> Option<&Decision> {
        let at = round.decisions.binary_search_by_key(&agent, |decision| decision.agent).ok()?;
        round.decisions.get(at)
    }
}

/// Folds an embedding onto `columns` numbers by feature hashing: component i goes to column i mod n, its sign by
/// whether ⌊i/n⌋ is odd. Reference: Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning", ICML.
pub(super) fn fold(embedder: &dyn Embedder, text: &str, scratch: &mut Vec<Component>, out: &mut [f64]) {
    scratch.clear();
    let scale = embedder.embed(text, scratch);
    for component in &*scratch {
        let (index, value) = (usize::from(component.index), scale * f64::from(component.weight));
        let (high, low) = (index / out.len(), index % out.len());
        out[low] += if high % 2 == 0 { value } else { -value };
    }
}

/// Encodes at most `limit` decisions of a run, drawn at random where there are more.
pub fn encode_run(
    run: &SwarmRun,
    embedder: &dyn Embedder,
    view: ViewEncoding,
    limit: usize,
    seed: u64,
) -> RunRows {
    let places: Vec<(usize, usize)> = (run.rounds.iter().enumerate())
        .flat_map(|(r, round)| (0..round.decisions.len()).map(move |d| (r, d)))
        .filter(|&(r, d)| is_decision(run, &run.rounds[r], &run.rounds[r].decisions[d]))
        .collect();
    let identity = format!("attribution rows/{}/{}", run.meta.key.batch, run.meta.key.run_id);
    let chosen = thin((0..places.len()).collect(), limit, Stream::new(seed, &identity));
    let mut writer = Writer::default();
    let mut hearing = heard::Hearing::new(embedder);
    let mut seeing = cells::Seeing::new(embedder, view);
    let mut rows = Vec::with_capacity(chosen.len());
    for (r, d) in chosen.into_iter().map(|i| places[i]) {
        let round = &run.rounds[r];
        let decision = &round.decisions[d];
        let before = r.checked_sub(1).map(|i| &run.rounds[i]);
        let scene = Scene {
            run,
            round,
            before: before.filter(|before| before.number.checked_add(1) == Some(round.number)),
            decision,
            cell: Scene::cell_in(round, decision.agent),
        };
        seeing.encode(&scene, &mut writer);
        hearing.encode(&scene, &mut writer);
        history::encode(&scene, &mut writer);
        let action = decision.action.map_or("?", |action| run.action_name(action)).to_owned();
        rows.push(SparseRow { action, values: std::mem::take(&mut writer.values) });
    }
    let mut columns = vec![Column { group: Group::Observation, name: String::new() }; writer.columns.len()];
    for (column, at) in writer.columns {
        columns[at as usize] = column;
    }
    RunRows {
        task: run.meta.task.name().to_owned(),
        model: run.meta.model.clone(),
        logged: places.len(),
        columns,
        rows,
    }
}

/// Whether a log entry is a decision that can be explained: with an action and a view, by an agent inside the grid.
fn is_decision(run: &SwarmRun, round: &Round, decision: &Decision) -> bool {
    let known = decision.action.is_some() && decision.view.as_ref().is_some_and(|view| !view.is_empty());
    let (width, height) = (run.meta.width.unwrap_or(u32::MAX), run.meta.height.unwrap_or(u32::MAX));
    known && Scene::cell_in(round, decision.agent).is_none_or(|cell| cell.inside(width, height))
}

/// Joins the rows of runs: columns sorted by group and name, classes sorted by name, runs numbered as given. Actions
/// beyond the 63 most frequent become one class.
pub fn join(runs: &[&RunRows]) -> Design {
    let mut columns: BTreeMap<&Column, u32> = BTreeMap::new();
    let mut actions: BTreeMap<&str, usize> = BTreeMap::new();
    for run in runs {
        columns.extend(run.columns.iter().map(|column| (column, 0)));
        run.rows.iter().for_each(|row| *actions.entry(&row.action).or_default() += 1);
    }
    for (at, number) in (0..).zip(columns.values_mut()) {
        *number = at;
    }
    let classes = classes(&actions);
    let width = columns.len();
    let mut design = Design {
        columns: columns.keys().map(|&column| column.clone()).collect(),
        x: Matrix::with_columns(width),
        ..Design::default()
    };
    for (number, run) in (0..).zip(runs) {
        let at: Vec<usize> = run.columns.iter().map(|column| columns[column] as usize).collect();
        for row in &run.rows {
            let start = design.x.values.len();
            design.x.values.resize(start + width, 0.0);
            for &(column, value) in &row.values {
                design.x.values[start + at[column as usize]] += value;
            }
            let class = classes.iter().position(|class| *class == row.action).unwrap_or(classes.len() - 1);
            design.labels.push(class as u8);
            design.runs.push(number);
        }
    }
    design.classes = classes;
    design
}

/// The classes by name; where there are too many for a forest, the rarest become "other".
fn classes(actions: &BTreeMap<&str, usize>) -> Vec<String> {
    let mut by_count: Vec<(&str, usize)> = actions.iter().map(|(&name, &n)| (name, n)).collect();
    let most = super::forest::MAX_CLASSES;
    if by_count.len() > most {
        by_count.sort_by_key(|&(name, n)| (std::cmp::Reverse(n), name));
        by_count.truncate(most - 1);
        by_count.sort_unstable();
    }
    let mut names: Vec<String> = by_count.into_iter().map(|(name, _)| name.to_owned()).collect();
    if names.len() < actions.len() {
        names.push("(other)".to_owned());
    }
    names
}

/// The name of an action for a column.
pub(super) fn action_name(run: &SwarmRun, action: Option<Action>) -> String {
    action.map_or_else(|| "none".to_owned(), |action| run.action_name(action).to_owned())
}

#[cfg(test)]
mod tests;
