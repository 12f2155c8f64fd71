//! Axes: from a set of values to a guarded range with round ticks.
//!
//! Ranges and ticks are made here, not by plotters, whose search for key points does not end for an empty, reversed or
//! non-finite range (plotters issue #255, criterion.rs issue #467).

use super::text;

/// What an axis shows and how.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// Name of the quantity.
    pub title: String,
    /// Its unit; empty if it has none.
    pub unit: String,
    /// Values that the axis shows at least, for example the ends of the quantity's range.
    pub include: Vec<f64>,
    /// Whether ticks are whole numbers only.
    pub whole: bool,
    /// Whether the axis is logarithmic; values of 0 and less can't be shown then.
    pub log: bool,
}

impl Axis {
    /// An axis of this name.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// With this unit.
    pub fn unit(self, unit: impl Into<String>) -> Self {
        Self { unit: unit.into(), ..self }
    }

    /// That shows this value at least.
    pub fn include(mut self, value: f64) -> Self {
        self.include.push(value);
        self
    }

    /// With ticks at whole numbers only.
    pub fn whole(self) -> Self {
        Self { whole: true, ..self }
    }

    /// Logarithmic.
    pub fn log(self) -> Self {
        Self { log: true, ..self }
    }

    /// Title and unit as they stand at the axis.
    pub(super) fn label(&self) -> String {
        if self.unit.is_empty() { self.title.clone() } else { format!("{} ({})", self.title, self.unit) }
    }

    /// Whether the axis can show this value.
    pub(super) fn shows(&self, value: f64) -> bool {
        value.is_finite() && (!self.log || value > 0.0)
    }

    /// The scale over `values`; `ticks` is about how many ticks have room, `tight` keeps the ends at the values instead of
    /// the next ticks. None if there is no value that the axis can show.
    pub(super) fn scale(
        &self,
        values: impl IntoIterator<Item = f64>,
        ticks: usize,
        tight: bool,
    ) -> Option<Scale> {
        let mut seen = false;
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let include = self.include.iter().copied().map(|value| (value, false));
        for (value, is_data) in values.into_iter().map(|value| (value, true)).chain(include) {
            if self.shows(value) {
                seen |= is_data;
                low = low.min(value + 0.0);
                high = high.max(value + 0.0);
            }
        }
        if !seen {
            return None;
        }
        Some(if self.log {
            log_scale(low, high)
        } else {
            linear_scale(low, high, ticks.max(2), tight, self.whole)
        })
    }
}

/// A range with ticks. Its ends are finite and differ.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) ticks: Vec<f64>,
    pub(super) labels: Vec<String>,
    log: bool,
}

impl Scale {
    /// Place of a value between the ends, 0 to 1; values outside stand at the nearer end.
    pub(super) fn place(&self, value: f64) -> f64 {
        // Halves, so that the span of the widest range is finite.
        let (value, low, high) = if self.log {
            (value.max(f64::MIN_POSITIVE).log10(), self.low.log10(), self.high.log10())
        } else {
            (value / 2.0, self.low / 2.0, self.high / 2.0)
        };
        let t = (value - low) / (high - low);
        if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.5 }
    }

    /// Whether the value lies between the ends.
    pub(super) fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Values at `n` + 1 equal distances from end to end.
    pub(super) fn grid(&self, n: usize) -> impl Iterator<Item = f64> + '_ {
        (0..=n).map(move |i| {
            let t = i as f64 / n.max(1) as f64;
            if self.log {
                let (a, b) = (self.low.log10(), self.high.log10());
                10f64.powf(a + (b - a) * t)
            } else {
                self.low * (1.0 - t) + self.high * t
            }
        })
    }
}

/// Equal or nearly equal ends are moved apart, so that a constant stands in the middle of its axis; zero stands at the foot.
fn apart(low: f64, high: f64) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    if size < 1e-290 {
        return (0.0, 1.0);
    }
    if high / 2.0 - low / 2.0 > size * 1e-9 {
        return (low, high);
    }
    let pad = size * 0.1;
    ((low - pad).max(f64::MIN), (high + pad).min(f64::MAX))
}

fn linear_scale(low: f64, high: f64, target: usize, tight: bool, whole: bool) -> Scale {
    let (mut low, mut high) =
        if whole && high - low < 1.0 { (low.floor(), low.floor() + 1.0) } else { apart(low, high) };
    if high <= low {
        // Whole numbers too large to be moved by one.
        (low, high) = apart(low, low);
    }
    let raw = (high / 2.0 - low / 2.0) / target as f64 * 2.0;
    let mut step = round_up_to_nice(raw, whole);
    for _ in 0..2 {
        // Two ticks or fewer don't show a scale.
        let finer = round_up_to_nice(step * 0.4, whole);
        if (high / step).floor() - (low / step).ceil() < 1.5 && finer < step {
            step = finer;
        }
    }
    if !tight {
        (low, high) = rounded_ends(low, high, step);
    }
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    let count = (last - first).clamp(0.0, 40.0) as usize;
    let ticks: Vec<f64> = (0..=count)
        .map(|i| multiple(first + i as f64, step))
        .filter(|t| t.is_finite() && (low..=high).contains(t))
        .collect();
    let labels = text::tick_labels(&ticks, step);
    Scale { low, high, ticks, labels, log: false }
}

