//! Failure modes: the worst runs, and the moments that show them.

use crate::analysis::{Analysis, CorrelationRow, Drivers, Method, Moment, SwarmAnalysis, TARGET_SCORE};
use crate::features::{MODES, feature};
use crate::figures::{GridAgent, GridMark, GridPanel, GridPicture, NothingToShow};
use crate::report::block::{Block, CellView, ColumnView, RowView};
use crate::report::{Content, Draft, FigureSpec, PLAIN, Section, TableSpec, format, unique_slugs};

pub(in crate::report) const SECTION: Section =
    Section { id: "failure-modes", title: "Failure modes", template: PLAIN, build };

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let (swarm, drivers) = (analysis.swarm.as_ref()?, analysis.drivers.as_ref()?);
    let slugs = unique_slugs(&swarm.tasks);
    let mut blocks = vec![correlations(swarm, draft), memory(swarm, draft)];
    for task in &swarm.tasks {
        let of_task: Vec<&Moment> = drivers.moments.iter().filter(|m| m.task == *task).collect();
        if !of_task.is_empty() {
            blocks.push(Block::Heading { text: task.clone(), task: Some(task.clone()) });
            blocks.push(pictures(task, &slugs[task], &of_task, draft));
        }
    }
    blocks.push(worst(drivers, draft));
    Some(Content {
        lead: sentences(swarm),
        blocks,
        how: vec![
            "The measures are those that the SwarmBench paper names in app. L.5, with formulas of this project: movement bias is \
             the mean Gini coefficient of the agents' action counts, information silos the connected components of who sees whom, \
             traffic jams the separation force of Reynolds' boids, forgetting the share of moves back to a cell left 2 to 5 \
             rounds before. Agents outside the grid take no part; a run's value is the mean over the rounds that define it."
                .into(),
            "For each failure mode and task the three runs with the largest values are named; the picture shows the worst one in \
             the round where the measure is largest. Correlations are Pearson's r over the runs of a task, as in Table S.7."
                .into(),
        ],
        ..Content::default()
    })
}

fn title(id: &str) -> &str {
    feature(id).map_or(id, |f| f.title)
}

fn with_score(swarm: &SwarmAnalysis) -> impl Iterator<Item = &CorrelationRow> {
    swarm.correlations.iter().filter(|row| {
        row.target == TARGET_SCORE && row.method == Method::Pearson && MODES.contains(&row.feature.as_str())
    })
}

fn sentences(swarm: &SwarmAnalysis) -> Vec<String> {
    let defined = with_score(swarm).filter(|row| row.r.is_some()).count();
    let clear: Vec<&CorrelationRow> =
        with_score(swarm).filter(|row| row.p_holm.is_some_and(|p| p < 0.05)).collect();
    if clear.is_empty() {
        let pairs = format::counted(defined, "pair", "pairs");
        return vec![format!(
            "Of {pairs} of failure mode and task, none goes with the final score beyond chance after Holm's correction."
        )];
    }
    clear
        .into_iter()
        .filter_map(|row| {
            let way = if row.r? < 0.0 { "lower" } else { "higher" };
            Some(format!(
                "{}: more “{}” goes with {way} scores (r = {}, after Holm {}, n = {}).",
                row.task,
                title(&row.feature),
                format::fixed(row.r?, 2),
                format::p_phrase(row.p_holm?),
                row.n
            ))
        })
        .collect()
}

fn correlations(swarm: &SwarmAnalysis, draft: &mut Draft) -> Block {
    let columns = vec![
        ColumnView::text("Task"),
        ColumnView::text("Failure mode"),
        ColumnView::number("n", "runs"),
        ColumnView::number("r", ""),
        ColumnView::number("95 % interval", ""),
        ColumnView::number("p", ""),
        ColumnView::number("p, Holm", ""),
    ];
    let rows = with_score(swarm).map(|row| {
        super::correlation_cells(vec![CellView::text(&row.task), CellView::text(title(&row.feature))], row)
    });
    let spec = TableSpec {
        id: "failure-correlations".into(),
        title: "Failure modes and the final score".into(),
        how: "In the form of the paper's Table S.7; stars follow the raw p.".into(),
        data: Some("data/correlations.csv"),
        task: None,
    };
    draft.table(spec, columns, rows.collect())
}

