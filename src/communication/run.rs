//! Collects a run episode by episode; keeps measures, sums and a few transcripts, never the text.

use std::collections::{BTreeMap, BTreeSet};

use super::aggregate::by_instance;
use super::dynamics::dynamics;
use super::failure::{Failure, FailureKind, classify, failure};
use super::{EpisodeMeasures, MessageGraph, Tokenizer, measure};
use crate::features::{Undefined, Walker};
use crate::finding::{Findings, Place, Subject, mb};
use crate::model::{AgentIx, Episode, MasRunMeta, MasTask};

/// Transcripts kept per run and kind of failure.
pub(super) const TRANSCRIPTS_PER_KIND: usize = 2;

/// Measures episodes; a worker keeps one for its buffers.
pub struct Measurer<'e> {
    /// Counts tokens where the log has none.
    pub tokenizer: Tokenizer,
    /// Walks the rounds.
    pub walker: Walker<'e>,
    /// What an undefined round counts as in the group dynamics.
    pub undefined: Undefined,
}

impl Measurer<'_> {
    /// All that is kept of an episode.
    pub fn measure(&mut self, meta: &MasRunMeta, episode: &Episode, graph: &MessageGraph) -> EpisodeMeasures {
        let mut measures = measure(&meta.task, episode, graph, self.tokenizer);
        let dynamics = dynamics(meta, episode, &mut self.walker, self.undefined);
        measures.cells_explored = dynamics.cells_explored;
        measures.dynamics = dynamics.values;
        measures
    }
}

/// Sums of one agent name over a run's episodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentSums {
    /// Episodes that list the agent.
    pub episodes: u64,
    /// Episodes in which it sent nothing.
    pub silent_episodes: u64,
    /// Messages sent.
    pub sent: u64,
    /// Messages received.
    pub received: u64,
    /// Distinct receivers, summed over episodes.
    pub out_degree: u64,
    /// Distinct senders, summed over episodes.
    pub in_degree: u64,
}

/// A run, measured.
#[derive(Clone, Debug, PartialEq)]
pub struct RunMeasures {
    /// Its description.
    pub meta: MasRunMeta,
    /// Its episodes, by split, instance and repeat once [`RunMeasures::finish`] ran.
    pub episodes: Vec<EpisodeMeasures>,
    /// Messages by sender and receiver name.
    pub arcs: BTreeMap<(String, String), u64>,
    /// Sums by agent name.
    pub agents: BTreeMap<String, AgentSums>,
    /// Failed episodes by kind.
    pub failure_counts: BTreeMap<FailureKind, u64>,
    /// A few of them.
    pub failures: Vec<Failure>,
    seen: BTreeSet<(String, String, i64)>,
    /// Game: the lowest scores so far with their transcripts.
    lowest: Vec<Failure>,
}

impl RunMeasures {
    /// An empty run.
    pub fn new(meta: MasRunMeta) -> Self {
        Self {
            meta,
            episodes: Vec::new(),
            arcs: BTreeMap::new(),
            agents: BTreeMap::new(),
            failure_counts: BTreeMap::new(),
            failures: Vec::new(),
            seen: BTreeSet::new(),
            lowest: Vec::new(),
        }
    }

    /// Measures an episode (its line is `record`) and forgets its text. A second episode of the same instance and repeat is
    /// left out with a finding.
    pub fn add(
        &mut self,
        episode: &Episode,
        record: u64,
        measurer: &mut Measurer<'_>,
        subject: &Subject,
        findings: &mut Findings,
    ) {
        let place = Some(Place::Record(record));
        let key = (episode.split.name().to_owned(), episode.instance_id.clone(), episode.repeat);
        if !self.seen.insert(key) {
            let what = format!("instance {} repeat {}", episode.instance_id, episode.repeat);
            findings.add(&mb::EPISODE_TWICE, subject, place, what);
            return;
        }
        let graph = MessageGraph::of(episode);
        let measures = measurer.measure(&self.meta, episode, &graph);
        if let (Some(logged), Some(computed)) = (measures.score, measures.recomputed_score) {
            let what = format!("logged {logged}, computed {computed}");
            findings.add(&mb::SCORE_DIFFERS, subject, place.clone(), what);
        }
        if let Some(reason) = measures.no_score_reason {
            findings.add(&mb::SCORE_UNDEFINED, subject, place, reason);
        }
        self.add_graph(episode, &graph);
        self.add_failure(episode, &measures);
        self.episodes.push(measures);
    }

