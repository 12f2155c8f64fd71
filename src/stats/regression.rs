//! Two paired samples: the least-squares line with the uncertainty of its slope and of its mean.

use serde::{Deserialize, Serialize};

use super::correlation::{p_from_r, pearson_r};
use super::dist::{check_level, t_critical};
use super::interval::{Interval, LEVEL};
use super::numeric::{Sum, centre, check_pairs, co_deviation, finite, is_constant};
use super::undefined::{Input, Stat, Undefined};

/// An ordinary-least-squares line `y = intercept + slope·x`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Number of pairs.
    pub n: usize,
    /// `Σdx·dy / Σdx²`, in units of y per unit of x.
    pub slope: f64,
    /// `mean y − slope · mean x`, in the unit of y.
    pub intercept: f64,
    /// Share of y's variance that the line explains, in [0, 1]; undefined for constant y.
    pub r_squared: Stat<f64>,
    /// Standard error of the slope, `s/√Σdx²`; undefined for n < 3.
    pub slope_se: Stat<f64>,
    /// 95 % interval of the slope, `slope ± t·se`, t with n−2 degrees of freedom; undefined for n < 3.
    pub slope_interval: Stat<Interval>,
    /// Two-sided p of slope = 0 (that of the correlation); undefined for n < 3 and for constant y.
    pub slope_p: Stat<f64>,
    /// Residual standard deviation `s = √(Σe²/(n−2))`, in the unit of y; undefined for n < 3.
    pub residual_sd: Stat<f64>,
    /// Mean of x, where the band is narrowest.
    pub x_mean: f64,
    /// `√Σdx²`, in the unit of x.
    pub x_spread: f64,
}

/// Fits the line by least squares on centred, scaled values. Constant y gives a level line without r² and p.
///
/// Reference: Draper and Smith 1998, Applied Regression Analysis, 3rd ed., ch. 1.
///
/// # Errors
///
/// Undefined: unequal lengths; n < 2; x constant (see [`is_constant`]); a value that is not finite; a
/// coefficient beyond the largest float.
pub fn fit_line(x: &[f64], y: &[f64]) -> Result<Line, Undefined> {
    check_pairs(x, y, 2)?;
    if is_constant(x) {
        return Err(Undefined::Constant { which: Input::X });
    }
    let n = x.len();
    let (cx, mut cy) = (centre(x), centre(y));
    let level = is_constant(y);
    if level {
        cy.deviations.fill(0.0); // what is left is float noise
    }
    let x_squares = co_deviation(&cx.deviations, &cx.deviations);
    let scaled_slope = co_deviation(&cx.deviations, &cy.deviations) / x_squares;
    // Both scales are powers of two, so this only moves the exponent.
    let unit = cx.scale / cy.scale;
    let slope = finite(scaled_slope * unit)?;

    let residuals: Sum =
        cx.deviations.iter().zip(&cy.deviations).map(|(dx, dy)| (dy - scaled_slope * dx).powi(2)).collect();
    let scaled_sd = if n < 3 {
        Err(Undefined::TooFew { n, needed: 3 })
    } else {
        Ok((residuals.value() / (n - 2) as f64).sqrt())
    };
    let slope_se = scaled_sd.and_then(|s| finite(s / x_squares.sqrt() * unit));
    let interval = |se: f64| Interval::around(slope, t_critical(LEVEL, (n - 2) as f64)? * se, LEVEL);
    let r = if level { Err(Undefined::Constant { which: Input::Y }) } else { Ok(pearson_r(&cx, &cy)) };
    Ok(Line {
        n,
        slope,
        intercept: finite(cy.mean - slope * cx.mean)?,
        r_squared: r.map(|r| r * r).into(),
        slope_se: slope_se.into(),
        slope_interval: slope_se.and_then(interval).into(),
        slope_p: r.and_then(|r| p_from_r(r, n)).into(),
        residual_sd: scaled_sd.and_then(|s| finite(s / cy.scale)).into(),
        x_mean: cx.mean,
        x_spread: finite(x_squares.sqrt() / cx.scale)?,
    })
}

impl Line {
    /// The line's y at `x`, in the unit of y.
    pub fn at(&self, x: f64) -> f64 {
        self.intercept + self.slope * x
    }

