//! `episodes.jsonl` of a MASBench run, line by line.

use std::collections::BTreeMap;
use std::io::BufRead;

use serde_json::{Map, Value};
use xxhash_rust::xxh3::xxh3_64;

use super::fields::{Notes, clip, kind, to_whole};
use super::line::parse_line;
use super::lines::{Line, MAX_LINE, next_line};
use super::traffic::{Names, messages, name, steps};
use crate::finding::{Findings, Place, Subject, input_rules, mb};
use crate::model::{BusySlots, Calendar, Episode, Instance, MasTask, Prediction, Split};

/// Gives every episode of `reader` to `each`, in the file's order, with its line number from 0. One episode is in memory at
/// a time. Faults are noted under `subject`; a line that is no episode is left out and the next ones are read.
///
/// Returns the number of episodes.
pub fn read_episodes(
    mut reader: impl BufRead,
    task: &MasTask,
    subject: &Subject,
    findings: &mut Findings,
    mut each: impl FnMut(Episode, u64, &mut Findings),
) -> u64 {
    let mut buffer = Vec::new();
    let mut occurrences: BTreeMap<String, i64> = BTreeMap::new();
    let mut episodes = 0;
    for number in 0_u64.. {
        let line = next_line(&mut reader, &mut buffer, MAX_LINE);
        let mut notes = Notes { subject, findings, place: Place::Record(number) };
        let ended = match line {
            Ok(Line::End) => break,
            Ok(Line::TooLong) => {
                notes.add(&mb::LINE_TOO_LONG, format!("more than {MAX_LINE} bytes"));
                continue;
            }
            Ok(Line::Whole) => true,
            Ok(Line::Unended) => false,
            Err(error) => {
                notes.add(&input_rules::FILE_UNREADABLE, error.to_string());
                break;
            }
        };
        let bytes = match buffer.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) if number == 0 => {
                notes.add(&input_rules::BYTE_ORDER_MARK, "a byte-order mark");
                rest
            }
            _ => &buffer[..],
        };
        if bytes.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let Some(value) = parse_line(bytes, ended, &mut notes) else { continue };
        let Some(object) = value.as_object() else {
            notes.add(&mb::LINE_UNREADABLE, format!("it is {}, not an object", kind(&value)));
            continue;
        };
        if let Some(episode) = read_episode(object, task, &mut occurrences, &mut notes) {
            episodes += 1;
            each(episode, number, findings);
        }
    }
    episodes
}

fn read_episode(
    object: &Map<String, Value>,
    task: &MasTask,
    occurrences: &mut BTreeMap<String, i64>,
    notes: &mut Notes<'_>,
) -> Option<Episode> {
    let Some(instance_id) = notes.text(object, "instance_id") else {
        notes.add(&mb::LINE_UNREADABLE, "instance_id is missing");
        return None;
    };
    let split = Split::from_name(&notes.text(object, "split").unwrap_or_default());
    if let Split::Other(name) = &split {
        notes.add(&mb::SPLIT_UNKNOWN, format!("split is \"{}\"", clip(name)));
    }
    // Logs without repeat numbers: the repeats of an instance are numbered as they come.
    let occurrence = occurrences.entry(instance_id.clone()).or_insert(0);
    *occurrence += 1;
    let repeat = notes.whole(object, "repeat").unwrap_or(*occurrence);
    let (agents, listed) = agents(object, notes);
    let empty = Map::new();
    let instance_object = match object.get("instance") {
        Some(value) => notes.object("instance", value).unwrap_or(&empty),
        None => &empty,
    };
    let mut episode = Episode {
        instance_id,
        split,
        repeat,
        agents,
        listed,
        instance: instance(instance_object, task, notes),
        fingerprint: 0,
        prediction: prediction(object.get("prediction"), task, notes),
        stored_score: stored_score(object, task, notes),
        reference_score: notes.number(object, "reference_score"),
        collected: notes.number(object, "collected"),
        score_by_round: score_by_round(object, notes),
        messages: Vec::new(),
        receivers: Vec::new(),
        steps: Vec::new(),
        text: String::new(),
    };
    episode.fingerprint = fingerprint(object, &episode);
    let mut names = Names::listed(&episode.agents);
    steps(object, &mut episode, &mut names, notes);
    messages(object, task, &mut episode, &mut names, notes);
    if let (Some(limit), Some(last)) = (task.round_limit(), episode.last_round())
        && last > limit
    {
        notes.add(&mb::ROUNDS_OVER_LIMIT, format!("round {last}, the limit is {limit}"));
    }
    Some(episode)
}

