//! Drawing by the `plotters` SVG backend, with what that backend lacks.
//!
//! plotters draws each element (shapes, escaping of text); this file puts them into a document: the root with its
//! accessible name, groups, tooltips, dashes, exact text sizes. The backend knows whole pixels only, so one of its pixels is a
//! tenth of a point here.

use std::fmt::Write as _;

use plotters::prelude::{
    Circle, DrawingArea, DrawingBackend, IntoDrawingArea, PathElement, Polygon, Rectangle, SVGBackend, Text,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color as _, FontTransform, IntoFont, ShapeStyle, TextStyle};
use plotters::{coord::Shift, drawing::DrawingAreaErrorKind};

use super::key::Key;
pub(super) use super::shapes::{Anchor, Area, At, Label, Stroke, at};
use super::text::{clean, escape};
use super::theme::{self, Colour, Marker};
use super::{Drawn, Figure, NothingToShow};

/// Backend pixels per point.
const SCALE: f64 = 10.0;
/// plotters moves what is outside its area to the edge; large enough for any figure, so that nothing is moved.
const SHEET: (u32, u32) = (1_000_000, 1_000_000);
/// plotters writes text at `size / 1.24`.
const PLOTTERS_FONT_FACTOR: f64 = 1.24;

type Backend<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type DrawError<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

/// A document under construction.
#[derive(Debug)]
pub(super) struct Canvas {
    body: String,
    width: f64,
    open: usize,
    failure: Option<String>,
    pub(super) notes: Vec<String>,
}

impl Canvas {
    pub(super) fn new(width: f64) -> Self {
        Self { body: String::new(), width, open: 0, failure: None, notes: Vec::new() }
    }

    pub(super) fn width(&self) -> f64 {
        self.width
    }

