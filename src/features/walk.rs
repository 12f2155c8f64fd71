//! The one walk over a run's rounds: prepares for each round what the measures share.

use std::collections::BTreeSet;

use super::embed::{Embedder, EmbeddingCache};
use super::messages::characters;
use super::{Compute, FEATURES, Needs, RoundMeasure, Selection, column_of};
use crate::model::{Action, AgentIx, Cell, Direction, Placed, Round, SwarmRun};

/// Counts of a round's actions.
#[derive(Clone, Copy, Debug, Default)]
pub struct ActionCounts {
    /// UP, DOWN, LEFT, RIGHT.
    pub moves: [u32; 4],
    /// STAY.
    pub stay: u32,
    /// All actions, SWITCH and others included.
    pub all: u32,
}

impl ActionCounts {
    /// Number of actions among UP, DOWN, LEFT, RIGHT, STAY.
    pub fn coordinating(&self) -> u32 {
        self.moves.iter().sum::<u32>() + self.stay
    }

    fn add(&mut self, action: Action) {
        self.all += 1;
        match action {
            Action::Move(direction) => self.moves[direction as usize] += 1,
            Action::Stay => self.stay += 1,
            Action::Switch | Action::Other(_) => {}
        }
    }
}

/// How far agents have moved, kept from round to round.
#[derive(Clone, Debug, Default)]
pub struct Movement {
    last: Vec<Option<Cell>>,
    cumulative: Vec<u64>,
    present: Vec<AgentIx>,
    steps: u64,
    stepped: usize,
}

impl Movement {
    fn enter(&mut self, positions: &[Placed], consecutive: bool) {
        self.present.clear();
        (self.steps, self.stepped) = (0, 0);
        if !consecutive {
            self.last.iter_mut().for_each(|last| *last = None); // a distance over a gap is not one that was seen
        }
        let mut next = 0;
        for placed in positions {
            let ix = placed.agent.ix();
            if self.last.len() <= ix {
                self.last.resize(ix + 1, None);
                self.cumulative.resize(ix + 1, 0);
            }
            self.last[next..ix].fill(None); // positions are sorted by agent: those in between are absent
            next = ix + 1;
            if let Some(last) = self.last[ix] {
                let step = last.manhattan(placed.cell);
                self.cumulative[ix] += step;
                self.steps += step;
                self.stepped += 1;
            }
            self.last[ix] = Some(placed.cell);
            self.present.push(placed.agent);
        }
        self.last[next..].fill(None);
    }

    /// Mean over the agents present of the distance moved so far, in cells; `None` without agents.
    pub fn mean_cumulative(&self) -> Option<f64> {
        let sum: u64 = self.present.iter().map(|agent| self.cumulative[agent.ix()]).sum();
        (!self.present.is_empty()).then(|| sum as f64 / self.present.len() as f64)
    }

    /// Mean over agents in this round and the one before of the step between them, in cells; `None` without such agents.
    pub fn mean_step(&self) -> Option<f64> {
        (self.stepped > 0).then(|| self.steps as f64 / self.stepped as f64)
    }
}

/// Cells seen so far: a bit per cell near the origin, a set for the rest.
#[derive(Clone, Debug, Default)]
struct Visited {
    near: Vec<u64>,
    far: BTreeSet<Cell>,
    count: usize,
}

impl Visited {
    const SIDE: i32 = 256;

    fn visit(&mut self, cell: Cell) {
        let new = if cell.inside(Self::SIDE as u32, Self::SIDE as u32) {
            if self.near.is_empty() {
                self.near.resize((Self::SIDE * Self::SIDE / 64) as usize, 0);
            }
            let bit = (cell.y * Self::SIDE + cell.x) as usize;
            let (word, mask) = (&mut self.near[bit / 64], 1u64 << (bit % 64));
            let new = *word & mask == 0;
            *word |= mask;
            new
        } else {
            self.far.insert(cell)
        };
        self.count += usize::from(new);
    }
}

/// What a round's measures see.
pub struct RoundView<'a> {
    /// The run.
    pub run: &'a SwarmRun,
    /// The round.
    pub round: &'a Round,
    /// The round before, where it has the preceding number.
    pub before: Option<&'a Round>,
    /// All rounds up to the one before, the latest last.
    pub earlier: &'a [Round],
    /// Non-empty messages, by agent.
    pub messages: Vec<&'a str>,
    /// Their lengths in characters.
    pub lengths: Vec<usize>,
    /// Number of unique messages.
    pub unique: usize,
    /// Unique messages that have an embedding.
    pub embedded: usize,
    /// Norm of the sum of the unique messages' embeddings.
    pub embedding_norm: f64,
    /// Unique non-empty messages, sorted.
    pub unique_messages: Vec<&'a str>,
    /// Actions.
    pub actions: ActionCounts,
    /// Distances.
    pub movement: Movement,
    /// Distinct cells occupied so far.
    pub explored: usize,
}

/// What a run's measures see.
pub struct RunView<'a> {
    /// The run.
    pub run: &'a SwarmRun,
    /// For each feature of the registry its values by round; empty for measures of a run.
    pub columns: &'a [Vec<Option<f64>>],
}

