//! Ridge regression by the normal equations; the penalty by leave-one-out.

/// Penalties tried, in units of the number of runs. The smallest is close to least squares, but always solvable.
const PENALTIES: [f64; 6] = [1e-6, 1e-3, 1e-2, 1e-1, 1.0, 10.0];

/// A fitted model.
pub(super) struct Ridge {
    pub(super) penalty: f64,
    pub(super) coefficients: Vec<f64>,
    /// Means of the features over the runs fitted to.
    centre: Vec<f64>,
    /// Mean of the score over them.
    intercept: f64,
}

impl Ridge {
    pub(super) fn predict(&self, row: &[f64]) -> f64 {
        let terms = self.coefficients.iter().zip(row).zip(&self.centre);
        self.intercept + terms.map(|((b, x), c)| b * (x - c)).sum::<f64>()
    }
}

/// Fits to these runs with the penalty whose leave-one-out error is least (the smaller penalty on equality).
pub(super) fn fit(x: &[Vec<f64>], y: &[f64], runs: &[usize]) -> Ridge {
    let n = runs.len() as f64;
    let p = x.first().map_or(0, Vec::len);
    let centre: Vec<f64> = (0..p).map(|j| runs.iter().map(|&run| x[run][j]).sum::<f64>() / n).collect();
    let intercept = runs.iter().map(|&run| y[run]).sum::<f64>() / n;
    let rows: Vec<Vec<f64>> =
        runs.iter().map(|&run| x[run].iter().zip(&centre).map(|(v, c)| v - c).collect()).collect();
    let mut gram = vec![vec![0.0; p]; p];
    let mut moment = vec![0.0; p];
    for (row, &run) in rows.iter().zip(runs) {
        for i in 0..p {
            moment[i] += row[i] * (y[run] - intercept);
            for j in 0..=i {
                gram[i][j] += row[i] * row[j];
            }
        }
    }
    let mut best: Option<(f64, Ridge)> = None;
    for penalty in PENALTIES {
        let factor = cholesky(&gram, penalty * n);
        let coefficients = solve(&factor, &moment);
        // Leave-one-out residuals are r / (1 − h), h the leverage; 1/n is that of the intercept.
        let error: f64 = (rows.iter().zip(runs))
            .map(|(row, &run)| {
                let fitted: f64 = row.iter().zip(&coefficients).map(|(x, b)| x * b).sum();
                let half = forward(&factor, row);
                let leverage = 1.0 / n + half.iter().map(|v| v * v).sum::<f64>();
                ((y[run] - intercept - fitted) / (1.0 - leverage).max(1e-9)).powi(2)
            })
            .sum();
        if best.as_ref().is_none_or(|(least, _)| error < *least) {
            best = Some((error, Ridge { penalty, coefficients, centre: centre.clone(), intercept }));
        }
    }
    best.map_or(Ridge { penalty: 0.0, coefficients: vec![0.0; p], centre, intercept }, |(_, ridge)| ridge)
}

/// Lower Cholesky factor of `gram + add · I`, which is positive definite for `add` > 0.
fn cholesky(gram: &[Vec<f64>], add: f64) -> Vec<Vec<f64>> {
    let p = gram.len();
    let mut factor = vec![vec![0.0; p]; p];
    for i in 0..p {
        for j in 0..=i {
            let inner: f64 = (0..j).map(|k| factor[i][k] * factor[j][k]).sum();
            let value = gram[i][j] - inner + if i == j { add } else { 0.0 };
            factor[i][j] = if i == j { value.max(f64::MIN_POSITIVE).sqrt() } else { value / factor[j][j] };
        }
    }
    factor
}

/// Solves `L z = b`.
fn forward(factor: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let mut z = vec![0.0; b.len()];
    for i in 0..b.len() {
        let inner: f64 = (0..i).map(|k| factor[i][k] * z[k]).sum();
        z[i] = (b[i] - inner) / factor[i][i];
    }
    z
}

/// Solves `L Lᵀ x = b`.
fn solve(factor: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let z = forward(factor, b);
    let mut x = vec![0.0; b.len()];
    for i in (0..b.len()).rev() {
        let inner: f64 = (i + 1..b.len()).map(|k| factor[k][i] * x[k]).sum();
        x[i] = (z[i] - inner) / factor[i][i];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_line_is_found() {
        // y = 3 + 2a − b without noise: the least penalty wins, and the line is found to its size.
        let x: Vec<Vec<f64>> = (0..12).map(|i| vec![f64::from(i), f64::from(i * i % 7)]).collect();
        let y: Vec<f64> = x.iter().map(|row| 3.0 + 2.0 * row[0] - row[1]).collect();
        let model = fit(&x, &y, &(0..12).collect::<Vec<_>>());
        assert!((model.coefficients[0] - 2.0).abs() < 1e-5 && (model.coefficients[1] + 1.0).abs() < 1e-5);
        assert!((model.predict(&[100.0, 0.0]) - 203.0).abs() < 1e-3);
        assert!((model.penalty - 1e-6).abs() < 1e-12);
    }

    #[test]
    fn cholesky_by_hand() {
        // [[4, 2], [2, 5]] = L Lᵀ with L = [[2, 0], [1, 2]]; the solution of A x = (8, 9) is (11/8, 5/4).
        let factor = cholesky(&[vec![4.0, 0.0], vec![2.0, 5.0]], 0.0);
        assert_eq!(factor, [[2.0, 0.0], [1.0, 2.0]]);
        assert_eq!(solve(&factor, &[8.0, 9.0]), [1.375, 1.25]);
    }

    #[test]
    fn a_doubled_feature_shares_its_weight() {
        let x: Vec<Vec<f64>> = (0..10).map(|i| vec![f64::from(i), f64::from(i)]).collect();
        let y: Vec<f64> = (0..10).map(f64::from).collect();
        let model = fit(&x, &y, &(0..10).collect::<Vec<_>>());
        assert!((model.coefficients[0] - model.coefficients[1]).abs() < 1e-6);
    }
}
