//! Reads and measures planned runs in parallel; one episode per worker is in memory.

use std::collections::BTreeMap;

use super::{Communication, Measurer, RunMeasures, Settings, analyse};
use crate::error::Result;
use crate::features::Walker;
use crate::features::embed::Embedder;
use crate::finding::{Findings, Subject, mb};
use crate::ingest::masbench::RunPlan;
use crate::pipeline::{Progress, ordered_map};

/// Reads, measures and analyses MASBench runs. The result does not depend on the number of workers.
///
/// # Errors
///
/// Internal ones only; faults of the data are findings.
pub fn communicate(
    plans: &[RunPlan],
    embedder: &dyn Embedder,
    settings: Settings,
    progress: &dyn Progress,
    findings: &mut Findings,
) -> Result<Communication> {
    name_twins(plans, findings);
    let mut runs: Vec<RunMeasures> = Vec::with_capacity(plans.len());
    progress.begin(plans.len() as u64, plans.iter().map(RunPlan::bytes).sum());
    let outcome = ordered_map(
        plans,
        || Measurer {
            tokenizer: settings.tokenizer.tokenizer(),
            walker: Walker::new(embedder),
            undefined: settings.undefined,
        },
        |plan, measurer| {
            let mut own = Findings::new();
            let subject = plan.subject();
            let mut run = RunMeasures::new(plan.meta.clone());
            plan.read(&mut own, |episode, record, findings| {
                run.add(&episode, record, measurer, &subject, findings);
            });
            run.finish(&subject, &mut own);
            progress.run(plan.bytes());
            (run, own)
        },
        |(run, own)| {
            findings.merge(own);
            runs.push(run);
            Ok(())
        },
    );
    progress.end();
    outcome?;
    Ok(analyse(runs, settings, findings))
}

/// Says which run ids occur in several places.
fn name_twins(plans: &[RunPlan], findings: &mut Findings) {
    let mut batches: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for plan in plans {
        batches.entry(&plan.meta.key.run_id).or_default().push(&plan.meta.key.batch);
    }
    for (run_id, batches) in batches.iter().filter(|(_, batches)| batches.len() > 1) {
        let subject = Subject { batch: None, run_id: Some((*run_id).to_owned()), file: None };
        findings.add(&mb::RUN_TWICE, &subject, None, format!("in {}", batches.join(", ")));
    }
}
