//! Group dynamics of an episode, by the same code as those of a swarm.

use std::collections::BTreeMap;

use crate::features::{FEATURES, Undefined, Walker, run_record};
use crate::model::{
    Action, AgentIx, Decision, Episode, Instance, MasRunMeta, Placed, Round, RunMeta, SwarmRun, SwarmTask,
    TextRef,
};

/// The episode as a swarm's run: steps are its game log, messages (and the steps' actions) its agent log. A second message
/// of an agent in one round becomes a decision without an action. Rounds without anything logged are absent.
pub fn as_swarm_run(meta: &MasRunMeta, episode: &Episode) -> SwarmRun {
    let mut rounds: BTreeMap<u32, Round> = BTreeMap::new();
    let mut other_actions: Vec<String> = Vec::new();
    let mut action_of = |name: &str| {
        Action::from_name(name.as_bytes()).unwrap_or_else(|| {
            let known = other_actions.iter().position(|other| other == name);
            let ix = known.unwrap_or_else(|| {
                other_actions.push(name.to_owned());
                other_actions.len() - 1
            });
            Action::Other(ix as u16)
        })
    };
    for step in &episode.steps {
        let round =
            rounds.entry(step.round).or_insert_with(|| Round { number: step.round, ..Round::default() });
        round.has_state = true;
        if let Some(cell) = step.cell {
            round.positions.push(Placed { agent: step.agent, cell });
        }
        let name = episode.text(step.action);
        let action = (!name.is_empty()).then(|| action_of(name));
        round.decisions.push(Decision { action, ..empty(step.agent) });
    }
    for message in &episode.messages {
        let Some(text) = trimmed(episode, message.text) else { continue };
        let number = message.round;
        let round = rounds.entry(number).or_insert_with(|| Round { number, ..Round::default() });
        let free = round.decisions.iter_mut().find(|d| d.agent == message.from && d.message.is_none());
        match free {
            Some(decision) => decision.message = Some(text),
            None => round.decisions.push(Decision { message: Some(text), ..empty(message.from) }),
        }
    }
    let rounds = rounds
        .into_values()
        .map(|mut round| {
            round.positions.sort_by_key(|placed| placed.agent);
            round.positions.dedup_by_key(|placed| placed.agent);
            round.decisions.sort_by_key(|decision| decision.agent); // stable: messages stay in order
            round
        })
        .collect();
    let (width, height, view_size) = match episode.instance {
        Instance::Map { width, height, view_size } => (width, height, view_size),
        _ => (None, None, None),
    };
    SwarmRun {
        meta: RunMeta {
            key: meta.key.clone(),
            model: meta.model.clone(),
            task: SwarmTask::Other(meta.task.name().to_owned()),
            seed: meta.seed,
            num_agents: Some(episode.listed as u32),
            max_round: meta.task.round_limit(),
            width,
            height,
            view_size,
            columns: BTreeMap::new(),
        },
        agents: episode.agents.clone(),
        rounds,
        other_actions,
        text: episode.text.clone(),
        has_game_log: !episode.steps.is_empty(),
        has_agent_log: !episode.steps.is_empty() || !episode.messages.is_empty(),
    }
}

fn empty(agent: AgentIx) -> Decision {
    Decision { agent, action: None, message: None, tokens: None, view: None }
}

fn trimmed(episode: &Episode, text: TextRef) -> Option<TextRef> {
    let whole = episode.text(text);
    let start = text.start + (whole.len() - whole.trim_start().len()) as u32;
    let length = whole.trim().len() as u32;
    (length > 0).then_some(TextRef { start, end: start + length })
}

/// The group dynamics of an episode: one value per row of [`FEATURES`], the mean over its rounds; undefined where the episode
/// has no log for it (no steps, no messages).
pub(super) fn dynamics(
    meta: &MasRunMeta,
    episode: &Episode,
    walker: &mut Walker<'_>,
    undefined: Undefined,
) -> Dynamics {
    let record = run_record(&as_swarm_run(meta, episode), walker, undefined);
    let explored = FEATURES.iter().position(|feature| feature.id == "exploration_rate");
    let cells_explored =
        explored.and_then(|at| record.rounds.columns.get(at)?.iter().rev().find_map(|value| *value));
    Dynamics { values: record.values, cells_explored }
}

/// What [`dynamics`] gives.
pub(super) struct Dynamics {
    /// One value per feature.
    pub(super) values: Vec<Option<f64>>,
    /// Distinct cells occupied by the end.
    pub(super) cells_explored: Option<f64>,
}
