//! From measured runs to the one value that outputs and report show.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::aggregate::{dynamics_over_instances, instance_means, instance_values, mean, over_instances};
use super::compare::{Difference, differences};
use super::tables::{
    AgentRow, ArcRow, EntropyRow, EpisodeRow, FailureRow, MetricRow, Part, RoundRow, RunIdentity, Values,
};
use crate::features::{FEATURES, Undefined as UndefinedRounds};
use crate::finding::Findings;
use crate::stats::{Bootstrap, Summary, Undefined};

use super::{EpisodeMeasures, FailureKind, METRICS, RunMeasures, Vocabulary};

/// Settings of the analysis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The vocabulary that counts tokens where the log has none.
    pub tokenizer: Vocabulary,
    /// What an undefined round counts as in the group dynamics of an episode.
    pub undefined: UndefinedRounds,
    /// Seed of the resampling.
    pub seed: u64,
    /// Bootstrap resamples.
    pub resamples: u32,
    /// Level of the intervals.
    pub level: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tokenizer: Vocabulary::default(),
            undefined: UndefinedRounds::default(),
            seed: 0,
            resamples: 2_000,
            level: 0.95,
        }
    }
}

/// Everything that is shown about communication.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Communication {
    /// How it was computed.
    pub settings: Settings,
    /// Metrics by run and part.
    pub rows: Vec<MetricRow>,
    /// Metrics by episode.
    pub episodes: Vec<EpisodeRow>,
    /// Rounds by run and part.
    pub rounds: Vec<RoundRow>,
    /// Agents by run.
    pub agents: Vec<AgentRow>,
    /// Who wrote to whom, by run.
    pub arcs: Vec<ArcRow>,
    /// Contribution entropy by run.
    pub entropies: Vec<EntropyRow>,
    /// Failures by run and kind.
    pub failures: Vec<FailureRow>,
    /// What mechanisms and frameworks change.
    pub differences: Vec<Difference>,
}

/// Analyses measured runs; their order in the result is that of batch and run id.
pub fn analyse(mut runs: Vec<RunMeasures>, settings: Settings, findings: &mut Findings) -> Communication {
    runs.sort_by(|a, b| a.meta.key.cmp(&b.meta.key));
    let mut result = Communication {
        settings,
        rows: Vec::new(),
        episodes: Vec::new(),
        rounds: Vec::new(),
        agents: Vec::new(),
        arcs: Vec::new(),
        entropies: Vec::new(),
        failures: Vec::new(),
        differences: differences(&runs, &settings, findings),
    };
    for run in &runs {
        for part in Part::ALL {
            let episodes: Vec<&EpisodeMeasures> =
                run.episodes.iter().filter(|episode| part.holds(episode)).collect();
            result.rows.push(metric_row(run, part, &episodes, &settings));
            result.rounds.extend(round_rows(run, part, &episodes));
        }
        result.episodes.extend(run.episodes.iter().map(|episode| EpisodeRow::of(&run.meta, episode)));
        result.agents.extend(agent_rows(run));
        result.arcs.extend(arc_rows(run));
        result.entropies.push(entropy_row(run));
        result.failures.extend(failure_rows(run));
    }
    result
}

fn metric_row(
    run: &RunMeasures,
    part: Part,
    episodes: &[&EpisodeMeasures],
    settings: &Settings,
) -> MetricRow {
    let mut values = Values::default();
    for metric in METRICS {
        let by_instance = instance_values(&metric.kind, episodes);
        let value = over_instances(&metric.kind, by_instance.iter().copied());
        values.push(metric.id, value);
        if metric.interval {
            let key = &run.meta.key;
            let identity =
                format!("communication/{}/{}/{}/{}", key.batch, key.run_id, part.name(), metric.id);
            let bootstrap = Bootstrap {
                resamples: settings.resamples as usize,
                level: settings.level,
                seed: settings.seed,
                identity: &identity,
            };
            let estimate = bootstrap.rows(by_instance.len(), |rows| {
                over_instances(&metric.kind, rows.iter().map(|&row| by_instance[row])).ok_or(Undefined::Empty)
            });
            let interval = estimate.ok().map(|estimate| estimate.interval).filter(|_| value.is_some());
            values.push(format!("{}_low", metric.id), interval.map(|interval| interval.low));
            values.push(format!("{}_high", metric.id), interval.map(|interval| interval.high));
        }
    }
    for (at, feature) in FEATURES.iter().enumerate() {
        values.push(feature.id, dynamics_over_instances(at, episodes));
    }
    let instances = instance_means(episodes.iter().copied());
    MetricRow {
        run: RunIdentity::of(&run.meta),
        split: part,
        n: instances.len() as u64,
        n_scored: instances.iter().filter(|instance| instance.score.is_some()).count() as u64,
        episodes: episodes.len() as u64,
        counted_messages: episodes.iter().map(|episode| episode.counted_messages).sum(),
        values,
        columns: run.meta.columns.clone(),
    }
}

