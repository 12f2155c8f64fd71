//! One file per section.

pub(super) mod communication;
pub(super) mod correlations;
pub(super) mod coverage;
pub(super) mod drivers;
pub(super) mod dynamics;
pub(super) mod failure;
pub(super) mod findings;
pub(super) mod leaderboard;
pub(super) mod methods;
pub(super) mod protocol;
pub(super) mod runs;
pub(super) mod scores;
pub(super) mod summary;
pub(super) mod trajectories;

use super::block::{CellView, RowView};
use crate::analysis::CorrelationRow;

/// A row in the form of Table S.7: these cells, then n, r, its interval, p and Holm's p.
fn correlation_cells(mut cells: Vec<CellView>, row: &CorrelationRow) -> RowView {
    let why = row.reason.as_deref().unwrap_or("n < 4");
    cells.extend([
        CellView::count(row.n),
        CellView::maybe(row.r, 2, why),
        CellView::interval(row.ci_low, row.ci_high, 2, why),
        CellView::p_value(row.p, why),
        CellView::p_value(row.p_holm, why),
    ]);
    RowView { cells, model: None, task: Some(row.task.clone()) }
}
