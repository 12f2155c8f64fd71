//! Points by group, with a fitted line and its band, a Pareto front, or lines of equal ratio.

use super::axes::{self, Plot, TICK_ROOM, TITLE_ROOM};
use super::canvas::{Anchor, Area, At, Canvas, Label, Stroke, at};
use super::key::Key;
use super::legend::{self, Sample};
use super::scale::Axis;
use super::theme::{self, CELL, TICK};
use super::{Drawn, Width, counted, finite, nothing, text};

/// Most points of one figure; the page stays usable.
const MOST: usize = 5000;

/// Most points that can have names.
const MOST_LABELS: usize = 150;
/// Longest name beside a point.
const LONGEST: f64 = 110.0;

/// A scatter plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scatter {
    /// Accessible name.
    pub title: String,
    /// Accessible description.
    pub description: String,
    /// The x axis.
    pub x: Axis,
    /// The y axis.
    pub y: Axis,
    /// The points by group.
    pub groups: Vec<ScatterGroup>,
    /// A fitted line with its band, in the order of x.
    pub fit: Vec<FitPoint>,
    /// What the caption inside the plot's head says about the fit, for example `r = 0.52, n = 40`.
    pub fit_text: String,
    /// Corners of the Pareto front in the order of x.
    pub front: Vec<FrontPoint>,
    /// Lines y = k·x.
    pub iso: Vec<IsoLine>,
    /// How wide.
    pub width: Width,
}

/// The points of one group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScatterGroup {
    /// Name and colour.
    pub key: Key,
    /// Its points.
    pub points: Vec<ScatterPoint>,
}

/// A point. Without x or y it is counted, not drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScatterPoint {
    /// Horizontal place.
    pub x: Option<f64>,
    /// Vertical place.
    pub y: Option<f64>,
    /// Lower end of the interval of y.
    pub low: Option<f64>,
    /// Upper end of the interval of y.
    pub high: Option<f64>,
    /// Text beside the point where there is room; empty for none.
    pub label: String,
    /// More for the tooltip, for example the run.
    pub detail: String,
}

/// A point of a fitted line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FitPoint {
    /// Horizontal place.
    pub x: f64,
    /// The fitted value.
    pub y: f64,
    /// Lower edge of the band.
    pub low: Option<f64>,
    /// Upper edge of the band.
    pub high: Option<f64>,
}

/// A corner of a front.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrontPoint {
    /// Horizontal place.
    pub x: f64,
    /// Vertical place.
    pub y: f64,
}

/// A line of equal ratio y / x.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IsoLine {
    /// The ratio.
    pub slope: f64,
    /// Text at the line's end.
    pub label: String,
}

/// A point as it is drawn.
struct Mark<'a> {
    key: &'a Key,
    point: &'a ScatterPoint,
    x: f64,
    y: f64,
}

