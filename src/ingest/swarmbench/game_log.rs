//! Streams a game log: one record per round; the grid is skipped unless asked for.

use std::io::Read;

use super::agent_log::push_text;
use super::field::{IdField, NumberField, TextField};
use super::intern::Interner;
use super::read::{Needs, Records, Report, read_records};
use crate::finding::{Place, sb};
use crate::ingest::json::{Lexer, RawStr, Repair, Stop, decode};
use crate::model::{Cell, Grid, TextRef};

/// One entry, by spelling numbers.
#[derive(Debug)]
pub(super) struct RawState {
    pub(super) round: u32,
    pub(super) score: Option<f64>,
    pub(super) positions: Vec<(u32, Cell)>,
    pub(super) heard: Vec<(u32, TextRef)>,
    pub(super) grid: Option<Grid>,
}

/// What a game log holds.
#[derive(Debug, Default)]
pub(super) struct GameLog {
    pub(super) states: Vec<RawState>,
    pub(super) text: String,
    /// Whether the file could be opened.
    pub(super) opened: bool,
}

#[derive(Debug, Default)]
struct Fields {
    any: bool,
    round: NumberField,
    score: NumberField,
    task: TextField,
    task_text: Vec<u8>,
    /// (id, its bytes in `id_text`, x, y)
    agents: Vec<AgentEntry>,
    heard: Vec<HeardEntry>,
    id_text: Vec<u8>,
    scratch: Vec<u8>,
    grid: Option<Grid>,
    grid_bad: bool,
}

#[derive(Debug)]
struct AgentEntry {
    id: IdField,
    text: std::ops::Range<usize>,
    x: NumberField,
    y: NumberField,
}

#[derive(Debug)]
struct HeardEntry {
    id: IdField,
    text: std::ops::Range<usize>,
    message: std::ops::Range<usize>,
}

impl Fields {
    fn parse(&mut self, lexer: &mut Lexer<'_>, needs: Needs) -> Result<(), Stop> {
        self.any = false;
        self.round = NumberField::Absent;
        self.score = NumberField::Absent;
        self.task = TextField::Absent;
        self.agents.clear();
        self.heard.clear();
        self.id_text.clear();
        self.grid = None;
        self.grid_bad = false;
        let mut first = true;
        lexer.object()?;
        while let Some(key) = lexer.key(&mut first)? {
            self.any = true;
            match key.bytes {
                b"round" => self.round = NumberField::read(lexer)?,
                b"score" => self.score = NumberField::read(lexer)?,
                b"task" => self.task = TextField::read(lexer, &mut self.task_text)?,
                b"agents" => self.agents(lexer)?,
                b"messages" if needs.heard => self.messages(lexer)?,
                b"grid" if needs.grids => {
                    self.grid = grid(lexer.span()?);
                    self.grid_bad = self.grid.is_none();
                }
                _ => lexer.skip()?,
            }
        }
        Ok(())
    }

    fn id(&mut self, lexer: &mut Lexer<'_>) -> Result<(IdField, std::ops::Range<usize>), Stop> {
        let id = IdField::read(lexer, &mut self.scratch)?;
        let start = self.id_text.len();
        self.id_text.extend_from_slice(&self.scratch);
        Ok((id, start..self.id_text.len()))
    }

    fn agents(&mut self, lexer: &mut Lexer<'_>) -> Result<(), Stop> {
        if lexer.peek()? != b'[' {
            return lexer.skip();
        }
        let mut first = true;
        lexer.array()?;
        while lexer.item(&mut first)? {
            if lexer.peek()? != b'{' {
                lexer.skip()?;
                continue;
            }
            let mut entry =
                AgentEntry { id: IdField::None, text: 0..0, x: NumberField::Absent, y: NumberField::Absent };
            let mut first = true;
            lexer.object()?;
            while let Some(key) = lexer.key(&mut first)? {
                match key.bytes {
                    b"id" => (entry.id, entry.text) = self.id(lexer)?,
                    b"x" => entry.x = NumberField::read(lexer)?,
                    b"y" => entry.y = NumberField::read(lexer)?,
                    _ => lexer.skip()?,
                }
            }
            self.agents.push(entry);
        }
        Ok(())
    }

    fn messages(&mut self, lexer: &mut Lexer<'_>) -> Result<(), Stop> {
        if lexer.peek()? != b'[' {
            return lexer.skip();
        }
        let mut first = true;
        lexer.array()?;
        while lexer.item(&mut first)? {
            if lexer.peek()? != b'{' {
                lexer.skip()?;
                continue;
            }
            let mut entry = HeardEntry { id: IdField::None, text: 0..0, message: 0..0 };
            let mut first = true;
            lexer.object()?;
            while let Some(key) = lexer.key(&mut first)? {
                match key.bytes {
                    b"agent_name" | b"agent_id" => (entry.id, entry.text) = self.id(lexer)?,
                    b"message" => {
                        TextField::read(lexer, &mut self.scratch)?;
                        let start = self.id_text.len();
                        self.id_text.extend_from_slice(&self.scratch);
                        entry.message = start..self.id_text.len();
                    }
                    _ => lexer.skip()?,
                }
            }
            self.heard.push(entry);
        }
        Ok(())
    }
}

