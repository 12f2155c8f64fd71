//! Horizontal bars from zero, with intervals and raw points; grouped or stacked.

use plotters::style::Color as _;

use super::axes;
use super::canvas::{Anchor, Area, Canvas, Label, Stroke, at};
use super::key::Key;
use super::legend::{self, Sample};
use super::rows::{self, Head, MOST};
use super::scale::{Axis, Scale};
use super::theme::{self, CELL};
use super::{Drawn, Width, counted, finite, nothing, text};

/// Opacity of a bar that has an interval or points over it.
const PALE: f64 = 0.55;

/// Horizontal bars. The value axis always holds zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// Accessible name.
    pub title: String,
    /// Accessible description: what bars and intervals are.
    pub description: String,
    /// The value axis.
    pub value: Axis,
    /// Rows from the top.
    pub rows: Vec<Bar>,
    /// Whether the parts of a row stand end to end instead of under each other. Negative parts can't be stacked.
    pub stacked: bool,
    /// A line across all rows, for example the score of a baseline, and its name.
    pub reference: Option<(f64, String)>,
    /// How wide.
    pub width: Width,
}

/// A row of [`Bars`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// Name at the left.
    pub label: String,
    /// One part for a plain bar, several for grouped or stacked bars.
    pub parts: Vec<BarPart>,
    /// Text at the right, for example stars of significance or n.
    pub note: String,
}

impl Bar {
    /// A plain bar with one value.
    pub fn of(key: Key, value: Option<f64>) -> Self {
        let label = key.label.clone();
        Self { label, parts: vec![BarPart { key, value, ..BarPart::default() }], note: String::new() }
    }
}

/// A bar, or a part of a stacked one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarPart {
    /// Name in the legend, and colour.
    pub key: Key,
    /// Its length; an undefined value is marked with a dash.
    pub value: Option<f64>,
    /// Lower end of the interval.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
    /// Raw values, drawn if there are 30 at most.
    pub points: Vec<f64>,
    /// More for the tooltip.
    pub detail: String,
}

impl BarPart {
    fn tip(&self, row: &str) -> String {
        let name = if self.key.label == row { row.to_owned() } else { format!("{row}, {}", self.key.label) };
        let value = finite(self.value).map_or_else(|| "no value".to_owned(), |v| text::number(v, 4));
        let interval = match (finite(self.low), finite(self.high)) {
            (Some(low), Some(high)) => format!(" [{}, {}]", text::number(low, 4), text::number(high, 4)),
            _ => String::new(),
        };
        let detail = if self.detail.is_empty() { String::new() } else { format!("; {}", self.detail) };
        format!("{name}: {value}{interval}{detail}")
    }

    fn has_more(&self) -> bool {
        self.low.is_some() || !self.points.is_empty()
    }
}

