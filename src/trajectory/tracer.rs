//! Scores a run's units one by one as they are read, and keeps of each what the measures need.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::labels::{Gain, Tolerance};
use super::method;
use super::score::{self, Instance, Setting, Task, Unscored};
use super::trace::{
    AgentTrace, Counts, EpisodeTrace, Example, ExampleKind, Maybe, RunTrace, ScorePair, UnitTrace, hash,
};
use crate::finding::{Findings, Place, Subject, mt};
use crate::model::{EpisodeScore, Output, ProposalMeta, ProposalTask, ProposalUnit};

/// A logged score this near to the recomputed one is taken for a rounded one (one decimal place), in points.
const ROUNDING: f64 = 0.05;

/// Units kept per run and kind of example.
const EXAMPLES: usize = 2;

/// Messages and long texts are not needed to show a proposal; a unit with a larger instance is not kept as an example.
const EXAMPLE_BYTES: usize = 64 * 1024;

/// An output's score and validity.
#[derive(Clone, Copy, Debug)]
struct Scored {
    score: Option<f64>,
    valid: bool,
}

/// Takes in a run's units and episodes; [`Tracer::finish`] gives its trace.
#[derive(Debug)]
pub struct Tracer {
    task: Option<&'static Task>,
    subject: Subject,
    seen: BTreeSet<u64>,
    agents: BTreeMap<String, u32>,
    episodes: BTreeMap<String, u32>,
    scored_episodes: BTreeSet<u32>,
    trace: RunTrace,
}

impl Tracer {
    /// Begins a run. `subject` names it in findings, without a file.
    pub fn new(meta: ProposalMeta, subject: Subject, findings: &mut Findings) -> Self {
        let task = score::task(&meta.task);
        if task.is_none() {
            findings.add(&mt::UNKNOWN_TASK, &subject, None, format!("task {:?}", meta.task.name()));
        }
        if !method::is_known(&meta.method) {
            findings.add(&mt::UNKNOWN_METHOD, &subject, None, format!("method {:?}", meta.method));
        }
        Self {
            task,
            subject,
            seen: BTreeSet::new(),
            agents: BTreeMap::new(),
            episodes: BTreeMap::new(),
            scored_episodes: BTreeSet::new(),
            trace: RunTrace {
                setting: task.map_or(Setting::Static, |task| task.setting),
                meta,
                agents: Vec::new(),
                units: Vec::new(),
                proposals: Vec::new(),
                ids: String::new(),
                episodes: Vec::new(),
                examples: Vec::new(),
                counts: Counts::default(),
            },
        }
    }

    /// Names the file whose records follow, for findings.
    pub fn in_file(&mut self, file: &str) {
        self.subject = self.subject.in_file(file);
    }

    /// Says that the run has an episodes file: an unknown task is then taken for a dynamic one.
    pub fn has_episodes(&mut self) {
        if self.task.is_none() {
            self.trace.setting = Setting::Dynamic;
        }
    }