/// The grid, if it is rows of equal length whose cells are one ASCII letter each.
fn grid(span: &[u8]) -> Option<Grid> {
    let mut lexer = Lexer::new(span);
    let mut grid = Grid::default();
    let mut first = true;
    lexer.array().ok()?;
    while lexer.item(&mut first).ok()? {
        let before = grid.cells.len();
        let mut first = true;
        if lexer.peek().ok()? == b'"' {
            grid.cells.extend_from_slice(lexer.string().ok()?.bytes); // a row as one string
        } else {
            lexer.array().ok()?;
            while lexer.item(&mut first).ok()? {
                let [cell] = lexer.string().ok()?.bytes else { return None };
                grid.cells.push(*cell);
            }
        }
        let width = grid.cells.len() - before;
        if grid.height > 0 && width != grid.width {
            return None;
        }
        grid.width = width;
        grid.height += 1;
    }
    grid.cells.is_ascii().then_some(grid)
}

/// Reads the log from `reader`.
pub(super) fn read(
    reader: &mut dyn Read,
    buffer: &mut Vec<u8>,
    needs: Needs,
    interner: &mut Interner,
    report: &mut Report<'_>,
) -> GameLog {
    let log = GameLog { opened: true, ..GameLog::default() };
    let mut building = Building { log, interner, report, number: 0 };
    read_records(&mut building, reader, buffer, needs);
    building.log
}

struct Building<'a, 'r> {
    log: GameLog,
    interner: &'a mut Interner,
    report: &'a mut Report<'r>,
    number: u64,
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
        let newest = self.log.states.last().map(|state| state.round);
        let round = fields.round.whole().and_then(|n| u32::try_from(n).ok()).unwrap_or_else(|| {
            let next = newest.map_or(0, |n| n.saturating_add(1));
            let message = format!("a game record without a usable round; taken as round {next}");
            self.report.add(&sb::RECORD_WITHOUT_ROUND, place.clone(), message);
            next
        });
        if fields.task == TextField::Text {
            self.report.task(&fields.task_text, &place);
        }
        // States stay sorted, so that a round that goes back is found by bisection.
        let at = self.log.states.partition_point(|state| state.round < round);
        if self.log.states.get(at).is_some_and(|state| state.round == round) {
            let message = format!("round {round} comes again after round {}", newest.unwrap_or(round));
            self.report.add(&sb::RUN_RESTARTED, place.clone(), message);
            self.log.states.truncate(at);
        } else if at < self.log.states.len() {
            self.report.add(&sb::ROUNDS_OUT_OF_ORDER, place.clone(), format!("round {round} comes late"));
        }
        let score = self.score(fields.score, &Place::Round(u64::from(round)));
        let positions = self.positions(fields, &Place::Round(u64::from(round)));
        let heard = self.heard(fields);
        if fields.grid_bad {
            self.report.add(&sb::GRID_BAD, place, "the grid is not rows of one-letter cells");
        }
        let grid = fields.grid.take();
        self.log.states.insert(at, RawState { round, score, positions, heard, grid });
    }
}

impl Building<'_, '_> {
    fn score(&mut self, field: NumberField, place: &Place) -> Option<f64> {
        match field {
            NumberField::Value(x) => return Some(x),
            NumberField::Text(x) => {
                self.report.add(&sb::SCORE_AS_TEXT, place.clone(), format!("the text \"{x}\""));
                return Some(x);
            }
            NumberField::Absent => {
                self.report.add(&sb::SCORE_MISSING, place.clone(), "no score in the entry");
            }
            NumberField::Null => {
                self.report.add(&sb::SCORE_NOT_A_NUMBER, place.clone(), "the score is null");
            }
            NumberField::NonFinite => {
                self.report.add(&sb::SCORE_NOT_A_NUMBER, place.clone(), "the score is NaN or infinite");
            }
            NumberField::Other => {
                self.report.add(&sb::SCORE_NOT_A_NUMBER, place.clone(), "the score is not a number");
            }
        }
        None
    }

    fn positions(&mut self, fields: &Fields, place: &Place) -> Vec<(u32, Cell)> {
        let mut positions: Vec<(u32, Cell)> = Vec::with_capacity(fields.agents.len());
        for entry in &fields.agents {
            let Some(agent) = self.interner.intern(entry.id, &fields.id_text[entry.text.clone()]) else {
                self.report.add(&sb::RECORD_WITHOUT_AGENT, place.clone(), "a position without a usable id");
                continue;
            };
            match (entry.x.whole(), entry.y.whole()) {
                (Some(x), Some(y)) => positions.push((agent, Cell::new(x, y))),
                _ => self.report.add(&sb::POSITION_BAD, place.clone(), "x or y is not a whole number"),
            }
        }
        positions
    }

    fn heard(&mut self, fields: &Fields) -> Vec<(u32, TextRef)> {
        let mut heard = Vec::with_capacity(fields.heard.len());
        for entry in &fields.heard {
            let Some(agent) = self.interner.intern(entry.id, &fields.id_text[entry.text.clone()]) else {
                continue;
            };
            let raw = RawStr { bytes: &fields.id_text[entry.message.clone()] };
            let text = decode(raw, &mut Repair::default());
            if let Some(text) = push_text(&mut self.log.text, &text) {
                heard.push((agent, text));
            }
        }
        heard
    }
}
