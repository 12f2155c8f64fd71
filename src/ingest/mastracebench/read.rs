//! Reads units and episodes record by record and hands each on: nothing is kept here.

use std::io::BufRead;

use serde_json::Value;

use super::field::{Context, id, record};
use super::lines::each_line;
use crate::finding::{Findings, Subject, mt};
use crate::ingest::json::Members;
use crate::model::{Cost, EpisodeScore, ProposalUnit, Proposer};

/// Reads the lines of a `units.jsonl` and calls `take` with each unit and its record number (from 0).
///
/// A line that is no unit is a finding and left out; a field that is not of its type is one and undefined.
pub fn read_units(
    reader: impl BufRead,
    subject: &Subject,
    findings: &mut Findings,
    mut take: impl FnMut(&ProposalUnit, u64, &mut Findings),
) {
    each_line(reader, subject, findings, |number, line, findings| {
        let mut noticed = Members::default();
        // Messages are most of a real log's bytes, and no measure reads them.
        let mut map = record(line, &[b"messages"], &mut noticed)?;
        let mut context = Context { subject, record: number, findings };
        context.mended(&noticed);
        let Some(unit_id) = id(map.get("unit_id")) else {
            context.note(&mt::BAD_LINE, format!("record {number} has no unit_id"));
            return Ok(());
        };
        let proposers = match map.remove("proposers") {
            Some(Value::Array(items)) => items
                .into_iter()
                .enumerate()
                .map(|(place, item)| proposer(item, place, &mut context))
                .collect(),
            _ => Vec::new(),
        };
        let cost = map.get("tokens").filter(|tokens| tokens.is_object()).map(|tokens| Cost {
            total: context.number(tokens.get("total"), "tokens.total").filter(|&total| total >= 0.0),
            calls: context.count(tokens.get("calls"), "tokens.calls"),
        });
        let unit = ProposalUnit {
            unit_id,
            episode_id: id(map.get("episode_id")),
            step: context.count(map.get("step"), "step"),
            max_score: context.number(map.get("max_score"), "max_score"),
            instance: map.remove("instance").unwrap_or(Value::Null),
            proposers,
            answer: context.output(map.remove("answer")),
            cost,
        };
        take(&unit, number, context.findings);
        Ok(())
    });
}

fn proposer(item: Value, place: usize, context: &mut Context<'_>) -> Proposer {
    let Value::Object(mut map) = item else {
        return Proposer { agent: format!("#{place}"), ..Proposer::default() };
    };
    Proposer {
        agent: id(map.get("agent")).unwrap_or_else(|| format!("#{place}")),
        initial: context.output(map.remove("initial")),
        last: context.output(map.remove("final")),
    }
}

/// Reads the lines of an `episodes.jsonl` and calls `take` with each episode and its record number (from 0).
pub fn read_episodes(
    reader: impl BufRead,
    subject: &Subject,
    findings: &mut Findings,
    mut take: impl FnMut(&EpisodeScore, u64, &mut Findings),
) {
    each_line(reader, subject, findings, |number, line, findings| {
        let mut noticed = Members::default();
        let map = record(line, &[], &mut noticed)?;
        let mut context = Context { subject, record: number, findings };
        context.mended(&noticed);
        match id(map.get("episode_id")) {
            Some(episode_id) => {
                let score = context.number(map.get("score"), "score");
                take(&EpisodeScore { episode_id, score }, number, context.findings);
            }
            None => context.note(&mt::BAD_LINE, format!("record {number} has no episode_id")),
        }
        Ok(())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> (Vec<ProposalUnit>, Vec<(String, u64)>) {
        let mut findings = Findings::new();
        let mut units = Vec::new();
        read_units(text.as_bytes(), &Subject::file("units.jsonl"), &mut findings, |unit, _, _| {
            units.push(unit.clone());
        });
        (units, findings.into_sorted().into_iter().map(|finding| (finding.code, finding.count)).collect())
    }

    #[test]
    fn a_unit_as_documented() {
        let line = r#"{"unit_id":"mapf-003","episode_id":"e01","step":4,"instance":{"a":1},"max_score":100.0,
            "proposers":[{"agent":"P0","initial":{"content":[1],"score":33.3,"valid":true},
            "final":{"content":null,"score":66.7,"valid":false}}],
            "answer":{"content":{"b":2},"judge":{"correct":50,"distractors":60},"accepted":true},
            "messages":[{"round":1,"text":"…"}],"tokens":{"total":5210,"calls":7}}"#
            .replace('\n', " ");
        let (units, findings) = units(&line);
        assert!(findings.is_empty(), "{findings:?}");
        let unit = &units[0];
        assert_eq!((unit.unit_id.as_str(), unit.step, unit.max_score), ("mapf-003", Some(4), Some(100.0)));
        let proposer = &unit.proposers[0];
        assert_eq!(proposer.initial.as_ref().unwrap().score, Some(33.3));
        let last = proposer.last.as_ref().unwrap();
        assert_eq!((&last.content, last.valid), (&None, Some(false)));
        let answer = unit.answer.as_ref().unwrap();
        assert_eq!(answer.judge, Some(crate::model::Judge { correct: 50.0, distractors: 60.0 }));
        assert_eq!(answer.accepted, Some(true));
        assert_eq!(unit.cost, Some(Cost { total: Some(5210.0), calls: Some(7) }));
    }

    #[test]
    fn faults_keep_the_rest() {
        let text = concat!(
            "{\"unit_id\":1,\"answer\":{\"content\":[1],\"score\":\"50\"},\"proposers\":7}\n",
            "not json\n",
            "{\"answer\":{}}\n",
            "{\"unit_id\":\"b\",\"answer\":{\"content\":[1],\"score\":NaN},\"step\":1.5}\n",
            "{\"unit_id\":\"c\",\"answer\":{\"conte"
        );
        let (units, findings) = units(text);
        let ids: Vec<&str> = units.iter().map(|unit| unit.unit_id.as_str()).collect();
        assert_eq!(ids, ["1", "b"]);
        assert_eq!(units[0].answer.as_ref().unwrap().score, Some(50.0));
        assert_eq!(units[1].answer.as_ref().unwrap().score, None);
        // Two bad lines; NaN and 1.5 as a step; "50" as text; the cut end.
        let expected = [("MT002", 2), ("IN008", 1), ("MT006", 2), ("MT007", 1)];
        assert_eq!(findings, expected.map(|(code, n)| (code.to_owned(), n)));
    }
}
