//! Prints the table of `docs/policies.md`: each policy's mean score ± SD over 20 seeds per task, in the released setting
//! (10×10 cells, 10 agents, 100 rounds, a view of 5×5 cells).
//!
//! `cargo run --release --example policy_table [SEEDS] [NAME PART]`

use std::io::{self, Write};

use rayon::prelude::*;
use swarm_analyze::Result;
use swarm_analyze::simulate::swarmbench::episode::{Unrecorded, play};
use swarm_analyze::simulate::swarmbench::{POLICIES, Rules, Task};

/// Mean and sample standard deviation.
fn mean_sd(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let square = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    (mean, (square / (n - 1.0)).sqrt())
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let seeds: i64 = arguments.next().and_then(|n| n.parse().ok()).filter(|n| *n > 1).unwrap_or(20);
    let part = arguments.next().unwrap_or_default();
    let mut out = io::stdout().lock();
    let failed = |source| swarm_analyze::Error::write("standard output", source);
    for task in Task::ALL {
        writeln!(out, "### {}\n\n| policy | score, mean ± SD |\n|---|---:|", task.name()).map_err(failed)?;
        for row in POLICIES.iter().filter(|row| row.plays(task) && row.name.contains(&part)) {
            let scores: Result<Vec<f64>> = (0..seeds)
                .into_par_iter()
                .map(|seed| {
                    let rules = Rules::released(task, seed);
                    let outcome = play(&rules, &mut *row.new_team(&rules), &mut Unrecorded)?;
                    Ok(outcome.score.value())
                })
                .collect();
            let (mean, sd) = mean_sd(&scores?);
            writeln!(out, "| `{}` | {mean:.2} ± {sd:.2} |", row.name).map_err(failed)?;
        }
        writeln!(out).map_err(failed)?;
    }
    Ok(())
}
