//! A labelled matrix as coloured cells.

use super::canvas::{Anchor, Area, Canvas, Label, Stroke, at};
use super::theme::{self, CELL, LABEL, TICK};
use super::{Drawn, Width, counted, finite, nothing, text};

/// Most rows or columns of one map.
const MOST: usize = 120;

/// How values become colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Colouring {
    /// Blue below 0, white at 0, orange above; the ends are −`limit` and `limit`.
    Diverging {
        /// Value of the strongest orange; None takes the largest absolute value.
        limit: Option<f64>,
    },
    /// Pale to deep blue; None takes the smallest or largest value.
    Sequential {
        /// Value of the palest colour.
        low: Option<f64>,
        /// Value of the deepest colour.
        high: Option<f64>,
    },
}

/// A cell of a [`HeatMap`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// The value; undefined cells are marked with a dash.
    pub value: Option<f64>,
    /// A mark behind the number, for example stars of significance.
    pub mark: String,
    /// More for the tooltip, for example n or why there is no value.
    pub detail: String,
}

impl Cell {
    /// A cell with this value alone.
    pub fn of(value: Option<f64>) -> Self {
        Self { value, ..Self::default() }
    }
}

/// A matrix of values by row and column names.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// Accessible name.
    pub title: String,
    /// Accessible description.
    pub description: String,
    /// Name of the value with its unit, at the colour bar.
    pub value: String,
    /// Row names from the top.
    pub rows: Vec<String>,
    /// Column names from the left.
    pub columns: Vec<String>,
    /// Rows of cells; a missing cell is an undefined one.
    pub cells: Vec<Vec<Cell>>,
    /// How values become colours.
    pub colouring: Colouring,
    /// How wide.
    pub width: Width,
}

impl Default for HeatMap {
    fn default() -> Self {
        Self {
            title: String::new(),
            description: String::new(),
            value: String::new(),
            rows: Vec::new(),
            columns: Vec::new(),
            cells: Vec::new(),
            colouring: Colouring::Diverging { limit: Some(1.0) },
            width: Width::Auto,
        }
    }
}

/// The values of the palest and the deepest colour, and which scale.
struct Range {
    low: f64,
    high: f64,
    diverging: bool,
}

impl Range {
    fn colour(&self, value: f64) -> theme::Colour {
        if self.diverging {
            theme::diverging(value / self.high)
        } else {
            theme::sequential((value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0))
        }
    }
}

