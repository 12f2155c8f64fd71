//! How alike two texts are by the edits between them.

use rapidfuzz::distance::levenshtein;

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

/// [`edit_similarity`] of texts already taken apart into characters, for comparing each with many others.
pub fn edit_similarity_of_chars(a: &[char], b: &[char]) -> f64 {
    let longer = a.len().max(b.len());
    if longer == 0 {
        return 1.0;
    }
    1.0 - levenshtein::distance(a.iter().copied(), b.iter().copied()) as f64 / longer as f64
}
