//! A small directed graph with its nodes on a circle.

use std::f64::consts::TAU;

use plotters::style::Color as _;

use super::canvas::{Anchor, At, Canvas, Label, Stroke, at};
use super::theme::{self, CELL, TICK};
use super::{Drawn, Width, counted, finite, nothing, text};

/// Most nodes of one figure.
const MOST_NODES: usize = 60;
/// Most edges, the heaviest first.
const MOST_EDGES: usize = 600;

/// A directed graph, for example who sent how many messages to whom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// Accessible name.
    pub title: String,
    /// Accessible description.
    pub description: String,
    /// The nodes, clockwise from the top.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// What an edge's width stands for, for example `messages`.
    pub weight: String,
    /// How wide.
    pub width: Width,
}

/// A node of [`Graph`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Its name.
    pub label: String,
    /// Index of its colour.
    pub colour: usize,
    /// Text of its tooltip.
    pub detail: String,
}

/// An edge of [`Graph`]; the indices point into its nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Edge {
    /// Where from.
    pub from: usize,
    /// Where to.
    pub to: usize,
    /// Its weight, above 0.
    pub weight: f64,
}

impl Graph {
    /// Draws the figure.
    ///
    /// # Errors
    /// There are no nodes, or no edge has a positive weight.
    pub fn draw(&self) -> Drawn {
        let count = self.nodes.len().min(MOST_NODES);
        let mut edges: Vec<&Edge> = self
            .edges
            .iter()
            .filter(|e| e.from < count && e.to < count && e.from != e.to)
            .filter(|e| finite(Some(e.weight)).is_some_and(|w| w > 0.0))
            .collect();
        if edges.is_empty() {
            return Err(nothing("There is no edge with a weight above zero."));
        }
        edges.sort_by(|a, b| b.weight.total_cmp(&a.weight).then((a.from, a.to).cmp(&(b.from, b.to))));
        // A name that fits stands in its node; many long ones need the page.
        let names = self.nodes.iter().take(count).map(|n| text::width(&n.label, TICK)).fold(0.0, f64::max);
        let inside = names <= 12.0;
        let auto = if inside || count <= 6 { Width::Column } else { Width::Page };
        let mut canvas = Canvas::new(self.width.points(auto));
        if self.nodes.len() > count {
            canvas.notes.push(format!("The first {count} of {} shown.", counted(self.nodes.len(), "node")));
        }
        if edges.len() > MOST_EDGES {
            canvas
                .notes
                .push(format!("The {MOST_EDGES} heaviest of {} shown.", counted(edges.len(), "edge")));
            edges.truncate(MOST_EDGES);
        }
        let heaviest = edges.first().map_or(1.0, |e| e.weight);
        let names = names.min(canvas.width() * 0.24);
        let node = if inside { 8.0 } else { 4.5 };
        let margin = node + 4.0 + if inside { 0.0 } else { names + 3.0 };
        let circle = ((canvas.width() - 2.0 * margin) / 2.0).clamp(30.0, 110.0);
        let tall = circle + node + if inside { 4.0 } else { 14.0 };
        let centre = at(canvas.width() / 2.0, tall + 2.0);
        let place = |i: usize| {
            let angle = TAU * i as f64 / count as f64;
            at(centre.x + circle * angle.sin(), centre.y - circle * angle.cos())
        };
        for edge in edges.iter().rev() {
            let share = edge.weight / heaviest;
            let (from, to) = (&self.nodes[edge.from], &self.nodes[edge.to]);
            let weight = text::number(edge.weight, 4);
            let tip = format!("{} → {}: {weight} {}", from.label, to.label, self.weight);
            draw_edge(&mut canvas, (place(edge.from), place(edge.to), centre), node, share, &tip);
        }
        for (i, item) in self.nodes.iter().take(count).enumerate() {
            let spot = place(i);
            let colour = theme::colour(item.colour);
            let detail = if item.detail.is_empty() { String::new() } else { format!(": {}", item.detail) };
            let tip = format!("{}{detail}", item.label);
            canvas.circle(spot, node + 0.8, theme::PAPER.filled(), None);
            canvas.circle(spot, node, colour.filled(), Some(&tip));
            let label =
                if inside { item.label.clone() } else { text::shorten(&item.label, names + 1.0, TICK) };
            if inside {
                let ink = theme::text_on_category(colour);
                canvas.text(spot, &Label::new(&label, CELL).colour(ink).anchor(Anchor::Middle).bold());
                continue;
            }
            let out = at((spot.x - centre.x) / circle, (spot.y - centre.y) / circle);
            let anchor = match out.x {
                x if x > 0.2 => Anchor::Start,
                x if x < -0.2 => Anchor::End,
                _ => Anchor::Middle,
            };
            let away = node + if anchor == Anchor::Middle { 7.0 } else { 4.0 };
            let text_place = at(spot.x + out.x * away, spot.y + out.y * away);
            canvas.text(text_place, &Label::new(&label, TICK).anchor(anchor).full(&item.label));
        }
        let foot = centre.y + tall + 8.0;
        let said = format!("Widest line: {} {}", text::number(heaviest, 4), self.weight);
        let said = text::shorten(&said, canvas.width() - 8.0, TICK);
        canvas.text(
            at(canvas.width() / 2.0, foot),
            &Label::new(&said, TICK).colour(theme::MUTED).anchor(Anchor::Middle),
        );
        canvas.finish(foot + 8.0, &self.title, &self.description)
    }
}

