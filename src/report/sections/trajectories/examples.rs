//! Examples of answers below the best proposal, with the proposals themselves.

use super::{pictures, trajectories};
use crate::analysis::Analysis;
use crate::report::block::{Block, CellView, ColumnView, RowView};
use crate::report::{Content, Draft, FigureSpec, PLAIN, Section, TableSpec, format, slug};
use crate::trajectory::overview::ExampleRow;

pub(in crate::report) const SECTION: Section =
    Section { id: "trajectory-examples", title: "Lost proposals", template: PLAIN, build };

/// Characters of a content that a cell shows; the rest is in the tooltip and in analysis.json.
const SHOWN: usize = 120;

/// Tasks of which a method's examples of one kind are shown; the rest is in analysis.json.
const TASKS: usize = 3;

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let all = trajectories(analysis)?;
    if all.examples.is_empty() {
        let lead = "No answer scored below the best initial or final proposal of its unit.".to_owned();
        return Some(Content { lead: vec![lead], ..Content::default() });
    }
    let shown = choose(&all.examples);
    let left = all.examples.len() - shown.len();
    let mut blocks = Vec::new();
    for (number, example) in shown.into_iter().enumerate() {
        blocks.push(Block::Heading { text: heading(example), task: Some(example.task.clone()) });
        let id = format!("example-{}-{}", number + 1, slug(&example.unit_id));
        if let Some(drawn) = pictures::draw(example) {
            let spec = FigureSpec {
                id: format!("{id}-picture"),
                title: format!("Proposals of {} in {}", example.unit_id, example.key.run_id),
                how: pictures::HOW.into(),
                data: None,
                task: Some(example.task.clone()),
            };
            blocks.push(draft.figure(spec, drawn));
        }
        blocks.push(table(example, id, draft));
    }
    Some(Content {
        lead: vec![format!(
            "The largest losses of each method in up to three tasks, against the best initial proposal (Regress) and against the best final one \
             (aggregation loss).{}",
            if left > 0 {
                format!(" {} in analysis.json.", format::counted(left, "more lies", "more lie"))
            } else {
                String::new()
            }
        )],
        blocks,
        how: vec![
            "Of equal losses the first logged one is shown. Instances above 64 kB are not kept.".into(),
        ],
        ..Content::default()
    })
}

/// The largest loss of each method, task and kind, of [`TASKS`] tasks: those that can be drawn, then those with the largest losses.
fn choose(examples: &[ExampleRow]) -> Vec<&ExampleRow> {
    let same = |a: &ExampleRow, b: &ExampleRow| a.method == b.method && a.aggregation == b.aggregation;
    // Examples lie in the order of their losses within task, method and kind.
    let mut first: Vec<&ExampleRow> = Vec::new();
    for example in examples {
        if !first.iter().any(|other| other.task == example.task && same(other, example)) {
            first.push(example);
        }
    }
    let rank = |example: &ExampleRow| {
        let before = |other: &&&ExampleRow| {
            let (drawn, theirs) = (pictures::can_draw(example), pictures::can_draw(other));
            let larger =
                other.lost > example.lost || (other.lost >= example.lost && other.task < example.task);
            same(other, example)
                && other.task != example.task
                && (theirs && !drawn || theirs == drawn && larger)
        };
        first.iter().filter(before).count()
    };
    first.iter().copied().filter(|example| rank(example) < TASKS).collect()
}

fn heading(example: &ExampleRow) -> String {
    let kind = if example.aggregation { "Aggregation loss" } else { "Regress" };
    format!(
        "{}, {}: {kind} of {} points in {}",
        example.task,
        example.method,
        format::fixed(example.lost, 1),
        example.unit_id
    )
}

fn content(value: &serde_json::Value) -> CellView {
    let text = value.to_string();
    if text.chars().count() <= SHOWN {
        return CellView::text(text);
    }
    let short: String = text.chars().take(SHOWN).chain(std::iter::once('…')).collect();
    CellView::text(short).explained(text.chars().take(2000).collect::<String>())
}

fn table(example: &ExampleRow, id: String, draft: &mut Draft) -> Block {
    let columns = vec![
        ColumnView::text("Who"),
        ColumnView::text("Initial proposal"),
        ColumnView::number("Score", "points"),
        ColumnView::text("Final proposal"),
        ColumnView::number("Score", "points"),
    ];
    let why = "no score";
    let mut rows: Vec<RowView> = example
        .proposers
        .iter()
        .map(|proposer| RowView {
            cells: vec![
                CellView::text(&proposer.agent),
                content(&proposer.initial),
                CellView::maybe(proposer.initial_score, 1, why),
                content(&proposer.last),
                CellView::maybe(proposer.last_score, 1, why),
            ],
            task: Some(example.task.clone()),
            ..RowView::default()
        })
        .collect();
    rows.push(RowView {
        cells: vec![
            CellView::text("Answer").strong(true),
            CellView::undefined("the answer has no initial form"),
            CellView::undefined("the answer has no initial form"),
            content(&example.answer),
            CellView::fixed(example.answer_score, 1),
        ],
        task: Some(example.task.clone()),
        ..RowView::default()
    });
    let spec = TableSpec {
        id,
        title: format!("Unit {} of run {}", example.unit_id, example.key.run_id),
        how: "Contents as logged, shortened in the table; the whole is in analysis.json.".into(),
        data: None,
        task: Some(example.task.clone()),
    };
    draft.table(spec, columns, rows)
}