    /// Takes in the unit of record `record` of its file.
    pub fn unit(&mut self, unit: &ProposalUnit, record: u64, findings: &mut Findings) {
        if !self.seen.insert(hash(&[&unit.unit_id], None)) {
            self.trace.counts.duplicate_units += 1;
            let what = format!("unit {:?}", unit.unit_id);
            findings.add(&mt::DUPLICATE_UNIT, &self.subject, Some(Place::Record(record)), what);
            return;
        }
        let mut scorer = Scorer {
            instance: self.instance(unit, record, findings),
            known_task: self.task.is_some(),
            unit_id: &unit.unit_id,
            place: Place::Record(record),
            subject: &self.subject,
            counts: &mut self.trace.counts,
            findings,
            outputs: 0,
            valid: 0,
        };
        let mut scores = Vec::with_capacity(unit.proposers.len());
        for proposer in &unit.proposers {
            let initial = scorer.score(proposer.initial.as_ref(), &mt::MISSING_INITIAL, &proposer.agent);
            let last = scorer.score(proposer.last.as_ref(), &mt::MISSING_FINAL, &proposer.agent);
            scores.push(ScorePair { initial, last });
        }
        if unit.proposers.is_empty() {
            scorer.note(&mt::NO_PROPOSERS, "");
        }
        let answer = scorer.score(unit.answer.as_ref(), &mt::MISSING_ANSWER, "");
        let max = scorer.max_score(unit.max_score);
        let best = scores.iter().filter_map(|pair| pair.initial).reduce(f64::max);
        if let (Some(best), Some(max)) = (best, max)
            && best > max
            && !Tolerance::Exact.equal(best, max)
        {
            scorer.note(&mt::BEST_ABOVE_MAX, &format!("best initial score {best} above {max}"));
        }
        let (outputs, valid) = (scorer.outputs, scorer.valid);
        let episode = self.episode_of(unit, record, findings);
        for (proposer, pair) in unit.proposers.iter().zip(&scores) {
            let agent = self.agent(&proposer.agent);
            let (initial, last) = (pair.initial.into(), pair.last.into());
            self.trace.proposals.push(AgentTrace { agent, initial, last });
        }
        self.trace.ids.push_str(&unit.unit_id);
        self.trace.units.push(UnitTrace {
            id_end: self.trace.ids.len(),
            agents_end: self.trace.proposals.len(),
            episode,
            outputs,
            valid,
            instance: hash(&[&unit.unit_id], Some(&unit.instance)),
            max: max.into(),
            answer: answer.into(),
            tokens: Maybe::from(unit.cost.and_then(|cost| cost.total)),
            agree: agreement(unit),
        });
        let labelled =
            best.zip(answer).and_then(|(best, answer)| Gain::of(answer, best, max, Tolerance::Exact));
        self.trace.counts.unlabelled += u64::from(labelled.is_none());
        self.trace.counts.without_answer += u64::from(unit.answer.is_none());
        if let Some(answer) = answer {
            self.keep_examples(unit, &scores, best, answer);
        }
    }

    /// Takes in the episode of record `record` of its file.
    pub fn episode(&mut self, episode: &EpisodeScore, record: u64, findings: &mut Findings) {
        let index = self.episode_index(&episode.episode_id);
        if !self.scored_episodes.insert(index) {
            let what = format!("episode {:?}", episode.episode_id);
            findings.add(&mt::DUPLICATE_EPISODE, &self.subject, Some(Place::Record(record)), what);
            return;
        }
        let score = episode.score.filter(|score| {
            let inside = (0.0..=100.0).contains(score);
            if !inside {
                let what = format!("episode {:?} has {score}", episode.episode_id);
                findings.add(&mt::SCORE_OUT_OF_RANGE, &self.subject, Some(Place::Record(record)), what);
            }
            inside
        });
        if let Some(trace) = self.trace.episodes.get_mut(index as usize) {
            trace.score = score;
        }
    }

    /// Ends the run.
    pub fn finish(mut self, findings: &mut Findings) -> RunTrace {
        self.subject.file = None;
        let subject = &self.subject;
        if self.trace.units.is_empty() {
            findings.add(&mt::NO_UNITS, subject, None, "no unit was read");
        }
        let valid: u64 = self.trace.units.iter().map(|unit| u64::from(unit.valid)).sum();
        let outputs: u64 = self.trace.units.iter().map(|unit| u64::from(unit.outputs)).sum();
        if valid < outputs {
            let what = format!("{} of {outputs} outputs", outputs - valid);
            findings.add(&mt::INVALID_OUTPUT, subject, None, what);
        }
        if self.trace.setting == Setting::Dynamic && !self.trace.units.is_empty() {
            if self.scored_episodes.is_empty() {
                findings.add(&mt::NO_EPISODES, subject, None, "no episode score was read");
            } else {
                // An episode with a score and no units is no fault: a method may never have had to decide.
                for (index, episode) in self.trace.episodes.iter().enumerate() {
                    if !self.scored_episodes.contains(&(index as u32)) {
                        let what = format!("episode {:?} has no score", episode.id);
                        let place = Place::Key(episode.id.clone());
                        findings.add(&mt::EPISODE_UNSCORED, subject, Some(place), what);
                    }
                }
            }
        }
        self.trace.units.shrink_to_fit();
        self.trace.proposals.shrink_to_fit();
        self.trace
    }

