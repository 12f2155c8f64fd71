//! Runs everything: measures the runs, gathers, compares, and puts all numbers into one [`Analysis`].

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::{
    Analysis, Excluded, FindingCount, Input, Overview, Provenance, SCHEMA, Settings, SwarmCollector,
    WorstRuns, drivers,
};
use crate::attribution::collect::AttributionParams;
use crate::communication::{self, Communication, communicate};
use crate::error::{Error, Result};
use crate::features::embed::Embedder;
use crate::features::{RunRecord, Selection};
use crate::finding::{Finding, Findings, Severity};
use crate::ingest::Inventory;
use crate::model::RunKey;
use crate::pipeline::{Progress, measure_runs, ordered_map};
use crate::trajectory;
use crate::trajectory::estimate::Intervals;
use crate::trajectory::load::trace_all;
use crate::trajectory::overview::Trajectories;

/// What to analyse, and how.
pub struct Request<'a> {
    /// What was found.
    pub inventory: &'a Inventory,
    /// Settings.
    pub settings: Settings,
    /// The report's title.
    pub title: String,
    /// A command that makes the same report.
    pub command: String,
    /// How actions are attributed; `None` leaves that stage out, which reads the logs a second time.
    pub attribution: Option<AttributionParams>,
    /// What judges messages.
    pub embedder: &'a dyn Embedder,
}

/// Runs everything in the current worker pool. `each` gets every run's record in order, before it is let go.
///
/// # Errors
/// The first error of `each`; an input that can't be read for its hash.
pub fn analyse(
    request: &Request<'_>,
    progress: &dyn Progress,
    mut findings: Findings,
    mut each: impl FnMut(&RunRecord) -> Result<()> + Send,
) -> Result<Analysis> {
    let inventory = request.inventory;
    let mut worst = WorstRuns::default();
    let mut collector = SwarmCollector::new(&request.settings.group_by);
    let mut measured: BTreeSet<RunKey> = BTreeSet::new();
    let undefined = request.settings.undefined;
    measure_runs(
        &inventory.swarm,
        request.embedder,
        undefined,
        &Selection::all(),
        progress,
        &mut findings,
        |record| {
            each(&record)?;
            collector.add(&record);
            worst.add(&record);
            measured.insert(record.key);
            Ok(())
        },
    )?;
    let excluded: Vec<Excluded> = inventory
        .swarm
        .iter()
        .filter(|plan| !measured.contains(&plan.meta.key))
        .map(|plan| Excluded {
            key: plan.meta.key.clone(),
            reason: match (&plan.game, &plan.agent) {
                (None, None) => "it has no log files".to_owned(),
                _ => "its logs have no usable round".to_owned(),
            },
        })
        .collect();
    let runs = collector.len();
    let excluded_runs = excluded.len();
    let swarm =
        (!inventory.swarm.is_empty()).then(|| collector.finish(excluded, &request.settings, &mut findings));
    let trajectories = trajectories(request, &mut findings);
    let runs = runs + trajectories.as_ref().map_or(0, |all| all.runs.len());
    let drivers = match (&swarm, &request.attribution) {
        (Some(swarm), Some(params)) if runs > 0 => {
            Some(drivers(&inventory.swarm, worst, swarm, request.embedder, params, progress)?)
        }
        _ => None,
    };
    let communication = communication(request, progress, &mut findings)?;
    let runs = runs + inventory.masbench.len();
    let inputs = hash_inputs(&inventory.inputs)?;
    let findings = findings.into_sorted();
    Ok(Analysis {
        schema: SCHEMA.to_owned(),
        title: request.title.clone(),
        provenance: Provenance {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: request.command.clone(),
            inputs,
        },
        settings: request.settings.clone(),
        overview: overview(inventory, runs, excluded_runs, &findings),
        swarm,
        trajectories,
        drivers,
        communication,
        findings,
    })
}

/// Reads and measures the proposal-trajectory runs, where there are any.
fn trajectories(request: &Request<'_>, findings: &mut Findings) -> Option<Trajectories> {
    let plans = &request.inventory.proposals;
    if plans.is_empty() {
        return None;
    }
    let runs = trace_all(plans, findings);
    Some(trajectory::overview::analyse(&runs, &trajectory_settings(&request.settings), findings))
}

/// Reads and measures the MASBench runs, where there are any.
fn communication(
    request: &Request<'_>,
    progress: &dyn Progress,
    findings: &mut Findings,
) -> Result<Option<Communication>> {
    let plans = &request.inventory.masbench;
    if plans.is_empty() {
        return Ok(None);
    }
    let Settings { resamples, level, seed, undefined, .. } = request.settings;
    let settings = communication::Settings {
        resamples: u32::try_from(resamples).unwrap_or(u32::MAX),
        level,
        seed,
        undefined,
        ..communication::Settings::default()
    };
    communicate(plans, request.embedder, settings, progress, findings).map(Some)
}

/// The settings of the trajectory measures.
pub fn trajectory_settings(settings: &Settings) -> trajectory::overview::Settings {
    let Settings { resamples, level, seed, .. } = *settings;
    trajectory::overview::Settings {
        intervals: Intervals { resamples, level, seed },
        by: settings.group_by.clone(),
    }
}

fn overview(inventory: &Inventory, runs: usize, excluded: usize, findings: &[Finding]) -> Overview {
    let (logs, skipped): (Vec<_>, Vec<_>) = inventory.seen.iter().partition(|seen| seen.format.is_some());
    Overview {
        batches: inventory.batches().into_iter().map(str::to_owned).collect(),
        runs,
        excluded,
        files: inventory.seen.len(),
        skipped: skipped.len(),
        bytes: logs.iter().map(|seen| seen.bytes).sum(),
        findings: Severity::ALL
            .into_iter()
            .map(|severity| FindingCount {
                severity,
                count: findings.iter().filter(|f| f.severity == severity).count(),
            })
            .collect(),
    }
}

fn hash_inputs(paths: &[std::path::PathBuf]) -> Result<Vec<Input>> {
    let mut inputs = Vec::with_capacity(paths.len());
    ordered_map(
        paths,
        || vec![0u8; 1 << 18],
        |path, buffer| hash_file(path, buffer),
        |input| {
            inputs.push(input?);
            Ok(())
        },
    )?;
    inputs.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(inputs)
}

fn hash_file(path: &Path, buffer: &mut [u8]) -> Result<Input> {
    let failed = |source| Error::read(path, source);
    let mut file = std::fs::File::open(path).map_err(failed)?;
    let mut hasher = Sha256::new();
    let mut bytes = 0;
    loop {
        match file.read(buffer).map_err(failed)? {
            0 => break,
            n => {
                hasher.update(&buffer[..n]);
                bytes += n as u64;
            }
        }
    }
    Ok(Input { file: path.display().to_string(), bytes, sha256: hex(&hasher.finalize()) })
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        let _ = write!(out, "{byte:02x}"); // writing to a string can't fail
        out
    })
}
