//! Moments of a grid world, a map or a board.

use plotters::style::Color as _;

use super::canvas::{Anchor, Area, At, Canvas, Label, Stroke, at};
use super::theme::{self, CELL, Colour, LABEL, Marker, TICK};
use super::{Drawn, Width, counted, nothing, text};

/// Most cells along one side.
const MOST_SIDE: usize = 128;
/// Most panels.
const MOST_PANELS: usize = 24;

/// One or several moments side by side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridPicture {
    /// Accessible name.
    pub title: String,
    /// Accessible description.
    pub description: String,
    /// The moments in reading order.
    pub panels: Vec<GridPanel>,
    /// How cells are drawn.
    pub style: GridStyle,
    /// How wide.
    pub width: Width,
}

/// How the characters of a [`GridPanel`] are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GridStyle {
    /// SwarmBench: `W` wall, `A`/`a` agent, `P` prey, `F` food, `N` nest, `B` box; `@` and `T` are obstacles of maps; `.` is
    /// free; anything else is shown as its letter.
    #[default]
    World,
    /// Gomoku: `B` and `W` stones on the crossings of lines.
    Board,
}

/// A moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridPanel {
    /// Shown above.
    pub title: String,
    /// One string per row, one character per cell.
    pub rows: Vec<String>,
    /// Agents, drawn over the cells.
    pub agents: Vec<GridAgent>,
    /// Highlighted cells.
    pub marks: Vec<GridMark>,
}

/// An agent of [`GridPanel`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridAgent {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// Short name, for example its number.
    pub label: String,
    /// Whether it is lit or carries something; else it is drawn hollow.
    pub active: bool,
    /// An arrow of so many columns and rows, for example the proposed move.
    pub arrow: Option<(i32, i32)>,
}

/// A highlighted cell of [`GridPanel`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridMark {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// What it is, for the tooltip.
    pub label: String,
}

const WALL: Colour = theme::AXIS;
const NEST: Colour = theme::CATEGORIES[5];
const FOOD: Colour = theme::CATEGORIES[2];
const PREY: Colour = theme::CATEGORIES[3];
const BOX: Colour = theme::CATEGORIES[1];
const AGENT: Colour = theme::CATEGORIES[0];

impl GridPicture {
    /// Draws the figure.
    ///
    /// # Errors
    /// No panel has a cell.
    pub fn draw(&self) -> Drawn {
        let size = |p: &GridPanel| {
            let columns = p.rows.iter().map(|r| r.chars().count()).max().unwrap_or(0);
            (columns.min(MOST_SIDE), p.rows.len().min(MOST_SIDE))
        };
        let panels: Vec<&GridPanel> =
            self.panels.iter().filter(|p| size(p).0 > 0).take(MOST_PANELS).collect();
        let columns = panels.iter().map(|p| size(p).0).max().unwrap_or(0);
        let rows = panels.iter().map(|p| size(p).1).max().unwrap_or(0);
        if columns == 0 || rows == 0 {
            return Err(nothing("There is no grid to show."));
        }
        let auto = if panels.len() > 2 { Width::Page } else { Width::Column };
        let mut canvas = Canvas::new(self.width.points(auto));
        if self.panels.len() > panels.len() {
            canvas.notes.push(format!("{} of {} shown.", panels.len(), counted(self.panels.len(), "moment")));
        }
        let clipped = panels
            .iter()
            .any(|p| p.rows.len() > MOST_SIDE || p.rows.iter().any(|r| r.chars().count() > MOST_SIDE));
        if clipped {
            canvas.notes.push(format!("Only the first {MOST_SIDE} rows and columns are shown."));
        }
        let across = panels.len().min(if canvas.width() > theme::COLUMN { 4 } else { 2 });
        let gap = 10.0;
        let room = (canvas.width() - 4.0 - gap * (across - 1) as f64) / across as f64;
        let side = (room / columns as f64).min(18.0);
        let head = if panels.iter().any(|p| !p.title.is_empty()) { 13.0 } else { 2.0 };
        let pitch = head + side * rows as f64 + 8.0;
        for (i, panel) in panels.iter().enumerate() {
            let left = 2.0 + (i % across) as f64 * (room + gap);
            let top = 2.0 + (i / across) as f64 * pitch + head;
            let short = text::shorten(&panel.title, room, LABEL);
            canvas.text(at(left, top - 6.5), &Label::new(&short, LABEL).full(&panel.title));
            let frame = Frame { left, top, side };
            match self.style {
                GridStyle::World => world(&mut canvas, &frame, panel),
                GridStyle::Board => board(&mut canvas, &frame, panel, size(panel)),
            }
            overlay(&mut canvas, &frame, panel);
        }
        let bottom = 2.0 + panels.len().div_ceil(across) as f64 * pitch;
        let bottom =
            if self.style == GridStyle::World { legend(&mut canvas, &panels, bottom) } else { bottom };
        canvas.finish(bottom + 2.0, &self.title, &self.description)
    }
}

