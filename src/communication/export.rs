//! The analysis as tables for CSV and Parquet: columns in a fixed order, one list per table.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Communication, METRICS, Metric};
use crate::features::FEATURES;
use crate::table::{Cell, Head, Kind, Row, Schema, kind_of};

/// A table of the analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Table {
    /// Metrics by run and split.
    #[default]
    Rows,
    /// Metrics by episode.
    Episodes,
    /// Score, tokens and characters by round.
    Rounds,
    /// Messages sent and received by agent.
    Agents,
    /// Messages by sender and receiver.
    Arcs,
    /// Failed episodes by kind.
    Failures,
    /// Differences between mechanisms and frameworks.
    Differences,
}

/// Columns that say which run a row is about.
const RUN: [&str; 2] = ["batch", "run_id"];
const IDENTITY: [&str; 10] =
    ["batch", "run_id", "task", "model", "framework", "mechanism", "memory", "protocol", "routing", "seed"];

impl Table {
    fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Episodes => "episodes",
            Self::Rounds => "rounds",
            Self::Agents => "agents",
            Self::Arcs => "arcs",
            Self::Failures => "failures",
            Self::Differences => "differences",
        }
    }

    /// The columns in their order, without the runs' other settings.
    fn columns(self) -> Vec<String> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        match self {
            Self::Rows => {
                let mut columns = owned(&IDENTITY);
                columns.extend(owned(&["split", "n", "n_scored", "episodes", "counted_messages"]));
                for metric in METRICS {
                    columns.push(metric.id.to_owned());
                    if metric.interval {
                        columns.extend([format!("{}_low", metric.id), format!("{}_high", metric.id)]);
                    }
                }
                columns.extend(FEATURES.iter().map(|feature| feature.id.to_owned()));
                columns
            }
            Self::Episodes => owned(
                &[
                    &RUN[..],
                    &["instance_id", "split", "repeat", "score", "score_source", "tok", "normalized_entropy"],
                    &["messages", "characters", "agents", "rounds", "cells_explored", "mean_degree"],
                    &["max_out_degree", "max_in_degree", "reciprocity", "components", "silent_share"],
                ]
                .concat(),
            ),
            Self::Rounds => owned(
                &[
                    &RUN[..],
                    &["split", "round", "score", "scored_episodes", "messages", "tokens_per_message"],
                    &["characters_per_message"],
                ]
                .concat(),
            ),
            Self::Agents => owned(
                &[
                    &RUN[..],
                    &["agent", "episodes", "sent", "received", "out_degree", "in_degree", "silent_share"],
                ]
                .concat(),
            ),
            Self::Arcs => owned(&[&RUN[..], &["from", "to", "messages"]].concat()),
            Self::Failures => owned(&[&RUN[..], &["kind", "episodes", "of"]].concat()),
            Self::Differences => owned(&[
                "task",
                "model",
                "framework",
                "factor",
                "from",
                "to",
                "split",
                "metric",
                "pairing",
                "n_from",
                "n_to",
                "left_out",
                "value_from",
                "value_to",
                "difference",
                "low",
                "high",
                "p",
                "p_adjusted",
                "reason",
            ]),
        }
    }
}

/// A table's schema and rows.
pub struct Exported {
    /// The schema.
    pub schema: Schema,
    /// The rows.
    pub rows: Vec<Row>,
}

