//! Figures: typed data in, one SVG document out, the same bytes for the same data.
//!
//! [`theme`] holds every colour, size and number format, `canvas` the drawing by the `plotters` SVG backend, and
//! each kind of chart is one file:
//!
//! | chart | shows |
//! |---|---|
//! | [`LineBands`] | means by round with bands, in one panel or small multiples |
//! | [`HeatMap`] | a labelled matrix, diverging around 0 or sequential |
//! | [`Bars`] | horizontal bars with intervals and raw points, also stacked |
//! | [`Scatter`] | points by group with a fitted line, Pareto front or iso-lines |
//! | [`Coverage`] | which model met which task how often, holes marked |
//! | [`Dots`] | a leaderboard: mean, interval and raw points per row |
//! | [`BoxStrip`] | distributions: box, whiskers and points per row |
//! | [`Beeswarm`] | contributions per feature, coloured by the feature's value |
//! | [`Importance`] | permutation importance with intervals |
//! | [`Graph`] | a small directed graph on a circle |
//! | [`GridPicture`] | moments of a grid world or a board |
//!
//! A figure shows what it is given and computes no statistic. Values that are undefined, or that an axis can't
//! show, are left out and counted in [`Figure::notes`]; a chart that has nothing left is [`NothingToShow`].
//!
//! ```
//! use swarm_analyze::figures::{Axis, Bar, Bars, Key};
//!
//! let rows = vec![Bar::of(Key::of_model("planner", 0), Some(12.5)), Bar::of(Key::of_model("greedy", 1), None)];
//! let bars = Bars { title: "Mean score".into(), value: Axis::new("Score").unit("points"), rows, ..Bars::default() };
//! let figure = bars.draw().expect("one bar has a value");
//! assert!(figure.svg.starts_with("<svg"));
//!
//! let why = Bars::default().draw().expect_err("there is no bar");
//! assert_eq!(why.to_string(), "No bar has a defined value.");
//! ```
//!
//! In a page, [`figure_css`] sets widths and makes the colours follow variables, and [`dark_css`] sets these for dark
//! pages; a figure that is saved alone stays light.

mod axes;
mod bars;
mod beeswarm;
mod box_strip;
mod canvas;
mod coverage;
mod dots;
mod graph;
mod grid_picture;
mod heat_map;
mod importance;
mod key;
mod legend;
mod line_bands;
mod line_panel;
mod rows;
mod scale;
mod scatter;
mod shapes;
mod text;
pub mod theme;

pub use bars::{Bar, BarPart, Bars};
pub use beeswarm::{Beeswarm, SwarmPoint, SwarmRow};
pub use box_strip::{BoxRow, BoxStrip, FiveNumbers};
pub use coverage::{Coverage, CoverageCell};
pub use dots::{Dot, Dots};
pub use graph::{Edge, Graph, Node};
pub use grid_picture::{GridAgent, GridMark, GridPanel, GridPicture, GridStyle};
pub use heat_map::{Cell, Colouring, HeatMap};
pub use importance::{Importance, ImportanceRow};
pub use key::Key;
pub use line_bands::{LineBands, LinePanel, LinePoint, LineSeries};
pub use scale::Axis;
pub use scatter::{FitPoint, FrontPoint, IsoLine, Scatter, ScatterGroup, ScatterPoint};
pub use theme::{dark_css, figure_css};

/// A drawn figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The SVG document, without an XML declaration, so that it can stand in a page or in a file.
    pub svg: String,
    /// Width in points (1/72 inch).
    pub width: f64,
    /// Height in points.
    pub height: f64,
    /// What the caption must add, as whole sentences: values left out, series not shown.
    pub notes: Vec<String>,
}

/// Why there is no figure: a sentence for the reader.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NothingToShow(pub String);

/// A figure, or the sentence that stands in its place.
pub type Drawn = Result<Figure, NothingToShow>;

/// How wide a figure is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Width {
    /// The chart decides by its content.
    #[default]
    Auto,
    /// One column of a paper, 3.3 inches.
    Column,
    /// The whole width of a paper's page, 7 inches.
    Page,
}

impl Width {
    /// The width in points; `auto` is what the chart would choose.
    fn points(self, auto: Self) -> f64 {
        match (self, auto) {
            (Self::Column, _) | (Self::Auto, Self::Column) => theme::COLUMN,
            _ => theme::PAGE,
        }
    }
}

fn nothing(why: &str) -> NothingToShow {
    NothingToShow(why.to_owned())
}

/// The value, if it is a number; what an axis can show.
fn finite(value: Option<f64>) -> Option<f64> {
    value.filter(|value| value.is_finite())
}

/// `1 value`, `2 values`.
fn counted(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
