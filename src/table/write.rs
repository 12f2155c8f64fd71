//! Writers of tables. CSV and Parquet go through the frames library; JSON is streamed row by row.

use std::io::{self, Write};

use polars::io::parquet::write::{BatchedWriter as ParquetBatches, KeyValueMetadata, ParquetWriter};
use polars::prelude::{
    Column, CsvWriter, DataFrame, DataType, Field, PolarsError, Schema as FrameSchema, SerWriter, Series,
};

use super::{Cell, Head, Kind, Row, Schema};

/// Output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Comma-separated values with a head line; undefined is empty.
    Csv,
    /// `{"schema": …, "rows": […]}`; undefined is null.
    Json,
    /// One JSON object a line.
    Ndjson,
    /// Apache Parquet, Zstandard-compressed.
    Parquet,
}

/// Rows gathered before they go to the frames library.
const BATCH: usize = 16_384;

enum Sink<W: Write + Send + 'static> {
    Json { out: W, lines: bool, first: bool },
    Csv { out: W, head_due: bool },
    Parquet(Box<ParquetBatches<W>>),
}

/// Writes rows of one schema.
pub struct TableWriter<W: Write + Send + 'static> {
    heads: Vec<Head>,
    pending: Vec<Row>,
    sink: Sink<W>,
}

fn io_error(error: PolarsError) -> io::Error {
    match error {
        PolarsError::IO { error, .. } => io::Error::new(error.kind(), error.to_string()),
        other => io::Error::other(other.to_string()),
    }
}

impl<W: Write + Send + 'static> TableWriter<W> {
    /// Starts a table.
    ///
    /// # Errors
    /// When `out` can't be written to.
    pub fn new(format: Format, schema: &Schema, mut out: W) -> io::Result<Self> {
        let heads = schema.heads.clone();
        let sink = match format {
            Format::Json => {
                write!(out, "{{\"schema\":{},\n\"rows\":[", schema.to_json())?;
                Sink::Json { out, lines: false, first: true }
            }
            Format::Ndjson => Sink::Json { out, lines: true, first: true },
            Format::Csv => Sink::Csv { out, head_due: true },
            Format::Parquet => {
                let facts = vec![("swarm-analyze".to_owned(), schema.to_json().to_string())];
                let writer = ParquetWriter::new(out)
                    .with_key_value_metadata(Some(KeyValueMetadata::from_static(facts)))
                    .batched(&frame_schema(&heads))
                    .map_err(io_error)?;
                Sink::Parquet(Box::new(writer))
            }
        };
        Ok(Self { heads, pending: Vec::new(), sink })
    }

    /// Adds a row.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn row(&mut self, row: Row) -> io::Result<()> {
        if let Sink::Json { out, lines, first } = &mut self.sink {
            let separator = if *lines {
                ""
            } else if *first {
                "\n"
            } else {
                ",\n"
            };
            *first = false;
            out.write_all(separator.as_bytes())?;
            write_object(out, &self.heads, &row)?;
            return if *lines { out.write_all(b"\n") } else { Ok(()) };
        }
        self.pending.push(row);
        if self.pending.len() >= BATCH { self.flush_rows() } else { Ok(()) }
    }

    fn flush_rows(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.pending);
        let mut frame = frame(&self.heads, &rows).map_err(io_error)?;
        match &mut self.sink {
            Sink::Json { .. } => Ok(()),
            Sink::Csv { out, head_due } => {
                let head = std::mem::replace(head_due, false);
                CsvWriter::new(out).include_header(head).n_threads(1).finish(&mut frame).map_err(io_error)
            }
            Sink::Parquet(writer) if !rows.is_empty() => writer.write_batch(&frame).map_err(io_error),
            Sink::Parquet(_) => Ok(()),
        }
    }

    /// Ends the table and gives the sink back where it can (Parquet keeps it).
    ///
    /// # Errors
    /// When it can't be written.
    pub fn finish(mut self) -> io::Result<Option<W>> {
        self.flush_rows()?;
        match self.sink {
            Sink::Json { mut out, lines, .. } => {
                if !lines {
                    out.write_all(b"\n]}\n")?;
                }
                out.flush()?;
                Ok(Some(out))
            }
            Sink::Csv { mut out, .. } => {
                out.flush()?;
                Ok(Some(out))
            }
            Sink::Parquet(writer) => {
                writer.finish().map_err(io_error)?;
                Ok(None)
            }
        }
    }
}

