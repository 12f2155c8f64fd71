//! OptionGen: an article with one fact asked for; options come from a bank whose quality the scripted judge knows.

use serde_json::{Map, Value, json};

use super::super::mind::Draws;
use super::super::problem::{Choice, Claim, Problem};
use crate::model::{Judge, Output};
use crate::stats::rng::Stream;
use crate::trajectory::score::Instance;
use crate::trajectory::score::optiongen::OptionGen;

/// A text with the score that the judge gives it, 0–100.
#[derive(Clone, Debug)]
struct Variant {
    text: String,
    quality: f64,
}

struct World {
    article: String,
    question: String,
    answers: Vec<Variant>,
    distractors: Vec<Variant>,
}

/// From this quality on an option is good work.
const GOOD: f64 = 65.0;

/// Points that the judge takes off for a distractor that is there twice.
const REPEATED: f64 = 15.0;

const ANIMALS: [&str; 8] = ["herons", "storks", "whales", "salmon", "geese", "turtles", "bats", "eels"];
const PLACES: [&str; 8] = [
    "the northern lakes",
    "the delta",
    "the warm bays",
    "the upper river",
    "the salt marsh",
    "the fjord",
    "the caves",
    "the old harbour",
];
const REASONS: [&str; 6] = [
    "to bear their young",
    "to find food",
    "to escape the ice",
    "to rest",
    "to change their coats",
    "to meet their mates",
];

/// Sample `index`.
pub(super) fn problem(seed: u64, index: usize) -> Box<dyn Problem> {
    let mut stream = Stream::new(seed, &format!("OptionGen/world/{index}"));
    let animal = ANIMALS[stream.index(ANIMALS.len())];
    let mut places = PLACES.to_vec();
    let mut reasons = REASONS.to_vec();
    stream.shuffle(&mut places);
    stream.shuffle(&mut reasons);
    let distance = 50 * (1 + stream.index(12));
    let article = format!(
        "Every spring the {animal} leave {} and travel {distance} kilometres to {}. They go {}, and each group \
         returns to the same place every year. Few people at {} have seen them arrive.",
        places[0], places[1], reasons[0], places[2]
    );
    let question = format!("Why do the {animal} travel to {}?", places[1]);
    let quality = |stream: &mut Stream, low: usize, high: usize| (low + stream.index(high - low + 1)) as f64;
    let answers = vec![
        Variant { text: format!("They go there {}.", reasons[0]), quality: quality(&mut stream, 85, 100) },
        Variant {
            text: format!("{} is where they go {} each spring.", places[1], reasons[0]),
            quality: quality(&mut stream, 75, 95),
        },
        Variant { text: format!("Mainly {}.", reasons[0]), quality: quality(&mut stream, 65, 85) },
        Variant { text: "Because they do so every year.".to_owned(), quality: quality(&mut stream, 20, 50) },
        Variant { text: format!("They go there {}.", reasons[1]), quality: quality(&mut stream, 0, 20) },
        Variant {
            text: "The article does not say it clearly.".to_owned(),
            quality: quality(&mut stream, 0, 15),
        },
    ];
    let good = [
        format!("They go there {}.", reasons[2]),
        format!("They leave {} {}.", places[0], reasons[3]),
        format!("People at {} feed them.", places[2]),
        format!("It is only {} kilometres away.", distance / 10),
        format!("They were born near {}.", places[3]),
    ];
    let poor = [
        format!("They go there {}.", reasons[0]),
        "None of these.".to_owned(),
        "Yes.".to_owned(),
        "Cars are faster than trains.".to_owned(),
        format!("The {animal}."),
    ];
    let distractors = good
        .into_iter()
        .map(|text| Variant { text, quality: quality(&mut stream, 65, 100) })
        .collect::<Vec<_>>()
        .into_iter()
        .chain(poor.map(|text| Variant { text, quality: 0.0 }))
        .collect::<Vec<_>>();
    let distractors = distractors
        .into_iter()
        .map(|variant| {
            let quality = if variant.quality > 0.0 { variant.quality } else { quality(&mut stream, 0, 40) };
            Variant { quality, ..variant }
        })
        .collect();
    Box::new(World { article, question, answers, distractors })
}

impl World {
    fn bank(&self, slot: usize) -> &[Variant] {
        if slot == 0 { &self.answers } else { &self.distractors }
    }

    /// What the judge gives a text; 0 for one that is not in the bank.
    fn quality(&self, slot: usize, text: &str) -> f64 {
        self.bank(slot).iter().find(|variant| variant.text == text).map_or(0.0, |variant| variant.quality)
    }

    fn options<'a>(content: &'a Value) -> Option<Vec<&'a str>> {
        let answer = content.get("answer")?.as_str()?;
        let distractors = content.get("distractors")?.as_array()?.iter().map(Value::as_str);
        std::iter::once(Some(answer)).chain(distractors).collect::<Option<Vec<&'a str>>>()
    }

    fn judge(&self, content: &Value) -> Option<Judge> {
        let options = Self::options(content)?;
        let (answer, distractors) = options.split_first()?;
        let mut sum: f64 = distractors.iter().map(|text| self.quality(1, text)).sum();
        for (place, text) in distractors.iter().enumerate() {
            if distractors[..place].contains(text) {
                sum -= REPEATED;
            }
        }
        let mean = sum / distractors.len().max(1) as f64;
        Some(Judge { correct: self.quality(0, answer), distractors: mean.max(0.0) })
    }
}

impl Problem for World {
    fn instance(&self) -> Value {
        json!({"article": self.article, "question": self.question})
    }

    /// Each of the four options comes from the good ones of the bank (skill) or from the others.
    fn propose(&self, draws: &Draws<'_>) -> Value {
        let pick = |slot: usize| {
            let mut stream = draws.part(slot);
            let wanted = stream.uniform() < draws.mind.skill;
            let pool: Vec<&Variant> =
                self.bank(slot).iter().filter(|variant| (variant.quality >= GOOD) == wanted).collect();
            pool.get(stream.index(pool.len())).map_or_else(String::new, |variant| variant.text.clone())
        };
        json!({"answer": pick(0), "distractors": [pick(1), pick(2), pick(3)]})
    }

    fn claims(&self, content: &Value) -> Vec<Claim> {
        let Some(options) = Self::options(content) else { return Vec::new() };
        options
            .iter()
            .enumerate()
            .map(|(slot, text)| Claim {
                slot,
                option: json!(text),
                text: if slot == 0 { "answers the question".into() } else { "misleads and is wrong".into() },
                good: self.quality(slot, text) >= GOOD && !options[1..slot.max(1)].contains(text),
            })
            .collect()
    }

    fn assemble(&self, choices: &[Choice]) -> Value {
        let of = |slot: usize| choices.iter().find(|choice| choice.slot == slot).map(|choice| &choice.option);
        match (of(0), of(1), of(2), of(3)) {
            (Some(answer), Some(a), Some(b), Some(c)) => json!({"answer": answer, "distractors": [a, b, c]}),
            _ => Value::Null,
        }
    }

    fn beside(&self, content: &Value) -> Map<String, Value> {
        let judged = self
            .judge(content)
            .map(|judge| json!({"correct": judge.correct, "distractors": judge.distractors}));
        judged.into_iter().map(|judge| ("judge".to_owned(), judge)).collect()
    }

    fn output(&self, content: &Value) -> Output {
        let judge = self.judge(content);
        Output {
            content: Some(content.clone()).filter(|content| !content.is_null()),
            judge,
            ..Output::default()
        }
    }

    fn scoring(&self) -> &dyn Instance {
        &OptionGen
    }
}
