//! EvidenceChain: a small crime with a chain of facts that name the culprit; claims are the facts, wanted or not.

use serde_json::{Value, json};

use super::super::mind::Draws;
use super::super::problem::{Choice, Claim, Problem};
use crate::stats::rng::Stream;
use crate::trajectory::score::Instance;
use crate::trajectory::score::evidencechain::{EvidenceChain, ids};

struct World {
    story: String,
    question: String,
    facts: Vec<String>,
    chain: EvidenceChain,
}

const NAMES: [&str; 8] = ["Arden", "Blythe", "Corwin", "Dale", "Ellis", "Farrow", "Greaves", "Hale"];
const THINGS: [&str; 6] =
    ["the silver cup", "the ledger", "the map", "the violin", "the stamp album", "the key"];
const ROOMS: [&str; 6] =
    ["the library", "the pantry", "the tower", "the greenhouse", "the study", "the cellar"];

/// Sample `index`: 7 to 9 facts, 3 to 5 of them the chain.
pub(super) fn problem(seed: u64, index: usize) -> Box<dyn Problem> {
    let mut stream = Stream::new(seed, &format!("EvidenceChain/world/{index}"));
    let mut names = NAMES.to_vec();
    let mut rooms = ROOMS.to_vec();
    stream.shuffle(&mut names);
    stream.shuffle(&mut rooms);
    let (culprit, other, third) = (names[0], names[1], names[2]);
    let thing = THINGS[stream.index(THINGS.len())];
    let (room, elsewhere) = (rooms[0], rooms[1]);
    let hour = 1 + stream.index(11);
    let chain = [
        format!("{thing} was still in {room} at {hour} o'clock, when {third} looked."),
        format!("From {hour} o'clock on, {room} could only be entered from {elsewhere}."),
        format!("Whoever was in {elsewhere} after {hour} o'clock had the only way to {thing}."),
        format!(
            "{culprit}'s glove was found in {elsewhere}, still wet from the rain that began after {hour} o'clock."
        ),
        format!("{culprit} says to have been at home all evening, which the wet glove contradicts."),
    ];
    let noise = [
        format!("{other} has often admired {thing}."),
        format!("The clock in {} runs five minutes late.", rooms[2]),
        format!("{third} did not sleep well that night."),
        format!("A window in {} has been broken for weeks.", rooms[3]),
        format!("{other} owes {third} money."),
    ];
    let (length, extra) = (3 + stream.index(3), 4 + usize::from(stream.uniform() < 0.5));
    let mut chosen: Vec<usize> = (0..chain.len()).collect();
    stream.shuffle(&mut chosen);
    chosen.truncate(length);
    chosen.sort_unstable();
    let mut all: Vec<(Option<usize>, String)> =
        chosen.iter().enumerate().map(|(place, &at)| (Some(place), chain[at].clone())).collect();
    all.extend(noise.into_iter().take(extra).map(|text| (None, text)));
    stream.shuffle(&mut all);
    let mut gold: Vec<(usize, i64)> = all
        .iter()
        .enumerate()
        .filter_map(|(id, (place, _))| Some((place.as_ref().copied()?, id as i64)))
        .collect();
    gold.sort_unstable();
    let facts: Vec<String> = all.into_iter().map(|(_, text)| text).collect();
    Box::new(World {
        story: facts.join(" "),
        question: format!("Who took {thing}, and how is it known?"),
        facts,
        chain: EvidenceChain { gold: gold.into_iter().map(|(_, id)| id).collect() },
    })
}

impl World {
    fn place(&self, id: i64) -> Option<usize> {
        self.chain.gold.iter().position(|&gold| gold == id)
    }
}

impl Problem for World {
    fn instance(&self) -> Value {
        json!({"story": self.story, "question": self.question, "facts": self.facts, "gold": self.chain.gold})
    }

    /// Each fact is taken or left rightly with the skill's chance; one that is not worked out is taken by the toss of a coin. Its place is
    /// right, or (with the rest of the skill) anywhere.
    fn propose(&self, draws: &Draws<'_>) -> Value {
        let mut taken: Vec<(f64, i64)> = Vec::new();
        for id in 0..self.facts.len() as i64 {
            let mut stream = draws.part(id as usize);
            let place = self.place(id);
            let take =
                if stream.uniform() < draws.mind.skill { place.is_some() } else { stream.uniform() < 0.5 };
            let anywhere = stream.uniform() * self.chain.gold.len() as f64;
            let rank =
                place.filter(|_| stream.uniform() < draws.mind.skill).map_or(anywhere, |place| place as f64);
            if take {
                taken.push((rank, id));
            }
        }
        taken.sort_by(|a, b| a.0.total_cmp(&b.0));
        json!(taken.into_iter().map(|(_, id)| id).collect::<Vec<_>>())
    }

    /// One claim per fact: it belongs to the chain at this place, or it does not belong.
    fn claims(&self, content: &Value) -> Vec<Claim> {
        let Ok(chain) = ids(content) else { return Vec::new() };
        (0..self.facts.len())
            .map(|slot| {
                let id = slot as i64;
                let at = chain.iter().position(|&other| other == id);
                let share = at.map(|at| (100 * (at + 1) / (chain.len() + 1)) as u64);
                Claim {
                    slot,
                    option: json!(share),
                    text: format!("fact {id} is {}", if at.is_some() { "needed" } else { "not needed" }),
                    good: at.is_some() == self.place(id).is_some(),
                }
            })
            .collect()
    }

    /// The facts that are wanted, by the place that their claims give them in their own chains.
    fn assemble(&self, choices: &[Choice]) -> Value {
        if choices.is_empty() {
            return Value::Null;
        }
        let mut taken: Vec<(u64, usize)> =
            choices.iter().filter_map(|choice| Some((choice.option.as_u64()?, choice.slot))).collect();
        taken.sort_unstable();
        json!(taken.into_iter().map(|(_, slot)| slot).collect::<Vec<_>>())
    }

    fn scoring(&self) -> &dyn Instance {
        &self.chain
    }
}
