//! Which model met which task with which seed, and what is missing.

use super::canvas::{Anchor, Area, At, Canvas, Label, Stroke, at};
use super::key::Key;
use super::theme::{self, CELL, TICK};
use super::{Drawn, Width, counted, nothing, text};

/// Up to this many seeds each has its own square; more are a bar with their count.
const MOST_SQUARES: usize = 12;
/// Most models of one figure.
const MOST: usize = 150;

/// Most tasks of one figure.
const MOST_TASKS: usize = 60;

/// How the seeds of a model and task are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A square each.
    Squares,
    /// A bar and a count.
    Bars,
    /// The count alone.
    Numbers,
}

/// Runs by model, task and seed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coverage {
    /// Accessible name.
    pub title: String,
    /// Accessible description.
    pub description: String,
    /// Rows.
    pub models: Vec<Key>,
    /// Columns.
    pub tasks: Vec<String>,
    /// The seeds that every model and task should have.
    pub seeds: Vec<String>,
    /// What is there; combinations that are not named have no run.
    pub cells: Vec<CoverageCell>,
    /// How wide.
    pub width: Width,
}

/// The runs of a model on a task with a seed; the indices point into the lists of [`Coverage`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoverageCell {
    /// Index of the model.
    pub model: usize,
    /// Index of the task.
    pub task: usize,
    /// Index of the seed.
    pub seed: usize,
    /// How many runs.
    pub runs: u64,
}

impl Coverage {
    /// Draws the figure.
    ///
    /// # Errors
    /// There are no models, tasks or seeds.
    pub fn draw(&self) -> Drawn {
        if self.models.is_empty() || self.tasks.is_empty() || self.seeds.is_empty() {
            return Err(nothing("There are no runs to count by model, task and seed."));
        }
        let mut canvas = Canvas::new(self.width.points(Width::Page));
        let models = &self.models[..self.models.len().min(MOST)];
        if self.models.len() > MOST {
            canvas.notes.push(format!("The first {MOST} of {} shown.", counted(self.models.len(), "model")));
        }
        let runs = self.counts();
        let width = canvas.width();
        let names = models.iter().map(|k| text::width(&k.label, TICK)).fold(0.0, f64::max);
        let left = (names + 8.0).min(width * 0.3);
        let tasks = &self.tasks[..self.tasks.len().min(MOST_TASKS)];
        if self.tasks.len() > MOST_TASKS {
            canvas
                .notes
                .push(format!("The first {MOST_TASKS} of {} shown.", counted(self.tasks.len(), "task")));
        }
        let pitch = ((width - left - 2.0) / tasks.len() as f64).min(100.0);
        let side = ((pitch - 10.0) / self.seeds.len() as f64).min(9.5);
        let count = format!("{0}/{0}", self.seeds.len());
        let form = match pitch {
            _ if self.seeds.len() <= MOST_SQUARES && side >= 4.0 => Form::Squares,
            _ if pitch >= text::width(&count, CELL) + 24.0 => Form::Bars,
            _ => Form::Numbers,
        };
        let seeds_named = form == Form::Squares && self.seeds.iter().all(|s| text::width(s, CELL) <= side);
        let flat = tasks.iter().all(|t| text::width(t, TICK) <= pitch - 1.0);
        let tallest = tasks.iter().map(|t| text::width(t, TICK)).fold(0.0, f64::max).min(80.0);
        let head = if flat { 15.0 } else { tallest + 6.0 };
        let top = head + if seeds_named { 10.0 } else { 0.0 };
        for (j, task) in tasks.iter().enumerate() {
            let x = left + j as f64 * pitch;
            if flat {
                canvas.text(at(x, head - 8.0), &Label::new(task, TICK));
            } else {
                let short = text::shorten(task, tallest, TICK);
                canvas.text(at(x + pitch / 2.0, head - 3.0), &Label::new(&short, TICK).upright().full(task));
            }
            if seeds_named {
                for (k, seed) in self.seeds.iter().enumerate() {
                    let place = at(x + (k as f64 + 0.5) * side, top - 5.0);
                    canvas.text(place, &Label::new(seed, CELL).colour(theme::MUTED).anchor(Anchor::Middle));
                }
            }
        }
        let row = 12.5;
        for (i, key) in models.iter().enumerate() {
            let middle = top + (i as f64 + 0.5) * row;
            canvas.open(key);
            let short = text::shorten(&key.label, left - 6.0, TICK);
            canvas
                .text(at(left - 4.0, middle), &Label::new(&short, TICK).anchor(Anchor::End).full(&key.label));
            for (j, task) in tasks.iter().enumerate() {
                canvas.open(&Key {
                    task: Some(task.clone()),
                    label: format!("{} – {task}", key.label),
                    ..key.clone()
                });
                let x = left + j as f64 * pitch;
                let counts = &runs[i][j];
                match form {
                    Form::Squares => {
                        for ((k, count), seed) in counts.iter().enumerate().zip(&self.seeds) {
                            let tip = format!("{} – {task}, seed {seed}: {}", key.label, runs_said(*count));
                            square(&mut canvas, at(x + (k as f64 + 0.5) * side, middle), side, *count, &tip);
                        }
                    }
                    Form::Bars => self.bar(&mut canvas, counts, at(x, middle), pitch - 10.0),
                    Form::Numbers => self.number(&mut canvas, counts, at(x, middle), pitch),
                }
                canvas.close();
            }
            canvas.close();
        }
        let bottom = top + models.len() as f64 * row;
        self.legend(&mut canvas, form, left, bottom + 10.0);
        canvas.finish(bottom + 20.0, &self.title, &self.description)
    }

