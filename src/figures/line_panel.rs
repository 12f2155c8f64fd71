//! The contents of a panel of lines: bands, lines, markers, names at their ends.

use super::axes::Plot;
use super::canvas::{Area, Canvas, Stroke};
use super::legend::{self, EndLabel};
use super::line_bands::{LinePoint, LineSeries};
use super::{finite, text, theme};

/// Points per line; a longer line keeps the lowest and highest value of each stretch.
const MOST_POINTS: usize = 360;
/// Lines with so few points show them.
const FEW_POINTS: usize = theme::RAW_POINTS;

/// Stretches of consecutive points that have a value.
fn runs<T: Copy>(points: &[LinePoint], value: impl Fn(&LinePoint) -> Option<T>) -> Vec<Vec<(f64, T)>> {
    let mut all = vec![Vec::new()];
    for point in points {
        match value(point).filter(|_| point.x.is_finite()) {
            Some(v) => {
                if let Some(last) = all.last_mut() {
                    last.push((point.x, v));
                }
            }
            None => all.push(Vec::new()),
        }
    }
    all.retain(|run| !run.is_empty());
    all
}

/// The points of a long line that its picture needs: of each stretch the lowest, the highest, and one of its gaps.
fn thinned(points: &[LinePoint]) -> Vec<LinePoint> {
    if points.len() <= MOST_POINTS {
        return points.to_vec();
    }
    let stretch = points.len().div_ceil(MOST_POINTS / 2);
    let mut kept = Vec::new();
    for chunk in points.chunks(stretch) {
        let mean = |i: &usize| chunk[*i].mean.unwrap_or(0.0);
        let defined = || (0..chunk.len()).filter(|&i| finite(chunk[i].mean).is_some());
        let mut keep = vec![
            defined().min_by(|a, b| mean(a).total_cmp(&mean(b))),
            defined().max_by(|a, b| mean(a).total_cmp(&mean(b))),
            (0..chunk.len()).find(|&i| finite(chunk[i].mean).is_none()),
        ];
        keep.sort_unstable();
        keep.dedup();
        kept.extend(keep.into_iter().flatten().map(|i| chunk[i]));
    }
    kept
}

/// All series as thin grey lines.
pub(super) fn context(canvas: &mut Canvas, plot: &Plot, all: &[LineSeries]) {
    for series in all {
        for run in runs(&thinned(&series.points), |p| finite(p.mean)) {
            let points: Vec<_> = run.iter().map(|&(x, y)| plot.place(x, y)).collect();
            canvas.path(&points, Stroke::solid(theme::CONTEXT, 0.4));
        }
    }
}

/// A line with its band and markers; `marked` asks for markers also along a line of many points.
pub(super) fn series(canvas: &mut Canvas, plot: &Plot, series: &LineSeries, marked: bool) {
    let colour = theme::colour(series.key.colour);
    let points = thinned(&series.points);
    canvas.open(&series.key);
    for run in runs(&points, |p| Some((finite(p.low)?, finite(p.high)?))) {
        let upper = run.iter().map(|&(x, (_, high))| plot.place(x, high));
        let lower = run.iter().rev().map(|&(x, (low, _))| plot.place(x, low));
        if run.len() > 1 {
            canvas.polygon(&upper.chain(lower).collect::<Vec<_>>(), colour, theme::BAND, None);
        } else if let Some(&(x, (low, high))) = run.first() {
            canvas.line(plot.place(x, low), plot.place(x, high), Stroke::solid(colour, 0.8));
        }
    }
    let lines = runs(&points, |p| Some((finite(p.mean)?, p.n)));
    let total: usize = lines.iter().map(Vec::len).sum();
    // About five markers along a line, each series beginning elsewhere so that they do not pile up.
    let every = (total / 5).max(1);
    let offset = series.key.colour % every;
    let mut count = 0;
    for run in &lines {
        let places: Vec<_> = run.iter().map(|&(x, (y, _))| plot.place(x, y)).collect();
        canvas.path(&places, Stroke { colour, width: 1.2, dash: theme::dash(series.key.colour) });
        for (place, &(x, (y, n))) in places.iter().zip(run) {
            let due = total <= FEW_POINTS || (marked && count % every == offset);
            if due || run.len() == 1 {
                let n = if n > 0 { format!("; n = {n}") } else { String::new() };
                let tip =
                    format!("{}: {} at {}{n}", series.key.label, text::number(y, 4), text::number(x, 6));
                canvas.marker(theme::marker(series.key.colour), *place, 1.7, colour, Some(&tip));
            }
            count += 1;
        }
    }
    canvas.close();
}

/// Names at the ends of the lines.
pub(super) fn end_labels(canvas: &mut Canvas, plot: &Plot, shown: &[&LineSeries]) {
    let mut labels = Vec::new();
    for series in shown {
        let last = series.points.iter().rev().find(|p| finite(p.mean).is_some() && p.x.is_finite());
        if let Some((point, mean)) = last.and_then(|p| Some((p, finite(p.mean)?))) {
            let place = plot.place(point.x, mean);
            labels.push(EndLabel { key: &series.key, x: place.x, y: place.y });
        }
    }
    let Area { right, top, bottom, .. } = plot.area;
    legend::at_ends(canvas, &labels, right, top - 2.0, bottom + 12.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_thinned_but_keeps_its_extremes() {
        let mut points: Vec<LinePoint> = (0..100_000)
            .map(|i| LinePoint { x: f64::from(i), mean: Some(0.5), ..LinePoint::default() })
            .collect();
        points[77_777].mean = Some(9.0);
        points[12_345].mean = Some(-9.0);
        let kept = thinned(&points);
        assert!(kept.len() <= 2 * MOST_POINTS);
        assert!(kept.iter().any(|p| p.mean == Some(9.0)) && kept.iter().any(|p| p.mean == Some(-9.0)));
    }
}
