//! Grid, ticks and titles around a plot area: light grid on the value axis, no box, ticks outside.

use super::canvas::{Anchor, Area, At, Canvas, Label, Stroke, at};
use super::scale::{Axis, Scale};
use super::text;
use super::theme::{self, LABEL, TICK};

/// Length of ticks in points.
const TICK_LENGTH: f64 = 2.5;
/// Room between a tick and its label.
const GAP: f64 = 2.5;
/// Height under a plot for tick labels.
pub(super) const TICK_ROOM: f64 = 14.0;
/// Height (or width, beside a plot) for an axis title.
pub(super) const TITLE_ROOM: f64 = 12.0;

/// A plot area with its two scales; the value 0 of the y scale is at the bottom.
#[derive(Clone, Debug)]
pub(super) struct Plot {
    pub(super) area: Area,
    pub(super) x: Scale,
    pub(super) y: Scale,
}

impl Plot {
    pub(super) fn place(&self, x: f64, y: f64) -> At {
        at(along_x(&self.area, &self.x, x), along_y(&self.area, &self.y, y))
    }
}

pub(super) fn along_x(area: &Area, scale: &Scale, value: f64) -> f64 {
    area.left + area.width() * scale.place(value)
}

pub(super) fn along_y(area: &Area, scale: &Scale, value: f64) -> f64 {
    area.bottom - area.height() * scale.place(value)
}

/// How many ticks have room over this many points.
pub(super) fn ticks_across(width: f64) -> usize {
    (width / 30.0).floor().clamp(2.0, 8.0) as usize
}

/// How many ticks have room over this height.
pub(super) fn ticks_up(height: f64) -> usize {
    (height / 24.0).floor().clamp(2.0, 8.0) as usize
}

/// Width that the tick labels of a y axis need, with ticks and gap.
pub(super) fn y_label_room(scale: &Scale) -> f64 {
    scale.labels.iter().map(|l| text::width(l, TICK)).fold(0.0, f64::max) + TICK_LENGTH + GAP + 1.0
}

/// The grid and tick labels of a value axis at the left.
pub(super) fn value_axis_left(canvas: &mut Canvas, area: &Area, scale: &Scale, labelled: bool) {
    for (tick, label) in scale.ticks.iter().zip(&scale.labels) {
        let y = along_y(area, scale, *tick);
        canvas.line(at(area.left, y), at(area.right, y), Stroke::solid(theme::GRID, 0.6));
        if labelled {
            canvas.line(at(area.left - TICK_LENGTH, y), at(area.left, y), Stroke::solid(theme::AXIS, 0.6));
            let place = at(area.left - TICK_LENGTH - GAP, y);
            canvas.text(place, &Label::new(label, TICK).colour(theme::MUTED).anchor(Anchor::End));
        }
    }
}

/// An axis at the bottom; with `grid` it is a value axis. Labels that would touch their neighbours are left out.
pub(super) fn axis_bottom(canvas: &mut Canvas, area: &Area, scale: &Scale, grid: bool, labelled: bool) {
    if !grid {
        canvas.line(at(area.left, area.bottom), at(area.right, area.bottom), Stroke::solid(theme::AXIS, 0.6));
    }
    let mut taken = f64::NEG_INFINITY;
    for (tick, label) in scale.ticks.iter().zip(&scale.labels) {
        let x = along_x(area, scale, *tick);
        if grid {
            canvas.line(at(x, area.top), at(x, area.bottom), Stroke::solid(theme::GRID, 0.6));
        }
        canvas.line(at(x, area.bottom), at(x, area.bottom + TICK_LENGTH), Stroke::solid(theme::AXIS, 0.6));
        let half = text::width(label, TICK) / 2.0;
        // A label at the very edge of the canvas moves inwards.
        let middle = x.clamp(half + 0.5, (canvas.width() - half - 0.5).max(half + 0.5));
        if labelled && middle - half > taken {
            let place = at(middle, area.bottom + TICK_LENGTH + GAP + TICK * 0.45);
            canvas.text(place, &Label::new(label, TICK).colour(theme::MUTED).anchor(Anchor::Middle));
            taken = middle + half + 3.0;
        }
    }
}

/// A title under an area (below its tick labels), or lower by `below`.
pub(super) fn title_bottom(canvas: &mut Canvas, area: &Area, axis: &Axis) {
    let full = axis.label();
    let room = (canvas.width() - 4.0).max(20.0);
    let shown = text::shorten(&full, room, LABEL);
    let half = text::width(&shown, LABEL) / 2.0;
    let middle = f64::midpoint(area.left, area.right);
    let middle = middle.clamp(half + 1.0, (canvas.width() - half - 1.0).max(half + 1.0));
    let place = at(middle, area.bottom + TICK_ROOM + TITLE_ROOM / 2.0);
    canvas.text(place, &Label::new(&shown, LABEL).anchor(Anchor::Middle).full(&full));
}

/// A title left of an area, read from below, centred on it, its middle at `x`.
pub(super) fn title_left(canvas: &mut Canvas, area: &Area, x: f64, axis: &Axis) {
    let full = axis.label();
    let shown = text::shorten(&full, area.height() + 6.0, LABEL);
    let place = at(x, f64::midpoint(area.top, area.bottom));
    canvas.text(place, &Label::new(&shown, LABEL).anchor(Anchor::Middle).upright().full(&full));
}