impl Scatter {
    /// Draws the figure.
    ///
    /// # Errors
    /// No point has two values that the axes can show.
    pub fn draw(&self) -> Drawn {
        let mut marks = Vec::new();
        let mut left_out = 0;
        for group in &self.groups {
            for point in &group.points {
                match (point.x.filter(|v| self.x.shows(*v)), point.y.filter(|v| self.y.shows(*v))) {
                    (Some(x), Some(y)) => marks.push(Mark { key: &group.key, point, x, y }),
                    _ => left_out += 1,
                }
            }
        }
        if marks.is_empty() {
            return Err(nothing(if left_out == 0 {
                "There is no point to show."
            } else {
                "No point has a defined place on both axes."
            }));
        }
        let mut canvas = Canvas::new(self.width.points(Width::Page));
        if left_out > 0 {
            let log = if self.x.log || self.y.log { ", or 0 or less on a logarithmic axis" } else { "" };
            canvas.notes.push(format!("{} not shown: undefined{log}.", counted(left_out, "point")));
        }
        if marks.len() > MOST {
            let every = marks.len().div_ceil(MOST);
            canvas.notes.push(format!("Every {every}th of {} shown.", counted(marks.len(), "point")));
            marks = marks.into_iter().step_by(every).collect();
        }
        let width = canvas.width();
        let height = if width > theme::COLUMN { 210.0 } else { 150.0 };

        let fits = || self.fit.iter().filter(|f| self.x.shows(f.x) && self.y.shows(f.y));
        let fronts = || self.front.iter().filter(|f| self.x.shows(f.x) && self.y.shows(f.y));
        let xs = marks.iter().map(|m| m.x).chain(fits().map(|f| f.x)).chain(fronts().map(|f| f.x));
        let ys = marks.iter().flat_map(|m| [Some(m.y), m.point.low, m.point.high]).filter_map(finite);
        let ys = ys.chain(fits().map(|f| f.y)).chain(fronts().map(|f| f.y));
        let why = || nothing("No point has a defined place on both axes.");
        let y = self.y.scale(ys, axes::ticks_up(height), false).ok_or_else(why)?;
        let left = TITLE_ROOM + axes::y_label_room(&y);
        let iso_names = self.iso.iter().map(|i| text::width(&i.label, CELL)).fold(0.0, f64::max).min(70.0);
        let right = width - if iso_names > 0.0 { iso_names + 6.0 } else { 10.0 };
        let x = self.x.scale(xs, axes::ticks_across(right - left), false).ok_or_else(why)?;
        let area = Area { left, top: 8.0, right, bottom: 8.0 + height };
        let mut plot = Plot { area, x, y };
        let mut labels = place_labels(&plot, &marks, width);

        let mut used: Vec<&Key> = Vec::new();
        for mark in &marks {
            if used.last() != Some(&mark.key) && !used.contains(&mark.key) {
                used.push(mark.key);
            }
        }
        // A legend, unless each group is named in the plot.
        let named = |k: &Key| {
            marks
                .iter()
                .zip(&labels)
                .any(|(m, spot)| m.key == k && m.point.label == k.label && spot.is_some())
        };
        let mut top = 4.0;
        if used.len() > 1 && !used.iter().all(|k| named(k)) {
            top += legend::rows(&mut canvas, &used, Sample::Point, 4.0, width - 4.0, top) + 2.0;
        }
        if !self.fit_text.is_empty() {
            let short = text::shorten(&self.fit_text, width - 10.0, TICK);
            let label =
                Label::new(&short, TICK).colour(theme::MUTED).anchor(Anchor::End).full(&self.fit_text);
            canvas.text(at(width - 6.0, top + 5.0), &label);
            top += 12.0;
        }
        let area = Area { top: top + 4.0, bottom: top + 4.0 + height, ..area };
        plot.area = area;
        labels = place_labels(&plot, &marks, width);

        axes::value_axis_left(&mut canvas, &area, &plot.y, true);
        axes::axis_bottom(&mut canvas, &area, &plot.x, false, true);
        axes::title_left(&mut canvas, &area, TITLE_ROOM / 2.0, &self.y);
        axes::title_bottom(&mut canvas, &area, &self.x);
        self.draw_iso(&mut canvas, &plot);
        self.draw_fit(&mut canvas, &plot);
        self.draw_front(&mut canvas, &plot);
        for mark in &marks {
            draw_mark(&mut canvas, &plot, mark, &self.x.title, &self.y.title);
        }
        for (mark, spot) in marks.iter().zip(&labels) {
            if let Some(spot) = spot {
                let shown = text::shorten(&mark.point.label, LONGEST, CELL);
                canvas.open(mark.key);
                let place = at(spot.left, f64::midpoint(spot.top, spot.bottom));
                canvas.text(place, &Label::new(&shown, CELL).halo().full(&mark.point.label));
                canvas.close();
            }
        }
        canvas.finish(area.bottom + TICK_ROOM + TITLE_ROOM + 3.0, &self.title, &self.description)
    }

