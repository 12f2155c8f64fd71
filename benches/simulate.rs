//! Speed of the SwarmBench simulator in agent-steps per second (divan's "items").
//!
//! `cargo bench --bench simulate`; numbers and how they were taken are in `benches/README.md`.

use divan::Bencher;
use divan::counter::ItemsCount;
use swarm_analyze::pipeline::Silent;
use swarm_analyze::simulate::swarmbench::episode::{Unrecorded, play};
use swarm_analyze::simulate::swarmbench::generate::{Order, Output, Player, simulate};
use swarm_analyze::simulate::swarmbench::policy::PolicyRow;
use swarm_analyze::simulate::swarmbench::{Rules, Task, policy_named};

fn main() {
    divan::main();
}

/// The released density at two sizes.
const SIZES: [u32; 2] = [10, 1000];

fn rules(task: Task, agents: u32) -> Rules {
    let side = if agents == 1000 { 100 } else { 10 };
    Rules { agents, width: side, height: side, ..Rules::released(task, 7) }
}

fn random() -> &'static PolicyRow {
    policy_named("random").unwrap_or_else(|| panic!("the table has a random policy"))
}

/// A whole episode of random actions, without logs.
fn episode(bencher: Bencher<'_, '_>, task: Task, agents: u32) {
    let rules = rules(task, agents);
    bencher.counter(ItemsCount::new(agents * rules.max_round)).bench(|| {
        let mut team = random().new_team(&rules);
        play(&rules, &mut *team, &mut Unrecorded).map(|outcome| outcome.rounds)
    });
}

/// The same with logs: a batch of one run on one worker, prompts included or not.
fn logged(bencher: Bencher<'_, '_>, task: Task, lean: bool) {
    let orders = [Order { rules: rules(task, 10), player: Player::Policy(random()) }];
    let steps = orders[0].rules.agents * orders[0].rules.max_round;
    bencher.counter(ItemsCount::new(steps)).bench(|| {
        let scratch = tempfile::tempdir().map_err(|source| swarm_analyze::Error::write("bench", source))?;
        let folder = scratch.path().to_path_buf();
        let output = Output { folder, zip: false, force: false, lean, memory: 5 };
        simulate(&orders, &output, &Silent).map(|written| written.len())
    });
}

#[divan::bench(args = SIZES)]
fn pursuit(bencher: Bencher<'_, '_>, agents: u32) {
    episode(bencher, Task::Pursuit, agents);
}

#[divan::bench(args = SIZES)]
fn synchronization(bencher: Bencher<'_, '_>, agents: u32) {
    episode(bencher, Task::Synchronization, agents);
}

#[divan::bench(args = SIZES)]
fn foraging(bencher: Bencher<'_, '_>, agents: u32) {
    episode(bencher, Task::Foraging, agents);
}

#[divan::bench(args = SIZES)]
fn flocking(bencher: Bencher<'_, '_>, agents: u32) {
    episode(bencher, Task::Flocking, agents);
}

#[divan::bench(args = SIZES)]
fn transport(bencher: Bencher<'_, '_>, agents: u32) {
    episode(bencher, Task::Transport, agents);
}

#[divan::bench(args = Task::ALL)]
fn with_lean_logs(bencher: Bencher<'_, '_>, task: Task) {
    logged(bencher, task, true);
}

#[divan::bench(args = Task::ALL)]
fn with_full_logs(bencher: Bencher<'_, '_>, task: Task) {
    logged(bencher, task, false);
}
