//! How well classes were predicted: accuracy and macro F1.

/// A confusion matrix: counts by true class (row) and predicted class (column).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confusion {
    classes: usize,
    counts: Vec<u32>,
}

impl Confusion {
    /// An empty matrix.
    pub fn new(classes: usize) -> Self {
        Self { classes, counts: vec![0; classes * classes] }
    }

    /// The matrix of these true and predicted classes.
    pub fn of(truth: &[u8], predicted: &[u8], classes: usize) -> Self {
        let mut matrix = Self::new(classes);
        for (&t, &p) in truth.iter().zip(predicted) {
            matrix.add(t, p);
        }
        matrix
    }

    /// Counts one row.
    pub fn add(&mut self, truth: u8, predicted: u8) {
        self.counts[usize::from(truth) * self.classes + usize::from(predicted)] += 1;
    }

    /// Adds another matrix's counts.
    pub fn merge(&mut self, other: &Self) {
        for (sum, n) in self.counts.iter_mut().zip(&other.counts) {
            *sum += n;
        }
    }

    /// This matrix with changes by true and predicted class added.
    pub(crate) fn moved(&self, changes: &[i32]) -> Self {
        let counts = self.counts.iter().zip(changes).map(|(&n, &d)| n.saturating_add_signed(d)).collect();
        Self { classes: self.classes, counts }
    }

    /// Rows of class `truth` predicted as `predicted`.
    pub fn count(&self, truth: usize, predicted: usize) -> u32 {
        self.counts[truth * self.classes + predicted]
    }

    /// Share of rows predicted rightly, in [0, 1]; `None` without rows.
    pub fn accuracy(&self) -> Option<f64> {
        let all: u64 = self.counts.iter().map(|&n| u64::from(n)).sum();
        let right: u64 = (0..self.classes).map(|c| u64::from(self.count(c, c))).sum();
        (all > 0).then(|| right as f64 / all as f64)
    }

    /// F1 of one class, `2·TP / (2·TP + FP + FN)`, in [0, 1]; `None` when the class occurs neither among the true nor
    /// among the predicted classes.
    pub fn f1(&self, class: usize) -> Option<f64> {
        let right = u64::from(self.count(class, class));
        let row: u64 = (0..self.classes).map(|c| u64::from(self.count(class, c))).sum();
        let column: u64 = (0..self.classes).map(|c| u64::from(self.count(c, class))).sum();
        (row + column > 0).then(|| 2.0 * right as f64 / (row + column) as f64)
    }

    /// Macro F1: the mean of [`Self::f1`] over the classes that occur, in [0, 1]; `None` without rows.
    ///
    /// The same as scikit-learn's `f1_score(average="macro")`, which takes the labels that occur among the true or the
    /// predicted classes.
    pub fn macro_f1(&self) -> Option<f64> {
        let (mut sum, mut n) = (0.0, 0u32);
        for f1 in (0..self.classes).filter_map(|class| self.f1(class)) {
            sum += f1;
            n += 1;
        }
        (n > 0).then(|| sum / f64::from(n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values by hand: classes 0, 1, 2 with TP 2, 1, 0; FP 1, 0, 1; FN 0, 1, 1.
    #[test]
    fn f1_by_hand() {
        let m = Confusion::of(&[0, 0, 1, 1, 2], &[0, 0, 1, 2, 0], 4);
        assert_eq!(m.f1(0), Some(4.0 / 5.0));
        assert_eq!(m.f1(1), Some(2.0 / 3.0));
        assert_eq!(m.f1(2), Some(0.0));
        assert_eq!(m.f1(3), None);
        let mean = (0.8 + 2.0 / 3.0) / 3.0;
        assert!((m.macro_f1().unwrap() - mean).abs() < 1e-15);
        assert_eq!(m.accuracy(), Some(0.6));
    }

    #[test]
    fn nothing_is_undefined() {
        assert_eq!((Confusion::new(3).macro_f1(), Confusion::new(3).accuracy()), (None, None));
    }
}
