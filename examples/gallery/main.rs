//! Writes a page with every kind of figure: `cargo run --example gallery -- FOLDER`.
//!
//! The data is made up, and made to be awkward: forty models, long and hostile names, few runs, negative and undefined values.

mod charts;

use std::path::PathBuf;

use swarm_analyze::figures::{dark_css, figure_css};

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).map_or_else(|| PathBuf::from("gallery"), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    let mut figures = Vec::new();
    for chart in charts::all() {
        let shown = match chart.drawn {
            Ok(figure) => {
                std::fs::write(folder.join(format!("{}.svg", chart.name)), &figure.svg)?;
                format!("{}<p>{}</p>", figure.svg, figure.notes.join(" "))
            }
            Err(why) => format!("<p>{why}</p>"),
        };
        figures.push(format!("<h2>{}</h2>{shown}\n", chart.name));
    }
    let figures = figures.concat();
    for (name, paper, ink) in [("light", "#ffffff", "#222222"), ("dark", "#16181c", "#e6e6e6")] {
        let night = if name == "dark" { dark_css(":root") } else { String::new() };
        let page = format!(
            "<!doctype html><meta charset=utf-8><title>Figures</title><style>body{{background:{paper};color:{ink};font:14px sans-serif;margin:20px}}\n{}{night}</style>{figures}",
            figure_css(),
        );
        std::fs::write(folder.join(format!("{name}.html")), page)?;
    }
    Ok(())
}
