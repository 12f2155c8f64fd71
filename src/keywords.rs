//! What agents talk about: the most frequent words by model and task, and those that tell one model's messages from the
//! others'. Source: SwarmBench paper, app. H (Figure S.33).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::model::SwarmRun;

/// Different words of a run that are counted; hostile logs could have any number.
const MOST_WORDS: usize = 20_000;

/// Longest word counted, in characters.
const LONGEST: usize = 40;

/// Sum of the prior's counts: how many words of typical text each group is mixed with.
const PRIOR: f64 = 500.0;

/// How often each word occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordCounts {
    /// Count by word.
    pub words: BTreeMap<String, u64>,
    /// Occurrences of words beyond the limits of number and length.
    pub skipped: u64,
}

/// English stop words without apostrophes, as messages are compared.
pub fn stop_words() -> BTreeSet<String> {
    stop_words::lookup("en")
        .unwrap_or_default()
        .iter()
        .map(|word| word.to_lowercase().replace(['\'', '’'], ""))
        .collect()
}

impl WordCounts {
    /// Counts the words of a run's messages: lower-cased, apostrophes deleted, other punctuation taken as a space; stop
    /// words, numbers and single characters left out.
    pub fn of(run: &SwarmRun, stop: &BTreeSet<String>) -> Self {
        let mut counts = Self::default();
        let decisions = run.rounds.iter().flat_map(|round| &round.decisions);
        for message in decisions.filter_map(|decision| decision.message) {
            counts.add(run.text(message), stop);
        }
        counts
    }

    fn add(&mut self, text: &str, stop: &BTreeSet<String>) {
        let text = text.to_lowercase().replace(['\'', '’'], "");
        for word in text.split(|c: char| !c.is_alphanumeric()) {
            let characters = word.chars().count();
            if characters < 2 || word.chars().all(char::is_numeric) || stop.contains(word) {
                continue;
            }
            if let Some(count) = self.words.get_mut(word) {
                *count += 1;
            } else if characters > LONGEST || self.words.len() >= MOST_WORDS {
                self.skipped += 1;
            } else {
                self.words.insert(word.to_owned(), 1);
            }
        }
    }

    /// Adds another count.
    pub fn merge(&mut self, other: &Self) {
        for (word, count) in &other.words {
            *self.words.entry(word.clone()).or_default() += count;
        }
        self.skipped += other.skipped;
    }

    /// Number of words counted.
    pub fn total(&self) -> u64 {
        self.words.values().sum()
    }
}

/// A word of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Keyword {
    /// The word.
    pub word: String,
    /// Occurrences in the group.
    pub count: u64,
    /// Per thousand words of the group.
    pub per_thousand: f64,
    /// How much more the group uses it than the others: z-score of the log-odds ratio; `None` when there are no others.
    pub distinctiveness: Option<f64>,
}

/// The words of a task and model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeywordRow {
    /// The task.
    pub task: String,
    /// The model.
    pub model: String,
    /// Words counted.
    pub words: u64,
    /// Occurrences left out by the limits.
    pub skipped: u64,
    /// The most frequent words.
    pub frequent: Vec<Keyword>,
    /// The most distinctive words among those that it uses more than the others.
    pub distinctive: Vec<Keyword>,
}

