//! Which model met which task under which seed.

use std::collections::BTreeSet;

use crate::analysis::Analysis;
use crate::figures;
use crate::report::{Content, Draft, FigureSpec, PLAIN, Section, format};

pub(in crate::report) const SECTION: Section =
    Section { id: "coverage", title: "Coverage", template: PLAIN, build };

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let swarm = analysis.swarm.as_ref()?;
    let seeds: BTreeSet<Option<i64>> = swarm.coverage.iter().map(|cell| cell.seed).collect();
    let seeds: Vec<Option<i64>> = seeds.into_iter().collect();
    let place = |names: &[String], name: &str| names.iter().position(|n| n == name);
    let cells: Vec<figures::CoverageCell> = swarm
        .coverage
        .iter()
        .filter_map(|cell| {
            Some(figures::CoverageCell {
                model: place(&swarm.models, &cell.model)?,
                task: place(&swarm.tasks, &cell.task)?,
                seed: seeds.iter().position(|seed| *seed == cell.seed)?,
                runs: cell.runs,
            })
        })
        .collect();
    let all = swarm.models.len() * swarm.tasks.len() * seeds.len();
    let holes = all - cells.len();
    let combinations = format::counted(all, "combination", "combinations");
    let lead = if holes == 0 {
        format!("All {combinations} of model, task and seed have at least one run.")
    } else {
        format!("{} of {combinations} of model, task and seed have no run.", format::fixed(holes as f64, 0))
    };
    let title = "Runs by model, task and seed".to_owned();
    let drawn = figures::Coverage {
        title: title.clone(),
        description: "One cell for each model, task and seed; a cell without a run is marked.".into(),
        models: swarm.models.iter().map(|model| draft.key(model)).collect(),
        tasks: swarm.tasks.clone(),
        seeds: seeds
            .iter()
            .map(|seed| seed.map_or_else(|| format::UNDEFINED.to_owned(), |s| s.to_string()))
            .collect(),
        cells,
        ..figures::Coverage::default()
    }
    .draw();
    let spec = FigureSpec {
        id: "coverage-matrix".into(),
        title,
        how: "Each cell is a seed; holes are marked. Groups with fewer runs have wider intervals below."
            .into(),
        data: Some("data/runs.csv"),
        task: None,
    };
    Some(Content { lead: vec![lead], blocks: vec![draft.figure(spec, drawn)], ..Content::default() })
}