    fn instance(
        &self,
        unit: &ProposalUnit,
        record: u64,
        findings: &mut Findings,
    ) -> Option<Box<dyn Instance>> {
        match (self.task?.instance)(&unit.instance) {
            Ok(instance) => Some(instance),
            Err(error) => {
                let what = format!("unit {:?}: {error}", unit.unit_id);
                findings.add(&mt::BAD_INSTANCE, &self.subject, Some(Place::Record(record)), what);
                None
            }
        }
    }

    fn agent(&mut self, name: &str) -> u32 {
        if let Some(&index) = self.agents.get(name) {
            return index;
        }
        let index = self.trace.agents.len() as u32;
        self.trace.agents.push(name.to_owned());
        self.agents.insert(name.to_owned(), index);
        index
    }

    fn episode_index(&mut self, id: &str) -> u32 {
        if let Some(&index) = self.episodes.get(id) {
            return index;
        }
        let index = self.trace.episodes.len() as u32;
        let setup = hash(&[id], None);
        let id = id.to_owned();
        self.episodes.insert(id.clone(), index);
        self.trace.episodes.push(EpisodeTrace { id, score: None, setup, first_instance: 0, units: 0 });
        index
    }

    fn episode_of(&mut self, unit: &ProposalUnit, record: u64, findings: &mut Findings) -> u32 {
        if self.trace.setting == Setting::Static {
            return u32::MAX;
        }
        let Some(id) = &unit.episode_id else {
            let what = format!("unit {:?}", unit.unit_id);
            findings.add(&mt::NO_EPISODE_ID, &self.subject, Some(Place::Record(record)), what);
            return u32::MAX;
        };
        let index = self.episode_index(id);
        let setup = setup(&self.trace.meta.task, &unit.instance);
        if let Some(episode) = self.trace.episodes.get_mut(index as usize) {
            if episode.units == 0 {
                episode.setup = hash(&[id], Some(&setup));
                episode.first_instance = hash(&[id], Some(&unit.instance));
            }
            episode.units += 1;
        }
        index
    }

    fn keep_examples(&mut self, unit: &ProposalUnit, scores: &[ScorePair], best: Option<f64>, answer: f64) {
        let best_final = scores.iter().filter_map(|pair| pair.last).reduce(f64::max);
        let mut wanted = Vec::new();
        for (kind, reference) in [(ExampleKind::Regress, best), (ExampleKind::AggregationLoss, best_final)] {
            let Some(lost) = reference.map(|reference| reference - answer) else { continue };
            let kept: Vec<f64> = self
                .trace
                .examples
                .iter()
                .filter(|example| example.kind == kind)
                .map(|example| example.lost)
                .collect();
            let least = kept.iter().copied().reduce(f64::min).unwrap_or(0.0);
            // Strictly larger: of equal losses the first ones stay, whatever comes later.
            if lost > 1e-6 && (kept.len() < EXAMPLES || lost > least) {
                wanted.push((kind, lost));
            }
        }
        if wanted.is_empty() || size(unit) > EXAMPLE_BYTES {
            return;
        }
        for (kind, lost) in wanted {
            let (unit, scores) = (unit.clone(), scores.to_vec());
            self.trace.examples.push(Example { kind, lost, unit, scores, answer });
            self.trace.examples.sort_by(|a, b| a.kind.cmp(&b.kind).then(b.lost.total_cmp(&a.lost)));
            let of_kind = self.trace.examples.iter().filter(|example| example.kind == kind).count();
            if of_kind > EXAMPLES
                && let Some(last) = self.trace.examples.iter().rposition(|example| example.kind == kind)
            {
                self.trace.examples.remove(last);
            }
        }
    }
}

