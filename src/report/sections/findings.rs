//! What was wrong or doubtful in the logs, by rule.

use std::collections::BTreeMap;

use serde_json::json;

use crate::analysis::Analysis;
use crate::finding::{Finding, Severity};
use crate::report::{Content, Draft, Section, format};

pub(in crate::report) const SECTION: Section = Section {
    id: "findings",
    title: "Findings",
    template: include_str!("../../../templates/sections/findings.html"),
    build,
};

/// Places shown for each rule.
const PLACES: usize = 10;

#[expect(clippy::unnecessary_wraps, reason = "the signature of every section")]
fn build(analysis: &Analysis, _: &mut Draft) -> Option<Content> {
    let mut by_rule: BTreeMap<(std::cmp::Reverse<Severity>, &str), Vec<&Finding>> = BTreeMap::new();
    for finding in &analysis.findings {
        by_rule.entry((std::cmp::Reverse(finding.severity), &finding.code)).or_default().push(finding);
    }
    let rules: Vec<_> = by_rule
        .values()
        .filter_map(|findings| {
            let first = findings.first()?;
            let times: u64 = findings.iter().map(|finding| finding.count).sum();
            let left = findings.len().saturating_sub(PLACES);
            Some(json!({
                "code": first.code,
                "severity": first.severity.name(),
                "title": first.title,
                "effect": first.effect,
                "remedy": first.remedy,
                "count": count(findings.len(), times),
                "places": findings.iter().take(PLACES).map(|f| place(f)).collect::<Vec<_>>(),
                "left_out": (left > 0).then(|| format!("{} more in findings.json.", format::fixed(left as f64, 0))),
            }))
        })
        .collect();
    let lead = match analysis.findings.len() {
        0 => "Nothing in the logs was wrong or doubtful.".to_owned(),
        n => format!(
            "{} of {}: what was wrong or doubtful in the logs, what it means for the numbers, and what to do.",
            format::counted(n, "finding", "findings"),
            format::counted(rules.len(), "kind", "kinds")
        ),
    };
    Some(Content { lead: vec![lead], extra: json!({"rules": rules}), ..Content::default() })
}

fn count(places: usize, times: u64) -> String {
    let files = format::counted(places, "place", "places");
    if times > places as u64 { format!("{files}, {} times", format::fixed(times as f64, 0)) } else { files }
}

fn place(finding: &Finding) -> String {
    let at: Vec<String> = finding.places.iter().map(ToString::to_string).collect();
    let run = match (&finding.batch, &finding.run_id) {
        (Some(batch), Some(run)) => format!("{batch} / {run}"),
        (Some(batch), None) => batch.clone(),
        _ => String::new(),
    };
    let parts = [run, finding.file.clone().unwrap_or_default(), format::list(&at, 5)];
    let where_: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    if where_.is_empty() {
        finding.message.clone()
    } else {
        format!("{}: {}", where_.join(", "), finding.message)
    }
}
