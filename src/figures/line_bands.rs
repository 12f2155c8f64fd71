//! Lines with bands over rounds: one panel, or small multiples.

use super::axes::{self, Plot, TICK_ROOM, TITLE_ROOM};
use super::canvas::{Area, Canvas, Label, at};
use super::key::Key;
use super::legend::{self, Sample};
use super::line_panel;
use super::scale::{Axis, Scale};
use super::theme::{self, LABEL};
use super::{Drawn, Width, counted, nothing, text};

/// Most series in one panel; more become small multiples.
const MOST_IN_PANEL: usize = 16;
/// Series per column where several panels have too many series each.
const PER_COLUMN: usize = 10;
/// Most small multiples of one figure.
const MOST_MULTIPLES: usize = 60;

/// Lines with bands. Up to 16 series share a panel, told apart by labels at the line ends or a legend. One panel of more
/// series becomes a small panel for each, the others grey behind it; several panels of more series are split into columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineBands {
    /// Accessible name.
    pub title: String,
    /// Accessible description: what the lines and bands are.
    pub description: String,
    /// The x axis of all panels, for example the round.
    pub x: Axis,
    /// The panels in reading order.
    pub panels: Vec<LinePanel>,
    /// Whether all panels have the same y range.
    pub shared_y: bool,
    /// How wide.
    pub width: Width,
}

/// One panel of [`LineBands`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinePanel {
    /// Shown above the panel; empty for a single one.
    pub title: String,
    /// The y axis.
    pub y: Axis,
    /// The lines, the first on top.
    pub series: Vec<LineSeries>,
}

/// A line with its band.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineSeries {
    /// Name and colour.
    pub key: Key,
    /// In the order of x.
    pub points: Vec<LinePoint>,
}

/// A point of a line. Where `mean` is undefined, the line has a gap.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinePoint {
    /// Place on the x axis.
    pub x: f64,
    /// Height of the line.
    pub mean: Option<f64>,
    /// Lower edge of the band.
    pub low: Option<f64>,
    /// Upper edge of the band.
    pub high: Option<f64>,
    /// How many runs the mean is of, for the tooltip; 0 says nothing.
    pub n: usize,
}

/// One small plot: a panel, which of its series stand out, and whether the others are grey behind them.
struct Cell<'a> {
    panel: &'a LinePanel,
    shown: Vec<&'a LineSeries>,
    context: bool,
    title: String,
}

/// Where cells stand and what surrounds them.
struct Layout {
    columns: usize,
    height: f64,
    auto: Width,
}

impl LineBands {
    /// Draws the figure.
    ///
    /// # Errors
    /// No point has a value that the axes can show.
    pub fn draw(&self) -> Drawn {
        let mut showable = self.clone();
        let mut hidden = 0;
        for panel in &mut showable.panels {
            for point in panel.series.iter_mut().flat_map(|series| &mut series.points) {
                let shows = |value: f64| self.x.shows(point.x) && panel.y.shows(value);
                let before = point.mean;
                point.mean = point.mean.filter(|v| shows(*v));
                point.low = point.low.filter(|v| shows(*v));
                point.high = point.high.filter(|v| shows(*v));
                hidden += usize::from(before.is_some() && point.mean.is_none());
            }
        }
        let notes = if hidden > 0 {
            vec![format!("{} not shown: the axes can't show them.", counted(hidden, "value"))]
        } else {
            Vec::new()
        };
        showable.draw_showable(notes)
    }

    /// Draws values that are all finite and on their axes.
    fn draw_showable(&self, mut notes: Vec<String>) -> Drawn {
        let keys = self.keys();
        let panels: Vec<&LinePanel> =
            self.panels.iter().filter(|p| Self::values(p).next().is_some()).collect();
        if panels.is_empty() {
            return Err(nothing("No round has a defined value, so there is no line to draw."));
        }
        let crowded = keys.len() > MOST_IN_PANEL;
        let skipped = self.panels.len() - panels.len();
        if skipped > 0 {
            notes.push(format!("{} without any defined value not shown.", counted(skipped, "panel")));
        }
        let mut cells = Vec::new();
        let layout = match (&panels[..], crowded) {
            ([panel], false) => {
                cells.push(Cell {
                    panel,
                    shown: panel.series.iter().collect(),
                    context: false,
                    title: panel.title.clone(),
                });
                Layout { columns: 1, height: 170.0, auto: Width::Page }
            }
            ([panel], true) => {
                for series in panel.series.iter().take(MOST_MULTIPLES) {
                    cells.push(Cell {
                        panel,
                        shown: vec![series],
                        context: true,
                        title: series.key.label.clone(),
                    });
                }
                if panel.series.len() > MOST_MULTIPLES {
                    let rest = panel.series.len() - MOST_MULTIPLES;
                    notes.push(format!("{} more in grey only.", counted(rest, "series")));
                }
                Layout { columns: 5, height: 62.0, auto: Width::Page }
            }
            (panels, false) => {
                for panel in panels {
                    let shown = panel.series.iter().collect();
                    cells.push(Cell { panel, shown, context: false, title: panel.title.clone() });
                }
                let columns = if panels.len() == 2 || panels.len() == 4 { 2 } else { 3 };
                Layout { columns, height: if columns == 2 { 110.0 } else { 84.0 }, auto: Width::Page }
            }
            (panels, true) => {
                let columns = keys.len().div_ceil(PER_COLUMN);
                for panel in panels {
                    for chunk in keys.chunks(PER_COLUMN) {
                        let shown = panel
                            .series
                            .iter()
                            .filter(|s| chunk.iter().any(|key| key.is_same(&s.key)))
                            .collect();
                        cells.push(Cell { panel, shown, context: false, title: panel.title.clone() });
                    }
                }
                Layout { columns, height: 70.0, auto: Width::Page }
            }
        };
        self.lay_out(&cells, &keys, &layout, notes)
    }

