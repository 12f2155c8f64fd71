//! The figures of the gallery, with made-up data.

use swarm_analyze::figures::{
    Axis, Bar, BarPart, Bars, Beeswarm, BoxRow, BoxStrip, Cell, Colouring, Coverage, CoverageCell, Dot, Dots,
    Drawn, Edge, FitPoint, FiveNumbers, FrontPoint, Graph, GridAgent, GridMark, GridPanel, GridPicture,
    GridStyle, HeatMap, Importance, ImportanceRow, IsoLine, Key, LineBands, LinePanel, LinePoint, LineSeries,
    Node, Scatter, ScatterGroup, ScatterPoint, SwarmPoint, SwarmRow, Width,
};

/// A drawn figure of the gallery.
pub(crate) struct Chart {
    /// Name, fit for a file.
    pub(crate) name: &'static str,
    /// The figure.
    pub(crate) drawn: Drawn,
}

const HOSTILE: &str = "<script>alert(1)</script>\"'&\u{1b}[31m\u{0}";
const MODELS: [&str; 8] = [
    "claude-3.5-haiku",
    "deepseek-r1",
    "gemini-2.0-flash",
    "gpt-4.1",
    "llama-4-scout",
    "o4-mini",
    "qwq-32b",
    "deepseek-v3",
];
const TASKS: [&str; 5] = ["Pursuit", "Synchronization", "Foraging", "Flocking", "Transport"];

/// A repeatable sequence of numbers in 0..1.
pub(crate) struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

fn model(i: usize) -> Key {
    match i {
        0..8 => Key::of_model(MODELS[i], i),
        8 => Key::of_model(HOSTILE, 8),
        9 => Key::of_model("a-provider-with-a-long-name/family-of-models-70b-instruct-2025-05-14-preview", 9),
        _ => Key::of_model(format!("vendor-{}-model-{i}b", i % 7), i),
    }
}

fn curve(numbers: &mut Numbers, rounds: usize, top: f64) -> Vec<LinePoint> {
    let (rate, spread) = (numbers.between(0.01, 0.06), numbers.between(0.02, 0.12) * top);
    let mut wobble = 0.0;
    (0..rounds)
        .map(|r| {
            wobble = wobble * 0.9 + numbers.normal() * top * 0.008;
            let mean = top * (1.0 - (-rate * r as f64).exp()) + wobble;
            let half = spread * (r as f64 / rounds as f64).sqrt();
            LinePoint { x: r as f64, mean: Some(mean), low: Some(mean - half), high: Some(mean + half), n: 5 }
        })
        .collect()
}

fn lines(models: usize, panels: usize, rounds: usize) -> LineBands {
    let mut numbers = Numbers(7);
    let features =
        ["Dominant action share", "Mean polarisation", "Exploration rate", "Stillness", "Action entropy"];
    let panels = (0..panels).map(|p| LinePanel {
        title: if panels == 1 { String::new() } else { format!("{} {p}", features[p % 5]) },
        y: match p % 3 {
            _ if panels == 1 => Axis::new("Score").unit("points").include(0.0),
            0 => Axis::new("Value").include(0.0).include(1.0),
            1 => Axis::new("Value").unit("bits"),
            _ => Axis::new("Value").unit("tokens"),
        },
        series: (0..models)
            .map(|m| {
                let top =
                    numbers.between(0.2, 1.0) * [1.0, 3.0, 4e4][p % 3] * if panels == 1 { 20.0 } else { 1.0 };
                LineSeries { key: model(m), points: curve(&mut numbers, rounds, top) }
            })
            .collect(),
    });
    LineBands {
        title: "Score by round".into(),
        description: "Lines: mean over runs; bands: 95 % interval.".into(),
        x: Axis::new("Round").whole(),
        panels: panels.collect(),
        ..LineBands::default()
    }
}

