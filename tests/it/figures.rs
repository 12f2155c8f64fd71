//! Every figure of the gallery is well-formed, escapes what it shows, and keeps its text inside.

use roxmltree::{Document, Node};

#[path = "../../examples/gallery/charts.rs"]
mod charts;

/// The text of an element without its tooltip.
fn shown(node: &Node<'_, '_>) -> String {
    node.children().filter(Node::is_text).filter_map(|n| n.text()).collect()
}

fn number(node: &Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).and_then(|v| v.parse().ok()).unwrap_or(f64::NAN)
}

#[test]
fn figures_are_well_formed_and_named() {
    for chart in charts::all() {
        let Ok(figure) = chart.drawn else { continue };
        let document = Document::parse(&figure.svg).unwrap_or_else(|e| panic!("{}: {e}", chart.name));
        let root = document.root_element();
        assert_eq!(root.attribute("role"), Some("img"), "{}", chart.name);
        assert!(root.attribute("width").is_none() && root.attribute("height").is_none());
        let first: Vec<&str> =
            root.children().filter(Node::is_element).take(2).map(|n| n.tag_name().name()).collect();
        assert_eq!(first, ["title", "desc"], "{}", chart.name);
        assert!(document.descendants().all(|n| n.tag_name().name() != "script"), "{}", chart.name);
        assert!(
            !figure.svg.contains("&amp;lt;") && !figure.svg.contains("&amp;amp;"),
            "{} escapes twice",
            chart.name
        );
        assert!(!figure.svg.contains("NaN") && !figure.svg.contains("inf\""), "{}", chart.name);
    }
}

#[test]
fn hostile_names_are_shown_as_they_are() {
    let chart = charts::all().into_iter().find(|c| c.name == "bars-12").unwrap();
    let figure = chart.drawn.unwrap();
    let document = Document::parse(&figure.svg).unwrap();
    let wanted = "<script>alert(1)</script>\"'&\u{FFFD}[31m\u{FFFD}";
    let model = document.descendants().find(|n| n.attribute("data-model") == Some(wanted));
    assert!(
        model.is_some_and(|n| n.descendants().any(|t| t.text().is_some_and(|t| t.starts_with("<script>"))))
    );
}

#[test]
fn text_stays_inside_the_view_box() {
    for chart in charts::all() {
        let Ok(figure) = chart.drawn else { continue };
        let document = Document::parse(&figure.svg).unwrap();
        let view: Vec<f64> = document
            .root_element()
            .attribute("viewBox")
            .unwrap()
            .split(' ')
            .map(|v| v.parse().unwrap())
            .collect();
        for node in document.descendants().filter(|n| n.has_tag_name("text")) {
            let (x, y, size) = (number(&node, "x"), number(&node, "y"), number(&node, "font-size"));
            // Average width of a character of Liberation Sans over the texts of the gallery is 0.5 em.
            let length = shown(&node).chars().count() as f64 * size * 0.5;
            let before = match node.attribute("text-anchor") {
                Some("middle") => length / 2.0,
                Some("end") => length,
                _ => 0.0,
            };
            let (from, to, limit) = if node.attribute("transform").is_some() {
                (y - (length - before), y + before, view[3])
            } else {
                (x - before, x - before + length, view[2])
            };
            let slack = size * 0.2;
            assert!(
                from >= -slack && to <= limit + slack,
                "{}: {:?} {from} {to} of {limit}",
                chart.name,
                shown(&node)
            );
            assert!(
                (0.0..=view[3]).contains(&y) && (0.0..=view[2]).contains(&x),
                "{}: {:?}",
                chart.name,
                shown(&node)
            );
        }
    }
}

#[test]
fn the_same_data_gives_the_same_bytes() {
    for (a, b) in charts::all().into_iter().zip(charts::all()) {
        assert_eq!(a.drawn, b.drawn, "{}", a.name);
    }
}
