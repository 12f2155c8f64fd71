//! Gathers, then votes by message: everybody announces its light, and relays what it heard of others.

use std::collections::BTreeMap;

use super::common::{neighbours, number_after, step_towards};
use super::sync_majority::{GATHERING, MEETING_POINT};
use crate::model::Action;
use crate::simulate::swarmbench::policy::{Intent, Local, PolicyRow, local_team};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::Sight;
use crate::stats::rng::Stream;

/// The row in the table of policies.
pub(super) const ROW: PolicyRow = PolicyRow {
    name: "sync-vote",
    tasks: &[Task::Synchronization],
    summary: "gathers at (4, 4), announces its light and which ones it sees, adopts the majority, then flips together",
    team: local_team::<Vote>,
};

/// Rounds of one vote: announce, adopt.
const VOTE: u32 = 2;

struct Vote {
    /// Last known light of every agent seen or heard of.
    lights: BTreeMap<u32, bool>,
}

impl Local for Vote {
    fn new(_: u32, _: Stream) -> Self {
        Self { lights: BTreeMap::new() }
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        self.lights.clear();
        for text in sight.heard() {
            for (tag, on) in [("on:", true), ("off:", false)] {
                let Some((_, list)) = text.split_once(tag) else { continue };
                let list = list.split(';').next().unwrap_or("");
                for name in list.split(',') {
                    if let Some(id) = number_after(name, "#") {
                        self.lights.insert(id as u32, on);
                    }
                }
            }
        }
        for (_, id, on) in neighbours(sight) {
            self.lights.insert(id, on);
        }
        self.lights.insert(sight.me(), sight.lit());
        let names = |wanted: bool| {
            let of_kind = self.lights.iter().filter(|(_, on)| **on == wanted);
            of_kind.map(|(id, _)| format!("#{id}")).collect::<Vec<_>>().join(",")
        };
        let gathering = sight.round() < GATHERING;
        let announce = sight.round().is_multiple_of(VOTE);
        if gathering {
            intent.go(step_towards(sight, MEETING_POINT));
        } else if announce {
            intent.say(format_args!("on: {}; off: {}", names(true), names(false)));
        } else {
            let lit = self.lights.values().filter(|on| **on).count();
            let all = self.lights.len();
            let target = if lit == 0 || lit == all { lit == 0 } else { 2 * lit > all };
            if target != sight.lit() {
                intent.action = Action::Switch;
            }
        }
    }
}
