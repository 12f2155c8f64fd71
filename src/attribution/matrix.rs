//! The feature matrix: rows of `f32`, one column per feature.

/// A dense matrix, row by row. Every value is finite: what is undefined has its own indicator column instead.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// Number of columns (features).
    pub columns: usize,
    /// `rows × columns` values, row by row.
    pub values: Vec<f32>,
}

impl Matrix {
    /// An empty matrix with this number of columns.
    pub fn with_columns(columns: usize) -> Self {
        Self { columns, values: Vec::new() }
    }

    /// Number of rows; 0 when there are no columns.
    pub fn rows(&self) -> usize {
        self.values.len().checked_div(self.columns).unwrap_or(0)
    }

    /// One row.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.columns..(row + 1) * self.columns]
    }

    /// One column, copied.
    pub fn column(&self, column: usize) -> Vec<f32> {
        self.values.iter().skip(column).step_by(self.columns.max(1)).copied().collect()
    }

    /// The rows of these numbers, in this order.
    pub fn select(&self, rows: &[usize]) -> Self {
        let mut values = Vec::with_capacity(rows.len() * self.columns);
        for &row in rows {
            values.extend_from_slice(self.row(row));
        }
        Self { columns: self.columns, values }
    }

    /// The columns of these numbers, in this order.
    pub fn select_columns(&self, columns: &[usize]) -> Self {
        let values =
            (0..self.rows()).flat_map(|row| columns.iter().map(move |&c| self.row(row)[c])).collect();
        Self { columns: columns.len(), values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_columns_and_selection() {
        let matrix = Matrix { columns: 2, values: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0] };
        assert_eq!((matrix.rows(), matrix.row(1)), (3, [3.0, 4.0].as_slice()));
        assert_eq!(matrix.column(1), [2.0, 4.0, 6.0]);
        assert_eq!(matrix.select(&[2, 0]).values, [5.0, 6.0, 1.0, 2.0]);
        assert_eq!(matrix.select_columns(&[1]).values, [2.0, 4.0, 6.0]);
        assert_eq!(Matrix::with_columns(0).rows(), 0);
    }
}
