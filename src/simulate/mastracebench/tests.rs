//! Simulated runs of every task and method, as logged and read back: the mechanisms must produce the paper's patterns.

use std::collections::BTreeMap;

use super::{Mind, Options, SimulatedRun, method, simulate};
use crate::finding::{Findings, Subject};
use crate::ingest::mastracebench::{read_episodes, read_units};
use crate::model::{ProposalMeta, ProposalTask, RunKey};
use crate::trajectory::estimate::Intervals;
use crate::trajectory::overview::{Settings, Trajectories, analyse, estimate_of};
use crate::trajectory::trace::RunTrace;
use crate::trajectory::tracer::Tracer;

fn options(task: ProposalTask, name: &str, seed: u64, units: usize) -> Options {
    let method = method(name).unwrap();
    Options { task, method, seed, units, proposers: 3, rounds: 1, mind: Mind::default() }
}

fn text(lines: &[serde_json::Value]) -> String {
    lines.iter().fold(String::new(), |text, line| text + &line.to_string() + "\n")
}

fn traced(options: &Options, run: &SimulatedRun, findings: &mut Findings) -> RunTrace {
    let meta = ProposalMeta {
        key: RunKey { batch: "b".into(), run_id: run.run_id.clone() },
        benchmark: None,
        task: options.task.clone(),
        method: options.method.name.into(),
        model: "scripted".into(),
        seed: Some(1),
        proposers: None,
        rounds: None,
        columns: BTreeMap::new(),
    };
    let subject = Subject::run("b", &run.run_id);
    let mut tracer = Tracer::new(meta, subject.clone(), findings);
    read_units(text(&run.units).as_bytes(), &subject, findings, |unit, n, findings| {
        tracer.unit(unit, n, findings);
    });
    read_episodes(text(&run.episodes).as_bytes(), &subject, findings, |e, n, findings| {
        tracer.episode(e, n, findings);
    });
    tracer.finish(findings)
}

fn simulated(methods: &[&str], seed: u64, units: usize) -> (Trajectories, Vec<String>) {
    let mut findings = Findings::new();
    let mut runs = Vec::new();
    for task in ProposalTask::KNOWN {
        for name in methods {
            let options = options(task.clone(), name, seed, units);
            let run = simulate(&options).unwrap();
            runs.push(traced(&options, &run, &mut findings));
        }
    }
    let intervals = Intervals { resamples: 0, level: 0.95, seed: 1 };
    let all = analyse(&runs, &Settings { intervals, by: Vec::new() }, &mut findings);
    (all, findings.into_sorted().into_iter().map(|finding| finding.code).collect())
}

#[test]
fn debate_agrees_and_loses_less_and_clears_regresses_less() {
    let (all, mut codes) = simulated(&["Single-Agent", "Consistency", "Int. Debate", "CLEARS"], 1, 80);
    codes.dedup();
    assert_eq!(codes, ["MT027"], "simulated logs have no fault but invalid outputs");
    let of = |task: &ProposalTask, method: &str, id: &str| {
        let row = all.runs.iter().find(|row| row.task == task.name() && row.method == method).unwrap();
        estimate_of(&row.estimates, id).value.unwrap()
    };
    let mut calmer = 0;
    for task in &ProposalTask::KNOWN {
        let debate = |id| of(task, "Int. Debate", id);
        let consistency = |id| of(task, "Consistency", id);
        assert!(
            debate("final_proposal_agreement") > consistency("final_proposal_agreement"),
            "{task}: agreement"
        );
        assert!(debate("aggregation_loss") < consistency("aggregation_loss"), "{task}: aggregation loss");
        calmer += u32::from(of(task, "CLEARS", "gab_regress") < debate("gab_regress"));
    }
    assert!(calmer >= 4, "CLEARS regresses less than Int. Debate on {calmer} of 6 tasks");
}

#[test]
fn methods_meet_the_same_instances_and_first_proposals() {
    for task in ProposalTask::KNOWN {
        let single = simulate(&options(task.clone(), "Single-Agent", 5, 2)).unwrap();
        let debate = simulate(&options(task.clone(), "Int. Debate", 5, 2)).unwrap();
        // In dynamic tasks states part ways after the first answers that differ.
        let (a, b) = (&single.units[0], &debate.units[0]);
        assert_eq!(a["unit_id"], b["unit_id"], "{task}");
        assert_eq!(
            a["proposers"][0]["initial"]["content"], b["proposers"][0]["initial"]["content"],
            "{task}"
        );
        assert_eq!(simulate(&options(task.clone(), "Int. Debate", 5, 2)).unwrap(), debate, "{task}");
        assert_ne!(
            simulate(&options(task.clone(), "Int. Debate", 6, 2)).unwrap().units,
            debate.units,
            "{task}"
        );
    }
}

#[test]
fn perfect_minds_reach_the_optimum_and_sure_correlation_copies() {
    for task in ProposalTask::KNOWN {
        let mut options = options(task.clone(), "Consistency", 3, 3);
        options.mind = Mind { skill: 1.0, correlation: 1.0, invalid: 0.0, attention: 1 };
        let run = simulate(&options).unwrap();
        for unit in &run.units {
            let first = &unit["proposers"][0]["initial"]["content"];
            assert_eq!(&unit["proposers"][2]["initial"]["content"], first, "{task}");
            if matches!(task, ProposalTask::Mapf | ProposalTask::EvidenceChain | ProposalTask::Gomoku) {
                assert_eq!(unit["answer"]["score"], unit["max_score"], "{task} {unit}");
            }
        }
    }
}
