//! The look of every figure: colours, line styles, markers, sizes, and how numbers are written.

use std::fmt::Write as _;

pub use plotters::style::RGBColor as Colour;

/// Width of one column of a paper in points (3.3 inches).
pub const COLUMN: f64 = 237.6;
/// Width of a paper's page in points (7 inches).
pub const PAGE: f64 = 504.0;

/// Text size of titles and labels in points.
pub const LABEL: f64 = 8.5;
/// Text size of tick labels and legends in points.
pub const TICK: f64 = 8.0;
/// Text size inside cells in points.
pub const CELL: f64 = 7.0;

/// Text.
pub const INK: Colour = Colour(0x22, 0x22, 0x22);
/// Text of less weight, tick labels.
pub const MUTED: Colour = Colour(0x59, 0x59, 0x59);
/// Axis lines, ticks, reference lines.
pub const AXIS: Colour = Colour(0x8A, 0x8A, 0x8A);
/// Lines in the background that give context.
pub const CONTEXT: Colour = Colour(0xC9, 0xC9, 0xC9);
/// Grid lines.
pub const GRID: Colour = Colour(0xE4, 0xE4, 0xE4);
/// Cells without a value.
pub const MISSING: Colour = Colour(0xF1, 0xF1, 0xF1);
/// Behind everything.
pub const PAPER: Colour = Colour(0xFF, 0xFF, 0xFF);
/// Text on a strong colour, the same by day and night.
pub const ON_STRONG: Colour = Colour(0xFE, 0xFE, 0xFE);

/// Text on a light colour that stays light by night.
pub const ON_LIGHT: Colour = Colour(0x11, 0x11, 0x11);

/// Categories: the palette of Okabe and Ito (2008), "Color Universal Design".
pub const CATEGORIES: [Colour; 8] = [
    Colour(0x00, 0x72, 0xB2),
    Colour(0xE6, 0x9F, 0x00),
    Colour(0x00, 0x9E, 0x73),
    Colour(0xD5, 0x5E, 0x00),
    Colour(0x56, 0xB4, 0xE9),
    Colour(0xCC, 0x79, 0xA7),
    Colour(0xF0, 0xE4, 0x42),
    Colour(0x00, 0x00, 0x00),
];

/// Text in cells, and the eighth category.
const BLACK: Colour = CATEGORIES[7];

/// Opacity of bands.
pub const BAND: f64 = 0.2;
/// Up to how many raw values are drawn beside their summary.
pub const RAW_POINTS: usize = 30;

const FONTS: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/// The font families of all text, for the root element.
pub(super) fn fonts() -> &'static str {
    FONTS
}

/// Shapes of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A filled circle.
    Circle,
    /// A filled square.
    Square,
    /// A triangle that points up.
    Up,
    /// A diamond.
    Diamond,
    /// A triangle that points down.
    Down,
    /// An upright cross.
    Plus,
    /// A diagonal cross.
    Cross,
    /// An open circle.
    Ring,
}

const MARKERS: [Marker; 8] = [
    Marker::Circle,
    Marker::Square,
    Marker::Up,
    Marker::Diamond,
    Marker::Down,
    Marker::Plus,
    Marker::Cross,
    Marker::Ring,
];

/// Dash patterns in points, solid first.
const DASHES: [&[f64]; 5] = [&[], &[4.0, 1.8], &[1.2, 1.6], &[6.0, 1.6, 1.2, 1.6], &[8.0, 2.0]];

/// The colour of a category; eight repeat, told apart by [`marker`] and [`dash`].
pub fn colour(index: usize) -> Colour {
    CATEGORIES[index % CATEGORIES.len()]
}

/// The point shape of a category: colour and shape together are unique for 64 of them.
pub fn marker(index: usize) -> Marker {
    MARKERS[(index + index / CATEGORIES.len()) % MARKERS.len()]
}

/// The dash pattern of a category: colour and pattern together are unique for 40 of them.
pub fn dash(index: usize) -> &'static [f64] {
    DASHES[(index / CATEGORIES.len()) % DASHES.len()]
}

