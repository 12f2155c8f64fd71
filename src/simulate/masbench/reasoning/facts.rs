//! Questions over generated facts: a chain of relations, cut in two, among facts that lead elsewhere.

use crate::stats::rng::Stream;

/// A fact: subject, relation, object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fact {
    pub(super) subject: String,
    pub(super) relation: Relation,
    pub(super) object: String,
}

/// The relations, in the order of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Relation {
    Director,
    Birthplace,
    Country,
    Capital,
}

impl Relation {
    pub(super) const CHAIN: [Self; 4] = [Self::Director, Self::Birthplace, Self::Country, Self::Capital];

    /// The relation's name in structured messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Director => "director",
            Self::Birthplace => "birthplace",
            Self::Country => "country",
            Self::Capital => "capital",
        }
    }
}

impl Fact {
    /// The fact as a sentence.
    pub(super) fn sentence(&self) -> String {
        let (subject, object) = (&self.subject, &self.object);
        match self.relation {
            Relation::Director => format!("the film {subject} was directed by {object}"),
            Relation::Birthplace => format!("{subject} was born in {object}"),
            Relation::Country => format!("{subject} is a town in {object}"),
            Relation::Capital => format!("the capital of {subject} is {object}"),
        }
    }
}

/// A question with its evidence.
#[derive(Clone, Debug)]
pub(super) struct Puzzle {
    pub(super) question: String,
    /// The film that the chain starts from.
    pub(super) start: String,
    pub(super) gold: String,
    /// The chain, in order.
    pub(super) evidence: Vec<Fact>,
    /// The facts of each of the two agents, shuffled.
    pub(super) held: [Vec<Fact>; 2],
}

const FIRST: [&str; 12] =
    ["Ada", "Bruno", "Clara", "Dario", "Elin", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kaia", "Levi"];
const LAST: [&str; 12] = [
    "Almeida", "Berg", "Castell", "Dorn", "Eriksen", "Falk", "Grau", "Holm", "Ivanov", "Jansen", "Keller",
    "Lund",
];
const FILM: [&str; 12] = [
    "Amber", "Silent", "Winter", "Golden", "Broken", "Distant", "Paper", "Hidden", "Crimson", "Second",
    "Hollow", "Glass",
];
const FILM_NOUN: [&str; 12] = [
    "River", "Harbour", "Garden", "Letter", "Mirror", "Bridge", "Orchard", "Signal", "Station", "Island",
    "Lantern", "Voyage",
];
const SYLLABLE: [&str; 14] =
    ["mar", "vel", "tor", "lin", "dan", "kes", "ro", "bel", "sun", "gar", "mi", "pol", "ze", "har"];

/// Names that occur once in a puzzle.
struct Namer<'a> {
    stream: &'a mut Stream,
    used: Vec<String>,
}

impl Namer<'_> {
    fn fresh(&mut self, make: impl Fn(&mut Stream) -> String) -> String {
        // There are at least 144 names of each kind and a puzzle needs fewer than 20.
        loop {
            let name = make(self.stream);
            if !self.used.contains(&name) {
                self.used.push(name.clone());
                return name;
            }
        }
    }

    fn object(&mut self, relation: Relation) -> String {
        let pick = |stream: &mut Stream, words: &[&str]| words[stream.index(words.len())].to_owned();
        let place = |stream: &mut Stream, end: &str| {
            let word = pick(stream, &SYLLABLE) + &pick(stream, &SYLLABLE) + end;
            let mut chars = word.chars();
            chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
        };
        match relation {
            Relation::Director => {
                self.fresh(|stream| format!("{} {}", pick(stream, &FIRST), pick(stream, &LAST)))
            }
            Relation::Birthplace => self.fresh(|stream| place(stream, "ford")),
            Relation::Country => self.fresh(|stream| place(stream, "ia")),
            Relation::Capital => self.fresh(|stream| format!("Port {}", place(stream, ""))),
        }
    }

    fn film(&mut self) -> String {
        self.fresh(|stream| {
            format!("{} {}", FILM[stream.index(FILM.len())], FILM_NOUN[stream.index(FILM_NOUN.len())])
        })
    }
}

/// Makes a puzzle. Simple: 2 or 3 relations and 3 other facts per agent; Complex: 4 relations and 8 other facts per agent. The
/// chain's facts go to the two agents in turn, so neither can answer alone.
pub(super) fn generate(stream: &mut Stream, hard: bool) -> Puzzle {
    let hops = if hard { 4 } else { 2 + stream.index(2) };
    let others = if hard { 8 } else { 3 };
    let first = stream.index(2);
    let mut namer = Namer { stream, used: Vec::new() };
    let start = namer.film();
    let mut held = [Vec::new(), Vec::new()];
    let mut evidence = Vec::new();
    let mut subject = start.clone();
    for (hop, relation) in Relation::CHAIN.into_iter().take(hops).enumerate() {
        let object = namer.object(relation);
        let fact = Fact { subject, relation, object: object.clone() };
        held[(first + hop) % 2].push(fact.clone());
        evidence.push(fact);
        subject = object;
    }
    for facts in &mut held {
        let mut chain: Option<String> = None;
        for number in 0..others {
            // Facts of other chains: same relations, other names.
            let relation = Relation::CHAIN[number % hops];
            let object = namer.object(relation);
            let subject = match (relation, chain.take()) {
                (Relation::Director, _) | (_, None) => namer.film(),
                (_, Some(previous)) => previous,
            };
            chain = Some(object.clone());
            facts.push(Fact { subject, relation, object });
        }
        namer.stream.shuffle(facts);
    }
    let question = match hops {
        2 => format!("In which town was the director of the film {start} born?"),
        3 => format!("In which country lies the birthplace of the director of the film {start}?"),
        _ => {
            format!("What is the capital of the country in which the director of the film {start} was born?")
        }
    };
    Puzzle { question, start, gold: subject, evidence, held }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_whole_and_neither_agent_has_all_of_it() {
        for number in 0..500 {
            let hard = number % 2 == 1;
            let puzzle = generate(&mut Stream::new(number, "facts"), hard);
            assert!(puzzle.evidence.windows(2).all(|pair| pair[0].object == pair[1].subject));
            assert_eq!(puzzle.evidence[0].subject, puzzle.start);
            assert_eq!(puzzle.evidence.last().unwrap().object, puzzle.gold);
            let hops = puzzle.evidence.len();
            assert!(if hard { hops == 4 } else { (2..=3).contains(&hops) });
            for facts in &puzzle.held {
                let own = puzzle.evidence.iter().filter(|fact| facts.contains(fact)).count();
                assert!(own >= 1 && own < hops);
            }
            let all: Vec<&Fact> = puzzle.held.iter().flatten().collect();
            assert!(puzzle.evidence.iter().all(|fact| all.contains(&fact)));
            // One object per subject and relation: the chain has one end.
            for fact in &all {
                assert_eq!(
                    all.iter().filter(|f| f.subject == fact.subject && f.relation == fact.relation).count(),
                    1
                );
            }
        }
    }
}
