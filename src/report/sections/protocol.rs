//! Protocol convergence and keywords: do messages become alike, and what are they about?

use std::collections::BTreeSet;

use crate::analysis::{Analysis, CorrelationRow, Drivers, Method, PROTOCOL, SwarmAnalysis, TARGET_SCORE};
use crate::features::feature;
use crate::figures::{Cell, Colouring, HeatMap, NothingToShow};
use crate::report::block::{Block, CellView, ColumnView, RowView};
use crate::report::{Content, Draft, FigureSpec, PLAIN, Section, TableSpec, format, unique_slugs};

pub(in crate::report) const SECTION: Section =
    Section { id: "protocol", title: "Protocol convergence and keywords", template: PLAIN, build };

/// Words of the heat map.
const WORDS: usize = 20;

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let (swarm, drivers) = (analysis.swarm.as_ref()?, analysis.drivers.as_ref()?);
    let slugs = unique_slugs(&swarm.tasks);
    let mut blocks = vec![by_task(swarm, draft), by_model(drivers, draft)];
    for task in &swarm.tasks {
        blocks.push(heat_map(drivers, task, &slugs[task], draft));
    }
    blocks.push(distinctive(drivers, draft));
    Some(Content {
        lead: sentences(swarm, drivers),
        blocks,
        how: vec![
            "Convergence is the mean over the last third minus the mean over the first third of the rounds that define the \
             measure: information homogeneity (mean pairwise cosine of message embeddings) and edit-distance consistency (mean of \
             1 − Levenshtein distance / length of the longer message). Their curves are under Dynamics. By task the runs of all \
             models are pooled (Table S.8), by model the runs of all tasks (Table S.9), with scores as logged."
                .into(),
            "Words are lower-cased; punctuation, numbers, single characters and English stop words are left out. Distinctive words \
             have the highest z-score of the log-odds ratio against all other groups with an informative Dirichlet prior (Monroe, \
             Colaresi and Quinn 2008), so that words that everybody uses do not fill the picture."
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
        row.target == TARGET_SCORE
            && row.method == Method::Pearson
            && PROTOCOL.contains(&row.feature.as_str())
    })
}

fn sentences(swarm: &SwarmAnalysis, drivers: &Drivers) -> Vec<String> {
    let mut out: Vec<String> = with_score(swarm)
        .filter(|row| row.p_holm.is_some_and(|p| p < 0.05))
        .filter_map(|row| {
            let way = if row.r? < 0.0 { "lower" } else { "higher" };
            Some(format!(
                "{}: a larger “{}” goes with {way} scores (r = {}, n = {}).",
                row.task,
                title(&row.feature).to_lowercase(),
                format::fixed(row.r?, 2),
                row.n
            ))
        })
        .collect();
    if out.is_empty() {
        out.push(
            "In no task does the convergence of messages go with the final score beyond chance after Holm's correction."
                .into(),
        );
    }
    if drivers.keywords.is_empty() {
        out.push("No messages are logged, so there are no keywords.".into());
    }
    out
}

fn heads(first: &str) -> Vec<ColumnView> {
    vec![
        ColumnView::text(first),
        ColumnView::text("Measure"),
        ColumnView::number("n", "runs"),
        ColumnView::number("r", ""),
        ColumnView::number("95 % interval", ""),
        ColumnView::number("p", ""),
    ]
}

fn by_task(swarm: &SwarmAnalysis, draft: &mut Draft) -> Block {
    let mut columns = heads("Task");
    columns.push(ColumnView::number("p, Holm", ""));
    let rows = with_score(swarm).map(|row| {
        super::correlation_cells(vec![CellView::text(&row.task), CellView::text(title(&row.feature))], row)
    });
    let spec = TableSpec {
        id: "protocol-by-task".into(),
        title: "Protocol convergence and the final score, by task".into(),
        how: "In the form of the paper's Table S.8.".into(),
        data: Some("data/correlations.csv"),
        task: None,
    };
    draft.table(spec, columns, rows.collect())
}