fn agents(object: &Map<String, Value>, notes: &mut Notes<'_>) -> (Vec<String>, usize) {
    let mut agents: Vec<String> = Vec::new();
    for value in notes.list(object, "agents") {
        match name(value) {
            Some(name) if !agents.contains(&name) => agents.push(name),
            Some(name) => notes.add(&mb::AGENTS_MISSING, format!("{} is listed twice", clip(&name))),
            None => notes.add(&mb::PART_MALFORMED, format!("an agent is {}, not a name", kind(value))),
        }
    }
    if agents.is_empty() {
        notes.add(&mb::AGENTS_MISSING, "no agents are listed");
    }
    let listed = agents.len();
    (agents, listed)
}

fn instance(object: &Map<String, Value>, task: &MasTask, notes: &mut Notes<'_>) -> Instance {
    match task {
        MasTask::Reasoning => Instance::Question {
            question: notes.text(object, "question").unwrap_or_default(),
            gold_answer: notes.text(object, "gold_answer"),
        },
        MasTask::Scheduling => Instance::Calendars {
            day_slots: notes.whole(object, "day_slots"),
            duration_slots: notes.whole(object, "duration_slots"),
            calendars: calendars(object, notes),
        },
        MasTask::Game => {
            let mut size = |key: &str| notes.whole(object, key).and_then(|n| u32::try_from(n).ok());
            Instance::Map { width: size("width"), height: size("height"), view_size: size("view_size") }
        }
        MasTask::Other(_) => Instance::Other,
    }
}

fn calendars(object: &Map<String, Value>, notes: &mut Notes<'_>) -> Vec<Calendar> {
    let Some(busy) = object.get("busy").and_then(|busy| notes.object("busy", busy)) else {
        return Vec::new();
    };
    let mut calendars = Vec::new();
    for agent in busy.keys() {
        let stretches = notes.list(busy, agent);
        let mut busy = Vec::with_capacity(stretches.len());
        for stretch in stretches {
            let bound = |ix: usize| stretch.get(ix).and_then(Value::as_f64).and_then(to_whole);
            let pair = stretch.as_array().is_some_and(|pair| pair.len() == 2);
            match (bound(0), bound(1)) {
                (Some(start), Some(end)) if pair => busy.push(BusySlots { start, end }),
                _ => notes.add(
                    &mb::PART_MALFORMED,
                    format!(
                        "a busy stretch of {} is no pair of slots: {}",
                        clip(agent),
                        clip(&stretch.to_string())
                    ),
                ),
            }
        }
        calendars.push(Calendar { agent: agent.clone(), busy });
    }
    calendars
}

fn prediction(value: Option<&Value>, task: &MasTask, notes: &mut Notes<'_>) -> Prediction {
    let value = match (value, task) {
        (_, MasTask::Game) => return Prediction::None,
        (None, _) => {
            notes.add(&mb::PREDICTION_MISSING, "there is no prediction");
            return Prediction::None;
        }
        (Some(value), _) => value,
    };
    let taken = match (value, task) {
        (Value::Null, _) => Prediction::None,
        (Value::String(text), MasTask::Scheduling) => match text.trim().parse() {
            Ok(slot) => {
                notes.add(&mb::NUMBER_AS_TEXT, format!("prediction is \"{}\"", clip(text)));
                Prediction::Slot(slot)
            }
            Err(_) => Prediction::Unusable,
        },
        (Value::Number(number), MasTask::Reasoning) => Prediction::Text(number.to_string()),
        (Value::Bool(true), MasTask::Reasoning) => Prediction::Text("yes".into()),
        (Value::Bool(false), MasTask::Reasoning) => Prediction::Text("no".into()),
        (Value::String(text), _) => Prediction::Text(text.clone()),
        (Value::Number(number), _) => {
            number.as_f64().and_then(to_whole).map_or(Prediction::Unusable, Prediction::Slot)
        }
        _ => Prediction::Unusable,
    };
    if taken == Prediction::Unusable {
        notes.add(&mb::PREDICTION_MISSING, format!("prediction is {}", clip(&value.to_string())));
    }
    taken
}

