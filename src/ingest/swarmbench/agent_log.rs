//! Streams an agent log: one record per agent and round, of which only the small fields are looked at.

use std::collections::BTreeSet;
use std::io::Read;

use super::field::{IdField, NumberField, TextField};
use super::intern::Interner;
use super::meta::repairs;
use super::read::{Needs, Records, Report, read_records};
use crate::finding::{Place, input_rules, sb};
use crate::ingest::json::{Lexer, RawStr, Repair, Stop, decode};
use crate::model::{Action, TextRef};

/// One record, by spelling numbers; assembled into decisions once all spellings are known.
#[derive(Debug)]
pub(super) struct RawDecision {
    pub(super) round: u32,
    pub(super) agent: u32,
    pub(super) action: Option<Action>,
    pub(super) message: Option<TextRef>,
    pub(super) tokens: Option<f64>,
    pub(super) view: Option<Vec<Box<str>>>,
}

/// What an agent log holds.
#[derive(Debug, Default)]
pub(super) struct AgentLog {
    pub(super) decisions: Vec<RawDecision>,
    pub(super) text: String,
    pub(super) other_actions: Vec<String>,
    /// Whether the file could be opened.
    pub(super) opened: bool,
}

/// The fields of the record at hand; buffers are reused.
#[derive(Debug, Default)]
struct Fields {
    any: bool,
    round: NumberField,
    agent: IdField,
    agent_text: Vec<u8>,
    action: TextField,
    action_text: Vec<u8>,
    message: TextField,
    message_text: Vec<u8>,
    tokens: NumberField,
    task: TextField,
    task_text: Vec<u8>,
    view: Option<Vec<Box<str>>>,
}

impl Fields {
    fn parse(&mut self, lexer: &mut Lexer<'_>, needs: Needs) -> Result<(), Stop> {
        self.any = false;
        self.round = NumberField::Absent;
        self.agent = IdField::None;
        self.action = TextField::Absent;
        self.message = TextField::Absent;
        self.tokens = NumberField::Absent;
        self.task = TextField::Absent;
        self.view = None;
        let mut first = true;
        lexer.object()?;
        while let Some(key) = lexer.key(&mut first)? {
            self.any = true;
            match key.bytes {
                b"round" => self.round = NumberField::read(lexer)?,
                b"agent_id" => self.agent = IdField::read(lexer, &mut self.agent_text)?,
                b"action" => self.action = TextField::read(lexer, &mut self.action_text)?,
                b"message" => self.message = TextField::read(lexer, &mut self.message_text)?,
                b"total_llm_tokens" => self.tokens = NumberField::read(lexer)?,
                b"task" => self.task = TextField::read(lexer, &mut self.task_text)?,
                b"view" if needs.views => self.view = view(lexer)?,
                _ => lexer.skip()?,
            }
        }
        Ok(())
    }
}

/// The view's cells row by row; `None` where it is not rows of text.
fn view(lexer: &mut Lexer<'_>) -> Result<Option<Vec<Box<str>>>, Stop> {
    let span = lexer.span()?;
    let mut inner = Lexer::new(span);
    let mut cells = Vec::new();
    let read = (|| -> Result<(), Stop> {
        let mut first = true;
        inner.array()?;
        while inner.item(&mut first)? {
            let mut first = true;
            inner.array()?;
            while inner.item(&mut first)? {
                let cell = inner.string()?;
                cells.push(decode(cell, &mut Repair::default()).into_owned().into_boxed_str());
            }
        }
        Ok(())
    })();
    Ok(read.is_ok().then_some(cells))
}

struct Building<'a, 'r> {
    log: AgentLog,
    interner: &'a mut Interner,
    report: &'a mut Report<'r>,
    /// Last round of each spelling.
    last: Vec<Option<u32>>,
    /// Every (round, agent) so far; kept only once rounds have gone back.
    tracked: Option<BTreeSet<(u32, u32)>>,
    number: u64,
}

/// Reads the log from `reader`.
pub(super) fn read(
    reader: &mut dyn Read,
    buffer: &mut Vec<u8>,
    needs: Needs,
    interner: &mut Interner,
    report: &mut Report<'_>,
) -> AgentLog {
    let log = AgentLog { opened: true, ..AgentLog::default() };
    let mut building = Building { log, interner, report, last: Vec::new(), tracked: None, number: 0 };
    read_records(&mut building, reader, buffer, needs);
    building.log
}

impl<'r> Records<'r> for Building<'_, 'r> {
    type Fields = Fields;

    fn parse(fields: &mut Fields, lexer: &mut Lexer<'_>, needs: Needs) -> Result<(), Stop> {
        fields.parse(lexer, needs)
    }

