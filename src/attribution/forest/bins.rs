//! Quantile bins: each feature becomes one byte, so that a split search is a count over at most 256 bins.

use rayon::prelude::*;

use crate::attribution::matrix::Matrix;

/// Most bins a feature can have.
pub const MAX_BINS: usize = 256;

/// Rows turned from columns at once.
const ROWS_AT_ONCE: usize = 64;

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

    /// The same bins by row.
    pub fn by_row(&self) -> BinnedRows {
        let columns = self.counts.len();
        let mut bins = vec![0u8; self.bins.len()];
        // Some rows at a time, so that what is written stays in the cache until its neighbours are.
        bins.par_chunks_mut(ROWS_AT_ONCE * columns.max(1)).enumerate().for_each(|(block, bins)| {
            let first = block * ROWS_AT_ONCE;
            for column in 0..columns {
                let from = &self.column(column)[first..];
                for (to, &bin) in bins.iter_mut().skip(column).step_by(columns).zip(from) {
                    *to = bin;
                }
            }
        });
        BinnedRows { columns, bins }
    }
}

/// The columns of two bins, a bit each, kept by row: a fit reads a few of them in each of many rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TwoBinRows {
    /// Bytes a row takes.
    stride: usize,
    bits: Vec<u8>,
    /// Where a row has the bit of a feature; of no meaning for features of more bins.
    places: Vec<BitPlace>,
}

/// The place of a bit in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BitPlace {
    /// The byte.
    pub(super) byte: u16,
    /// The bit in it.
    pub(super) mask: u8,
}

impl TwoBinRows {
    /// Picks the columns of two bins.
    pub(super) fn of(columns: &BinnedColumns) -> Self {
        let chosen: Vec<usize> = (0..columns.counts.len()).filter(|&c| columns.counts[c] == 2).collect();
        let stride = chosen.len().div_ceil(8);
        let mut places = vec![BitPlace::default(); columns.counts.len()];
        for (at, &column) in chosen.iter().enumerate() {
            places[column] = BitPlace { byte: (at / 8) as u16, mask: 1 << (at % 8) };
        }
        let mut bits = vec![0u8; columns.rows * stride];
        bits.par_chunks_mut(stride.max(1)).enumerate().for_each(|(row, bits)| {
            for &column in &chosen {
                let place = places[column];
                if columns.column(column)[row] > 0 {
                    bits[usize::from(place.byte)] |= place.mask;
                }
            }
        });
        Self { stride, bits, places }
    }

    /// The bits of one row.
    #[inline]
    pub(super) fn row(&self, row: usize) -> &[u8] {
        &self.bits[row * self.stride..(row + 1) * self.stride]
    }

    /// Where each row has the bit of a feature.
    #[inline]
    pub(super) fn place(&self, feature: usize) -> BitPlace {
        self.places[feature]
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
    fn columns_turn_into_rows_and_bits() {
        // 130 rows, so that a part of a block is left; columns of three, two, one and two values.
        let value = |row: usize, column: usize| match column {
            0 => row % 3,
            1 => usize::from(row.is_multiple_of(5)),
            2 => 7,
            _ => usize::from(row > 100),
        };
        let values = (0..130 * 4).map(|at| value(at / 4, at % 4) as f32).collect();
        let x = Matrix { columns: 4, values };
        let bins = Bins::learn(&x);
        let by_column = bins.by_column(&x);
        assert_eq!(by_column.by_row(), bins.by_row(&x));
        let bits = TwoBinRows::of(&by_column);
        assert_eq!(bits.stride, 1);
        for row in 0..130 {
            for column in [1, 3] {
                let place = bits.place(column);
                let set = bits.row(row)[usize::from(place.byte)] & place.mask > 0;
                assert_eq!(set, value(row, column) == 1, "row {row}, column {column}");
            }
        }
    }

    #[test]
    fn a_constant_or_empty_column_has_one_bin() {
        let x = Matrix { columns: 1, values: vec![2.0; 5] };
        assert_eq!(Bins::learn(&x).by_column(&x).counts, [1]);
        assert_eq!(Bins::learn(&Matrix::with_columns(2)).columns(), 2);
    }
}
