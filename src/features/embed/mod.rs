//! Embeddings of messages: what judges how alike two messages are. No feature may know which backend is at work.

mod cache;
mod ngram;

pub use cache::{EmbeddingCache, SumNorm};
pub use ngram::HashedNgrams;

/// A sparse vector: component `indices[i]` has the weight `weights[i]`. An index may occur twice, then all its weights but
/// one are 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparseVector {
    /// Components that are not zero.
    pub indices: Vec<u32>,
    /// Their weights.
    pub weights: Vec<f64>,
}

impl SparseVector {
    /// Empties the vector and keeps its memory.
    pub fn clear(&mut self) {
        self.indices.clear();
        self.weights.clear();
    }
}

/// Turns a message into a vector of length 1 (or an empty one where the message has nothing to judge).
///
/// An embedder judges a message by itself: the vector may not depend on other messages, so that a run's value does not
/// depend on which other runs are in the batch.
pub trait Embedder: Sync + Send {
    /// Name and version, as it stands in the outputs.
    fn name(&self) -> &'static str;

    /// Number of components.
    fn dimensions(&self) -> usize;

    /// The vector of `text`, written to `out`.
    fn embed(&self, text: &str, out: &mut SparseVector);
}
