//! How agents decide: the [`Policy`] trait, and teams of agents that decide for themselves.

use std::fmt::Write;

use super::rules::{Rules, Sightings, Task};
use super::sight::{RoundStart, Sight};
use crate::model::{Action, Direction};
use crate::stats::rng::Stream;

/// What an agent is going to do in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intent {
    /// The action.
    pub action: Action,
    /// The message; empty for none.
    pub message: String,
}

impl Default for Intent {
    fn default() -> Self {
        Self { action: Action::Stay, message: String::new() }
    }
}

impl Intent {
    /// Back to staying in silence.
    pub fn clear(&mut self) {
        self.action = Action::Stay;
        self.message.clear();
    }

    /// Appends to the message.
    pub fn say(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = self.message.write_fmt(text); // writing to a string can't fail
    }

    /// Moves in a direction, or stays.
    pub fn go(&mut self, direction: Option<Direction>) {
        self.action = direction.map_or(Action::Stay, Action::Move);
    }
}

/// Decides for all agents of a run.
pub trait Policy {
    /// Fills in the intents of a round; they come cleared, one per agent. Those of agents off the map are ignored.
    fn decide(&mut self, start: RoundStart<'_>, intents: &mut [Intent]);
}

/// Decides for one agent, from what that agent knows.
pub trait Local {
    /// The agent before round 0; whatever it draws comes from `stream`.
    fn new(agent: u32, stream: Stream) -> Self;

    /// Decides on action and message.
    fn decide(&mut self, sight: &Sight<'_>, intent: &mut Intent);
}

/// A policy as the table of all policies lists it.
#[derive(Clone, Copy)]
pub struct PolicyRow {
    /// Its name: the `model` in the logs.
    pub name: &'static str,
    /// The tasks that it plays.
    pub tasks: &'static [Task],
    /// What it does, in one line.
    pub summary: &'static str,
    /// A fresh team for a run.
    pub team: fn(&PolicyRow, &Rules) -> Box<dyn Policy>,
}

impl PolicyRow {
    /// A fresh team.
    pub fn new_team(&self, rules: &Rules) -> Box<dyn Policy> {
        (self.team)(self, rules)
    }

    /// Whether it plays this task.
    pub fn plays(&self, task: Task) -> bool {
        self.tasks.contains(&task)
    }

    /// A random stream of one agent under this policy.
    pub fn stream(&self, rules: &Rules, agent: u32) -> Stream {
        let identity = format!("simulate/swarmbench/{}/{}/{agent}", self.name, rules.task.name());
        Stream::new(rules.seed as u64, &identity)
    }
}

/// The team of a row whose agents decide for themselves; under global sightings, of one who commands.
pub fn local_team<P: Local + 'static>(row: &PolicyRow, rules: &Rules) -> Box<dyn Policy> {
    let minds = (0..rules.agents).map(|agent| P::new(agent, row.stream(rules, agent))).collect();
    match rules.sightings {
        Sightings::Local => Box::new(Team { minds }),
        Sightings::Global => {
            Box::new(Commanded { minds, planned: vec![Intent::default(); rules.agents as usize] })
        }
    }
}

/// Every agent decides for itself.
struct Team<P> {
    minds: Vec<P>,
}

impl<P: Local> Policy for Team<P> {
    fn decide(&mut self, start: RoundStart<'_>, intents: &mut [Intent]) {
        for (agent, (mind, intent)) in self.minds.iter_mut().zip(intents).enumerate() {
            if start.world.is_active(agent as u32) {
                mind.decide(&start.sight(agent as u32), intent);
            }
        }
    }
}

/// `Agent_0` sees everything, thinks for everybody and sends orders; the others carry out the orders that reach
/// them, one round later (paper, app. L.3).
struct Commanded<P> {
    minds: Vec<P>,
    planned: Vec<Intent>,
}

impl<P: Local> Policy for Commanded<P> {
    fn decide(&mut self, start: RoundStart<'_>, intents: &mut [Intent]) {
        let mut orders = String::new();
        for (agent, (mind, plan)) in self.minds.iter_mut().zip(&mut self.planned).enumerate() {
            plan.clear();
            if start.world.is_active(agent as u32) {
                mind.decide(&start.full_sight(agent as u32), plan);
                if agent > 0 {
                    let action = plan.action.name().unwrap_or("STAY");
                    orders.push_str(if orders.is_empty() { "orders: " } else { ", " });
                    let _ = write!(orders, "{agent} {action}");
                }
            }
        }
        for (agent, intent) in intents.iter_mut().enumerate() {
            let sight = start.sight(agent as u32);
            if agent == 0 {
                intent.action = self.planned[0].action;
                intent.message.push_str(&orders);
            } else {
                intent.action =
                    sight.heard().find_map(|text| order_for(agent as u32, text)).unwrap_or(Action::Stay);
                let cell = sight.cell();
                intent.say(format_args!("{agent} at ({}, {})", cell.x, cell.y));
            }
        }
    }
}

/// The action that an order names for an agent.
fn order_for(agent: u32, text: &str) -> Option<Action> {
    text.strip_prefix("orders: ")?.split(", ").find_map(|order| {
        let (number, action) = order.split_once(' ')?;
        (number.parse() == Ok(agent)).then(|| Action::from_name(action.as_bytes()))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_reach_their_agent() {
        let text = "orders: 1 UP, 2 STAY, 11 SWITCH";
        assert_eq!(order_for(1, text), Some(Action::Move(Direction::Up)));
        assert_eq!(order_for(11, text), Some(Action::Switch));
        assert_eq!(order_for(3, text), None);
        assert_eq!(order_for(1, "1 UP"), None);
    }
}
