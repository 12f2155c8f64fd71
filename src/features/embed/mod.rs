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
    /// Its weight before the vector is scaled; not 0.
    pub weight: f32,
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

    /// Appends the components of the text's vector that are not 0, each once, to `out`; what brings the vector to length 1
    /// when its components are multiplied by it.
    fn embed(&self, text: &str, out: &mut Vec<Component>) -> f64;
}