impl HeatMap {
    /// Draws the figure.
    ///
    /// # Errors
    /// No cell has a value.
    pub fn draw(&self) -> Drawn {
        let Some(range) = self.range() else {
            return Err(nothing("No cell of the matrix has a defined value."));
        };
        let (row_count, column_count) = (self.rows.len().min(MOST), self.columns.len().min(MOST));
        let names = |all: &[String]| all.iter().map(|n| text::width(n, TICK)).fold(0.0, f64::max);
        let auto = if column_count <= 5 && names(&self.columns) < 34.0 { Width::Column } else { Width::Page };
        let mut canvas = Canvas::new(self.width.points(auto));
        let dropped = (self.rows.len() - row_count) + (self.columns.len() - column_count);
        if dropped > 0 {
            canvas
                .notes
                .push(format!("{} beyond the first {MOST} not shown.", counted(dropped, "row or column")));
        }
        let width = canvas.width();
        let left = (names(&self.rows) + 8.0).min(width * 0.3);
        let cell_width = ((width - left - 4.0) / column_count as f64).min(76.0);
        let flat = names(&self.columns) <= cell_width - 3.0;
        let head = if flat { 13.0 } else { names(&self.columns).min(92.0) + 6.0 };
        let cell_height = if column_count == row_count { cell_width.clamp(9.5, 22.0) } else { 16.0 };
        let decimals = self.decimals();
        let shown = |v: f64| decimals.map_or_else(|| text::number(v, 3), |d| text::number_fixed(v, d));
        let defined =
            || self.cells.iter().flatten().filter_map(|c| Some((finite(c.value)?, c.mark.as_str())));
        let widest = |part: &dyn Fn(f64, &str) -> String| {
            defined().map(|(v, mark)| text::width(&part(v, mark), CELL)).fold(0.0, f64::max)
                <= cell_width - 1.5
        };
        let marked = defined().any(|(_, mark)| !mark.is_empty());
        // Number and mark side by side, or the mark under the number, or the mark alone.
        let numbers = cell_height >= 9.5 && widest(&|v, _| shown(v));
        let beside = numbers && widest(&|v, mark| shown(v) + mark);
        let below = numbers && marked && !beside && cell_height >= 16.0;

        // Names that would touch are left out; the cells' tooltips have them.
        let every = if flat { 1 } else { (TICK * 0.9 / cell_width).ceil().max(1.0) as usize };
        for (j, name) in self.columns.iter().take(column_count).enumerate().step_by(every) {
            let x = left + (j as f64 + 0.5) * cell_width;
            if flat {
                canvas.text(at(x, head - 6.0), &Label::new(name, TICK).anchor(Anchor::Middle));
            } else {
                let short = text::shorten(name, head - 5.0, TICK);
                canvas.text(at(x, head - 3.0), &Label::new(&short, TICK).upright().full(name));
            }
        }
        for (i, name) in self.rows.iter().take(row_count).enumerate() {
            let top = head + i as f64 * cell_height;
            let middle = top + cell_height / 2.0;
            let short = text::shorten(name, left - 5.0, TICK);
            canvas.text(at(left - 4.0, middle), &Label::new(&short, TICK).anchor(Anchor::End).full(name));
            for (j, column) in self.columns.iter().take(column_count).enumerate() {
                let cell = self.cells.get(i).and_then(|row| row.get(j));
                let value = cell.and_then(|c| finite(c.value));
                let x = left + j as f64 * cell_width;
                let area = Area {
                    left: x + 0.3,
                    top: top + 0.3,
                    right: x + cell_width - 0.3,
                    bottom: top + cell_height - 0.3,
                };
                let detail = cell.map_or("", |c| c.detail.as_str());
                let mark = cell.map_or("", |c| c.mark.as_str());
                let said = value.map_or_else(|| "no value".to_owned(), |v| text::number(v, 4) + mark);
                let tip =
                    format!("{name} – {column}: {said}{}{detail}", if detail.is_empty() { "" } else { "; " });
                let centre = at(x + cell_width / 2.0, middle);
                let Some(v) = value else {
                    canvas.rect(area, theme::MISSING, Some(&tip));
                    let dash = Label::new("–", CELL).colour(theme::MUTED).anchor(Anchor::Middle);
                    canvas.text(centre, &dash);
                    continue;
                };
                let colour = range.colour(v);
                canvas.rect(area, colour, Some(&tip));
                let label =
                    |text| Label::new(text, CELL).colour(theme::text_on(colour)).anchor(Anchor::Middle);
                let number = shown(v);
                if below && !mark.is_empty() {
                    canvas.text(at(centre.x, middle - 3.0), &label(&number));
                    canvas.text(at(centre.x, middle + 5.0), &label(mark));
                } else if beside {
                    canvas.text(centre, &label(&(number + mark)));
                } else if below || (numbers && !marked) {
                    canvas.text(centre, &label(&number));
                } else if text::width(mark, CELL) <= cell_width {
                    canvas.text(centre, &label(mark));
                }
            }
        }
        let bottom = head + row_count as f64 * cell_height;
        let bottom = colour_bar(&mut canvas, &range, &self.value, left, bottom + 8.0);
        canvas.finish(bottom + 2.0, &self.title, &self.description)
    }

    /// Decimals that all cells share; None where the values span too much for that.
    fn decimals(&self) -> Option<usize> {
        let values = self.cells.iter().flatten().filter_map(|c| finite(c.value));
        match values.fold(0.0_f64, |m, v| m.max(v.abs())) {
            m if m >= 1e5 || (m < 0.01 && m > 0.0) => None,
            m if m >= 100.0 => Some(0),
            m if m >= 10.0 => Some(1),
            _ => Some(2),
        }
    }

