//! Contributions of features as swarms of points, coloured by the feature's value (the summary plot of Lundberg and Lee 2017,
//! "A unified approach to interpreting model predictions").

use plotters::style::Color as _;

use super::axes;
use super::canvas::{Area, Canvas, Label, at};
use super::key::Key;
use super::rows::{self, FOOT, Head};
use super::scale::Axis;
use super::theme::{self, TICK};
use super::{Drawn, Width, counted, nothing, text};

/// Height of a row.
const ROW: f64 = 19.0;
/// Radius of a point.
const RADIUS: f64 = 1.3;
/// Most points per row.
const MOST_POINTS: usize = 500;
/// Most rows.
const MOST: usize = 40;

/// Rows of swarms around zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beeswarm {
    /// Accessible name.
    pub title: String,
    /// Accessible description.
    pub description: String,
    /// The axis of contributions; it always holds zero.
    pub value: Axis,
    /// Rows from the top.
    pub rows: Vec<SwarmRow>,
    /// How wide.
    pub width: Width,
}

/// A feature of [`Beeswarm`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SwarmRow {
    /// The feature's name.
    pub label: String,
    /// One point per prediction.
    pub points: Vec<SwarmPoint>,
    /// Text at the right, for example the mean absolute contribution.
    pub note: String,
}

/// A point of a swarm.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SwarmPoint {
    /// The contribution.
    pub value: f64,
    /// The feature's value as a share of its range, 0 (lowest) to 1 (highest); None is drawn in grey.
    pub feature: Option<f64>,
}

impl Beeswarm {
    /// Draws the figure.
    ///
    /// # Errors
    /// No row has a point.
    pub fn draw(&self) -> Drawn {
        let rows = &self.rows[..self.rows.len().min(MOST)];
        let axis = Axis { log: false, ..self.value.clone() }.include(0.0);
        let mut canvas = Canvas::new(self.width.points(Width::Page));
        let heads = rows.iter().map(|r| Head { label: &r.label, note: &r.note });
        let area = rows::area(canvas.width(), heads.clone(), 4.0, ROW * rows.len() as f64);
        let values = rows.iter().flat_map(|r| &r.points).map(|p| p.value);
        let Some(scale) = axis.scale(values, axes::ticks_across(area.width()), false) else {
            return Err(nothing("No feature has a defined contribution."));
        };
        if self.rows.len() > MOST {
            canvas.notes.push(format!("The first {MOST} of {} shown.", counted(self.rows.len(), "feature")));
        }
        if rows.iter().any(|r| r.points.len() > MOST_POINTS) {
            canvas.notes.push(format!("At most {MOST_POINTS} points per feature shown, evenly picked."));
        }
        rows::axis(&mut canvas, &area, &scale, &self.value);
        rows::zero_line(&mut canvas, &area, &scale);
        for (i, (row, head)) in rows.iter().zip(heads).enumerate() {
            let y = area.top + (i as f64 + 0.5) * ROW;
            rows::open(&mut canvas, &area, &Key::default(), head, y);
            let every = row.points.len().div_ceil(MOST_POINTS).max(1);
            let points = row.points.iter().filter(|p| p.value.is_finite()).step_by(every);
            let mut placed: Vec<(f64, &SwarmPoint)> =
                points.map(|p| (axes::along_x(&area, &scale, p.value), p)).collect();
            placed.sort_by(|a, b| a.0.total_cmp(&b.0)); // stable: equal places keep the order of the data
            if placed.is_empty() {
                rows::no_value(&mut canvas, axes::along_x(&area, &scale, 0.0), y);
            }
            let offsets = stacked(&placed.iter().map(|p| p.0).collect::<Vec<_>>(), ROW / 2.0 - 1.5);
            for ((x, point), offset) in placed.iter().zip(offsets) {
                let colour =
                    point.feature.filter(|t| t.is_finite()).map_or(theme::AXIS, theme::feature_value);
                canvas.circle(at(*x, y + offset), RADIUS, colour.mix(0.85).filled(), None);
            }
            canvas.close();
        }
        feature_bar(&mut canvas, area.bottom + FOOT + 5.0, area.left);
        canvas.finish(area.bottom + FOOT + 13.0, &self.title, &self.description)
    }
}

/// Vertical offsets that stack points of about the same x (increasing) around the row's middle; a stack too high for the row is
/// pressed together.
fn stacked(xs: &[f64], room: f64) -> Vec<f64> {
    let bin = |x: f64| (x / (RADIUS * 1.8)).floor() as i64;
    let mut out = Vec::with_capacity(xs.len());
    for group in xs.chunk_by(|a, b| bin(*a) == bin(*b)) {
        let levels = (group.len() / 2).max(1) as f64;
        let pitch = (RADIUS * 1.8).min(room / levels);
        for k in 0..group.len() {
            let level = k.div_ceil(2) as f64 * pitch;
            out.push(if k % 2 == 0 { level } else { -level });
        }
    }
    out
}

/// What the colours mean.
fn feature_bar(canvas: &mut Canvas, y: f64, left: f64) {
    let (low, high) = ("Feature value: low", "high");
    let bar = 60.0;
    canvas.text(at(left, y), &Label::new(low, TICK).colour(theme::MUTED));
    let from = left + text::width(low, TICK) + 4.0;
    for step in 0..11 {
        let x = from + bar * f64::from(step) / 11.0;
        let cell = Area { left: x, top: y - 3.0, right: x + bar / 11.0, bottom: y + 3.0 };
        canvas.rect(cell, theme::feature_value(f64::from(step) / 10.0), None);
    }
    canvas.text(at(from + bar + 4.0, y), &Label::new(high, TICK).colour(theme::MUTED));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_are_symmetric_and_stay_in_the_row() {
        assert_eq!(stacked(&[0.0, 0.1, 0.2], 8.0), [0.0, -RADIUS * 1.8, RADIUS * 1.8]);
        assert!(stacked(&[5.0; 1000], 8.0).iter().all(|o| o.abs() <= 8.0));
    }

    #[test]
    fn odd_values_are_drawn_or_said() {
        for value in [0.0, -0.0, 5e-324, 1e308, f64::MIN, 3.0] {
            let points =
                vec![SwarmPoint { value, feature: None }, SwarmPoint { value: f64::NAN, feature: Some(0.0) }];
            Beeswarm { rows: vec![SwarmRow { points, ..SwarmRow::default() }], ..Beeswarm::default() }
                .draw()
                .unwrap();
        }
        assert!(Beeswarm { rows: vec![SwarmRow::default()], ..Beeswarm::default() }.draw().is_err());
    }
}