    fn draw_fit(&self, canvas: &mut Canvas, plot: &Plot) {
        let points: Vec<&FitPoint> =
            self.fit.iter().filter(|f| self.x.shows(f.x) && self.y.shows(f.y)).collect();
        let band: Vec<(f64, f64, f64)> =
            points.iter().filter_map(|f| Some((f.x, finite(f.low)?, finite(f.high)?))).collect();
        if band.len() > 1 {
            let upper = band.iter().map(|b| plot.place(b.0, b.2));
            let lower = band.iter().rev().map(|b| plot.place(b.0, b.1));
            canvas.polygon(&upper.chain(lower).collect::<Vec<_>>(), theme::AXIS, theme::BAND, None);
        }
        let line: Vec<At> = points.iter().map(|f| plot.place(f.x, f.y)).collect();
        canvas.path(&line, Stroke::solid(theme::INK, 1.0));
    }

    /// The front as steps: between two corners nothing better is known than the left one's y.
    fn draw_front(&self, canvas: &mut Canvas, plot: &Plot) {
        let corners: Vec<At> = self
            .front
            .iter()
            .filter(|f| self.x.shows(f.x) && self.y.shows(f.y))
            .map(|f| plot.place(f.x, f.y))
            .collect();
        let mut path: Vec<At> = Vec::new();
        for corner in corners {
            if let Some(last) = path.last().copied() {
                path.push(at(corner.x, last.y));
            }
            path.push(corner);
        }
        canvas.path(&path, Stroke { colour: theme::MUTED, width: 0.9, dash: &[3.0, 2.0] });
    }

    fn draw_iso(&self, canvas: &mut Canvas, plot: &Plot) {
        let mut taken: Vec<f64> = Vec::new();
        for iso in self.iso.iter().filter(|i| i.slope.is_finite()) {
            let inside = plot.x.grid(200).map(|x| (x, x * iso.slope)).filter(|(_, y)| plot.y.contains(*y));
            let path: Vec<At> = inside.map(|(x, y)| plot.place(x, y)).collect();
            canvas.path(&path, Stroke::solid(theme::CONTEXT, 0.7));
            let Some(end) = path.last() else { continue };
            let (name, beside) = (text::shorten(&iso.label, 70.0, CELL), end.x > plot.area.right - 8.0);
            let label = Label::new(&name, CELL).colour(theme::MUTED).full(&iso.label);
            if beside && taken.iter().all(|y| (y - end.y).abs() >= 8.0) {
                canvas.text(at(plot.area.right + 3.0, end.y), &label);
                taken.push(end.y);
            } else if !beside && end.y < plot.area.top + 8.0 {
                canvas.text(at(end.x + 3.0, plot.area.top + 3.5), &label);
            }
        }
    }
}

fn draw_mark(canvas: &mut Canvas, plot: &Plot, mark: &Mark<'_>, x_name: &str, y_name: &str) {
    let Mark { key, point, x, y } = mark;
    let colour = theme::colour(key.colour);
    let mut tip = if point.label.is_empty() { key.label.clone() } else { point.label.clone() };
    if !point.detail.is_empty() {
        tip = format!("{tip}; {}", point.detail);
    }
    tip = format!("{tip}: {x_name} {}, {y_name} {}", text::number(*x, 4), text::number(*y, 4));
    canvas.open(key);
    if let (Some(low), Some(high)) = (finite(point.low), finite(point.high)) {
        canvas.line(plot.place(*x, low), plot.place(*x, high), Stroke::solid(colour, 0.8));
    }
    canvas.marker(theme::marker(key.colour), plot.place(*x, *y), 2.3, colour, Some(&tip));
    canvas.close();
}

