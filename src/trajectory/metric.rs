//! The measures of a run or group: one registry row each, all of them ratios of sums.

use serde::{Deserialize, Serialize};

use super::labels::{Gain, Lift};
use super::sums::{Mean, Sums};

/// Which direction is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Higher values.
    Higher,
    /// Lower values.
    Lower,
    /// Neither as such.
    Neither,
}

/// A label's place in nested outputs: `gab.Improve`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// `gab`, `ar_strong` or `ar_weak`.
    pub of: &'static str,
    /// The label's name.
    pub name: &'static str,
}

/// A measure.
#[derive(Debug)]
pub struct Metric {
    /// Column name.
    pub id: &'static str,
    /// Title for people.
    pub title: &'static str,
    /// Object and key under which nested outputs hold it, where it is a label's share.
    pub label: Option<Label>,
    /// Unit.
    pub unit: &'static str,
    /// Range of values.
    pub range: &'static str,
    /// Formula.
    pub formula: &'static str,
    /// Where it is defined.
    pub source: &'static str,
    /// Why there can be no value.
    pub undefined: &'static str,
    /// Which direction is good.
    pub better: Better,
    /// The value; `None` where it is undefined.
    pub value: fn(&Sums) -> Option<f64>,
    /// Number of terms that it stands on.
    pub n: fn(&Sums) -> u64,
}

/// Share of `counts[which]`, in per cent; `None` when all are 0.
fn percent(counts: &[u64], which: &[usize]) -> Option<f64> {
    let all: u64 = counts.iter().sum();
    let some: u64 = which.iter().filter_map(|&i| counts.get(i)).sum();
    (all > 0).then(|| 100.0 * some as f64 / all as f64)
}

fn hundredfold(mean: Mean) -> Option<f64> {
    mean.get().map(|share| 100.0 * share)
}

macro_rules! gab {
    ($id:literal, $label:literal, $which:expr, $better:expr, $formula:literal) => {
        Metric {
            id: $id,
            title: concat!("GAB ", $label),
            label: Some(Label { of: "gab", name: $label }),
            unit: "%",
            range: "0–100",
            formula: $formula,
            source: "MASTraceBench, GAB(x)",
            undefined: "no unit has a label",
            better: $better,
            value: |sums| percent(&sums.gab, &[$which as usize]),
            n: |sums| sums.gab.iter().sum(),
        }
    };
}

macro_rules! strong {
    ($id:literal, $label:literal, $which:expr, $better:expr) => {
        Metric {
            id: $id,
            title: concat!("AR strong ", $label),
            label: Some(Label { of: "ar_strong", name: $label }),
            unit: "%",
            range: "0–100",
            formula: "share of strong agents (initial score b) with this label; the label as in GAB, with the agent's final score",
            source: "MASTraceBench, AR_strong(x, i)",
            undefined: "no strong agent has a label",
            better: $better,
            value: |sums| percent(&sums.strong, &[$which as usize]),
            n: |sums| sums.strong.iter().sum(),
        }
    };
}

macro_rules! weak {
    ($id:literal, $label:literal, $which:expr, $better:expr) => {
        Metric {
            id: $id,
            title: concat!("AR weak ", $label),
            label: Some(Label { of: "ar_weak", name: $label }),
            unit: "%",
            range: "0–100",
            formula: "share of weak agents (initial score below b) with this label",
            source: "MASTraceBench, AR_weak(x, i)",
            undefined: "no weak agent has a label",
            better: $better,
            value: |sums| percent(&sums.weak, &[$which as usize]),
            n: |sums| sums.weak.iter().sum(),
        }
    };
}

