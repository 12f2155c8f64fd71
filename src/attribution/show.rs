//! Studies as text to read and as a table.

use std::fmt::Write;

use super::collect::AttributionAnalysis;
use super::study::{Attribution, ImportanceRow, Spread};

/// Features listed in the text.
const LISTED: usize = 15;

/// The studies in sentences and columns. Text from logs has its control characters shown as escapes.
pub fn text(analysis: &AttributionAnalysis) -> String {
    let mut out = String::new();
    for study in &analysis.studies {
        // Writing to a string can't fail.
        let _ = one(study, &mut out);
    }
    if analysis.studies.is_empty() {
        out.push_str("No run has logged views and actions, so there is nothing to attribute.\n");
    }
    out
}

fn one(study: &Attribution, out: &mut String) -> std::fmt::Result {
    let model = study.model.as_deref().unwrap_or("all models");
    writeln!(out, "{} · {}", clean(&study.task), clean(model))?;
    writeln!(
        out,
        "  {} of {} decisions in {} runs, {} features ({} constant ones left out)",
        study.rows, study.rows_logged, study.runs, study.features, study.constant_features
    )?;
    if study.runs_without_views > 0 {
        writeln!(out, "  left out for want of a view at any decision: {} runs", study.runs_without_views)?;
    }
    if let (Some(f1), Some(majority), Some(shuffled)) = (study.f1, study.majority_f1, study.shuffled_f1) {
        writeln!(
            out,
            "  macro F1 on unseen runs {} (majority class {:.3}, shuffled labels {:.3})",
            spread(f1),
            majority.mean,
            shuffled.mean
        )?;
    }
    if let Some(margin) = study.margin {
        let interval = match (margin.low, margin.high) {
            (Some(low), Some(high)) => format!(" [{low:.3}, {high:.3}]"),
            _ => String::new(),
        };
        writeln!(
            out,
            "  {:.3}{interval} beyond the better baseline, over {} runs held out",
            margin.mean, margin.runs
        )?;
    }
    if let Some(refusal) = &study.refusal {
        writeln!(out, "  not ranked: {refusal}")?;
    }
    if let Some(rankings) = &study.rankings {
        for (title, rows, most) in [
            ("groups", &rankings.groups, usize::MAX),
            ("clusters of correlated features", &rankings.clusters, 5),
            ("features", &rankings.features, LISTED),
        ] {
            if rows.is_empty() {
                continue;
            }
            writeln!(out, "  {title}: drop of macro F1 when shuffled, and the middle 95 %")?;
            for row in rows.iter().take(most) {
                writeln!(out, "    {:>24}  {}", spread(row.drop), shorten(&clean(&row.name)))?;
            }
        }
        if let Some(tree) = &rankings.surrogate {
            writeln!(
                out,
                "  in short (a tree that says the same as the forest on {:.0} % of unseen rows; the majority class would \
                 on {:.0} %)",
                tree.fidelity * 100.0,
                tree.fidelity_of_majority * 100.0
            )?;
            for rule in &tree.rules {
                let conditions =
                    if rule.conditions.is_empty() { "always".to_owned() } else { rule.conditions.join(", ") };
                writeln!(
                    out,
                    "    {} → {} ({:.0} % of {} rows)",
                    clean(&conditions),
                    clean(&rule.class),
                    rule.purity * 100.0,
                    rule.rows
                )?;
            }
        }
    }
    writeln!(out)
}

/// One row for each ranked thing of each study, and one for each study that ranks nothing.
pub fn csv(analysis: &AttributionAnalysis) -> String {
    let mut out = "task,model,kind,name,group,features,drop,drop_low,drop_high,n,f1,majority_f1,shuffled_f1,runs,rows,refusal\n"
        .to_owned();
    for study in &analysis.studies {
        let number = |spread: &Option<Spread>| spread.map_or_else(String::new, |s| s.mean.to_string());
        let mut line = |kind: &str, row: Option<&ImportanceRow>| {
            let cells = [
                study.task.clone(),
                study.model.clone().unwrap_or_default(),
                kind.to_owned(),
                row.map_or_else(String::new, |row| row.name.clone()),
                row.and_then(|row| row.group).map_or_else(String::new, |group| group.name().to_owned()),
                row.map_or_else(String::new, |row| row.features.to_string()),
                row.map_or_else(String::new, |row| row.drop.mean.to_string()),
                row.map_or_else(String::new, |row| row.drop.low.to_string()),
                row.map_or_else(String::new, |row| row.drop.high.to_string()),
                row.map_or_else(String::new, |row| row.drop.n.to_string()),
                number(&study.f1),
                number(&study.majority_f1),
                number(&study.shuffled_f1),
                study.runs.to_string(),
                study.rows.to_string(),
                study.refusal.clone().unwrap_or_default(),
            ];
            out.push_str(&cells.map(|cell| quoted(&cell)).join(","));
            out.push('\n');
        };
        match &study.rankings {
            None => line("refused", None),
            Some(rankings) => {
                rankings.groups.iter().for_each(|row| line("group", Some(row)));
                rankings.clusters.iter().for_each(|row| line("cluster", Some(row)));
                rankings.features.iter().for_each(|row| line("feature", Some(row)));
            }
        }
    }
    out
}

fn spread(spread: Spread) -> String {
    format!("{:.3} [{:.3}, {:.3}]", spread.mean, spread.low, spread.high)
}

/// A cell as RFC 4180 wants it; what a spreadsheet would take for a formula gets an apostrophe.
fn quoted(cell: &str) -> String {
    let formula = cell.starts_with(['=', '@', '\t', '\r'])
        || (cell.starts_with(['+', '-']) && cell.parse::<f64>().is_err());
    let cell = if formula { format!("'{cell}") } else { cell.to_owned() };
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
}

/// Control characters as visible escapes.
fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// At most 100 characters of a name.
fn shorten(name: &str) -> String {
    match name.char_indices().nth(100) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_no_formulas() {
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(
            (quoted("=1+1"), quoted("-0.5"), quoted("-x")),
            ("'=1+1".into(), "-0.5".into(), "'-x".into())
        );
    }

    #[test]
    fn text_from_logs_can_not_steer_the_terminal() {
        assert_eq!(clean("a\u{1b}[2Jb\n"), "a\\u{1b}[2Jb\\n");
    }
}
