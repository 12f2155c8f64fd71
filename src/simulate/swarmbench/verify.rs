//! Verification of a logged run: its actions are played again, and every logged state has to come out.

use serde::Serialize;
use serde_json::{Value, json};

use super::mailbox::Mailbox;
use super::rules::{Obstacle, Rules, Sightings, Task};
use super::world::World;
use crate::error::Result;
use crate::finding::Findings;
use crate::ingest::swarmbench::{Needs, RunPlan, Scratch, read_run};
use crate::model::{Action, Cell, Round, RunMeta, SwarmRun, SwarmTask};
use crate::pipeline::{Progress, ordered_map};

/// Where the log and the re-simulation part, or why they can't be compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The round whose logged state or decisions are concerned; `null` where no round could be looked at.
    pub round: Option<u32>,
    /// `grid`, `position`, `score`, `messages`, `action`, `end`, or `not checked: …` with the reason.
    pub what: String,
    /// What the log has; `null` where it has nothing.
    pub logged: Value,
    /// What comes out; `null` where nothing does.
    pub simulated: Value,
}

/// The verdict on a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The batch.
    pub batch: String,
    /// The run.
    pub run_id: String,
    /// The task, as far as it is known.
    pub task: String,
    /// Whether every logged state came out, from the first to the last.
    pub reproduced: bool,
    /// Logged states that came out before the first difference, the starting layout included.
    pub rounds_checked: u32,
    /// The first difference; `null` for a reproduced run.
    pub first_difference: Option<Difference>,
}

impl Verdict {
    fn new(meta: &RunMeta, rounds_checked: u32, first_difference: Option<Difference>) -> Self {
        Self {
            batch: meta.key.batch.clone(),
            run_id: meta.key.run_id.clone(),
            task: meta.task.name().to_owned(),
            reproduced: first_difference.is_none(),
            rounds_checked,
            first_difference,
        }
    }

    /// The verdict on a run that can't be checked.
    pub fn unchecked(meta: &RunMeta, reason: &str) -> Self {
        Self::new(meta, 0, Some(not_checked(None, reason)))
    }
}

fn not_checked(round: Option<u32>, reason: &str) -> Difference {
    Difference { round, what: format!("not checked: {reason}"), logged: Value::Null, simulated: Value::Null }
}

/// Plays a run's logged actions from its meta entry and compares grid, positions, score and messages with every
/// entry of the game log. The run must have been read with grids and heard messages.
pub fn verify_run(run: &SwarmRun) -> Verdict {
    let meta = &run.meta;
    let prepared = rules_of(meta).and_then(|rules| {
        if !run.has_game_log {
            return Err("the game log is missing or holds no entry".to_owned());
        }
        if !run.has_agent_log {
            return Err("the agent log is missing or holds no record".to_owned());
        }
        let numbers = agent_numbers(run, rules.agents)?;
        let world = World::new(&rules).map_err(|error| error.to_string())?;
        Ok((world, numbers))
    });
    match prepared {
        Err(reason) => Verdict::unchecked(meta, &reason),
        Ok((world, numbers)) => {
            let mut replay = Replay { run, mailbox: Mailbox::new(world.rules()), world, numbers, checked: 0 };
            let difference = replay.first_difference();
            Verdict::new(meta, replay.checked, difference)
        }
    }
}

/// Verifies the planned runs in parallel, in their order.
///
/// # Errors
/// None of its own; a run that can't be read gets a verdict that says so.
pub fn verify_runs(
    plans: &[RunPlan],
    progress: &dyn Progress,
    findings: &mut Findings,
) -> Result<Vec<Verdict>> {
    let mut verdicts = Vec::with_capacity(plans.len());
    progress.begin(plans.len() as u64, plans.iter().map(RunPlan::bytes).sum());
    let outcome = ordered_map(
        plans,
        Scratch::default,
        |plan, scratch| {
            let mut own = Findings::new();
            let run = read_run(plan, Needs { grids: true, views: false, heard: true }, scratch, &mut own);
            let verdict = run.map_or_else(
                || Verdict::unchecked(&plan.meta, "neither log has a usable record"),
                |run| verify_run(&run),
            );
            progress.run(plan.bytes());
            (verdict, own)
        },
        |(verdict, own)| {
            findings.merge(own);
            verdicts.push(verdict);
            Ok(())
        },
    );
    progress.end();
    outcome.map(|()| verdicts)
}

