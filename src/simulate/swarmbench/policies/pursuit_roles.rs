//! Role assignment: everybody takes the side of the prey that its number stands for.

use super::chart::Chart;
use super::common::{Walk, step_towards};
use super::pursuit_field::{Report, newest, pass_on};
use crate::model::Direction;
use crate::simulate::swarmbench::policy::{Intent, Local, PolicyRow, local_team};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::{Seen, Sight};
use crate::stats::rng::Stream;

/// The row in the table of policies.
pub(super) const ROW: PolicyRow = PolicyRow {
    name: "pursuit-roles",
    tasks: &[Task::Pursuit],
    summary: "roles: number modulo 4 is the side of the prey to take, by breadth-first search; passes reports on",
    team: local_team::<Roles>,
};

/// Rounds for which a report is believed.
const FRESH: u32 = 5;

struct Roles {
    stream: Stream,
    walk: Walk,
    chart: Chart,
    known: Option<Report>,
}

impl Local for Roles {
    fn new(_: u32, mut stream: Stream) -> Self {
        Self { walk: Walk::new(&mut stream), stream, chart: Chart::default(), known: None }
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        self.chart.update(sight);
        self.known = newest(sight, self.known).filter(|report| sight.round() - report.round <= FRESH);
        let Some(report) = self.known else {
            intent.go(self.walk.step(sight, &mut self.stream));
            return;
        };
        pass_on(report, intent);
        let me = sight.cell();
        if report.prey.manhattan(me) == 1 && report.round == sight.round() {
            return;
        }
        let (dx, dy) = Direction::ALL[sight.me() as usize % 4].vector();
        let side = report.prey.offset(dx, dy);
        let open = |cell| matches!(sight.look(cell), Seen::Free | Seen::Unseen);
        let goal = if open(side) { side } else { report.prey };
        let way = self.chart.step_to(sight, &mut self.stream, |cell| cell == goal);
        intent.go(way.or_else(|| step_towards(sight, report.prey)));
    }
}
