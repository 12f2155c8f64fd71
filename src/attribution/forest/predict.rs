//! Walking trees: votes and classes of rows.

use rayon::prelude::*;

use super::{BinnedRows, Forest, Node, with_lanes};

/// Rows of one parallel piece of a prediction.
const BLOCK: usize = 256;

/// Rows walked side by side: their loads overlap.
const ABREAST: usize = 8;

/// The leaf that `row` reaches from node `from`.
#[inline]
pub(crate) fn leaf_from(nodes: &[Node], row: &[u8], from: u32) -> u32 {
    let mut node = nodes[from as usize];
    while !node.leaf {
        node = nodes[(node.child + u32::from(row[usize::from(node.feature)] > node.threshold)) as usize];
    }
    node.child
}

/// The class with the most votes; the lowest number on equality.
#[inline]
pub(crate) fn winner(votes: &[u32]) -> u8 {
    let mut best = 0;
    for (class, &n) in votes.iter().enumerate() {
        if n > votes[best] {
            best = class;
        }
    }
    best as u8
}

impl Forest {
    /// Votes of the trees for each row: `rows × lanes` whole numbers, lanes beyond the classes being 0.
    pub(crate) fn votes(&self, rows: &BinnedRows) -> Vec<u32> {
        let mut votes = vec![0u32; rows.rows() * self.lanes];
        votes
            .par_chunks_mut(BLOCK * self.lanes)
            .zip(rows.bins.par_chunks(BLOCK * rows.columns.max(1)))
            .for_each(|(votes, bins)| {
                with_lanes!(self.lanes, L => self.vote_block::<L>(votes, bins, rows.columns));
            });
        votes
    }

    fn vote_block<const L: usize>(&self, votes: &mut [u32], bins: &[u8], columns: usize) {
        let (votes, _) = votes.as_chunks_mut::<L>();
        for tree in &self.trees {
            let (leaves, _) = tree.votes.as_chunks::<L>();
            let mut add = |row: usize, leaf: u32| {
                for (sum, &vote) in votes[row].iter_mut().zip(&leaves[leaf as usize]) {
                    *sum += u32::from(vote);
                }
            };
            let rows = bins.len() / columns;
            let together = rows - rows % ABREAST;
            for first in (0..together).step_by(ABREAST) {
                let mut at = [tree.nodes[0]; ABREAST];
                while at.iter().any(|node| !node.leaf) {
                    for (k, node) in at.iter_mut().enumerate() {
                        if !node.leaf {
                            let bin = bins[(first + k) * columns + usize::from(node.feature)];
                            *node = tree.nodes[(node.child + u32::from(bin > node.threshold)) as usize];
                        }
                    }
                }
                for (k, node) in at.iter().enumerate() {
                    add(first + k, node.child);
                }
            }
            for row in together..rows {
                add(row, leaf_from(&tree.nodes, &bins[row * columns..(row + 1) * columns], 0));
            }
        }
    }

    /// The predicted class of each row: most votes, the lower class on equality.
    pub fn predict(&self, rows: &BinnedRows) -> Vec<u8> {
        self.votes(rows).chunks_exact(self.lanes).map(|votes| winner(&votes[..self.classes])).collect()
    }
}
