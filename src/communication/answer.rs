//! Answer F1 as HotpotQA's evaluation computes it (Yang et al. 2018, script `hotpot_evaluate_v1.py`).

use std::collections::BTreeMap;

/// Word F1 of an answer against the right one, in [0, 1].
///
/// Both are normalised ([`normalise`]) and split at blanks. With `c` words in common (as multisets), precision is
/// `c / words of the answer`, recall `c / words of the right answer`, and F1 their harmonic mean; 0 when nothing is
/// shared, so also for an empty answer. When either one is `yes`, `no` or `noanswer`, they must be equal.
pub fn answer_f1(prediction: &str, gold: &str) -> f64 {
    let prediction = normalise(prediction);
    let gold = normalise(gold);
    let fixed = |answer: &str| matches!(answer, "yes" | "no" | "noanswer");
    if prediction != gold && (fixed(&prediction) || fixed(&gold)) {
        return 0.0;
    }
    let mut left: BTreeMap<&str, u64> = BTreeMap::new();
    for word in gold.split(' ').filter(|word| !word.is_empty()) {
        *left.entry(word).or_default() += 1;
    }
    let gold_words: u64 = left.values().sum();
    let mut prediction_words = 0_u64;
    let mut common = 0_u64;
    for word in prediction.split(' ').filter(|word| !word.is_empty()) {
        prediction_words += 1;
        if let Some(count) = left.get_mut(word)
            && *count > 0
        {
            *count -= 1;
            common += 1;
        }
    }
    if common == 0 {
        return 0.0;
    }
    let precision = common as f64 / prediction_words as f64;
    let recall = common as f64 / gold_words as f64;
    2.0 * precision * recall / (precision + recall)
}

/// The normal form of an answer: lower case, without the 32 ASCII punctuation characters, without the words `a`, `an`, `the`,
/// with single blanks. The order of the steps is the script's: `U.S.` becomes `us`, and `the-end` becomes `theend`.
pub fn normalise(answer: &str) -> String {
    let bare: String = answer.to_lowercase().chars().filter(|c| !c.is_ascii_punctuation()).collect();
    let mut spaced = String::with_capacity(bare.len());
    let mut chars = bare.chars().peekable();
    let mut word = String::new();
    while let Some(c) = chars.next() {
        if !is_word_char(c) {
            spaced.push(c);
            continue;
        }
        word.push(c);
        if chars.peek().is_none_or(|&next| !is_word_char(next)) {
            spaced.push_str(if matches!(word.as_str(), "a" | "an" | "the") { " " } else { &word });
            word.clear();
        }
    }
    let words: Vec<&str> = spaced.split(is_blank).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// What the script's `\b` takes for a part of a word: letters, numbers (and `_`, which is gone by then). Combining marks are
/// none, so an `a` before one counts as an article there, and here.
fn is_word_char(c: char) -> bool {
    // Circled letters are alphabetic to Unicode but symbols by category.
    let symbol = matches!(c, '\u{24b6}'..='\u{24e9}' | '\u{1f130}'..='\u{1f149}' | '\u{1f150}'..='\u{1f169}' | '\u{1f170}'..='\u{1f189}');
    c.is_alphanumeric() && !symbol
}

/// What the script's `split` takes for blank: Unicode's blanks and the four ASCII separators.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn normal_forms_by_hand() {
        for (answer, want) in [
            ("The  Eiffel Tower!", "eiffel tower"),
            ("U.S.", "us"),
            ("the-end", "theend"),
            ("An apple a day", "apple day"),
            ("theatre and another", "theatre and another"),
            ("\u{c9}COLE d\u{2019}un\u{a0}soir", "\u{e9}cole d\u{2019}un soir"),
            ("a\u{2013}z", "\u{2013}z"), // an en dash is no ASCII punctuation, and a boundary
            ("x\u{1c}y", "x y"),
            ("\u{130}", "i\u{307}"), // lower case of a dotted capital I
            ("a1 a_b the1", "a1 ab the1"),
            ("", ""),
            ("a an the", ""),
        ] {
            assert_eq!(normalise(answer), want, "{answer:?}");
        }
    }

    #[test]
    fn f1_by_hand() {
        for (prediction, gold, want) in [
            ("It was New York City", "New York City", 0.75), // p 3/5, r 3/3
            ("the Eiffel Tower", "Eiffel Tower", 1.0),
            ("Tower", "Eiffel Tower", 2.0 / 3.0), // p 1, r 1/2
            ("New New York", "New York", 0.8),    // p 2/3, r 1
            ("1912", "in 1912", 2.0 / 3.0),
            ("", "Paris", 0.0),
            ("the", "a", 0.0), // both empty: the script finds nothing in common
            ("Yes.", "yes", 1.0),
            ("yes indeed", "yes", 0.0),
            ("no", "no one", 0.0),
            ("no answer", "noanswer", 0.0),
            ("Z\u{fc}rich", "z\u{fc}rich", 1.0),
            ("Zu\u{308}rich", "Z\u{fc}rich", 0.0), // no Unicode normalisation in the script
        ] {
            assert!(close(answer_f1(prediction, gold), want), "{prediction:?} {gold:?}");
        }
    }
}
