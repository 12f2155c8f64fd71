//! Where agents are, as bits by rows and by columns.

use crate::model::Cell;

const BITS: usize = u64::BITS as usize;

/// The cells with agents on a map.
#[derive(Clone, Debug)]
pub(super) struct Occupancy {
    rows: Lines,
    columns: Lines,
}

/// Lines of bits.
#[derive(Clone, Debug)]
struct Lines {
    words: Vec<u64>,
    length: i32,
    words_per_line: usize,
}

impl Lines {
    fn new(lines: u32, length: u32) -> Self {
        let words_per_line = (length as usize).div_ceil(BITS);
        Self { words: vec![0; lines as usize * words_per_line], length: length as i32, words_per_line }
    }

    fn set(&mut self, line: i32, at: i32, taken: bool) {
        let (line, at) = (line as usize, at as usize);
        let word = &mut self.words[line * self.words_per_line + at / BITS];
        let bit = 1 << (at % BITS);
        *word = if taken { *word | bit } else { *word & !bit };
    }

    /// Whether any of the bits from `first` to `last` of a line is set; there are none outside.
    fn any(&self, line: i32, first: i32, last: i32) -> bool {
        let (first, last) = (first.max(0), last.min(self.length - 1));
        let Ok(line) = usize::try_from(line) else { return false };
        let Some(words) = self.words.chunks_exact(self.words_per_line).nth(line) else { return false };
        if first > last {
            return false;
        }
        let (first, last) = (first as usize, last as usize);
        words[first / BITS..=last / BITS].iter().enumerate().any(|(place, word)| {
            let start = (first / BITS + place) * BITS;
            let from = if first > start { !0 << (first - start) } else { !0 };
            let to = if last < start + BITS - 1 { !0 >> (start + BITS - 1 - last) } else { !0 };
            word & from & to != 0
        })
    }
}

impl Occupancy {
    /// An empty map.
    pub(super) fn new(width: u32, height: u32) -> Self {
        Self { rows: Lines::new(height, width), columns: Lines::new(width, height) }
    }

    /// Notes whether there is an agent in a cell of the map.
    pub(super) fn set(&mut self, cell: Cell, taken: bool) {
        self.rows.set(cell.y, cell.x, taken);
        self.columns.set(cell.x, cell.y, taken);
    }

    /// Whether there is an agent on the outline of the square of side `last` + 1 from that top left corner.
    pub(super) fn meets_square(&self, corner: Cell, last: i32) -> bool {
        let (right, bottom) = (corner.x + last, corner.y + last);
        self.rows.any(corner.y, corner.x, right)
            || self.rows.any(bottom, corner.x, right)
            || self.columns.any(corner.x, corner.y, bottom)
            || self.columns.any(right, corner.y, bottom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::rng::Stream;

    #[test]
    fn outlines_meet_the_agents_on_them() {
        let mut stream = Stream::new(6, "occupancy");
        for _ in 0..300 {
            let (width, height) = (1 + stream.below(150), 1 + stream.below(150));
            let mut map = Occupancy::new(width as u32, height as u32);
            let agents: Vec<Cell> =
                (0..3).map(|_| Cell::new(stream.below(width) as i32, stream.below(height) as i32)).collect();
            agents.iter().for_each(|agent| map.set(*agent, true));
            let last = 1 + stream.below(90) as i32;
            for _ in 0..200 {
                let corner = Cell::new(stream.below(250) as i32 - 100, stream.below(250) as i32 - 100);
                let on = |agent: &Cell| {
                    let (x, y) = (agent.x - corner.x, agent.y - corner.y);
                    let within = (0..=last).contains(&x) && (0..=last).contains(&y);
                    within && (x == 0 || x == last || y == 0 || y == last)
                };
                assert_eq!(map.meets_square(corner, last), agents.iter().any(on));
            }
        }
    }
}
