//! Push lines: first along the border until the block stands in the gap, then out, and everybody follows.
//!
//! The plan is made from one observation: where the bar that plugs the gap ends. From there on all cells are counted in
//! a frame of their own: `along` the border from the corner, and `inwards` from the border.

use super::chart::Chart;
use super::common::{Walk, opposite, point_after};
use crate::model::{Action, Cell, Direction};
use crate::simulate::swarmbench::policy::{Intent, Local, PolicyRow, local_team};
use crate::simulate::swarmbench::rules::Task;
use crate::simulate::swarmbench::sight::{Seen, Sight};
use crate::stats::rng::Stream;

/// The row of the team that talks.
pub(super) const ROW: PolicyRow = PolicyRow {
    name: "transport-lines",
    tasks: &[Task::Transport],
    summary: "push lines: looks for the gap, passes its place on, lines up behind the box, pushes it aside and out",
    team: local_team::<Talking>,
};

/// The row of the team that does not.
pub(super) const SILENT: PolicyRow = PolicyRow {
    name: "transport-silent",
    tasks: &[Task::Transport],
    summary: "the same push lines without a word: everybody has to find the gap for itself",
    team: local_team::<Lines>,
};

/// Where the box is and how it goes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Plan {
    /// The bar's end away from the corner, when it still plugs the gap.
    end: Cell,
    /// Along the border, to the corner in which the gap ends.
    corner: Direction,
    /// Out of the map.
    out: Direction,
}

/// The bar's last cell, counted from the corner.
const BAR_END: i32 = 3;

impl Plan {
    /// The plan that the view gives away: a box cell on the border, next to a border wall or to the corner.
    fn from_view(sight: &Sight<'_>) -> Option<Self> {
        let step = |cell: Cell, way: Direction, times: i32| {
            let (dx, dy) = way.vector();
            cell.offset(dx * times, dy * times)
        };
        for (cell, _) in sight.view().filter(|(_, seen)| *seen == Seen::Box) {
            for out in Direction::ALL {
                if sight.look(step(cell, out, 1)) != Seen::OffMap {
                    continue;
                }
                for corner in Direction::ALL.into_iter().filter(|way| *way != out && *way != opposite(out)) {
                    let (before, behind) =
                        (sight.look(step(cell, corner, 1)), sight.look(step(cell, corner, -1)));
                    // From beside the block the rest of the bar is out of view, but the block is not.
                    let block = || sight.look(step(step(cell, corner, -1), out, -1)) == Seen::Box;
                    let bar_goes_on = before == Seen::Box || (before == Seen::Unseen && block());
                    if behind == Seen::Wall && bar_goes_on {
                        return Some(Self { end: cell, corner, out });
                    }
                    if before == Seen::OffMap && behind == Seen::Box {
                        return Some(Self { end: step(cell, corner, -BAR_END), corner, out });
                    }
                }
            }
        }
        None
    }

    fn from_message(text: &str) -> Option<Self> {
        let end = point_after(text, "Gap ends at")?;
        let way = |tag: &str| {
            let (_, rest) = text.split_once(tag)?;
            let word = rest.split([' ', ',', '.']).next()?;
            Action::from_name(word.as_bytes())?.direction()
        };
        Some(Self { end, corner: way("corner ")?, out: way("out ")? })
    }

    fn message(self, shifted: bool) -> String {
        let name = |way: Direction| Action::Move(way).name().unwrap_or("");
        format!(
            "Gap ends at ({}, {}), corner {}, out {}.{}",
            self.end.x,
            self.end.y,
            name(self.corner),
            name(self.out),
            if shifted { " Box is shifted." } else { "" }
        )
    }

    /// A cell's place in the frame of the gap: (along, inwards).
    fn frame(self, cell: Cell) -> (i32, i32) {
        let (dx, dy) = (cell.x - self.end.x, cell.y - self.end.y);
        let dot = |way: Direction| way.vector().0 * dx + way.vector().1 * dy;
        (BAR_END - dot(self.corner), -dot(self.out))
    }

    /// The cell at a place in that frame.
    fn cell(self, along: i32, inwards: i32) -> Cell {
        let ((cx, cy), (ox, oy)) = (self.corner.vector(), self.out.vector());
        let towards = BAR_END - along;
        self.end.offset(cx * towards - ox * inwards, cy * towards - oy * inwards)
    }
}

pub(super) struct Lines {
    stream: Stream,
    walk: Walk,
    chart: Chart,
    plan: Option<Plan>,
    shifted: bool,
}

impl Lines {
    fn notice(&mut self, sight: &Sight<'_>) {
        if self.plan.is_none() {
            self.plan = Plan::from_view(sight);
        }
        let Some(plan) = self.plan else { return };
        // The block's far column shows whether it was shifted: it is free of the box from then on.
        let column = [1, 2, 3].map(|inwards| sight.look(plan.cell(4, inwards)));
        if column.contains(&Seen::Box) {
            return;
        }
        self.shifted |= column.iter().any(|seen| matches!(seen, Seen::Free | Seen::Agent { .. }));
    }

    fn act(&mut self, sight: &Sight<'_>, plan: Plan) -> Option<Direction> {
        let (shifted, me) = (self.shifted, sight.cell());
        let in_line = |cell: Cell| {
            let (along, inwards) = plan.frame(cell);
            if shifted { (1..=3).contains(&along) } else { along >= 5 && (1..=3).contains(&inwards) }
        };
        let push = if shifted { plan.out } else { plan.corner };
        if in_line(me) {
            return Some(push);
        }
        let way = self.chart.step_to(sight, &mut self.stream, in_line);
        way.or_else(|| self.walk.step(sight, &mut self.stream))
    }
}

impl Local for Lines {
    fn new(_: u32, mut stream: Stream) -> Self {
        Self { walk: Walk::new(&mut stream), stream, chart: Chart::default(), plan: None, shifted: false }
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        self.chart.update(sight);
        self.notice(sight);
        let way = match self.plan {
            Some(plan) => self.act(sight, plan),
            None => self
                .chart
                .step_to_unknown(sight, &mut self.stream)
                .or_else(|| self.walk.step(sight, &mut self.stream)),
        };
        intent.go(way);
    }
}

pub(super) struct Talking(Lines);

impl Local for Talking {
    fn new(agent: u32, stream: Stream) -> Self {
        Self(Lines::new(agent, stream))
    }

    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent) {
        for text in sight.heard() {
            if let Some(plan) = Plan::from_message(text) {
                self.0.plan.get_or_insert(plan);
                self.0.shifted |= text.ends_with("Box is shifted.");
            }
        }
        self.0.decide(sight, intent);
        if let Some(plan) = self.0.plan {
            intent.message.push_str(&plan.message(self.0.shifted));
        }
    }
}