/// Where a panel's cells stand.
struct Frame {
    left: f64,
    top: f64,
    side: f64,
}

impl Frame {
    fn centre(&self, x: i32, y: i32) -> At {
        at(self.left + (f64::from(x) + 0.5) * self.side, self.top + (f64::from(y) + 0.5) * self.side)
    }

    fn cell(&self, x: usize, y: usize, length: usize) -> Area {
        let (left, top) = (self.left + x as f64 * self.side, self.top + y as f64 * self.side);
        Area { left, top, right: left + self.side * length as f64, bottom: top + self.side }
    }
}

fn fill(symbol: char) -> Option<Colour> {
    match symbol {
        'W' | '@' | 'T' => Some(WALL),
        'N' => Some(NEST),
        'F' => Some(FOOD),
        'P' => Some(PREY),
        'B' => Some(BOX),
        _ => None,
    }
}

fn world(canvas: &mut Canvas, frame: &Frame, panel: &GridPanel) {
    for (y, row) in panel.rows.iter().take(MOST_SIDE).enumerate() {
        let symbols: Vec<char> = row.chars().take(MOST_SIDE).collect();
        let mut x = 0;
        // Equal neighbours are one rectangle: maps are large.
        for run in symbols.chunk_by(|a, b| a == b) {
            let area = frame.cell(x, y, run.len());
            let colour = fill(run[0]);
            canvas.rect(area, colour.unwrap_or(theme::MISSING), None);
            let lettered = !matches!(run[0], '.' | 'W' | '@' | 'T' | 'A' | 'a' | ' ');
            if lettered && frame.side >= 7.0 {
                for k in 0..run.len() {
                    let place = frame.centre((x + k) as i32, y as i32);
                    let ink = colour.map_or(theme::INK, theme::text_on_category);
                    let symbol = run[0].to_string();
                    let size = CELL.min(frame.side * 0.8);
                    canvas.text(place, &Label::new(&symbol, size).colour(ink).anchor(Anchor::Middle));
                }
            }
            // Agents of the grid that are not listed one by one.
            if matches!(run[0], 'A' | 'a') {
                for k in (0..run.len()).map(|k| (x + k) as i32) {
                    if !panel.agents.iter().any(|a| a.x == k && a.y == y as i32) {
                        let unnamed =
                            GridAgent { x: k, y: y as i32, active: run[0] == 'A', ..GridAgent::default() };
                        agent(canvas, frame, &unnamed);
                    }
                }
            }
            x += run.len();
        }
    }
    let widest = panel.rows.iter().map(|r| r.chars().count().min(MOST_SIDE)).max().unwrap_or(0);
    let tall = panel.rows.len().min(MOST_SIDE);
    if frame.side >= 5.0 {
        let (right, bottom) = (frame.left + widest as f64 * frame.side, frame.top + tall as f64 * frame.side);
        for i in 0..=widest {
            let x = frame.left + i as f64 * frame.side;
            canvas.line(at(x, frame.top), at(x, bottom), Stroke::solid(theme::PAPER, 0.4));
        }
        for i in 0..=tall {
            let y = frame.top + i as f64 * frame.side;
            canvas.line(at(frame.left, y), at(right, y), Stroke::solid(theme::PAPER, 0.4));
        }
    }
}

