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
use super::format;
use crate::analysis::CorrelationRow;

/// A p-value's cell.
fn p_cell(p: Option<f64>, why: &str) -> CellView {
    match p {
        Some(p) => CellView { sort: Some(format::sort_key(p)), ..CellView::text(format::p_value(p)) },
        None => CellView::undefined(why),
    }
}

/// An interval's cell.
fn interval_cell(low: Option<f64>, high: Option<f64>, why: &str) -> CellView {
    match (low, high) {
        (Some(low), Some(high)) => {
            CellView { sort: Some(format::sort_key(low)), ..CellView::text(format::interval(low, high, 2)) }
        }
        _ => CellView::undefined(why),
    }
}

/// A row in the form of Table S.7: these cells, then n, r, its interval, p and Holm's p.
fn correlation_cells(mut cells: Vec<CellView>, row: &CorrelationRow) -> RowView {
    let why = row.reason.as_deref().unwrap_or("n < 4");
    cells.extend([
        CellView::count(row.n),
        CellView::maybe(row.r, 2, why),
        interval_cell(row.ci_low, row.ci_high, why),
        p_cell(row.p, why),
        p_cell(row.p_holm, why),
    ]);
    RowView { cells, model: None, task: Some(row.task.clone()) }
}