    fn range(&self) -> Option<Range> {
        let rows = self.cells.iter().take(self.rows.len());
        let values: Vec<f64> =
            rows.flat_map(|r| r.iter().take(self.columns.len())).filter_map(|c| finite(c.value)).collect();
        let (&first, _) = values.split_first()?;
        let (low, high) = values.iter().fold((first, first), |(l, h), &v| (l.min(v), h.max(v)));
        Some(match self.colouring {
            Colouring::Diverging { limit } => {
                let limit = finite(limit).map_or(low.abs().max(high.abs()), f64::abs);
                let limit = if limit < 1e-290 { 1.0 } else { limit };
                Range { low: -limit, high: limit, diverging: true }
            }
            Colouring::Sequential { low: from, high: to } => {
                let (from, to) = (finite(from).unwrap_or(low), finite(to).unwrap_or(high));
                let apart = to / 2.0 - from / 2.0 > 1e-290;
                let to = if apart { to } else { (from + from.abs().max(1.0)).min(f64::MAX) };
                Range { low: if apart || from < to { from } else { 0.0 }, high: to, diverging: false }
            }
        })
    }
}

/// The colours with their values, under the cells; returns the lower end.
fn colour_bar(canvas: &mut Canvas, range: &Range, name: &str, left: f64, top: f64) -> f64 {
    let (ends, steps) = ([range.low, range.high].map(|v| text::number(v, 3)), 21);
    let room = canvas.width() - left - 4.0;
    let bar = (room * 0.4).clamp(40.0, 120.0);
    let from = left + text::width(&ends[0], TICK) + 4.0;
    let y = top + 4.0;
    canvas.text(at(from - 4.0, y), &Label::new(&ends[0], TICK).colour(theme::MUTED).anchor(Anchor::End));
    for step in 0..steps {
        let t = f64::from(step) / f64::from(steps - 1);
        let colour = if range.diverging { theme::diverging(t * 2.0 - 1.0) } else { theme::sequential(t) };
        let x = from + bar * f64::from(step) / f64::from(steps);
        let right = from + bar * f64::from(step + 1) / f64::from(steps);
        canvas.rect(Area { left: x, top, right, bottom: top + 8.0 }, colour, None);
    }
    let outline = Area { left: from, top, right: from + bar, bottom: top + 8.0 };
    canvas.frame(outline, Stroke::solid(theme::GRID, 0.4));
    canvas.text(at(from + bar + 4.0, y), &Label::new(&ends[1], TICK).colour(theme::MUTED));
    let beside = from + bar + text::width(&ends[1], TICK) + 12.0;
    let fits = text::width(name, LABEL) <= canvas.width() - beside - 2.0;
    let place = if fits { at(beside, y) } else { at(left, y + 12.0) };
    let short = text::shorten(name, canvas.width() - place.x - 2.0, LABEL);
    canvas.text(place, &Label::new(&short, LABEL).full(name));
    if fits { top + 12.0 } else { top + 24.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(values: &[&[Option<f64>]]) -> HeatMap {
        HeatMap {
            rows: (0..values.len()).map(|i| format!("row {i}")).collect(),
            columns: (0..values.first().map_or(0, |r| r.len())).map(|i| format!("column {i}")).collect(),
            cells: values.iter().map(|row| row.iter().map(|v| Cell::of(*v)).collect()).collect(),
            ..HeatMap::default()
        }
    }

    #[test]
    fn undefined_cells_are_marked_and_the_middle_is_neutral() {
        let svg = map(&[&[Some(1.0), Some(0.0)], &[None, Some(-1.0)]]).draw().unwrap().svg;
        assert!(svg.contains("no value"));
        assert!(svg.contains("#B34E00") && svg.contains("#00639C") && svg.contains("#F8F8F8"));
    }

    #[test]
    fn equal_or_huge_values_are_drawn() {
        for values in [[0.0, 0.0], [7.0, 7.0], [f64::MAX, f64::MIN], [5e-324, 0.0], [-5.0, -5.0]] {
            let row: Vec<Option<f64>> = values.iter().map(|v| Some(*v)).collect();
            for colouring in
                [Colouring::Diverging { limit: None }, Colouring::Sequential { low: None, high: None }]
            {
                HeatMap { colouring, ..map(&[&row]) }.draw().unwrap();
            }
        }
        assert!(map(&[&[None, Some(f64::NAN)]]).draw().is_err());
        assert!(HeatMap::default().draw().is_err());
    }
}