fn board(canvas: &mut Canvas, frame: &Frame, panel: &GridPanel, (columns, rows): (usize, usize)) {
    let stroke = Stroke::solid(theme::AXIS, 0.5);
    let last = frame.centre(columns as i32 - 1, rows as i32 - 1);
    let first = frame.centre(0, 0);
    for x in 0..columns {
        let x = frame.centre(x as i32, 0).x;
        canvas.line(at(x, first.y), at(x, last.y), stroke);
    }
    for y in 0..rows {
        let y = frame.centre(0, y as i32).y;
        canvas.line(at(first.x, y), at(last.x, y), stroke);
    }
    let radius = frame.side * 0.42;
    for (y, row) in panel.rows.iter().take(MOST_SIDE).enumerate() {
        for (x, symbol) in row.chars().take(MOST_SIDE).enumerate() {
            let place = frame.centre(x as i32, y as i32);
            match symbol {
                // Stones keep their colour by night: black is black.
                'B' => {
                    canvas.circle(place, radius, theme::ON_LIGHT.filled(), None);
                    canvas.circle(place, radius, theme::AXIS.stroke_width(5), None);
                }
                'W' => {
                    canvas.circle(place, radius, theme::ON_STRONG.filled(), None);
                    canvas.circle(place, radius, theme::ON_LIGHT.stroke_width(6), None);
                }
                _ => {}
            }
        }
    }
}

fn overlay(canvas: &mut Canvas, frame: &Frame, panel: &GridPanel) {
    let inside = |x: i32, y: i32| {
        let row = usize::try_from(y).ok().filter(|y| *y < MOST_SIDE).and_then(|y| panel.rows.get(y));
        usize::try_from(x).is_ok_and(|x| row.is_some_and(|r| x < r.chars().count().min(MOST_SIDE)))
    };
    for mark in panel.marks.iter().filter(|m| inside(m.x, m.y)) {
        let centre = frame.centre(mark.x, mark.y);
        let half = frame.side / 2.0 - 0.5;
        let corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
            .map(|(a, b)| at(centre.x + a, centre.y + b));
        canvas.polygon(&corners, theme::CATEGORIES[3], 0.25, Some(&mark.label));
        let area = Area { left: corners[0].x, top: corners[0].y, right: corners[2].x, bottom: corners[2].y };
        canvas.frame(area, Stroke::solid(theme::CATEGORIES[3], 1.2));
    }
    for item in panel.agents.iter().filter(|a| inside(a.x, a.y)) {
        agent(canvas, frame, item);
    }
    for item in panel.agents.iter().filter(|a| inside(a.x, a.y)) {
        if let Some((dx, dy)) = item.arrow.filter(|step| *step != (0, 0)) {
            arrow(canvas, frame, item, dx.clamp(-2, 2), dy.clamp(-2, 2));
        }
    }
}

fn agent(canvas: &mut Canvas, frame: &Frame, item: &GridAgent) {
    let centre = frame.centre(item.x, item.y);
    let radius = frame.side * 0.42;
    let tip = (!item.label.is_empty())
        .then(|| format!("agent {} at column {}, row {}", item.label, item.x, item.y));
    if item.active {
        canvas.circle(centre, radius, AGENT.filled(), tip.as_deref());
    } else {
        canvas.circle(centre, radius, theme::PAPER.filled(), tip.as_deref());
        canvas.circle(centre, radius * 0.92, AGENT.stroke_width((radius * 1.8).max(4.0) as u32), None);
    }
    let size = CELL.min(frame.side * 0.62);
    let label = text::shorten(&item.label, radius * 2.6, size);
    if size >= 4.0 {
        let ink = if item.active { theme::ON_STRONG } else { theme::INK };
        canvas.text(centre, &Label::new(&label, size).colour(ink).anchor(Anchor::Middle));
    }
}

