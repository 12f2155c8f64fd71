//! Measures of what messages say, through an embedding. Source: SwarmBench paper, app. F.
//!
//! The mean pairwise cosine of n vectors of length 1 needs no pairs: it is (‖Σv‖² − n) / (n (n − 1)).

use super::{Compute, Feature, Needs, RoundView, RunMean};

const SOURCE: &str = "SwarmBench paper, app. F (communication)";

/// How alike the messages of a round are.
pub(super) const INFO_HOMOGENEITY: Feature = Feature {
    id: "info_homogeneity",
    title: "Information homogeneity",
    unit: "1",
    range: "-1 to 1",
    formula: "mean pairwise cosine of the embeddings of the round's unique non-empty messages; 1 for one unique message \
              sent at least twice",
    undefined: "fewer than 2 non-empty messages in the round",
    source: SOURCE,
    family: "messages",
    needs: Needs::AgentLog,
    run_mean: RunMean::Logged,
    compute: Compute::Round(|view| match (view.messages.len(), view.unique) {
        (0 | 1, _) => None,
        (_, 1) => Some(1.0),
        (_, unique) => {
            let n = unique as f64;
            Some((view.embedding_norm.powi(2) - view.embedded as f64) / (n * (n - 1.0)))
        }
    }),
};

/// How far the messages of a round point the same way.
pub(super) const NORM_MEAN_MESSAGE_EMBEDDING: Feature = Feature {
    id: "norm_mean_message_embedding",
    title: "Norm of the mean message",
    unit: "1",
    range: "0 to 1",
    formula: "Euclidean norm of the mean embedding of the round's unique non-empty messages",
    undefined: "no non-empty message in the round",
    source: SOURCE,
    family: "messages",
    needs: Needs::AgentLog,
    run_mean: RunMean::Logged,
    compute: Compute::Round(norm_of_mean),
};

fn norm_of_mean(view: &RoundView<'_>) -> Option<f64> {
    (view.unique > 0).then(|| view.embedding_norm / view.unique as f64)
}

#[cfg(test)]
mod tests {
    use super::super::walk::tests::round_values;

    fn close(values: &[Option<f64>], expected: &[Option<f64>]) {
        for (a, b) in values.iter().zip(expected) {
            assert!(
                a.zip(*b).map_or(a.is_none() && b.is_none(), |(a, b)| (a - b).abs() < 1e-12),
                "{values:?}"
            );
        }
        assert_eq!(values.len(), expected.len());
    }

    #[test]
    fn one_unique_message_two_unlike_ones_and_none() {
        let rounds: &[&[(&str, &str)]] = &[
            &[("UP", "go"), ("UP", "go")],
            &[("UP", "aaa"), ("UP", "zzz")], // no n-gram in common; their components differ under this hash
            &[("UP", "go")],
            &[("UP", "")],
        ];
        close(&round_values("info_homogeneity", rounds), &[Some(1.0), Some(0.0), None, None]);
        // Two vectors of length 1 at a right angle: ‖(a + b) / 2‖ = √2 / 2.
        let norms = round_values("norm_mean_message_embedding", rounds);
        close(&norms, &[Some(1.0), Some(std::f64::consts::FRAC_1_SQRT_2), Some(1.0), None]);
    }
}