/// Places of the names beside points: each tries four places and stays away where none is free; tooltips have them all.
fn place_labels(plot: &Plot, marks: &[Mark<'_>], width: f64) -> Vec<Option<Area>> {
    if marks.len() > MOST_LABELS {
        return vec![None; marks.len()];
    }
    let places: Vec<At> = marks.iter().map(|m| plot.place(m.x, m.y)).collect();
    let intervals: Vec<Area> = marks
        .iter()
        .filter_map(|m| {
            let from = plot.place(m.x, finite(m.point.high)?);
            let to = plot.place(m.x, finite(m.point.low)?);
            Some(Area { left: from.x - 1.0, top: from.y, right: to.x + 1.0, bottom: to.y })
        })
        .collect();
    let mut taken: Vec<Option<Area>> = Vec::new();
    for (mark, place) in marks.iter().zip(&places) {
        let shown = text::shorten(&mark.point.label, LONGEST, CELL);
        let (w, h) = (text::width(&shown, CELL), 8.0);
        let corners = [
            (place.x + 4.5, place.y - h / 2.0),
            (place.x - 4.5 - w, place.y - h / 2.0),
            (place.x - w / 2.0, place.y - h - 3.0),
            (place.x - w / 2.0, place.y + 3.0),
            (place.x + 3.0, place.y - h - 1.0),
            (place.x - 3.0 - w, place.y - h - 1.0),
            (place.x + 3.0, place.y + 1.0),
            (place.x - 3.0 - w, place.y + 1.0),
        ];
        let mut spots =
            corners.iter().map(|&(left, top)| Area { left, top, right: left + w, bottom: top + h });
        let free = spots.find(|a| {
            let inside = a.left >= plot.area.left
                && a.right <= width - 2.0
                && a.top >= plot.area.top - 4.0
                && a.bottom <= plot.area.bottom;
            inside
                && !intervals.iter().chain(taken.iter().flatten()).any(|b| overlap(a, b))
                && !places.iter().any(|p| near(a, p))
        });
        taken.push(free.filter(|_| !shown.is_empty()));
    }
    taken
}

fn overlap(a: &Area, b: &Area) -> bool {
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

fn near(a: &Area, p: &At) -> bool {
    p.x > a.left - 1.5 && p.x < a.right + 1.5 && p.y > a.top - 0.5 && p.y < a.bottom + 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: &[(Option<f64>, Option<f64>)]) -> Scatter {
        let points = points.iter().map(|&(x, y)| ScatterPoint { x, y, ..ScatterPoint::default() }).collect();
        let groups = vec![ScatterGroup { key: Key::of_model("m", 0), points }];
        Scatter { groups, x: Axis::new("x"), y: Axis::new("y"), ..Scatter::default() }
    }

    #[test]
    fn undefined_points_are_counted() {
        let figure =
            chart(&[(Some(1.0), Some(2.0)), (None, Some(1.0)), (Some(1.0), Some(f64::NAN))]).draw().unwrap();
        assert_eq!(figure.notes, ["2 points not shown: undefined."]);
        assert_eq!(figure.svg.matches("<circle").count(), 1);
    }

    #[test]
    fn odd_ranges_are_drawn_or_said() {
        let odd = [0.0, -0.0, 5e-324, 1e308, f64::MIN, -1.0];
        for &a in &odd {
            for &b in &odd {
                let mut scatter = chart(&[(Some(a), Some(b)), (Some(b), Some(a))]);
                scatter.fit = vec![FitPoint { x: a, y: b, low: Some(b), high: Some(a) }; 3];
                scatter.iso = vec![
                    IsoLine { slope: 1.0, label: "1".into() },
                    IsoLine { slope: f64::MAX, label: "k".into() },
                ];
                scatter.draw().unwrap();
                scatter.x.log = true;
                scatter.y.log = true;
                assert_eq!(scatter.draw().is_ok(), a > 0.0 && b > 0.0, "{a:e} {b:e}");
            }
        }
        assert!(Scatter::default().draw().is_err());
    }
}
