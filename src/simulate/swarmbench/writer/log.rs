//! The game log and the agent log of one run, written while it is played.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::json::{push_indent, push_key, push_list, push_text};
use super::prompt::{Past, push_prompt, push_response, symbol};
use crate::error::{Error, Result};
use crate::model::Cell;
use crate::simulate::swarmbench::episode::Recorder;
use crate::simulate::swarmbench::policy::Intent;
use crate::simulate::swarmbench::sight::RoundStart;
use crate::simulate::swarmbench::world::Score;

/// How much the logs say.
#[derive(Clone, Copy, Debug)]
pub struct LogOptions {
    /// Leave prompts, responses and token counts out.
    pub lean: bool,
    /// Rounds that a prompt recalls.
    pub memory: usize,
}

/// Ticks of 0.1 ms between two entries; the clock of a simulated run has nothing to do with the real one.
const TICKS: u64 = 425;

struct LogFile {
    path: PathBuf,
    out: BufWriter<File>,
    any: bool,
}

impl LogFile {
    fn create(path: PathBuf) -> Result<Self> {
        let file = File::create(&path).map_err(|source| Error::write(&path, source))?;
        Ok(Self { path, out: BufWriter::with_capacity(1 << 16, file), any: false })
    }

    fn entry(&mut self, text: &str) -> Result<()> {
        let lead: &[u8] = if self.any { b",\n" } else { b"[\n" };
        self.any = true;
        let written = self.out.write_all(lead).and_then(|()| self.out.write_all(text.as_bytes()));
        written.map_err(|source| Error::write(&self.path, source))
    }

    fn finish(mut self) -> Result<()> {
        let close: &[u8] = if self.any { b"\n]" } else { b"[]" };
        let written = self.out.write_all(close).and_then(|()| self.out.flush());
        written.map_err(|source| Error::write(&self.path, source))
    }
}

/// Records an episode as `game_log_<run id>.json` and `agent_log_<run id>.json`.
pub struct LogRecorder {
    game: LogFile,
    agent: LogFile,
    options: LogOptions,
    /// Seconds at the start of the run, and entries since.
    start: u64,
    entries: u64,
    tokens: Vec<u64>,
    past: Vec<VecDeque<Past>>,
    text: String,
    prompt: String,
}

impl LogRecorder {
    /// Starts the two logs in a folder. The run id begins with the second at which the run starts, by its own clock.
    ///
    /// # Errors
    /// When they can't be written.
    pub fn create(folder: &Path, run_id: &str, agents: u32, options: LogOptions) -> Result<Self> {
        let start = run_id.split('-').next().and_then(|seconds| seconds.parse().ok()).unwrap_or(0);
        Ok(Self {
            game: LogFile::create(folder.join(format!("game_log_{run_id}.json")))?,
            agent: LogFile::create(folder.join(format!("agent_log_{run_id}.json")))?,
            options,
            start,
            entries: 0,
            tokens: vec![0; agents as usize],
            past: vec![VecDeque::new(); agents as usize],
            text: String::new(),
            prompt: String::new(),
        })
    }

    /// Closes both logs.
    ///
    /// # Errors
    /// When they can't be written.
    pub fn finish(self) -> Result<()> {
        self.game.finish()?;
        self.agent.finish()
    }

    /// Appends the head that both logs' entries have.
    fn push_head(&mut self, start: RoundStart<'_>) {
        self.entries += 1;
        let ticks = self.entries * TICKS;
        let fraction = format!("{:04}", ticks % 10_000);
        let fraction = fraction.trim_end_matches('0');
        let fraction = if fraction.is_empty() { "0" } else { fraction };
        let out = &mut self.text;
        out.clear();
        out.push_str("  {");
        push_key(out, 2, "timestamp", true);
        let _ = write!(out, "{}.{fraction}", self.start + ticks / 10_000);
        push_key(out, 2, "task", false);
        push_text(out, start.world.rules().task.name());
        push_key(out, 2, "round", false);
        let _ = write!(out, "{}", start.world.round());
    }
}

