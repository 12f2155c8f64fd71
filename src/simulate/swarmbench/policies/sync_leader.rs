//! Agent 0 sets the rhythm; its plan is flooded from neighbour to neighbour, and all switch at the same rounds.

use super::common::{Walk, number_after};
use crate::model::Action;
use crate::simulate::swarmbench::policy::{Intent, Local, PolicyRow, local_team};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::Sight;
use crate::stats::rng::Stream;

/// The row in the table of policies.
pub(super) const ROW: PolicyRow = PolicyRow {
    name: "sync-leader",
    tasks: &[Task::Synchronization],
    summary: "agent 0 announces a first round for all lights on; everybody passes it on and alternates from there",
    team: local_team::<Leader>,
};

/// Rounds given for the plan to reach everybody.
const NOTICE: u32 = 25;

struct Leader {
    stream: Stream,
    walk: Walk,
    start: Option<u32>,
}

impl Local for Leader {
    fn new(_: u32, mut stream: Stream) -> Self {
        Self { walk: Walk::new(&mut stream), stream, start: None }
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        if sight.me() == 0 && self.start.is_none() {
            self.start = Some(sight.round() + NOTICE);
        }
        if self.start.is_none() {
            let heard = sight.heard().find_map(|text| number_after(text, "On from round"));
            self.start = heard.and_then(|round| u32::try_from(round).ok());
        }
        if let Some(start) = self.start {
            intent.say(format_args!("On from round {start}, then in turns."));
            if sight.round() >= start {
                if sight.lit() != (sight.round() - start).is_multiple_of(2) {
                    intent.action = Action::Switch;
                }
                return;
            }
        }
        // Walking about, the plan meets those out of earshot.
        intent.go(self.walk.step(sight, &mut self.stream));
    }
}
