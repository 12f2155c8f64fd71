//! Legends outside the plot area, and labels at the ends of lines.

use super::canvas::{Anchor, Canvas, Label, Stroke, at};
use super::key::Key;
use super::text;
use super::theme::{self, TICK};

/// Height of a legend's row.
pub(super) const ROW: f64 = 11.5;
/// Length of a line sample.
const SAMPLE: f64 = 16.0;
/// Longest name in a legend.
const LONGEST: f64 = 130.0;

/// What a legend shows before each name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sample {
    /// A piece of line with the marker.
    Line,
    /// The marker alone.
    Point,
    /// A filled square.
    Patch,
}

fn sample_width(sample: Sample) -> f64 {
    if sample == Sample::Line { SAMPLE } else { 8.0 }
}

fn draw_sample(canvas: &mut Canvas, sample: Sample, left: f64, y: f64, colour: usize) {
    let (tone, middle) = (theme::colour(colour), left + sample_width(sample) / 2.0);
    match sample {
        Sample::Line => {
            let stroke = Stroke { colour: tone, width: 1.2, dash: theme::dash(colour) };
            canvas.line(at(left, y), at(left + SAMPLE, y), stroke);
            canvas.marker(theme::marker(colour), at(middle, y), 2.0, tone, None);
        }
        Sample::Point => canvas.marker(theme::marker(colour), at(middle, y), 2.4, tone, None),
        Sample::Patch => {
            let area = super::canvas::Area { left, top: y - 3.5, right: left + 7.0, bottom: y + 3.5 };
            canvas.rect(area, tone, None);
        }
    }
}

/// Draws the keys in rows between `left` and `right` from `top` on; returns the height used.
pub(super) fn rows(
    canvas: &mut Canvas,
    keys: &[&Key],
    sample: Sample,
    left: f64,
    right: f64,
    top: f64,
) -> f64 {
    if keys.is_empty() {
        return 0.0;
    }
    let lead = sample_width(sample) + 4.0;
    let room = (right - left - lead).clamp(20.0, LONGEST);
    let shown: Vec<String> = keys.iter().map(|key| text::shorten(&key.label, room, TICK)).collect();
    let natural = |name: &String| text::width(name, TICK) + lead + 10.0;
    let one_row = shown.iter().map(natural).sum::<f64>() <= right - left + 10.0;
    let widest = shown.iter().map(|name| text::width(name, TICK)).fold(0.0, f64::max) + lead + 10.0;
    // Columns of equal width: names stand under each other.
    let columns = ((right - left + 10.0) / widest).floor().max(1.0) as usize;
    let columns = if one_row { keys.len() } else { columns };
    let mut flowing = left;
    for (i, (key, name)) in keys.iter().zip(&shown).enumerate() {
        let x = if one_row { flowing } else { left + (i % columns) as f64 * widest };
        flowing += natural(name);
        let y = top + (i / columns) as f64 * ROW + ROW / 2.0;
        canvas.open(key);
        draw_sample(canvas, sample, x, y, key.colour);
        canvas.text(at(x + lead, y), &Label::new(name, TICK).full(&key.label));
        canvas.close();
    }
    keys.len().div_ceil(columns) as f64 * ROW + 4.0
}

/// A name to stand at the end of a line.
#[derive(Clone, Debug)]
pub(super) struct EndLabel<'a> {
    pub(super) key: &'a Key,
    /// Where the line ends.
    pub(super) x: f64,
    pub(super) y: f64,
}

/// Smallest distance between end labels.
pub(super) const END_PITCH: f64 = 10.0;

/// Moves places apart to at least `pitch`, within `low..=high`, keeping their order and as near as possible to where they were.
/// The caller makes sure that they fit.
pub(super) fn spread(places: &[f64], pitch: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&a, &b| places[a].total_cmp(&places[b]).then(a.cmp(&b)));
    // Groups of touching labels, each centred on the mean of its wishes; merging neighbours until none overlap.
    let mut groups: Vec<(f64, usize)> = Vec::new();
    let centre = |wish: f64, n: usize| {
        let half = (n.saturating_sub(1)) as f64 * pitch / 2.0;
        wish.clamp(low + half, (high - half).max(low + half))
    };
    for &i in &order {
        let mut group = (places[i], 1);
        while let Some(&(wish, n)) = groups.last() {
            let gap = centre(group.0, group.1) - centre(wish, n);
            if gap >= (group.1 + n) as f64 * pitch / 2.0 {
                break;
            }
            groups.pop();
            group = ((wish * n as f64 + group.0 * group.1 as f64) / (n + group.1) as f64, n + group.1);
        }
        groups.push(group);
    }
    let mut out = vec![0.0; places.len()];
    let mut next = order.into_iter();
    for (wish, n) in groups {
        let first = centre(wish, n) - (n - 1) as f64 * pitch / 2.0;
        for (k, i) in next.by_ref().take(n).enumerate() {
            out[i] = first + k as f64 * pitch;
        }
    }
    out
}

/// Draws names right of a plot, with leaders where a name had to move.
pub(super) fn at_ends(canvas: &mut Canvas, labels: &[EndLabel<'_>], left: f64, low: f64, high: f64) {
    let wishes: Vec<f64> = labels.iter().map(|label| label.y).collect();
    let room = canvas.width() - left - 18.0;
    for (label, y) in labels.iter().zip(spread(&wishes, END_PITCH, low, high)) {
        let tone = theme::colour(label.key.colour);
        let name = text::shorten(&label.key.label, room, TICK);
        canvas.open(label.key);
        let bend =
            [at(label.x + 1.5, label.y), at(left + 2.0, label.y), at(left + 8.0, y), at(left + 10.0, y)];
        // Grey and dotted where the line ends early: nobody may take the leader for data.
        let far = left - label.x > 6.0;
        let (colour, dash) = if far { (theme::AXIS, &[0.6, 1.6][..]) } else { (tone, &[][..]) };
        canvas.path(&bend, Stroke { colour, width: 0.6, dash });
        canvas.marker(theme::marker(label.key.colour), at(left + 11.0, y), 2.0, tone, None);
        canvas
            .text(at(left + 16.0, y), &Label::new(&name, TICK).anchor(Anchor::Start).full(&label.key.label));
        canvas.close();
    }
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn labels_move_apart_and_stay_inside() {
        let moved = spread(&[50.0, 50.0, 51.0, 0.0], 10.0, 0.0, 100.0);
        let mut sorted = moved.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|w| w[1] - w[0] >= 10.0 - 1e-9), "{moved:?}");
        assert!(sorted[0] >= 0.0 && sorted[3] <= 100.0);
        // The mean of 50, 50 and 51 stays their middle.
        assert!((moved[1] - 151.0 / 3.0).abs() < 1e-9, "{moved:?}");
        assert!((moved[3] - 0.0).abs() < 1e-9);
        assert!(spread(&[], 10.0, 0.0, 10.0).is_empty());
    }
}
