//! The tables of rounds, runs and agents: their columns derive from the registries and from the meta logs' keys.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{AGENT_COLUMNS, FEATURES, RunRecord, Selection, Undefined};
use crate::ingest::swarmbench::RunPlan;
use crate::table::{Cell, Head, Kind, Row, Schema, kind_of};

/// What a row of the table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Level {
    /// A round of a run.
    Round,
    /// A run.
    Run,
    /// An agent of a run.
    Agent,
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Self::Round => "round",
            Self::Run => "run",
            Self::Agent => "agent",
        }
    }
}

/// The meta logs' other keys, each with the kind that holds its values and the column that it becomes.
#[derive(Clone, Debug, Default)]
pub struct MetaColumns {
    keys: BTreeMap<String, Kind>,
}

impl MetaColumns {
    /// The keys of these runs.
    pub fn of(plans: &[RunPlan]) -> Self {
        let mut values: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
        for plan in plans {
            for (key, value) in &plan.meta.columns {
                values.entry(key).or_default().push(value);
            }
        }
        let keys =
            values.into_iter().map(|(key, values)| (key.to_owned(), kind_of(values.into_iter()))).collect();
        Self { keys }
    }

    /// The keys, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.keys.keys().map(String::as_str)
    }

    fn heads(&self, taken: &BTreeSet<String>) -> Vec<Head> {
        // A key that is called like one of our own columns gets a prefix rather than a second column of that name.
        let mut names = taken.clone();
        names.extend(self.keys().filter(|key| !taken.contains(*key)).map(str::to_owned));
        let mut heads = Vec::with_capacity(self.keys.len());
        for (key, &kind) in &self.keys {
            let mut name = key.clone();
            while taken.contains(key) && names.contains(&name) {
                name.insert_str(0, "meta.");
            }
            names.insert(name.clone());
            heads.push(Head::new(name, kind));
        }
        heads
    }

    fn cells(&self, record: &RunRecord) -> impl Iterator<Item = Cell> {
        self.keys.iter().map(|(key, &kind)| Cell::of_json(record.meta.get(key), kind))
    }
}

/// A table of one level: its schema, and the rows of a run.
pub struct FeatureTable {
    /// The level.
    pub level: Level,
    /// Columns and settings.
    pub schema: Schema,
    meta: MetaColumns,
    selection: Selection,
}

impl FeatureTable {
    /// The table of `level` for runs with these meta keys.
    pub fn new(
        level: Level,
        meta: MetaColumns,
        undefined: Undefined,
        embedder: &str,
        selection: &Selection,
    ) -> Self {
        let mut own = measured(level, selection);
        let fixed = ["batch", "run_id", "model", "task", "seed"];
        let names = own.iter().map(|head| head.name.as_str()).chain(fixed).chain(["embedder"]);
        let taken: BTreeSet<String> = names.map(str::to_owned).collect();
        let kind = |name: &str| if name == "seed" { Kind::Integer } else { Kind::Text };
        let mut heads: Vec<Head> = fixed.iter().map(|name| Head::new(*name, kind(name))).collect();
        heads.extend(meta.heads(&taken));
        heads.push(Head::new("embedder", Kind::Text));
        heads.append(&mut own);
        let mut settings = Map::new();
        settings.insert("undefined".into(), json!(undefined.name()));
        settings.insert("embedder".into(), json!(embedder));
        settings.insert("version".into(), json!(env!("CARGO_PKG_VERSION")));
        Self {
            level,
            schema: Schema { name: format!("swarm-analyze/features-{}/1", level.name()), heads, settings },
            meta,
            selection: selection.clone(),
        }
    }

    /// The rows of a run.
    pub fn rows(&self, record: &RunRecord, embedder: &str) -> Vec<Row> {
        let mut head = vec![
            Cell::text(&record.key.batch),
            Cell::text(&record.key.run_id),
            Cell::text(&record.model),
            Cell::text(&record.task),
            record.seed.map_or(Cell::Null, Cell::Integer),
        ];
        head.extend(self.meta.cells(record));
        head.push(Cell::text(embedder));
        let with = |own: Vec<Cell>| head.iter().cloned().chain(own).collect::<Row>();
        match self.level {
            Level::Run => {
                let mut own = vec![
                    Cell::Integer(i64::from(record.agents)),
                    Cell::Integer(i64::from(record.logged_rounds)),
                    Cell::number(record.final_score),
                ];
                let shown = record.values.iter().enumerate().filter(|(at, _)| self.selection.shows(*at));
                own.extend(shown.map(|(_, value)| Cell::number(*value)));
                vec![with(own)]
            }
            Level::Round => (0..record.rounds.numbers.len())
                .map(|at| {
                    let mut own = vec![
                        Cell::Integer(i64::from(record.rounds.numbers[at])),
                        Cell::number(record.rounds.scores[at]),
                    ];
                    let columns = FEATURES.iter().zip(&record.rounds.columns).enumerate();
                    let columns =
                        columns.filter(|(column, (f, _))| f.per_round() && self.selection.shows(*column));
                    own.extend(
                        columns.map(|(_, (_, values))| Cell::number(values.get(at).copied().flatten())),
                    );
                    with(own)
                })
                .collect(),
            Level::Agent => record
                .tallies
                .iter()
                .map(|tally| {
                    let mut own = vec![Cell::text(&tally.agent)];
                    own.extend(AGENT_COLUMNS.iter().map(|column| Cell::number((column.value)(tally))));
                    with(own)
                })
                .collect(),
        }
    }
}

/// The columns that are measured, after those that name the run.
fn measured(level: Level, selection: &Selection) -> Vec<Head> {
    let features = |per_round: bool| {
        FEATURES
            .iter()
            .enumerate()
            .filter(move |(at, f)| selection.shows(*at) && (!per_round || f.per_round()))
            .map(|(_, f)| Head::number(f.id, f.unit, f.title))
    };
    let score = |name: &str, title: &str| Head::number(name, "score", title);
    match level {
        Level::Run => [
            Head::new("agents_logged", Kind::Integer),
            Head::new("rounds_logged", Kind::Integer),
            score("final_score", "Final score"),
        ]
        .into_iter()
        .chain(features(false))
        .collect(),
        Level::Round => [Head::new("round", Kind::Integer), score("score", "Score")]
            .into_iter()
            .chain(features(true))
            .collect(),
        Level::Agent => [Head::new("agent", Kind::Text)]
            .into_iter()
            .chain(AGENT_COLUMNS.iter().map(|column| Head::number(column.id, column.unit, column.title)))
            .collect(),
    }
}
