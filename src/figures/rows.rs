//! What charts with a name per row share: names at the left, notes at the right, a value axis below.

use super::axes::{self, TICK_ROOM, TITLE_ROOM};
use super::canvas::{Anchor, Area, Canvas, Label, Stroke, at};
use super::key::Key;
use super::scale::{Axis, Scale};
use super::text;
use super::theme::{self, TICK};

/// Most rows of one figure.
pub(super) const MOST: usize = 150;
/// Height under the plot area for ticks and title.
pub(super) const FOOT: f64 = TICK_ROOM + TITLE_ROOM + 3.0;

/// A row's texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'a> {
    pub(super) label: &'a str,
    pub(super) note: &'a str,
}

/// The plot area right of the names and left of the notes, `height` high from `top`.
pub(super) fn area<'a>(
    width: f64,
    heads: impl Iterator<Item = Head<'a>> + Clone,
    top: f64,
    height: f64,
) -> Area {
    let widest =
        |texts: &mut dyn Iterator<Item = &'a str>| texts.map(|t| text::width(t, TICK)).fold(0.0, f64::max);
    let left = (widest(&mut heads.clone().map(|h| h.label)) + 8.0).min(width * 0.36);
    let notes = widest(&mut heads.map(|h| h.note)).min(width * 0.24);
    let right = width - if notes > 0.0 { notes + 8.0 } else { 8.0 };
    Area { left, top, right, bottom: top + height }
}

/// Opens the row's group and writes its name and note; the caller draws the row and closes the group.
pub(super) fn open(canvas: &mut Canvas, area: &Area, key: &Key, head: Head<'_>, middle: f64) {
    canvas.open(&Key { label: head.label.to_owned(), ..key.clone() });
    let name = text::shorten(head.label, area.left - 6.0, TICK);
    canvas.text(at(area.left - 4.0, middle), &Label::new(&name, TICK).anchor(Anchor::End).full(head.label));
    let note = text::shorten(head.note, canvas.width() - area.right - 5.0, TICK);
    canvas.text(at(area.right + 5.0, middle), &Label::new(&note, TICK).colour(theme::MUTED).full(head.note));
}

/// The value axis with its grid and title, to be drawn before the rows.
pub(super) fn axis(canvas: &mut Canvas, area: &Area, scale: &Scale, axis: &Axis) {
    axes::axis_bottom(canvas, area, scale, true, true);
    axes::title_bottom(canvas, area, axis);
}

/// A line at zero, if the axis has it.
pub(super) fn zero_line(canvas: &mut Canvas, area: &Area, scale: &Scale) {
    if scale.contains(0.0) {
        let zero = axes::along_x(area, scale, 0.0);
        canvas.line(at(zero, area.top), at(zero, area.bottom), Stroke::solid(theme::AXIS, 0.8));
    }
}

/// The mark of a row without a value.
pub(super) fn no_value(canvas: &mut Canvas, x: f64, y: f64) {
    canvas.text(at(x + 3.0, y), &Label::new("–", TICK).colour(theme::MUTED).full("no value"));
}

/// A thin line with small caps.
pub(super) fn interval(canvas: &mut Canvas, from: f64, to: f64, y: f64) {
    let stroke = Stroke::solid(theme::INK, 0.9);
    canvas.line(at(from, y), at(to, y), stroke);
    for x in [from, to] {
        canvas.line(at(x, y - 1.8), at(x, y + 1.8), stroke);
    }
}

/// A line across the rows with its name above.
pub(super) fn reference_line(canvas: &mut Canvas, area: &Area, scale: &Scale, value: f64, name: &str) {
    let x = axes::along_x(area, scale, value);
    let stroke = Stroke { colour: theme::MUTED, width: 0.8, dash: &[3.0, 2.0] };
    canvas.line(at(x, area.top), at(x, area.bottom), stroke);
    let short = text::shorten(name, canvas.width() - 4.0, TICK);
    let half = text::width(&short, TICK) / 2.0;
    let middle = x.clamp(half + 1.0, (canvas.width() - half - 1.0).max(half + 1.0));
    let label = Label::new(&short, TICK).colour(theme::MUTED).anchor(Anchor::Middle).full(name);
    canvas.text(at(middle, area.top - 6.0), &label);
}

/// The same scatter for the same place in the data: a low-discrepancy sequence (multiples of the golden ratio) in −1..1.
pub(super) fn jitter(index: usize) -> f64 {
    let golden = (index as f64 + 0.5) * 0.618_033_988_749_895;
    (golden - golden.floor()) * 2.0 - 1.0
}