/// Steps of a diverging scale on either side of its middle.
pub const DIVERGING_STEPS: i32 = 10;
/// Steps of a sequential scale above its lowest.
pub const SEQUENTIAL_STEPS: i32 = 10;

/// End and middle colours of the scales by day and by night. By night the light ends become dark ones.
struct Ends {
    low: Colour,
    middle: Colour,
    high: Colour,
    pale: Colour,
    deep: Colour,
}

const DAY: Ends = Ends {
    low: Colour(0x00, 0x63, 0x9C),
    middle: Colour(0xF8, 0xF8, 0xF8),
    high: Colour(0xB3, 0x4E, 0x00),
    pale: Colour(0xF2, 0xF6, 0xFA),
    deep: Colour(0x00, 0x4C, 0x7A),
};

const NIGHT: Ends = Ends {
    low: Colour(0x1B, 0x7F, 0xBF),
    middle: Colour(0x26, 0x2A, 0x30),
    high: Colour(0xC0, 0x5A, 0x0C),
    pale: Colour(0x1F, 0x24, 0x2A),
    deep: Colour(0x22, 0x82, 0xBE),
};

fn mix(from: Colour, to: Colour, t: f64) -> Colour {
    let channel = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * t).round() as u8;
    Colour(channel(from.0, to.0), channel(from.1, to.1), channel(from.2, to.2))
}

impl Ends {
    fn diverging(&self, step: i32) -> Colour {
        let end = if step < 0 { self.low } else { self.high };
        mix(self.middle, end, f64::from(step.abs()) / f64::from(DIVERGING_STEPS))
    }

    fn sequential(&self, step: i32) -> Colour {
        mix(self.pale, self.deep, f64::from(step) / f64::from(SEQUENTIAL_STEPS))
    }
}

/// Blue below 0, white at 0, orange above, for `t` in [−1, 1], in 21 steps. Orange and blue differ for every common colour
/// vision deficiency.
pub fn diverging(t: f64) -> Colour {
    DAY.diverging((t.clamp(-1.0, 1.0) * f64::from(DIVERGING_STEPS)).round() as i32)
}

/// Pale to deep blue for `t` in [0, 1], in 11 steps.
pub fn sequential(t: f64) -> Colour {
    DAY.sequential((t.clamp(0.0, 1.0) * f64::from(SEQUENTIAL_STEPS)).round() as i32)
}

/// Blue over grey to orange for `t` in [0, 1], for points on any background.
pub fn feature_value(t: f64) -> Colour {
    let (grey, step) = (Colour(0xB4, 0xB4, 0xB4), (t.clamp(0.0, 1.0) * 10.0).round() / 5.0 - 1.0);
    if step < 0.0 { mix(grey, CATEGORIES[0], -step) } else { mix(grey, CATEGORIES[1], step) }
}

/// Relative luminance (WCAG 2.1).
fn luminance(colour: Colour) -> f64 {
    let channel = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(colour.0) + 0.7152 * channel(colour.1) + 0.0722 * channel(colour.2)
}

/// The text colour that is read best on this cell colour: black, which turns light by night as pale cells turn dark, or the
/// white that stays white.
pub fn text_on(cell: Colour) -> Colour {
    let contrast = |text: Colour| {
        let (a, b) = (luminance(text), luminance(cell));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    };
    if contrast(ON_STRONG) > contrast(BLACK) { ON_STRONG } else { BLACK }
}

/// The text colour on a category's colour, by day and night.
pub(super) fn text_on_category(cell: Colour) -> Colour {
    match text_on(cell) {
        // The eighth category turns light by night, as paper turns dark.
        _ if cell == BLACK => PAPER,
        ON_STRONG => ON_STRONG,
        _ => ON_LIGHT,
    }
}

/// A colour of the figures with its name and its night colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tone {
    /// Name of the CSS variable without its prefix.
    pub name: String,
    /// As it stands in the SVG.
    pub day: Colour,
    /// As the page shows it in dark mode.
    pub night: Colour,
}

