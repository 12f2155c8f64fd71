//! What an agent is told and answers, in words of our own and of a realistic length.

use std::fmt::Write;

use crate::simulate::swarmbench::policy::Intent;
use crate::simulate::swarmbench::rules::{Sightings, Task};
use crate::simulate::swarmbench::sight::{RoundStart, Seen, Sight};

/// One of an agent's past rounds, as its prompt recalls it.
#[derive(Clone, Debug)]
pub(super) struct Past {
    pub(super) round: u32,
    pub(super) cell: crate::model::Cell,
    pub(super) action: &'static str,
    pub(super) message: String,
}

fn task_text(task: Task) -> &'static str {
    match task {
        Task::Pursuit => {
            "Catch the prey, shown as P. It runs two cells in a round, away from agents and walls, so that no single agent \
             can reach it. It is caught when the four cells beside it are all taken, by agents or by walls; the team then \
             scores one point and a new prey appears in a quiet place. Catch as many as you can before the rounds are over."
        }
        Task::Synchronization => {
            "Every agent carries a light. The team scores one point when all lights are on, or all are off, provided that the \
             state differs from the one that scored last: on and off have to take turns. In a view, a number with a dollar sign \
             before it is an agent whose light is off. The action SWITCH turns your own light on or off; it takes a whole \
             round, in which you do not move."
        }
        Task::Foraging => {
            "Somewhere on the map there is a source of food, shown as F, and a nest, shown as N; walls, shown as W, stand \
             between them. Whoever stands beside the food picks some up, and whoever then stands beside the nest puts it down, \
             which scores one point for the team. In a view, a number with a dollar sign before it is an agent with empty hands. \
             Find both places and carry as much as you can from the one to the other."
        }
        Task::Flocking => {
            "Together the agents have to form a hollow square, wherever on the map it may lie. The score says by how many \
             steps the team has come closer to such a square since the start, at the best moment so far. The task is done when \
             the square is complete. Agree on a place early and do not crowd the corners."
        }
        Task::Transport => {
            "Walls, shown as W, surround the map. At one place there is a gap that leads outside, shown as *, but a heavy box, \
             shown as B, plugs it. It takes five agents that push together in one direction to move the box. Find it, push it \
             out of the gap and leave the map through it. Every agent that leaves scores for the team, the more the earlier."
        }
    }
}

const RULES_TEXT: &str = "\
How the world works: it is a grid of cells, and time goes in rounds. In every round all agents see the state as it is at \
the start of the round, decide at the same moment, and then all actions are carried out together. A step goes to one of \
the four cells beside you. You can push: a step into a taken cell moves whatever is there, if you are strong enough. An \
agent has a strength of 2 and a weight of 1, so that alone you can push one other agent along but not two in a row; several \
agents in a line, or side by side against one object, add their strengths. Whoever pushes against you adds to the weight \
that you have to overcome. Walls never move. If a push fails, everybody in the line stays where it is, and the round is \
lost. Rows are counted from the top (y) and columns from the left (x), both from 0.\n\n\
How you see and hear: your view is a square of cells with you in its middle. A message that you send is heard in the next \
round by agents that are then near enough to see you; it carries no name. Nobody sees your thoughts, and nobody remembers for \
you: what you want to know later you have to work out again from your view, from your last rounds below, and from what \
you hear. Messages may be up to 120 characters long. Silence is allowed.\n";

const ANSWER_TEXT: &str = "\
Think about what you see, what others have said, and what the team needs from somebody in your place. Avoid standing in \
the way of others; when two of you want the same cell, one has to give way. Do not repeat a step that has just failed without \
a reason. Then answer in exactly this form, one line each, and nothing after it:\n\
ACTION: one of the actions above\n\
MSG: your message, or leave this line out\n";

/// The view's symbol for a cell.
pub(super) fn symbol(sight: &Sight<'_>, cell: crate::model::Cell) -> String {
    match sight.look(cell) {
        Seen::OffMap | Seen::Unseen => "*".to_owned(),
        Seen::Free => ".".to_owned(),
        Seen::Wall => "W".to_owned(),
        Seen::Prey => "P".to_owned(),
        Seen::Food => "F".to_owned(),
        Seen::Nest => "N".to_owned(),
        Seen::Box => "B".to_owned(),
        Seen::Agent { id, lit: true } => id.to_string(),
        Seen::Agent { id, lit: false } => format!("${id}"),
    }
}

