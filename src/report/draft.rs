//! Numbers figures and tables while sections are built, collects the files, and keeps the page within its size.

use std::collections::BTreeMap;

use super::block::{Block, ColumnView, FigureView, RowView, TableView};
use super::format;
use crate::analysis::Analysis;
use crate::figures::{Drawn, Key};

/// Rows of a table that the page shows; the rest is in the data file.
pub(super) const SHOWN_ROWS: usize = 200;

/// Bytes of drawings in the page. With tables, style and text the page stays under 10 MB.
const FIGURE_BUDGET: usize = 8 << 20;

/// What a section says of a figure.
#[derive(Clone, Debug, Default)]
pub struct FigureSpec {
    /// Anchor and file name; must be unique in the report.
    pub id: String,
    /// Title.
    pub title: String,
    /// How to read it, in a sentence.
    pub how: String,
    /// Where its numbers lie, from the report's folder.
    pub data: Option<&'static str>,
    /// The task it belongs to.
    pub task: Option<String>,
}

/// What a section says of a table.
#[derive(Clone, Debug, Default)]
pub struct TableSpec {
    /// Anchor; must be unique in the report.
    pub id: String,
    /// Title.
    pub title: String,
    /// How to read it, in a sentence.
    pub how: String,
    /// Where the whole table lies.
    pub data: Option<&'static str>,
    /// The task it belongs to.
    pub task: Option<String>,
}

/// The report while it is built.
pub struct Draft {
    figures: Vec<(String, String)>,
    tables: usize,
    numbered: usize,
    spent: usize,
    colours: BTreeMap<String, usize>,
}

impl Draft {
    /// A draft in which each model of the analysis has its colour.
    pub fn new(analysis: &Analysis) -> Self {
        let mut draft =
            Self { figures: Vec::new(), tables: 0, numbered: 0, spent: 0, colours: BTreeMap::new() };
        for model in analysis.models() {
            draft.colour(&model);
        }
        draft
    }

    /// The colour of a model: the same wherever it occurs in the report.
    pub fn colour(&mut self, model: &str) -> usize {
        let next = self.colours.len();
        *self.colours.entry(model.to_owned()).or_insert(next)
    }

    /// The key of a model's series.
    pub fn key(&mut self, model: &str) -> Key {
        Key::of_model(model, self.colour(model))
    }

    /// Adds a figure, or the sentence that stands in its place.
    pub fn figure(&mut self, spec: FigureSpec, drawn: Drawn) -> Block {
        self.numbered += 1;
        let mut view = FigureView {
            number: self.numbered,
            title: spec.title,
            how: spec.how,
            data: spec.data.map(str::to_owned),
            task: spec.task,
            id: spec.id,
            ..FigureView::default()
        };
        match drawn {
            Err(nothing) => view.instead = Some(nothing.to_string()),
            Ok(figure) => {
                let file = format!("figures/{}.svg", view.id);
                view.file = Some(file.clone());
                view.notes = figure.notes;
                if self.spent + figure.svg.len() <= FIGURE_BUDGET {
                    self.spent += figure.svg.len();
                    view.svg = Some(figure.svg.clone());
                } else {
                    let message = "Left out of this page to keep it small; it lies beside the page as";
                    view.instead = Some(format!("{message} {file}."));
                }
                self.figures.push((file, figure.svg));
            }
        }
        Block::Figure(view)
    }

    /// Adds a table; past `SHOWN_ROWS` rows it says how many are left out and where they are.
    pub fn table(&mut self, spec: TableSpec, columns: Vec<ColumnView>, mut rows: Vec<RowView>) -> Block {
        self.tables += 1;
        let all = rows.len();
        rows.truncate(SHOWN_ROWS);
        let left_out = (all > SHOWN_ROWS).then(|| {
            let left = format::counted(all - SHOWN_ROWS, "row", "rows");
            match spec.data {
                Some(data) => format!("{left} more in {data}."),
                None => format!("{left} more in analysis.json."),
            }
        });
        Block::Table(TableView {
            id: spec.id,
            number: self.tables,
            title: spec.title,
            how: spec.how,
            columns,
            rows,
            left_out,
            data: spec.data.map(str::to_owned),
            task: spec.task,
        })
    }

    /// The drawings with their files, in the order of the page.
    pub(super) fn into_figures(self) -> Vec<(String, String)> {
        self.figures
    }
}
