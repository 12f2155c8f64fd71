//! Statistics: slices in, numbers out. Knows no files, frames or HTML.
//!
//! Split by the shape of the data: one sample ([`Summary`], [`gini`]), two paired samples ([`pearson`],
//! [`fit_line`]), two independent samples ([`welch`], [`cliffs_delta`]), many p-values ([`holm`]), strata or
//! clusters ([`Bootstrap`]).
//!
//! A statistic is a finite number or says why it is not ([`Undefined`]); there is never a NaN, and never a 0 in place
//! of an unknown. [`Stat`] carries either into files. All inputs are checked for NaN and infinities; values near
//! either end of the range of 64-bit floats are scaled on the way.
//!
//! ```
//! use swarm_analyze::stats::{Undefined, pearson};
//!
//! let found = pearson(&[1.0, 2.0, 3.0, 4.0, 5.0], &[1.0, 3.0, 2.0, 4.0, 5.0])?;
//! assert!((found.r - 0.9).abs() < 1e-12);
//! assert_eq!(pearson(&[1.0, 2.0], &[3.0, 4.0]).unwrap_err().to_string(), "n < 3");
//! # Ok::<(), Undefined>(())
//! ```

mod adjust;
mod bootstrap;
mod concentration;
mod correlation;
mod describe;
mod dist;
mod edit;
mod interval;
mod numeric;
mod permutation;
mod rank;
mod regression;
pub mod rng;
mod shap;
mod two_sample;
mod undefined;

pub use adjust::{benjamini_hochberg, holm};
pub use bootstrap::{Bootstrap, Estimate, RESAMPLES};
pub use concentration::{entropy_bits, gini, normalised_entropy};
pub use correlation::{CompletePairs, Correlation, fisher_interval, p_from_r, pearson, spearman};
pub use describe::{Summary, iqm, max, mean, median, min, population_sd, quantile, sd};
pub use edit::{EditComparer, edit_distance, edit_similarity};
pub use interval::{Interval, LEVEL, mean_interval};
pub use numeric::{CONSTANT_TOLERANCE, is_constant};
pub use permutation::Permutation;
pub use rank::Ranks;
pub use regression::{Line, fit_line};
pub use shap::{linear_shap, mean_absolute_shap};
pub use two_sample::{MannWhitney, Welch, cliffs_delta, mann_whitney, probability_of_improvement, welch};
pub use undefined::{Input, Quantity, Stat, Undefined};
