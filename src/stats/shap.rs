//! SHAP values of a linear model.

use super::describe::mean;
use super::numeric::finite;
use super::undefined::Undefined;

/// SHAP values of one feature in a linear model: `β·(xᵢ − mean x)` for each observation i, in the unit of the
/// explained variable. Positive where this feature's value lifts the prediction above the average one; they
/// add up to 0 over the observations, and over the features to prediction − mean prediction.
///
/// The features are taken as independent.
///
/// Reference: Lundberg and Lee 2017, "A Unified Approach to Interpreting Model Predictions", NeurIPS,
/// corollary 1.
///
/// # Errors
///
/// Undefined: no values; β or a value not finite; a result beyond the largest float.
pub fn linear_shap(coefficient: f64, x: &[f64]) -> Result<Vec<f64>, Undefined> {
    let mean = mean(x)?;
    if !coefficient.is_finite() {
        return Err(Undefined::NonFinite);
    }
    x.iter().map(|v| finite(coefficient * (v - mean))).collect()
}

/// Global importance of a feature: the mean of the absolute SHAP values, in the unit of the explained
/// variable, ≥ 0.
///
/// Reference: Lundberg et al. 2020, Nature Machine Intelligence 2:56–67.
///
/// # Errors
///
/// Undefined: no values; a value that is not finite.
pub fn mean_absolute_shap(shap: &[f64]) -> Result<f64, Undefined> {
    mean(&shap.iter().map(|v| v.abs()).collect::<Vec<f64>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_worked() {
        let shap = linear_shap(-0.5, &[1.0, 2.0, 6.0]).unwrap(); // mean 3
        assert_eq!(shap, [1.0, 0.5, -1.5]);
        assert_eq!(mean_absolute_shap(&shap), Ok(1.0));
        assert_eq!(linear_shap(1.0, &[]), Err(Undefined::Empty));
        assert_eq!(linear_shap(f64::NAN, &[1.0]), Err(Undefined::NonFinite));
        assert_eq!(linear_shap(1e308, &[-1e308, 1e308]), Err(Undefined::Overflow));
    }
}