fn arrow(canvas: &mut Canvas, frame: &Frame, item: &GridAgent, dx: i32, dy: i32) {
    let (from, to) = (frame.centre(item.x, item.y), frame.centre(item.x + dx, item.y + dy));
    let length = (to.x - from.x).hypot(to.y - from.y).max(1e-6);
    let unit = at((to.x - from.x) / length, (to.y - from.y) / length);
    let start = at(from.x + unit.x * frame.side * 0.42, from.y + unit.y * frame.side * 0.42);
    let tip = at(to.x - unit.x * frame.side * 0.1, to.y - unit.y * frame.side * 0.1);
    let head = frame.side * 0.28;
    let base = at(tip.x - unit.x * head, tip.y - unit.y * head);
    canvas.line(start, base, Stroke::solid(theme::INK, 1.0));
    let half = head * 0.5;
    let corners = [
        tip,
        at(base.x - unit.y * half, base.y + unit.x * half),
        at(base.x + unit.y * half, base.y - unit.x * half),
    ];
    canvas.polygon(&corners, theme::INK, 1.0, None);
}

/// The symbols that occur; returns the lower end.
fn legend(canvas: &mut Canvas, panels: &[&GridPanel], top: f64) -> f64 {
    let all = || panels.iter().flat_map(|p| p.rows.iter().take(MOST_SIDE)).flat_map(|r| r.chars());
    let has = |symbols: &[char]| all().any(|c| symbols.contains(&c));
    let known: [(&[char], Option<Colour>, &str); 5] = [
        (&['W', '@', 'T'], Some(WALL), "wall"),
        (&['P'], Some(PREY), "prey"),
        (&['F'], Some(FOOD), "food"),
        (&['N'], Some(NEST), "nest"),
        (&['B'], Some(BOX), "box"),
    ];
    let mut x = 2.0;
    let y = top + 5.0;
    for (symbols, colour, name) in known {
        if let Some(colour) = colour.filter(|_| has(symbols)) {
            canvas.rect(Area { left: x, top: y - 3.5, right: x + 7.0, bottom: y + 3.5 }, colour, None);
            x = legend_text(canvas, x + 10.0, y, name);
        }
    }
    let agents = || panels.iter().flat_map(|p| &p.agents);
    if has(&['A']) || agents().any(|a| a.active) {
        canvas.circle(at(x + 3.5, y), 3.2, AGENT.filled(), None);
        x = legend_text(canvas, x + 10.0, y, "agent, lit or carrying");
    }
    if has(&['a']) || agents().any(|a| !a.active) {
        canvas.marker(Marker::Ring, at(x + 3.5, y), 3.4, AGENT, None);
        x = legend_text(canvas, x + 10.0, y, "agent");
    }
    if x > 2.0 { top + 12.0 } else { top }
}

fn legend_text(canvas: &mut Canvas, x: f64, y: f64, name: &str) -> f64 {
    canvas.text(at(x, y), &Label::new(name, TICK).colour(theme::MUTED));
    x + text::width(name, TICK) + 9.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_grids_are_drawn_or_said() {
        let panel = |rows: &[&str]| GridPanel {
            rows: rows.iter().map(|r| (*r).to_owned()).collect(),
            ..GridPanel::default()
        };
        let draw =
            |panels: Vec<GridPanel>, style| GridPicture { panels, style, ..GridPicture::default() }.draw();
        for style in [GridStyle::World, GridStyle::Board] {
            assert!(draw(vec![], style).is_err());
            assert!(draw(vec![panel(&[""])], style).is_err());
            draw(vec![panel(&["W", "W.aA<&", ""])], style).unwrap();
        }
        let mut outside = panel(&["..", ".."]);
        for (x, y) in [(-1, 0), (2, 0), (0, 2), (i32::MIN, i32::MAX), (1, 1)] {
            outside.agents.push(GridAgent {
                x,
                y,
                label: "1".into(),
                active: true,
                arrow: Some((i32::MAX, 0)),
            });
            outside.marks.push(GridMark { x, y, label: "x".into() });
        }
        let svg = draw(vec![outside], GridStyle::World).unwrap().svg;
        assert_eq!(svg.matches("agent 1 at column").count(), 1);
    }
}
