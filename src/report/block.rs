//! What a section is made of, ready for the templates: strings only, nothing left to compute or round.

use serde::Serialize;

use super::format;

/// A part of a section.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Block {
    /// A figure, or the sentence that stands in its place.
    Figure(FigureView),
    /// A table.
    Table(TableView),
    /// A heading within the section, of a task for example.
    Heading {
        /// The text.
        text: String,
        /// The task it belongs to.
        task: Option<String>,
    },
    /// A paragraph.
    Paragraph {
        /// The text.
        text: String,
        /// The task it belongs to.
        task: Option<String>,
    },
}

/// A figure.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FigureView {
    /// Anchor.
    pub id: String,
    /// Number in the report.
    pub number: usize,
    /// Title.
    pub title: String,
    /// How to read it.
    pub how: String,
    /// The drawing; absent where there is nothing to show or the page would grow too large.
    pub svg: Option<String>,
    /// Why there is no drawing.
    pub instead: Option<String>,
    /// What the drawing leaves out.
    pub notes: Vec<String>,
    /// Where the drawing lies.
    pub file: Option<String>,
    /// Where its numbers lie.
    pub data: Option<String>,
    /// The task it belongs to.
    pub task: Option<String>,
}

/// How a column stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Align {
    /// Text.
    #[default]
    Left,
    /// Numbers.
    Right,
}

/// The head of a column.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ColumnView {
    /// Label.
    pub label: String,
    /// Unit.
    pub unit: String,
    /// What it is, as a tooltip.
    pub title: String,
    /// How it stands.
    pub align: Align,
}

impl ColumnView {
    /// A column of text.
    pub fn text(label: &str) -> Self {
        Self { label: label.to_owned(), ..Self::default() }
    }

    /// A column of numbers.
    pub fn number(label: &str, unit: &str) -> Self {
        Self { label: label.to_owned(), unit: unit.to_owned(), align: Align::Right, ..Self::default() }
    }

    /// With a tooltip.
    pub fn explained(self, title: &str) -> Self {
        Self { title: title.to_owned(), ..self }
    }
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CellView {
    /// What is shown.
    pub text: String,
    /// What it sorts by, where that is a number; as text, so that no template formats it.
    pub sort: Option<String>,
    /// Tooltip: why it is undefined, or the whole of a shortened text.
    pub title: Option<String>,
    /// Whether it is the best of its kind.
    pub strong: bool,
}

impl CellView {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A whole number.
    pub fn count(n: usize) -> Self {
        Self { text: format::fixed(n as f64, 0), sort: Some(n.to_string()), ..Self::default() }
    }

    /// A number with so many decimals.
    pub fn fixed(x: f64, decimals: usize) -> Self {
        Self { text: format::fixed(x, decimals), sort: Some(format::sort_key(x)), ..Self::default() }
    }

    /// A dash that says why.
    pub fn undefined(why: impl Into<String>) -> Self {
        Self { text: format::UNDEFINED.to_owned(), title: Some(why.into()), ..Self::default() }
    }

    /// A number, or a dash that says why not.
    pub fn maybe(x: Option<f64>, decimals: usize, why: &str) -> Self {
        x.map_or_else(|| Self::undefined(why), |x| Self::fixed(x, decimals))
    }

    /// A p-value, or a dash that says why not.
    pub fn p_value(p: Option<f64>, why: &str) -> Self {
        match p {
            Some(p) => Self { sort: Some(format::sort_key(p)), ..Self::text(format::p_value(p)) },
            None => Self::undefined(why),
        }
    }

    /// An interval, sorted by its lower end, or a dash that says why not.
    pub fn interval(low: Option<f64>, high: Option<f64>, decimals: usize, why: &str) -> Self {
        match (low, high) {
            (Some(low), Some(high)) => Self {
                sort: Some(format::sort_key(low)),
                ..Self::text(format::interval(low, high, decimals))
            },
            _ => Self::undefined(why),
        }
    }

    /// The same, marked as the best of its kind.
    pub fn strong(self, strong: bool) -> Self {
        Self { strong, ..self }
    }

    /// With a tooltip.
    pub fn explained(self, title: impl Into<String>) -> Self {
        Self { title: Some(title.into()), ..self }
    }
}

/// A row, with what the filter bar goes by.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RowView {
    /// The cells.
    pub cells: Vec<CellView>,
    /// The group that the row is of.
    pub model: Option<String>,
    /// The task that the row is of.
    pub task: Option<String>,
}

/// A table.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TableView {
    /// Anchor.
    pub id: String,
    /// Number in the report.
    pub number: usize,
    /// Title.
    pub title: String,
    /// A sentence on how to read it.
    pub how: String,
    /// Columns.
    pub columns: Vec<ColumnView>,
    /// Rows, 200 at most.
    pub rows: Vec<RowView>,
    /// What is left out, where something is.
    pub left_out: Option<String>,
    /// Where the whole table lies.
    pub data: Option<String>,
    /// The task it belongs to.
    pub task: Option<String>,
}
