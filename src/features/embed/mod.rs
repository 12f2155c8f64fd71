//! Embeddings of messages: what judges how alike two messages are. No feature may know which backend is at work.

mod cache;
mod ngram;
mod symbols;

pub use cache::{EmbeddingCache, SumNorm};
pub use ngram::HashedNgrams;

/// A component of a sparse vector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Component {
    /// Which one.
    pub index: u16,
    /// Its weight before the vector is brought to length 1; not 0.
    pub weight: f32,
}

/// A sparse vector of length 1: each of its components, which come once at most, times `scale`. Empty where the text has
/// nothing to judge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparseVector {
    /// Components that are not zero.
    pub components: Vec<Component>,
    /// What brings the vector to length 1.
    pub scale: f64,
}

impl SparseVector {
    /// Empties the vector and keeps its memory.
    pub fn clear(&mut self) {
        self.components.clear();
        self.scale = 0.0;
    }

    /// Components by number and value.
    pub fn values(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.components.iter().map(|c| (usize::from(c.index), self.scale * f64::from(c.weight)))
    }
}

/// Turns a message into a vector of length 1 (or an empty one where the message has nothing to judge).
///
/// An embedder judges a message by itself: the vector may not depend on other messages, so that a run's value does not
/// depend on which other runs are in the batch.
pub trait Embedder: Sync + Send {
    /// Name and version, as it stands in the outputs.
    fn name(&self) -> &'static str;

    /// Number of components, at most 65 536.
    fn dimensions(&self) -> usize;

    /// The vector of `text`, written to `out`.
    fn embed(&self, text: &str, out: &mut SparseVector);
}
