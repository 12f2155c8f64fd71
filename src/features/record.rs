//! What the first stage keeps of a run: tables and small evidence, everything after it reads only those.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

use super::agents::{AgentTally, tallies};
use super::{Compute, FEATURES, Needs, RunMean, Undefined, Walker};
use crate::model::{RunKey, SwarmRun};

/// A run's rounds as columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RoundTable {
    /// Round numbers, ascending.
    pub numbers: Vec<u32>,
    /// Score before the round's decisions.
    pub scores: Vec<Option<f64>>,
    /// One column per feature of the registry, empty for measures of a run.
    pub columns: Vec<Vec<Option<f64>>>,
}

/// A run after the first stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Batch and run id.
    pub key: RunKey,
    /// The model's label.
    pub model: String,
    /// The canonical task name.
    pub task: String,
    /// The seed.
    pub seed: Option<i64>,
    /// All other meta keys.
    pub meta: BTreeMap<String, Value>,
    /// Number of agents in the logs.
    pub agents: u32,
    /// Rounds that the run's means are over: entries of the game log, or rounds of the agent log where there is none.
    pub logged_rounds: u32,
    /// Number of the last logged round.
    pub last_round: u32,
    /// Score of the last entry of the game log.
    pub final_score: Option<f64>,
    /// One value per feature of the registry.
    pub values: Vec<Option<f64>>,
    /// The rounds.
    pub rounds: RoundTable,
    /// The agents.
    pub tallies: Vec<AgentTally>,
}

/// Runs the first stage on a run.
pub fn run_record(run: &SwarmRun, walker: &mut Walker<'_>, undefined: Undefined) -> RunRecord {
    let walked = walker.walk(run);
    // Entries of the game log are the logged rounds; where there is none, those of the agent log.
    let logged: Vec<bool> = run.rounds.iter().map(|round| round.has_state || !run.has_game_log).collect();
    let count = logged.iter().filter(|&&is| is).count();
    let values = FEATURES
        .iter()
        .enumerate()
        .map(|(at, feature)| {
            let missing = match feature.needs {
                Needs::GameLog => !run.has_game_log,
                Needs::AgentLog => !run.has_agent_log,
                Needs::Both => !run.has_game_log || !run.has_agent_log,
            };
            if missing {
                return None; // a log that is not there is not a round of silence
            }
            if matches!(feature.compute, Compute::Run(_)) {
                return walked.run[at];
            }
            let rounds = walked.columns[at]
                .iter()
                .zip(&logged)
                .filter(|(_, logged)| **logged)
                .map(|(value, _)| *value);
            match (feature.run_mean, undefined) {
                (RunMean::Logged, Undefined::Zero) => mean(rounds.map(|value| Some(value.unwrap_or(0.0)))),
                _ => mean(rounds),
            }
        })
        .collect();
    RunRecord {
        key: run.meta.key.clone(),
        model: run.meta.model.clone(),
        task: run.meta.task.name().to_owned(),
        seed: run.meta.seed,
        meta: run.meta.columns.clone(),
        agents: run.agents.len() as u32,
        logged_rounds: count as u32,
        last_round: run
            .rounds
            .iter()
            .zip(&logged)
            .rev()
            .find(|(_, is)| **is)
            .map_or(0, |(round, _)| round.number),
        final_score: run.final_score(),
        values,
        rounds: RoundTable {
            numbers: run.rounds.iter().map(|round| round.number).collect(),
            scores: run.rounds.iter().map(|round| round.score).collect(),
            columns: walked.columns,
        },
        tallies: tallies(run),
    }
}

/// Mean of the defined values; `None` where there is none or the sum is not finite.
fn mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let (mut sum, mut n) = (0.0, 0u32);
    for value in values.flatten() {
        sum += value;
        n += 1;
    }
    (n > 0).then(|| sum / f64::from(n)).filter(|mean| mean.is_finite())
}

#[cfg(test)]
mod tests {
    use super::super::embed::HashedNgrams;
    use super::super::walk::tests::world;
    use super::*;

    fn value(run: &SwarmRun, id: &str, undefined: Undefined) -> Option<f64> {
        let at = super::super::column_of(id).unwrap();
        run_record(run, &mut Walker::new(&HashedNgrams), undefined).values[at]
    }

    #[test]
    fn undefined_rounds_count_as_zero_or_not_at_all() {
        let run = world(&[(&[(1, 1)], &[("UP", "four")]), (&[(1, 2)], &[("UP", "")]), (&[(1, 3)], &[])]);
        assert_eq!(value(&run, "mean_message_length", Undefined::Zero), Some(4.0 / 3.0));
        assert_eq!(value(&run, "mean_message_length", Undefined::Skip), Some(4.0));
        assert_eq!(value(&run, "stillness_proportion", Undefined::Skip), Some(0.0));
    }

    #[test]
    fn a_silent_run_is_zero_by_the_papers_rule_but_a_missing_log_is_not() {
        let mut run = world(&[(&[(1, 1)], &[("UP", "")]), (&[(1, 2)], &[])]);
        assert_eq!(value(&run, "mean_message_length", Undefined::Zero), Some(0.0));
        assert_eq!(value(&run, "mean_message_length", Undefined::Skip), None);
        run.has_agent_log = false;
        assert_eq!(value(&run, "mean_message_length", Undefined::Zero), None);
    }
}
