//! Every figure of the gallery is well-formed, escapes what it shows, and keeps its text inside.

use proptest::prelude::*;
use roxmltree::{Document, Node};
use swarm_analyze::figures::{
    Axis, Bar, BarPart, Bars, Beeswarm, BoxRow, BoxStrip, Cell, Colouring, Dot, Dots, Drawn, Edge, FitPoint,
    FiveNumbers, Graph, GridAgent, GridPanel, GridPicture, GridStyle, HeatMap, IsoLine, Key, LineBands,
    LinePanel, LinePoint, LineSeries, Node as GraphNode, Scatter, ScatterGroup, ScatterPoint, SwarmPoint,
    SwarmRow, Width, dark_css, figure_css, theme,
};

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

/// Horizontal texts as boxes: left, top, right, bottom, and what they say.
fn boxes(document: &Document<'_>) -> Vec<([f64; 4], String)> {
    let texts =
        document.descendants().filter(|n| n.has_tag_name("text") && n.attribute("transform").is_none());
    texts
        .map(|node| {
            let (x, y, size) = (number(&node, "x"), number(&node, "y"), number(&node, "font-size"));
            let said = shown(&node);
            let length = said.chars().count() as f64 * size * 0.45;
            let left = match node.attribute("text-anchor") {
                Some("middle") => x - length / 2.0,
                Some("end") => x - length,
                _ => x,
            };
            ([left, y - size * 0.65, left + length, y], said)
        })
        .collect()
}

#[test]
fn texts_do_not_overlap() {
    for chart in charts::all() {
        let Ok(figure) = chart.drawn else { continue };
        let document = Document::parse(&figure.svg).unwrap();
        let all = boxes(&document);
        for (i, (a, said)) in all.iter().enumerate() {
            for (b, other) in &all[i + 1..] {
                let apart = a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3];
                assert!(apart, "{}: {said:?} {a:?} over {other:?} {b:?}", chart.name);
            }
        }
    }
}

#[test]
fn every_colour_is_fit_for_light_and_dark_pages() {
    let fixed = theme::CATEGORIES.into_iter().chain([theme::ON_STRONG, theme::ON_LIGHT]);
    let steps = (0..=10).map(|i| theme::feature_value(f64::from(i) / 10.0));
    let known: Vec<String> =
        fixed.chain(steps).chain(theme::tones().into_iter().map(|tone| tone.day)).map(theme::hex).collect();
    for chart in charts::all() {
        let Ok(figure) = chart.drawn else { continue };
        let document = Document::parse(&figure.svg).unwrap();
        for node in document.descendants().filter(Node::is_element) {
            for colour in [node.attribute("fill"), node.attribute("stroke")].into_iter().flatten() {
                assert!(colour == "none" || known.iter().any(|k| k == colour), "{}: {colour}", chart.name);
            }
        }
    }
    let (rules, night) = (figure_css(), dark_css(":root"));
    for tone in theme::tones() {
        assert!(rules.contains(&format!(
            "[fill=\"{}\"]{{fill:var(--fig-{},",
            theme::hex(tone.day),
            tone.name
        )));
        assert!(night.contains(&format!("--fig-{}:{};", tone.name, theme::hex(tone.night))));
    }
}

#[test]
fn the_same_data_gives_the_same_bytes() {
    for (a, b) in charts::all().into_iter().zip(charts::all()) {
        assert_eq!(a.drawn, b.drawn, "{}", a.name);
    }
}

/// Any value a hostile or broken log can lead to.
fn odd() -> impl Strategy<Value = Option<f64>> {
    prop_oneof![
        Just(None),
        prop::sample::select(vec![
            0.0,
            -0.0,
            5e-324,
            -5e-324,
            1e-300,
            1e308,
            f64::MAX,
            f64::MIN,
            f64::NAN,
            f64::INFINITY
        ])
        .prop_map(Some),
        (-1e3..1e3_f64).prop_map(Some),
        any::<f64>().prop_map(Some),
    ]
}

/// Any text, control characters and noncharacters included.
fn name() -> impl Strategy<Value = String> {
    prop::collection::vec(any::<char>(), 0..40).prop_map(|chars| chars.into_iter().collect())
}