/// An edge bent towards the centre and to its right, so that both directions of a pair are seen; its head at the target's edge.
fn draw_edge(canvas: &mut Canvas, (from, to, centre): (At, At, At), node: f64, share: f64, tip: &str) {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy).max(1e-6);
    let middle = at(f64::midpoint(from.x, to.x), f64::midpoint(from.y, to.y));
    let pull = 0.15;
    let control = at(
        middle.x + (centre.x - middle.x) * pull - dy / length * 0.09 * length,
        middle.y + (centre.y - middle.y) * pull + dx / length * 0.09 * length,
    );
    // A quadratic Bézier curve.
    let curve = |t: f64| {
        let (a, b, c) = ((1.0 - t).powi(2), 2.0 * t * (1.0 - t), t * t);
        at(a * from.x + b * control.x + c * to.x, a * from.y + b * control.y + c * to.y)
    };
    let width = 0.5 + 2.3 * share;
    let head = 3.5 + width * 0.9;
    let away = |p: &At| (p.x - to.x).hypot(p.y - to.y) > node + head;
    let path: Vec<At> = (0..=24).map(|i| curve(f64::from(i) / 24.0)).take_while(away).collect();
    let Some(last) = path.last().copied() else { return };
    let (hx, hy) = (to.x - last.x, to.y - last.y);
    let distance = hx.hypot(hy).max(1e-6);
    let unit = at(hx / distance, hy / distance);
    let tip_point = at(to.x - unit.x * (node + 0.8), to.y - unit.y * (node + 0.8));
    let base = at(tip_point.x - unit.x * head, tip_point.y - unit.y * head);
    let half = head * 0.42;
    let colour = theme::AXIS;
    let mut line = path;
    line.push(base);
    canvas.path(&line, Stroke::solid(colour, width));
    let corners = [
        tip_point,
        at(base.x - unit.y * half, base.y + unit.x * half),
        at(base.x + unit.y * half, base.y - unit.x * half),
    ];
    canvas.polygon(&corners, colour, 1.0, Some(tip));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_graphs_are_drawn_or_said() {
        let node = |label: &str| Node { label: label.into(), ..Node::default() };
        let nodes = vec![node("a"), node("b")];
        let edge = |from, to, weight| Edge { from, to, weight };
        for weight in [5e-324, 1.0, 1e308, f64::MAX] {
            let edges = vec![edge(0, 1, weight), edge(1, 0, weight), edge(7, 0, 1.0), edge(0, 0, 1.0)];
            let figure = Graph { nodes: nodes.clone(), edges, ..Graph::default() }.draw().unwrap();
            assert_eq!(figure.svg.matches("<polygon").count(), 2);
        }
        for weight in [0.0, -1.0, f64::NAN] {
            assert!(
                Graph { nodes: nodes.clone(), edges: vec![edge(0, 1, weight)], ..Graph::default() }
                    .draw()
                    .is_err()
            );
        }
        assert!(Graph::default().draw().is_err());
    }
}
