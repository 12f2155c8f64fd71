//! Invariants of the whole table, and what policies have to reach.

use std::collections::BTreeSet;

use super::*;
use crate::simulate::swarmbench::episode::{Unrecorded, play};
use crate::simulate::swarmbench::rules::{Rules, Task};

/// Mean score over four seeds in the released setting. `docs/policies.md` has it over twenty.
fn mean(name: &str, task: Task) -> f64 {
    let row = policy(name).unwrap();
    let scores = (0..4).map(|seed| {
        let rules = Rules::released(task, seed);
        play(&rules, &mut *row.new_team(&rules), &mut Unrecorded).unwrap().score.value()
    });
    scores.sum::<f64>() / 4.0
}

#[test]
fn names_are_unique_and_rows_are_filled_in() {
    let names: BTreeSet<&str> = POLICIES.iter().map(|row| row.name).collect();
    assert_eq!(names.len(), POLICIES.len());
    for row in POLICIES {
        assert!(row.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", row.name);
        assert!(!row.summary.is_empty() && !row.tasks.is_empty());
    }
}

#[test]
fn every_task_has_three_policies_of_its_own_and_a_planner() {
    let special = |row: &&PolicyRow| row.tasks.len() == 1;
    for task in Task::ALL {
        let own = POLICIES.iter().filter(special).filter(|row| row.plays(task));
        let (planners, local): (Vec<&PolicyRow>, Vec<&PolicyRow>) = own.partition(|row| is_oracle(row));
        assert!(local.len() >= 3 && planners.len() == 1, "{}", task.name());
    }
}

#[test]
fn sensible_policies_beat_random_clearly() {
    for (task, names) in [
        (Task::Pursuit, ["pursuit-greedy", "pursuit-field", "pursuit-roles"].as_slice()),
        (Task::Synchronization, &["sync-majority", "sync-clock", "sync-vote", "sync-leader"]),
        (Task::Foraging, &["forage-greedy", "forage-bfs", "forage-scout"]),
        (Task::Flocking, &["flock-slots", "flock-claims"]),
        (Task::Transport, &["transport-lines"]),
    ] {
        let random = mean("random", task);
        for name in names {
            let score = mean(name, task);
            assert!(score > 1.5 * random + 1.0, "{name} has {score}, random {random}");
        }
    }
}

#[test]
fn planners_reach_a_score_in_every_task() {
    for row in POLICIES.iter().filter(|row| is_oracle(row)) {
        let score = mean(row.name, row.tasks[0]);
        assert!(score > 1.0, "{} has {score}", row.name);
    }
}

#[test]
fn stay_changes_nothing() {
    for task in Task::ALL {
        assert!(mean("stay", task).abs() < f64::EPSILON, "{}", task.name());
    }
}
