//! Pairs of agents at Manhattan distance 1.

use crate::model::{AgentIx, Cell, Placed};

/// Up to this many agents, comparing all pairs is faster than sorting.
const FEW: usize = 24;

/// Every pair (smaller agent number first) at Manhattan distance 1.
pub(super) fn adjacent_pairs(positions: &[Placed]) -> impl Iterator<Item = (AgentIx, AgentIx)> + '_ {
    let pairs = if positions.len() <= FEW { by_comparison(positions) } else { by_sorting(positions) };
    pairs.into_iter()
}

fn by_comparison(positions: &[Placed]) -> Vec<(AgentIx, AgentIx)> {
    let mut pairs = Vec::new();
    for (i, a) in positions.iter().enumerate() {
        for b in &positions[i + 1..] {
            if a.cell.manhattan(b.cell) == 1 {
                pairs.push((a.agent, b.agent));
            }
        }
    }
    pairs
}

/// Sorts agents by cell and looks to the right and down of each.
fn by_sorting(positions: &[Placed]) -> Vec<(AgentIx, AgentIx)> {
    let mut by_cell: Vec<(Cell, AgentIx)> =
        positions.iter().map(|placed| (placed.cell, placed.agent)).collect();
    by_cell.sort_unstable();
    let mut pairs = Vec::new();
    for &(cell, a) in &by_cell {
        for neighbour in [cell.offset(1, 0), cell.offset(0, 1)] {
            if neighbour == cell {
                continue; // at the end of the range of coordinates
            }
            let from = by_cell.partition_point(|&(other, _)| other < neighbour);
            for &(_, b) in by_cell[from..].iter().take_while(|&&(other, _)| other == neighbour) {
                pairs.push((a.min(b), a.max(b)));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_agree() {
        let mut stream = crate::stats::rng::Stream::new(1, "adjacency");
        for n in [0, 1, 2, 10, 60] {
            let positions: Vec<Placed> = (0..n)
                .map(|i| Placed {
                    agent: AgentIx(i),
                    cell: Cell::new(stream.below(8) as i32, stream.below(8) as i32),
                })
                .collect();
            let mut expected = by_comparison(&positions);
            expected.sort_unstable();
            assert_eq!(by_sorting(&positions), expected, "{n} agents");
        }
    }
}
