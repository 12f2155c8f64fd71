//! Settings, methods, glossary, inputs, and how to cite.

use serde_json::json;

use crate::analysis::Analysis;
use crate::features::{FEATURES, RunMean};
use crate::report::block::{Block, CellView, ColumnView, RowView};
use crate::report::{Content, Draft, Section, TableSpec, format};

pub(in crate::report) const SECTION: Section = Section {
    id: "methods",
    title: "Methods, settings and provenance",
    template: include_str!("../../../templates/sections/methods.html"),
    build,
};

#[expect(clippy::unnecessary_wraps, reason = "the signature of every section")]
fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let settings = &analysis.settings;
    let rows = [
        ("Version", analysis.provenance.version.clone()),
        ("Seed", settings.seed.to_string()),
        ("Bootstrap resamples", settings.resamples.to_string()),
        ("Confidence level", format!("{:.0} %", settings.level * 100.0)),
        ("Undefined rounds in run means", undefined(analysis)),
        ("Groups", groups(analysis)),
        ("Embedder of messages", settings.embedder.clone()),
        ("Inputs", inputs(analysis)),
    ];
    let settings_rows: Vec<_> =
        rows.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
    let methods = [
        "Rounds are the entries of the game log; actions and messages of a round come from the agent log, positions and scores from \
         the game log. A run's value of a measure is its mean over rounds, by the rule in the glossary. Every measure is computed in \
         one walk over the rounds.",
        "Undefined is never 0: it is null in files and a dash here, with the reason. Runs, rounds and values that are left out are \
         counted where they are left out.",
        "Every random draw comes from the seed and the identity of what is drawn for, so the report does not depend on the number of \
         worker threads, and equal inputs give equal bytes.",
    ];
    let blocks = vec![glossary(draft), input_table(analysis, draft)];
    let cite = format!(
        "swarm-analyze {} (2026), offline analysis of LLM multi-agent runs. Cite the benchmark whose logs were analysed as well; the \
         measures' sources stand in the glossary.",
        analysis.provenance.version
    );
    Some(Content {
        lead: vec!["All that is needed to make this report again.".into()],
        blocks,
        extra: json!({
            "settings": settings_rows,
            "command": analysis.provenance.command,
            "methods": methods,
            "cite": cite,
        }),
        ..Content::default()
    })
}

fn undefined(analysis: &Analysis) -> String {
    match analysis.settings.undefined {
        crate::features::Undefined::Zero => "count as 0, as in the papers (--undefined zero)".into(),
        crate::features::Undefined::Skip => "are left out (--undefined skip)".into(),
    }
}

fn groups(analysis: &Analysis) -> String {
    if analysis.settings.group_by.is_empty() {
        return "by model".into();
    }
    format!("by model and {}", format::list(&analysis.settings.group_by, 20))
}

fn inputs(analysis: &Analysis) -> String {
    let overview = &analysis.overview;
    format!(
        "{} seen, {} of logs; {} not recognised as logs",
        format::counted(overview.files, "file", "files"),
        format::bytes(overview.bytes),
        format::counted(overview.skipped, "file", "files")
    )
}

fn glossary(draft: &mut Draft) -> Block {
    let columns =
        ["Measure", "Column", "Unit", "Range", "Definition", "Undefined when", "Run value", "Source"];
    let rows = FEATURES
        .iter()
        .map(|feature| RowView {
            cells: [
                feature.title,
                feature.id,
                feature.unit,
                feature.range,
                feature.formula,
                feature.undefined,
                if !feature.per_round() {
                    "of the whole run"
                } else if feature.run_mean == RunMean::Logged {
                    "mean over logged rounds"
                } else {
                    "mean over rounds that define it"
                },
                feature.source,
            ]
            .into_iter()
            .map(CellView::text)
            .collect(),
            ..RowView::default()
        })
        .collect();
    let spec = TableSpec {
        id: "glossary".into(),
        title: "Glossary of measures".into(),
        how: "Columns of data/rounds.csv and data/runs.csv.".into(),
        ..TableSpec::default()
    };
    draft.table(spec, columns.map(ColumnView::text).to_vec(), rows)
}

fn input_table(analysis: &Analysis, draft: &mut Draft) -> Block {
    let columns = vec![ColumnView::text("File"), ColumnView::number("Size", ""), ColumnView::text("SHA-256")];
    let rows = analysis
        .provenance
        .inputs
        .iter()
        .map(|input| RowView {
            cells: vec![
                CellView::text(&input.file),
                CellView {
                    sort: Some(input.bytes.to_string()),
                    ..CellView::text(format::bytes(input.bytes))
                },
                CellView::text(&input.sha256),
            ],
            ..RowView::default()
        })
        .collect();
    let spec = TableSpec {
        id: "inputs".into(),
        title: "Inputs".into(),
        how: "Files as they lie on the disk, with the hash by which a co-author can check theirs.".into(),
        ..TableSpec::default()
    };
    draft.table(spec, columns, rows)
}