impl Bars {
    /// Draws the figure.
    ///
    /// # Errors
    /// No bar has a value.
    pub fn draw(&self) -> Drawn {
        let rows = &self.rows[..self.rows.len().min(MOST)];
        if !rows.iter().flat_map(|r| &r.parts).any(|p| finite(p.value).is_some()) {
            return Err(nothing("No bar has a defined value."));
        }
        let keys = legend_keys(rows);
        let mut canvas =
            Canvas::new(self.width.points(if keys.len() > 3 { Width::Page } else { Width::Column }));
        if self.rows.len() > MOST {
            canvas.notes.push(format!("The first {MOST} of {} shown.", counted(self.rows.len(), "row")));
        }
        let width = canvas.width();
        let mut top = 4.0;
        if !keys.is_empty() {
            top += legend::rows(&mut canvas, &keys, Sample::Patch, 4.0, width - 4.0, top) + 2.0;
        }
        let reference = self.reference.as_ref().filter(|(value, _)| value.is_finite());
        if reference.is_some() {
            top += 10.0;
        }
        let heights: Vec<f64> = rows.iter().map(|row| self.row_height(row)).collect();
        let heads = rows.iter().map(|row| Head { label: &row.label, note: &row.note });
        let area = rows::area(width, heads.clone(), top, heights.iter().sum());
        let axis = Axis { log: false, ..self.value.clone() }.include(0.0);
        let values = self.extents(rows).into_iter().chain(reference.map(|r| r.0));
        let Some(scale) = axis.scale(values, axes::ticks_across(area.width()), false) else {
            return Err(nothing("No bar has a defined value."));
        };
        rows::axis(&mut canvas, &area, &scale, &self.value);
        let mut y = top;
        for ((row, head), height) in rows.iter().zip(heads).zip(&heights) {
            self.draw_row(&mut canvas, &area, &scale, row, head, y + height / 2.0);
            y += height;
        }
        rows::zero_line(&mut canvas, &area, &scale);
        if let Some((value, name)) = reference {
            rows::reference_line(&mut canvas, &area, &scale, *value, name);
        }
        let skipped = if self.stacked {
            rows.iter().flat_map(|r| &r.parts).filter(|p| p.value.is_some_and(|v| v < 0.0)).count()
        } else {
            0
        };
        if skipped > 0 {
            canvas
                .notes
                .push(format!("{} can't be stacked and not shown.", counted(skipped, "negative part")));
        }
        canvas.finish(area.bottom + rows::FOOT, &self.title, &self.description)
    }

    fn row_height(&self, row: &Bar) -> f64 {
        let n = if self.stacked { 1 } else { row.parts.len().max(1) };
        if n == 1 { 14.0 } else { n as f64 * 8.0 + 5.0 }
    }

    /// Every value that the axis must show.
    fn extents(&self, rows: &[Bar]) -> Vec<f64> {
        let mut all = Vec::new();
        for row in rows {
            if self.stacked {
                let parts = row.parts.iter().filter_map(|p| finite(p.value)).filter(|v| *v >= 0.0);
                all.push(parts.sum::<f64>().min(f64::MAX));
                continue;
            }
            for part in &row.parts {
                all.extend([part.value, part.low, part.high].into_iter().filter_map(finite));
                if part.points.len() <= theme::RAW_POINTS {
                    all.extend(part.points.iter().copied().filter(|v| v.is_finite()));
                }
            }
        }
        all
    }

    fn draw_row(
        &self,
        canvas: &mut Canvas,
        area: &Area,
        scale: &Scale,
        row: &Bar,
        head: Head<'_>,
        middle: f64,
    ) {
        // A row is one model's if all its parts are.
        let owner = row.parts.first().map(|p| &p.key);
        let owner =
            owner.filter(|o| row.parts.iter().all(|p| p.key.model == o.model && p.key.task == o.task));
        rows::open(canvas, area, owner.unwrap_or(&Key::default()), head, middle);
        if self.stacked {
            stack(canvas, area, scale, row, middle);
        } else {
            let n = row.parts.len().max(1);
            let (pitch, half) = if n == 1 { (9.0, 4.5) } else { (8.0, 3.5) };
            let first = middle - (n - 1) as f64 * pitch / 2.0;
            for (i, part) in row.parts.iter().enumerate() {
                single(canvas, area, scale, row, part, (first + i as f64 * pitch, half));
            }
        }
        canvas.close();
    }
}

/// The distinct keys, if they say more than the rows' names.
fn legend_keys(rows: &[Bar]) -> Vec<&Key> {
    let mut keys: Vec<&Key> = Vec::new();
    for part in rows.iter().flat_map(|r| &r.parts) {
        if !keys.iter().any(|k| k.label == part.key.label && k.colour == part.key.colour) {
            keys.push(&part.key);
        }
    }
    let named = rows.iter().all(|row| row.parts.iter().all(|part| part.key.label == row.label));
    if named { Vec::new() } else { keys }
}