fn by_model(drivers: &Drivers, draft: &mut Draft) -> Block {
    let rows = drivers.protocol_by_model.iter().map(|row| {
        let why = row.reason.as_deref().unwrap_or("undefined");
        RowView {
            cells: vec![
                CellView::text(&row.model),
                CellView::text(title(&row.feature)),
                CellView::count(row.n),
                CellView::maybe(row.r, 2, why),
                CellView::interval(row.ci_low, row.ci_high, 2, why),
                CellView::p_value(row.p, why),
            ],
            model: Some(row.model.clone()),
            task: None,
        }
    });
    let spec = TableSpec {
        id: "protocol-by-model".into(),
        title: "Protocol convergence and the final score, by model".into(),
        how: "In the form of the paper's Table S.9: all tasks of a model together, scores as logged.".into(),
        data: Some("data/protocol_by_model.csv"),
        task: None,
    };
    draft.table(spec, heads("Model"), rows.collect())
}

fn heat_map(drivers: &Drivers, task: &str, slug: &str, draft: &mut Draft) -> Block {
    let groups: Vec<_> = drivers.keywords.iter().filter(|row| row.task == task).collect();
    let name = format!("Keywords in {task}");
    // The most distinctive words of each model in turn, until there are enough.
    let mut words: Vec<&str> = Vec::new();
    let mut seen = BTreeSet::new();
    for rank in 0..WORDS {
        for group in &groups {
            let ranked = if group.distinctive.is_empty() { &group.frequent } else { &group.distinctive };
            if let Some(word) = ranked.get(rank)
                && words.len() < WORDS
                && seen.insert(word.word.as_str())
            {
                words.push(&word.word);
            }
        }
    }
    let drawn = if words.is_empty() {
        Err(NothingToShow(format!("No messages are logged in {task}.")))
    } else {
        let cell = |word: &&str| {
            let of = |group: &&crate::keywords::KeywordRow| {
                let found = group.distinctive.iter().chain(&group.frequent).find(|k| k.word == **word);
                found.map_or_else(
                    || Cell { detail: "not among this model's top words".into(), ..Cell::default() },
                    |k| Cell {
                        value: Some(k.per_thousand),
                        detail: format!("{} times", k.count),
                        ..Cell::default()
                    },
                )
            };
            groups.iter().map(of).collect()
        };
        HeatMap {
            title: name.clone(),
            description: format!("How often each model uses the most distinctive words in {task}."),
            value: "per 1 000 words".into(),
            rows: words.iter().map(|&word| word.to_owned()).collect(),
            columns: groups.iter().map(|group| group.model.clone()).collect(),
            cells: words.iter().map(cell).collect(),
            colouring: Colouring::Sequential { low: Some(0.0), high: None },
            ..HeatMap::default()
        }
        .draw()
    };
    let spec = FigureSpec {
        id: format!("keywords-{slug}"),
        title: name,
        how: "Occurrences per 1 000 words; the most distinctive words of each model in turn. A dash: not among its top words."
            .into(),
        data: Some("data/keywords.csv"),
        task: Some(task.to_owned()),
    };
    draft.figure(spec, drawn)
}

fn distinctive(drivers: &Drivers, draft: &mut Draft) -> Block {
    let columns = vec![
        ColumnView::text("Task"),
        ColumnView::text("Model"),
        ColumnView::number("Words", ""),
        ColumnView::text("Most frequent"),
        ColumnView::text("Most distinctive"),
    ];
    let rows = drivers.keywords.iter().map(|row| {
        let frequent: Vec<String> =
            row.frequent.iter().map(|k| format!("{} ({})", k.word, k.count)).collect();
        let distinctive = row
            .distinctive
            .iter()
            .filter_map(|k| Some(format!("{} (z = {})", k.word, format::fixed(k.distinctiveness?, 1))));
        RowView {
            cells: vec![
                CellView::text(&row.task),
                CellView::text(&row.model),
                CellView::count(row.words as usize),
                CellView::text(format::list(&frequent, 8)),
                CellView::text(format::list(&distinctive.collect::<Vec<_>>(), 8)),
            ],
            model: Some(row.model.clone()),
            task: Some(row.task.clone()),
        }
    });
    let spec = TableSpec {
        id: "keywords".into(),
        title: "Keywords by task and model".into(),
        how: "Counts of the most frequent words, and z-scores of the most distinctive ones.".into(),
        data: Some("data/keywords.csv"),
        task: None,
    };
    draft.table(spec, columns, rows.collect())
}
