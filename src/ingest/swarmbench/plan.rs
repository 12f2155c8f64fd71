//! A batch's runs: what the meta log names, joined with the log files that are there.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::{Findings, Place, Subject, sb};
use crate::ingest::{Folder, Inventory, LogFile};
use crate::model::{RunKey, RunMeta, SwarmTask};

use super::meta;

/// Role of the batch's index.
pub const ROLE_META: &str = "meta log";
pub(super) const ROLE_GAME: &str = "game log";
pub(super) const ROLE_AGENT: &str = "agent log";

/// The model's label where no meta log names it.
pub(super) const UNKNOWN_MODEL: &str = "(unknown)";

/// One run to be read: its meta entry and its files.
#[derive(Clone, Debug)]
pub struct RunPlan {
    /// What the meta log says, or what little is known without it.
    pub meta: RunMeta,
    /// Whether the meta log names the run.
    pub in_meta: bool,
    /// The game log, where there is one.
    pub game: Option<LogFile>,
    /// The agent log, where there is one.
    pub agent: Option<LogFile>,
}

impl RunPlan {
    /// Bytes of both logs as stored.
    pub fn bytes(&self) -> u64 {
        [&self.game, &self.agent].into_iter().flatten().map(|file| file.bytes).sum()
    }
}

/// The run id in a log's name.
fn run_id(name: &str) -> String {
    let stem = name.strip_suffix(".json").or_else(|| name.strip_suffix(".jsonl")).unwrap_or(name);
    ["game_log_", "agent_log_"].iter().find_map(|prefix| stem.strip_prefix(prefix)).unwrap_or(stem).to_owned()
}

pub(super) fn plan(folder: &Folder, inventory: &mut Inventory, findings: &mut Findings) {
    let batch = &folder.batch;
    let mut entries = BTreeMap::new();
    let mut has_meta = false;
    for member in folder.members.iter().filter(|m| m.role == ROLE_META) {
        has_meta = true;
        meta::read(&member.file, batch, &mut entries, findings);
    }
    let games = files_by_run(folder, ROLE_GAME, findings);
    let agents = files_by_run(folder, ROLE_AGENT, findings);
    let here = Subject { batch: Some(batch.clone()), run_id: None, file: Some(folder.display.clone()) };
    if !has_meta {
        findings.add(&sb::META_MISSING, &here, None, "the folder has logs but no meta log");
    }
    let ids: BTreeSet<&String> = entries.keys().chain(games.keys()).chain(agents.keys()).collect();
    for id in ids {
        let key = RunKey { batch: batch.clone(), run_id: id.clone() };
        let subject = Subject::run(batch, id);
        let entry = entries.get(id).cloned();
        let (game, agent) = (games.get(id).cloned(), agents.get(id).cloned());
        let in_meta = entry.is_some();
        if has_meta && !in_meta {
            for file in [&game, &agent].into_iter().flatten() {
                let subject = subject.in_file(&file.display);
                findings.add(&sb::RUN_NOT_IN_META, &subject, None, format!("no entry for run {id}"));
            }
        }
        if game.is_none() {
            let message = format!("no game_log_{id}.json in {}", folder.display);
            findings.add(&sb::GAME_LOG_MISSING, &subject, Some(Place::Key(id.clone())), message);
        }
        if agent.is_none() {
            let message = format!("no agent_log_{id}.json in {}", folder.display);
            findings.add(&sb::AGENT_LOG_MISSING, &subject, Some(Place::Key(id.clone())), message);
        }
        let meta = entry.unwrap_or_else(|| unknown(key));
        inventory.swarm.push(RunPlan { meta, in_meta, game, agent });
    }
}

fn unknown(key: RunKey) -> RunMeta {
    RunMeta {
        key,
        model: UNKNOWN_MODEL.to_owned(),
        task: SwarmTask::Other(String::new()),
        seed: None,
        num_agents: None,
        max_round: None,
        width: None,
        height: None,
        view_size: None,
        columns: BTreeMap::new(),
    }
}

fn files_by_run(folder: &Folder, role: &str, findings: &mut Findings) -> BTreeMap<String, LogFile> {
    let mut members: Vec<_> = folder.members.iter().filter(|m| m.role == role).collect();
    members.sort_by(|a, b| a.file.display.cmp(&b.file.display));
    let mut by_run = BTreeMap::new();
    for member in members {
        let id = run_id(&member.file.name);
        if let Some(first) = by_run.get(&id) {
            let LogFile { display, .. } = first;
            let subject = Subject::run(&folder.batch, &id).in_file(&member.file.display);
            findings.add(&sb::LOG_TWICE, &subject, None, format!("{display} was read instead"));
        } else {
            by_run.insert(id, member.file.clone());
        }
    }
    by_run
}
