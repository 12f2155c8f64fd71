//! Byte-pair tokenizers with the vocabularies that the `tiktoken-rs` crate ships: nothing is downloaded.

use serde::{Deserialize, Serialize};
use tiktoken_rs::CoreBPE;

/// A vocabulary.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "snake_case")]
#[value(rename_all = "snake_case")]
pub enum Vocabulary {
    /// GPT-4o, GPT-4.1, GPT-5 and the `o` series; 200 000 entries. The default, since GPT-5-nano is one of the
    /// benchmark's backbones.
    #[default]
    O200kBase,
    /// GPT-3.5 and GPT-4; 100 000 entries.
    Cl100kBase,
    /// Code models and `text-davinci-003`; 50 000 entries.
    P50kBase,
    /// GPT-2 and GPT-3; 50 000 entries.
    R50kBase,
}

impl Vocabulary {
    /// Every vocabulary, as `--tokenizer` offers them.
    pub const ALL: [Self; 4] = [Self::O200kBase, Self::Cl100kBase, Self::P50kBase, Self::R50kBase];

    /// The vocabulary's published name.
    pub fn name(self) -> &'static str {
        match self {
            Self::O200kBase => "o200k_base",
            Self::Cl100kBase => "cl100k_base",
            Self::P50kBase => "p50k_base",
            Self::R50kBase => "r50k_base",
        }
    }

    /// The vocabulary of a published name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|vocabulary| vocabulary.name() == name)
    }

    /// The tokenizer; its tables are built at the first call and then shared.
    pub fn tokenizer(self) -> Tokenizer {
        Tokenizer { vocabulary: self }
    }
}

/// Counts tokens of texts; built lazily, since most logs carry their counts.
#[derive(Clone, Copy, Debug)]
pub struct Tokenizer {
    vocabulary: Vocabulary,
}

/// Longest stretch without a change between blank and non-blank that is given to the tokenizer in one piece, in
/// characters. Its splitter backtracks over longer ones until it gives up, so they are cut there; no text that
/// people or models write comes near.
const LONGEST_STRETCH: usize = 2_000;

impl Tokenizer {
    /// Which vocabulary it counts with.
    pub fn vocabulary(self) -> Vocabulary {
        self.vocabulary
    }

    /// Number of tokens of `text`, a whole number; 0 for an empty text. Names of special tokens (`<|endoftext|>`)
    /// count as the plain text they are.
    pub fn count(self, text: &str) -> u64 {
        if text.is_empty() {
            return 0;
        }
        let tables = self.tables();
        pieces(text).map(|piece| tables.count_ordinary(piece) as u64).sum()
    }

    fn tables(self) -> &'static CoreBPE {
        match self.vocabulary {
            Vocabulary::O200kBase => tiktoken_rs::o200k_base_singleton(),
            Vocabulary::Cl100kBase => tiktoken_rs::cl100k_base_singleton(),
            Vocabulary::P50kBase => tiktoken_rs::p50k_base_singleton(),
            Vocabulary::R50kBase => tiktoken_rs::r50k_base_singleton(),
        }
    }
}

/// The text, cut inside stretches that are longer than [`LONGEST_STRETCH`]; whole otherwise.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut blank = None;
        let mut stretch = 0;
        let cut = rest.char_indices().find_map(|(at, c)| {
            let same = blank == Some(c.is_whitespace());
            blank = Some(c.is_whitespace());
            stretch = if same { stretch + 1 } else { 1 };
            (stretch > LONGEST_STRETCH).then_some(at)
        });
        let (piece, after) = rest.split_at(cut.unwrap_or(rest.len()));
        rest = after;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_openais_tiktoken() {
        // The documentation of OpenAI's `tiktoken` (README and cookbook "How to count tokens with tiktoken"):
        // "tiktoken is great!" has 6 tokens in cl100k_base, "antidisestablishmentarianism" 6 in cl100k_base and o200k_base
        // and 5 in r50k_base and p50k_base, "2 + 2 = 4" 7 in cl100k_base and o200k_base and 5 in the older two.
        for (vocabulary, text, want) in [
            (Vocabulary::Cl100kBase, "tiktoken is great!", 6),
            (Vocabulary::O200kBase, "antidisestablishmentarianism", 6),
            (Vocabulary::Cl100kBase, "antidisestablishmentarianism", 6),
            (Vocabulary::R50kBase, "antidisestablishmentarianism", 5),
            (Vocabulary::P50kBase, "antidisestablishmentarianism", 5),
            (Vocabulary::O200kBase, "2 + 2 = 4", 7),
            (Vocabulary::Cl100kBase, "2 + 2 = 4", 7),
            (Vocabulary::P50kBase, "2 + 2 = 4", 5),
            (Vocabulary::O200kBase, "", 0),
        ] {
            assert_eq!(vocabulary.tokenizer().count(text), want, "{} {text:?}", vocabulary.name());
        }
    }

    #[test]
    fn long_blank_stretches_neither_panic_nor_hang() {
        for vocabulary in Vocabulary::ALL {
            for filler in [" ", "a", "\n ", "\u{3000}", "é"] {
                let text = filler.repeat(100_000) + "x";
                assert!(vocabulary.tokenizer().count(&text) > 0);
            }
        }
    }

    #[test]
    fn pieces_join_to_the_text() {
        let text = format!("{} ende{}", "ä".repeat(5_000), " ".repeat(4_001));
        let cut: Vec<&str> = pieces(&text).collect();
        assert_eq!(cut.concat(), text);
        assert_eq!(pieces("a usual text").count(), 1);
        assert_eq!(pieces("").count(), 0);
    }

    #[test]
    fn names_round_trip() {
        for vocabulary in Vocabulary::ALL {
            assert_eq!(Vocabulary::from_name(vocabulary.name()), Some(vocabulary));
        }
    }
}
