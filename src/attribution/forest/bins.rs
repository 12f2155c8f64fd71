//! Quantile bins: each feature becomes one byte, so that a split search is a count over at most 256 bins.

use rayon::prelude::*;

use crate::attribution::matrix::Matrix;

/// Most bins a feature can have.
pub const MAX_BINS: usize = 256;

/// The bin borders of every feature, learned from the training rows.
///
/// A feature with at most [`MAX_BINS`] distinct values gets a border midway between neighbours, so nothing is lost; one
/// with more gets borders at the quantiles q/256.
#[derive(Clone, Debug, PartialEq)]
pub struct Bins {
    /// Ascending borders by feature; value `v` falls in the bin numbered by the borders below `v`.
    borders: Vec<Vec<f32>>,
}

/// Binned rows, kept by column for fitting.
#[derive(Clone, Debug, PartialEq)]
pub struct BinnedColumns {
    /// Number of rows.
    pub rows: usize,
    /// `columns × rows` bins, column by column.
    pub bins: Vec<u8>,
    /// Number of bins by column.
    pub counts: Vec<u16>,
}

/// Binned rows, kept by row for prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct BinnedRows {
    /// Number of features.
    pub columns: usize,
    /// `rows × columns` bins, row by row.
    pub bins: Vec<u8>,
}

impl BinnedColumns {
    /// One column.
    pub fn column(&self, column: usize) -> &[u8] {
        &self.bins[column * self.rows..(column + 1) * self.rows]
    }
}

impl BinnedRows {
    /// Number of rows; 0 without columns.
    pub fn rows(&self) -> usize {
        self.bins.len().checked_div(self.columns).unwrap_or(0)
    }

    /// One row.
    pub fn row(&self, row: usize) -> &[u8] {
        &self.bins[row * self.columns..(row + 1) * self.columns]
    }
}

impl Bins {
    /// Learns the borders of each column of `x`.
    pub fn learn(x: &Matrix) -> Self {
        Self { borders: (0..x.columns).into_par_iter().map(|c| column_borders(x.column(c))).collect() }
    }

    /// Number of features.
    pub fn columns(&self) -> usize {
        self.borders.len()
    }

    /// The bin of value `v` of a feature.
    pub fn bin(&self, feature: usize, v: f32) -> u8 {
        self.borders[feature].partition_point(|&border| border < v) as u8
    }

    /// Bins by column.
    pub fn by_column(&self, x: &Matrix) -> BinnedColumns {
        let rows = x.rows();
        let mut bins = vec![0u8; rows * self.columns()];
        if rows > 0 {
            bins.par_chunks_mut(rows).enumerate().for_each(|(c, column)| {
                for (row, bin) in column.iter_mut().enumerate() {
                    *bin = self.bin(c, x.values[row * x.columns + c]);
                }
            });
        }
        BinnedColumns { rows, bins, counts: self.borders.iter().map(|b| b.len() as u16 + 1).collect() }
    }

    /// Bins by row.
    pub fn by_row(&self, x: &Matrix) -> BinnedRows {
        let columns = self.columns();
        let mut bins = vec![0u8; x.rows() * columns];
        if columns > 0 {
            bins.par_chunks_mut(columns).zip(x.values.par_chunks(columns)).for_each(|(bins, values)| {
                for (c, (bin, &v)) in bins.iter_mut().zip(values).enumerate() {
                    *bin = self.bin(c, v);
                }
            });
        }
        BinnedRows { columns, bins }
    }
}

/// The borders of one column's values.
fn column_borders(mut values: Vec<f32>) -> Vec<f32> {
    values.sort_unstable_by(f32::total_cmp);
    let mut distinct = values.clone();
    distinct.dedup();
    let middle = |a: f32, b: f32| {
        // The half-way point of two neighbouring floats can round up to the larger one, which would join the bins.
        let m = 0.5 * a + 0.5 * b;
        if m < b { m } else { a }
    };
    if distinct.len() <= MAX_BINS {
        return distinct.windows(2).map(|w| middle(w[0], w[1])).collect();
    }
    let mut borders: Vec<f32> = Vec::with_capacity(MAX_BINS - 1);
    for q in 1..MAX_BINS {
        let at = q * values.len() / MAX_BINS;
        let border = middle(values[at - 1], values[at]);
        if borders.last().is_none_or(|&last| border > last) {
            borders.push(border);
        }
    }
    borders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_keep_their_own_bins() {
        let x = Matrix { columns: 1, values: vec![3.0, 1.0, 1.0, 7.0] };
        let bins = Bins::learn(&x);
        assert_eq!(bins.by_column(&x).bins, [1, 0, 0, 2]);
        assert_eq!((bins.bin(0, 1.9), bins.bin(0, 2.1), bins.bin(0, 99.0)), (0, 1, 2));
        assert_eq!(bins.by_row(&x).bins, [1, 0, 0, 2]);
    }

    #[test]
    fn many_values_fall_into_equal_quantiles() {
        let x = Matrix { columns: 1, values: (0..2560).map(|i| i as f32).collect() };
        let binned = Bins::learn(&x).by_column(&x);
        assert_eq!(binned.counts, [256]);
        let mut counts = [0; 256];
        binned.bins.iter().for_each(|&bin| counts[usize::from(bin)] += 1);
        assert_eq!(counts, [10; 256]);
    }

    #[test]
    fn neighbouring_floats_stay_apart() {
        let a = 1.0f32;
        let b = f32::from_bits(a.to_bits() + 1);
        let x = Matrix { columns: 1, values: vec![a, b] };
        assert_eq!(Bins::learn(&x).by_column(&x).bins, [0, 1]);
    }

    #[test]
    fn a_constant_or_empty_column_has_one_bin() {
        let x = Matrix { columns: 1, values: vec![2.0; 5] };
        assert_eq!(Bins::learn(&x).by_column(&x).counts, [1]);
        assert_eq!(Bins::learn(&Matrix::with_columns(2)).columns(), 2);
    }
}
