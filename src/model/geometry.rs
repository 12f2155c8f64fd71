//! Cells and grids of a SwarmBench world.

/// A cell: `x` is the column, `y` the row, both from 0 at the top left; agents that escaped lie outside the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
}

impl Cell {
    /// The cell at column `x`, row `y`.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Manhattan distance |Δx| + |Δy|, in cells.
    pub fn manhattan(self, other: Self) -> u64 {
        u64::from(self.x.abs_diff(other.x)) + u64::from(self.y.abs_diff(other.y))
    }

    /// Chebyshev distance max(|Δx|, |Δy|), in cells.
    pub fn chebyshev(self, other: Self) -> u32 {
        self.x.abs_diff(other.x).max(self.y.abs_diff(other.y))
    }

    /// The cell `dx` to the right and `dy` down; coordinates saturate.
    pub fn offset(self, dx: i32, dy: i32) -> Self {
        Self { x: self.x.saturating_add(dx), y: self.y.saturating_add(dy) }
    }

    /// Whether the cell lies in a grid of this size.
    pub fn inside(self, width: u32, height: u32) -> bool {
        self.x >= 0 && self.y >= 0 && (self.x as u32) < width && (self.y as u32) < height
    }
}

/// A logged grid: one character per cell, row by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// `width * height` cells, row by row; ASCII as logged.
    pub cells: Vec<u8>,
}

impl Grid {
    /// The character at a cell, where the cell is inside.
    pub fn get(&self, cell: Cell) -> Option<u8> {
        if !cell.inside(self.width as u32, self.height as u32) {
            return None;
        }
        self.cells.get(cell.y as usize * self.width + cell.x as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let (a, b) = (Cell::new(1, 2), Cell::new(-2, 6));
        assert_eq!((a.manhattan(b), a.chebyshev(b)), (7, 4));
        assert_eq!(Cell::new(i32::MIN, 0).manhattan(Cell::new(i32::MAX, 0)), u64::from(u32::MAX));
    }

    #[test]
    fn grid_outside_is_none() {
        let grid = Grid { width: 2, height: 1, cells: b"W.".to_vec() };
        assert_eq!(grid.get(Cell::new(1, 0)), Some(b'.'));
        assert_eq!(grid.get(Cell::new(2, 0)), None);
        assert_eq!(grid.get(Cell::new(-1, 0)), None);
    }
}
