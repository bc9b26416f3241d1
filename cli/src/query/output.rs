//! Prints matches as text.

use std::collections::HashMap;

use super::Output;
use crate::args::Budget;
use crate::table;
use crate::values::{json_line, pretty};
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::Functions;
use hcl_lr::limits::Meter;
use hcl_lr::model::walk::transform;
use hcl_lr::model::{Type, TypeMismatch, Value};
use hcl_lr::query::QueryMatch;
use hcl_lr::syntax::ast::{ExpressionKind, ObjectKey};
use hcl_lr::{Expression, parse};

/// The output for the matches of a file.
#[derive(Default)]
pub(super) struct Rows {
    /// For each thing a text, or the cells of a row.
    rows: Vec<Vec<String>>,
    /// The names of the columns, if each row has its own.
    columns: Vec<Vec<String>>,
    /// The number of parts of values that could not be shown.
    unknown: usize,
    /// The total length.
    bytes: u64,
}

/// The name of the file, if something was found in it.
pub(super) fn name_of_file(found: &[QueryMatch<'_>]) -> Rows {
    let name = found.first().map(|found| vec![format!("{}\n", found.place().source().name())]);
    Rows { rows: name.into_iter().collect(), ..Rows::default() }
}

/// Why there are no further rows for a file.
pub(super) enum Failure {
    Message(String),
    Limit(Diagnostics),
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure::Message(message)
    }
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Self {
        Failure::Limit(diagnostics)
    }
}

/// The rows of a file, and why they end before all is shown.
pub(super) fn rows(
    output: Output,
    all: &[QueryMatch<'_>],
    functions: &Functions,
    budget: &Budget,
) -> (Rows, Option<Failure>) {
    let meter = Meter::new(budget.limits());
    let mut rows = Rows::default();
    let failure = rows.add(output, all, &Reading { functions, budget, meter }).err();
    (rows, failure)
}

/// The options for reading values from files.
struct Reading<'a> {
    functions: &'a Functions,
    budget: &'a Budget,
    /// Shared by all that is found in a file.
    meter: Meter,
}

impl Reading<'_> {
    fn value(&self, found: &QueryMatch<'_>) -> Result<Value, Failure> {
        let value = found.value_as_written_within(self.functions, &self.meter)?;
        self.budget.check_size(&value)?;
        Ok(value)
    }
}

impl Rows {
    fn add(&mut self, output: Output, all: &[QueryMatch<'_>], reading: &Reading<'_>) -> Result<(), Failure> {
        for found in all {
            if let Some(value) = found.result() {
                reading.budget.check_size(value)?;
            }
            let selected = found.result().map(|value| self.shown(value));
            let row = match (output, selected) {
                (Output::Hcl, None) => {
                    let place = found.place();
                    let (file, line) = (place.source().name(), found.position().line);
                    format!("# {file}:{line}\n{}\n\n", found.target().text())
                }
                (Output::Hcl, Some(value)) => pretty(&value) + "\n",
                (Output::Json | Output::Ndjson, None) => json_line(&self.described(found, reading)?)?,
                (Output::Json | Output::Ndjson, Some(value)) => json_line(&value)?,
                (Output::Raw, None) => raw_text(found, reading)? + "\n",
                (Output::Raw, Some(value)) => raw(&value) + "\n",
                (Output::Table, None) => {
                    let place = found.place();
                    let at = format!("{}:{}", place.source().name(), found.position().line);
                    let text = found.target().value_text().unwrap_or(found.target().text());
                    self.push(vec![at, found.target().address().to_string(), cell(text)], reading)?;
                    continue;
                }
                (Output::Table, Some(value)) => {
                    match value.entries() {
                        Some(entries) => {
                            let (names, cells) =
                                entries.map(|(name, value)| (name.to_owned(), cell(&raw(value)))).unzip();
                            self.columns.push(names);
                            self.push(cells, reading)?;
                        }
                        None => {
                            let cells = match value.elements() {
                                Some(elements) => elements.iter().map(|value| cell(&raw(value))).collect(),
                                None => vec![cell(&raw(&value))],
                            };
                            self.columns.push(Vec::new());
                            self.push(cells, reading)?;
                        }
                    }
                    continue;
                }
            };
            self.push(vec![row], reading)?;
        }
        Ok(())
    }

    /// Adds the cells of a row. Things within things are found too, each with all that is in it: a small file can have
    /// much to print.
    fn push(&mut self, row: Vec<String>, reading: &Reading<'_>) -> Result<(), Failure> {
        self.bytes += row.iter().map(|cell| cell.len() as u64).sum::<u64>();
        reading.budget.check_text(self.bytes, "all that was found in a file")?;
        self.rows.push(row);
        Ok(())
    }
}

impl Rows {
    /// A value without unknown parts.
    fn shown(&mut self, value: &Value) -> Value {
        if value.is_wholly_known() && !value.contains_marks() {
            return value.clone();
        }
        let (value, _) = value.unmark_deep();
        let unknown = &mut self.unknown;
        let shown = transform(&value, |_, part| {
            if part.is_known() {
                return Ok::<_, TypeMismatch>(part);
            }
            *unknown += 1;
            Ok(Value::null(Type::Dynamic))
        });
        shown.unwrap_or_else(|_| Value::null(Type::Dynamic))
    }