    /// Lets plotters draw one element, then adds attributes and a tooltip to it.
    fn element(
        &mut self,
        attributes: &str,
        tooltip: Option<&str>,
        draw: impl for<'a> FnOnce(&Backend<'a>) -> Result<(), DrawError<'a>>,
    ) {
        let mut document = String::new();
        {
            let area = SVGBackend::with_string(&mut document, SHEET).into_drawing_area();
            if let Err(error) = draw(&area).and_then(|()| area.present()) {
                self.failure.get_or_insert_with(|| error.to_string());
                return;
            }
        }
        let inner = document.split_once('\n').map_or("", |(_, rest)| rest);
        let inner = inner.trim_end().trim_end_matches("</svg>").trim_end();
        if inner.is_empty() {
            return;
        }
        let plain = inner.replace(" opacity=\"1\"", "").replace(" stroke=\"none\"", "").replace(" \"", "\"");
        match plain.strip_suffix("/>") {
            Some(head) => {
                let name = head.split(' ').next().unwrap_or_default().trim_start_matches('<');
                self.body.push_str(head);
                self.body.push_str(attributes);
                match tooltip {
                    Some(tip) => {
                        let _ = write!(self.body, "><title>{}</title></{name}>", escape(tip));
                    }
                    None => self.body.push_str("/>"),
                }
            }
            None => self.body.push_str(&plain),
        }
        self.body.push('\n');
    }

    /// Opens a group that carries the key's filter attributes and its name as tooltip.
    pub(super) fn open(&mut self, key: &Key) {
        self.body.push_str("<g");
        for (name, value) in [("data-model", &key.model), ("data-task", &key.task)] {
            if let Some(value) = value {
                let _ = write!(self.body, " {name}=\"{}\"", escape(value));
            }
        }
        let _ = writeln!(self.body, "><title>{}</title>", escape(&key.label));
        self.open += 1;
    }

    /// Draws something that is shown in several places by [`Canvas::reuse`]; returns its identity, which comes from its
    /// content, so that figures of one page do not take each other's.
    pub(super) fn define(&mut self, draw: impl FnOnce(&mut Self)) -> String {
        let start = self.body.len();
        draw(self);
        let content = self.body.split_off(start);
        let identity = format!("fig-{:016x}", xxhash_rust::xxh3::xxh3_64(content.as_bytes()));
        let _ = write!(self.body, "<defs><g id=\"{identity}\">\n{content}</g></defs>\n");
        identity
    }

    /// Shows what was defined, moved by `place`.
    pub(super) fn reuse(&mut self, identity: &str, place: At) {
        let (x, y) = pixel(&place);
        let _ = writeln!(self.body, "<use href=\"#{identity}\" x=\"{x}\" y=\"{y}\"/>");
    }

    pub(super) fn close(&mut self) {
        if self.open > 0 {
            self.body.push_str("</g>\n");
            self.open -= 1;
        }
    }

    pub(super) fn line(&mut self, from: At, to: At, stroke: Stroke) {
        self.path(&[from, to], stroke);
    }

    pub(super) fn path(&mut self, points: &[At], stroke: Stroke) {
        if points.len() < 2 {
            return;
        }
        let style = stroke.colour.stroke_width(pixels(stroke.width).max(1) as u32);
        let path = PathElement::new(points.iter().map(pixel).collect::<Vec<_>>(), style);
        let mut attributes = String::from(" stroke-linejoin=\"round\"");
        if !stroke.dash.is_empty() {
            let dash: Vec<String> = stroke.dash.iter().map(|d| pixels(*d).to_string()).collect();
            let _ = write!(attributes, " stroke-dasharray=\"{}\"", dash.join(" "));
        }
        self.element(
            if points.len() > 2 || !stroke.dash.is_empty() { &attributes } else { "" },
            None,
            |area| area.draw(&path),
        );
    }

    pub(super) fn polygon(&mut self, points: &[At], colour: Colour, opacity: f64, tooltip: Option<&str>) {
        let polygon = Polygon::new(points.iter().map(pixel).collect::<Vec<_>>(), colour.mix(opacity));
        self.element("", tooltip, |area| area.draw(&polygon));
    }

    pub(super) fn rect(&mut self, area: Area, colour: Colour, tooltip: Option<&str>) {
        let corners = [pixel(&at(area.left, area.top)), pixel(&at(area.right, area.bottom))];
        let rectangle = Rectangle::new(corners, colour.filled());
        self.element("", tooltip, |target| target.draw(&rectangle));
    }

    /// The outline of a rectangle.
    pub(super) fn frame(&mut self, area: Area, stroke: Stroke) {
        let Area { left, top, right, bottom } = area;
        let corners = [at(left, top), at(right, top), at(right, bottom), at(left, bottom), at(left, top)];
        self.path(&corners, stroke);
    }

    pub(super) fn circle(&mut self, centre: At, radius: f64, style: ShapeStyle, tooltip: Option<&str>) {
        let circle = Circle::new(pixel(&centre), pixels(radius).max(1), style);
        self.element("", tooltip, |area| area.draw(&circle));
    }

    /// A point of a category, of about the area of a circle with this radius.
    pub(super) fn marker(
        &mut self,
        shape: Marker,
        centre: At,
        radius: f64,
        colour: Colour,
        tooltip: Option<&str>,
    ) {
        let At { x, y } = centre;
        let corner = |dx: f64, dy: f64| at(x + dx * radius, y + dy * radius);
        let polygon = match shape {
            Marker::Circle => return self.circle(centre, radius, colour.filled(), tooltip),
            Marker::Ring => {
                let style = colour.stroke_width(pixels(radius * 0.45).max(4) as u32);
                return self.circle(centre, radius * 0.9, style, tooltip);
            }
            Marker::Square => {
                vec![corner(-0.9, -0.9), corner(0.9, -0.9), corner(0.9, 0.9), corner(-0.9, 0.9)]
            }
            Marker::Diamond => vec![corner(0.0, -1.3), corner(1.1, 0.0), corner(0.0, 1.3), corner(-1.1, 0.0)],
            Marker::Up => vec![corner(0.0, -1.2), corner(1.1, 0.85), corner(-1.1, 0.85)],
            Marker::Down => vec![corner(0.0, 1.2), corner(1.1, -0.85), corner(-1.1, -0.85)],
            Marker::Plus => cross(corner),
            Marker::Cross => {
                let turn = std::f64::consts::FRAC_1_SQRT_2;
                cross(|a, b| corner((a - b) * turn, (a + b) * turn))
            }
        };
        self.polygon(&polygon, colour, 1.0, tooltip);
    }

    pub(super) fn text(&mut self, place: At, label: &Label<'_>) {
        if label.text.is_empty() {
            return;
        }
        let shown = clean(label.text);
        // Half the height of small letters below the place: no renderer needs to know the font's own metrics.
        let drop = label.size * 0.35;
        let base = if label.upright { at(place.x + drop, place.y) } else { at(place.x, place.y + drop) };
        let anchor = match label.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let font = ("sans-serif", label.size * SCALE * PLOTTERS_FONT_FACTOR).into_font();
        let font = if label.upright { font.transform(FontTransform::Rotate270) } else { font };
        let style = TextStyle::from(font).color(&label.colour).pos(Pos::new(anchor, VPos::Bottom));
        let element = Text::new(shown.clone(), pixel(&base), style);
        let start = self.body.len();
        self.element("", None, |area| area.draw(&element));
        let drawn = self.body.split_off(start);
        let edited = edit_text(&drawn, label, &shown);
        self.body.push_str(&edited);
    }

    /// Closes the document.
    pub(super) fn finish(mut self, height: f64, title: &str, description: &str) -> Drawn {
        while self.open > 0 {
            self.close();
        }
        if let Some(failure) = self.failure {
            return Err(NothingToShow(format!("The figure could not be drawn: {failure}.")));
        }
        let class = if self.width > theme::COLUMN + 1.0 { "page" } else { "column" };
        let (w, h) = (pixels(self.width), pixels(height));
        let description = if description.trim().is_empty() { title } else { description };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" role=\"img\" class=\"figure {class}\" font-family=\"{}\">",
            theme::fonts()
        );
        let _ = writeln!(svg, "<title>{}</title><desc>{}</desc>", escape(title), escape(description));
        let _ = writeln!(svg, "<rect width=\"{w}\" height=\"{h}\" fill=\"{}\"/>", theme::hex(theme::PAPER));
        svg.push_str(&self.body);
        svg.push_str("</svg>\n");
        Ok(Figure { svg, width: self.width, height, notes: self.notes })
    }
}

