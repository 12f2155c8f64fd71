//! One run from the first round to the last.

use super::mailbox::{Delivered, Mailbox};
use super::policy::{Intent, Policy};
use super::rules::{Rules, Sightings};
use super::sight::RoundStart;
use super::world::{Score, World};
use crate::error::Result;
use crate::model::Action;

/// Longest message, in characters (paper, app. A.2); a commander's orders may be longer.
pub const MAX_MESSAGE: usize = 120;

/// Watches an episode, to log it.
pub trait Recorder {
    /// The state at the start of a round, the last one included, with the messages that arrive now.
    ///
    /// # Errors
    /// Whatever keeps it from recording; the episode ends with it.
    fn state(&mut self, start: RoundStart<'_>) -> Result<()>;

    /// The decisions of a round, before they are carried out.
    ///
    /// # Errors
    /// Whatever keeps it from recording; the episode ends with it.
    fn decisions(&mut self, start: RoundStart<'_>, intents: &[Intent]) -> Result<()>;
}

/// Records nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unrecorded;

impl Recorder for Unrecorded {
    fn state(&mut self, _: RoundStart<'_>) -> Result<()> {
        Ok(())
    }

    fn decisions(&mut self, _: RoundStart<'_>, _: &[Intent]) -> Result<()> {
        Ok(())
    }
}

/// How an episode ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The final score.
    pub score: Score,
    /// Rounds played.
    pub rounds: u32,
}

/// Plays a run under `rules`.
///
/// # Errors
/// [`crate::Error::Usage`] if the rules can't be played; whatever the recorder reports.
pub fn play(rules: &Rules, policy: &mut dyn Policy, recorder: &mut impl Recorder) -> Result<Outcome> {
    let mut world = World::new(rules)?;
    let mut mailbox = Mailbox::new(rules);
    let mut intents = vec![Intent::default(); rules.agents as usize];
    let mut actions = vec![Action::Stay; rules.agents as usize];
    loop {
        let delivered: Vec<Delivered> = mailbox.deliver(world.round());
        let start = RoundStart { world: &world, delivered: &delivered };
        recorder.state(start)?;
        if world.over() {
            return Ok(Outcome { score: world.score(), rounds: world.round() });
        }
        intents.iter_mut().for_each(Intent::clear);
        policy.decide(start, &mut intents);
        for (agent, intent) in intents.iter_mut().enumerate() {
            if world.is_active(agent as u32) {
                if !intent.message.is_empty() {
                    tidy(&mut intent.message, rules.sightings == Sightings::Global && agent == 0);
                    mailbox.post(world.round(), agent as u32, &intent.message);
                }
            } else {
                intent.clear();
            }
            actions[agent] = intent.action;
        }
        recorder.decisions(start, &intents)?;
        world.step(&actions);
    }
}

/// Cuts a message to its longest length and trims it.
fn tidy(message: &mut String, unlimited: bool) {
    if !unlimited && let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE) {
        message.truncate(end);
    }
    if message.trim().len() != message.len() {
        *message = message.trim().to_owned();
    }
}