    /// A thing as an object.
    fn described(&mut self, found: &QueryMatch<'_>, reading: &Reading<'_>) -> Result<Value, Failure> {
        let place = found.place();
        let value = self.shown(&reading.value(found)?);
        let mut members = vec![
            ("file", Value::from(place.source().name())),
            ("line", Value::from(found.position().line)),
            ("address", Value::from(found.target().address().to_string())),
            ("kind", Value::from(found.kind())),
            ("name", Value::from(found.name())),
        ];
        if found.kind() == "block" {
            members.push(("type", Value::from(found.block_type())));
            members.push(("labels", Value::tuple(found.labels().into_iter().map(Value::from))));
        }
        let comment = found.comment();
        if !comment.is_empty() {
            members.push(("comment", Value::from(comment)));
        }
        members.push(("value", value));
        Ok(Value::object(members))
    }
}

/// The value of a thing as text; of a block, how it is written.
fn raw_text(found: &QueryMatch<'_>, reading: &Reading<'_>) -> Result<String, Failure> {
    Ok(match found.target().value_text() {
        Some(text) => {
            let value = reading.value(found)?;
            value.as_str().map_or_else(|| text.to_owned(), str::to_owned)
        }
        None => found.target().text().to_owned(),
    })
}

/// A value as text, without quotes around it.
fn raw(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A text in one line.
fn cell(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().trim_end().replace('\t', " ");
    if lines.next().is_some() { format!("{first} …") } else { first }
}

/// With more columns, nobody reads a table.
const MAX_COLUMNS: usize = 200;

/// Puts the texts of all files together.
pub(super) struct Printer {
    output: Output,
    /// The columns in the order in which an object to be selected is written.
    order: Vec<String>,
    selects: bool,
    any: bool,
    table: Vec<Vec<String>>,
    columns: Vec<Vec<String>>,
    unknown: usize,
}

impl Printer {
    pub fn new(output: Output, select: Option<&str>) -> Printer {
        let selected = select.map(|text| parse::<Expression>(("--select", text)).into_value());
        let order = selected.as_ref().and_then(|expression| match expression.as_native()?.kind() {
            ExpressionKind::Object(object) => Some(object.elements().filter_map(|element| match element.key() {
                ObjectKey::Name(name) => Some(name.text().to_owned()),
                ObjectKey::Expression(_) => None,
            })),
            _ => None,
        });
        Printer {
            output,
            order: order.map(Iterator::collect).unwrap_or_default(),
            selects: select.is_some(),
            any: false,
            table: Vec::new(),
            columns: Vec::new(),
            unknown: 0,
        }
    }

    /// Returns the text to print now for the matches of a file.
    pub fn take(&mut self, rows: Rows) -> String {
        self.unknown += rows.unknown;
        if self.output == Output::Table {
            self.table.extend(rows.rows);
            self.columns.extend(rows.columns);
            return String::new();
        }
        let mut text = String::new();
        for row in rows.rows.into_iter().flatten() {
            match self.output {
                Output::Json => text.push_str(if self.any { ",\n  " } else { "[\n  " }),
                Output::Ndjson if self.any => text.push('\n'),
                _ => {}
            }
            self.any = true;
            text.push_str(&row);
        }
        text
    }

    /// Returns the text to print at the end.
    ///
    /// # Errors
    /// The objects to be shown in a table have too many names.
    pub fn finish(&mut self) -> Result<String, String> {
        Ok(match self.output {
            Output::Json if self.any => "\n]\n".to_owned(),
            Output::Json => "[]\n".to_owned(),
            Output::Ndjson if self.any => "\n".to_owned(),
            Output::Table => self.aligned()?,
            _ => String::new(),
        })
    }

    /// Returns the number of parts of values that could not be shown.
    pub fn unknown(&self) -> usize {
        self.unknown
    }

    fn aligned(&mut self) -> Result<String, String> {
        let mut rows = std::mem::take(&mut self.table);
        let columns = std::mem::take(&mut self.columns);
        if rows.is_empty() {
            return Ok(String::new());
        }
        let mut header: Vec<String> = match self.selects {
            false => ["at", "address", "text"].map(str::to_owned).to_vec(),
            true => std::mem::take(&mut self.order),
        };
        let mut places: HashMap<String, usize> =
            header.iter().enumerate().map(|(place, name)| (name.clone(), place)).collect();
        for (row, names) in rows.iter_mut().zip(columns).filter(|(_, names)| !names.is_empty()) {
            let mut cells = Vec::new();
            for (name, cell) in names.into_iter().zip(row.drain(..)) {
                let place = *places.entry(name).or_insert_with_key(|name| {
                    header.push(name.clone());
                    header.len() - 1
                });
                if place >= MAX_COLUMNS {
                    continue;
                }
                cells.resize(cells.len().max(place + 1), String::new());
                cells[place] = cell;
            }
            *row = cells;
        }
        if header.len() > MAX_COLUMNS {
            let count = header.len();
            return Err(format!("objects with {count} different names do not fit a table; `--json` shows all of them"));
        }
        if !header.is_empty() {
            rows.insert(0, header.iter().map(|name| name.to_uppercase()).collect());
        }
        Ok(table::aligned(&rows))
    }
}
