//! The report: one page that shows an [`Analysis`] and computes nothing.
//!
//! Each row of [`SECTIONS`] turns its part of the analysis into sentences, figures and tables ([`Block`]s); [`render`]
//! numbers them, keeps the page within its size and fills the templates. [`mod@format`] is the one place that rounds.

mod block;
mod draft;
mod folder;
pub mod format;
mod page;
mod sections;
mod slug;

use crate::analysis::Analysis;

pub use block::{Align, Block, CellView, ColumnView, FigureView, RowView, TableView};
pub use draft::{Draft, FigureSpec, TableSpec};
pub use folder::{ReportFolder, write_report};
pub use page::{Rendered, render};
pub use slug::{slug, unique_slugs};

/// What a section has to say.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Content {
    /// What was found, in sentences, the most important first.
    pub lead: Vec<String>,
    /// Figures and tables.
    pub blocks: Vec<Block>,
    /// How it is computed, for the fold-out.
    pub how: Vec<String>,
    /// What else the section's own template shows.
    pub extra: serde_json::Value,
}

/// A section of the report: one row of the registry.
pub struct Section {
    /// Anchor.
    pub id: &'static str,
    /// Title.
    pub title: &'static str,
    /// The template's text, filled with the section's content.
    pub template: &'static str,
    /// Makes the content; `None` where the analysis has nothing for it.
    pub build: fn(&Analysis, &mut Draft) -> Option<Content>,
}

/// Most sections: sentences, blocks, fold-out.
pub const PLAIN: &str = include_str!("../../templates/sections/plain.html");

/// Every section, in the order of the page.
pub const SECTIONS: &[Section] = &[
    sections::summary::SECTION,
    sections::coverage::SECTION,
    sections::leaderboard::SECTION,
    sections::scores::SECTION,
    sections::dynamics::SECTION,
    sections::correlations::SECTION,
    sections::failure::SECTION,
    sections::protocol::SECTION,
    sections::drivers::SECTION,
    sections::trajectories::scores::SECTION,
    sections::trajectories::gains::SECTION,
    sections::trajectories::refinement::SECTION,
    sections::trajectories::aggregation::SECTION,
    sections::trajectories::cost::SECTION,
    sections::trajectories::checks::SECTION,
    sections::trajectories::examples::SECTION,
    sections::communication::mechanisms::SECTION,
    sections::communication::differences::SECTION,
    sections::communication::rounds::SECTION,
    sections::communication::graphs::SECTION,
    sections::communication::failures::SECTION,
    sections::runs::SECTION,
    sections::findings::SECTION,
    sections::methods::SECTION,
];
