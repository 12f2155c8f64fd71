//! Which search a node's features get.

#![expect(clippy::inline_always, reason = "only what is inlined into `grow_avx2` is compiled for AVX2")]

use super::few::{self, SORT_UP_TO};
use super::grow::Data;
use super::lanes::{Batch, KEY_CLASSES, Lanes, Outcome, SMALL_TOTAL};
use super::scan::{Found, NodeRows, Table, WIDE_FROM};

/// Room for the searches.
pub(super) struct Search<const L: usize> {
    table: Table<L>,
    lanes: Lanes,
}

impl<const L: usize> Search<L> {
    pub(super) fn new(classes: usize) -> Self {
        Self { table: Table::new(classes), lanes: Lanes::new() }
    }

    /// The best cuts of at most [`super::lanes::LANES`] features, the last one first.
    #[inline(always)]
    pub(super) fn best_cuts(&mut self, data: Data<'_>, features: &[u16], node: NodeRows<'_, L>) -> Outcome {
        let (mut two_bins, mut more) = (Batch::EMPTY, Batch::EMPTY);
        for (place, &feature) in features.iter().rev().enumerate() {
            match data.by_column.counts[usize::from(feature)] {
                0 | 1 => {}
                2 if node.total < WIDE_FROM => two_bins.push(feature, place),
                _ => more.push(feature, place),
            }
        }
        let mut outcome = Outcome::EMPTY;
        if two_bins.len() > 0 {
            let found = self.lanes.count_two_bins(data.two_bins, &two_bins, data.classes, node);
            outcome.put_batch(&two_bins, &found);
        }
        // One alone is quicker by itself.
        if more.len() > 1 && L <= KEY_CLASSES && node.total < SMALL_TOTAL {
            let found = self.lanes.sort(data.by_row, &more, data.classes, node);
            outcome.put_batch(&more, &found);
        } else {
            for (feature, place) in more.iter() {
                outcome.put(place, self.best_cut(data, usize::from(feature), node));
            }
        }
        outcome
    }

    /// The best cut of one feature.
    #[inline(always)]
    fn best_cut(&mut self, data: Data<'_>, feature: usize, node: NodeRows<'_, L>) -> Found {
        if node.rows.len() <= SORT_UP_TO {
            few::search_sorted(data.by_row, feature, node)
        } else {
            let bins = usize::from(data.by_column.counts[feature]);
            self.table.search(data.by_column.column(feature), bins, node)
        }
    }
}
