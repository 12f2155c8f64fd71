//! Agent ids: spellings become dense numbers; 0, "0" and "Agent_0" become one agent where that is unambiguous.

use std::collections::{BTreeMap, BTreeSet};

use super::field::IdField;
use crate::ingest::json::{RawStr, Repair, decode};

/// A spelling of an agent's id: number and text are different spellings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Spelling {
    Number(i64),
    Text(Vec<u8>),
}

impl Spelling {
    fn shown(&self) -> String {
        match self {
            Self::Number(n) => n.to_string(),
            Self::Text(bytes) => decode(RawStr { bytes }, &mut Repair::default()).trim().to_owned(),
        }
    }

    /// The number that the spelling stands for, if it is of the usual form.
    fn number(&self) -> Option<i64> {
        match self {
            Self::Number(n) => Some(*n),
            Self::Text(_) => {
                let text = self.shown();
                let digits = text.strip_prefix("Agent_").unwrap_or(&text);
                (!digits.is_empty() && digits.len() < 16 && digits.bytes().all(|b| b.is_ascii_digit()))
                    .then(|| digits.parse().ok())
                    .flatten()
            }
        }
    }
}

/// Spellings seen in a run, numbered in the order of their first occurrence.
#[derive(Debug, Default)]
pub(super) struct Interner {
    spellings: Vec<Spelling>,
    by_spelling: BTreeMap<Spelling, u32>,
    last: usize,
}

/// What the spellings of a run come to.
#[derive(Debug)]
pub(super) struct Agents {
    /// Names in natural order.
    pub(super) names: Vec<String>,
    /// The dense agent number of each spelling.
    pub(super) of_spelling: Vec<u32>,
    /// Groups of spellings that were taken as one agent, as shown.
    pub(super) matched: Vec<String>,
    /// Groups of spellings that could mean one agent but occur side by side.
    pub(super) ambiguous: Vec<String>,
}

impl Interner {
    /// The number of a spelling; `None` where the field names nobody.
    pub(super) fn intern(&mut self, id: IdField, text: &[u8]) -> Option<u32> {
        let equal = |spelling: &Spelling| match (spelling, id) {
            (Spelling::Number(a), IdField::Number(b)) => *a == b,
            (Spelling::Text(a), IdField::Text) => a == text,
            _ => false,
        };
        // Agents are logged in the same order round after round: the next one is nearly always right.
        for guess in [self.last + 1, 0, self.last] {
            if self.spellings.get(guess).is_some_and(equal) {
                self.last = guess;
                return Some(guess as u32);
            }
        }
        let spelling = match id {
            IdField::None => return None,
            IdField::Number(n) => Spelling::Number(n),
            IdField::Text => Spelling::Text(text.to_vec()),
        };
        let next = self.spellings.len() as u32;
        let number = *self.by_spelling.entry(spelling.clone()).or_insert(next);
        if number == next {
            self.spellings.push(spelling);
        }
        self.last = number as usize;
        Some(number)
    }

    /// Whether two spellings could mean one agent.
    pub(super) fn has_variants(&self) -> bool {
        let numbers: Vec<i64> = self.spellings.iter().filter_map(Spelling::number).collect();
        numbers.iter().collect::<BTreeSet<_>>().len() < numbers.len()
    }

    /// Spellings of which something had to be replaced to show them, as shown.
    pub(super) fn repaired(&self) -> Vec<(String, Repair)> {
        let mut repaired = Vec::new();
        for spelling in &self.spellings {
            let mut repair = Repair::default();
            if let Spelling::Text(bytes) = spelling {
                decode(RawStr { bytes }, &mut repair);
            }
            if repair.any() {
                repaired.push((spelling.shown(), repair));
            }
        }
        repaired
    }

