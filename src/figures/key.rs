//! Who a series, bar or point belongs to.

/// Label, colour and filter keys of a series. The colour belongs to the model, not to the series' place in one chart, so that
/// a model keeps it across the report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// The name as the reader knows it.
    pub label: String,
    /// Index into the categories of [`super::theme`]: colour, marker and dash.
    pub colour: usize,
    /// Value of the attribute `data-model`, by which a page can filter.
    pub model: Option<String>,
    /// Value of the attribute `data-task`.
    pub task: Option<String>,
}

impl Key {
    /// A key with this label and colour.
    pub fn new(label: impl Into<String>, colour: usize) -> Self {
        Self { label: label.into(), colour, ..Self::default() }
    }

    /// A key for a model: the label is the model's name, by which the page filters.
    pub fn of_model(name: impl Into<String>, colour: usize) -> Self {
        let label: String = name.into();
        Self { model: Some(label.clone()), label, colour, task: None }
    }

    /// The same, filtered by this model.
    pub fn model(self, model: impl Into<String>) -> Self {
        Self { model: Some(model.into()), ..self }
    }

    /// The same, filtered by this task.
    pub fn task(self, task: impl Into<String>) -> Self {
        Self { task: Some(task.into()), ..self }
    }

    /// Whether both stand for the same thing in one chart, whatever they filter by.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.label == other.label && self.colour == other.colour
    }
}
