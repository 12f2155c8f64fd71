//! Measures of the messages' form. Source: SwarmBench paper, app. F, "Communication-based Metrics".

use memchr::memchr;
use unicode_general_category::{GeneralCategory, get_general_category};

use super::{Compute, Feature, Needs, RoundView, RunMean};

const SOURCE: &str = "SwarmBench paper, app. F (communication)";
const UNDEFINED: &str = "no non-empty message in the round";

/// Share of messages that ask.
pub(super) const PROP_QUESTION_SENTENCES: Feature = Feature {
    id: "prop_question_sentences",
    title: "Messages with a question",
    unit: "1",
    range: "0 to 1",
    formula: "non-empty messages that contain '?' / non-empty messages",
    undefined: UNDEFINED,
    source: SOURCE,
    family: "messages",
    needs: Needs::AgentLog,
    run_mean: RunMean::Logged,
    compute: Compute::Round(|view| {
        let asking =
            view.messages.iter().filter(|message| memchr(b'?', message.as_bytes()).is_some()).count();
        share(asking, view.messages.len())
    }),
};

/// Share of characters that are digits.
pub(super) const PROP_DIGIT_CHARS: Feature = Feature {
    id: "prop_digit_chars",
    title: "Digits among characters",
    unit: "1",
    range: "0 to 1",
    formula: "characters of Unicode category Nd / characters, over all non-empty messages of the round together",
    undefined: UNDEFINED,
    source: SOURCE,
    family: "messages",
    needs: Needs::AgentLog,
    run_mean: RunMean::Logged,
    compute: Compute::Round(|view| {
        let digits = view.messages.iter().map(|message| decimal_digits(message)).sum();
        share(digits, view.lengths.iter().sum())
    }),
};

/// Mean length.
pub(super) const MEAN_MESSAGE_LENGTH: Feature = Feature {
    id: "mean_message_length",
    title: "Mean message length",
    unit: "char",
    range: "1 and up",
    formula: "mean over non-empty messages of their number of Unicode scalar values",
    undefined: UNDEFINED,
    source: SOURCE,
    family: "messages",
    needs: Needs::AgentLog,
    run_mean: RunMean::Logged,
    compute: Compute::Round(mean_length),
};

/// Spread of lengths.
pub(super) const STD_MESSAGE_LENGTH: Feature = Feature {
    id: "std_message_length",
    title: "SD of message length",
    unit: "char",
    range: "0 and up",
    formula: "population standard deviation of the lengths of non-empty messages; 0 for one message",
    undefined: UNDEFINED,
    source: SOURCE,
    family: "messages",
    needs: Needs::AgentLog,
    run_mean: RunMean::Logged,
    compute: Compute::Round(|view| {
        let mean = mean_length(view)?;
        let squares: f64 = view.lengths.iter().map(|&n| (n as f64 - mean).powi(2)).sum();
        Some((squares / view.lengths.len() as f64).sqrt())
    }),
};

fn mean_length(view: &RoundView<'_>) -> Option<f64> {
    share(view.lengths.iter().sum(), view.lengths.len())
}

/// `part / whole`, undefined for an empty whole.
fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Number of Unicode scalar values.
pub(super) fn characters(text: &str) -> usize {
    // Most messages are ASCII, which is found out faster than characters are counted.
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// Number of characters of Unicode general category Nd (decimal digits of any script).
fn decimal_digits(text: &str) -> usize {
    if text.is_ascii() {
        // Counted in bytes as far as they reach, which takes a vector's worth at a time.
        let digits = |part: &[u8]| part.iter().map(|b| u8::from(b.is_ascii_digit())).sum::<u8>();
        return text.as_bytes().chunks(u8::MAX.into()).map(|part| usize::from(digits(part))).sum();
    }
    text.chars().filter(|&c| get_general_category(c) == GeneralCategory::DecimalNumber).count()
}

#[cfg(test)]
mod tests {
    use super::super::walk::tests::round_values;
    use super::decimal_digits;

    #[test]
    fn by_hand() {
        // Lengths 6 and 3 (the empty message does not count); one of two asks; 2 digits in 9 characters.
        let values = |id| round_values(id, &[&[("UP", "at 2,4"), ("UP", "ok?"), ("STAY", "")]]);
        assert_eq!(values("prop_question_sentences"), [Some(0.5)]);
        assert_eq!(values("prop_digit_chars"), [Some(2.0 / 9.0)]);
        assert_eq!(values("mean_message_length"), [Some(4.5)]);
        assert_eq!(values("std_message_length"), [Some(1.5)]);
        assert_eq!(round_values("mean_message_length", &[&[("UP", "")]]), [None]);
        assert_eq!(round_values("std_message_length", &[&[("UP", "héé")]]), [Some(0.0)]);
        assert_eq!(round_values("mean_message_length", &[&[("UP", "héé")]]), [Some(3.0)]);
    }

    #[test]
    fn digits_of_every_script_but_no_other_numbers() {
        assert_eq!(decimal_digits("a1٣९"), 3);
        assert_eq!(decimal_digits("½²Ⅷ"), 0);
        assert_eq!(decimal_digits(&"90a".repeat(500)), 1000);
    }
}
