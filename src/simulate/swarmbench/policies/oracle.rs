//! Planners that see everything: upper bounds, not agents. Those for Foraging and Transport run a local policy on the
//! whole map; Synchronization needs no plan beyond a common target.

use super::forage_scout::Scout;
use super::transport_lines::Lines;
use crate::model::Action;
use crate::simulate::swarmbench::policy::{Intent, Local, Policy, PolicyRow};
use crate::simulate::swarmbench::rules::{Rules, Task};
use crate::simulate::swarmbench::sight::RoundStart;

/// The planner for Foraging.
pub(super) const FORAGING: PolicyRow = PolicyRow {
    name: "oracle-foraging",
    tasks: &[Task::Foraging],
    summary: "planner with global view: a third of the agents carry on shortest ways from the first round, the others make room",
    team: all_seeing::<Scout>,
};

/// The planner for Transport.
pub(super) const TRANSPORT: PolicyRow = PolicyRow {
    name: "oracle-transport",
    tasks: &[Task::Transport],
    summary: "planner with global view: push lines that know the gap from the first round",
    team: all_seeing::<Lines>,
};

/// The planner for Synchronization.
pub(super) const SYNCHRONIZATION: PolicyRow = PolicyRow {
    name: "oracle-synchronization",
    tasks: &[Task::Synchronization],
    summary: "planner with global view: all lights to the state that scores next, in every round",
    team: |_, _| Box::new(Synchronizer { last: None }),
};

fn all_seeing<P: Local + 'static>(row: &PolicyRow, rules: &Rules) -> Box<dyn Policy> {
    let minds = (0..rules.agents).map(|agent| P::new(agent, row.stream(rules, agent))).collect();
    Box::new(AllSeeing::<P> { minds })
}

struct AllSeeing<P> {
    minds: Vec<P>,
}

impl<P: Local> Policy for AllSeeing<P> {
    fn decide(&mut self, start: RoundStart<'_>, intents: &mut [Intent]) {
        for (agent, (mind, intent)) in self.minds.iter_mut().zip(intents).enumerate() {
            if start.world.is_active(agent as u32) {
                mind.decide(&start.full_sight(agent as u32), intent);
            }
        }
    }
}

struct Synchronizer {
    last: Option<bool>,
}

impl Policy for Synchronizer {
    fn decide(&mut self, start: RoundStart<'_>, intents: &mut [Intent]) {
        let target = !self.last.unwrap_or(false);
        for (agent, intent) in intents.iter_mut().enumerate() {
            if start.world.is_lit(agent as u32) != target {
                intent.action = Action::Switch;
            }
        }
        self.last = Some(target);
    }
}
