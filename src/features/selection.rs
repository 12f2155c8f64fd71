//! Which measures are computed: all, or those asked for.

use super::FEATURES;
use crate::error::{Error, Result};

/// A choice among the rows of [`FEATURES`]. What is not chosen is neither computed nor written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    shown: Vec<bool>,
    computed: Vec<bool>,
}

impl Selection {
    /// Every measure.
    pub fn all() -> Self {
        let every = vec![true; FEATURES.len()];
        Self { shown: every.clone(), computed: every }
    }

    /// The measures with these ids, in the registry's order; every one where none is named. A measure of a run that rests on
    /// one by round (`…_increase`) has that one computed too.
    ///
    /// # Errors
    /// When an id is not in the registry.
    pub fn of(ids: &[String]) -> Result<Self> {
        if ids.is_empty() {
            return Ok(Self::all());
        }
        if let Some(unknown) = ids.iter().find(|id| super::feature(id).is_none()) {
            let known: Vec<&str> = FEATURES.iter().map(|feature| feature.id).collect();
            return Err(Error::Usage(format!(
                "no feature is called {unknown}; there are {}",
                known.join(", ")
            )));
        }
        let named = |id: &str| ids.iter().any(|wanted| wanted == id);
        let shown: Vec<bool> = FEATURES.iter().map(|feature| named(feature.id)).collect();
        let rests = |id: &str| named(&format!("{id}_increase"));
        let computed = FEATURES.iter().map(|feature| named(feature.id) || rests(feature.id)).collect();
        Ok(Self { shown, computed })
    }

    /// Whether column `at` of the registry is written.
    pub fn shows(&self, at: usize) -> bool {
        self.shown.get(at).copied().unwrap_or(false)
    }

    /// Whether column `at` of the registry is computed.
    pub fn computes(&self, at: usize) -> bool {
        self.computed.get(at).copied().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::super::column_of;
    use super::*;

    #[test]
    fn what_a_chosen_measure_rests_on_is_computed_but_not_shown() {
        let selection = Selection::of(&["info_homogeneity_increase".to_owned()]).unwrap();
        let at = |id: &str| column_of(id).unwrap();
        assert!(selection.shows(at("info_homogeneity_increase")) && !selection.shows(at("info_homogeneity")));
        assert!(
            selection.computes(at("info_homogeneity")) && !selection.computes(at("stillness_proportion"))
        );
        assert_eq!(Selection::of(&[]).unwrap(), Selection::all());
        assert!(matches!(Selection::of(&["nope".to_owned()]), Err(Error::Usage(_))));
    }
}
