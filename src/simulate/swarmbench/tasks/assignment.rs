//! Optimal assignment of targets to agents, exact, given up early when it can't beat a bound.

/// Work space, kept from call to call.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Assignment {
    row_price: Vec<i32>,
    column_price: Vec<i32>,
    /// Row (from 1) assigned to a column (from 1); 0 for none.
    row_of: Vec<usize>,
    slack: Vec<i32>,
    came_from: Vec<usize>,
    done: Vec<bool>,
}

impl Assignment {
    /// The least total cost of giving each of `rows` rows a column of its own (`rows` ≤ `columns`); `cost` holds the rows
    /// one after the other.
    ///
    /// # Errors
    /// A lower bound of the total that is at least `bound`, if the total is not below it.
    ///
    /// Hungarian method by shortest augmenting paths (Kuhn 1955; Jonker and Volgenant 1987), O(rows² · columns). The cost
    /// of the rows assigned so far, plus each other row's cheapest column, never exceeds the total: once it
    /// reaches the bound, the search ends.
    pub(in super::super) fn least(
        &mut self,
        cost: &[i32],
        rows: usize,
        columns: usize,
        bound: i32,
    ) -> Result<i32, i32> {
        debug_assert!(rows <= columns && cost.len() >= rows * columns);
        // Prices start at each row's least cost; from then on every step towards an assignment adds to the total.
        self.row_price.clear();
        self.row_price.push(0);
        let rows_of_cost = cost.chunks_exact(columns).take(rows);
        self.row_price.extend(rows_of_cost.map(|line| line.iter().copied().min().unwrap_or(0)));
        let mut least: i32 = self.row_price.iter().sum();
        self.column_price.clear();
        self.column_price.resize(columns + 1, 0);
        self.row_of.clear();
        self.row_of.resize(columns + 1, 0);
        self.came_from.resize(columns + 1, 0);
        for row in 1..=rows {
            if least >= bound {
                return Err(least);
            }
            least += self.assign(cost, row, columns);
        }
        if least < bound { Ok(least) } else { Err(least) }
    }

    /// After a successful [`Self::least`]: for each column, the row that it was given to.
    pub(in super::super) fn rows_by_column(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.row_of.iter().skip(1).map(|row| row.checked_sub(1))
    }

    /// Assigns one more row; returns by how much the total of the assigned rows grows.
    fn assign(&mut self, cost: &[i32], row: usize, columns: usize) -> i32 {
        self.slack.clear();
        self.slack.resize(columns + 1, i32::MAX);
        self.done.clear();
        self.done.resize(columns + 1, false);
        self.row_of[0] = row;
        let (mut column, mut grown) = (0, 0);
        while self.row_of[column] != 0 {
            self.done[column] = true;
            let current = self.row_of[column];
            let line = &cost[(current - 1) * columns..current * columns];
            let (mut step, mut nearest) = (i32::MAX, 0);
            for next in 1..=columns {
                if self.done[next] {
                    continue;
                }
                let reduced = line[next - 1] - self.row_price[current] - self.column_price[next];
                if reduced < self.slack[next] {
                    self.slack[next] = reduced;
                    self.came_from[next] = column;
                }
                if self.slack[next] < step {
                    step = self.slack[next];
                    nearest = next;
                }
            }
            for next in 0..=columns {
                if self.done[next] {
                    self.row_price[self.row_of[next]] += step;
                    self.column_price[next] -= step;
                } else if self.slack[next] != i32::MAX {
                    self.slack[next] -= step;
                }
            }
            grown += step;
            column = nearest;
        }
        while column != 0 {
            let before = self.came_from[column];
            self.row_of[column] = self.row_of[before];
            column = before;
        }
        grown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::rng::Stream;

    /// The least cost by trying every assignment.
    fn by_trial(cost: &[i32], rows: usize, columns: usize, row: usize, taken: u32) -> i32 {
        if row == rows {
            return 0;
        }
        (0..columns)
            .filter(|column| taken >> column & 1 == 0)
            .map(|column| {
                cost[row * columns + column] + by_trial(cost, rows, columns, row + 1, taken | 1 << column)
            })
            .min()
            .unwrap_or(0)
    }

    #[test]
    fn agrees_with_trying_every_assignment() {
        let mut stream = Stream::new(2, "assignment");
        let mut assignment = Assignment::default();
        for _ in 0..500 {
            let rows = 1 + stream.index(5);
            let columns = rows + stream.index(3);
            let cost: Vec<i32> = (0..rows * columns).map(|_| stream.below(12) as i32).collect();
            let least = by_trial(&cost, rows, columns, 0, 0);
            assert_eq!(assignment.least(&cost, rows, columns, i32::MAX), Ok(least));
            assert_eq!(assignment.least(&cost, rows, columns, least + 1), Ok(least));
            assert_eq!(assignment.least(&cost, rows, columns, least), Err(least));
        }
    }
}