/// The rules that a meta entry states.
///
/// # Errors
/// What is missing, or which rule this version does not know.
pub fn rules_of(meta: &RunMeta) -> Result<Rules, String> {
    let need = |value: Option<u32>, name: &str| value.ok_or(format!("the meta entry has no usable {name}"));
    let task = Task::of(&meta.task).ok_or_else(|| match &meta.task {
        SwarmTask::Other(name) if name.is_empty() => {
            "the run has no meta entry that names its task".to_owned()
        }
        other => format!("the rules of the task {other} are not known"),
    })?;
    let seed = match (meta.seed, task) {
        (Some(seed), _) => seed,
        (None, Task::Flocking) => 0, // never used by Flocking's layout
        (None, _) => return Err("the meta entry has no usable seed".to_owned()),
    };
    let column = |name: &str| meta.columns.get(name).filter(|value| !value.is_null());
    let unknown = |name: &str, value: &Value| format!("the rules were changed: {name} is {value}");
    let obstacle = column("obstacle").map_or(Ok(Obstacle::LShape), |value| {
        value.as_str().and_then(Obstacle::from_name).ok_or_else(|| unknown("obstacle", value))
    })?;
    let sightings = column("view").map_or(Ok(Sightings::Local), |value| match value.as_str() {
        Some("global") => Ok(Sightings::Global),
        Some("local") => Ok(Sightings::Local),
        _ => Err(unknown("view", value)),
    })?;
    let noise =
        column("noise").map_or(Ok(0.0), |value| value.as_f64().ok_or_else(|| unknown("noise", value)))?;
    let delay = column("delay").map_or(Ok(0), |value| {
        value.as_u64().and_then(|n| u32::try_from(n).ok()).ok_or_else(|| unknown("delay", value))
    })?;
    Ok(Rules {
        task,
        seed,
        agents: need(meta.num_agents, "num_agents")?,
        width: need(meta.width, "width")?,
        height: need(meta.height, "height")?,
        max_round: need(meta.max_round, "max_round")?,
        view_size: meta.view_size.unwrap_or(5), // decides who hears whom, not what is logged
        obstacle,
        sightings,
        noise,
        delay,
    })
}

/// For each agent of the run, its number in the world.
pub(super) fn agent_numbers(run: &SwarmRun, agents: u32) -> Result<Vec<u32>, String> {
    let number = |name: &String| {
        name.strip_prefix("Agent_").unwrap_or(name).parse().ok().filter(|n: &u32| *n < agents)
    };
    let numbers: Option<Vec<u32>> = run.agents.iter().map(number).collect();
    let numbers = numbers.ok_or_else(|| format!("agents are not called Agent_0 to Agent_{}", agents - 1))?;
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() == numbers.len() { Ok(numbers) } else { Err("two names stand for one agent".to_owned()) }
}

/// Trims a message as Python's `str.strip()` does; the logs trim what agents said.
fn strip(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c))
}

struct Replay<'a> {
    run: &'a SwarmRun,
    world: World,
    mailbox: Mailbox,
    /// World number of each of the run's agents.
    numbers: Vec<u32>,
    checked: u32,
}