fn stored_score(object: &Map<String, Value>, task: &MasTask, notes: &mut Notes<'_>) -> Option<f64> {
    let value = object.get("score");
    let Ok(score) = notes.number_or_text("score", value) else {
        notes.add(&mb::SCORE_NOT_A_NUMBER, format!("score is {}", value.map_or("missing", kind)));
        return None;
    };
    let score = score?;
    if score < 0.0 || (score > 100.0 && *task != MasTask::Game) {
        notes.add(&mb::SCORE_OUT_OF_RANGE, format!("score is {score}"));
    }
    Some(score)
}

fn score_by_round(object: &Map<String, Value>, notes: &mut Notes<'_>) -> Vec<Option<f64>> {
    let list = notes.list(object, "score_by_round");
    let mut scores = Vec::with_capacity(list.len());
    for value in list {
        scores.push(notes.number_or_text("score_by_round", Some(value)).unwrap_or_else(|()| {
            notes.add(&mb::SCORE_NOT_A_NUMBER, format!("a score by round is {}", kind(value)));
            None
        }));
    }
    scores
}

/// Equal for equal instances: the instance as logged with its keys sorted, the agents, and in Game the reference score.
fn fingerprint(object: &Map<String, Value>, episode: &Episode) -> u64 {
    let instance = object.get("instance").unwrap_or(&Value::Null);
    let text = format!("{instance}\u{0}{:?}\u{0}{:?}", &episode.agents, episode.reference_score);
    xxh3_64(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MasTask::{Game, Reasoning, Scheduling};

    fn read(text: &[u8], task: &MasTask) -> (Vec<Episode>, Vec<String>) {
        let mut findings = Findings::new();
        let mut episodes = Vec::new();
        read_episodes(text, task, &Subject::file("e"), &mut findings, |episode, _, _| episodes.push(episode));
        let mut codes: Vec<String> = findings.into_sorted().into_iter().map(|finding| finding.code).collect();
        codes.sort();
        (episodes, codes)
    }

    #[test]
    fn a_usual_episode_is_read_whole() {
        let line = r#"{"instance_id":"g","split":"Complex","repeat":2,"agents":["R0",1],"instance":{"width":18,"height":18},
            "collected":3,"reference_score":4,"score_by_round":[0,null,75],"messages":[{"round":1,"from":"R0","to":[1],"text":"ho é","tokens":2},
            {"round":2,"from":1,"to":"R0","text":""}],"steps":[{"round":1,"agent":"R0","x":3,"y":4,"action":"UP","carrying":"ore"},
            {"round":3,"agent":"1","x":3,"y":4,"action":"STAY","carrying":null}]}"#;
        let (episodes, codes) = read(line.replace('\n', " ").as_bytes(), &Game);
        assert_eq!(codes, [] as [&str; 0]);
        let episode = &episodes[0];
        assert_eq!((episode.repeat, episode.listed, episode.agents.len()), (2, 2, 2));
        assert_eq!(episode.text(episode.messages[0].text), "ho é");
        assert_eq!(episode.receivers(&episode.messages[1]), [crate::model::AgentIx(0)]);
        assert_eq!((episode.messages[0].tokens, episode.messages[1].tokens), (Some(2.0), None));
        assert!(episode.steps[0].carrying && !episode.steps[1].carrying);
        assert_eq!(episode.score_by_round, [Some(0.0), None, Some(75.0)]);
        assert_eq!(episode.last_round(), Some(3));
    }

    #[test]
    fn one_bad_line_costs_one_line() {
        let text = b"\xef\xbb\xbf{\"instance_id\":1,\"split\":\"Simple\",\"agents\":[\"A\"],\"prediction\":\"x\"}\r\n\n{oops}\n[]\n{\"split\":\"Simple\"}\n{\"instance_id\":\"b\",\"split\":\"Simple\",\"agents\":[\"A\"],\"prediction\":\"x\"}\n{\"instance_id\":\"c\",\"spl";
        let (episodes, codes) = read(text, &Reasoning);
        let ids: Vec<&str> = episodes.iter().map(|episode| episode.instance_id.as_str()).collect();
        assert_eq!(ids, ["1", "b"]);
        assert_eq!(codes, ["IN008", "IN014", "MB003"]);
        assert_eq!(read(b"", &Reasoning).0.len(), 0);
        let deep = "[".repeat(100_000);
        assert_eq!(read(deep.as_bytes(), &Reasoning).0.len(), 0);
    }

    #[test]
    fn every_fault_has_its_finding() {
        for (task, fields, want) in [
            (Game, r#""messages":[{"round":1,"from":"X","to":["A"]}]"#, "MB010"),
            (Game, r#""messages":[{"round":1,"from":"A","to":["X"]}]"#, "MB011"),
            (
                Game,
                r#""messages":[{"round":2,"from":"A","to":["B"]},{"round":1,"from":"A","to":["B"]}]"#,
                "MB012",
            ),
            (
                Game,
                r#""steps":[{"round":2,"agent":"A","x":1,"y":1},{"round":1,"agent":"A","x":1,"y":1}]"#,
                "MB012",
            ),
            (Game, r#""score_by_round":[0,1],"messages":[{"round":3,"from":"A","to":["B"]}]"#, "MB013"),
            (
                Game,
                r#""messages":[{"round":1,"from":"A","to":["B"]},{"round":1,"from":"A","to":["B"]}]"#,
                "MB014",
            ),
            (Game, r#""messages":[{"round":51,"from":"A","to":["B"]}]"#, "MB016"),
            (Scheduling, r#""prediction":1,"messages":[{"round":6,"from":"A","to":["B"]}]"#, "MB016"),
            (Reasoning, r#""prediction":"x","messages":[{"round":11,"from":"A","to":["B"]}]"#, "MB016"),
            (Game, r#""messages":[{"round":1,"from":"A","to":["B"],"tokens":-4}]"#, "MB017"),
            (Game, r#""messages":[{"round":1,"from":"A","to":["B"],"tokens":"many"}]"#, "MB017"),
            (Game, r#""score":[1]"#, "MB020"),
            (Reasoning, r#""prediction":"x","score":101"#, "MB022"),
            (Game, r#""score":-1"#, "MB022"),
            (Scheduling, r#""prediction":"noon""#, "MB023"),
            (Scheduling, r#""score":0"#, "MB023"),
            (Scheduling, r#""prediction":null,"instance":{"busy":{"A":[[1,2],[3]]}}"#, "MB024"),
            (Game, r#""messages":{}"#, "MB024"),
            (Game, r#""messages":[7]"#, "MB024"),
            (Game, r#""score":"50""#, "MB028"),
            (Scheduling, r#""prediction":"12""#, "MB028"),
        ] {
            let line = format!(r#"{{"instance_id":"i","split":"Simple","agents":["A","B"],{fields}}}"#);
            assert_eq!(read(line.as_bytes(), &task).1, [want], "{line}");
        }
        let other = r#"{"instance_id":"i","split":"Hard","agents":["A","A"],"prediction":"x"}"#;
        assert_eq!(read(other.as_bytes(), &Reasoning).1, ["MB009", "MB025"]);
    }

    #[test]
    fn fingerprints_tell_instances_apart() {
        let line = |busy: &str, id: &str| {
            format!(
                r#"{{"instance_id":"{id}","split":"Simple","agents":["A"],"instance":{{"day_slots":48,"busy":{busy}}},"prediction":null}}"#
            )
        };
        let one = |line: String| read(line.as_bytes(), &Scheduling).0[0].fingerprint;
        assert_eq!(one(line(r#"{"A":[[1,2]]}"#, "x")), one(line(r#"{"A":[[1,2]]}"#, "y")));
        assert_ne!(one(line(r#"{"A":[[1,2]]}"#, "x")), one(line(r#"{"A":[[1,3]]}"#, "x")));
    }
}
