//! The first stage: runs are read and measured in parallel, one at a time per worker, and come out in order.
//!
//! Everything after it reads only the records that come out, so memory does not grow with the logs, and the order (and
//! with it every sum) does not depend on the number of workers.

use std::sync::Mutex;

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::features::embed::Embedder;
use crate::features::{RunRecord, Selection, Undefined, Walker, run_record};
use crate::finding::Findings;
use crate::ingest::swarmbench::{Needs, RunPlan, Scratch, read_run};

/// Hears how far the work is; the command line shows a bar on a terminal.
pub trait Progress: Sync {
    /// Work of this size begins.
    fn begin(&self, runs: u64, bytes: u64);
    /// A run of so many bytes is done.
    fn run(&self, bytes: u64);
    /// All is done.
    fn end(&self);
}

/// Tells nobody.
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: u64, _: u64) {}
    fn run(&self, _: u64) {}
    fn end(&self) {}
}

/// A pool of `jobs` workers; 0 takes one per core.
///
/// # Errors
/// When the system can't start the threads.
pub fn workers(jobs: usize) -> Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build()
        .map_err(|e| Error::internal("the thread pool", e))
}

/// Items given to the pool at once, per worker: enough to even out long and short runs, few enough to hold in memory.
const CHUNK_PER_WORKER: usize = 16;

/// Maps `items` in parallel and hands the results to `sink` in the order of the items. Each worker takes a state from
/// a pool (made by `state` when none is free), for buffers and caches.
///
/// # Errors
/// The first error of `sink`, which ends the work.
pub fn ordered_map<I: Sync, S: Send, T: Send>(
    items: &[I],
    state: impl Fn() -> S + Sync,
    work: impl Fn(&I, &mut S) -> T + Sync,
    mut sink: impl FnMut(T) -> Result<()> + Send,
) -> Result<()> {
    let free: Mutex<Vec<S>> = Mutex::new(Vec::new());
    let one = |item: &I| {
        // A poisoned lock means that another worker panicked; the panic itself is what gets reported.
        let taken = free.lock().map_or(None, |mut states| states.pop());
        let mut mine = taken.unwrap_or_else(&state);
        let result = work(item, &mut mine);
        if let Ok(mut states) = free.lock() {
            states.push(mine);
        }
        result
    };
    for chunk in items.chunks(CHUNK_PER_WORKER * rayon::current_num_threads()) {
        let results: Vec<T> = chunk.par_iter().map(one).collect();
        results.into_iter().try_for_each(&mut sink)?;
    }
    Ok(())
}

/// Reads and measures SwarmBench runs; `sink` gets each record in the order of the plans. Runs without anything usable
/// leave a finding and no record.
///
/// # Errors
/// The first error of `sink`.
pub fn measure_runs(
    plans: &[RunPlan],
    embedder: &dyn Embedder,
    undefined: Undefined,
    selection: &Selection,
    progress: &dyn Progress,
    findings: &mut Findings,
    mut sink: impl FnMut(RunRecord) -> Result<()> + Send,
) -> Result<()> {
    progress.begin(plans.len() as u64, plans.iter().map(RunPlan::bytes).sum());
    let result = ordered_map(
        plans,
        || (Scratch::default(), Walker::new(embedder).selecting(selection)),
        |plan, (scratch, walker)| {
            let mut own = Findings::new();
            let run = read_run(plan, Needs::default(), scratch, &mut own);
            let record = run.map(|run| run_record(&run, walker, undefined));
            progress.run(plan.bytes());
            (record, own)
        },
        |(record, own)| {
            findings.merge(own);
            record.map_or(Ok(()), &mut sink)
        },
    );
    progress.end();
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_whatever_the_number_of_workers() {
        let items: Vec<u64> = (0..500).collect();
        for jobs in [1, 3, 8] {
            let mut seen = Vec::new();
            workers(jobs)
                .unwrap()
                .install(|| {
                    ordered_map(
                        &items,
                        || (),
                        |item, ()| item * 2,
                        |doubled| {
                            seen.push(doubled);
                            Ok(())
                        },
                    )
                })
                .unwrap();
            assert_eq!(seen, items.iter().map(|i| i * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_of_the_sink_ends_the_work() {
        let outcome = ordered_map(
            &[1, 2, 3],
            || (),
            |item, ()| *item,
            |item| {
                if item == 2 { Err(Error::Usage("enough".into())) } else { Ok(()) }
            },
        );
        assert!(matches!(outcome, Err(Error::Usage(_))));
    }
}