fn heat(n: usize) -> HeatMap {
    let mut numbers = Numbers(3);
    let names: Vec<String> = (0..n)
        .map(|i| if i == 4 { HOSTILE.into() } else { format!("Feature with a long name {i}") })
        .collect();
    let cells = (0..n).map(|i| {
        (0..n)
            .map(|j| Cell {
                value: (i + 3 != j)
                    .then(|| if i == j { 1.0 } else { (numbers.normal() * 0.4).clamp(-1.0, 1.0) }),
                mark: if i % 3 == 0 && j % 2 == 0 { "**".into() } else { String::new() },
                detail: "n = 40".into(),
            })
            .collect()
    });
    HeatMap {
        title: "Correlations".into(),
        description: "Pearson's r between features.".into(),
        value: "Pearson's r".into(),
        rows: names.clone(),
        columns: names,
        cells: cells.collect(),
        ..HeatMap::default()
    }
}

fn table() -> HeatMap {
    let mut numbers = Numbers(5);
    HeatMap {
        title: "Mean score".into(),
        value: "Mean score (points)".into(),
        rows: (0..12).map(|i| model(i).label).collect(),
        columns: TASKS.iter().map(|t| (*t).to_owned()).collect(),
        cells: (0..12)
            .map(|_| (0..5).map(|_| Cell::of(Some(numbers.between(0.0, 22.0)))).collect())
            .collect(),
        colouring: Colouring::Sequential { low: Some(0.0), high: None },
        ..HeatMap::default()
    }
}

fn bars(n: usize, parts: usize, stacked: bool) -> Bars {
    let mut numbers = Numbers(11);
    let part_names = ["Goal attainment", "Adherence", "Loss"];
    let rows = (0..n).map(|i| {
        let parts = (0..parts).map(|p| {
            let value = if stacked { [52.0, 31.0, 17.0][p % 3] } else { numbers.normal() * 0.4 };
            let key =
                if parts == 1 { model(i) } else { Key::new(part_names[p % 3], p).model(model(i).label) };
            BarPart {
                key,
                value: (i != 3).then_some(value),
                low: (!stacked).then_some(value - 0.2),
                high: (!stacked).then_some(value + 0.2),
                points: if stacked {
                    vec![]
                } else {
                    (0..5).map(|_| value + numbers.normal() * 0.12).collect()
                },
                detail: "n = 5".into(),
            }
        });
        Bar {
            label: model(i).label,
            parts: parts.collect(),
            note: if stacked { String::new() } else { ["***", "*", "n.s."][i % 3].into() },
        }
    });
    Bars {
        title: "Bars".into(),
        value: if stacked { Axis::new("Share").unit("%") } else { Axis::new("Pearson's r with the score") },
        rows: rows.collect(),
        stacked,
        ..Bars::default()
    }
}

fn scatter(groups: usize, runs: usize, labelled: bool) -> Scatter {
    let mut numbers = Numbers(17);
    let groups = (0..groups).map(|g| ScatterGroup {
        key: model(g),
        points: (0..runs)
            .map(|_| {
                let x = numbers.between(0.0, 1.0);
                let y = 4.0 + 9.0 * x + numbers.normal();
                ScatterPoint {
                    x: Some(x),
                    y: Some(y),
                    low: labelled.then_some(y - 1.0),
                    high: labelled.then_some(y + 1.0),
                    label: if labelled { model(g).label } else { String::new() },
                    ..ScatterPoint::default()
                }
            })
            .collect(),
    });
    Scatter {
        title: "Scatter".into(),
        x: Axis::new("Share of digits in messages"),
        y: Axis::new("Score").unit("points").include(0.0),
        groups: groups.collect(),
        ..Scatter::default()
    }
}

fn fitted() -> Scatter {
    let fit = (0..=20).map(|i| {
        let x = f64::from(i) / 20.0;
        let half = 0.4 + (x - 0.5).abs();
        FitPoint { x, y: 4.0 + 9.0 * x, low: Some(4.0 + 9.0 * x - half), high: Some(4.0 + 9.0 * x + half) }
    });
    Scatter { fit: fit.collect(), fit_text: "r = 0.93, R² = 0.87, n = 40".into(), ..scatter(8, 5, false) }
}

