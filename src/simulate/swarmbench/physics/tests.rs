//! Cases worked by hand from the rules and the paper's Figure S.7.

use super::*;
use crate::model::Cell;
use crate::simulate::swarmbench::board::{Kind, mass_of};

/// Builds a board from a drawing: `>` `<` `^` `v` are agents with that action, `o` an idle agent, `W` a wall cell;
/// letters `a`–`c` are movable objects of several cells. Returns it after one settled round, drawn alike.
fn after(drawing: &[&str], masses: &[(u8, i32)]) -> Vec<String> {
    let (width, height) = (drawing[0].len() as u32, drawing.len() as u32);
    let mut board = Board::new(width, height, 6);
    let mut actions = Vec::new();
    let mut agents = Vec::new();
    let mut others: std::collections::BTreeMap<u8, Vec<Cell>> = std::collections::BTreeMap::new();
    for (y, row) in drawing.iter().enumerate() {
        for (x, byte) in row.bytes().enumerate() {
            let cell = Cell::new(x as i32, y as i32);
            let action = match byte {
                b'>' => Action::Move(Direction::Right),
                b'<' => Action::Move(Direction::Left),
                b'^' => Action::Move(Direction::Up),
                b'v' => Action::Move(Direction::Down),
                b'o' => Action::Stay,
                b'.' => continue,
                letter => {
                    others.entry(letter).or_default().push(cell);
                    continue;
                }
            };
            actions.push(action);
            agents.push((board.add(Kind::Agent, vec![Cell::new(0, 0)], false, 1), cell, byte));
        }
    }
    let mut letters = vec![b'?'; agents.len()];
    for &(id, cell, byte) in &agents {
        board.put(id, cell);
        letters[id as usize] = byte;
    }
    for (letter, cells) in others {
        let mass = masses.iter().find(|(l, _)| *l == letter).map_or(mass_of(cells.len()), |(_, mass)| *mass);
        let id = board.add(Kind::Box, cells, letter == b'W', mass);
        board.put(id, Cell::new(0, 0));
        letters.push(letter);
    }
    Physics::default().settle(&mut board, &actions);
    (0..height as i32)
        .map(|y| {
            (0..width as i32)
                .map(|x| match board.owner(Cell::new(x, y)) {
                    FREE => '.',
                    id => char::from(letters[id as usize]),
                })
                .collect()
        })
        .collect()
}

#[test]
fn an_agent_pushes_one_idle_agent_but_not_two() {
    assert_eq!(after(&[">o.."], &[]), [".>o."]);
    assert_eq!(after(&[">oo."], &[]), [">oo."]);
    assert_eq!(after(&[">>oo."], &[]), [".>>oo"]);
}

#[test]
fn a_pusher_against_you_weighs_three() {
    // 2 − 1 = 1 of surplus against mass 1 with force −2: nobody moves.
    assert_eq!(after(&["><.."], &[]), ["><.."]);
    // Three to one: 3 of surplus against 3; the opponent is carried along to the right, then LEFT is settled first.
    assert_eq!(after(&[">>><."], &[]), [".>>><"]);
}

#[test]
fn left_is_settled_before_right() {
    assert_eq!(after(&[".<>."], &[]), ["<..>"]);
    // Over the edge with the first.
    assert_eq!(after(&["<.<"], &[]), [".<."]);
}

#[test]
fn an_agent_that_crosses_the_edge_is_gone() {
    assert_eq!(after(&["^..", ".v."], &[]), ["...", "..."]);
}

#[test]
fn figure_s7() {
    // a: an agent and one block of mass 1: 2 ≥ 2.
    assert_eq!(after(&[">a."], &[]), [".>a"]);
    // b: an agent and a block of 2×2, mass 2: 2 < 3.
    assert_eq!(after(&[">aa.", ".aa."], &[]), [">aa.", ".aa."]);
    // c: two agents and that block: 4 ≥ 4.
    assert_eq!(after(&[">aa.", ">aa."], &[]), [".>aa", ".>aa"]);
}

#[test]
fn a_block_in_front_of_a_wall_holds_everybody() {
    assert_eq!(after(&[">>>aaW"], &[]), [">>>aaW"]);
}

#[test]
fn five_push_the_box_of_mass_five_and_four_do_not() {
    // Each pusher has 1 to spare.
    assert_eq!(after(&[">>aa.", ">>aa.", ".>aa."], &[(b'a', 5)]), [".>>aa", ".>>aa", "..>aa"]);
    assert_eq!(after(&[">>aa.", ">>aa.", "..aa."], &[(b'a', 5)])[0], ">>aa.");
}

#[test]
fn surplus_is_shared_between_two_things_ahead() {
    // A wide block (mass 2) that two agents push with 2 to spare, with two idle agents in front: 2 − 2 = 0 is left.
    assert_eq!(after(&[">ao.", ">ao."], &[(b'a', 2)]), [">ao.", ">ao."]);
    // With mass 0 it hands on 1 to each.
    assert_eq!(after(&[">ao.", ">ao."], &[(b'a', 0)]), [".>ao", ".>ao"]);
}

#[test]
fn interlocked_objects_move_as_one() {
    // The agent stands in the hollow of `a` and both touch ahead of the other: one component of mass 3 + 1.
    let hollow = ["aaa..", "aoa..", "aaa.."];
    let pushed = [">>aaa..", ">>aoa..", ".>aaa.."];
    assert_eq!(after(&hollow, &[(b'a', 3)]), hollow);
    assert_eq!(after(&pushed, &[(b'a', 4)])[1], ".>>aoa.");
    assert_eq!(after(&pushed, &[(b'a', 5)])[1], ">>aoa..");
}

#[test]
fn a_block_over_the_edge_takes_part_with_all_its_cells() {
    // Two rounds: the block of three cells leaves half, its outside cells still count in its shape.
    assert_eq!(after(&[">>aa"], &[(b'a', 1)]), [".>>a"]);
}