/// The ends moved outwards to the next ticks; only a little way, where the values hardly pass a tick.
fn rounded_ends(low: f64, high: f64, step: f64) -> (f64, f64) {
    let (below, above) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
    let (over_low, over_high) = (below + 1.0 - low / step, high / step - above + 1.0);
    let outer = |n: f64, over: f64, value: f64, away: f64| {
        let tick = multiple(n, step);
        let moved = if over < 0.3 && over > 1e-9 { value + away * 0.1 * step } else { tick };
        if moved.is_finite() { moved } else { value }
    };
    (outer(below, over_low, low, -1.0).min(low), outer(above, over_high, high, 1.0).max(high))
}

/// The product, by division where the step is a fraction, so that 3 · 0.1 is 0.3; a zero has no sign.
fn multiple(n: f64, step: f64) -> f64 {
    let inverse = (1.0 / step).round();
    let exact = step < 1.0 && inverse < 1e15 && (inverse * step - 1.0).abs() < 1e-9;
    (if exact { n / inverse } else { n * step }) + 0.0
}

/// The next of 1, 2, 5 times a power of ten.
fn round_up_to_nice(raw: f64, whole: bool) -> f64 {
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].iter().map(|m| m * power).find(|s| *s >= raw * 0.999_999).unwrap_or(raw);
    let step = if step.is_finite() && step > 0.0 { step } else { raw };
    if whole { step.max(1.0) } else { step }
}

/// From power of ten to power of ten. Values beyond 10⁻³⁰⁰ and 10³⁰⁸ stand at the ends.
fn log_scale(low: f64, high: f64) -> Scale {
    let from = (low.log10().floor() as i32).clamp(-300, 307);
    let to = (high.log10().ceil() as i32).clamp(from + 1, 308);
    let every = (to - from) / 6 + 1;
    let factors = if to - from <= 2 { &[1.0, 2.0, 5.0][..] } else { &[1.0][..] };
    let mut ticks = Vec::new();
    for power in (from..=to).step_by(every as usize) {
        let all = factors.iter().map(|factor| factor * 10f64.powi(power));
        ticks.extend(all.take(if power == to { 1 } else { factors.len() }));
    }
    let labels = ticks.iter().map(|&t| text::number(t, 3)).collect();
    Scale { low: 10f64.powi(from), high: 10f64.powi(to), ticks, labels, log: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(scale: &Scale) {
        assert!(scale.low.is_finite() && scale.high.is_finite() && scale.low < scale.high, "{scale:?}");
        assert!(scale.ticks.len() <= 41 && scale.ticks.len() == scale.labels.len(), "{scale:?}");
        for &tick in &scale.ticks {
            assert!(tick.is_finite() && scale.contains(tick), "{scale:?}");
        }
    }

    #[test]
    fn any_values_give_a_finite_increasing_range() {
        let odd = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            5e-324,
            -5e-324,
            1e-300,
            1e308,
            -1e308,
            f64::MAX,
            f64::MIN,
            0.1,
            1e15,
            1e15 + 1.0,
        ];
        for &a in &odd {
            for &b in &odd {
                for target in [0, 2, 5, 10] {
                    for (tight, whole, log) in [
                        (true, false, false),
                        (false, false, false),
                        (false, true, false),
                        (false, false, true),
                    ] {
                        let axis = Axis { whole, log, ..Axis::new("x") };
                        match axis.scale([a, b, f64::NAN, f64::INFINITY], target, tight) {
                            Some(scale) => {
                                check(&scale);
                                assert!((0.0..=1.0).contains(&scale.place(a)));
                            }
                            None => assert!(log && a <= 0.0 && b <= 0.0, "{a:e} {b:e}"),
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_to_show_is_no_scale() {
        assert_eq!(Axis::new("x").include(0.0).scale([], 5, false), None);
        assert_eq!(Axis::new("x").scale([f64::NAN], 5, false), None);
        assert_eq!(Axis::new("x").log().scale([0.0, -3.0], 5, false), None);
    }

    #[test]
    fn ticks_are_round_and_include_the_ends() {
        let scale = Axis::new("x").include(0.0).scale([0.93], 5, false).unwrap();
        assert_eq!(scale.labels, ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        let scale = Axis::new("round").whole().scale([0.0, 3.0], 8, true).unwrap();
        assert_eq!(scale.labels, ["0", "1", "2", "3"]);
        let scale = Axis::new("cost").log().scale([3.0, 4200.0], 5, false).unwrap();
        assert_eq!(scale.labels, ["1", "10", "100", "1000", "10\u{202F}000"]);
        let scale = Axis::new("x").scale([7.0, 7.0], 4, false).unwrap();
        assert!((scale.place(7.0) - 0.5).abs() < 0.2, "{scale:?}");
    }
}
