//! Findings: what was wrong or doubtful in the data, with a stable code, severity, place and remedy.
//!
//! A rule ([`Rule`]) is a row of a `const` table, one table per log format; a [`Finding`] is an occurrence of it.
//! Equal faults of one file are counted in one finding with its first places, so that a log with a million
//! bad scores does not become a million findings.

mod input;
mod masbench;
mod mastracebench;
mod swarmbench;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use input::rules as input_rules;
pub use masbench::rules as mb;
pub use mastracebench::rules as mt;
pub use swarmbench::rules as sb;

/// How much a finding matters for the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; the numbers stand.
    Info,
    /// Some numbers rest on less data, or on an interpretation that is stated.
    Warning,
    /// Data was lost or contradicts itself.
    Error,
}

impl Severity {
    /// Every severity, the gravest first, as reports list them.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Info];

    /// The lower-case name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One kind of fault: a registry row from which findings, report and documentation derive.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stable code, never reused: a two-letter prefix per format and three digits.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// Short title in lower case.
    pub title: &'static str,
    /// What it means for the numbers.
    pub effect: &'static str,
    /// What the user can do.
    pub remedy: &'static str,
}

/// Every rule of every format, in code order.
pub const RULES: &[&[&Rule]] = &[input::RULES, swarmbench::RULES, mastracebench::RULES, masbench::RULES];

/// All rules in the registry's order.
pub fn all_rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().flat_map(|table| table.iter().copied())
}

/// The rule with this code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    all_rules().find(|rule| rule.code == code)
}

/// Where in a file or run a fault was seen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Offset in bytes from the start of the (unpacked) file.
    Byte(u64),
    /// Record number in the file, from 0.
    Record(u64),
    /// Round number of the run.
    Round(u64),
    /// A key or another name.
    Key(String),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Byte(n) => write!(f, "byte {n}"),
            Self::Record(n) => write!(f, "record {n}"),
            Self::Round(n) => write!(f, "round {n}"),
            Self::Key(key) => write!(f, "key {key}"),
        }
    }
}

/// An occurrence of a rule: in which file, of which run, how often, where first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The rule's stable code.
    pub code: String,
    /// The rule's severity.
    pub severity: Severity,
    /// The rule's title.
    pub title: String,
    /// The batch, where one is known.
    pub batch: Option<String>,
    /// The run, where one is known.
    pub run_id: Option<String>,
    /// The file as the user can find it (`batch.zip!member` inside archives).
    pub file: Option<String>,
    /// How often.
    pub count: u64,
    /// The first places, [`MAX_PLACES`] at most.
    pub places: Vec<Place>,
    /// What was seen at the first place.
    pub message: String,
    /// What it means for the numbers.
    pub effect: String,
    /// What the user can do.
    pub remedy: String,
}

/// Places kept per finding; the count goes on.
pub const MAX_PLACES: usize = 10;

/// What a finding is about; all parts optional.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// The batch.
    pub batch: Option<String>,
    /// The run.
    pub run_id: Option<String>,
    /// The file.
    pub file: Option<String>,
}

impl Subject {
    /// A subject that is only a file.
    pub fn file(file: impl Into<String>) -> Self {
        Self { file: Some(file.into()), ..Self::default() }
    }

    /// A run of a batch, without a file.
    pub fn run(batch: impl Into<String>, run_id: impl Into<String>) -> Self {
        Self { batch: Some(batch.into()), run_id: Some(run_id.into()), file: None }
    }

    /// The same subject, in this file.
    pub fn in_file(&self, file: impl Into<String>) -> Self {
        Self { file: Some(file.into()), ..self.clone() }
    }
}

/// The collector: merges equal faults of one subject, keeps a stable order.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    by_key: BTreeMap<(&'static str, Subject), Finding>,
}

impl Findings {
    /// An empty collector.
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes an occurrence of `rule`.
    pub fn add(
        &mut self,
        rule: &'static Rule,
        subject: &Subject,
        place: Option<Place>,
        message: impl Into<String>,
    ) {
        let finding = self.by_key.entry((rule.code, subject.clone())).or_insert_with(|| Finding {
            code: rule.code.to_owned(),
            severity: rule.severity,
            title: rule.title.to_owned(),
            batch: subject.batch.clone(),
            run_id: subject.run_id.clone(),
            file: subject.file.clone(),
            count: 0,
            places: Vec::new(),
            message: message.into(),
            effect: rule.effect.to_owned(),
            remedy: rule.remedy.to_owned(),
        });
        finding.count += 1;
        if let Some(place) = place
            && finding.places.len() < MAX_PLACES
        {
            finding.places.push(place);
        }
    }

    /// Takes over the findings of another collector.
    pub fn merge(&mut self, other: Self) {
        for (key, theirs) in other.by_key {
            match self.by_key.get_mut(&key) {
                Some(ours) => {
                    ours.count += theirs.count;
                    let room = MAX_PLACES.saturating_sub(ours.places.len());
                    ours.places.extend(theirs.places.into_iter().take(room));
                }
                None => {
                    self.by_key.insert(key, theirs);
                }
            }
        }
    }

    /// Number of findings (merged ones count once).
    pub fn len(&self) -> usize {
        self.by_key.len()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// The findings: gravest first, then by code and subject.
    pub fn into_sorted(self) -> Vec<Finding> {
        let mut all: Vec<Finding> = self.by_key.into_values().collect();
        all.sort_by_key(|finding| std::cmp::Reverse(finding.severity)); // stable: code and subject order stay within a severity
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_well_formed_and_explained() {
        let mut seen = std::collections::BTreeSet::new();
        for rule in all_rules() {
            assert!(seen.insert(rule.code), "{} is there twice", rule.code);
            let (prefix, number) = rule.code.split_at(2);
            assert!(prefix.bytes().all(|b| b.is_ascii_uppercase()) && number.len() == 3, "{}", rule.code);
            assert!(number.bytes().all(|b| b.is_ascii_digit()), "{}", rule.code);
            for text in [rule.title, rule.effect, rule.remedy] {
                assert!(!text.is_empty(), "{} lacks a text", rule.code);
            }
        }
    }

    #[test]
    fn equal_faults_of_one_file_are_counted_once_with_their_places() {
        let mut findings = Findings::new();
        let subject = Subject::file("a.json");
        for i in 0..25 {
            findings.add(&sb::SCORE_NOT_A_NUMBER, &subject, Some(Place::Record(i)), "NaN");
        }
        findings.add(&sb::SCORE_NOT_A_NUMBER, &Subject::file("b.json"), None, "NaN");
        let all = findings.into_sorted();
        assert_eq!(all.len(), 2);
        assert_eq!((all[0].count, all[0].places.len()), (25, MAX_PLACES));
    }
}