/// Every colour that changes in dark mode; all others stay as they are.
pub fn tones() -> Vec<Tone> {
    let tone = |name: &str, day: Colour, night: Colour| Tone { name: name.to_owned(), day, night };
    let mut all = vec![
        tone("ink", INK, Colour(0xE6, 0xE6, 0xE6)),
        tone("muted", MUTED, Colour(0xAD, 0xB1, 0xB7)),
        tone("axis", AXIS, Colour(0x7D, 0x84, 0x8D)),
        tone("context", CONTEXT, Colour(0x4B, 0x51, 0x5A)),
        tone("grid", GRID, Colour(0x31, 0x36, 0x3D)),
        tone("missing", MISSING, Colour(0x22, 0x26, 0x2B)),
        tone("paper", PAPER, Colour(0x16, 0x18, 0x1C)),
        tone("blue", CATEGORIES[0], Colour(0x2E, 0x8B, 0xCA)),
        tone("black", CATEGORIES[7], Colour(0xF2, 0xF2, 0xF2)),
    ];
    for step in -DIVERGING_STEPS..=DIVERGING_STEPS {
        let name = format!("d{}", step + DIVERGING_STEPS);
        all.push(Tone { name, day: DAY.diverging(step), night: NIGHT.diverging(step) });
    }
    for step in 0..=SEQUENTIAL_STEPS {
        all.push(Tone { name: format!("s{step}"), day: DAY.sequential(step), night: NIGHT.sequential(step) });
    }
    all
}

/// `#RRGGBB`, as plotters writes it.
pub fn hex(colour: Colour) -> String {
    format!("#{:02X}{:02X}{:02X}", colour.0, colour.1, colour.2)
}

/// The style rules that a page with figures needs: width, and for each colour of [`tones`] a variable `--fig-…` that
/// falls back to the day colour. [`dark_css`] sets the variables.
pub fn figure_css() -> String {
    let mut css = String::from(
        "svg.figure{display:block;width:100%;height:auto}\nsvg.figure.column{max-width:26rem}\nsvg.figure.page{max-width:56rem}\n",
    );
    for Tone { name, day, .. } in tones() {
        let day = hex(day);
        // Writing to a string can't fail.
        let _ = writeln!(
            css,
            "svg.figure [fill=\"{day}\"]{{fill:var(--fig-{name},{day})}}svg.figure [stroke=\"{day}\"]{{stroke:var(--fig-{name},{day})}}"
        );
    }
    css
}

/// Sets the variables of [`figure_css`] to their night colours for elements under `scope`, for example
/// `:root[data-theme="dark"]`; wrap it in `@media (prefers-color-scheme: dark){…}` for the automatic switch.
pub fn dark_css(scope: &str) -> String {
    let mut css = format!("{scope}{{");
    for Tone { name, night, .. } in tones() {
        let _ = write!(css, "--fig-{name}:{};", hex(night));
    }
    css.push_str("}\n");
    css
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tones_have_unique_names_and_day_colours() {
        let all = tones();
        for (i, a) in all.iter().enumerate() {
            for b in &all[i + 1..] {
                assert_ne!(a.name, b.name);
                assert_ne!(a.day, b.day, "{} and {}", a.name, b.name);
            }
        }
    }

    #[test]
    fn cell_text_is_readable_by_day_and_night() {
        let contrast = |a: Colour, b: Colour| {
            let (a, b) = (luminance(a), luminance(b));
            (a.max(b) + 0.05) / (a.min(b) + 0.05)
        };
        let all = tones();
        let night_of = |colour: Colour| all.iter().find(|t| t.day == colour).map_or(colour, |t| t.night);
        for tone in all.iter().filter(|t| t.name.starts_with(['d', 's']) && t.name.len() < 4) {
            let text = text_on(tone.day);
            assert!(contrast(text, tone.day) >= 4.5, "{} by day", tone.name);
            assert!(contrast(night_of(text), tone.night) >= 3.0, "{} by night", tone.name);
        }
    }

    #[test]
    fn categories_differ_by_colour_and_shape() {
        for a in 0..64 {
            for b in 0..a {
                assert!((colour(a), marker(a)) != (colour(b), marker(b)), "{a} and {b}");
            }
        }
        for a in 0..40 {
            for b in 0..a {
                assert!((colour(a), dash(a)) != (colour(b), dash(b)), "{a} and {b}");
            }
        }
    }
}