/// Messages and scores of one round.
#[derive(Default)]
struct RoundSums<'a> {
    messages: u64,
    tokens: f64,
    characters: u64,
    scores: BTreeMap<(&'a str, &'a str), Vec<Option<f64>>>,
}

fn round_rows(run: &RunMeasures, part: Part, episodes: &[&EpisodeMeasures]) -> Vec<RoundRow> {
    let mut rounds: BTreeMap<u32, RoundSums<'_>> = BTreeMap::new();
    for traffic in episodes.iter().flat_map(|episode| &episode.traffic) {
        let sums = rounds.entry(traffic.round).or_default();
        sums.messages += traffic.messages;
        sums.tokens += traffic.tokens;
        sums.characters += traffic.characters;
    }
    let scored = || episodes.iter().filter(|episode| !episode.score_by_round.is_empty());
    let last = scored().map(|episode| episode.score_by_round.len()).max().unwrap_or(0);
    for episode in scored() {
        for round in 1..=last {
            // An episode that ended keeps its last score.
            let ix = round.min(episode.score_by_round.len()) - 1;
            let sums = rounds.entry(round as u32).or_default();
            let key = (episode.split.as_str(), episode.instance_id.as_str());
            sums.scores.entry(key).or_default().push(episode.score_by_round[ix]);
        }
    }
    rounds
        .into_iter()
        .map(|(round, sums)| {
            let per_message = |sum: f64| (sums.messages > 0).then(|| sum / sums.messages as f64);
            RoundRow {
                batch: run.meta.key.batch.clone(),
                run_id: run.meta.key.run_id.clone(),
                split: part,
                round,
                scored_episodes: sums.scores.values().flatten().flatten().count() as u64,
                messages: sums.messages,
                tokens_per_message: per_message(sums.tokens),
                characters_per_message: per_message(sums.characters as f64),
                score: mean(sums.scores.into_values().map(mean)),
            }
        })
        .collect()
}

fn agent_rows(run: &RunMeasures) -> impl Iterator<Item = AgentRow> {
    run.agents.iter().map(|(agent, sums)| {
        let per_episode = |sum: u64| sum as f64 / sums.episodes as f64;
        AgentRow {
            batch: run.meta.key.batch.clone(),
            run_id: run.meta.key.run_id.clone(),
            agent: agent.clone(),
            episodes: sums.episodes,
            sent: per_episode(sums.sent),
            received: per_episode(sums.received),
            out_degree: per_episode(sums.out_degree),
            in_degree: per_episode(sums.in_degree),
            silent_share: per_episode(sums.silent_episodes),
        }
    })
}

fn arc_rows(run: &RunMeasures) -> impl Iterator<Item = ArcRow> {
    run.arcs.iter().map(|((from, to), &messages)| ArcRow {
        batch: run.meta.key.batch.clone(),
        run_id: run.meta.key.run_id.clone(),
        from: from.clone(),
        to: to.clone(),
        messages,
    })
}

fn entropy_row(run: &RunMeasures) -> EntropyRow {
    let mut values: Vec<f64> = run.episodes.iter().filter_map(|episode| episode.normalized_entropy).collect();
    values.sort_by(f64::total_cmp);
    EntropyRow {
        batch: run.meta.key.batch.clone(),
        run_id: run.meta.key.run_id.clone(),
        summary: Summary::of(&values).into(),
        values,
    }
}

fn failure_rows(run: &RunMeasures) -> impl Iterator<Item = FailureRow> {
    FailureKind::ALL.into_iter().filter_map(|kind| {
        let episodes = *run.failure_counts.get(&kind)?;
        Some(FailureRow {
            batch: run.meta.key.batch.clone(),
            run_id: run.meta.key.run_id.clone(),
            kind,
            episodes,
            of: run.episodes.len() as u64,
            examples: run.failures.iter().filter(|failure| failure.kind == kind).cloned().collect(),
        })
    })
}
