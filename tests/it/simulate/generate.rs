//! Simulated batches: they verify, do not depend on the number of workers, and are never overwritten unasked.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use swarm_analyze::Error;
use swarm_analyze::finding::Findings;
use swarm_analyze::ingest::discover;
use swarm_analyze::pipeline::{Silent, workers};
use swarm_analyze::simulate::swarmbench::generate::{Order, Output, Player, simulate};
use swarm_analyze::simulate::swarmbench::{Obstacle, POLICIES, Rules, Sightings, Task, policy_named};

use super::{data, verdicts};

fn output(folder: &Path) -> Output {
    Output { folder: folder.to_path_buf(), zip: false, force: false, lean: true, memory: 5 }
}

fn order(name: &str, rules: Rules) -> Order {
    Order { rules, player: Player::Policy(policy_named(name).unwrap()) }
}

fn short(task: Task, seed: i64) -> Rules {
    Rules { max_round: 12, ..Rules::released(task, seed) }
}

/// One run per policy and task, short ones.
fn all_policies() -> Vec<Order> {
    let mut orders = Vec::new();
    for row in POLICIES {
        for task in row.tasks {
            orders.push(order(row.name, short(*task, 5)));
        }
    }
    orders
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    walkdir::WalkDir::new(folder)
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let name = entry.path().strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect()
}

#[test]
fn every_policy_writes_runs_that_verify() {
    let folder = tempfile::tempdir().unwrap();
    let orders = all_policies();
    simulate(&orders, &output(folder.path()), &Silent).unwrap();
    let verdicts = verdicts(folder.path());
    assert_eq!(verdicts.len(), orders.len());
    for verdict in verdicts {
        assert!(verdict.reproduced, "{verdict:?}");
    }
}

#[test]
fn variants_verify_too() {
    let folder = tempfile::tempdir().unwrap();
    let talk = |rules: Rules| order("transport-lines", Rules { max_round: 40, ..rules });
    let released = Rules::released(Task::Transport, 3);
    let orders = [
        talk(Rules { noise: 0.2, delay: 4, ..released.clone() }),
        talk(Rules { sightings: Sightings::Global, ..released.clone() }),
        talk(Rules { obstacle: Obstacle::Square, width: 15, height: 12, agents: 8, ..released }),
    ];
    let written = simulate(&orders, &output(folder.path()), &Silent).unwrap();
    assert_eq!(written.len(), 1);
    let verdicts = verdicts(folder.path());
    assert_eq!(verdicts.len(), 3);
    for verdict in verdicts {
        assert!(verdict.reproduced, "{verdict:?}");
    }
}

#[test]
fn files_do_not_depend_on_the_number_of_workers() {
    let orders: Vec<Order> =
        (0..6).flat_map(|seed| Task::ALL.map(|task| order("random", short(task, seed)))).collect();
    let run = |jobs: usize, zip: bool| {
        let folder = tempfile::tempdir().unwrap();
        let output = Output { zip, lean: false, ..output(folder.path()) };
        workers(jobs).unwrap().install(|| simulate(&orders, &output, &Silent)).unwrap();
        files(folder.path())
    };
    let one = run(1, false);
    assert_eq!(one.len(), 5 * (6 * 2 + 1), "a meta log per task, two logs per run, nothing left over");
    assert_eq!(one, run(8, false));
    let zipped = run(1, true);
    assert_eq!(zipped.len(), 5);
    assert_eq!(zipped, run(8, true));
}

#[test]
fn archives_hold_the_same_runs() {
    let folder = tempfile::tempdir().unwrap();
    let orders = [order("random", short(Task::Foraging, 1)), order("biased", short(Task::Foraging, 2))];
    simulate(&orders, &Output { zip: true, ..output(folder.path()) }, &Silent).unwrap();
    assert_eq!(files(folder.path()).keys().collect::<Vec<_>>(), ["foraging.zip"]);
    assert!(verdicts(folder.path()).iter().all(|verdict| verdict.reproduced));
}

#[test]
fn a_batch_is_replaced_only_on_demand() {
    let folder = tempfile::tempdir().unwrap();
    let first = [order("stay", short(Task::Flocking, 1))];
    let second = [order("random", short(Task::Flocking, 2))];
    simulate(&first, &output(folder.path()), &Silent).unwrap();
    let before = files(folder.path());
    let refused = simulate(&second, &output(folder.path()), &Silent).unwrap_err();
    assert!(matches!(refused, Error::OutputExists { .. }), "{refused}");
    assert_eq!(files(folder.path()), before, "nothing changed, nothing left over");
    simulate(&second, &Output { force: true, ..output(folder.path()) }, &Silent).unwrap();
    let after = files(folder.path());
    assert_ne!(after, before);
    assert_eq!(after.len(), 3);
}

#[test]
fn force_never_replaces_a_folder_that_is_no_batch() {
    let folder = tempfile::tempdir().unwrap();
    let precious = folder.path().join("flocking");
    fs::create_dir(&precious).unwrap();
    fs::write(precious.join("thesis.tex"), "years of work").unwrap();
    let orders = [order("stay", short(Task::Flocking, 1))];
    let refused = simulate(&orders, &Output { force: true, ..output(folder.path()) }, &Silent).unwrap_err();
    assert!(matches!(refused, Error::OutputExists { .. }), "{refused}");
    assert_eq!(files(folder.path()).keys().collect::<Vec<_>>(), ["flocking/thesis.tex"]);
}

/// The text of a game log without what a replay has no part in: the clock and the spelling of the task.
fn comparable(text: &str) -> String {
    text.lines().filter(|line| !line.contains("\"timestamp\"") && !line.contains("\"task\"")).collect()
}

#[test]
fn a_replay_writes_the_released_game_logs_letter_by_letter() {
    let folder = tempfile::tempdir().unwrap();
    let mut findings = Findings::new();
    let inventory = discover(&[data().join("experiment_v03.zip")], &mut findings).unwrap();
    let orders: Vec<Order> = inventory.swarm.iter().map(|plan| Order::replay(plan).unwrap()).collect();
    assert_eq!(orders.len(), 8);
    simulate(&orders, &output(folder.path()), &Silent).unwrap();
    let replayed = files(folder.path());
    let replayed = replayed.iter().filter(|(name, _)| name.contains("game_log"));
    let mut archive =
        zip::ZipArchive::new(fs::File::open(data().join("experiment_v03.zip")).unwrap()).unwrap();
    let mut names: Vec<String> = archive
        .file_names()
        .map(|name| name.unwrap().into_owned())
        .filter(|name| name.contains("game_log"))
        .collect();
    names.sort();
    for ((name, bytes), original) in replayed.zip(&names) {
        let original = std::io::read_to_string(archive.by_name(original).unwrap()).unwrap();
        let text = std::str::from_utf8(bytes).unwrap();
        assert_eq!(comparable(text), comparable(&original), "{name}");
    }
}