/// Every measure, in the order of output columns.
pub const METRICS: &[Metric] = &[
    Metric {
        id: "task_score",
        title: "Task Score",
        label: None,
        unit: "points",
        range: "0–100",
        formula: "mean answer score (static tasks) or mean episode score (dynamic tasks)",
        source: "MASTraceBench, eq. 2",
        undefined: "no answer (static task) or episode (dynamic task) has a score",
        better: Better::Higher,
        value: |sums| sums.task_score.get(),
        n: |sums| sums.task_score.n,
    },
    Metric {
        id: "collaboration_gain",
        title: "Collaboration Gain",
        label: None,
        unit: "points",
        range: "−100–100",
        formula: "TS − TS of the Single-Agent run, both on the instances that both have",
        source: "MASTraceBench, eq. 3",
        undefined: "this is the baseline, or there is no Single-Agent run on the same instances",
        better: Better::Higher,
        value: |sums| Some(sums.paired_own.get()? - sums.paired_base.get()?),
        n: |sums| sums.paired_own.n,
    },
    gab!("gab_improve", "Improve", Gain::Improve, Better::Higher, "share of units with S_MAS > b"),
    gab!("gab_opt_keep", "OptKeep", Gain::OptKeep, Better::Higher, "share of units with S_MAS = b = S⋆"),
    gab!("gab_sub_keep", "SubKeep", Gain::SubKeep, Better::Neither, "share of units with S_MAS = b < S⋆"),
    gab!("gab_regress", "Regress", Gain::Regress, Better::Lower, "share of units with S_MAS < b"),
    strong!("ar_strong_improve", "Improve", Gain::Improve, Better::Higher),
    strong!("ar_strong_opt_keep", "OptKeep", Gain::OptKeep, Better::Higher),
    strong!("ar_strong_sub_keep", "SubKeep", Gain::SubKeep, Better::Neither),
    strong!("ar_strong_regress", "Regress", Gain::Regress, Better::Lower),
    weak!("ar_weak_surpass", "Surpass", Lift::Surpass, Better::Higher),
    weak!("ar_weak_reach", "Reach", Lift::Reach, Better::Higher),
    weak!("ar_weak_partial", "Partial", Lift::Partial, Better::Higher),
    weak!("ar_weak_keep", "Keep", Lift::Keep, Better::Neither),
    weak!("ar_weak_degrade", "Degrade", Lift::Degrade, Better::Lower),
    Metric {
        id: "ar_weak_lifted",
        title: "Weak agents lifted (WI)",
        label: None,
        unit: "%",
        range: "0–100",
        formula: "Surpass + Reach + Partial among weak agents",
        source: "MASTraceBench, table 4",
        undefined: "no weak agent has a label",
        better: Better::Higher,
        value: |sums| percent(&sums.weak, &[0, 1, 2]),
        n: |sums| sums.weak.iter().sum(),
    },
    Metric {
        id: "aggregation_loss",
        title: "Aggregation Loss",
        label: None,
        unit: "points",
        range: "−100–100",
        formula: "mean over units of (best final score − S_MAS)",
        source: "MASTraceBench, eq. 4",
        undefined: "no unit has the scores of a final proposal and the answer",
        better: Better::Lower,
        value: |sums| sums.loss.get(),
        n: |sums| sums.loss.n,
    },
    Metric {
        id: "output_validity",
        title: "Output Validity",
        label: None,
        unit: "%",
        range: "0–100",
        formula: "valid outputs / recorded outputs (initial and final proposals, answers)",
        source: "MASTraceBench, eq. 23",
        undefined: "no output was recorded",
        better: Better::Higher,
        value: |sums| hundredfold(sums.valid),
        n: |sums| sums.valid.n,
    },
    Metric {
        id: "final_proposal_agreement",
        title: "Final-Proposal Agreement",
        label: None,
        unit: "%",
        range: "0–100",
        formula: "share of units whose final proposals are all equal as canonical JSON; undefined below two proposers",
        source: "MASTraceBench, eq. 24",
        undefined: "no unit has two or more proposers with a final proposal",
        better: Better::Neither,
        value: |sums| hundredfold(sums.agree),
        n: |sums| sums.agree.n,
    },
    Metric {
        id: "token_cost",
        title: "Token Cost",
        label: None,
        unit: "tokens per unit",
        range: "≥ 0",
        formula: "mean tokens of all agent calls per unit",
        source: "MASTraceBench, eq. 5",
        undefined: "no unit has logged tokens",
        better: Better::Lower,
        value: |sums| sums.tokens.get(),
        n: |sums| sums.tokens.n,
    },
    Metric {
        id: "token_multiplier",
        title: "Token cost multiplier",
        label: None,
        unit: "×",
        range: "≥ 0",
        formula: "TC / TC of the Single-Agent run, both on the instances that both have",
        source: "MASTraceBench, tables 3 and 10",
        undefined: "no Single-Agent run on the same instances has logged tokens",
        better: Better::Lower,
        value: |sums| {
            let base = sums.tokens_base.get().filter(|&tokens| tokens > 0.0)?;
            Some(sums.tokens_own.get()? / base)
        },
        n: |sums| sums.tokens_own.n,
    },
    Metric {
        id: "mean_proposal_score",
        title: "Mean proposal score of the answers",
        label: None,
        unit: "points",
        range: "0–100",
        formula: "mean over units of S_MAS",
        source: "MASTraceBench, table 7",
        undefined: "no answer has a score",
        better: Better::Higher,
        value: |sums| sums.answers.get(),
        n: |sums| sums.answers.n,
    },
    Metric {
        id: "mean_best_initial",
        title: "Mean best initial score",
        label: None,
        unit: "points",
        range: "0–100",
        formula: "mean over units of b",
        source: "MASTraceBench, b_x",
        undefined: "no initial proposal has a score",
        better: Better::Higher,
        value: |sums| sums.best_initial.get(),
        n: |sums| sums.best_initial.n,
    },
];

/// The place of a measure in [`METRICS`].
pub fn position(id: &str) -> Option<usize> {
    METRICS.iter().position(|metric| metric.id == id)
}

/// The measures of the configuration ablation (table 4): GI, GR, WI, SR.
pub const ABLATION: [(&str, &str); 4] =
    [("GI", "gab_improve"), ("GR", "gab_regress"), ("WI", "ar_weak_lifted"), ("SR", "ar_strong_regress")];

/// A measure's value with its interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The value; null where undefined.
    pub value: Option<f64>,
    /// Lower end of the interval; null where none can be drawn.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Terms that the value stands on.
    pub n: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_every_row_is_explained() {
        let mut ids = std::collections::BTreeSet::new();
        for metric in METRICS {
            assert!(ids.insert(metric.id), "{}", metric.id);
            for text in
                [metric.title, metric.unit, metric.range, metric.formula, metric.source, metric.undefined]
            {
                assert!(!text.is_empty(), "{}", metric.id);
            }
            assert_eq!((metric.value)(&Sums::default()), None, "{} of nothing", metric.id);
        }
        for (_, id) in ABLATION {
            assert!(position(id).is_some(), "{id}");
        }
    }

    #[test]
    fn shares_by_hand() {
        let sums = Sums { gab: [1, 2, 0, 1], weak: [1, 1, 1, 1, 4], ..Sums::default() };
        let value = |id: &str| (METRICS[position(id).unwrap()].value)(&sums);
        assert_eq!(value("gab_improve"), Some(25.0));
        assert_eq!(value("gab_sub_keep"), Some(0.0));
        assert_eq!(value("ar_weak_lifted"), Some(37.5));
        assert_eq!(value("ar_strong_improve"), None);
    }
}
