//! How evenly the agents contribute messages.

/// Normalised contribution entropy `−Σ pᵢ ln pᵢ / ln n`, in [0, 1]: 1 when all `n` agents send equally many messages, 0 when
/// one sends all. `sent[i]` is the number of messages of agent `i`, so `n` is the slice's length.
///
/// `None` without messages and for fewer than two agents (`ln 1 = 0`). Source: MASBench, section 4 (contribution entropy).
pub fn contribution_entropy(sent: &[u64]) -> Option<f64> {
    let total: u64 = sent.iter().sum();
    if total == 0 || sent.len() < 2 {
        return None;
    }
    let nats: f64 = sent
        .iter()
        .filter(|&&count| count > 0)
        .map(|&count| {
            let share = count as f64 / total as f64;
            -share * share.ln()
        })
        .sum();
    Some((nats / (sent.len() as f64).ln()).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn by_hand() {
        assert_eq!(contribution_entropy(&[]), None);
        assert_eq!(contribution_entropy(&[3]), None);
        assert_eq!(contribution_entropy(&[0, 0]), None);
        assert_eq!(contribution_entropy(&[5, 0]), Some(0.0));
        // 3 of 4 and 1 of 4: 0.811278 bits of 1 bit.
        let uneven = contribution_entropy(&[3, 1]).unwrap();
        assert!((uneven - 0.811_278_124_459_132_8).abs() < 1e-12);
        // Two of four agents in equal parts: ln 2 / ln 4.
        let half = contribution_entropy(&[2, 2, 0, 0]).unwrap();
        assert!((half - 0.5).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn lies_in_the_unit_range_and_knows_no_names(mut sent in prop::collection::vec(0_u64..1_000_000, 0..12)) {
            let entropy = contribution_entropy(&sent);
            if let Some(value) = entropy {
                prop_assert!((0.0..=1.0).contains(&value));
                sent.reverse();
                let again = contribution_entropy(&sent).unwrap();
                prop_assert!((value - again).abs() < 1e-12);
            } else {
                prop_assert!(sent.len() < 2 || sent.iter().all(|&count| count == 0));
            }
        }

        #[test]
        fn equal_shares_give_one(count in 1_u64..1_000, agents in 2_usize..40) {
            let value = contribution_entropy(&vec![count; agents]).unwrap();
            prop_assert!((value - 1.0).abs() < 1e-12);
        }
    }
}