/// The score over the memory setting as a table, or a sentence that says why there is none.
fn memory(swarm: &SwarmAnalysis, draft: &mut Draft) -> Block {
    if swarm.memory.iter().all(|row| row.slope.is_none()) {
        let mut reasons: Vec<&str> = swarm.memory.iter().filter_map(|row| row.reason.as_deref()).collect();
        reasons.sort_unstable();
        reasons.dedup();
        let text = format!("The final score over the memory setting has no slope: {}.", reasons.join("; "));
        return Block::Paragraph { text, task: None };
    }
    let columns = vec![
        ColumnView::text("Task"),
        ColumnView::text("Model"),
        ColumnView::number("n", "runs"),
        ColumnView::text("Settings"),
        ColumnView::number("Slope", "points per round"),
        ColumnView::number("95 % interval", ""),
        ColumnView::number("p", ""),
    ];
    let rows = swarm.memory.iter().map(|row| {
        let why = row.reason.as_deref().unwrap_or("undefined");
        let settings: Vec<String> = row.settings.iter().map(|&setting| format::number(setting)).collect();
        RowView {
            cells: vec![
                CellView::text(&row.task),
                CellView::text(row.group.as_deref().unwrap_or("all")),
                CellView::count(row.n),
                CellView::text(format::list(&settings, 6)),
                CellView::maybe(row.slope, 3, why),
                CellView::interval(row.ci_low, row.ci_high, 3, why),
                CellView::p_value(row.p, why),
            ],
            model: row.group.clone(),
            task: Some(row.task.clone()),
        }
    });
    let spec = TableSpec {
        id: "failure-memory".into(),
        title: "The final score over the memory setting".into(),
        how: "Least-squares slope over the number of rounds that agents remember, where a batch varies it."
            .into(),
        data: Some("data/memory.csv"),
        task: None,
    };
    draft.table(spec, columns, rows.collect())
}

fn pictures(task: &str, slug: &str, moments: &[&Moment], draft: &mut Draft) -> Block {
    let shown: Vec<&&Moment> = moments.iter().filter(|m| m.rank == 1 && !m.grid.is_empty()).collect();
    let panel = |moment: &&&Moment| GridPanel {
        title: format!(
            "{}: {}",
            title(&moment.mode),
            moment.round.map_or_else(|| "run".to_owned(), |round| format!("round {round}"))
        ),
        rows: moment.grid.clone(),
        agents: (moment.agents.iter())
            .map(|agent| GridAgent {
                x: agent.x,
                y: agent.y,
                label: agent.agent.trim_start_matches("Agent_").to_owned(),
                active: agent.concerned,
                arrow: None,
            })
            .collect(),
        marks: (moment.agents.iter().filter(|agent| agent.concerned))
            .map(|agent| GridMark { x: agent.x, y: agent.y, label: agent.agent.clone() })
            .collect(),
    };
    let name = format!("The worst moments in {task}");
    let drawn = if shown.is_empty() {
        Err(NothingToShow("The logs of the worst runs have no grid to show.".into()))
    } else {
        GridPicture {
            title: name.clone(),
            description: format!(
                "For each failure mode the grid of the worst run in {task}, agents concerned marked."
            ),
            panels: shown.iter().map(panel).collect(),
            ..GridPicture::default()
        }
        .draw()
    };
    let spec = FigureSpec {
        id: format!("failure-moments-{slug}"),
        title: name,
        how: "Each grid is the worst run of a failure mode; filled and marked agents are the ones concerned."
            .into(),
        data: Some("data/moments.csv"),
        task: Some(task.to_owned()),
    };
    draft.figure(spec, drawn)
}

fn worst(drivers: &Drivers, draft: &mut Draft) -> Block {
    let columns = vec![
        ColumnView::text("Task"),
        ColumnView::text("Failure mode"),
        ColumnView::number("Rank", ""),
        ColumnView::text("Run"),
        ColumnView::text("Model"),
        ColumnView::number("Value", ""),
        ColumnView::number("Final score", "points"),
        ColumnView::number("Round", ""),
        ColumnView::text("Who"),
        ColumnView::text("What"),
    ];
    let rows = drivers.moments.iter().map(|moment| {
        let who: Vec<String> = moment
            .agents
            .iter()
            .filter(|a| a.concerned)
            .map(|a| format!("{} at ({}, {})", a.agent, a.x, a.y))
            .collect();
        RowView {
            cells: vec![
                CellView::text(&moment.task),
                CellView::text(title(&moment.mode)),
                CellView::count(moment.rank),
                CellView::text(format!("{} / {}", moment.key.batch, moment.key.run_id)),
                CellView::text(&moment.model),
                CellView::fixed(moment.value, 3),
                CellView::maybe(moment.final_score, 2, "no final score is logged"),
                match moment.round {
                    Some(round) => CellView::count(round as usize),
                    None => CellView::undefined("a measure of the whole run"),
                },
                CellView::text(format::list(&who, 4)),
                CellView::text(&moment.what),
            ],
            model: Some(moment.model.clone()),
            task: Some(moment.task.clone()),
        }
    });
    let spec = TableSpec {
        id: "failure-worst".into(),
        title: "The worst runs of each failure mode".into(),
        how: "The three largest values of each failure mode and task, with the round that shows them.".into(),
        data: Some("data/moments.csv"),
        task: None,
    };
    draft.table(spec, columns, rows.collect())
}