    /// Joins spellings of one agent. `side_by_side` holds each set of spellings that occur in one round of one file.
    pub(super) fn resolve(self, side_by_side: &BTreeSet<Vec<u32>>) -> Agents {
        let mut groups: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
        for (ix, spelling) in self.spellings.iter().enumerate() {
            if let Some(number) = spelling.number() {
                groups.entry(number).or_default().push(ix as u32);
            }
        }
        let mut joined: Vec<u32> = (0..self.spellings.len() as u32).collect();
        let (mut matched, mut ambiguous) = (Vec::new(), Vec::new());
        for group in groups.values().filter(|group| group.len() > 1) {
            let shown: Vec<String> = group.iter().map(|&ix| quoted(&self.spellings[ix as usize])).collect();
            let clash = side_by_side.iter().any(|set| group.iter().filter(|ix| set.contains(ix)).count() > 1);
            if clash {
                ambiguous.push(shown.join(", "));
                continue;
            }
            let longest = group.iter().max_by_key(|&&ix| self.spellings[ix as usize].shown().len());
            let Some(&name) = longest else { continue };
            for &ix in group {
                joined[ix as usize] = name;
            }
            matched.push(shown.join(" = "));
        }
        let clashing: BTreeSet<String> =
            ambiguous.iter().flat_map(|g| g.split(", ").map(str::to_owned)).collect();
        let name_of = |ix: u32| {
            let spelling = &self.spellings[ix as usize];
            // The number 0 beside the text "0": only their quotes tell them apart.
            if clashing.contains(&quoted(spelling)) { quoted(spelling) } else { spelling.shown() }
        };
        let mut heads: Vec<u32> = joined.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
        heads.sort_by_cached_key(|&ix| (natural_key(&name_of(ix)), ix));
        let dense: BTreeMap<u32, u32> = heads.iter().enumerate().map(|(n, &ix)| (ix, n as u32)).collect();
        Agents {
            names: heads.iter().map(|&ix| name_of(ix)).collect(),
            of_spelling: joined.iter().map(|ix| dense[ix]).collect(),
            matched,
            ambiguous,
        }
    }
}

fn quoted(spelling: &Spelling) -> String {
    match spelling {
        Spelling::Number(n) => n.to_string(),
        Spelling::Text(_) => format!("\"{}\"", spelling.shown()),
    }
}

/// Text with its digit runs as numbers, so that `Agent_2` comes before `Agent_10`.
fn natural_key(text: &str) -> Vec<(String, u128)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let word_end = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (word, tail) = rest.split_at(word_end);
        let digits_end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        let (digits, tail) = tail.split_at(digits_end.min(38));
        parts.push((word.to_owned(), digits.parse().unwrap_or(0)));
        rest = tail;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interner(ids: &[(IdField, &str)]) -> Interner {
        let mut interner = Interner::default();
        for (id, text) in ids {
            interner.intern(*id, text.as_bytes());
        }
        interner
    }

    #[test]
    fn spellings_join_where_they_never_meet() {
        let ids = [
            (IdField::Number(0), ""),
            (IdField::Number(1), ""),
            (IdField::Text, "Agent_0"),
            (IdField::Text, "1"),
        ];
        let rounds = BTreeSet::from([vec![0, 1], vec![2, 3]]);
        let agents = interner(&ids).resolve(&rounds);
        assert_eq!(agents.names, ["1", "Agent_0"]);
        assert_eq!(agents.of_spelling, [1, 0, 1, 0]);
        assert_eq!((agents.matched.len(), agents.ambiguous.len()), (2, 0));
    }

    #[test]
    fn spellings_that_meet_stay_apart() {
        let ids = [(IdField::Number(0), ""), (IdField::Text, "Agent_0")];
        let agents = interner(&ids).resolve(&BTreeSet::from([vec![0, 1]]));
        assert_eq!(agents.names.len(), 2);
        assert_eq!((agents.matched.len(), agents.ambiguous.len()), (0, 1));
    }

    #[test]
    fn names_sort_as_people_count() {
        let ids = [(IdField::Text, "Agent_10"), (IdField::Text, "Agent_2"), (IdField::Text, "Agent_0")];
        assert_eq!(interner(&ids).resolve(&BTreeSet::new()).names, ["Agent_0", "Agent_2", "Agent_10"]);
    }
}
