//! Potential field: drawn to where the prey was last reported, kept apart from team mates.

use super::common::{any_direction, nearest_in_view, neighbours, number_after, point_after};
use crate::model::{Cell, Direction};
use crate::simulate::swarmbench::policy::{Intent, Local, PolicyRow, local_team};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::{Seen, Sight};
use crate::stats::rng::Stream;

/// The row in the table of policies.
pub(super) const ROW: PolicyRow = PolicyRow {
    name: "pursuit-field",
    tasks: &[Task::Pursuit],
    summary: "potential field: drawn to the prey's last reported cell, repelled by team mates; passes reports on",
    team: local_team::<Field>,
};

/// Rounds for which a report is believed.
const FRESH: u32 = 6;

/// Where the prey was, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Report {
    pub(super) prey: Cell,
    pub(super) round: u32,
}

/// The newest report among what is seen, heard and remembered.
pub(super) fn newest(sight: &Sight<'_>, known: Option<Report>) -> Option<Report> {
    let seen = nearest_in_view(sight, Seen::Prey).map(|prey| Report { prey, round: sight.round() });
    let heard = sight.heard().filter_map(|text| {
        let round = u32::try_from(number_after(text, "in round")?).ok()?;
        Some(Report { prey: point_after(text, "Prey at")?, round: round.min(sight.round()) })
    });
    heard.chain(seen).chain(known).max_by_key(|report| report.round)
}

/// The message that passes a report on.
pub(super) fn pass_on(report: Report, intent: &mut Intent) {
    let Report { prey, round } = report;
    intent.say(format_args!("Prey at ({}, {}) in round {round}.", prey.x, prey.y));
}

struct Field {
    stream: Stream,
    known: Option<Report>,
}

impl Local for Field {
    fn new(_: u32, stream: Stream) -> Self {
        Self { stream, known: None }
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        self.known = newest(sight, self.known).filter(|report| sight.round() - report.round <= FRESH);
        let mates: Vec<Cell> = neighbours(sight).map(|(cell, _, _)| cell).collect();
        let me = sight.cell();
        let prey = self.known.map(|report| report.prey);
        if let Some(report) = self.known {
            pass_on(report, intent);
            if report.prey.manhattan(me) == 1 && report.round == sight.round() {
                return;
            }
        }
        let potential = |cell: Cell| -> f64 {
            let pull = prey.map_or(0.0, |prey| cell.manhattan(prey) as f64);
            let weight = if prey.is_some() { 0.25 } else { 1.0 };
            let push: f64 = mates.iter().map(|mate| 1.0 / (1.0 + cell.manhattan(*mate) as f64)).sum();
            pull + weight * push
        };
        let ways = Direction::ALL.into_iter().filter(|way| sight.beside(*way) == Seen::Free);
        let level = |way: &Direction| {
            let (dx, dy) = way.vector();
            potential(me.offset(dx, dy))
        };
        let best = ways.min_by(|a, b| level(a).total_cmp(&level(b)));
        // Without any report it strays now and then, so that it does not rest in a corner.
        let stray = prey.is_none() && self.stream.below(3) == 0;
        intent.go(if stray { Some(any_direction(&mut self.stream)) } else { best });
    }
}
