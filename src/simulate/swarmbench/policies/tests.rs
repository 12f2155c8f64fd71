//! Invariants of the whole table, and what each policy has to reach.

use super::*;
use crate::simulate::swarmbench::episode::{Unrecorded, play};
use crate::simulate::swarmbench::rules::{Rules, Task};

fn mean(row: &PolicyRow, task: Task, seeds: std::ops::Range<i64>) -> f64 {
    let count = seeds.end - seeds.start;
    let sum: f64 = seeds
        .map(|seed| {
            let rules = Rules::released(task, seed);
            play(&rules, &mut *row.new_team(&rules), &mut Unrecorded).unwrap().score.value()
        })
        .sum();
    sum / count as f64
}

#[test]
fn scan() {
    for task in Task::ALL {
        for row in POLICIES.iter().filter(|row| row.plays(task)) {
            eprintln!("{:16} {:24} {:8.3}", task.name(), row.name, mean(row, task, 0..20));
        }
    }
}