/// The `top` words of each task and model, by frequency and by distinctiveness.
///
/// Distinctiveness is the log-odds ratio of a word in the group against all other groups together, with an informative
/// Dirichlet prior, over its standard deviation:
/// `δ = ln((y + α) / (n + α₀ − y − α)) − ln((y′ + α) / (n′ + α₀ − y′ − α))`, `z = δ / √(1/(y + α) + 1/(y′ + α))`, where y of
/// n words are this one, and α is the word's share of all messages times α₀ = 500. Without unit; undefined with one group.
///
/// Reference: Monroe, Colaresi and Quinn 2008, "Fightin' Words", *Political Analysis* 16:372–403, equations 15 to 22.
pub fn keywords(groups: &BTreeMap<(String, String), WordCounts>, top: usize) -> Vec<KeywordRow> {
    let mut all = WordCounts::default();
    groups.values().for_each(|group| all.merge(group));
    let total = all.total() as f64;
    groups
        .iter()
        .map(|((task, model), group)| {
            let n = group.total() as f64;
            let keyword = |(word, &count): (&String, &u64)| {
                let everywhere = all.words.get(word).copied().unwrap_or(count) as f64;
                Keyword {
                    word: word.clone(),
                    count,
                    per_thousand: 1000.0 * count as f64 / n,
                    distinctiveness: z_score(count as f64, n, everywhere, total),
                }
            };
            let mut frequent: Vec<Keyword> = group.words.iter().map(keyword).collect();
            frequent.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.word.cmp(&b.word)));
            let mut distinctive: Vec<Keyword> =
                frequent.iter().filter(|k| k.distinctiveness.is_some_and(|z| z > 0.0)).cloned().collect();
            distinctive.sort_by(|a, b| {
                let z = |k: &Keyword| k.distinctiveness.unwrap_or(0.0);
                z(b).total_cmp(&z(a)).then_with(|| a.word.cmp(&b.word))
            });
            frequent.truncate(top);
            distinctive.truncate(top);
            let words = group.total();
            KeywordRow {
                task: task.clone(),
                model: model.clone(),
                words,
                skipped: group.skipped,
                frequent,
                distinctive,
            }
        })
        .collect()
}

/// The z-score of a word with `y` of a group's `n` words, and `everywhere` of all `total`.
fn z_score(y: f64, n: f64, everywhere: f64, total: f64) -> Option<f64> {
    let (others_y, others_n) = (everywhere - y, total - n);
    if others_n <= 0.0 {
        return None;
    }
    let prior = PRIOR * everywhere / total;
    let odds = |y: f64, n: f64| ((y + prior) / (n + PRIOR - y - prior)).ln();
    let z = (odds(y, n) - odds(others_y, others_n)) / (1.0 / (y + prior) + 1.0 / (others_y + prior)).sqrt();
    z.is_finite().then_some(z)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(texts: &[&str]) -> WordCounts {
        let mut counts = WordCounts::default();
        texts.iter().for_each(|text| counts.add(text, &stop_words()));
        counts
    }

    #[test]
    fn words_are_folded_and_stop_words_left_out() {
        let found = counts(&["Don't PUSH the box, push!", "I'm at (2,4): box-2 is ours", "压 箱子"]);
        let words: Vec<(&str, u64)> = found.words.iter().map(|(w, &n)| (w.as_str(), n)).collect();
        assert_eq!(words, [("box", 2), ("push", 2), ("箱子", 1)]);
    }

    #[test]
    fn too_long_and_too_many_words_are_counted_as_skipped() {
        let found = counts(&[&"x".repeat(41), "food"]);
        assert_eq!((found.total(), found.skipped), (1, 1));
    }

    /// By hand: 10 of 100 words against 10 of 900; prior 500 · 20 / 1000 = 10.
    #[test]
    fn z_by_hand() {
        let delta = (20.0f64 / 580.0).ln() - (20.0f64 / 1380.0).ln();
        let want = delta / (1.0f64 / 20.0 + 1.0 / 20.0).sqrt();
        assert!((z_score(10.0, 100.0, 20.0, 1000.0).unwrap() - want).abs() < 1e-12);
        assert_eq!(z_score(10.0, 100.0, 10.0, 100.0), None);
    }

    #[test]
    fn common_words_do_not_fill_the_picture() {
        let group = |model: &str, texts: &[&str]| (("T".to_owned(), model.to_owned()), counts(texts));
        let groups =
            BTreeMap::from([group("a", &["move move move north"]), group("b", &["move move move south"])]);
        let rows = keywords(&groups, 2);
        assert_eq!(rows[0].frequent[0].word, "move");
        assert_eq!(rows[0].distinctive[0].word, "north");
        assert_eq!(rows[1].distinctive[0].word, "south");
        assert!((rows[0].frequent[0].per_thousand - 750.0).abs() < 1e-9);
    }
}
