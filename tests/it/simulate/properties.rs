//! Invariants of the world under any actions, on maps of many sizes.

use proptest::prelude::*;
use swarm_analyze::model::{Action, Cell, Direction};
use swarm_analyze::simulate::swarmbench::{FREE, Kind, Obstacle, Rules, Task, World};

fn action() -> impl Strategy<Value = Action> {
    // Directions in runs, so that lines form and push.
    prop_oneof![
        4 => (0..4_usize).prop_map(|way| Action::Move(Direction::ALL[way])),
        1 => Just(Action::Stay),
        1 => Just(Action::Switch),
    ]
}

fn rules() -> impl Strategy<Value = Rules> {
    (0..5_usize, 0..1000_i64, 7..18_u32, 7..18_u32, 1..13_u32, any::<bool>()).prop_map(
        |(task, seed, width, height, agents, square)| Rules {
            width,
            height,
            agents,
            max_round: 40,
            obstacle: if square { Obstacle::Square } else { Obstacle::LShape },
            ..Rules::released(Task::ALL[task], seed)
        },
    )
}

/// Every cell of every object that is there is its own in the table, and nothing else is.
fn assert_whole(world: &World) -> Result<(), TestCaseError> {
    let board = world.board();
    let mut owned = 0;
    for (id, mesh) in board.meshes().iter().enumerate().filter(|(_, mesh)| mesh.present) {
        for cell in mesh.shape.iter().map(|cell| mesh.at.offset(cell.x, cell.y)) {
            if board.inside(cell) {
                prop_assert_eq!(board.owner(cell), id as u32, "two objects in one cell");
                owned += 1;
            }
        }
    }
    let (width, height) = (board.width as i32, board.height as i32);
    let taken = (0..height)
        .flat_map(|y| (0..width).map(move |x| Cell::new(x, y)))
        .filter(|&cell| board.owner(cell) != FREE)
        .count();
    prop_assert_eq!(owned, taken, "a cell is taken by nothing");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn nothing_overlaps_vanishes_or_scores_backwards(
        rules in rules(),
        rounds in prop::collection::vec(prop::collection::vec(action(), 12), 40),
    ) {
        let mut world = World::new(&rules).unwrap();
        let fixed: Vec<(Kind, Cell, bool)> =
            world.board().meshes().iter().map(|mesh| (mesh.kind, mesh.at, mesh.fixed)).collect();
        let mass = |world: &World| -> i32 { world.board().meshes().iter().map(|mesh| mesh.mass).sum() };
        let total = mass(&world);
        let mut score = world.score().value();
        assert_whole(&world)?;
        for actions in &rounds {
            if world.over() {
                break;
            }
            let before: Vec<Cell> = (0..rules.agents).map(|agent| world.agent(agent)).collect();
            let active: Vec<bool> = (0..rules.agents).map(|agent| world.is_active(agent)).collect();
            world.step(&actions[..rules.agents as usize]);
            assert_whole(&world)?;
            prop_assert_eq!(mass(&world), total, "mass is conserved");
            prop_assert!(world.score().value() >= score, "scores never fall");
            score = world.score().value();
            for (mesh, (kind, at, was_fixed)) in world.board().meshes().iter().zip(&fixed) {
                prop_assert_eq!(mesh.kind, *kind);
                if *was_fixed {
                    prop_assert_eq!(mesh.at, *at, "walls, food and nest never move");
                }
            }
            for agent in 0..rules.agents {
                let (was, now) = (before[agent as usize], world.agent(agent));
                // An agent can be pushed once in each direction.
                prop_assert!(was.chebyshev(now) <= 1);
                if !active[agent as usize] {
                    prop_assert_eq!(was, now, "whoever is off the map stays there");
                }
                prop_assert_eq!(world.is_active(agent), world.board().inside(now));
            }
        }
    }

    #[test]
    fn the_same_actions_give_the_same_world(
        rules in rules(),
        rounds in prop::collection::vec(prop::collection::vec(action(), 12), 15),
    ) {
        let play = || {
            let mut world = World::new(&rules).unwrap();
            for actions in &rounds {
                world.step(&actions[..rules.agents as usize]);
            }
            (world.grid(), world.score())
        };
        prop_assert_eq!(play(), play());
    }
}
