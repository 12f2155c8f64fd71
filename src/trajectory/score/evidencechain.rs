//! EvidenceChain: set F1 and pairwise order agreement with the gold chain.

use serde::Deserialize;
use serde_json::Value;

use super::{BadInstance, Instance, Setting, Task, Unscored};
use crate::model::{Output, ProposalTask};

/// The registry row.
pub const TASK: Task = Task {
    task: ProposalTask::EvidenceChain,
    setting: Setting::Static,
    formula: "100 · (F1 + O) / 2; O = share of shared fact pairs in gold order, 1 for one shared fact; 0 for none",
    max_formula: "100",
    source: "MASTraceBench, eqs. 11–14; one and no shared fact ours",
    instance: |value| Ok(Box::new(EvidenceChain::from_value(value)?)),
};

/// An EvidenceChain instance, as far as the score needs it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct EvidenceChain {
    /// The ids of the supporting facts in their order; a repeated id counts once, at its first place.
    pub gold: Vec<i64>,
}

/// The ids without repetition, each at its first place.
fn unique(ids: &[i64]) -> Vec<i64> {
    let mut seen = std::collections::BTreeSet::new();
    ids.iter().copied().filter(|&id| seen.insert(id)).collect()
}

/// The score of a chain of fact ids against the gold chain, on 0–100.
///
/// `100 · (F1 + O)/2` with F1 of the two sets and O the share of pairs of shared facts whose order agrees; O is 1 when
/// exactly one fact is shared, and the score is 0 when none is (also for an empty chain). `None` for an empty gold chain.
/// MASTraceBench, eqs. 11–14.
pub fn chain_score(chain: &[i64], gold: &[i64]) -> Option<f64> {
    let (chain, gold) = (unique(chain), unique(gold));
    if gold.is_empty() {
        return None;
    }
    let places: Vec<usize> =
        chain.iter().filter_map(|id| gold.iter().position(|other| other == id)).collect();
    let shared = places.len();
    if shared == 0 {
        return Some(0.0);
    }
    // 2PR/(P+R) with P = s/|P|, R = s/|G| is 2s/(|P|+|G|).
    let f1 = 2.0 * shared as f64 / (chain.len() + gold.len()) as f64;
    let pairs = shared * (shared - 1) / 2;
    let ordered: usize =
        places.iter().enumerate().map(|(i, a)| places[i + 1..].iter().filter(|b| a < *b).count()).sum();
    let order = if pairs == 0 { 1.0 } else { ordered as f64 / pairs as f64 };
    Some(100.0 * f64::midpoint(f1, order))
}

/// The ids of a content.
///
/// # Errors
/// [`Unscored::Malformed`] where the content is no list of whole numbers.
pub fn ids(content: &Value) -> Result<Vec<i64>, Unscored> {
    let malformed = || Unscored::Malformed("a chain is a list of fact ids");
    content.as_array().ok_or_else(malformed)?.iter().map(|id| id.as_i64().ok_or_else(malformed)).collect()
}

/// Most ids of one chain that are compared; the comparison is quadratic.
const MAX_IDS: usize = 1_000;

impl EvidenceChain {
    /// Reads an instance.
    ///
    /// # Errors
    /// Where `gold` is missing, empty, longer than 1 000 or no list of whole numbers.
    pub fn from_value(value: &Value) -> Result<Self, BadInstance> {
        let instance: Self = super::read(value)?;
        if instance.gold.is_empty() || instance.gold.len() > MAX_IDS {
            return Err(BadInstance(format!("gold chain of {} facts", instance.gold.len())));
        }
        Ok(instance)
    }
}

impl Instance for EvidenceChain {
    fn score(&self, output: &Output) -> Result<f64, Unscored> {
        let content = output.content.as_ref().ok_or(Unscored::Malformed("no content"))?;
        let ids = ids(content)?;
        if ids.len() > MAX_IDS {
            return Err(Unscored::Malformed("a chain of more than 1 000 ids"));
        }
        chain_score(&ids, &self.gold).ok_or(Unscored::Undefined("the gold chain is empty"))
    }

    fn max_score(&self) -> Option<f64> {
        Some(100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(chain: &[i64], gold: &[i64], expected: f64) {
        let got = chain_score(chain, gold).unwrap();
        assert!((got - expected).abs() < 1e-12, "{chain:?} against {gold:?}: {got}, not {expected}");
    }

    #[test]
    fn worked_by_hand_against_the_papers_gold_chain() {
        let gold = [6, 3, 1, 0]; // figure 9
        near(&gold, &gold, 100.0);
        near(&[0, 1, 3, 6], &gold, 50.0); // all facts, every pair reversed: (1 + 0)/2
        near(&[6], &gold, 100.0 * (2.0 / 5.0 + 1.0) / 2.0); // F1 = 2·1/(1+4), O = 1
        near(&[6, 3, 2], &gold, 100.0 * (4.0 / 7.0 + 1.0) / 2.0); // F1 = 2·2/(3+4)
        near(&[3, 6, 1], &gold, 100.0 * (6.0 / 7.0 + 2.0 / 3.0) / 2.0); // one pair of three reversed
        near(&[2, 4, 5], &gold, 0.0);
        near(&[], &gold, 0.0);
        near(&[6, 6, 3, 6], &gold, 100.0 * (4.0 / 6.0 + 1.0) / 2.0); // repeats count once
        assert_eq!(chain_score(&[1], &[]), None);
    }
}
