//! Protocol convergence: how alike messages are, and whether they become more so. Source: SwarmBench paper, app. L.6.

use super::{Compute, Feature, Needs, RoundView, RunMean, RunView};
use crate::stats::EditComparer;

const SOURCE: &str = "SwarmBench paper, app. L.6";
const SOURCE_INCREASE: &str = "SwarmBench paper, app. L.6; formula of this project";
const FAMILY: &str = "protocol convergence";

/// Most messages of a round that are compared with each other (2 016 pairs).
const MOST_MESSAGES: usize = 64;

/// Most characters of a message that are compared.
const MOST_CHARACTERS: usize = 4096;

/// How alike the messages of a round are, letter by letter.
pub(super) const EDIT_DISTANCE_CONSISTENCY: Feature = Feature {
    id: "edit_distance_consistency",
    title: "Edit-distance consistency",
    unit: "1",
    range: "0 to 1",
    formula: "mean over pairs of the round's unique messages of 1 − Levenshtein distance / length of the longer, in characters; \
              1 for one unique message sent at least twice. Of more than 64 unique messages, 64 evenly spaced ones in \
              alphabetical order are compared; of a message, its first 4 096 characters",
    undefined: "fewer than 2 non-empty messages in the round",
    source: SOURCE,
    family: FAMILY,
    needs: Needs::AgentLog,
    run_mean: RunMean::Defined,
    compute: Compute::Round(consistency),
};

/// Whether messages become alike, letter by letter.
pub(super) const EDIT_DISTANCE_CONSISTENCY_INCREASE: Feature = Feature {
    id: "edit_distance_consistency_increase",
    title: "Increase of edit-distance consistency",
    unit: "1",
    range: "-1 to 1",
    formula: "mean over the last third − mean over the first third of the rounds that define edit_distance_consistency \
              (thirds rounded down)",
    undefined: "fewer than 3 such rounds",
    source: SOURCE_INCREASE,
    family: FAMILY,
    needs: Needs::AgentLog,
    run_mean: RunMean::Defined,
    compute: Compute::Run(|view| increase(view, "edit_distance_consistency")),
};

/// Whether messages come to mean the same.
pub(super) const INFO_HOMOGENEITY_INCREASE: Feature = Feature {
    id: "info_homogeneity_increase",
    title: "Increase of information homogeneity",
    unit: "1",
    range: "-2 to 2",
    formula: "mean over the last third − mean over the first third of the rounds that define info_homogeneity (thirds \
              rounded down)",
    undefined: "fewer than 3 such rounds",
    source: SOURCE_INCREASE,
    family: FAMILY,
    needs: Needs::AgentLog,
    run_mean: RunMean::Defined,
    compute: Compute::Run(|view| increase(view, "info_homogeneity")),
};

fn consistency(view: &RoundView<'_>) -> Option<f64> {
    match (view.messages.len(), view.unique) {
        (0 | 1, _) => return None,
        (_, 1) => return Some(1.0),
        _ => {}
    }
    let unique = &view.unique_messages;
    let taken = unique.len().min(MOST_MESSAGES);
    let cut = |text: &'_ str| text.char_indices().nth(MOST_CHARACTERS).map_or(text.len(), |(at, _)| at);
    let messages: Vec<&str> =
        (0..taken).map(|i| unique[i * unique.len() / taken]).map(|text| &text[..cut(text)]).collect();
    let mut sum = 0.0;
    for (i, text) in messages.iter().enumerate() {
        let comparer = EditComparer::new(text);
        sum += messages[i + 1..].iter().map(|other| comparer.similarity(other)).sum::<f64>();
    }
    Some(sum / (taken * (taken - 1) / 2) as f64)
}

fn increase(view: &RunView<'_>, id: &str) -> Option<f64> {
    let defined: Vec<f64> = view.series(id).iter().flatten().copied().collect();
    let third = defined.len() / 3;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / third as f64;
    (third > 0).then(|| mean(&defined[defined.len() - third..]) - mean(&defined[..third]))
}

#[cfg(test)]
mod tests {
    use super::super::embed::HashedNgrams;
    use super::super::walk::tests::{Scene, round_values, world};
    use super::super::{Walker, column_of};

    #[test]
    fn consistency_by_hand() {
        let rounds: &[&[(&str, &str)]] = &[
            &[("UP", "kitten"), ("UP", "sitting")], // three edits, seven letters
            &[("UP", "go"), ("UP", "go")],
            &[("UP", "go")],
            &[("UP", "ab"), ("UP", "äb"), ("UP", "ab")], // one edit of two characters, once
        ];
        let values = round_values("edit_distance_consistency", rounds);
        assert_eq!(values, [Some(1.0 - 3.0 / 7.0), Some(1.0), None, Some(0.5)]);
    }

    #[test]
    fn increase_by_hand() {
        let increase = |rounds: &[&[(&str, &str)]]| {
            let scenes: Vec<Scene<'_>> = rounds.iter().map(|decisions| (&[(1, 1)][..], *decisions)).collect();
            let at = column_of("edit_distance_consistency_increase").unwrap();
            Walker::new(&HashedNgrams).walk(&world(&scenes)).run[at]
        };
        let unlike: &[(&str, &str)] = &[("UP", "ab"), ("UP", "cd")];
        let alike: &[(&str, &str)] = &[("UP", "ab"), ("UP", "ab")];
        let silent: &[(&str, &str)] = &[("UP", "")];
        assert_eq!(increase(&[unlike, silent, alike, alike]), Some(1.0));
        assert_eq!(increase(&[unlike, unlike, alike, alike, alike]), Some(1.0), "a third of five is one");
        assert_eq!(increase(&[alike, unlike]), None);
    }

    #[test]
    fn hundreds_of_messages_are_sampled_evenly() {
        // 128 messages of 2 characters each, all unlike in exactly one place: any sample has the same mean.
        let texts: Vec<String> =
            (0..128u32).map(|i| format!("a{}", char::from_u32(0x4E00 + i).unwrap())).collect();
        let round: Vec<(&str, &str)> = texts.iter().map(|text| ("UP", text.as_str())).collect();
        assert_eq!(round_values("edit_distance_consistency", &[&round]), [Some(0.5)]);
    }
}
