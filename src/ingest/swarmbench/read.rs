//! Reads one planned run: both logs through one reused buffer, then joined.

use std::io::Read;

use super::agent_log::{self, AgentLog};
use super::assemble;
use super::fault;
use super::game_log::{self, GameLog};
use super::intern::Interner;
use super::plan::RunPlan;
use crate::finding::{Findings, Place, Rule, Subject, input_rules, sb};
use crate::ingest::json::{ArrayStream, Lexer, RawStr, Repair, Stop, StreamEnd, decode};
use crate::model::{SwarmRun, SwarmTask};

/// What a reader of runs asks for beyond scores, positions, actions and messages. Everything else is skipped unread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The grid of each round.
    pub grids: bool,
    /// Each agent's view.
    pub views: bool,
    /// The messages that the game log lists.
    pub heard: bool,
}

/// Buffers that a worker keeps from run to run.
#[derive(Debug, Default)]
pub struct Scratch {
    buffer: Vec<u8>,
}

/// Collects the findings of one file.
pub(super) struct Report<'a> {
    pub(super) findings: &'a mut Findings,
    pub(super) subject: &'a Subject,
    expected_task: &'a SwarmTask,
    logged_task: &'a mut Option<SwarmTask>,
    task_bytes: Vec<u8>,
}

impl Report<'_> {
    pub(super) fn add(&mut self, rule: &'static Rule, place: Place, message: impl Into<String>) {
        self.findings.add(rule, self.subject, Some(place), message);
    }

    /// Reports that a damaged record was passed over.
    pub(super) fn passed_over(&mut self, end: &StreamEnd, bytes: u64) {
        if let StreamEnd::Damaged { at, expected } = end {
            let message = format!(
                "expected {expected} at byte {at}; {bytes} bytes up to the next record were left out"
            );
            self.add(&input_rules::RECORD_DAMAGED, Place::Byte(*at), message);
        }
    }

    pub(super) fn end(&mut self, end: &StreamEnd, bom: bool) {
        if bom {
            self.findings.add(&input_rules::BYTE_ORDER_MARK, self.subject, None, "a byte-order mark");
        }
        fault::report(end, self.subject, self.findings);
    }

    /// Compares the task named by a record with the meta log's.
    pub(super) fn task(&mut self, name: &[u8], place: &Place) {
        if self.task_bytes == name {
            return; // as in the record before
        }
        self.task_bytes = name.to_vec();
        let logged = SwarmTask::from_name(&decode(RawStr { bytes: name }, &mut Repair::default()));
        if *self.expected_task == SwarmTask::Other(String::new()) {
            self.logged_task.get_or_insert(logged);
        } else if logged != *self.expected_task {
            let message = format!("the record says {logged}, the meta log {}", self.expected_task);
            self.add(&sb::TASK_DIFFERS, place.clone(), message);
        }
    }
}

/// What is built from a log's records.
pub(super) trait Records<'r> {
    /// Fields of the record at hand.
    type Fields: Default;

    /// Reads a record; it may come again from its start.
    fn parse(fields: &mut Self::Fields, lexer: &mut Lexer<'_>, needs: Needs) -> Result<(), Stop>;

    /// Takes the record that was read.
    fn take(&mut self, fields: &mut Self::Fields);

    /// Where findings go.
    fn report(&mut self) -> &mut Report<'r>;
}

/// Reads a log record by record through `buffer`, passes over damaged ones, and reports how the log ends.
pub(super) fn read_records<'r, L: Records<'r>>(
    log: &mut L,
    reader: &mut dyn Read,
    buffer: &mut Vec<u8>,
    needs: Needs,
) {
    let mut stream = ArrayStream::new(reader, std::mem::take(buffer));
    let mut fields = L::Fields::default();
    let end = loop {
        match stream.next(|lexer| L::parse(&mut fields, lexer, needs)) {
            Ok(true) => log.take(&mut fields),
            Ok(false) => break StreamEnd::Closed,
            Err(end) => match stream.resume_after(&end) {
                Some(bytes) => log.report().passed_over(&end, bytes),
                None => break end,
            },
        }
    };
    log.report().end(&end, stream.bom);
    *buffer = stream.into_buffer();
}

/// Reads the run; `None` when nothing usable is in its logs (with a finding that says so).
pub fn read_run(
    plan: &RunPlan,
    needs: Needs,
    scratch: &mut Scratch,
    findings: &mut Findings,
) -> Option<SwarmRun> {
    let key = &plan.meta.key;
    let run = Subject::run(&key.batch, &key.run_id);
    let mut interner = Interner::default();
    let mut logged_task = None;
    let mut game = GameLog::default();
    let mut agent = AgentLog::default();
    for (is_game, file) in [(true, &plan.game), (false, &plan.agent)] {
        let Some(file) = file else { continue };
        let subject = run.in_file(&file.display);
        let mut report = Report {
            findings,
            subject: &subject,
            expected_task: &plan.meta.task,
            logged_task: &mut logged_task,
            task_bytes: Vec::new(),
        };
        let buffer = &mut scratch.buffer;
        let opened = if is_game {
            file.read(|bytes| game = game_log::read(bytes, buffer, needs, &mut interner, &mut report))
        } else {
            file.read(|bytes| agent = agent_log::read(bytes, buffer, needs, &mut interner, &mut report))
        };
        if let Err(error) = opened {
            agent_log::unopened(&error, &mut report);
        }
    }
    let mut meta = plan.meta.clone();
    if let Some(task) = logged_task {
        meta.task = task;
    }
    assemble::assemble(meta, game, agent, interner, &run, findings)
}
