//! From planned runs to traces: reads each run once, several at a time.

use std::io::BufReader;

use rayon::prelude::*;

use super::trace::RunTrace;
use super::tracer::Tracer;
use crate::finding::{Findings, Subject, input_rules};
use crate::ingest::LogFile;
use crate::ingest::mastracebench::{RunPlan, read_episodes, read_units};

/// Bytes read at once.
const BUFFER: usize = 256 << 10;

/// Reads and scores one run.
pub fn trace(plan: &RunPlan, findings: &mut Findings) -> RunTrace {
    let key = &plan.meta.key;
    let subject = Subject::run(&key.batch, &key.run_id);
    let mut tracer = Tracer::new(plan.meta.clone(), subject.clone(), findings);
    if plan.episodes.is_some() {
        tracer.has_episodes();
    }
    if let Some(file) = &plan.units {
        let here = subject.in_file(&file.display);
        tracer.in_file(&file.display);
        open(file, &here, findings, |reader, findings| {
            read_units(reader, &here, findings, |unit, record, findings| tracer.unit(unit, record, findings));
        });
    }
    if let Some(file) = &plan.episodes {
        let here = subject.in_file(&file.display);
        tracer.in_file(&file.display);
        open(file, &here, findings, |reader, findings| {
            read_episodes(reader, &here, findings, |episode, record, findings| {
                tracer.episode(episode, record, findings);
            });
        });
    }
    tracer.finish(findings)
}

fn open(
    file: &LogFile,
    subject: &Subject,
    findings: &mut Findings,
    with: impl FnOnce(BufReader<&mut dyn std::io::Read>, &mut Findings),
) {
    if let Err(error) = file.read(|reader| with(BufReader::with_capacity(BUFFER, reader), findings)) {
        findings.add(&input_rules::FILE_UNREADABLE, subject, None, error.to_string());
    }
}

/// Reads and scores all runs, in the plans' order; findings too are in an order that threads don't change.
pub fn trace_all(plans: &[RunPlan], findings: &mut Findings) -> Vec<RunTrace> {
    let traced: Vec<(RunTrace, Findings)> = plans
        .par_iter()
        .map(|plan| {
            let mut findings = Findings::new();
            let run = trace(plan, &mut findings);
            (run, findings)
        })
        .collect();
    traced
        .into_iter()
        .map(|(run, theirs)| {
            findings.merge(theirs);
            run
        })
        .collect()
}