/// Rough size of what a unit holds, in bytes of text.
fn size(unit: &ProposalUnit) -> usize {
    fn of(value: &Value) -> usize {
        match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(of).sum::<usize>() + items.len(),
            Value::Object(map) => map.iter().map(|(key, value)| key.len() + of(value)).sum(),
            _ => 8,
        }
    }
    let content = |output: &Option<Output>| output.as_ref().and_then(|o| o.content.as_ref()).map_or(0, of);
    let proposals: usize = unit.proposers.iter().map(|p| content(&p.initial) + content(&p.last)).sum();
    of(&unit.instance) + proposals + content(&unit.answer)
}

/// What stays the same during an episode, so that it can be compared with the baseline's episode.
fn setup(task: &ProposalTask, instance: &Value) -> Value {
    let keys: &[&str] = match task {
        ProposalTask::Negotiation => &["pool", "values", "discount"],
        ProposalTask::Gomoku => &["player"],
        _ => &[],
    };
    keys.iter().filter_map(|&key| Some((key.to_owned(), instance.get(key)?.clone()))).collect()
}

/// Whether all final proposals are equal as canonical JSON; `None` below two proposers or where one is missing.
fn agreement(unit: &ProposalUnit) -> Option<bool> {
    let mut contents = unit.proposers.iter().map(|proposer| proposer.last.as_ref().map(|last| &last.content));
    let first = contents.next()??;
    if unit.proposers.len() < 2 {
        return None;
    }
    // `Value` maps compare without regard to key order; 1 and 1.0 are different texts, as in canonical JSON.
    contents.try_fold(true, |all, content| content.map(|content| all && content == first))
}

/// Scores the outputs of one unit.
struct Scorer<'a> {
    instance: Option<Box<dyn Instance>>,
    known_task: bool,
    unit_id: &'a str,
    place: Place,
    subject: &'a Subject,
    counts: &'a mut Counts,
    findings: &'a mut Findings,
    outputs: u16,
    valid: u16,
}