/// One bar at (middle, half height).
fn single(canvas: &mut Canvas, area: &Area, scale: &Scale, row: &Bar, part: &BarPart, (y, half): (f64, f64)) {
    let colour = theme::colour(part.key.colour);
    let zero = axes::along_x(area, scale, 0.0);
    let Some(value) = finite(part.value) else {
        rows::no_value(canvas, zero, y);
        return;
    };
    let end = axes::along_x(area, scale, value);
    let bar = [at(zero, y - half), at(end, y - half), at(end, y + half), at(zero, y + half)];
    let opacity = if part.has_more() { PALE } else { 0.9 };
    canvas.polygon(&bar, colour, opacity, Some(&part.tip(&row.label)));
    if let (Some(low), Some(high)) = (finite(part.low), finite(part.high)) {
        rows::interval(canvas, axes::along_x(area, scale, low), axes::along_x(area, scale, high), y);
    }
    if part.points.len() <= theme::RAW_POINTS {
        for (i, point) in part.points.iter().enumerate().filter(|(_, v)| v.is_finite()) {
            let place = at(axes::along_x(area, scale, *point), y + rows::jitter(i) * half * 0.7);
            canvas.circle(place, 1.1, theme::INK.mix(0.6).filled(), Some(&text::number(*point, 4)));
        }
    }
}

fn stack(canvas: &mut Canvas, area: &Area, scale: &Scale, row: &Bar, y: f64) {
    let mut sum = 0.0_f64;
    let mut any = false;
    for part in &row.parts {
        let Some(value) = finite(part.value).filter(|v| *v >= 0.0) else { continue };
        any = true;
        let from = axes::along_x(area, scale, sum);
        sum = (sum + value).min(f64::MAX);
        let to = axes::along_x(area, scale, sum);
        let colour = theme::colour(part.key.colour);
        let segment = Area { left: from, top: y - 5.0, right: to, bottom: y + 5.0 };
        canvas.rect(segment, colour, Some(&part.tip(&row.label)));
        if to - from > 1.0 {
            // A hair of paper between segments: neighbours are told apart without colour.
            canvas.line(at(to, y - 5.0), at(to, y + 5.0), Stroke::solid(theme::PAPER, 0.6));
        }
        let said = text::number(value, 3);
        if text::width(&said, CELL) + 3.0 < to - from {
            let label =
                Label::new(&said, CELL).colour(theme::text_on_category(colour)).anchor(Anchor::Middle);
            canvas.text(at(f64::midpoint(from, to), y), &label);
        }
    }
    if !any {
        rows::no_value(canvas, axes::along_x(area, scale, 0.0), y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(value: Option<f64>) -> Bar {
        Bar::of(Key::of_model("m", 0), value)
    }

    #[test]
    fn bars_begin_at_zero_also_when_negative() {
        let rows = vec![bar(Some(5.0)), bar(Some(-2.0)), bar(None)];
        let figure = Bars { rows, value: Axis::new("r"), ..Bars::default() }.draw().unwrap();
        assert_eq!(figure.svg.matches("<polygon").count(), 2);
        assert!(figure.svg.contains("no value"));
    }

    #[test]
    fn odd_values_are_drawn_or_said() {
        for value in [0.0, -0.0, 5e-324, 1e308, f64::MAX, f64::MIN, 3.0] {
            for stacked in [false, true] {
                let rows = vec![bar(Some(value)), bar(Some(value))];
                Bars { rows, stacked, ..Bars::default() }.draw().unwrap();
            }
        }
        assert!(Bars::default().draw().is_err());
        assert!(Bars { rows: vec![bar(None), bar(Some(f64::NAN))], ..Bars::default() }.draw().is_err());
    }

    #[test]
    fn many_raw_points_are_not_drawn() {
        let mut row = bar(Some(1.0));
        row.parts[0].points = vec![1.0; 31];
        let draw = |row: &Bar| Bars { rows: vec![row.clone()], ..Bars::default() }.draw().unwrap().svg;
        assert!(!draw(&row).contains("<circle"));
        row.parts[0].points.pop();
        assert_eq!(draw(&row).matches("<circle").count(), 30);
    }
}
