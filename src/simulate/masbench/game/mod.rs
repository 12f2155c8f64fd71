//! Game: four to eight agents carry resources to warehouses on a map of which each sees five by five cells, for 50 rounds.
//!
//! A round: messages of the last round arrive; every agent looks, decides and acts (one after the other); then each may send one
//! message to one teammate in range. *Memory* keeps what was seen and heard; without it an agent knows its view and the messages
//! that just arrived. *Routing*: none means no messages; random draws a teammate in range; the gate sends only news, to whom
//! lacks most of it. *Protocol* turns two vague sentences into up to six sights with room, and announces the goal, which
//! teammates then leave alone.

mod map;
mod mind;
mod reference;
mod talk;
mod world;

use std::collections::BTreeSet;

use serde_json::Value;

use map::Map;
use mind::Mind;
use talk::{Letter, Told, letter};
use world::World;

use super::{Channel, EpisodeRecord, Place, StepRecord};
use crate::communication::Tokenizer;
use crate::model::{MasTask, Mechanism};
use crate::stats::rng::Stream;

/// Plays one episode.
pub(super) fn play(
    place: &Place<'_>,
    mechanism: &Mechanism,
    agents: Option<u32>,
    tokenizer: Tokenizer,
) -> EpisodeRecord {
    let mut instance = place.instance_stream();
    let drawn = 4 + instance.index(5);
    let map = Map::generate(&mut instance, place.hard(), agents.map_or(drawn, |agents| agents as usize));
    let rounds = MasTask::Game.round_limit().unwrap_or(0);
    let reference = reference::greedy_score(&map, rounds);
    let names: Vec<String> = (0..map.starts.len()).map(|agent| format!("R{agent}")).collect();
    let mut world = World::new(&map);
    let mut streams: Vec<Stream> = (0..names.len()).map(|agent| place.agent_stream(agent)).collect();
    let mut minds: Vec<Mind> = streams.iter_mut().map(|stream| Mind::new(map.side, stream)).collect();
    let mut told: Vec<Told> = vec![vec![BTreeSet::new(); names.len()]; names.len()];
    let mut channel = Channel::new(tokenizer);
    let mut steps = Vec::new();
    let mut score_by_round = Vec::new();
    let mut on_the_way: Vec<Letter> = Vec::new();
    let score = |collected: u32| f64::from(collected) / f64::from(reference.max(1)) * 100.0;
    for round in 1..=rounds {
        if !mechanism.memory {
            minds.iter_mut().for_each(Mind::forget);
            // Without memory an agent knows only what it told in the round before.
            if round % 2 == 1 {
                told.iter_mut().flatten().for_each(BTreeSet::clear);
            }
        }
        for letter in on_the_way.drain(..) {
            minds[letter.to].hear(letter.from, &letter.sights, letter.plan, round);
        }
        for (agent, stream) in streams.iter_mut().enumerate() {
            minds[agent].look(&world, agent, round);
            let body = world.bodies[agent];
            let act = minds[agent].decide(&world, agent, round, mechanism.memory, stream);
            world.act(agent, act);
            steps.push(StepRecord {
                round,
                agent: names[agent].clone(),
                x: body.cell.x,
                y: body.cell.y,
                action: act.name(),
                carrying: body.carrying.then_some("resource"),
            });
        }
        score_by_round.push(score(world.collected));
        for (agent, stream) in streams.iter_mut().enumerate() {
            let mind = &minds[agent];
            if let Some(sent) = letter(&world, agent, mind, &mut told[agent], mechanism, round, stream) {
                channel.send(round, &names[agent], vec![names[sent.to].clone()], sent.text.clone());
                on_the_way.push(sent);
            }
        }
    }
    EpisodeRecord {
        instance_id: place.instance_id(),
        split: place.split_name(),
        repeat: place.repeat,
        agents: names,
        instance: map.to_json(),
        prediction: Value::Null,
        score: score(world.collected),
        reference_score: Some(reference),
        collected: Some(world.collected),
        score_by_round,
        messages: channel.messages,
        steps,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::communication::Vocabulary;
    use crate::model::{Routing, Split};

    fn episode(number: u32, mechanism: &Mechanism) -> EpisodeRecord {
        let split = if number.is_multiple_of(2) { Split::Simple } else { Split::Complex };
        let place = Place { seed: 5, task: "Game", number, repeat: 1, split };
        play(&place, mechanism, None, Vocabulary::default().tokenizer())
    }

    #[test]
    fn the_physics_hold_in_every_log() {
        let all = Mechanism { memory: true, protocol: true, routing: Some(Routing::Gate) };
        for mechanism in [Mechanism::default(), all] {
            for number in 0..6 {
                let episode = episode(number, &mechanism);
                let agents = episode.agents.len();
                assert!((4..=8).contains(&agents));
                assert_eq!(episode.steps.len(), 50 * agents);
                for round in episode.steps.chunks(agents).collect::<Vec<_>>().windows(2) {
                    for (before, after) in round[0].iter().zip(round[1]) {
                        let moved = before.x.abs_diff(after.x) + before.y.abs_diff(after.y);
                        assert!(moved <= 1, "one step a round");
                        let item = matches!(before.action, "PICK" | "DROP");
                        assert!(
                            before.carrying == after.carrying || item,
                            "carrying changes by an item action"
                        );
                    }
                }
                let mut senders = BTreeSet::new();
                for message in &episode.messages {
                    assert!(senders.insert((message.round, message.from.clone())), "one message a round");
                    assert_eq!(message.to.len(), 1);
                }
                let drops = episode.steps.iter().filter(|step| step.action == "DROP").count() as u32;
                assert!(episode.collected.unwrap() <= drops);
            }
        }
    }

    #[test]
    fn without_routing_nobody_speaks_and_the_gate_speaks_less_than_chance() {
        let with = |routing| Mechanism { memory: true, protocol: false, routing };
        let count = |routing: Option<Routing>| -> usize {
            (0..8).map(|number| episode(number, &with(routing.clone())).messages.len()).sum()
        };
        assert_eq!(count(None), 0);
        assert!(count(Some(Routing::Gate)) < count(Some(Routing::Random)));
    }
}
