//! The trajectory measures as tables: of runs, groups or units.

use serde_json::{Map, json};

use super::labels::Tolerance;
use super::metric::{Estimate, METRICS};
use super::overview::{GroupRow, RunRow, Settings, Trajectories};
use super::trace::RunTrace;
use crate::table::{Cell, Head, Kind, Row, Schema};

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Level {
    /// A run.
    Run,
    /// All runs of a task, method and model.
    Group,
    /// A unit.
    Unit,
    /// A proposer in a unit.
    Agent,
}

fn text(name: &str) -> Head {
    Head::new(name, Kind::Text)
}

fn integer(name: &str) -> Head {
    Head::new(name, Kind::Integer)
}

fn measure_heads() -> impl Iterator<Item = Head> {
    METRICS.iter().flat_map(|metric| {
        let bound = |end: &str, title: &str| {
            Head::number(&format!("{}_{end}", metric.id), metric.unit, &format!("{}: {title}", metric.title))
        };
        [
            Head::number(metric.id, metric.unit, metric.title),
            bound("low", "lower end of the interval"),
            bound("high", "upper end of the interval"),
            integer(&format!("{}_n", metric.id)),
        ]
    })
}

fn measure_cells(estimates: &[Estimate]) -> impl Iterator<Item = Cell> {
    estimates.iter().flat_map(|estimate| {
        let number = Cell::number;
        [
            number(estimate.value),
            number(estimate.low),
            number(estimate.high),
            Cell::Integer(estimate.n as i64),
        ]
    })
}

/// The table's schema.
pub fn schema(level: Level, settings: &Settings) -> Schema {
    let (name, heads): (&str, Vec<Head>) = match level {
        Level::Run => {
            let names = ["run_id", "batch", "benchmark", "task", "setting", "method", "model"];
            let counts = [
                "seed",
                "proposers",
                "rounds",
                "units",
                "episodes",
                "duplicate_units",
                "unlabelled_units",
                "malformed_outputs",
                "unscored_outputs",
            ];
            let heads = names.map(text).into_iter().chain(counts.map(integer));
            (
                "run",
                heads
                    .chain([text("baseline_run_id"), Head::new("meta", Kind::Any)])
                    .chain(measure_heads())
                    .collect(),
            )
        }
        Level::Group => {
            let heads = ["task", "method", "model"].map(text).into_iter();
            (
                "group",
                heads.chain([Head::new("by", Kind::Any), integer("runs")]).chain(measure_heads()).collect(),
            )
        }
        Level::Unit => {
            let points = |name: &str, title: &str| Head::number(name, "points", title);
            let heads = vec![
                text("run_id"),
                text("batch"),
                text("unit_id"),
                text("episode_id"),
                points("best_initial", "Best initial score b"),
                points("best_final", "Best final score"),
                points("max_score", "Highest attainable score S⋆"),
                points("answer_score", "Answer's score"),
                text("gab"),
                points("aggregation_loss", "Best final score − answer's score"),
                Head::number("tokens", "tokens", "Tokens of all calls"),
                Head::new("final_proposals_agree", Kind::Boolean),
            ];
            ("unit", heads)
        }
        Level::Agent => {
            let points = |name: &str, title: &str| Head::number(name, "points", title);
            let heads = vec![
                text("run_id"),
                text("batch"),
                text("unit_id"),
                text("agent"),
                points("initial", "Score of the initial proposal"),
                points("final", "Score of the final proposal"),
                text("group"),
                text("ar"),
            ];
            ("agent", heads)
        }
    };
    let intervals = settings.intervals;
    let facts = json!({"resamples": intervals.resamples, "level": intervals.level, "seed": intervals.seed, "by": settings.by});
    let settings = match facts {
        serde_json::Value::Object(map) => map,
        _ => Map::new(),
    };
    Schema { name: format!("swarm-analyze/trajectories-{name}/1"), heads, settings }
}

