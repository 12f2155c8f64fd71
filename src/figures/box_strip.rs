//! Distributions as boxes with whiskers, and points where there are few.

use plotters::style::Color as _;

use super::axes;
use super::canvas::{Area, Canvas, Stroke, at};
use super::key::Key;
use super::rows::{self, FOOT, Head, MOST};
use super::scale::{Axis, Scale};
use super::theme;
use super::{Drawn, Width, counted, nothing, text};

/// Height of a row.
const ROW: f64 = 16.0;
/// Most points of a row; beyond, the box alone.
const MOST_POINTS: usize = 400;

/// Rows of boxes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoxStrip {
    /// Accessible name.
    pub title: String,
    /// Accessible description: what box and whiskers are.
    pub description: String,
    /// The value axis.
    pub value: Axis,
    /// Rows from the top.
    pub rows: Vec<BoxRow>,
    /// How wide.
    pub width: Width,
}

/// A row of [`BoxStrip`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoxRow {
    /// Name and colour.
    pub key: Key,
    /// The summary; None draws the points alone.
    pub summary: Option<FiveNumbers>,
    /// All values where there are 30 at most, else those outside the whiskers.
    pub points: Vec<f64>,
    /// Text at the right, for example `n = 5`.
    pub note: String,
}

/// A distribution's summary in increasing order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FiveNumbers {
    /// Lower whisker.
    pub low: f64,
    /// Lower quartile.
    pub lower: f64,
    /// Median.
    pub median: f64,
    /// Upper quartile.
    pub upper: f64,
    /// Upper whisker.
    pub high: f64,
}

impl FiveNumbers {
    fn all(&self) -> [f64; 5] {
        [self.low, self.lower, self.median, self.upper, self.high]
    }
}

impl BoxStrip {
    /// Draws the figure.
    ///
    /// # Errors
    /// No row has a summary or point that the axis can show.
    pub fn draw(&self) -> Drawn {
        let rows = &self.rows[..self.rows.len().min(MOST)];
        let summary = |row: &BoxRow| row.summary.filter(|s| s.all().iter().all(|v| self.value.shows(*v)));
        let points = |row: &BoxRow| {
            let shown = row.points.iter().copied().filter(|v| self.value.shows(*v));
            shown.take(MOST_POINTS).collect::<Vec<f64>>()
        };
        let mut canvas =
            Canvas::new(self.width.points(if rows.len() > 12 { Width::Page } else { Width::Column }));
        let heads = rows.iter().map(|r| Head { label: &r.key.label, note: &r.note });
        let area = rows::area(canvas.width(), heads.clone(), 4.0, ROW * rows.len() as f64);
        let values =
            rows.iter().flat_map(|r| summary(r).map(|s| s.all()).into_iter().flatten().chain(points(r)));
        let Some(scale) = self.value.scale(values, axes::ticks_across(area.width()), false) else {
            return Err(nothing("No group has a defined value."));
        };
        if self.rows.len() > MOST {
            canvas.notes.push(format!("The first {MOST} of {} shown.", counted(self.rows.len(), "row")));
        }
        rows::axis(&mut canvas, &area, &scale, &self.value);
        for (i, (row, head)) in rows.iter().zip(heads).enumerate() {
            let y = area.top + (i as f64 + 0.5) * ROW;
            rows::open(&mut canvas, &area, &row.key, head, y);
            let drawn = points(row);
            if let Some(numbers) = summary(row) {
                draw_box(&mut canvas, &area, &scale, row, &numbers, y);
            } else if drawn.is_empty() {
                rows::no_value(&mut canvas, area.left, y);
            }
            for (k, point) in drawn.into_iter().enumerate() {
                let place = at(axes::along_x(&area, &scale, point), y + rows::jitter(k) * 3.6);
                canvas.circle(place, 1.2, theme::INK.mix(0.6).filled(), Some(&text::number(point, 4)));
            }
            canvas.close();
        }
        canvas.finish(area.bottom + FOOT, &self.title, &self.description)
    }
}

fn draw_box(canvas: &mut Canvas, area: &Area, scale: &Scale, row: &BoxRow, numbers: &FiveNumbers, y: f64) {
    let [low, lower, median, upper, high] = numbers.all().map(|v| axes::along_x(area, scale, v));
    let said = numbers.all().map(|v| text::number(v, 4)).join(", ");
    let tip = format!("{}: whisker, quartile, median, quartile, whisker {said}", row.key.label);
    let stroke = Stroke::solid(theme::INK, 0.7);
    canvas.line(at(low, y), at(lower, y), stroke);
    canvas.line(at(upper, y), at(high, y), stroke);
    let corners = [at(lower, y - 5.0), at(upper, y - 5.0), at(upper, y + 5.0), at(lower, y + 5.0)];
    canvas.polygon(&corners, theme::colour(row.key.colour), 0.45, Some(&tip));
    canvas.frame(Area { left: lower, top: y - 5.0, right: upper, bottom: y + 5.0 }, stroke);
    canvas.line(at(median, y - 5.0), at(median, y + 5.0), Stroke::solid(theme::INK, 1.4));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_values_are_drawn_or_said() {
        for value in [0.0, -0.0, 5e-324, 1e308, f64::MIN, 3.0] {
            let all = FiveNumbers { low: value, lower: value, median: value, upper: value, high: value };
            let row = BoxRow { summary: Some(all), points: vec![value; 3], ..BoxRow::default() };
            BoxStrip { rows: vec![row, BoxRow::default()], ..BoxStrip::default() }.draw().unwrap();
        }
        assert!(BoxStrip { rows: vec![BoxRow::default()], ..BoxStrip::default() }.draw().is_err());
    }
}
