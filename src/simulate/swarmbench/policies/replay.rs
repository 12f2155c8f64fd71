//! Plays logged decisions again.

use crate::model::{Action, SwarmRun};
use crate::simulate::swarmbench::policy::{Intent, Policy};
use crate::simulate::swarmbench::sight::RoundStart;

/// The decisions of a logged run; where the log has none, agents stay in silence.
pub(crate) struct Replay<'a> {
    run: &'a SwarmRun,
    /// World number of each of the run's agents.
    numbers: Vec<u32>,
}

impl<'a> Replay<'a> {
    /// The decisions of `run`, whose agents have these numbers in the world.
    pub(crate) fn new(run: &'a SwarmRun, numbers: Vec<u32>) -> Self {
        Self { run, numbers }
    }
}

impl Policy for Replay<'_> {
    fn decide(&mut self, start: RoundStart<'_>, intents: &mut [Intent]) {
        let round = start.world.round();
        let Ok(place) = self.run.rounds.binary_search_by_key(&round, |round| round.number) else { return };
        for decision in &self.run.rounds[place].decisions {
            let Some(intent) =
                self.numbers.get(decision.agent.ix()).and_then(|n| intents.get_mut(*n as usize))
            else {
                continue;
            };
            intent.action = match decision.action {
                Some(Action::Other(_)) | None => Action::Stay,
                Some(action) => action,
            };
            if let Some(text) = decision.message {
                intent.message.push_str(self.run.text(text));
            }
        }
    }
}