/// Appends the prompt of an agent.
pub(super) fn push_prompt<'a>(
    out: &mut String,
    start: RoundStart<'_>,
    sight: &Sight<'_>,
    past: impl Iterator<Item = &'a Past>,
) {
    let world = start.world;
    let (rules, me, cell) = (world.rules(), sight.me(), sight.cell());
    let _ = write!(
        out,
        "You are Agent_{me}, one of {} agents on a map of cells. You decide for yourself alone, and the team \
         succeeds or fails together.\n\nYour task: {}\n\n{RULES_TEXT}\n",
        rules.agents,
        task_text(rules.task)
    );
    if rules.task == Task::Flocking {
        push_target(out, sight);
    }
    if rules.sightings == Sightings::Global {
        out.push_str(if me == 0 {
            "You command: you see the whole map, and your orders reach every agent in the next round.\n\n"
        } else {
            "Agent_0 commands: carry out its orders, and report to it.\n\n"
        });
    }
    let _ = write!(
        out,
        "This is round {} of {}. The team's score is {}.\nYou are at column {}, row {} (x = {}, y = {}).\n",
        world.round(),
        rules.max_round,
        world.score().value(),
        cell.x,
        cell.y,
        cell.x,
        cell.y
    );
    match rules.task {
        Task::Synchronization => {
            let _ = writeln!(out, "Your light is {}.", if sight.lit() { "on" } else { "off" });
        }
        Task::Foraging => {
            let _ = writeln!(out, "Your hands are {}.", if sight.lit() { "full of food" } else { "empty" });
        }
        _ => {}
    }
    out.push_str("\nYour view (columns are numbered above, rows on the left; you are in the middle):\n");
    push_view(out, sight);
    out.push_str("\nWhat you hear:\n");
    let mut any = false;
    for text in sight.heard() {
        let _ = writeln!(out, "- \"{text}\"");
        any = true;
    }
    if !any {
        out.push_str("- nothing\n");
    }
    out.push_str("\nYour last rounds:\n");
    let mut any = false;
    for past in past {
        let Past { round, cell, action, message } = past;
        let said = if message.is_empty() { "said nothing".to_owned() } else { format!("said \"{message}\"") };
        let _ = writeln!(out, "- round {round}: you were at ({}, {}), did {action}, {said}", cell.x, cell.y);
        any = true;
    }
    if !any {
        out.push_str("- none, this is the first\n");
    }
    let switch = if rules.task == Task::Synchronization { ", SWITCH" } else { "" };
    let _ = write!(
        out,
        "\nYour actions: UP (y - 1), DOWN (y + 1), LEFT (x - 1), RIGHT (x + 1), STAY{switch}.\n\n{ANSWER_TEXT}"
    );
}

fn push_target(out: &mut String, sight: &Sight<'_>) {
    let shape = sight.target_shape();
    let last = shape.iter().map(|cell| cell.x).max().unwrap_or(0);
    out.push_str("The square to form, # for an agent:\n");
    for y in 0..=last {
        for x in 0..=last {
            out.push(if shape.contains(&crate::model::Cell::new(x, y)) { '#' } else { '.' });
        }
        out.push('\n');
    }
    out.push('\n');
}

fn push_view(out: &mut String, sight: &Sight<'_>) {
    for (number, row) in sight.rows().enumerate() {
        let cells: Vec<_> = row.collect();
        if number == 0 {
            out.push_str("      ");
            for cell in &cells {
                let _ = write!(out, "{:>5}", cell.x);
            }
            out.push('\n');
        }
        let _ = write!(out, "{:>6}", cells.first().map_or(0, |cell| cell.y));
        for cell in &cells {
            let shown = if *cell == sight.cell() { "Y".to_owned() } else { symbol(sight, *cell) };
            let _ = write!(out, "{shown:>5}");
        }
        out.push('\n');
    }
}

/// Appends the answer that stands for an intent.
pub(super) fn push_response(out: &mut String, sight: &Sight<'_>, intent: &Intent) {
    let (cell, action) = (sight.cell(), intent.action.name().unwrap_or("STAY"));
    let _ = write!(
        out,
        "I am at ({}, {}) in round {}. My rule says {action}.\nACTION: {action}\n",
        cell.x,
        cell.y,
        sight.round()
    );
    if !intent.message.is_empty() {
        let _ = writeln!(out, "MSG: {}", intent.message);
    }
}