impl Replay<'_> {
    fn first_difference(&mut self) -> Option<Difference> {
        let run = self.run;
        let last_state = run.rounds.iter().rev().find(|round| round.has_state).map(|round| round.number);
        for number in 0.. {
            let place = run.rounds.binary_search_by_key(&number, |round| round.number);
            let entry = place.ok().map(|place| &run.rounds[place]).filter(|round| round.has_state);
            let Some(entry) = entry else {
                let what = if last_state.is_some_and(|last| last > number) {
                    "the game log skips it"
                } else {
                    "the game log has ended"
                };
                return Some(Difference {
                    round: Some(number),
                    what: "end".to_owned(),
                    logged: json!(what),
                    simulated: json!("the episode goes on"),
                });
            };
            if let Some(difference) = self.compare(entry) {
                return Some(difference);
            }
            self.checked += 1;
            if self.world.over() {
                return last_state.filter(|last| *last > number).map(|_| Difference {
                    round: Some(number + 1),
                    what: "end".to_owned(),
                    logged: json!("the game log goes on"),
                    simulated: json!("the episode is over"),
                });
            }
            if let Some(difference) = self.play(entry) {
                return Some(difference);
            }
        }
        None
    }

    /// Compares the state at the start of a round.
    fn compare(&mut self, entry: &Round) -> Option<Difference> {
        let differs = |what: &str, logged: Value, simulated: Value| {
            Some(Difference { round: Some(entry.number), what: what.to_owned(), logged, simulated })
        };
        let (logged, simulated) = (entry.grid.as_ref(), self.world.grid());
        let Some(logged) = logged else { return differs("grid", Value::Null, json!("a grid")) };
        if (logged.width, logged.height) != (simulated.width, simulated.height) {
            let size = |grid: &crate::model::Grid| json!(format!("{}x{} cells", grid.width, grid.height));
            return differs("grid", size(logged), size(&simulated));
        }
        if let Some(at) = (0..simulated.cells.len()).find(|&at| logged.cells[at] != simulated.cells[at]) {
            let (x, y) = (at % simulated.width, at / simulated.width);
            let cell = |letter: u8| json!(format!("{} at x {x}, y {y}", char::from(letter)));
            return differs("grid", cell(logged.cells[at]), cell(simulated.cells[at]));
        }
        let mut logged: Vec<Option<Cell>> = vec![None; self.world.rules().agents as usize];
        for placed in &entry.positions {
            logged[self.numbers[placed.agent.ix()] as usize] = Some(placed.cell);
        }
        for (agent, logged) in logged.into_iter().enumerate() {
            let simulated = self.world.agent(agent as u32);
            if logged != Some(simulated) {
                let place = |cell: Cell| json!(format!("Agent_{agent} at x {}, y {}", cell.x, cell.y));
                return differs("position", logged.map_or(Value::Null, place), place(simulated));
            }
        }
        let score = self.world.score().value();
        if entry.score.map(f64::to_bits) != Some(score.to_bits()) && entry.score != Some(score) {
            return differs("score", json!(entry.score), json!(score));
        }
        let mut simulated: Vec<(u32, String)> = self
            .mailbox
            .deliver(entry.number)
            .into_iter()
            .map(|message| (message.from, message.text))
            .collect();
        let mut logged: Vec<(u32, String)> = entry
            .heard
            .iter()
            .map(|(agent, text)| (self.numbers[agent.ix()], strip(self.run.text(*text)).to_owned()))
            .collect();
        // Agents decide at the same moment, so the order within a round means nothing.
        simulated.sort();
        logged.sort();
        let parting = (0..logged.len().max(simulated.len())).find(|&at| logged.get(at) != simulated.get(at));
        parting.and_then(|at| {
            let show = |list: &[(u32, String)]| {
                list.get(at).map_or(Value::Null, |(agent, text)| json!(format!("Agent_{agent}: {text}")))
            };
            differs("messages", show(&logged), show(&simulated))
        })
    }

    /// Plays a round's logged decisions.
    fn play(&mut self, entry: &Round) -> Option<Difference> {
        let agents = self.world.rules().agents;
        let mut actions: Vec<Option<Action>> = vec![None; agents as usize];
        for decision in &entry.decisions {
            let agent = self.numbers[decision.agent.ix()];
            actions[agent as usize] = decision.action;
            let text = decision.message.map_or("", |message| self.run.text(message));
            if self.world.is_active(agent) {
                self.mailbox.post(entry.number, agent, strip(text));
            }
        }
        let mut known = Vec::with_capacity(actions.len());
        for (agent, action) in actions.into_iter().enumerate() {
            let active = self.world.is_active(agent as u32);
            match action {
                Some(Action::Other(_)) | None if active => {
                    let name = action.map(|action| self.run.action_name(action));
                    let reason = name.map_or_else(
                        || format!("Agent_{agent} has no usable action in this round"),
                        |name| format!("the rules were changed: Agent_{agent} does {name}"),
                    );
                    return Some(not_checked(Some(entry.number), &reason));
                }
                Some(action) if !active && action != Action::Stay => {
                    return Some(Difference {
                        round: Some(entry.number),
                        what: "action".to_owned(),
                        logged: json!(format!("Agent_{agent}: {}", self.run.action_name(action))),
                        simulated: json!(format!("Agent_{agent} is off the map and can only STAY")),
                    });
                }
                other => known.push(other.unwrap_or(Action::Stay)),
            }
        }
        self.world.step(&known);
        None
    }
}