fn cost() -> Scatter {
    let mut chart = scatter(12, 1, true);
    for (i, group) in chart.groups.iter_mut().enumerate() {
        for point in &mut group.points {
            point.x = point.x.map(|x| 1500.0 * (1.0 + x * 60.0));
            if i == 5 {
                point.x = Some(0.0);
            }
        }
    }
    let front = [(2e3, 4.0), (3e4, 8.0), (9e4, 12.5)].map(|(x, y)| FrontPoint { x, y });
    Scatter { x: Axis::new("Cost").unit("tokens").log(), front: front.to_vec(), ..chart }
}

fn efficiency() -> Scatter {
    let iso = [2.0, 5.0, 10.0, 20.0, 50.0].map(|slope| IsoLine { slope, label: format!("Eff = {slope}") });
    Scatter { iso: iso.to_vec(), ..scatter(6, 4, false) }
}

fn coverage(models: usize, seeds: usize) -> Coverage {
    let mut numbers = Numbers(23);
    let mut cells = Vec::new();
    for model in 0..models {
        for task in 0..5 {
            for seed in 0..seeds {
                if numbers.next() > 0.12 {
                    cells.push(CoverageCell {
                        model,
                        task,
                        seed,
                        runs: if numbers.next() > 0.95 { 2 } else { 1 },
                    });
                }
            }
        }
    }
    Coverage {
        title: "Coverage".into(),
        models: (0..models).map(model).collect(),
        tasks: TASKS.iter().map(|t| (*t).to_owned()).collect(),
        seeds: (0..seeds).map(|s| s.to_string()).collect(),
        cells,
        ..Coverage::default()
    }
}

fn dots(n: usize) -> Dots {
    let mut numbers = Numbers(29);
    let rows = (0..n).map(|i| {
        let mean = numbers.between(1.0, 20.0);
        Dot {
            key: model(i),
            mean: (i != 3).then_some(mean),
            low: Some(mean - 1.7),
            high: Some(mean + 1.7),
            points: (0..5).map(|_| mean + numbers.normal() * 1.4).collect(),
            note: "n = 5".into(),
        }
    });
    Dots {
        title: "Scores".into(),
        value: Axis::new("Score").unit("points").include(0.0),
        rows: rows.collect(),
        ..Dots::default()
    }
}

fn boxes(n: usize) -> BoxStrip {
    let mut numbers = Numbers(31);
    let rows = (0..n).map(|i| {
        let median = numbers.between(100.0, 900.0);
        let summary = FiveNumbers {
            low: median * 0.5,
            lower: median * 0.8,
            median,
            upper: median * 1.3,
            high: median * 1.9,
        };
        let points = if i % 2 == 0 {
            (0..9).map(|_| median * numbers.between(0.6, 1.7)).collect()
        } else {
            vec![median * 2.4]
        };
        BoxRow {
            key: model(i),
            summary: Some(summary),
            points,
            note: format!("n = {}", if i % 2 == 0 { 9 } else { 400 }),
        }
    });
    BoxStrip {
        title: "Lengths".into(),
        value: Axis::new("Message length").unit("characters"),
        rows: rows.collect(),
        ..BoxStrip::default()
    }
}

fn swarm() -> Beeswarm {
    let mut numbers = Numbers(37);
    let rows = (0..12).map(|i| {
        let strength = 4.0 / (f64::from(i) + 1.0);
        let points = (0..200).map(|_| {
            let feature = numbers.next();
            SwarmPoint {
                value: strength * (feature - 0.5) + numbers.normal() * 0.15,
                feature: (i != 5).then_some(feature),
            }
        });
        SwarmRow {
            label: format!("Feature with a long name {i}"),
            points: points.collect(),
            note: String::new(),
        }
    });
    Beeswarm {
        title: "Contributions".into(),
        value: Axis::new("Contribution to the predicted score").unit("points"),
        rows: rows.collect(),
        ..Beeswarm::default()
    }
}

