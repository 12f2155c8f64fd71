//! What each mechanism and framework changes.

use super::{communication, tasks};
use crate::analysis::Analysis;
use crate::communication::{COMPARED, Communication, Difference, Factor, Pairing, Part};
use crate::report::block::{Block, CellView, ColumnView, RowView};
use crate::report::{Content, Draft, PLAIN, Section, TableSpec, format, unique_slugs};

pub(in crate::report) const SECTION: Section =
    Section { id: "mechanism-effects", title: "What mechanisms change", template: PLAIN, build };

fn build(analysis: &Analysis, draft: &mut Draft) -> Option<Content> {
    let all = communication(analysis)?;
    if all.differences.is_empty() {
        let lead =
            "No two runs are alike but for a mechanism or the framework, so nothing is compared.".to_owned();
        return Some(Content { lead: vec![lead], ..Content::default() });
    }
    let tasks = tasks(all);
    let slugs = unique_slugs(&tasks);
    let blocks = tasks.iter().map(|task| table(all, task, &slugs[task], draft)).collect();
    Some(Content {
        lead: lead(all),
        blocks,
        how: vec![
            "Two configurations are compared where they differ in one mechanism (or in several, against none) or in the framework. Instances are \
             paired by run seed and instance id where their content is the same; where the two sides share no instance, they are taken as \
             independent samples, which the table says."
                .into(),
            format!(
                "Intervals: percentile bootstrap over pairs (or within each side), {} resamples. p: permutation test that exchanges the two sides' labels \
                 within pairs (or between sides), two-sided, Holm-adjusted over all differences of the same task, metric and split.",
                all.settings.resamples
            ),
        ],
        ..Content::default()
    })
}

fn lead(all: &Communication) -> Vec<String> {
    let mut lead = Vec::new();
    for factor in [Factor::Memory, Factor::Protocol, Factor::Routing] {
        let scores: Vec<&Difference> = all
            .differences
            .iter()
            .filter(|d| {
                d.factor == factor
                    && d.split == Part::Overall
                    && d.metric == "score"
                    && d.difference.is_some()
            })
            .collect();
        if scores.is_empty() {
            continue;
        }
        let clear = |d: &&&Difference| d.p_adjusted.is_some_and(|p| p < 0.05);
        let up = scores.iter().filter(clear).filter(|d| d.difference.is_some_and(|x| x > 0.0)).count();
        let down = scores.iter().filter(clear).count() - up;
        lead.push(format!(
            "{} changes the score clearly (adjusted p < 0.05) in {} of {}: up in {up}, down in {down}.",
            capital(factor.name()),
            up + down,
            format::counted(scores.len(), "comparison", "comparisons"),
        ));
    }
    let independent = all.differences.iter().filter(|d| d.pairing == Pairing::Independent).count();
    if independent > 0 {
        lead.push(format!(
            "{independent} of {} rest on runs that share no instance and are not paired.",
            format::counted(all.differences.len(), "difference", "differences")
        ));
    }
    lead
}

fn capital(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn table(all: &Communication, task: &str, slug: &str, draft: &mut Draft) -> Block {
    let columns = vec![
        ColumnView::text("Differs in"),
        ColumnView::text("Model"),
        ColumnView::text("From"),
        ColumnView::text("To"),
        ColumnView::text("Metric"),
        ColumnView::number("n", "").explained("pairs, or instances of either side where not paired"),
        ColumnView::text("Matched"),
        ColumnView::number("From", "").explained("the metric on the first side, over the instances compared"),
        ColumnView::number("To", "").explained("the metric on the other side"),
        ColumnView::number("Difference", "").explained("to − from, with its interval"),
        ColumnView::number("p, adjusted", "").explained("permutation test, Holm-adjusted"),
    ];
    let rows = all
        .differences
        .iter()
        .filter(|d| d.task == task && d.split == Part::Overall)
        .map(|d| row(d, task))
        .collect();
    let spec = TableSpec {
        id: format!("differences-{slug}"),
        title: format!("Differences between mechanisms and frameworks in {task}"),
        how: "Overall only; Simple and Complex are in the data.".into(),
        data: Some("data/communication_differences.csv"),
        task: Some(task.to_owned()),
    };
    draft.table(spec, columns, rows)
}

fn row(d: &Difference, task: &str) -> RowView {
    let why = d.reason.as_deref().unwrap_or("not defined");
    let decimals = match d.metric.as_str() {
        "tok" => 0,
        "normalized_entropy" => 3,
        _ => 1,
    };
    let difference = match (d.difference, d.low, d.high) {
        (Some(x), Some(low), Some(high)) => CellView {
            text: format!("{} {}", format::fixed(x, decimals), format::interval(low, high, decimals)),
            ..CellView::fixed(x, decimals)
        },
        (x, ..) => CellView::maybe(x, decimals, why),
    };
    let p = CellView::p_value(d.p_adjusted, why);
    let title =
        COMPARED.iter().find(|metric| metric.id == d.metric).map_or(d.metric.as_str(), |metric| metric.title);
    let n = if d.n_from == d.n_to { d.n_from.to_string() } else { format!("{} and {}", d.n_from, d.n_to) };
    let matched = if d.pairing == Pairing::Paired { "paired" } else { "independent" };
    let cells = vec![
        CellView::text(d.factor.name()),
        CellView::text(&d.model),
        CellView::text(&d.from),
        CellView::text(&d.to),
        CellView::text(title),
        CellView { sort: Some(d.n_from.to_string()), ..CellView::text(n) },
        CellView::text(matched),
        CellView::maybe(d.value_from, decimals, why),
        CellView::maybe(d.value_to, decimals, why),
        difference,
        p,
    ];
    RowView { cells, model: Some(d.model.clone()), task: Some(task.to_owned()) }
}
