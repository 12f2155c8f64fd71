//! Fills the templates.

use serde::Serialize;
use tera::{Context, Tera};

use super::{Content, Draft, SECTIONS, format};
use crate::analysis::Analysis;
use crate::error::{Error, Result};
use crate::figures::{dark_css, figure_css};

const PAGE: &str = include_str!("../../templates/report.html");
const MACROS: &str = include_str!("../../templates/macros.html");
const STYLE: &str = include_str!("../../templates/report.css");
const SCRIPT: &str = include_str!("../../templates/report.js");

/// A report in memory.
pub struct Rendered {
    /// The page.
    pub html: String,
    /// Each figure: its file name from the report's folder, and the drawing.
    pub figures: Vec<(String, String)>,
}

#[derive(Serialize)]
struct SectionView {
    id: &'static str,
    title: &'static str,
    html: String,
}

/// Renders the report.
///
/// # Errors
/// When a template does not fit its section: a fault of this program.
pub fn render(analysis: &Analysis) -> Result<Rendered> {
    let mut tera = Tera::default();
    // Names that end in .html are escaped; style and script are ours and go in as they are.
    tera.add_raw_template("macros.html", MACROS).map_err(template_fault)?;
    tera.add_raw_template("report.html", PAGE).map_err(template_fault)?;
    let mut draft = Draft::new(analysis);
    let mut sections = Vec::new();
    for section in SECTIONS {
        let Some(content) = (section.build)(analysis, &mut draft) else { continue };
        let name = format!("sections/{}.html", section.id);
        tera.add_raw_template(&name, section.template).map_err(template_fault)?;
        let html = tera
            .render(&name, &section_context(section.id, section.title, &content)?)
            .map_err(template_fault)?;
        sections.push(SectionView { id: section.id, title: section.title, html });
    }
    let mut context = Context::new();
    context.insert("title", &analysis.title);
    context.insert("version", &analysis.provenance.version);
    context.insert("sections", &sections);
    context.insert("style", &style());
    context.insert("script", SCRIPT);
    context.insert("models", &analysis.models());
    context.insert("tasks", &analysis.tasks());
    let html = tera.render("report.html", &context).map_err(template_fault)?;
    Ok(Rendered { html, figures: draft.into_figures() })
}

fn section_context(id: &str, title: &str, content: &Content) -> Result<Context> {
    let mut context = Context::from_serialize(content).map_err(template_fault)?;
    context.insert("id", id);
    context.insert("title", title);
    context.insert("undefined", format::UNDEFINED);
    Ok(context)
}

fn style() -> String {
    let dark = dark_css(":root[data-theme=\"dark\"]");
    let system = dark_css(":root:not([data-theme=\"light\"])");
    format!("{STYLE}\n{}\n{dark}\n@media screen and (prefers-color-scheme: dark){{{system}}}\n", figure_css())
}

#[expect(clippy::needless_pass_by_value, reason = "the form that map_err takes")]
fn template_fault(error: tera::Error) -> Error {
    use std::error::Error as _;
    let mut what = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        what.push_str(": ");
        what.push_str(&inner.to_string());
        cause = inner.source();
    }
    Error::internal("the report's templates", what)
}
