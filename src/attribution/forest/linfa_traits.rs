//! The forest behind linfa's traits, so that linfa's own models can be put beside it.

use linfa::dataset::{AsSingleTargets, DatasetBase};
use linfa::traits::{Fit, PredictInplace};
use linfa::{Float, ParamGuard};
use ndarray::{Array1, ArrayBase, Data, Ix2};

use super::{Forest, ForestError, ForestParams};
use crate::attribution::matrix::Matrix;

/// Parameters within their ranges.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomForestValidParams(ForestParams);

/// Parameters not yet checked; linfa's `Fit` checks them first.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomForestParams(RandomForestValidParams);

impl RandomForestParams {
    /// Wraps a forest's parameters.
    pub fn new(params: ForestParams) -> Self {
        Self(RandomForestValidParams(params))
    }
}

impl ParamGuard for RandomForestParams {
    type Checked = RandomForestValidParams;
    type Error = ForestError;

    fn check_ref(&self) -> Result<&Self::Checked, Self::Error> {
        self.0.0.check()?;
        Ok(&self.0)
    }

    fn check(self) -> Result<Self::Checked, Self::Error> {
        self.0.0.check()?;
        Ok(self.0)
    }
}

/// A forest fitted to a linfa `Dataset`, with the class labels it was given.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedForest {
    /// The forest itself.
    pub forest: Forest,
    /// The label of each class, ascending.
    pub labels: Vec<usize>,
}

/// The records as our matrix.
fn matrix_of<F: Float, D: Data<Elem = F>>(records: &ArrayBase<D, Ix2>) -> Matrix {
    let values = records.iter().map(|v| v.to_f32().unwrap_or(f32::NAN)).collect();
    Matrix { columns: records.ncols(), values }
}

impl<F: Float, D: Data<Elem = F>, T: AsSingleTargets<Elem = usize>> Fit<ArrayBase<D, Ix2>, T, ForestError>
    for RandomForestValidParams
{
    type Object = FittedForest;

    /// Fits a forest; see [`Forest::fit`]. Labels can be any numbers; there may be up to 64 different ones.
    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<FittedForest, ForestError> {
        let targets = dataset.targets.as_single_targets();
        let mut labels: Vec<usize> = targets.iter().copied().collect();
        labels.sort_unstable();
        labels.dedup();
        let classes: Vec<u8> = targets
            .iter()
            .map(|label| labels.binary_search(label).unwrap_or_default().min(usize::from(u8::MAX)) as u8)
            .collect();
        let forest = Forest::fit(&matrix_of(&dataset.records), &classes, labels.len(), &self.0)?;
        Ok(FittedForest { forest, labels })
    }
}

impl<F: Float, D: Data<Elem = F>> PredictInplace<ArrayBase<D, Ix2>, Array1<usize>> for FittedForest {
    /// Predicts the label of every row.
    ///
    /// # Panics
    /// As linfa's own models do, when `x` has another number of columns than the forest was fitted to.
    fn predict_inplace<'a>(&'a self, x: &'a ArrayBase<D, Ix2>, y: &mut Array1<usize>) {
        assert_eq!(x.ncols(), self.forest.columns(), "the forest was fitted to another number of columns");
        let classes = self.forest.predict(&self.forest.bins.by_row(&matrix_of(x)));
        for (label, class) in y.iter_mut().zip(classes) {
            *label = self.labels[usize::from(class)];
        }
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array1<usize> {
        Array1::zeros(x.nrows())
    }
}