    /// Counts by model, task and seed; cells with an index out of range are none of this figure's.
    fn counts(&self) -> Vec<Vec<Vec<u64>>> {
        let mut all = vec![vec![vec![0_u64; self.seeds.len()]; self.tasks.len()]; self.models.len()];
        for cell in &self.cells {
            let slot =
                all.get_mut(cell.model).and_then(|m| m.get_mut(cell.task)).and_then(|t| t.get_mut(cell.seed));
            if let Some(slot) = slot {
                *slot = slot.saturating_add(cell.runs);
            }
        }
        all
    }

    /// How many seeds are there, on a deeper colour for more.
    fn number(&self, canvas: &mut Canvas, counts: &[u64], place: At, room: f64) {
        let (there, wanted) = (counts.iter().filter(|c| **c > 0).count(), self.seeds.len());
        let area =
            Area { left: place.x, top: place.y - 6.0, right: place.x + room - 0.6, bottom: place.y + 5.7 };
        let colour =
            if there == 0 { theme::MISSING } else { theme::sequential(there as f64 / wanted as f64) };
        canvas.rect(area, colour, None);
        let said = if there == 0 { "–".to_owned() } else { there.to_string() };
        if text::width(&said, CELL) <= room {
            let label = Label::new(&said, CELL).colour(theme::text_on(colour)).anchor(Anchor::Middle);
            canvas.text(at(f64::midpoint(area.left, area.right), place.y), &label);
        }
    }

    /// A bar of the seeds that are there, with the count.
    fn bar(&self, canvas: &mut Canvas, counts: &[u64], place: At, room: f64) {
        let (there, wanted) = (counts.iter().filter(|c| **c > 0).count(), self.seeds.len());
        let said = format!("{there}/{wanted}");
        let bar = (room - text::width(&format!("{wanted}/{wanted}"), CELL) - 3.0).max(4.0);
        let full = Area { left: place.x, top: place.y - 3.5, right: place.x + bar, bottom: place.y + 3.5 };
        canvas.rect(full, theme::MISSING, None);
        let right = place.x + bar * there as f64 / wanted as f64;
        if there > 0 {
            canvas.rect(Area { right, ..full }, theme::CATEGORIES[0], None);
        }
        let colour = if there < wanted { theme::INK } else { theme::MUTED };
        let label = Label::new(&said, CELL).colour(colour);
        canvas.text(at(place.x + bar + 3.0, place.y), &if there < wanted { label.bold() } else { label });
    }

    fn legend(&self, canvas: &mut Canvas, form: Form, left: f64, y: f64) {
        let said = if form == Form::Squares {
            let mut x = left;
            for (count, name) in [(1, "one run"), (2, "several runs (their number)"), (0, "no run")] {
                square(canvas, at(x + 4.5, y), 9.0, count, name);
                canvas.text(at(x + 12.0, y), &Label::new(name, TICK).colour(theme::MUTED));
                x += 12.0 + text::width(name, TICK) + 12.0;
            }
            String::new()
        } else {
            format!("seeds with a run, of {}", self.seeds.len())
        };
        canvas.text(at(left, y), &Label::new(&said, TICK).colour(theme::MUTED));
    }
}

fn runs_said(count: u64) -> String {
    match count {
        0 => "no run".to_owned(),
        1 => "1 run".to_owned(),
        n => format!("{n} runs"),
    }
}

/// A seed's square: filled for one run, with a number for several, empty and crossed for none.
fn square(canvas: &mut Canvas, centre: At, side: f64, count: u64, tip: &str) {
    let half = side / 2.0 - 0.5;
    let At { x, y } = centre;
    let area = Area { left: x - half, top: y - half, right: x + half, bottom: y + half };
    if count == 0 {
        canvas.rect(area, theme::MISSING, Some(tip));
        canvas.frame(area, Stroke::solid(theme::AXIS, 0.5));
        canvas.line(at(x - half, y + half), at(x + half, y - half), Stroke::solid(theme::AXIS, 0.5));
        return;
    }
    canvas.rect(area, theme::CATEGORIES[0], Some(tip));
    if count > 1 {
        let said = if count > 9 { "+".to_owned() } else { count.to_string() };
        let size = CELL.min(side);
        canvas.text(centre, &Label::new(&said, size).colour(theme::ON_STRONG).anchor(Anchor::Middle).bold());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_drawn_and_named() {
        let coverage = Coverage {
            models: vec![Key::of_model("a", 0), Key::of_model("b", 1)],
            tasks: vec!["Pursuit".into()],
            seeds: vec!["0".into(), "1".into()],
            cells: vec![
                CoverageCell { runs: 1, ..CoverageCell::default() },
                CoverageCell { model: 1, seed: 1, runs: 3, ..CoverageCell::default() },
                CoverageCell { model: 9, runs: 1, ..CoverageCell::default() },
            ],
            ..Coverage::default()
        };
        let svg = coverage.draw().unwrap().svg;
        assert!(svg.contains("a – Pursuit, seed 1: no run") && svg.contains("b – Pursuit, seed 0: no run"));
        assert!(svg.contains("b – Pursuit, seed 1: 3 runs"));
        assert!(Coverage::default().draw().is_err());
    }
}