fn write_object(out: &mut impl Write, heads: &[Head], row: &[Cell]) -> io::Result<()> {
    for (at, (head, cell)) in heads.iter().zip(row).enumerate() {
        out.write_all(if at == 0 { b"{" } else { b"," })?;
        serde_json::to_writer(&mut *out, &head.name)?;
        out.write_all(b":")?;
        serde_json::to_writer(&mut *out, &cell.to_json())?;
    }
    out.write_all(b"}")
}

fn data_type(kind: Kind) -> DataType {
    match kind {
        Kind::Integer => DataType::Int64,
        Kind::Number => DataType::Float64,
        Kind::Text | Kind::Any => DataType::String,
        Kind::Boolean => DataType::Boolean,
    }
}

fn frame_schema(heads: &[Head]) -> FrameSchema {
    heads.iter().map(|head| Field::new(head.name.as_str().into(), data_type(head.kind))).collect()
}

fn frame(heads: &[Head], rows: &[Row]) -> Result<DataFrame, PolarsError> {
    let columns = heads
        .iter()
        .enumerate()
        .map(|(at, head)| {
            let cells = rows.iter().map(|row| row.get(at).unwrap_or(&Cell::Null));
            Column::from(series(head, cells))
        })
        .collect();
    DataFrame::new(rows.len(), columns)
}

fn series<'a>(head: &Head, cells: impl Iterator<Item = &'a Cell>) -> Series {
    use polars::prelude::NamedFrom;
    let name = head.name.as_str().into();
    match head.kind {
        Kind::Integer => {
            let cells: Vec<Option<i64>> =
                cells.map(|cell| if let Cell::Integer(n) = cell { Some(*n) } else { None }).collect();
            Series::new(name, cells)
        }
        Kind::Number => {
            let number = |cell: &Cell| match cell {
                Cell::Number(x) => Some(*x),
                Cell::Integer(n) => Some(*n as f64),
                _ => None,
            };
            Series::new(name, cells.map(number).collect::<Vec<Option<f64>>>())
        }
        Kind::Boolean => {
            let cells: Vec<Option<bool>> =
                cells.map(|cell| if let Cell::Boolean(b) = cell { Some(*b) } else { None }).collect();
            Series::new(name, cells)
        }
        Kind::Text | Kind::Any => {
            let text = |cell: &Cell| match cell {
                Cell::Text(text) => Some(text.clone()),
                Cell::Null => None,
                Cell::Any(serde_json::Value::String(text)) => Some(text.clone()),
                other => Some(other.to_json().to_string()),
            };
            Series::new(name, cells.map(text).collect::<Vec<Option<String>>>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn written(format: Format, rows: &[Row]) -> Vec<u8> {
        let heads = vec![
            Head::new("run", Kind::Text),
            Head::new("n", Kind::Integer),
            Head::new("x", Kind::Number),
            Head::new("any", Kind::Any),
        ];
        let schema = Schema { name: "test/1".into(), heads, settings: serde_json::Map::new() };
        let out = Shared::default();
        let mut writer = TableWriter::new(format, &schema, out.clone()).unwrap();
        rows.iter().for_each(|row| writer.row(row.clone()).unwrap());
        writer.finish().unwrap();
        std::mem::take(&mut *out.0.lock().unwrap())
    }

    #[test]
    fn every_format_tells_undefined_from_zero_and_quotes_text() {
        let rows = vec![
            vec![Cell::text("a,\"b\"\n<c>"), Cell::Integer(0), Cell::Number(0.1), Cell::Any(json!([1, "x"]))],
            vec![Cell::text(""), Cell::Null, Cell::number(Some(f64::NAN)), Cell::Null],
        ];
        let csv = String::from_utf8(written(Format::Csv, &rows)).unwrap();
        assert_eq!(csv, "run,n,x,any\n\"a,\"\"b\"\"\n<c>\",0,0.1,\"[1,\"\"x\"\"]\"\n\"\",,,\n");
        let value: serde_json::Value = serde_json::from_slice(&written(Format::Json, &rows)).unwrap();
        let first = json!({"run":"a,\"b\"\n<c>","n":0,"x":0.1,"any":[1,"x"]});
        assert_eq!(value["rows"], json!([first, {"run":"","n":null,"x":null,"any":null}]));
        let lines = String::from_utf8(written(Format::Ndjson, &rows)).unwrap();
        assert_eq!(lines.lines().count(), 2);
        assert!(written(Format::Parquet, &rows).starts_with(b"PAR1"));
        assert_eq!(String::from_utf8(written(Format::Csv, &[])).unwrap(), "run,n,x,any\n");
        assert!(written(Format::Parquet, &[]).ends_with(b"PAR1"));
    }
}
