//! Joins the two logs of a run: spellings become agents, records become rounds, and gaps are noticed.

use std::collections::{BTreeMap, BTreeSet};

use super::agent_log::AgentLog;
use super::game_log::GameLog;
use super::intern::{Agents, Interner};
use super::meta::repairs;
use crate::finding::{Findings, Place, Subject, sb};
use crate::model::{AgentIx, Decision, Placed, Round, RunMeta, SwarmRun, SwarmTask, TextRef};

pub(super) fn assemble(
    meta: RunMeta,
    game: GameLog,
    agent: AgentLog,
    interner: Interner,
    subject: &Subject,
    findings: &mut Findings,
) -> Option<SwarmRun> {
    if game.states.is_empty() && agent.decisions.is_empty() {
        findings.add(&sb::RUN_EMPTY, subject, None, "neither log has a usable record");
        return None;
    }
    if let [only] = game.states.as_slice()
        && agent.opened
        && agent.decisions.is_empty()
    {
        // Agents that never acted have no score of their own: the layout's would pass for theirs.
        let message = "the game log has the initial state only, and the agent log no decision";
        findings.add(&sb::RUN_EMPTY, subject, Some(Place::Round(u64::from(only.round))), message);
        return None;
    }
    let agents = resolve(interner, &game, &agent, subject, findings);
    let ix = |spelling: u32| AgentIx(agents.of_spelling.get(spelling as usize).copied().unwrap_or(0));
    let heard_from = agent.text.len() as u32;
    let (has_game_log, has_agent_log) = (!game.states.is_empty(), !agent.decisions.is_empty());
    let (game_opened, agent_opened) = (game.opened, agent.opened);
    let mut rounds: BTreeMap<u32, Round> = BTreeMap::new();
    for state in game.states {
        let mut positions: Vec<Placed> =
            state.positions.into_iter().map(|(id, cell)| Placed { agent: ix(id), cell }).collect();
        positions.sort_by_key(|placed| placed.agent); // stable: of two entries for one agent the first stays
        positions.dedup_by_key(|placed| placed.agent);
        let shift = |text: TextRef| TextRef { start: text.start + heard_from, end: text.end + heard_from };
        let heard = state.heard.into_iter().map(|(id, text)| (ix(id), shift(text))).collect();
        let round = Round {
            number: state.round,
            has_state: true,
            score: state.score,
            positions,
            heard,
            grid: state.grid,
            decisions: Vec::new(),
        };
        rounds.insert(state.round, round);
    }
    for raw in agent.decisions {
        let round =
            rounds.entry(raw.round).or_insert_with(|| Round { number: raw.round, ..Round::default() });
        round.decisions.push(Decision {
            agent: ix(raw.agent),
            action: raw.action,
            message: raw.message,
            tokens: raw.tokens,
            view: raw.view,
        });
    }
    let mut rounds: Vec<Round> = rounds.into_values().collect();
    for round in &mut rounds {
        round.decisions.sort_by_key(|decision| decision.agent);
        round.decisions.dedup_by(|later, first| {
            let same = later.agent == first.agent;
            if same {
                std::mem::swap(later, first); // two spellings of one agent in one round: the later record stands
            }
            same
        });
    }
    let run = SwarmRun {
        meta,
        agents: agents.names,
        rounds,
        other_actions: agent.other_actions,
        text: agent.text + &game.text,
        has_game_log: has_game_log && game_opened,
        has_agent_log: has_agent_log && agent_opened,
    };
    notice(&run, subject, findings);
    Some(run)
}

