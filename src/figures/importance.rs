//! Permutation importance as bars.

use super::bars::{Bar, BarPart, Bars};
use super::key::Key;
use super::scale::Axis;
use super::{Drawn, Width};

/// Bars of how much a measure of prediction drops when a feature is permuted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Importance {
    /// Accessible name.
    pub title: String,
    /// Accessible description.
    pub description: String,
    /// The measure, for example `macro-F1`.
    pub measure: String,
    /// Features in the order in which they are shown.
    pub rows: Vec<ImportanceRow>,
    /// A line across all features, for example the drop that permuting noise gives, and its name.
    pub baseline: Option<(f64, String)>,
    /// How wide.
    pub width: Width,
}

/// A feature of [`Importance`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportanceRow {
    /// The feature's name.
    pub label: String,
    /// What kind of feature, for example `observation` or `message`; the legend has one entry each.
    pub kind: Key,
    /// Mean drop.
    pub drop: Option<f64>,
    /// Lower end of the interval.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
    /// Drops of the single permutations or folds.
    pub points: Vec<f64>,
    /// Text at the right.
    pub note: String,
}

impl Importance {
    /// Draws the figure.
    ///
    /// # Errors
    /// No feature has a drop.
    pub fn draw(&self) -> Drawn {
        let rows = self.rows.iter().map(|row| {
            let part = BarPart {
                key: row.kind.clone(),
                value: row.drop,
                low: row.low,
                high: row.high,
                points: row.points.clone(),
                detail: String::new(),
            };
            Bar { label: row.label.clone(), parts: vec![part], note: row.note.clone() }
        });
        let bars = Bars {
            title: self.title.clone(),
            description: self.description.clone(),
            value: Axis::new(format!("Drop in {} when permuted", self.measure)),
            rows: rows.collect(),
            stacked: false,
            reference: self.baseline.clone(),
            width: self.width,
        };
        bars.draw()
    }
}