    fn add_graph(&mut self, episode: &Episode, graph: &MessageGraph) {
        let (out_degrees, in_degrees) = (graph.out_degrees(), graph.in_degrees());
        for ix in 0..episode.listed {
            let sums = self.agents.entry(episode.agents[ix].clone()).or_default();
            sums.episodes += 1;
            sums.silent_episodes += u64::from(graph.sent[ix] == 0);
            sums.sent += graph.sent[ix];
            sums.received += graph.received[ix];
            sums.out_degree += out_degrees[ix];
            sums.in_degree += in_degrees[ix];
        }
        let name = |agent: AgentIx| episode.agent(agent).to_owned();
        for (&(from, to), &messages) in &graph.arcs {
            *self.arcs.entry((name(from), name(to))).or_default() += messages;
        }
    }

    fn add_failure(&mut self, episode: &Episode, measures: &EpisodeMeasures) {
        if self.meta.task == MasTask::Game {
            let Some(score) = measures.score else { return };
            let at = self.lowest.partition_point(|kept| kept.score.is_some_and(|kept| kept <= score));
            if at < 2 * TRANSCRIPTS_PER_KIND {
                let kept = failure(FailureKind::Inefficient, String::new(), episode, measures);
                self.lowest.insert(at, kept);
                self.lowest.truncate(2 * TRANSCRIPTS_PER_KIND);
            }
            return;
        }
        let Some((kind, detail)) = classify(&self.meta.task, episode, measures.score) else { return };
        let count = self.failure_counts.entry(kind).or_default();
        *count += 1;
        if *count <= TRANSCRIPTS_PER_KIND as u64 {
            self.failures.push(failure(kind, detail, episode, measures));
        }
    }

    /// Sorts the episodes, looks for missing repeats, and names Game's failures.
    pub fn finish(&mut self, subject: &Subject, findings: &mut Findings) {
        self.seen.clear();
        self.episodes
            .sort_by(|a, b| (&a.split, &a.instance_id, a.repeat).cmp(&(&b.split, &b.instance_id, b.repeat)));
        if self.episodes.is_empty() {
            findings.add(&mb::NO_EPISODES, subject, None, "no episode could be read");
        }
        let groups = by_instance(&self.episodes);
        let most = groups.values().map(Vec::len).max().unwrap_or(0);
        for ((_, instance), repeats) in &groups {
            if repeats.len() < most {
                let what = format!("instance {instance} has {} of {most}", repeats.len());
                findings.add(&mb::REPEATS_MISSING, subject, Some(Place::Key((*instance).to_owned())), what);
            }
        }
        self.name_game_failures();
    }

    /// Game: the 30 % of episodes with the lowest scores (as MASBench's appendix B.1 takes them), told apart by whether they saw
    /// fewer cells than the run's median.
    fn name_game_failures(&mut self) {
        let mut scored: Vec<(f64, Option<f64>, &str, i64)> = self
            .episodes
            .iter()
            .filter_map(|e| Some((e.score?, e.cells_explored, e.instance_id.as_str(), e.repeat)))
            .collect();
        if self.meta.task != MasTask::Game || scored.is_empty() {
            return;
        }
        let mut explored: Vec<f64> = scored.iter().filter_map(|&(_, cells, ..)| cells).collect();
        explored.sort_by(f64::total_cmp);
        let median = explored.get(explored.len() / 2).copied();
        scored.sort_by(|a, b| a.0.total_cmp(&b.0));
        let worst = (scored.len() * 3).div_ceil(10);
        for &(_, cells, ..) in scored.iter().take(worst).filter(|&&(score, ..)| score < 100.0) {
            *self.failure_counts.entry(game_kind(cells, median)).or_default() += 1;
        }
        for mut kept in std::mem::take(&mut self.lowest) {
            let Some(&(score, cells, ..)) =
                scored.iter().take(worst).find(|&&(score, _, instance, repeat)| {
                    score < 100.0 && instance == kept.instance_id && repeat == kept.repeat
                })
            else {
                continue;
            };
            kept.kind = game_kind(cells, median);
            kept.detail = match (cells, median) {
                (Some(cells), Some(median)) => {
                    format!("{cells:.0} cells seen, the run's median is {median:.0}; score {score:.1}")
                }
                _ => format!("score {score:.1}; no steps are logged"),
            };
            self.failures.push(kept);
        }
    }
}

fn game_kind(cells: Option<f64>, median: Option<f64>) -> FailureKind {
    match (cells, median) {
        (Some(cells), Some(median)) if cells < median => FailureKind::LowExploration,
        _ => FailureKind::Inefficient,
    }
}