impl Scorer<'_> {
    fn note(&mut self, rule: &'static crate::finding::Rule, what: &str) {
        let separator = if what.is_empty() { "" } else { ": " };
        let message = format!("unit {:?}{separator}{what}", self.unit_id);
        self.findings.add(rule, self.subject, Some(self.place.clone()), message);
    }

    /// The score to use of an output; `missing` is noted where there is no output at all.
    fn score(
        &mut self,
        output: Option<&Output>,
        missing: &'static crate::finding::Rule,
        agent: &str,
    ) -> Option<f64> {
        let Some(output) = output else {
            self.note(missing, agent);
            return None;
        };
        let scored = self.judge(output);
        self.outputs = self.outputs.saturating_add(1);
        self.valid = self.valid.saturating_add(u16::from(scored.valid));
        self.counts.unscored += u64::from(scored.score.is_none());
        scored.score
    }

    fn judge(&mut self, output: &Output) -> Scored {
        let logged = self.in_range(output.score);
        let computed = self.instance.as_ref().map(|instance| instance.score(output));
        let malformed = matches!(computed, Some(Err(Unscored::Malformed(_))));
        let valid = output.valid;
        match (logged, computed) {
            (Some(logged), Some(Ok(computed))) => {
                self.compare(logged, computed);
                Scored { score: Some(logged), valid: valid.unwrap_or(true) }
            }
            (Some(logged), _) => Scored { score: Some(logged), valid: valid.unwrap_or(!malformed) },
            (None, Some(Ok(computed))) => Scored { score: Some(computed), valid: valid.unwrap_or(true) },
            (None, Some(Err(Unscored::Malformed(_)))) => {
                self.counts.malformed += 1;
                Scored { score: Some(0.0), valid: false }
            }
            (None, Some(Err(error @ Unscored::Undefined(_)))) => {
                self.note(&mt::NO_SCORE, &error.to_string());
                Scored { score: None, valid: valid.unwrap_or(false) }
            }
            (None, None) => {
                let why = if self.known_task { "the instance can't be read" } else { "unknown task" };
                self.note(&mt::NO_SCORE, why);
                Scored { score: None, valid: valid.unwrap_or(false) }
            }
        }
    }

    fn in_range(&mut self, logged: Option<f64>) -> Option<f64> {
        let logged = logged?;
        if (0.0..=100.0).contains(&logged) {
            return Some(logged);
        }
        self.note(&mt::SCORE_OUT_OF_RANGE, &format!("{logged}"));
        None
    }

    fn compare(&mut self, logged: f64, computed: f64) {
        if Tolerance::Exact.equal(logged, computed) {
            return;
        }
        let rule =
            if (logged - computed).abs() <= ROUNDING { &mt::SCORE_ROUNDED } else { &mt::SCORE_DIFFERS };
        self.note(rule, &format!("logged {logged}, recomputed {computed}"));
    }

    fn max_score(&mut self, logged: Option<f64>) -> Option<f64> {
        let computed = self.instance.as_ref().and_then(|instance| instance.max_score());
        let logged = self.in_range(logged);
        if let (Some(logged), Some(computed)) = (logged, computed)
            && !Tolerance::Exact.equal(logged, computed)
        {
            let rounded = (logged - computed).abs() <= ROUNDING;
            let rule = if rounded { &mt::SCORE_ROUNDED } else { &mt::MAX_DIFFERS };
            self.note(rule, &format!("max_score logged {logged}, recomputed {computed}"));
        }
        logged.or(computed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Proposer, RunKey};
    use serde_json::json;

    fn meta(task: ProposalTask) -> ProposalMeta {
        ProposalMeta {
            key: RunKey { batch: "b".into(), run_id: "r".into() },
            benchmark: None,
            task,
            method: "Int. Debate".into(),
            model: "m".into(),
            seed: Some(1),
            proposers: Some(3),
            rounds: Some(1),
            columns: BTreeMap::new(),
        }
    }

    fn chain(ids: Value) -> Output {
        Output { content: Some(ids), valid: Some(true), ..Output::default() }
    }

    fn unit(id: &str, proposals: &[(Value, Value)], answer: Value) -> ProposalUnit {
        ProposalUnit {
            unit_id: id.into(),
            episode_id: None,
            step: None,
            instance: json!({"question": "?", "facts": ["a", "b", "c"], "gold": [0, 1]}),
            max_score: None,
            proposers: proposals
                .iter()
                .enumerate()
                .map(|(i, (first, last))| Proposer {
                    agent: format!("P{i}"),
                    initial: Some(chain(first.clone())),
                    last: Some(chain(last.clone())),
                })
                .collect(),
            answer: Some(chain(answer)),
            cost: None,
        }
    }

    fn codes(findings: Findings) -> Vec<String> {
        findings.into_sorted().into_iter().map(|finding| finding.code).collect()
    }

    #[test]
    fn scores_labels_and_agreement_of_a_unit() {
        let mut findings = Findings::new();
        let mut tracer =
            Tracer::new(meta(ProposalTask::EvidenceChain), Subject::run("b", "r"), &mut findings);
        // Scores by hand: [0,1] 100; [1,0] 50 (F1 1, O 0); [0] (2/3 + 1)/2 = 83.3.
        let full = (json!([0, 1]), json!([1, 0]));
        let part = (json!([0]), json!([1, 0]));
        tracer.unit(&unit("u", &[full, part], json!([1, 0])), 0, &mut findings);
        let trace = tracer.finish(&mut findings);
        let view = trace.unit(0).unwrap();
        assert_eq!((view.best_initial(), view.best_final()), (Some(100.0), Some(50.0)));
        assert_eq!(view.gab(Tolerance::Exact), Some(Gain::Regress));
        assert_eq!(view.aggregation_loss(), Some(0.0));
        assert_eq!(view.unit.agree, Some(true));
        let labels: Vec<&str> =
            view.refinements(Tolerance::Exact).map(|(_, label)| label.unwrap().name()).collect();
        assert_eq!(labels, ["Regress", "Degrade"]);
        assert_eq!(trace.examples.len(), 1);
        assert!(findings.is_empty());
    }

    #[test]
    fn faults_become_findings_and_nothing_vanishes_uncounted() {
        let mut findings = Findings::new();
        let mut tracer =
            Tracer::new(meta(ProposalTask::EvidenceChain), Subject::run("b", "r"), &mut findings);
        let pair = (json!([0, 1]), json!([0, 1]));
        tracer.unit(&unit("u", std::slice::from_ref(&pair), json!([0, 1])), 0, &mut findings);
        tracer.unit(&unit("u", std::slice::from_ref(&pair), json!([0, 1])), 1, &mut findings); // MT010
        let mut odd = unit("v", &[pair.clone(), pair.clone()], json!("none"));
        odd.answer.as_mut().unwrap().valid = None; // malformed: scores 0 and is invalid (MT027)
        odd.proposers[0].initial = None; // MT013
        odd.proposers[1].last.as_mut().unwrap().score = Some(40.0); // recomputed 100: MT022
        odd.proposers[1].initial.as_mut().unwrap().score = Some(140.0); // MT020, computed instead
        odd.max_score = Some(50.0); // MT021 and MT024
        tracer.unit(&odd, 2, &mut findings);
        let mut gone = unit("w", &[], json!([0]));
        gone.answer = None;
        tracer.unit(&gone, 3, &mut findings); // MT015, MT016
        let trace = tracer.finish(&mut findings);
        assert_eq!(trace.units.len(), 3);
        let view = trace.unit(1).unwrap();
        assert_eq!(view.unit.answer.get(), Some(0.0));
        assert_eq!((view.unit.outputs, view.unit.valid), (4, 3));
        assert_eq!(view.best_initial(), Some(100.0));
        assert_eq!(trace.counts.duplicate_units, 1);
        assert_eq!((trace.counts.without_answer, trace.counts.unlabelled, trace.counts.malformed), (1, 1, 1));
        let mut codes = codes(findings);
        codes.sort();
        assert_eq!(codes, ["MT010", "MT013", "MT015", "MT016", "MT020", "MT021", "MT022", "MT024", "MT027"]);
    }

    #[test]
    fn dynamic_tasks_need_episodes() {
        let mut findings = Findings::new();
        let tracer = |findings: &mut Findings| {
            let mut tracer = Tracer::new(meta(ProposalTask::TacticDuel), Subject::run("b", "r"), findings);
            let mut first = unit("u", &[(json!("Quick"), json!("Quick"))], json!("Quick"));
            first.instance = json!({"energy": 0, "last_action": null, "opponent_action": "Heavy"});
            first.episode_id = Some("e0".into());
            tracer.unit(&first, 0, findings);
            tracer
        };
        tracer(&mut findings).finish(&mut findings);
        assert_eq!(codes(findings), ["MT034"]);
        let mut findings = Findings::new();
        let mut scored = tracer(&mut findings);
        for (record, score) in [50.0, 60.0].into_iter().enumerate() {
            let episode = EpisodeScore { episode_id: "e1".into(), score: Some(score) };
            scored.episode(&episode, record as u64, &mut findings);
        }
        let trace = scored.finish(&mut findings);
        assert_eq!(trace.episodes[1].score, Some(50.0));
        let all = findings.into_sorted();
        let seen: Vec<(&str, u64)> = all.iter().map(|f| (f.code.as_str(), f.count)).collect();
        assert_eq!(seen, [("MT012", 1), ("MT035", 1)]);
    }
}