    /// Confidence band of the *mean* of y at `x`: `ŷ ± t·s·√(1/n + (x − mean x)²/Σdx²)`, t with n−2 degrees
    /// of freedom; in the unit of y. Single observations scatter wider, and the band holds point by point, not
    /// for the whole line at once.
    ///
    /// Reference: Draper and Smith 1998, ch. 3.
    ///
    /// # Errors
    ///
    /// Undefined: n < 3; a level outside (0, 1); ends beyond the largest float.
    pub fn band(&self, x: f64, level: f64) -> Result<Interval, Undefined> {
        check_level(level)?;
        let s = Result::from(self.residual_sd)?;
        let t = t_critical(level, self.n.saturating_sub(2) as f64)?;
        let distance = (x - self.x_mean) / self.x_spread;
        Interval::around(self.at(x), t * s * (1.0 / self.n as f64 + distance * distance).sqrt(), level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(got: f64, want: f64) {
        assert!((got - want).abs() <= 1e-9 * want.abs(), "{got:e} for {want:e}");
    }

    /// Anscombe 1973, The American Statistician 27:17–21, data set I.
    const X: [f64; 11] = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
    const Y: [f64; 11] = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];

    #[test]
    fn anscombes_line_agrees_with_statsmodels() {
        // statsmodels 0.15.0: OLS(y, add_constant(x)).fit()
        let line = fit_line(&X, &Y).unwrap();
        near(line.slope, 0.500_090_909_090_909_3);
        near(line.intercept, 3.000_090_909_090_907_6);
        near(*line.r_squared.value().unwrap(), 0.666_542_459_508_775);
        near(*line.slope_se.value().unwrap(), 0.117_905_500_595_634_1);
        near(*line.slope_p.value().unwrap(), 0.002_169_628_873_078_794);
        near(*line.residual_sd.value().unwrap(), 1.236_603_322_726_321);
        let interval = line.slope_interval.value().unwrap();
        near(interval.low, 0.233_370_136_385_187_55);
        near(interval.high, 0.766_811_681_796_631);
        // get_prediction([[1, 10], [1, 20]]).conf_int(alpha=0.05), .conf_int(alpha=0.1)
        let (middle, far) = (line.band(10.0, 0.95).unwrap(), line.band(20.0, 0.9).unwrap());
        near(middle.low, 7.116_387_273_141_457_5);
        near(middle.high, 8.885_612_726_858_545);
        near(far.low, 10.528_141_270_725_836);
        near(far.high, 15.475_676_911_092_35);
    }

    #[test]
    fn the_unit_of_either_axis_does_not_matter() {
        let plain = fit_line(&X, &Y).unwrap();
        let scaled = fit_line(&X.map(|v| v * 1e200), &Y.map(|v| v * 1e-100)).unwrap();
        near(scaled.slope, plain.slope * 1e-300);
        near(*scaled.slope_se.value().unwrap(), *plain.slope_se.value().unwrap() * 1e-300);
        near(scaled.band(2e201, 0.9).unwrap().low, 10.528_141_270_725_836e-100);
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "the expected values are exact")]
    fn level_short_and_impossible_lines() {
        let level = fit_line(&[1.0, 2.0, 3.0, 4.0], &[0.3, 0.1 + 0.2, 0.3, 0.3]).unwrap();
        assert_eq!(level.slope, 0.0);
        assert_eq!(level.r_squared.reason(), Some(Undefined::Constant { which: Input::Y }));
        assert_eq!(level.slope_p.reason(), level.r_squared.reason());

        let short = fit_line(&[1.0, 3.0], &[1.0, 5.0]).unwrap();
        assert_eq!((short.slope, short.intercept, short.at(2.0)), (2.0, -1.0, 3.0));
        assert_eq!(short.slope_se.reason(), Some(Undefined::TooFew { n: 2, needed: 3 }));
        assert!(short.band(2.0, 0.95).is_err() && level.band(2.0, 1.5).is_err());

        assert_eq!(fit_line(&[2.0, 2.0], &[1.0, 5.0]), Err(Undefined::Constant { which: Input::X }));
        assert_eq!(fit_line(&[0.0, 1e-300], &[0.0, 1e300]), Err(Undefined::Overflow));
    }
}