fn resolve(
    interner: Interner,
    game: &GameLog,
    agent: &AgentLog,
    subject: &Subject,
    findings: &mut Findings,
) -> Agents {
    for (name, repair) in interner.repaired() {
        repairs(repair, subject, Some(Place::Key(name)), findings);
    }
    let mut side_by_side = BTreeSet::new();
    if interner.has_variants() {
        for state in &game.states {
            side_by_side.insert(state.positions.iter().map(|(id, _)| *id).collect::<Vec<u32>>());
        }
        let mut by_round: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for decision in &agent.decisions {
            by_round.entry(decision.round).or_default().push(decision.agent);
        }
        side_by_side.extend(by_round.into_values());
    }
    let agents = interner.resolve(&side_by_side);
    for group in &agents.matched {
        findings.add(&sb::AGENT_IDS_MATCHED, subject, Some(Place::Key(group.clone())), group.clone());
    }
    for group in &agents.ambiguous {
        findings.add(&sb::AGENT_IDS_AMBIGUOUS, subject, Some(Place::Key(group.clone())), group.clone());
    }
    agents
}

/// Notices what does not fit together in an assembled run.
fn notice(run: &SwarmRun, subject: &Subject, findings: &mut Findings) {
    let at = |round: &Round| Some(Place::Round(u64::from(round.number)));
    let all = run.agents.len();
    for pair in run.rounds.windows(2) {
        if let [before, after] = pair
            && after.number - before.number > 1
        {
            let message = format!("round {} follows round {}", after.number, before.number);
            findings.add(&sb::ROUNDS_MISSING, subject, at(after), message);
        }
    }
    notice_agents(run, subject, findings);
    let states: Vec<&Round> = run.rounds.iter().filter(|round| round.has_state).collect();
    let last_decided = run.rounds.iter().rev().find(|round| !round.decisions.is_empty());
    if run.has_agent_log {
        let most = run.rounds.iter().map(|round| round.decisions.len()).max().unwrap_or(0);
        for round in run.rounds.iter().filter(|r| !r.decisions.is_empty() && r.decisions.len() < most) {
            let message = format!("records of {} of {most} agents", round.decisions.len());
            findings.add(&sb::ROUND_INCOMPLETE, subject, at(round), message);
        }
        // The last state has no decisions; one more round without them means that records are missing.
        let decided = last_decided.map_or(0, |round| round.number);
        for round in states.iter().rev().skip(1).filter(|round| round.number > decided) {
            let message = format!("the agent log ends with round {decided}");
            findings.add(&sb::AGENT_LOG_SHORT, subject, at(round), message);
        }
    }
    for round in &states {
        if round.positions.len() < all {
            let message = format!("positions of {} of {all} agents", round.positions.len());
            findings.add(&sb::AGENTS_VANISH, subject, at(round), message);
        }
        if let (Some(width), Some(height)) = (run.meta.width, run.meta.height)
            && run.meta.task != SwarmTask::Transport
            && let Some(out) = round.positions.iter().find(|placed| !placed.cell.inside(width, height))
        {
            let name = run.agents.get(out.agent.ix()).map_or("?", String::as_str);
            let message = format!("{name} at x = {}, y = {}", out.cell.x, out.cell.y);
            findings.add(&sb::OUTSIDE_GRID, subject, at(round), message);
        }
    }
    if run.has_game_log && run.final_score().is_none() {
        findings.add(&sb::NO_FINAL_SCORE, subject, None, "the last entry of the game log has no score");
    }
}

fn notice_agents(run: &SwarmRun, subject: &Subject, findings: &mut Findings) {
    let mut placed = vec![false; run.agents.len()];
    let mut decided = vec![false; run.agents.len()];
    for round in &run.rounds {
        for position in &round.positions {
            placed[position.agent.ix()] = true;
        }
        for decision in &round.decisions {
            decided[decision.agent.ix()] = true;
        }
    }
    if run.has_agent_log && run.has_game_log {
        for (ix, name) in run.agents.iter().enumerate().filter(|(ix, _)| placed[*ix] != decided[*ix]) {
            let only = if placed[ix] { "game" } else { "agent" };
            let message = format!("{name} is in the {only} log only");
            findings.add(&sb::AGENT_UNKNOWN, subject, Some(Place::Key(name.clone())), message);
        }
    }
    if let Some(expected) = run.meta.num_agents
        && expected as usize != run.agents.len()
    {
        let message = format!("the meta log says {expected} agents, the logs have {}", run.agents.len());
        findings.add(&sb::AGENT_COUNT_DIFFERS, subject, None, message);
    }
}