impl Communication {
    /// One table of the analysis.
    ///
    /// # Errors
    ///
    /// When a row can't be represented, which would be a fault of this program.
    pub fn table(&self, table: Table) -> serde_json::Result<Exported> {
        let objects = match table {
            Table::Rows => objects(&self.rows),
            Table::Episodes => objects(&self.episodes),
            Table::Rounds => objects(&self.rounds),
            Table::Agents => objects(&self.agents),
            Table::Arcs => objects(&self.arcs),
            Table::Failures => objects(&self.failures),
            Table::Differences => objects(&self.differences),
        }?;
        let own = table.columns();
        let mut heads: Vec<Head> = own.iter().map(|name| head(name, &objects)).collect();
        let settings =
            |object: &Map<String, Value>| object.get("columns").and_then(Value::as_object).cloned();
        let mut keys: BTreeSet<String> = BTreeSet::new();
        for object in &objects {
            keys.extend(settings(object).unwrap_or_default().into_iter().map(|(key, _)| key));
        }
        let others: Vec<Map<String, Value>> =
            objects.iter().map(|object| settings(object).unwrap_or_default()).collect();
        for key in &keys {
            // A setting that is called like one of our own columns gets a prefix.
            let name = if own.contains(key) { format!("meta.{key}") } else { key.clone() };
            heads.push(Head::new(name, kind_of(others.iter().filter_map(|object| object.get(key)))));
        }
        let rows = objects
            .iter()
            .zip(&others)
            .map(|(object, other)| {
                let own = own.iter().map(|name| object.get(name));
                let values = own.chain(keys.iter().map(|key| other.get(key)));
                values.zip(&heads).map(|(value, head)| Cell::of_json(value, head.kind)).collect()
            })
            .collect();
        let name = format!("swarm-analyze/communication-{}/1", table.name());
        Ok(Exported { schema: Schema { name, heads, settings: self.settings_json() }, rows })
    }

    /// The settings, as outputs state them.
    pub fn settings_json(&self) -> Map<String, Value> {
        let settings = &self.settings;
        let value = json!({
            "tokenizer": settings.tokenizer.name(),
            "undefined": settings.undefined.name(),
            "seed": settings.seed,
            "resamples": settings.resamples,
            "level": settings.level,
        });
        value.as_object().cloned().unwrap_or_default()
    }
}

fn objects<T: Serialize>(rows: &[T]) -> serde_json::Result<Vec<Map<String, Value>>> {
    rows.iter()
        .map(|row| match serde_json::to_value(row)? {
            Value::Object(object) => Ok(object),
            _ => Ok(Map::new()),
        })
        .collect()
}

fn head(name: &str, objects: &[Map<String, Value>]) -> Head {
    let metric: Option<&&Metric> = METRICS.iter().find(|metric| metric.id == name);
    if let Some(metric) = metric {
        return Head::number(name, metric.unit, metric.title);
    }
    if let Some(feature) = FEATURES.iter().find(|feature| feature.id == name) {
        return Head::number(name, feature.unit, feature.title);
    }
    if name.ends_with("_low") || name.ends_with("_high") {
        return Head::new(name, Kind::Number);
    }
    Head::new(name, kind_of(objects.iter().filter_map(|object| object.get(name))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::communication::tables::{AgentRow, ArcRow, EpisodeRow, RoundRow};
    use crate::communication::{GraphMeasures, Part, ScoreSource};

    /// The lists of columns and the rows' fields are the same names.
    fn check(table: Table, row: &impl Serialize) {
        let value = serde_json::to_value(row).unwrap();
        let mut fields: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
        let mut columns = table.columns();
        fields.sort();
        columns.sort();
        assert_eq!(fields, columns, "{table:?}");
    }

    #[test]
    fn columns_are_the_rows_fields() {
        let (batch, run_id) = (String::new(), String::new());
        check(
            Table::Episodes,
            &EpisodeRow {
                batch: batch.clone(),
                run_id: run_id.clone(),
                instance_id: String::new(),
                split: String::new(),
                repeat: 1,
                score: None,
                score_source: ScoreSource::Undefined,
                tok: 0.0,
                normalized_entropy: None,
                messages: 0,
                characters: 0,
                agents: 0,
                rounds: None,
                cells_explored: None,
                graph: GraphMeasures::default(),
            },
        );
        check(
            Table::Rounds,
            &RoundRow {
                batch: batch.clone(),
                run_id: run_id.clone(),
                split: Part::Overall,
                round: 1,
                score: None,
                scored_episodes: 0,
                messages: 0,
                tokens_per_message: None,
                characters_per_message: None,
            },
        );
        check(
            Table::Agents,
            &AgentRow {
                batch: batch.clone(),
                run_id: run_id.clone(),
                agent: String::new(),
                episodes: 1,
                sent: 0.0,
                received: 0.0,
                out_degree: 0.0,
                in_degree: 0.0,
                silent_share: 0.0,
            },
        );
        check(Table::Arcs, &ArcRow { batch, run_id, from: String::new(), to: String::new(), messages: 0 });
    }
}