impl Recorder for LogRecorder {
    fn state(&mut self, start: RoundStart<'_>) -> Result<()> {
        self.push_head(start);
        let (world, out) = (start.world, &mut self.text);
        let rules = world.rules();
        push_key(out, 2, "grid", false);
        push_list(out, 2, 0..rules.height as i32, |out, y| {
            push_list(out, 3, 0..rules.width as i32, |out, x| {
                out.push('"');
                out.push(char::from(world.letter(Cell::new(x, y))));
                out.push('"');
            });
        });
        push_key(out, 2, "agents", false);
        push_list(out, 2, 0..rules.agents, |out, agent| {
            let Cell { x, y } = world.agent(agent);
            out.push('{');
            push_key(out, 4, "id", true);
            let _ = write!(out, "\"Agent_{agent}\"");
            push_key(out, 4, "x", false);
            let _ = write!(out, "{x}");
            push_key(out, 4, "y", false);
            let _ = write!(out, "{y}\n      }}");
        });
        push_key(out, 2, "score", false);
        let _ = match world.score() {
            Score::Whole(points) => write!(out, "{points}"),
            Score::Fraction(value) => write!(out, "{value:?}"), // Debug keeps the ".0", as Python does
        };
        push_key(out, 2, "messages", false);
        push_list(out, 2, start.delivered.iter(), |out, message| {
            out.push('{');
            push_key(out, 4, "round", true);
            let _ = write!(out, "{}", message.sent);
            push_key(out, 4, "agent_name", false);
            let _ = write!(out, "\"Agent_{}\"", message.from);
            push_key(out, 4, "message", false);
            push_text(out, &message.text);
            out.push_str("\n      }");
        });
        out.push_str("\n  }");
        self.game.entry(&self.text)
    }

    fn decisions(&mut self, start: RoundStart<'_>, intents: &[Intent]) -> Result<()> {
        for (agent, intent) in intents.iter().enumerate() {
            self.push_head(start);
            let sight = start.sight(agent as u32);
            let talks = start.world.is_active(agent as u32) && !self.options.lean;
            let out = &mut self.text;
            push_key(out, 2, "agent_id", false);
            let _ = write!(out, "\"Agent_{agent}\"");
            push_key(out, 2, "view", false);
            push_list(out, 2, sight.rows(), |out, row| {
                push_list(out, 3, row, |out, cell| {
                    out.push('"');
                    out.push_str(&symbol(&sight, cell));
                    out.push('"');
                });
            });
            push_key(out, 2, "prompt", false);
            self.prompt.clear();
            if talks {
                push_prompt(&mut self.prompt, start, &sight, self.past[agent].iter());
            }
            push_text(out, &self.prompt);
            let mut length = self.prompt.len();
            push_key(out, 2, "response", false);
            self.prompt.clear();
            if talks {
                push_response(&mut self.prompt, &sight, intent);
            }
            push_text(out, &self.prompt);
            length += self.prompt.len();
            // Four characters make a token: a rule of thumb, for want of a model.
            self.tokens[agent] += length.div_ceil(4) as u64;
            let action = intent.action.name().unwrap_or("STAY");
            push_key(out, 2, "action", false);
            push_text(out, action);
            push_key(out, 2, "message", false);
            push_text(out, &intent.message);
            push_key(out, 2, "api_call_time", false);
            out.push('0');
            push_key(out, 2, "action_success", false);
            out.push_str("false"); // as the released environment always logs it
            push_key(out, 2, "total_llm_tokens", false);
            if self.options.lean {
                out.push_str("null");
            } else {
                let _ = write!(out, "{}", self.tokens[agent]);
            }
            out.push('\n');
            push_indent(out, 1);
            out.push('}');
            self.agent.entry(&self.text)?;
            if talks && self.options.memory > 0 {
                let past = &mut self.past[agent];
                if past.len() == self.options.memory {
                    past.pop_front();
                }
                let (round, cell) = (start.world.round(), sight.cell());
                past.push_back(Past { round, cell, action, message: intent.message.clone() });
            }
        }
        Ok(())
    }
}