impl RunView<'_> {
    /// The values by round of the feature with this id; empty where there is none.
    pub fn series(&self, id: &str) -> &[Option<f64>] {
        column_of(id).and_then(|at| self.columns.get(at)).map_or(&[], Vec::as_slice)
    }
}

/// Values of a run's measures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Walked {
    /// For each feature of the registry its values by round; empty for measures of a run.
    pub columns: Vec<Vec<Option<f64>>>,
    /// For each feature of the registry its value for the run, where it is a measure of a run.
    pub run: Vec<Option<f64>>,
}

/// Walks runs; a worker keeps one from run to run for its buffers and its cache of embeddings.
pub struct Walker<'e> {
    embedder: &'e dyn Embedder,
    cache: EmbeddingCache,
    sum: Vec<f64>,
    selection: Selection,
    embeds: bool,
}

impl<'e> Walker<'e> {
    /// A walker that judges messages with `embedder`.
    pub fn new(embedder: &'e dyn Embedder) -> Self {
        Self {
            embedder,
            cache: EmbeddingCache::default(),
            sum: vec![0.0; embedder.dimensions()],
            selection: Selection::all(),
            embeds: true,
        }
    }

    /// The same, computing only the selected measures; messages are embedded only if one of them needs it.
    pub fn selecting(self, selection: &Selection) -> Self {
        let needs = |id: &str| column_of(id).is_some_and(|at| selection.computes(at));
        let embeds = needs("info_homogeneity") || needs("norm_mean_message_embedding");
        Self { selection: selection.clone(), embeds, ..self }
    }

    /// Forgets the messages seen so far and keeps the memory; only speed depends on what is held.
    pub fn forget_messages(&mut self) {
        self.cache.clear();
    }

    /// The embedder's name.
    pub fn embedder_name(&self) -> &'static str {
        self.embedder.name()
    }

    /// Computes every measure of [`FEATURES`] in one walk.
    pub fn walk(&mut self, run: &SwarmRun) -> Walked {
        let mut states: Vec<Option<Box<dyn RoundMeasure>>> = FEATURES
            .iter()
            .map(|feature| if let Compute::Stateful(new) = feature.compute { Some(new()) } else { None })
            .collect();
        let mut columns: Vec<Vec<Option<f64>>> = FEATURES
            .iter()
            .map(|feature| Vec::with_capacity(if feature.per_round() { run.rounds.len() } else { 0 }))
            .collect();
        let mut visited = Visited::default();
        let mut view: Option<RoundView<'_>> = None;
        for (at, round) in run.rounds.iter().enumerate() {
            let before = at.checked_sub(1).map(|i| &run.rounds[i]);
            let before = before.filter(|before| before.number.checked_add(1) == Some(round.number));
            let mut next = view.take().unwrap_or_else(|| RoundView::empty(run, round));
            next.round = round;
            next.before = before;
            next.earlier = &run.rounds[..at];
            next.actions = ActionCounts::default();
            round.decisions.iter().filter_map(|d| d.action).for_each(|action| next.actions.add(action));
            self.take_messages(&mut next);
            next.movement.enter(&round.positions, before.is_some());
            round.positions.iter().for_each(|placed| visited.visit(placed.cell));
            next.explored = visited.count;
            for (at, ((feature, column), state)) in
                FEATURES.iter().zip(&mut columns).zip(&mut states).enumerate()
            {
                let value = match (&feature.compute, state) {
                    _ if !self.selection.computes(at) => continue,
                    (Compute::Round(compute), _) => compute(&next),
                    (Compute::Stateful(_), Some(state)) => state.round(&next),
                    _ => continue,
                };
                let usable = available(run, feature.needs) && value.is_some_and(f64::is_finite);
                column.push(value.filter(|_| usable));
            }
            view = Some(next);
        }
        let run_values = {
            let whole = RunView { run, columns: &columns };
            let value = |(at, feature): (usize, &super::Feature)| match feature.compute {
                Compute::Run(compute) if self.selection.computes(at) && available(run, feature.needs) => {
                    compute(&whole).filter(|v| v.is_finite())
                }
                _ => None,
            };
            FEATURES.iter().enumerate().map(value).collect()
        };
        Walked { columns, run: run_values }
    }

    fn take_messages(&mut self, view: &mut RoundView<'_>) {
        view.messages.clear();
        view.lengths.clear();
        view.unique_messages.clear();
        let run = view.run;
        for decision in &view.round.decisions {
            if let Some(text) = decision.message {
                let text = run.text(text);
                view.messages.push(text);
                view.lengths.push(characters(text));
            }
        }
        view.unique_messages.extend_from_slice(&view.messages);
        view.unique_messages.sort_unstable();
        view.unique_messages.dedup();
        view.unique = view.unique_messages.len();
        (view.embedded, view.embedding_norm) = (0, 0.0);
        if view.unique > 0 && self.embeds {
            let found = self.cache.norm_of_sum(self.embedder, &view.unique_messages, &mut self.sum);
            (view.embedded, view.embedding_norm) = (found.embedded, found.norm);
        }
    }
}

