//! Messages of Game: whom, what, and in which words.

use std::collections::BTreeSet;

use super::map::RANGE;
use super::mind::{Known, Mind, Sight};
use super::world::World;
use crate::model::{Cell, Mechanism, Routing};
use crate::stats::rng::Stream;

/// Sights in a structured message at most.
const MOST_SIGHTS: usize = 6;
/// Sights in a free message at most.
const FEW_SIGHTS: usize = 2;
/// The protocol tells only what was seen or heard in this many rounds: older claims have no ground.
const GROUNDED: u32 = 8;

/// A message on its way.
#[derive(Clone, Debug)]
pub(super) struct Letter {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) sights: Vec<Sight>,
    pub(super) plan: Option<Cell>,
    pub(super) text: String,
}

/// What an agent remembers to have told, by receiver.
pub(super) type Told = Vec<BTreeSet<Sight>>;

/// The message of an agent in a round, if it sends one.
pub(super) fn letter(
    world: &World<'_>,
    agent: usize,
    mind: &Mind,
    told: &mut Told,
    mechanism: &Mechanism,
    round: u32,
    stream: &mut Stream,
) -> Option<Letter> {
    let here = world.bodies[agent].cell;
    let teammates: Vec<usize> = (0..world.bodies.len())
        .filter(|&other| other != agent && world.bodies[other].cell.chebyshev(here) <= RANGE)
        .collect();
    // What an agent goes for itself it does not send others to.
    let own = |known: &Known| {
        known.sight.cell() != here
            && Some(known.sight.cell()) == mind.goal
            && matches!(known.sight, Sight::Resource { .. })
    };
    let telling = |known: &Known| !own(known) && (!mechanism.protocol || known.round + GROUNDED >= round);
    let sights: Vec<Sight> =
        mind.sights().iter().filter(|known| telling(known)).map(|known| known.sight).collect();
    let to = match mechanism.routing.as_ref()? {
        Routing::Gate => gate(&teammates, &sights, told)?,
        Routing::Random | Routing::Other(_) => *teammates.get(stream.index(teammates.len()))?,
    };
    let gated = mechanism.routing == Some(Routing::Gate);
    let mut chosen: Vec<Sight> =
        sights.into_iter().filter(|sight| !gated || !told[to].contains(sight)).collect();
    if mechanism.protocol {
        let there = world.bodies[to].cell;
        chosen.sort_by_key(|sight| {
            (matches!(sight, Sight::Resource { .. }), sight.cell().manhattan(there), sight.cell())
        });
        chosen.truncate(MOST_SIGHTS);
    } else {
        stream.shuffle(&mut chosen);
        chosen.truncate(FEW_SIGHTS);
    }
    told[to].extend(&chosen);
    let plan = mind.goal.filter(|_| mechanism.protocol);
    let carrying = world.bodies[agent].carrying;
    let text = if mechanism.protocol {
        structured_text(here, carrying, &chosen, plan)
    } else {
        free_text(here, carrying, &chosen, stream)
    };
    if !mechanism.protocol {
        // Free words say that a warehouse is there, not how much room it has.
        for sight in &mut chosen {
            if let Sight::Warehouse { room, .. } = sight {
                *room = (*room).min(1);
            }
        }
    }
    Some(Letter { from: agent, to, sights: chosen, plan, text })
}

/// The gate: silent unless some teammate in range lacks something; then the one that lacks most (the first of equals).
fn gate(teammates: &[usize], sights: &[Sight], told: &Told) -> Option<usize> {
    let news = |&to: &usize| sights.iter().filter(|sight| !told[to].contains(sight)).count();
    teammates.iter().copied().rev().max_by_key(news).filter(|to| news(to) > 0)
}

/// `STATE 3,4 empty; SEE W 2,3:4 R 5,6; PLAN 5,6`.
fn structured_text(here: Cell, carrying: bool, sights: &[Sight], plan: Option<Cell>) -> String {
    let mut parts = vec![format!("STATE {},{} {}", here.x, here.y, if carrying { "full" } else { "empty" })];
    if !sights.is_empty() {
        let seen: Vec<String> = sights
            .iter()
            .map(|sight| match sight {
                Sight::Warehouse { cell, room } => format!("W {},{}:{room}", cell.x, cell.y),
                Sight::Resource { cell } => format!("R {},{}", cell.x, cell.y),
            })
            .collect();
        parts.push(format!("SEE {}", seen.join(" ")));
    }
    parts.extend(plan.map(|goal| format!("PLAN {},{}", goal.x, goal.y)));
    parts.join("; ")
}

fn free_text(here: Cell, carrying: bool, sights: &[Sight], stream: &mut Stream) -> String {
    let opening = [
        "Hi there, a short update from my side.",
        "Hello, I hope your search is going well.",
        "Just checking in with you.",
    ];
    let mut parts = vec![opening[stream.index(opening.len())].to_owned()];
    parts.push(format!(
        "I am currently standing around position ({}, {}) and {}.",
        here.x,
        here.y,
        if carrying {
            "I am carrying a resource that I would like to drop somewhere"
        } else {
            "I am not carrying anything at the moment"
        }
    ));
    for sight in sights {
        parts.push(match sight {
            Sight::Warehouse { cell, .. } => {
                format!("I noticed a warehouse at ({}, {}) which might be useful for you.", cell.x, cell.y)
            }
            Sight::Resource { cell } => format!(
                "There seems to be a resource lying at ({}, {}) if you want to collect it.",
                cell.x, cell.y
            ),
        });
    }
    if sights.is_empty() {
        parts.push("I have not found anything interesting around here so far.".to_owned());
    }
    parts.join(" ")
}
