//! game
use super::*;
pub(super) fn play(
    place: &Place<'_>,
    mechanism: &Mechanism,
    _a: Option<u32>,
    tokenizer: Tokenizer,
) -> EpisodeRecord {
    super::scheduling::play(place, mechanism, tokenizer)
}
