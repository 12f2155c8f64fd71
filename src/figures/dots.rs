//! A leaderboard as dots: mean, interval and raw points of each row.

use plotters::style::Color as _;

use super::axes;
use super::canvas::{Canvas, Stroke, at};
use super::key::Key;
use super::rows::{self, FOOT, Head, MOST};
use super::scale::Axis;
use super::theme::{self, Marker};
use super::{Drawn, Width, counted, finite, nothing, text};

/// Height of a row.
const ROW: f64 = 14.0;

/// Rows of dots. Unlike bars they need no zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dots {
    /// Accessible name.
    pub title: String,
    /// Accessible description: what dots and intervals are.
    pub description: String,
    /// The value axis.
    pub value: Axis,
    /// Rows from the top.
    pub rows: Vec<Dot>,
    /// A line across all rows, and its name.
    pub reference: Option<(f64, String)>,
    /// How wide.
    pub width: Width,
}

/// A row of [`Dots`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dot {
    /// Name and colour.
    pub key: Key,
    /// The summary, a diamond; an undefined one is marked with a dash.
    pub mean: Option<f64>,
    /// Lower end of the interval.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
    /// Raw values, drawn if there are 30 at most.
    pub points: Vec<f64>,
    /// Text at the right, for example `n = 5`.
    pub note: String,
}

impl Dots {
    /// Draws the figure.
    ///
    /// # Errors
    /// No row has a value that the axis can show.
    pub fn draw(&self) -> Drawn {
        let rows = &self.rows[..self.rows.len().min(MOST)];
        let shown = |value: Option<f64>| value.filter(|v| self.value.shows(*v));
        let raw =
            |dot: &Dot| if dot.points.len() <= theme::RAW_POINTS { dot.points.clone() } else { Vec::new() };
        let values =
            rows.iter().flat_map(|d| [d.mean, d.low, d.high].into_iter().filter_map(finite).chain(raw(d)));
        let mut canvas =
            Canvas::new(self.width.points(if rows.len() > 12 { Width::Page } else { Width::Column }));
        let reference = self.reference.as_ref().filter(|(value, _)| self.value.shows(*value));
        let top = if reference.is_some() { 14.0 } else { 4.0 };
        let heads = rows.iter().map(|d| Head { label: &d.key.label, note: &d.note });
        let area = rows::area(canvas.width(), heads.clone(), top, ROW * rows.len() as f64);
        let values = values.chain(reference.map(|r| r.0));
        let scale = self.value.scale(values, axes::ticks_across(area.width()), false);
        let Some(scale) = scale.filter(|_| rows.iter().any(|d| shown(d.mean).is_some())) else {
            return Err(nothing("No row has a defined mean."));
        };
        if self.rows.len() > MOST {
            canvas.notes.push(format!("The first {MOST} of {} shown.", counted(self.rows.len(), "row")));
        }
        rows::axis(&mut canvas, &area, &scale, &self.value);
        for (i, (dot, head)) in rows.iter().zip(heads).enumerate() {
            let y = top + (i as f64 + 0.5) * ROW;
            let colour = theme::colour(dot.key.colour);
            rows::open(&mut canvas, &area, &dot.key, head, y);
            canvas.line(at(area.left, y), at(area.right, y), Stroke::solid(theme::GRID, 0.4));
            for (k, point) in raw(dot).into_iter().enumerate().filter(|(_, v)| self.value.shows(*v)) {
                let place = at(axes::along_x(&area, &scale, point), y + rows::jitter(k) * 4.2);
                canvas.circle(place, 1.5, colour.mix(0.5).filled(), Some(&text::number(point, 4)));
            }
            if let (Some(_), Some(low), Some(high)) = (shown(dot.mean), shown(dot.low), shown(dot.high)) {
                let (from, to) = (axes::along_x(&area, &scale, low), axes::along_x(&area, &scale, high));
                canvas.line(at(from, y), at(to, y), Stroke::solid(theme::INK, 1.0));
            }
            match shown(dot.mean) {
                Some(mean) => {
                    let place = at(axes::along_x(&area, &scale, mean), y);
                    // Ink around the colour: pale colours stand out from their own points.
                    canvas.marker(Marker::Diamond, place, 3.2, theme::INK, None);
                    canvas.marker(Marker::Diamond, place, 2.5, colour, Some(&tip(dot, mean)));
                }
                None => rows::no_value(&mut canvas, area.left, y),
            }
            canvas.close();
        }
        if let Some((value, name)) = reference {
            rows::reference_line(&mut canvas, &area, &scale, *value, name);
        }
        canvas.finish(area.bottom + FOOT, &self.title, &self.description)
    }
}

fn tip(dot: &Dot, mean: f64) -> String {
    let interval = match (finite(dot.low), finite(dot.high)) {
        (Some(low), Some(high)) => format!(" [{}, {}]", text::number(low, 4), text::number(high, 4)),
        _ => String::new(),
    };
    let note = if dot.note.is_empty() { String::new() } else { format!("; {}", dot.note) };
    format!("{}: {}{interval}{note}", dot.key.label, text::number(mean, 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_values_are_drawn_or_said() {
        for value in [0.0, -0.0, 5e-324, 1e308, f64::MIN, 3.0] {
            let row = Dot { mean: Some(value), points: vec![value, f64::NAN], ..Dot::default() };
            let figure = Dots { rows: vec![row], ..Dots::default() }.draw().unwrap();
            assert_eq!(figure.svg.matches("<circle").count(), 1);
        }
        assert!(Dots::default().draw().is_err());
        let points_only = Dot { points: vec![1.0], ..Dot::default() };
        assert!(Dots { rows: vec![points_only], ..Dots::default() }.draw().is_err());
    }
}