/// Whether the run has the logs that a measure needs.
fn available(run: &SwarmRun, needs: Needs) -> bool {
    match needs {
        Needs::GameLog => run.has_game_log,
        Needs::AgentLog => run.has_agent_log,
        Needs::Both => run.has_game_log && run.has_agent_log,
    }
}

impl<'a> RoundView<'a> {
    fn empty(run: &'a SwarmRun, round: &'a Round) -> Self {
        Self {
            run,
            round,
            before: None,
            earlier: &[],
            messages: Vec::new(),
            lengths: Vec::new(),
            unique: 0,
            embedded: 0,
            embedding_norm: 0.0,
            unique_messages: Vec::new(),
            actions: ActionCounts::default(),
            movement: Movement::default(),
            explored: 0,
        }
    }

    /// The direction of an agent's action in this round.
    pub fn direction(&self, agent: AgentIx) -> Option<Direction> {
        let decisions = &self.round.decisions;
        let at = decisions.binary_search_by_key(&agent, |decision| decision.agent).ok()?;
        decisions[at].action?.direction()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeMap;

    use super::super::embed::HashedNgrams;
    use super::*;
    use crate::model::{Decision, RunKey, RunMeta, SwarmTask, TextRef};

    /// A round as positions and (action, message) by agent.
    pub(crate) type Scene<'s> = (&'s [(i32, i32)], &'s [(&'s str, &'s str)]);

    pub(crate) fn world(scenes: &[Scene<'_>]) -> SwarmRun {
        let mut text = String::new();
        let agents = scenes.iter().map(|(p, d)| p.len().max(d.len())).max().unwrap_or(0);
        let rounds = scenes.iter().enumerate().map(|(number, (positions, decisions))| Round {
            number: number as u32,
            has_state: true,
            score: Some(0.0),
            positions: (0..)
                .zip(*positions)
                .map(|(i, &(x, y))| Placed { agent: AgentIx(i), cell: Cell::new(x, y) })
                .collect(),
            decisions: (0..)
                .zip(*decisions)
                .map(|(i, (action, message))| {
                    let start = text.len() as u32;
                    text.push_str(message);
                    let message = (!message.is_empty()).then_some(TextRef { start, end: text.len() as u32 });
                    let action = Action::from_name(action.as_bytes());
                    Decision { agent: AgentIx(i), action, message, tokens: None, view: None }
                })
                .collect(),
            ..Round::default()
        });
        let rounds = rounds.collect();
        SwarmRun {
            meta: RunMeta {
                key: RunKey { batch: "b".into(), run_id: "r".into() },
                model: "m".into(),
                task: SwarmTask::Pursuit,
                seed: None,
                num_agents: Some(agents as u32),
                max_round: None,
                width: Some(10),
                height: Some(10),
                view_size: Some(5),
                columns: BTreeMap::new(),
            },
            agents: (0..agents).map(|i| format!("Agent_{i}")).collect(),
            rounds,
            other_actions: Vec::new(),
            text,
            has_game_log: true,
            has_agent_log: true,
        }
    }

    pub(crate) fn values(id: &str, run: &SwarmRun) -> Vec<Option<f64>> {
        let at = column_of(id).unwrap();
        Walker::new(&HashedNgrams).walk(run).columns.swap_remove(at)
    }

    pub(crate) fn round_values(id: &str, rounds: &[&[(&str, &str)]]) -> Vec<Option<f64>> {
        let scenes: Vec<Scene<'_>> = rounds.iter().map(|decisions| (&[(1, 1)][..], *decisions)).collect();
        values(id, &world(&scenes))
    }

    pub(crate) fn position_values(id: &str, rounds: &[&[(i32, i32)]]) -> Vec<Option<f64>> {
        let scenes: Vec<Scene<'_>> = rounds.iter().map(|positions| (*positions, &[][..])).collect();
        values(id, &world(&scenes))
    }

    #[test]
    fn a_gap_between_rounds_breaks_distances_and_neighbourhoods() {
        let mut run = world(&[(&[(1, 1), (1, 2)], &[]), (&[(4, 1), (4, 2)], &[]), (&[(4, 2), (4, 3)], &[])]);
        run.rounds[1].number = 5;
        run.rounds[2].number = 6;
        assert_eq!(values("step_distance", &run), [None, None, Some(1.0)]);
        assert_eq!(values("avg_moving_distance", &run), [Some(0.0), Some(0.0), Some(1.0)]);
        assert_eq!(values("local_structure_preservation_count", &run), [None, None, Some(1.0)]);
    }

    #[test]
    fn without_an_agent_log_its_measures_are_undefined() {
        let mut run = world(&[(&[(1, 1)], &[]), (&[(1, 2)], &[])]);
        run.has_agent_log = false;
        assert_eq!(values("stillness_proportion", &run), [None, None]);
        assert_eq!(values("agent_push_events", &run), [None, None]);
        assert_eq!(values("exploration_rate", &run), [Some(1.0), Some(2.0)]);
    }
}
