//! What drives actions and scores, the moments, keywords and protocols, as tables for files.

use serde_json::Value;

use super::tables::{count, schema};
use super::{Drivers, Moment};
use crate::attribution::study::{Attribution, ImportanceRow, Spread};
use crate::table::{Cell, Head, Kind, Row, Schema};

/// A table of [`Drivers`] by its file's name.
pub struct DriverTable {
    /// Name of the file, without ending.
    pub name: &'static str,
    /// Its columns.
    pub schema: Schema,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// All tables of this stage, in the order of the report.
pub fn driver_tables(drivers: &Drivers) -> Vec<DriverTable> {
    let table =
        |name, (heads, rows): (Vec<Head>, Vec<Row>)| DriverTable { name, schema: schema(name, heads), rows };
    vec![
        table("moments", moments(drivers)),
        table("protocol_by_model", protocol(drivers)),
        table("keywords", keywords(drivers)),
        table("attribution", attribution(drivers)),
        table("importance", importance(drivers)),
        table("regressions", regressions(drivers)),
        table("shap", shap(drivers)),
    ]
}

fn text(name: &str) -> Head {
    Head::new(name, Kind::Text)
}

fn integer(name: &str) -> Head {
    Head::new(name, Kind::Integer)
}

fn maybe_text(value: Option<&String>) -> Cell {
    value.map_or(Cell::Null, Cell::text)
}

/// Mean and middle 95 %, as three columns.
fn spread_heads(name: &str, title: &str) -> [Head; 3] {
    [
        Head::number(name, "1", title),
        Head::number(&format!("{name}_low"), "1", "2.5 % quantile"),
        Head::number(&format!("{name}_high"), "1", "97.5 % quantile"),
    ]
}

fn spread(value: Option<Spread>) -> [Cell; 3] {
    [value.map(|s| s.mean), value.map(|s| s.low), value.map(|s| s.high)].map(Cell::number)
}

fn moments(drivers: &Drivers) -> (Vec<Head>, Vec<Row>) {
    let mut heads: Vec<Head> = ["task", "mode"].map(text).into();
    heads.push(integer("rank"));
    heads.extend(["batch", "run_id", "model"].map(text));
    heads.push(Head::new("value", Kind::Number));
    heads.push(Head::number("final_score", "points", "Final score"));
    heads.push(integer("round"));
    heads.push(Head::new("round_value", Kind::Number));
    heads.push(text("what"));
    heads.push(Head::new("agents", Kind::Any));
    let agents = |moment: &Moment| -> Value {
        let concerned = moment.agents.iter().filter(|agent| agent.concerned);
        concerned.map(|a| serde_json::json!({"agent": a.agent, "x": a.x, "y": a.y})).collect()
    };
    let rows = drivers.moments.iter().map(|moment| {
        vec![
            Cell::text(&moment.task),
            Cell::text(&moment.mode),
            count(moment.rank),
            Cell::text(&moment.key.batch),
            Cell::text(&moment.key.run_id),
            Cell::text(&moment.model),
            Cell::number(Some(moment.value)),
            Cell::number(moment.final_score),
            moment.round.map_or(Cell::Null, |round| Cell::Integer(round.into())),
            Cell::number(moment.round_value),
            Cell::text(&moment.what),
            Cell::Any(agents(moment)),
        ]
    });
    (heads, rows.collect())
}

fn protocol(drivers: &Drivers) -> (Vec<Head>, Vec<Row>) {
    let mut heads: Vec<Head> = ["model", "feature"].map(text).into();
    heads.push(integer("n"));
    heads.push(Head::number("r", "1", "Pearson's r with the final score"));
    heads.push(Head::number("ci_low", "1", "Lower end of its 95 % interval"));
    heads.push(Head::number("ci_high", "1", "Upper end"));
    heads.push(Head::number("p", "1", "Two-sided p"));
    heads.push(text("reason"));
    let rows = drivers.protocol_by_model.iter().map(|row| {
        vec![
            Cell::text(&row.model),
            Cell::text(&row.feature),
            count(row.n),
            Cell::number(row.r),
            Cell::number(row.ci_low),
            Cell::number(row.ci_high),
            Cell::number(row.p),
            maybe_text(row.reason.as_ref()),
        ]
    });
    (heads, rows.collect())
}

fn keywords(drivers: &Drivers) -> (Vec<Head>, Vec<Row>) {
    let mut heads: Vec<Head> = ["task", "model", "list"].map(text).into();
    heads.push(integer("rank"));
    heads.push(text("word"));
    heads.push(integer("count"));
    heads.push(Head::number("per_thousand", "1/1000", "Occurrences per thousand words of the group"));
    heads.push(Head::number("z", "1", "z-score of the log-odds ratio against all other groups"));
    heads.push(integer("words_of_group"));
    let rows = drivers.keywords.iter().flat_map(|group| {
        [("frequent", &group.frequent), ("distinctive", &group.distinctive)].into_iter().flat_map(
            move |(list, words)| {
                (1..).zip(words).map(move |(rank, word)| {
                    vec![
                        Cell::text(&group.task),
                        Cell::text(&group.model),
                        Cell::text(list),
                        count(rank),
                        Cell::text(&word.word),
                        Cell::Integer(word.count as i64),
                        Cell::number(Some(word.per_thousand)),
                        Cell::number(word.distinctiveness),
                        Cell::Integer(group.words as i64),
                    ]
                })
            },
        )
    });
    (heads, rows.collect())
}

fn attribution(drivers: &Drivers) -> (Vec<Head>, Vec<Row>) {
    let mut heads: Vec<Head> = ["task", "model"].map(text).into();
    heads.extend(
        [
            "runs",
            "runs_without_views",
            "decisions_logged",
            "decisions",
            "features",
            "constant_features",
            "splits",
        ]
        .map(integer),
    );
    heads.extend(spread_heads("f1", "Macro F1 on runs held out"));
    heads.extend(spread_heads("majority_f1", "That of the most frequent action"));
    heads.extend(spread_heads("shuffled_f1", "That of a forest on shuffled labels"));
    heads.push(integer("runs_held_out"));
    heads.push(Head::number("margin", "1", "Macro F1 beyond the better baseline, mean over runs held out"));
    heads.push(Head::number("margin_ci_low", "1", "Lower end of its 95 % interval"));
    heads.push(Head::number("margin_ci_high", "1", "Upper end"));
    heads.push(text("refusal"));
    let rows = drivers.attribution.studies.iter().map(|study| {
        let mut row = vec![Cell::text(&study.task), maybe_text(study.model.as_ref())];
        row.extend(
            [
                study.runs,
                study.runs_without_views,
                study.rows_logged,
                study.rows,
                study.features,
                study.constant_features,
                study.splits.len(),
            ]
            .map(count),
        );
        for value in [study.f1, study.majority_f1, study.shuffled_f1] {
            row.extend(spread(value));
        }
        row.push(study.margin.map_or(Cell::Null, |margin| count(margin.runs)));
        row.push(Cell::number(study.margin.map(|margin| margin.mean)));
        row.push(Cell::number(study.margin.and_then(|margin| margin.low)));
        row.push(Cell::number(study.margin.and_then(|margin| margin.high)));
        row.push(maybe_text(study.refusal.as_ref()));
        row
    });
    (heads, rows.collect())
}

fn importance(drivers: &Drivers) -> (Vec<Head>, Vec<Row>) {
    let mut heads: Vec<Head> = ["task", "model", "level"].map(text).into();
    heads.push(integer("rank"));
    heads.extend(["name", "group"].map(text));
    heads.push(integer("features"));
    heads.extend(spread_heads("drop", "Drop of macro F1 when shuffled, over splits and repeats"));
    let of = |study: &Attribution| -> Vec<Row> {
        let Some(rankings) = &study.rankings else { return Vec::new() };
        let levels: [(&str, &[ImportanceRow]); 3] =
            [("group", &rankings.groups), ("cluster", &rankings.clusters), ("feature", &rankings.features)];
        let rows = levels.into_iter().flat_map(|(level, rows)| {
            (1..).zip(rows).map(move |(rank, row)| {
                let mut cells = vec![
                    Cell::text(&study.task),
                    maybe_text(study.model.as_ref()),
                    Cell::text(level),
                    count(rank),
                    Cell::text(&row.name),
                    row.group.map_or(Cell::Null, |group| Cell::text(group.name())),
                    count(row.features),
                ];
                cells.extend(spread(Some(row.drop)));
                cells
            })
        });
        rows.collect()
    };
    (heads, drivers.attribution.studies.iter().flat_map(of).collect())
}

fn regressions(drivers: &Drivers) -> (Vec<Head>, Vec<Row>) {
    let mut heads = vec![text("task")];
    heads.extend(["n", "without_score", "features"].map(integer));
    heads.push(Head::new("left_out", Kind::Any));
    heads.extend(spread_heads("linear_r2", "Cross-validated R² of the ridge regression"));
    heads.extend(spread_heads("forest_r2", "That of the forest"));
    heads.push(Head::number("penalty", "1", "Penalty of the ridge"));
    heads.push(text("refusal"));
    let rows = drivers.regressions.iter().map(|regression| {
        let mut row = vec![
            Cell::text(&regression.task),
            count(regression.n),
            count(regression.without_score),
            count(regression.features),
            Cell::Any(regression.left_out.iter().cloned().map(Value::from).collect()),
        ];
        row.extend(spread(regression.linear_r2));
        row.extend(spread(regression.forest_r2));
        row.push(Cell::number(regression.penalty));
        row.push(maybe_text(regression.refusal.as_ref()));
        row
    });
    (heads, rows.collect())
}

fn shap(drivers: &Drivers) -> (Vec<Head>, Vec<Row>) {
    let mut heads: Vec<Head> = ["task", "feature"].map(text).into();
    heads.push(integer("rank"));
    heads.push(Head::number("coefficient", "points", "Change of the score with one standard deviation"));
    heads.push(Head::number("mean_shap", "points", "Mean absolute SHAP value"));
    heads.extend(spread_heads("forest_drop", "Drop of the forest's R² when shuffled"));
    heads.push(Head::new("points", Kind::Any));
    let rows = drivers.regressions.iter().flat_map(|regression| {
        (1..).zip(&regression.rows).map(|(rank, row)| {
            let points = row.points.iter();
            let mut cells = vec![
                Cell::text(&regression.task),
                Cell::text(&row.feature),
                count(rank),
                Cell::number(Some(row.coefficient)),
                Cell::number(Some(row.mean_shap)),
            ];
            cells.extend(spread(row.forest_drop));
            let points: Value =
                points.map(|p| serde_json::json!({"shap": p.shap, "value": p.value})).collect();
            cells.push(Cell::Any(points));
            cells
        })
    });
    (heads, rows.collect())
}