fn run_row(run: &RunRow) -> Row {
    let whole = |n: u64| Cell::Integer(n as i64);
    let maybe = |n: Option<i64>| n.map_or(Cell::Null, Cell::Integer);
    let optional = |text: Option<&String>| text.map_or(Cell::Null, |text| Cell::text(text.as_str()));
    let mut row = vec![
        Cell::text(&run.key.run_id),
        Cell::text(&run.key.batch),
        optional(run.benchmark.as_ref()),
        Cell::text(&run.task),
        Cell::text(if run.dynamic { "dynamic" } else { "static" }),
        Cell::text(&run.method),
        Cell::text(&run.model),
        maybe(run.seed),
        maybe(run.proposers.map(i64::from)),
        maybe(run.rounds.map(i64::from)),
        whole(run.units),
        maybe(run.episodes.map(|n| n as i64)),
        whole(run.duplicate_units),
        whole(run.unlabelled),
        whole(run.malformed),
        whole(run.unscored),
        optional(run.baseline.as_ref().map(|key| &key.run_id)),
        Cell::Any(json!(run.columns)),
    ];
    row.extend(measure_cells(&run.estimates));
    row
}

fn group_row(group: &GroupRow) -> Row {
    let mut row = vec![
        Cell::text(&group.task),
        Cell::text(&group.method),
        Cell::text(&group.model),
        Cell::Any(json!(group.by)),
        Cell::Integer(group.runs as i64),
    ];
    row.extend(measure_cells(&group.estimates));
    row
}

/// Hands every row of the table to `sink`, in order.
///
/// # Errors
/// The first of `sink`.
pub fn rows<E>(
    level: Level,
    runs: &[RunTrace],
    all: &Trajectories,
    mut sink: impl FnMut(Row) -> Result<(), E>,
) -> Result<(), E> {
    match level {
        Level::Run => all.runs.iter().try_for_each(|run| sink(run_row(run))),
        Level::Group => all.groups.iter().try_for_each(|group| sink(group_row(group))),
        Level::Unit => runs.iter().try_for_each(|run| {
            run.views().try_for_each(|view| {
                sink(vec![
                    Cell::text(&run.meta.key.run_id),
                    Cell::text(&run.meta.key.batch),
                    Cell::text(view.id),
                    view.episode().map_or(Cell::Null, |episode| Cell::text(&episode.id)),
                    Cell::number(view.best_initial()),
                    Cell::number(view.best_final()),
                    Cell::number(view.unit.max.get()),
                    Cell::number(view.unit.answer.get()),
                    view.gab(Tolerance::Exact).map_or(Cell::Null, |gain| Cell::text(gain.name())),
                    Cell::number(view.aggregation_loss()),
                    Cell::number(view.unit.tokens.get()),
                    view.unit.agree.map_or(Cell::Null, Cell::Boolean),
                ])
            })
        }),
        Level::Agent => runs.iter().try_for_each(|run| {
            run.views().try_for_each(|view| {
                view.agents.iter().zip(view.refinements(Tolerance::Exact)).try_for_each(
                    |(trace, (agent, label))| {
                        let group = label.map(|label| match label {
                            super::labels::Refinement::Strong(_) => "strong",
                            super::labels::Refinement::Weak(_) => "weak",
                        });
                        sink(vec![
                            Cell::text(&run.meta.key.run_id),
                            Cell::text(&run.meta.key.batch),
                            Cell::text(view.id),
                            Cell::text(agent),
                            Cell::number(trace.initial.get()),
                            Cell::number(trace.last.get()),
                            group.map_or(Cell::Null, Cell::text),
                            label.map_or(Cell::Null, |label| Cell::text(label.name())),
                        ])
                    },
                )
            })
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trajectory::estimate::Intervals;

    #[test]
    fn names_are_unique_at_every_level() {
        let intervals = Intervals { resamples: 0, level: 0.95, seed: 0 };
        let settings = Settings { intervals, by: Vec::new() };
        for level in [Level::Run, Level::Group, Level::Unit, Level::Agent] {
            let heads = schema(level, &settings).heads;
            let names: std::collections::BTreeSet<&str> =
                heads.iter().map(|head| head.name.as_str()).collect();
            assert_eq!(names.len(), heads.len(), "{level:?}");
        }
    }
}
