//! Failed episodes by kind, a few with their transcripts.

use super::{communication, label, runs, tasks};
use crate::analysis::Analysis;
use crate::communication::{Communication, Failure, FailureKind, FailureRow, RunIdentity};
use crate::report::block::{Block, CellView, ColumnView, RowView};
use crate::report::{Content, Draft, PLAIN, Section, TableSpec, format, unique_slugs};

pub(in crate::report) const SECTION: Section =
    Section { id: "communication-failures", title: "Failed episodes", template: PLAIN, build };

/// Transcripts shown per task and kind; the rest is in analysis.json.
const MOST_PER_KIND: usize = 2;

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let all = communication(analysis)?;
    if all.failures.is_empty() {
        let lead = "No episode failed: every score with an answer is full.".to_owned();
        return Some(Content { lead: vec![lead], ..Content::default() });
    }
    let tasks = tasks(all);
    let slugs = unique_slugs(&tasks);
    let mut blocks = Vec::new();
    for task in &tasks {
        let runs = runs(all, task);
        blocks.push(counts(all, task, &slugs[task], &runs, draft));
        for kind in FailureKind::ALL {
            let examples = runs.iter().flat_map(|run| {
                let rows = all.failures.iter().filter(move |row| is_of(row, run) && row.kind == kind);
                rows.flat_map(move |row| row.examples.iter().map(move |failure| (*run, failure)))
            });
            for (number, (run, failure)) in examples.take(MOST_PER_KIND).enumerate() {
                let id = format!("failure-{}-{}-{}", slugs[task], kind.label().replace(' ', "-"), number + 1);
                blocks.push(transcript(run, failure, id, &runs, draft));
            }
        }
    }
    let failed: u64 = all.failures.iter().map(|row| row.episodes).sum();
    let of = all.episodes.len();
    Some(Content {
        lead: vec![format!(
            "{} of {} failed in the sense of the table; a few of each kind are shown as they were spoken.",
            format::counted(failed as usize, "episode", "episodes"),
            format::counted(of, "episode", "episodes"),
        )],
        blocks,
        how: vec![
            "Reasoning: no answer; an answer that shares no word with the right one (wrong) or some (incomplete). Scheduling: no window; a window outside the day; \
             a window in which someone is busy, and who. Game: the 30 % of a run's episodes with the lowest scores below 100, told apart by whether the team \
             saw fewer cells than the run's median. Transcripts hold the first 40 messages, each cut after 300 characters."
                .into(),
        ],
        ..Content::default()
    })
}

fn is_of(row: &FailureRow, run: &RunIdentity) -> bool {
    row.batch == run.batch && row.run_id == run.run_id
}

fn counts(all: &Communication, task: &str, slug: &str, runs: &[&RunIdentity], draft: &mut Draft) -> Block {
    let kinds: Vec<FailureKind> = FailureKind::ALL
        .into_iter()
        .filter(|&kind| {
            all.failures.iter().any(|row| row.kind == kind && runs.iter().any(|run| is_of(row, run)))
        })
        .collect();
    let mut columns = vec![ColumnView::text("Run"), ColumnView::number("Episodes", "")];
    columns.extend(kinds.iter().map(|kind| ColumnView::number(kind.label(), "episodes")));
    let rows = runs
        .iter()
        .map(|run| {
            let of_run = || all.failures.iter().filter(|row| is_of(row, run));
            let episodes =
                all.episodes.iter().filter(|row| row.batch == run.batch && row.run_id == run.run_id);
            let mut cells = vec![CellView::text(label(run, runs)), CellView::count(episodes.count())];
            cells.extend(kinds.iter().map(|&kind| {
                let row = of_run().find(|row| row.kind == kind);
                CellView::count(row.map_or(0, |row| row.episodes as usize))
            }));
            RowView { cells, model: Some(run.model.clone()), task: Some(task.to_owned()) }
        })
        .collect();
    let spec = TableSpec {
        id: format!("failures-{slug}"),
        title: format!("Failed episodes in {task}, by kind"),
        how: String::new(),
        data: None,
        task: Some(task.to_owned()),
    };
    draft.table(spec, columns, rows)
}

fn transcript(
    run: &RunIdentity,
    failure: &Failure,
    id: String,
    runs: &[&RunIdentity],
    draft: &mut Draft,
) -> Block {
    let columns = vec![
        ColumnView::number("Round", ""),
        ColumnView::text("From"),
        ColumnView::text("To"),
        ColumnView::text("Message"),
    ];
    let rows = failure
        .transcript
        .iter()
        .map(|line| RowView {
            cells: vec![
                CellView::count(line.round as usize),
                CellView::text(&line.from),
                CellView::text(line.to.join(", ")),
                CellView::text(&line.text),
            ],
            model: Some(run.model.clone()),
            task: Some(run.task.clone()),
        })
        .collect();
    let omitted = match failure.omitted {
        0 => String::new(),
        n => format!(" {} not shown.", format::counted(n as usize, "later message is", "later messages are")),
    };
    let silent = if failure.transcript.is_empty() { " No message was sent." } else { "" };
    let spec = TableSpec {
        id,
        title: format!(
            "{} in {} ({}, repeat {})",
            failure.kind.label(),
            failure.instance_id,
            label(run, runs),
            failure.repeat
        ),
        how: format!("{}.{omitted}{silent}", failure.detail),
        data: None,
        task: Some(run.task.clone()),
    };
    draft.table(spec, columns, rows)
}
