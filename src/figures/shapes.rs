//! Places, areas and styles of what a canvas draws.

use super::text::clean;
use super::theme::{self, Colour};

/// A place on the canvas in points from its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct At {
    pub(super) x: f64,
    pub(super) y: f64,
}

pub(super) fn at(x: f64, y: f64) -> At {
    At { x, y }
}

/// A rectangle in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Area {
    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stroke {
    pub(super) colour: Colour,
    pub(super) width: f64,
    pub(super) dash: &'static [f64],
}

impl Stroke {
    pub(super) fn solid(colour: Colour, width: f64) -> Self {
        Self { colour, width, dash: &[] }
    }
}

/// Where a text stands relative to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A text and its style; its place is the vertical middle of its small letters.
#[derive(Clone, Debug)]
pub(super) struct Label<'a> {
    pub(super) text: &'a str,
    pub(super) size: f64,
    pub(super) colour: Colour,
    pub(super) anchor: Anchor,
    pub(super) bold: bool,
    pub(super) upright: bool,
    pub(super) halo: bool,
    pub(super) tooltip: Option<&'a str>,
}

impl<'a> Label<'a> {
    pub(super) fn new(text: &'a str, size: f64) -> Self {
        let (colour, anchor) = (theme::INK, Anchor::Start);
        Self { text, size, colour, anchor, bold: false, upright: false, halo: false, tooltip: None }
    }

    pub(super) fn colour(self, colour: Colour) -> Self {
        Self { colour, ..self }
    }

    pub(super) fn anchor(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    pub(super) fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// Turned by a quarter, to be read from below.
    pub(super) fn upright(self) -> Self {
        Self { upright: true, ..self }
    }

    /// With an edge of paper, to be read over lines.
    pub(super) fn halo(self) -> Self {
        Self { halo: true, ..self }
    }

    /// The full name, where `text` is a shortened form of it.
    pub(super) fn full(self, full: &'a str) -> Self {
        Self { tooltip: (clean(full) != self.text).then_some(full), ..self }
    }
}
