//! Units per second of trajectory labels and of MAPF and Gomoku scoring with the highest attainable score.
//!
//! `cargo bench --bench trajectories`; the figures of one machine are in `benches/README.md`.

use std::collections::BTreeMap;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use swarm_analyze::finding::{Findings, Subject};
use swarm_analyze::ingest::mastracebench::read_units;
use swarm_analyze::model::{ProposalMeta, ProposalTask, ProposalUnit, RunKey};
use swarm_analyze::simulate::mastracebench::{Mind, Options, method, simulate};
use swarm_analyze::trajectory::labels::Tolerance;
use swarm_analyze::trajectory::score;
use swarm_analyze::trajectory::trace::RunTrace;
use swarm_analyze::trajectory::tracer::Tracer;

fn main() {
    divan::main();
}

/// The `units.jsonl` of a simulated Int. Debate run.
fn log(task: &ProposalTask, units: usize) -> String {
    let method = method("Int. Debate").expect("a row of METHODS");
    let options = Options {
        task: task.clone(),
        method,
        seed: 1,
        units,
        proposers: 3,
        rounds: 1,
        mind: Mind::default(),
    };
    let run = simulate(&options).expect("a task with a world");
    run.units.iter().fold(String::new(), |text, unit| text + unit.to_string().as_str() + "\n")
}

fn units(log: &str) -> Vec<ProposalUnit> {
    let mut units = Vec::new();
    read_units(log.as_bytes(), &Subject::file("units.jsonl"), &mut Findings::new(), |unit, _, _| {
        units.push(unit.clone());
    });
    units
}

fn tracer(task: &ProposalTask) -> Tracer {
    let meta = ProposalMeta {
        key: RunKey { batch: "bench".into(), run_id: "bench".into() },
        benchmark: None,
        task: task.clone(),
        method: "Int. Debate".into(),
        model: "scripted".into(),
        seed: None,
        proposers: None,
        rounds: None,
        columns: BTreeMap::new(),
    };
    Tracer::new(meta, Subject::default(), &mut Findings::new())
}

fn trace(task: &ProposalTask, log: &str) -> RunTrace {
    let mut findings = Findings::new();
    let mut tracer = tracer(task);
    read_units(log.as_bytes(), &Subject::default(), &mut findings, |unit, record, findings| {
        tracer.unit(unit, record, findings);
    });
    tracer.finish(&mut findings)
}

/// GAB and refinement labels of every unit.
#[divan::bench]
fn labels(bencher: Bencher<'_, '_>) {
    let task = ProposalTask::EvidenceChain;
    let run = trace(&task, &log(&task, 5_000));
    bencher.counter(ItemsCount::new(run.units.len())).bench(|| {
        run.views()
            .map(|view| {
                let labels = view.refinements(Tolerance::Exact).filter(|(_, label)| label.is_some()).count();
                labels + usize::from(view.gab(Tolerance::Exact).is_some())
            })
            .sum::<usize>()
    });
}

/// All seven outputs of a unit, and S⋆.
#[divan::bench(args = ["MAPF", "Gomoku"])]
fn scores_with_max(bencher: Bencher<'_, '_>, name: &str) {
    let task = ProposalTask::from_name(name);
    let row = score::task(&task).expect("a known task");
    let units = units(&log(&task, if name == "MAPF" { 500 } else { 40 }));
    bencher.counter(ItemsCount::new(units.len())).bench(|| {
        units
            .iter()
            .filter_map(|unit| {
                let instance = (row.instance)(&unit.instance).ok()?;
                let outputs = unit.proposers.iter().flat_map(|p| [&p.initial, &p.last]).chain([&unit.answer]);
                let sum: f64 = outputs.flatten().filter_map(|output| instance.score(output).ok()).sum();
                Some(sum + instance.max_score().unwrap_or(0.0))
            })
            .sum::<f64>()
    });
}

/// From the bytes of `units.jsonl` to a trace: read, scored, compared, kept.
#[divan::bench(args = ["MAPF", "Gomoku", "EvidenceChain"])]
fn read_and_trace(bencher: Bencher<'_, '_>, name: &str) {
    let task = ProposalTask::from_name(name);
    let log = log(&task, if name == "Gomoku" { 40 } else { 500 });
    let n = log.lines().count();
    bencher
        .counter(ItemsCount::new(n))
        .counter(BytesCount::new(log.len()))
        .bench(|| trace(&task, &log).units.len());
}