fn importance() -> Importance {
    let mut numbers = Numbers(41);
    let rows = (0..10).map(|i| {
        let drop = 0.2 / (f64::from(i) + 1.0) - 0.01;
        ImportanceRow {
            label: format!("Neighbour cell {i}"),
            kind: if i % 3 == 0 { Key::new("message", 1) } else { Key::new("observation", 0) },
            drop: Some(drop),
            low: Some(drop - 0.012),
            high: Some(drop + 0.012),
            points: (0..5).map(|_| drop + numbers.normal() * 0.006).collect(),
            note: String::new(),
        }
    });
    Importance {
        title: "Importance".into(),
        measure: "macro-F1".into(),
        rows: rows.collect(),
        baseline: Some((0.02, "noise".into())),
        ..Importance::default()
    }
}

fn graph(n: usize, named: bool) -> Graph {
    let mut numbers = Numbers(43);
    let mut edges = Vec::new();
    for from in 0..n {
        for to in 0..n {
            if numbers.next() > 0.7 {
                edges.push(Edge { from, to, weight: (numbers.next() * 20.0).ceil() });
            }
        }
    }
    let nodes = (0..n).map(|i| Node {
        label: if named { model(i).label } else { i.to_string() },
        colour: i,
        detail: "12 sent".into(),
    });
    Graph {
        title: "Messages".into(),
        nodes: nodes.collect(),
        edges,
        weight: "messages".into(),
        ..Graph::default()
    }
}

fn world() -> GridPicture {
    let rows = [
        "WWWWWWWWWWWW",
        "W..........W",
        "W..BB......W",
        "W..BB...N..W",
        "W..........W",
        "W....P.....W",
        "W..........W",
        "W.F.......aW",
        "W........A.W",
        "W..........W",
        "W.....X....W",
        "WWWWWWWWWWWW",
    ];
    let agent = |x, y, label: &str, active, arrow| GridAgent { x, y, label: label.into(), active, arrow };
    let panel = |round: i32| GridPanel {
        title: format!("Round {round}"),
        rows: rows.iter().map(|r| (*r).to_owned()).collect(),
        agents: vec![
            agent(4, 5, "0", true, Some((1, 0))),
            agent(6, 5, "11", false, Some((0, -1))),
            agent(2, 2, "3", true, None),
        ],
        marks: vec![GridMark { x: 5, y: 5, label: "the prey is held".into() }],
    };
    GridPicture {
        title: "Moments".into(),
        panels: vec![panel(12), panel(13), panel(14)],
        ..GridPicture::default()
    }
}

fn map() -> GridPicture {
    let mut numbers = Numbers(47);
    let rows = (0..64).map(|_| (0..64).map(|_| if numbers.next() > 0.8 { '@' } else { '.' }).collect());
    let panel = GridPanel {
        rows: rows.collect(),
        agents: vec![GridAgent { x: 3, y: 4, active: true, ..GridAgent::default() }],
        ..GridPanel::default()
    };
    GridPicture { title: "Map".into(), panels: vec![panel], ..GridPicture::default() }
}

fn gomoku() -> GridPicture {
    let mut rows = vec![".".repeat(15); 15];
    rows[6] = "......BW.......".into();
    rows[7] = ".....WBBBB.....".into();
    rows[8] = "......WW.......".into();
    let panel = GridPanel {
        rows,
        marks: vec![GridMark { x: 10, y: 7, label: "wins".into() }],
        ..GridPanel::default()
    };
    GridPicture {
        title: "Board".into(),
        panels: vec![panel],
        style: GridStyle::Board,
        ..GridPicture::default()
    }
}