    fn lay_out(&self, cells: &[Cell<'_>], keys: &[&Key], layout: &Layout, notes: Vec<String>) -> Drawn {
        let mut canvas = Canvas::new(self.width.points(layout.auto));
        canvas.notes = notes;
        let columns = if self.width == Width::Column { layout.columns.min(2) } else { layout.columns }.max(1);
        let split = columns == layout.columns
            && keys.len() > MOST_IN_PANEL
            && cells.first().is_some_and(|c| !c.context);
        let width = canvas.width();
        let crowded = || nothing("No round has a defined value, so there is no line to draw.");

        let common_y = cells.iter().all(|c| c.panel.y.label() == cells[0].panel.y.label());
        let shared = self.shared_y || cells.iter().all(|c| std::ptr::eq(c.panel, cells[0].panel));
        let wanted = axes::ticks_up(layout.height);
        let all_y: Option<Scale> = shared
            .then(|| cells[0].panel.y.scale(self.panels.iter().flat_map(Self::values), wanted, false))
            .flatten();
        let mut scales = Vec::new();
        for cell in cells {
            let own = || cell.panel.y.scale(Self::values(cell.panel), wanted, false);
            scales.push(all_y.clone().or_else(own).ok_or_else(crowded)?);
        }

        let y_room = scales.iter().map(axes::y_label_room).fold(0.0, f64::max);
        let title_room = if common_y { TITLE_ROOM } else { 0.0 };
        let direct = cells.len() == 1
            && keys.len() > 1
            && keys.len() as f64 * legend::END_PITCH <= layout.height + 16.0;
        let names =
            keys.iter().map(|k| text::width(&k.label, theme::TICK)).fold(0.0, f64::max).min(width * 0.28);
        let right = if direct { names + 20.0 } else { 6.0 };
        let left = title_room + if shared { y_room } else { 0.0 };
        let gap = if shared { 12.0 } else { 12.0 + y_room };
        let first_gap = if shared { 0.0 } else { y_room };
        let cell_width =
            ((width - left - right - first_gap - gap * (columns - 1) as f64) / columns as f64).max(20.0);
        let left_of = |column: usize| left + first_gap + column as f64 * (cell_width + gap);
        let xs =
            self.panels.iter().flat_map(|p| &p.series).flat_map(|s| &s.points).filter(|p| p.mean.is_some());
        let x = self.x.scale(xs.map(|p| p.x), axes::ticks_across(cell_width), true).ok_or_else(crowded)?;

        let mut top = 4.0;
        if split {
            let heights: Vec<f64> = keys
                .chunks(PER_COLUMN)
                .enumerate()
                .map(|(i, chunk)| {
                    legend::rows(&mut canvas, chunk, Sample::Line, left_of(i), left_of(i) + cell_width, top)
                })
                .collect();
            top += heights.into_iter().fold(0.0, f64::max) + 2.0;
        } else if !direct && keys.len() > 1 && !cells[0].context {
            top += legend::rows(&mut canvas, keys, Sample::Line, left + first_gap, width - 4.0, top) + 2.0;
        }
        let titled = cells.iter().any(|c| !c.title.is_empty());
        let head = if titled { 13.0 } else { 2.0 };
        let pitch = head + layout.height + 10.0;
        let mut bottom = top;
        let mut context = None;
        for (i, cell) in cells.iter().enumerate() {
            let (row, column) = (i / columns, i % columns);
            let (cell_left, cell_top) = (left_of(column), top + row as f64 * pitch + head);
            let area = Area {
                left: cell_left,
                top: cell_top,
                right: cell_left + cell_width,
                bottom: cell_top + layout.height,
            };
            let plot = Plot { area, x: x.clone(), y: scales[i].clone() };
            let lowest = i + columns >= cells.len();
            axes::value_axis_left(&mut canvas, &area, &plot.y, !shared || column == 0);
            axes::axis_bottom(&mut canvas, &area, &plot.x, false, lowest);
            Self::cell_title(&mut canvas, cell, &area, common_y);
            if cell.context {
                let identity = context.get_or_insert_with(|| {
                    let own = Area { left: 0.0, top: 0.0, right: area.width(), bottom: area.height() };
                    let plot = Plot { area: own, ..plot.clone() };
                    canvas.define(|canvas| line_panel::context(canvas, &plot, &cell.panel.series))
                });
                canvas.reuse(identity, at(area.left, area.top));
            }
            let marked = keys.len() > 1 && !cell.context;
            for series in cell.shown.iter().rev() {
                line_panel::series(&mut canvas, &plot, series, marked);
            }
            if lowest && column == (columns - 1) / 2 || cells.len() <= column + 1 && column == 0 {
                let span = Area { left: left_of(0), right: left_of(columns - 1) + cell_width, ..area };
                axes::title_bottom(&mut canvas, &span, &self.x);
            }
            bottom = bottom.max(area.bottom);
        }
        if common_y {
            let span = Area { left, top: top + head, right: width, bottom };
            axes::title_left(&mut canvas, &span, TITLE_ROOM / 2.0, &cells[0].panel.y);
        }
        if direct {
            let area = Area { left: left_of(0), top: top + head, right: left_of(0) + cell_width, bottom };
            let plot = Plot { area, x, y: scales[0].clone() };
            line_panel::end_labels(&mut canvas, &plot, &cells[0].shown);
        }
        canvas.finish(bottom + TICK_ROOM + TITLE_ROOM + 3.0, &self.title, &self.description)
    }

    fn cell_title(canvas: &mut Canvas, cell: &Cell<'_>, area: &Area, common_y: bool) {
        let unit = &cell.panel.y.unit;
        let full =
            if common_y || unit.is_empty() { cell.title.clone() } else { format!("{} ({unit})", cell.title) };
        let shown = text::shorten(&full, area.width(), LABEL);
        let mut label = Label::new(&shown, LABEL).full(&full);
        if cell.context {
            label.size = theme::TICK;
        }
        canvas.text(at(area.left, area.top - 7.0), &label);
    }

    /// The distinct keys in the order of their first appearance.
    fn keys(&self) -> Vec<&Key> {
        let mut keys: Vec<&Key> = Vec::new();
        for series in self.panels.iter().flat_map(|panel| &panel.series) {
            if !keys.iter().any(|key| key.is_same(&series.key)) {
                keys.push(&series.key);
            }
        }
        keys
    }

    /// Everything of a panel that its y axis must show.
    fn values(panel: &LinePanel) -> impl Iterator<Item = f64> + '_ {
        let points = panel.series.iter().flat_map(|series| &series.points);
        let points = points.filter(|p| p.mean.is_some());
        points.flat_map(|p| [p.mean, p.low, p.high]).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(colour: usize, points: &[(f64, Option<f64>)]) -> LineSeries {
        let points =
            points.iter().map(|&(x, mean)| LinePoint { x, mean, low: mean, high: mean, n: 1 }).collect();
        LineSeries { key: Key::of_model(format!("model {colour}"), colour), points }
    }

    fn chart(series: Vec<LineSeries>) -> LineBands {
        let panels = vec![LinePanel { title: String::new(), y: Axis::new("Score"), series }];
        LineBands { title: "t".into(), x: Axis::new("Round").whole(), panels, ..LineBands::default() }
    }

    #[test]
    fn a_gap_splits_the_line_and_a_single_point_is_a_marker() {
        let figure =
            chart(vec![series(0, &[(0.0, Some(1.0)), (1.0, Some(2.0)), (2.0, None), (3.0, Some(1.0))])])
                .draw()
                .unwrap();
        assert_eq!(
            figure.svg.matches("<polyline").count()
                - figure.svg.matches("#E4E4E4").count()
                - figure.svg.matches("#8A8A8A").count(),
            2,
            "one line and the single point's band"
        );
        assert_eq!(figure.svg.matches("<circle").count(), 3);
    }

    #[test]
    fn undefined_values_are_no_figure() {
        assert!(chart(vec![series(0, &[(0.0, None)])]).draw().is_err());
        assert!(chart(vec![]).draw().is_err());
        assert!(LineBands::default().draw().is_err());
    }

    #[test]
    fn seventeen_series_become_small_multiples() {
        let many = (0..17).map(|i| series(i, &[(0.0, Some(i as f64)), (1.0, Some(2.0))])).collect();
        let figure = chart(many).draw().unwrap();
        assert_eq!(figure.svg.matches("stroke-width=\"12\"").count(), 17);
        assert!(figure.svg.contains("#C9C9C9"));
    }
}
