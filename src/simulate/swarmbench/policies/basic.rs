//! The three baselines that play every task: stay, random, biased; and two aimless walkers.

use super::common::{Walk, neighbours, step_towards};
use crate::model::{Action, Direction};
use crate::simulate::swarmbench::policy::{Intent, Local, PolicyRow, local_team};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::Sight;
use crate::stats::rng::Stream;

/// Never moves.
pub(super) const STAY: PolicyRow =
    PolicyRow { name: "stay", tasks: &Task::ALL, summary: "never does anything", team: local_team::<Stay> };

/// Uniform over the task's actions.
pub(super) const RANDOM: PolicyRow = PolicyRow {
    name: "random",
    tasks: &Task::ALL,
    summary: "draws uniformly from the task's actions",
    team: local_team::<Random>,
};

/// Prefers one direction.
pub(super) const BIASED: PolicyRow = PolicyRow {
    name: "biased",
    tasks: &Task::ALL,
    summary: "goes UP in four rounds of five and says so, else draws at random: a movement bias",
    team: local_team::<Biased>,
};

/// Walks straight on.
pub(super) const WANDER: PolicyRow = PolicyRow {
    name: "wander",
    tasks: &Task::ALL,
    summary: "walks straight on until something is in the way, then turns",
    team: local_team::<Wander>,
};

/// Follows the lowest number in view.
pub(super) const FOLLOW: PolicyRow = PolicyRow {
    name: "follow",
    tasks: &Task::ALL,
    summary: "follows the visible agent of the lowest number, which leads by walking straight on",
    team: local_team::<Follow>,
};

struct Stay;

impl Local for Stay {
    fn new(_: u32, _: Stream) -> Self {
        Self
    }

    fn decide(&mut self, _: &Sight<'_>, _: &mut Intent) {}
}

struct Random {
    stream: Stream,
}

fn draw(stream: &mut Stream, task: Task) -> Action {
    let actions = if task == Task::Synchronization { 6 } else { 5 };
    match stream.index(actions) {
        4 => Action::Stay,
        5 => Action::Switch,
        way => Action::Move(Direction::ALL[way]),
    }
}

impl Local for Random {
    fn new(_: u32, stream: Stream) -> Self {
        Self { stream }
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        intent.action = draw(&mut self.stream, sight.task());
    }
}

struct Biased {
    stream: Stream,
}

impl Local for Biased {
    fn new(_: u32, stream: Stream) -> Self {
        Self { stream }
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        if self.stream.below(5) == 0 {
            intent.action = draw(&mut self.stream, sight.task());
        } else {
            intent.action = Action::Move(Direction::Up);
            intent.message.push_str("Going up.");
        }
    }
}

struct Wander {
    stream: Stream,
    walk: Walk,
}

impl Local for Wander {
    fn new(_: u32, mut stream: Stream) -> Self {
        Self { walk: Walk::new(&mut stream), stream }
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        intent.go(self.walk.step(sight, &mut self.stream));
    }
}

struct Follow {
    stream: Stream,
    walk: Walk,
}

impl Local for Follow {
    fn new(_: u32, mut stream: Stream) -> Self {
        Self { walk: Walk::new(&mut stream), stream }
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        let lead = neighbours(sight).filter(|(_, id, _)| *id < sight.me()).min_by_key(|(_, id, _)| *id);
        match lead {
            Some((cell, id, _)) => {
                intent.go(step_towards(sight, cell));
                intent.say(format_args!("Following {id}."));
            }
            None => intent.go(self.walk.step(sight, &mut self.stream)),
        }
    }
}
