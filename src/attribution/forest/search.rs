//! Which search a node's features get.

#![expect(clippy::inline_always, reason = "only what is inlined into `grow_avx2` is compiled for AVX2")]

use super::few::{self, SORT_UP_TO};
use super::grow::Data;
use super::lanes::{Batch, COUNTED_TOTAL, KEY_CLASSES, LANES, Lanes, SMALL_TOTAL};
use super::scan::{Found, NodeRows, Table};

/// Room for the searches, and what they found last.
pub(super) struct Search<const L: usize> {
    table: Table<L>,
    lanes: Lanes,
    /// What is known of the features given to [`Search::several`].
    ready: [Option<Found>; LANES],
}

impl<const L: usize> Search<L> {
    pub(super) fn new(classes: usize) -> Self {
        Self { table: Table::new(classes), lanes: Lanes::new(), ready: [None; LANES] }
    }

    /// Searches those of at most [`LANES`] features that are worth searching side by side.
    #[inline(always)]
    pub(super) fn several(&mut self, data: Data<'_>, features: &[u16], node: NodeRows<'_, L>) {
        self.ready = [None; LANES];
        let (mut two_bins, mut more) = (Batch::EMPTY, Batch::EMPTY);
        for (place, &feature) in features.iter().enumerate() {
            match data.by_column.counts[usize::from(feature)] {
                0 | 1 => self.ready[place % LANES] = Some(Found::Constant),
                2 => two_bins.push(feature, place),
                _ => more.push(feature, place),
            }
        }
        if two_bins.len() > 0 && node.total < COUNTED_TOTAL {
            let found = self.lanes.count_two_bins(data.by_row, &two_bins, node);
            two_bins.hand_out(&found, &mut self.ready);
        }
        if more.len() > 1 && L <= KEY_CLASSES && node.total < SMALL_TOTAL {
            let found = self.lanes.sort(data.by_row, &more, data.classes, node);
            more.hand_out(&found, &mut self.ready);
        }
    }

    /// The best cut of the feature that [`Search::several`] had at this place.
    #[inline(always)]
    pub(super) fn one(&mut self, data: Data<'_>, feature: u16, place: usize, node: NodeRows<'_, L>) -> Found {
        let feature = usize::from(feature);
        match self.ready[place % LANES] {
            Some(found) => found,
            None if node.rows.len() <= SORT_UP_TO => few::search_sorted(data.by_row, feature, node),
            None => {
                let bins = usize::from(data.by_column.counts[feature]);
                self.table.search(data.by_column.column(feature), bins, node)
            }
        }
    }
}
