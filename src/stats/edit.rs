//! How alike two texts are by the edits between them.

use rapidfuzz::distance::levenshtein::{self, BatchComparator};

/// Levenshtein distance: the least number of insertions, deletions and substitutions of single characters (Unicode
/// scalar values) that turn a into b. 0 for equal texts, the longer's length at most.
///
/// Reference: Levenshtein 1966, Soviet Physics Doklady 10:707–710.
pub fn edit_distance(a: &str, b: &str) -> usize {
    levenshtein::distance(a.chars(), b.chars())
}

/// Edit similarity `1 − distance/length of the longer`, in characters; in [0, 1], 1 for equal texts (two empty ones
/// among them). Without unit, always defined. See [`edit_distance`].
pub fn edit_similarity(a: &str, b: &str) -> f64 {
    let longer = a.chars().count().max(b.chars().count());
    if longer == 0 { 1.0 } else { 1.0 - edit_distance(a, b) as f64 / longer as f64 }
}

/// Compares one text with many: [`edit_similarity`] with the work on the first text done once, and byte by byte where
/// both texts are ASCII.
pub struct EditComparer<'a> {
    text: &'a str,
    characters: usize,
    bytes: Option<BatchComparator<u8>>,
}

impl<'a> EditComparer<'a> {
    /// A comparer of `text` with others.
    pub fn new(text: &'a str) -> Self {
        let bytes = text.is_ascii().then(|| BatchComparator::new(text.bytes()));
        Self { text, characters: text.chars().count(), bytes }
    }

    /// The similarity of the text and `other`, see [`edit_similarity`].
    pub fn similarity(&self, other: &str) -> f64 {
        let longer = self.characters.max(other.chars().count());
        if longer == 0 {
            return 1.0;
        }
        let distance = match &self.bytes {
            Some(bytes) if other.is_ascii() => bytes.distance(other.bytes()),
            _ => edit_distance(self.text, other),
        };
        1.0 - distance as f64 / longer as f64
    }
}
