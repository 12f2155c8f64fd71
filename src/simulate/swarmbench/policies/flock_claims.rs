//! Takes the nearest slot of the conventional square that nobody stands on or has claimed from nearer by.

use super::chart::Chart;
use super::common::{any_direction, neighbours, number_after, point_after};
use super::flock_slots::slots;
use crate::model::Cell;
use crate::simulate::swarmbench::policy::{Intent, Local, PolicyRow, local_team};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::{Seen, Sight};
use crate::stats::rng::Stream;

/// The row in the table of policies.
pub(super) const ROW: PolicyRow = PolicyRow {
    name: "flock-claims",
    tasks: &[Task::Flocking],
    summary: "slot taking: goes for the nearest slot at (2, 2) not taken or claimed from nearer by; announces its claim",
    team: local_team::<Claims>,
};

struct Claims {
    stream: Stream,
    chart: Chart,
}

impl Local for Claims {
    fn new(_: u32, stream: Stream) -> Self {
        Self { stream, chart: Chart::default() }
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        self.chart.update(sight);
        let slots = slots(sight);
        let me = sight.cell();
        if slots.contains(&me) {
            intent.say(format_args!("Taking slot ({}, {}), 0 away", me.x, me.y));
            return;
        }
        let claims: Vec<(Cell, i64)> = sight
            .heard()
            .filter_map(|text| Some((point_after(text, "Taking slot")?, number_after(text, "),")?)))
            .collect();
        let taken: Vec<Cell> = neighbours(sight).map(|(cell, _, _)| cell).collect();
        let open = |slot: &Cell| {
            let away = slot.manhattan(me) as i64;
            !taken.contains(slot) && !claims.iter().any(|(claimed, from)| claimed == slot && *from < away)
        };
        let goal = slots.iter().copied().filter(open).min_by_key(|slot| slot.manhattan(me));
        let Some(goal) = goal else { return };
        intent.say(format_args!("Taking slot ({}, {}), {} away", goal.x, goal.y, goal.manhattan(me)));
        let way = self.chart.step_to(sight, &mut self.stream, |cell| cell == goal);
        let aside = any_direction(&mut self.stream);
        let sidestep = sight.beside(aside) == Seen::Free && self.stream.below(3) == 0;
        intent.go(way.or_else(|| sidestep.then_some(aside)));
    }
}