/// The outline of an upright cross with arms of length 1.2 and width 0.66, in the coordinates of `corner`.
fn cross(corner: impl Fn(f64, f64) -> At) -> Vec<At> {
    let (a, b) = (1.2, 0.33);
    [
        (-b, -a),
        (b, -a),
        (b, -b),
        (a, -b),
        (a, b),
        (b, b),
        (b, a),
        (-b, a),
        (-b, b),
        (-a, b),
        (-a, -b),
        (-b, -b),
    ]
    .iter()
    .map(|&(x, y)| corner(x, y))
    .collect()
}

fn pixels(points: f64) -> i32 {
    (points * SCALE).round().clamp(-1e7, 1e7) as i32
}

fn pixel(place: &At) -> (i32, i32) {
    (pixels(place.x), pixels(place.y))
}

/// Drops what the root element says already, rounds the size, and removes the line breaks that the backend puts around text.
fn edit_text(drawn: &str, label: &Label<'_>, shown: &str) -> String {
    let Some((head, _)) = drawn.split_once('>') else { return drawn.to_owned() };
    let mut out = String::from("<text");
    for attribute in head.trim_start_matches("<text").split("\" ") {
        let attribute = attribute.trim().trim_end_matches('"');
        match attribute.split_once("=\"") {
            None | Some(("dy" | "font-family" | "opacity", _) | ("text-anchor", "start")) => {}
            Some(("font-size", _)) => {
                let _ = write!(out, " font-size=\"{}\"", pixels(label.size));
            }
            Some((name, value)) => {
                let _ = write!(out, " {name}=\"{value}\"");
            }
        }
    }
    if label.bold {
        out.push_str(" font-weight=\"600\"");
    }
    if label.halo {
        let paper = theme::hex(theme::PAPER);
        let _ = write!(
            out,
            " stroke=\"{paper}\" stroke-width=\"20\" stroke-linejoin=\"round\" paint-order=\"stroke\""
        );
    }
    out.push('>');
    if let Some(tip) = label.tooltip {
        let _ = write!(out, "<title>{}</title>", escape(tip));
    }
    let _ = writeln!(out, "{}</text>", escape(shown));
    out
}
