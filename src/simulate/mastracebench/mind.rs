//! Scripted agents: how often they are right, and how much their errors have in common.

use crate::stats::rng::Stream;

/// What a scripted agent is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mind {
    /// Chance that a part of a proposal comes from sound work, in 0–1; judging a claim is right with chance (1 + skill)/2.
    pub skill: f64,
    /// Share of parts in which all proposers of a unit draw the same (sound or not), in 0–1: 0 is independent.
    pub correlation: f64,
    /// Chance that an output can't be extracted, in 0–1.
    pub invalid: f64,
    /// Claims of a whole proposal that its reader checks to get an impression of it, at least 1. Who judges claim by claim
    /// checks all.
    pub attention: usize,
}

impl Default for Mind {
    fn default() -> Self {
        Self { skill: 0.6, correlation: 0.2, invalid: 0.01, attention: 1 }
    }
}

impl Mind {
    /// Chance that a claim is judged rightly, in 0.5–1.
    pub fn discernment(&self) -> f64 {
        f64::midpoint(1.0, self.skill)
    }
}

/// The source of one proposal's draws: a stream per part, shared between proposers for the correlated parts.
#[derive(Clone, Debug)]
pub struct Draws<'a> {
    /// Seed of the whole simulation.
    pub seed: u64,
    /// The unit: equal for all methods and agents.
    pub unit: &'a str,
    /// The agent and attempt.
    pub agent: &'a str,
    /// The agent's mind.
    pub mind: Mind,
}

impl Draws<'_> {
    /// The stream of part `part`.
    pub fn part(&self, part: usize) -> Stream {
        let mut coin = Stream::new(self.seed, &format!("{}/part {part}/shared?", self.unit));
        if coin.uniform() < self.mind.correlation {
            Stream::new(self.seed, &format!("{}/part {part}/all", self.unit))
        } else {
            Stream::new(self.seed, &format!("{}/part {part}/{}", self.unit, self.agent))
        }
    }

    /// Whether the output can't be extracted.
    pub fn is_lost(&self) -> bool {
        Stream::new(self.seed, &format!("{}/lost/{}", self.unit, self.agent)).uniform() < self.mind.invalid
    }
}