/// Charts of hardly any data.
fn poor() -> Vec<Chart> {
    let flat = |y: f64, n: usize| {
        (0..n).map(|i| LinePoint { x: i as f64, mean: Some(y), ..LinePoint::default() }).collect()
    };
    let mut constant = lines(2, 1, 30);
    constant.panels[0].series[0].points = flat(0.0, 30);
    constant.panels[0].series[1].points = flat(0.0, 30);
    let mut single = lines(1, 1, 1);
    single.panels[0].series[0].points = flat(12.5, 1);
    let mut gaps = lines(4, 1, 40);
    for (i, series) in gaps.panels[0].series.iter_mut().enumerate() {
        series.points.retain(|p| p.x < 40.0 - 9.0 * i as f64);
        for point in series.points.iter_mut().skip(8).step_by(9) {
            *point = LinePoint { x: point.x, ..LinePoint::default() };
        }
    }
    let one_bar = Bars {
        rows: vec![Bar::of(model(0), Some(-0.3))],
        value: Axis::new("Pearson's r"),
        ..Bars::default()
    };
    let zero_bars = Bars {
        rows: (0..3).map(|i| Bar::of(model(i), Some(0.0))).collect(),
        value: Axis::new("Score").unit("points"),
        ..Bars::default()
    };
    let mut one_point = scatter(1, 1, true);
    one_point.groups[0].points[0].x = Some(0.5);
    let large = Scatter { x: Axis::new("Tokens"), ..cost() };
    let one_cell = HeatMap {
        rows: vec!["gpt-4.1".into()],
        columns: vec!["Pursuit".into()],
        cells: vec![vec![Cell::of(Some(3.25))]],
        ..table()
    };
    vec![
        Chart { name: "poor-constant", drawn: constant.draw() },
        Chart { name: "poor-single", drawn: single.draw() },
        Chart { name: "poor-gaps", drawn: gaps.draw() },
        Chart { name: "poor-bar", drawn: one_bar.draw() },
        Chart { name: "poor-zeros", drawn: zero_bars.draw() },
        Chart { name: "poor-point", drawn: one_point.draw() },
        Chart { name: "poor-cell", drawn: one_cell.draw() },
        Chart { name: "poor-coverage", drawn: coverage(1, 1).draw() },
        Chart { name: "poor-dots", drawn: dots(1).draw() },
        Chart { name: "large-numbers", drawn: large.draw() },
    ]
}

/// Every figure of the gallery.
pub(crate) fn all() -> Vec<Chart> {
    let chart = |name, drawn| Chart { name, drawn };
    let mut all = vec![
        chart("lines-5", lines(5, 1, 100).draw()),
        chart("lines-12", lines(12, 1, 100).draw()),
        chart("lines-40", lines(40, 1, 100).draw()),
        chart("lines-6x9", lines(6, 9, 100).draw()),
        chart("lines-40x4", lines(40, 4, 60).draw()),
        chart("lines-short", lines(3, 1, 8).draw()),
        chart("lines-column", LineBands { width: Width::Column, ..lines(3, 4, 50) }.draw()),
        chart("heat-15", heat(15).draw()),
        chart("heat-40", heat(40).draw()),
        chart("heat-table", table().draw()),
        chart("bars-12", bars(12, 1, false).draw()),
        chart("bars-grouped", bars(6, 3, false).draw()),
        chart("bars-stacked", bars(10, 3, true).draw()),
        chart(
            "bars-40",
            Bars { reference: Some((0.25, "baseline 0.25".into())), ..bars(40, 1, false) }.draw(),
        ),
        chart("scatter-fit", fitted().draw()),
        chart("scatter-cost", cost().draw()),
        chart("scatter-iso", efficiency().draw()),
        chart("scatter-40", scatter(40, 5, false).draw()),
        chart("coverage-10", coverage(10, 5).draw()),
        chart(
            "coverage-tasks",
            Coverage { tasks: (0..22).map(|t| format!("scenario {t}")).collect(), ..coverage(9, 5) }.draw(),
        ),
        chart("heat-90", heat(90).draw()),
        chart("lines-40x15", lines(40, 15, 100).draw()),
        chart("coverage-40", coverage(40, 30).draw()),
        chart("dots-8", dots(8).draw()),
        chart("dots-40", dots(40).draw()),
        chart("boxes", boxes(11).draw()),
        chart("beeswarm", swarm().draw()),
        chart("importance", importance().draw()),
        chart("graph-12", graph(12, false).draw()),
        chart("graph-named", graph(11, true).draw()),
        chart("world", world().draw()),
        chart("map", map().draw()),
        chart("gomoku", gomoku().draw()),
        chart("empty", LineBands::default().draw()),
    ];
    all.extend(poor());
    all
}