    fn report(&mut self) -> &mut Report<'r> {
        self.report
    }

    fn take(&mut self, fields: &mut Fields) {
        let place = Place::Record(self.number);
        self.number += 1;
        if !fields.any {
            return self.report.add(&sb::RECORD_EMPTY, place, "a record without keys");
        }
        let Some(round) = fields.round.whole().and_then(|n| u32::try_from(n).ok()) else {
            return self.report.add(
                &sb::RECORD_WITHOUT_ROUND,
                place,
                "an agent record without a usable round",
            );
        };
        let Some(agent) = self.interner.intern(fields.agent, &fields.agent_text) else {
            return self.report.add(
                &sb::RECORD_WITHOUT_AGENT,
                place,
                "an agent record without a usable agent_id",
            );
        };
        if fields.task == TextField::Text {
            self.report.task(&fields.task_text, &place);
        }
        self.keep_order(round, agent, &place);
        let action = self.action(fields, &place);
        let message = self.message(fields, &place);
        if matches!(fields.tokens, NumberField::NonFinite | NumberField::Other) {
            self.report.add(&sb::TOKENS_BAD, place, "total_llm_tokens is not a finite number");
        }
        let view = fields.view.take();
        self.log.decisions.push(RawDecision {
            round,
            agent,
            action,
            message,
            tokens: fields.tokens.finite(),
            view,
        });
    }
}

impl Building<'_, '_> {
    /// Notices rounds that go back: a restart drops what it overwrites, a second record replaces the first.
    fn keep_order(&mut self, round: u32, agent: u32, place: &Place) {
        let ix = agent as usize;
        if self.last.len() <= ix {
            self.last.resize(ix + 1, None);
        }
        let seen_before = match (self.last[ix], &self.tracked) {
            (None, _) => false,
            (Some(last), None) if round > last => false,
            (Some(_), Some(tracked)) => tracked.contains(&(round, agent)),
            (Some(_), None) => {
                let all: BTreeSet<_> = self.log.decisions.iter().map(|d| (d.round, d.agent)).collect();
                let there = all.contains(&(round, agent));
                self.tracked = Some(all);
                there
            }
        };
        if seen_before {
            let newest = self.log.decisions.iter().map(|d| d.round).max().unwrap_or(round);
            if round < newest {
                let message = format!("round {round} comes again after round {newest}");
                self.report.add(&sb::RUN_RESTARTED, place.clone(), message);
                self.log.decisions.retain(|d| d.round < round);
                self.last.iter_mut().for_each(|last| *last = last.filter(|&n| n < round));
                if let Some(tracked) = &mut self.tracked {
                    tracked.retain(|&(r, _)| r < round);
                }
            } else {
                self.report.add(&sb::DECISION_TWICE, place.clone(), format!("again in round {round}"));
                self.log.decisions.retain(|d| d.round != round || d.agent != agent);
            }
        } else if self.last[ix].is_some_and(|last| round < last) {
            self.report.add(&sb::ROUNDS_OUT_OF_ORDER, place.clone(), format!("round {round} comes late"));
        }
        if let Some(tracked) = &mut self.tracked {
            tracked.insert((round, agent));
        }
        self.last[ix] = self.last[ix].max(Some(round));
    }

    fn action(&mut self, fields: &Fields, place: &Place) -> Option<Action> {
        if fields.action != TextField::Text {
            self.report.add(&sb::ACTION_BAD, place.clone(), "no action, or one that is not text");
            return None;
        }
        if let Some(action) = Action::from_name(&fields.action_text) {
            return Some(action);
        }
        let name = decode(RawStr { bytes: &fields.action_text }, &mut Repair::default()).trim().to_owned();
        if let Some(action) = Action::from_name(name.to_ascii_uppercase().as_bytes()) {
            return Some(action);
        }
        if name.is_empty() {
            self.report.add(&sb::ACTION_BAD, place.clone(), "an empty action");
            return None;
        }
        let known = self.log.other_actions.iter().position(|other| *other == name);
        let ix = known.unwrap_or_else(|| {
            self.report.add(&sb::ACTION_UNKNOWN, place.clone(), format!("action {name}"));
            self.log.other_actions.push(name);
            self.log.other_actions.len() - 1
        });
        u16::try_from(ix).ok().map(Action::Other)
    }

    fn message(&mut self, fields: &Fields, place: &Place) -> Option<TextRef> {
        match fields.message {
            TextField::Absent | TextField::Null => return None,
            TextField::Other => {
                self.report.add(&sb::MESSAGE_BAD, place.clone(), "a message that is not text");
                return None;
            }
            TextField::Text => {}
        }
        let mut repair = Repair::default();
        let text = decode(RawStr { bytes: &fields.message_text }, &mut repair);
        if repair.any() {
            repairs(repair, self.report.subject, Some(place.clone()), self.report.findings);
        }
        push_text(&mut self.log.text, python_strip(&text))
    }
}

/// Appends to a run's text arena; `None` for empty text, and beyond 4 GiB, which is more than any run has.
pub(super) fn push_text(arena: &mut String, text: &str) -> Option<TextRef> {
    if text.is_empty() {
        return None;
    }
    let start = u32::try_from(arena.len()).ok()?;
    let end = u32::try_from(arena.len() + text.len()).ok()?;
    arena.push_str(text);
    Some(TextRef { start, end })
}

/// Trims what Python's `str.strip()` trims: white space, and the separators U+001C to U+001F.
pub(super) fn python_strip(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c))
}

/// Reports a file that can't be opened.
pub(super) fn unopened(error: &std::io::Error, report: &mut Report<'_>) {
    report.findings.add(&input_rules::FILE_UNREADABLE, report.subject, None, error.to_string());
}