/// Every chart of the same values and names.
fn drawn(values: &[Option<f64>], names: &[String], log: bool, width: Width) -> Vec<Drawn> {
    let name = |i: usize| names[i % names.len()].clone();
    let value = |i: usize| values[i % values.len()];
    let plain = |i: usize| value(i).unwrap_or(f64::NAN);
    let axis = |i: usize| Axis { log, whole: i.is_multiple_of(2), ..Axis::new(name(i)).unit(name(i + 1)) };
    let n = values.len();
    let title = || name(0);
    let points = |k: usize| -> Vec<LinePoint> {
        (0..n)
            .map(|i| LinePoint {
                x: plain(i + k),
                mean: value(i),
                low: value(i + 1),
                high: value(i + 2),
                n: i,
            })
            .collect()
    };
    let series = |k: usize| LineSeries { key: Key::of_model(name(k), k), points: points(k) };
    let panel =
        |k: usize| LinePanel { title: name(k), y: axis(k), series: (0..=k * 9).map(series).collect() };
    let lines = |panels: usize| LineBands {
        title: title(),
        x: axis(0),
        panels: (0..panels).map(panel).collect(),
        width,
        ..LineBands::default()
    };
    let part = |k: usize| BarPart {
        key: Key::of_model(name(k), k),
        value: value(k),
        low: value(k + 1),
        high: value(k + 2),
        points: (0..n).map(plain).collect(),
        detail: name(k),
    };
    let bars = |stacked| Bars {
        title: title(),
        value: axis(0),
        rows: (0..n)
            .map(|i| Bar { label: name(i), parts: (0..i % 4).map(part).collect(), note: name(i + 2) })
            .collect(),
        stacked,
        reference: Some((plain(1), name(1))),
        width,
        ..Bars::default()
    };
    let heat = |colouring| HeatMap {
        title: title(),
        value: name(1),
        rows: (0..n).map(name).collect(),
        columns: (0..=n).map(name).collect(),
        cells: (0..n)
            .map(|i| (0..n).map(|j| Cell { value: value(i + j), mark: name(j), detail: name(i) }).collect())
            .collect(),
        colouring,
        width,
        ..HeatMap::default()
    };
    let group = |k: usize| ScatterGroup {
        key: Key::of_model(name(k), k),
        points: (0..n)
            .map(|i| ScatterPoint {
                x: value(i),
                y: value(i + k),
                low: value(i + 1),
                high: value(i + 2),
                label: name(i),
                detail: name(k),
            })
            .collect(),
    };
    let five = |k: usize| FiveNumbers {
        low: plain(k),
        lower: plain(k + 1),
        median: plain(k + 2),
        upper: plain(k),
        high: plain(k),
    };
    vec![
        lines(1).draw(),
        lines(3).draw(),
        bars(false).draw(),
        bars(true).draw(),
        heat(Colouring::Diverging { limit: value(0) }).draw(),
        heat(Colouring::Sequential { low: value(0), high: value(1) }).draw(),
        Scatter {
            title: title(),
            x: axis(0),
            y: axis(1),
            groups: (0..3).map(group).collect(),
            fit: (0..n)
                .map(|i| FitPoint { x: plain(i), y: plain(i + 1), low: value(i), high: value(i + 2) })
                .collect(),
            fit_text: name(2),
            iso: (0..n).map(|i| IsoLine { slope: plain(i), label: name(i) }).collect(),
            width,
            ..Scatter::default()
        }
        .draw(),
        Dots {
            title: title(),
            value: axis(1),
            rows: (0..n)
                .map(|i| Dot {
                    key: Key::new(name(i), i),
                    mean: value(i),
                    low: value(i + 1),
                    high: value(i + 2),
                    points: vec![plain(i)],
                    note: name(i),
                })
                .collect(),
            width,
            ..Dots::default()
        }
        .draw(),
        BoxStrip {
            title: title(),
            value: axis(1),
            rows: (0..n)
                .map(|i| BoxRow {
                    key: Key::new(name(i), i),
                    summary: Some(five(i)),
                    points: vec![plain(i)],
                    note: name(i),
                })
                .collect(),
            width,
            ..BoxStrip::default()
        }
        .draw(),
        Beeswarm {
            title: title(),
            value: axis(1),
            rows: vec![SwarmRow {
                label: name(0),
                points: (0..n).map(|i| SwarmPoint { value: plain(i), feature: value(i + 1) }).collect(),
                note: name(1),
            }],
            width,
            ..Beeswarm::default()
        }
        .draw(),
        Graph {
            title: title(),
            nodes: (0..n).map(|i| GraphNode { label: name(i), colour: i, detail: name(i + 1) }).collect(),
            edges: (0..n).map(|i| Edge { from: i, to: (i * 7 + 1) % n, weight: plain(i) }).collect(),
            weight: name(2),
            width,
            ..Graph::default()
        }
        .draw(),
        GridPicture {
            title: title(),
            panels: vec![GridPanel {
                title: name(0),
                rows: names.to_vec(),
                agents: vec![GridAgent {
                    label: name(1),
                    active: log,
                    arrow: Some((1, -1)),
                    ..GridAgent::default()
                }],
                ..GridPanel::default()
            }],
            style: if log { GridStyle::Board } else { GridStyle::World },
            width,
            ..GridPicture::default()
        }
        .draw(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_values_and_names_give_well_formed_figures_or_a_sentence(
        values in prop::collection::vec(odd(), 1..9),
        names in prop::collection::vec(name(), 1..5),
        log in any::<bool>(),
        column in any::<bool>(),
    ) {
        let width = if column { Width::Column } else { Width::Page };
        for (i, result) in drawn(&values, &names, log, width).into_iter().enumerate() {
            match result {
                Ok(figure) => {
                    let document = Document::parse(&figure.svg);
                    prop_assert!(document.is_ok(), "chart {i}: {document:?}");
                    prop_assert!(figure.height.is_finite() && figure.height > 0.0 && figure.height < 5000.0);
                    prop_assert!(!figure.svg.contains("=\"NaN") && !figure.svg.contains("=\"inf"), "chart {i}");
                }
                Err(why) => prop_assert!(why.to_string().ends_with('.')),
            }
        }
    }
}
