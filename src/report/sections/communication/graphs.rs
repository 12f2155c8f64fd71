//! Who contributes and who talks to whom: entropy distributions and message graphs.

use super::{communication, key, label, row, runs, tasks};
use crate::analysis::Analysis;
use crate::communication::{Communication, METRICS, Part, RunIdentity};
use crate::figures::{Axis, BoxRow, BoxStrip, Edge, FiveNumbers, Graph, Node};
use crate::report::block::{Block, CellView, ColumnView, RowView};
use crate::report::{Content, Draft, FigureSpec, PLAIN, Section, TableSpec, format, unique_slugs};

pub(in crate::report) const SECTION: Section =
    Section { id: "message-graphs", title: "Who contributes, who talks to whom", template: PLAIN, build };

/// Metrics of the message graph that the table shows.
const SHOWN: [&str; 8] = [
    "normalized_entropy",
    "messages",
    "mean_degree",
    "max_out_degree",
    "max_in_degree",
    "reciprocity",
    "components",
    "silent_share",
];

/// Message graphs drawn per task; the rest is in the data.
const MOST_GRAPHS: usize = 12;

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let all = communication(analysis)?;
    let tasks = tasks(all);
    let slugs = unique_slugs(&tasks);
    let mut blocks = Vec::new();
    for task in &tasks {
        let runs = runs(all, task);
        blocks.push(entropies(all, task, &slugs[task], &runs, draft));
        blocks.push(table(all, task, &slugs[task], &runs, draft));
        for (number, run) in runs.iter().take(MOST_GRAPHS).enumerate() {
            blocks.extend(graph(all, &format!("{}-{}", slugs[task], number + 1), run, &runs, draft));
        }
        if runs.len() > MOST_GRAPHS {
            let left = format::counted(runs.len() - MOST_GRAPHS, "more graph is", "more graphs are");
            let text = format!("{left} in data/communication_arcs.csv.");
            blocks.push(Block::Paragraph { text, task: Some(task.clone()) });
        }
    }
    let silent = all
        .rows
        .iter()
        .filter(|row| row.split == Part::Overall && row.values.get("messages") == Some(0.0))
        .count();
    let mut lead = vec!["How evenly the agents contribute (1: all send equally many messages, 0: one sends all), and between whom messages go.".to_owned()];
    if silent > 0 {
        lead.push(format!("{} no message at all.", format::counted(silent, "run has", "runs have")));
    }
    let how = METRICS
        .iter()
        .filter(|metric| SHOWN.contains(&metric.id))
        .map(|metric| {
            format!("{}: {}; range {}. {}.", metric.title, metric.formula, metric.range, metric.source)
        })
        .collect();
    Some(Content { lead, blocks, how, ..Content::default() })
}

fn entropies(all: &Communication, task: &str, slug: &str, runs: &[&RunIdentity], draft: &mut Draft) -> Block {
    let rows = runs
        .iter()
        .filter_map(|run| {
            let found =
                all.entropies.iter().find(|row| row.run_id == run.run_id && row.batch == run.batch)?;
            let summary = found.summary.value().map(|s| FiveNumbers {
                low: s.min,
                lower: s.q1,
                median: s.median,
                upper: s.q3,
                high: s.max,
            });
            Some(BoxRow {
                key: key(run, runs),
                summary,
                points: found.values.clone(),
                note: format!("n = {}", found.values.len()),
            })
        })
        .collect();
    let title = format!("Contribution entropy in {task}");
    let drawn = BoxStrip {
        title: title.clone(),
        description: format!("Contribution entropy of the episodes of each run in {task}."),
        value: Axis::new("Contribution entropy"),
        rows,
        ..BoxStrip::default()
    }
    .draw();
    let spec = FigureSpec {
        id: format!("entropy-{slug}"),
        title,
        how: "One point an episode; box from quartile to quartile, whiskers to the ends.".into(),
        data: Some("data/communication_episodes.csv"),
        task: Some(task.to_owned()),
    };
    draft.figure(spec, drawn)
}

fn table(all: &Communication, task: &str, slug: &str, runs: &[&RunIdentity], draft: &mut Draft) -> Block {
    let metrics = || METRICS.iter().filter(|metric| SHOWN.contains(&metric.id));
    let mut columns = vec![ColumnView::text("Run")];
    columns.extend(
        metrics().map(|metric| ColumnView::number(metric.title, metric.unit).explained(metric.formula)),
    );
    let rows = runs
        .iter()
        .filter_map(|run| {
            let row = row(all, run, Part::Overall)?;
            let mut cells = vec![CellView::text(label(run, runs))];
            cells.extend(metrics().map(|metric| CellView::maybe(row.values.get(metric.id), 2, "no message")));
            Some(RowView { cells, model: Some(run.model.clone()), task: Some(task.to_owned()) })
        })
        .collect();
    let spec = TableSpec {
        id: format!("message-graph-{slug}"),
        title: format!("Message graphs in {task}"),
        how: "Means over instances of the measures of each episode's graph.".into(),
        data: Some("data/communication.csv"),
        task: Some(task.to_owned()),
    };
    draft.table(spec, columns, rows)
}

fn graph(
    all: &Communication,
    slug: &str,
    run: &RunIdentity,
    runs: &[&RunIdentity],
    draft: &mut Draft,
) -> Option<Block> {
    let of_run = |batch: &str, run_id: &str| batch == run.batch && run_id == run.run_id;
    let agents: Vec<_> = all.agents.iter().filter(|row| of_run(&row.batch, &row.run_id)).collect();
    let place = |name: &str| agents.iter().position(|row| row.agent == name);
    let edges: Vec<Edge> = all
        .arcs
        .iter()
        .filter(|arc| of_run(&arc.batch, &arc.run_id))
        .filter_map(|arc| {
            Some(Edge { from: place(&arc.from)?, to: place(&arc.to)?, weight: arc.messages as f64 })
        })
        .collect();
    if edges.is_empty() {
        return None;
    }
    let nodes = agents
        .iter()
        .map(|row| Node {
            label: row.agent.clone(),
            colour: 0,
            detail: format!(
                "{}: {} sent and {} received per episode",
                row.agent,
                format::number(row.sent),
                format::number(row.received)
            ),
        })
        .collect();
    let name = label(run, runs);
    let title = format!("Messages in {}, {name}", run.task);
    let drawn = Graph {
        title: title.clone(),
        description: format!("Messages between agents over all episodes of {name} in {}.", run.task),
        nodes,
        edges,
        weight: "messages".into(),
        ..Graph::default()
    }
    .draw();
    let spec = FigureSpec {
        id: format!("arcs-{slug}"),
        title,
        how: "An arrow's width is the number of messages over all episodes.".into(),
        data: Some("data/communication_arcs.csv"),
        task: Some(run.task.clone()),
    };
    Some(draft.figure(spec, drawn))
}
