//! Prints matches: file by file, or all of them sorted, in groups or as a table once all files have been read.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::args::Budget;
use crate::contents::Failure;
use crate::error::Error;
use crate::rows::{self, Format, cell, raw};
use crate::terminal;
use crate::values::{json_line, pretty};
use hcl_lr::Expression;
use hcl_lr::eval::Functions;
use hcl_lr::limits::Meter;
use hcl_lr::model::walk::transform;
use hcl_lr::model::{Type, TypeMismatch, Value};
use hcl_lr::syntax::ast::{ExpressionKind, ObjectKey};
use hcl_lr_edit::query::QueryMatch;

/// The output for the matches of a file.
#[derive(Default)]
pub(super) struct Rows {
    /// A text for each match, if printed file by file.
    texts: Vec<String>,
    /// The matches as values, if printed together.
    values: Vec<Row>,
    /// The number of parts of values that could not be shown.
    unknown: usize,
    /// The number of marked parts of values, which are not shown.
    hidden: usize,
    /// The total length.
    bytes: u64,
}

/// A match as a value.
struct Row {
    value: Value,
    /// The values to sort and to group by.
    keys: Vec<Value>,
}

/// The form of the output.
#[derive(Clone, Copy)]
pub(super) struct Form {
    pub format: Format,
    /// True if the matches are sorted, grouped, joined or made distinct, which requires all of them.
    pub collects: bool,
    /// Places are in colour.
    pub color: bool,
}

impl Form {
    /// Returns true if the matches of all files are printed together.
    fn waits(self) -> bool {
        self.collects || matches!(self.format, Format::Table | Format::Yaml | Format::Csv | Format::Markdown)
    }
}

/// Returns the name of the file as a row, if it has matches.
pub(super) fn name_of_file(found: &[QueryMatch<'_>]) -> Rows {
    let name = found.first().map(|found| format!("{}\n", found.place().source().name()));
    Rows { texts: name.into_iter().collect(), ..Rows::default() }
}

/// Returns the rows of a file, and the reason why they are incomplete.
pub(super) fn rows(
    form: Form,
    all: &[QueryMatch<'_>],
    functions: &Functions,
    budget: &Budget,
) -> (Rows, Option<Failure>) {
    let meter = Meter::new(budget.limits());
    let mut rows = Rows::default();
    let failure = rows.add(form, all, &Reading { functions, budget, meter }).err();
    (rows, failure)
}

/// The options for reading values from files.
struct Reading<'a> {
    functions: &'a Functions,
    budget: &'a Budget,
    /// The meter for all matches of a file.
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
    fn add(&mut self, form: Form, all: &[QueryMatch<'_>], reading: &Reading<'_>) -> Result<(), Failure> {
        for found in all {
            if let Some(value) = found.result() {
                reading.budget.check_size(value)?;
            }
            let selected = found.result().map(|value| self.shown(value));
            if form.waits() {
                let value = match (selected, form.format) {
                    (Some(value), _) => value,
                    (None, Format::Table | Format::Csv | Format::Markdown) => summary(found),
                    (None, _) => self.described(found, reading)?,
                };
                let keys = found.keys().iter().map(|key| self.shown(key)).collect();
                self.count(value.size(), reading)?;
                self.values.push(Row { value, keys });
                continue;
            }
            let row = match (form.format, selected) {
                (Format::Json | Format::Ndjson, None) => json_line(&self.described(found, reading)?)?,
                (Format::Json | Format::Ndjson, Some(value)) => json_line(&value)?,
                (Format::Raw, None) => raw_text(found, reading)? + "\n",
                (Format::Raw, Some(value)) => raw(&value) + "\n",
                (_, None) => {
                    let place = found.place();
                    let (file, line) = (place.source().name(), found.position().line);
                    let text = found.target().text();
                    let text = if form.color { terminal::shown(text) } else { text.to_owned() };
                    format!("# {}\n{text}\n\n", terminal::place(file, line, form.color))
                }
                (_, Some(value)) if form.color => terminal::shown(&pretty(&value)) + "\n",
                (_, Some(value)) => pretty(&value) + "\n",
            };
            self.count(row.len() as u64, reading)?;
            self.texts.push(row);
        }
        Ok(())
    }

    /// Counts the length of a row. Nested matches each include everything inside: a small file can have a large
    /// output.
    fn count(&mut self, bytes: u64, reading: &Reading<'_>) -> Result<(), Failure> {
        self.bytes += bytes;
        Ok(reading.budget.check_text(self.bytes, "all that was found in a file")?)
    }
}

/// Returns the columns of a match in a table.
fn summary(found: &QueryMatch<'_>) -> Value {
    let place = found.place();
    let text = found.target().value_text().unwrap_or(found.target().text());
    Value::object([
        ("at", Value::from(format!("{}:{}", place.source().name(), found.position().line))),
        ("address", Value::from(found.target().address().to_string())),
        ("text", Value::from(cell(text))),
    ])
}

impl Rows {
    /// A value without unknown and marked parts, which are null.
    fn shown(&mut self, value: &Value) -> Value {
        if value.is_wholly_known() && !value.contains_marks() {
            return value.clone();
        }
        let (unknown, hidden) = (&mut self.unknown, &mut self.hidden);
        let shown = transform(value, |_, part| {
            if part.is_marked() {
                *hidden += 1;
                return Ok(Value::null(Type::Dynamic));
            }
            if part.is_known() {
                return Ok::<_, TypeMismatch>(part);
            }
            *unknown += 1;
            Ok(Value::null(Type::Dynamic))
        });
        shown.unwrap_or_else(|_| Value::null(Type::Dynamic))
    }

    /// Returns a match as an object.
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

/// Returns the value of a match as text; for a block, its source.
fn raw_text(found: &QueryMatch<'_>, reading: &Reading<'_>) -> Result<String, Failure> {
    Ok(match found.target().value_text() {
        Some(text) => {
            let value = reading.value(found)?;
            value.as_str().map_or_else(|| text.to_owned(), str::to_owned)
        }
        None => found.target().text().to_owned(),
    })
}

/// Puts the rows of all files together.
pub(super) struct Printer {
    form: Form,
    /// The columns in the order of the selected object.
    order: Vec<String>,
    any: bool,
    values: Vec<Row>,
    unknown: usize,
    hidden: usize,
}

/// The work on all rows together.
#[derive(Default)]
pub(super) struct Arrangement {
    /// The number of keys to sort by, which precede the one to group by.
    pub sorts: usize,
    pub descending: bool,
    pub distinct: bool,
    pub groups: bool,
    /// Print the number of matches, or that of each group.
    pub counts: bool,
}

impl Printer {
    pub fn new(form: Form, select: Option<&Expression>) -> Printer {
        let order = select.and_then(|expression| match expression.as_native()?.kind() {
            ExpressionKind::Object(object) => Some(object.elements().filter_map(|element| match element.key() {
                ObjectKey::Name(name) => Some(name.text().to_owned()),
                _ => None,
            })),
            _ => None,
        });
        let order = match (order, select) {
            (Some(order), _) => order.collect(),
            (None, Some(_)) => Vec::new(),
            (None, None) => ["at", "address", "text"].map(str::to_owned).to_vec(),
        };
        Printer { form, order, any: false, values: Vec::new(), unknown: 0, hidden: 0 }
    }

    /// Returns the text to print now for the matches of a file.
    pub fn take(&mut self, rows: Rows) -> String {
        self.unknown += rows.unknown;
        self.hidden += rows.hidden;
        self.values.extend(rows.values);
        let mut text = String::new();
        for row in rows.texts {
            match self.form.format {
                Format::Json => text.push_str(if self.any { ",\n  " } else { "[\n  " }),
                Format::Ndjson if self.any => text.push('\n'),
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
    pub fn finish(&mut self, arrangement: &Arrangement) -> Result<String, Error> {
        if !self.form.waits() {
            return Ok(match self.form.format {
                Format::Json if self.any => "\n]\n".to_owned(),
                Format::Json => "[]\n".to_owned(),
                Format::Ndjson if self.any => "\n".to_owned(),
                _ => String::new(),
            });
        }
        let mut rows = std::mem::take(&mut self.values);
        if arrangement.distinct {
            let mut known = std::collections::HashSet::new();
            rows.retain(|row| known.insert(row.value.to_string()));
        }
        if arrangement.counts && !arrangement.groups {
            return Ok(format!("{}\n", rows.len()));
        }
        if arrangement.sorts > 0 {
            rows.sort_by(|a, b| {
                let keys = a.keys.iter().zip(&b.keys).take(arrangement.sorts);
                let order = keys.map(|(a, b)| compare(a, b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal);
                if arrangement.descending { order.reverse() } else { order }
            });
        }
        if arrangement.groups {
            return self.grouped(rows, arrangement);
        }
        let values: Vec<Value> = rows.into_iter().map(|row| row.value).collect();
        rows::print(self.form.format, &values, &self.order)
    }

    /// Returns the text of the rows grouped by their last keys, in the order in which each key first occurs.
    fn grouped(&self, rows: Vec<Row>, arrangement: &Arrangement) -> Result<String, Error> {
        let mut groups: Vec<(Value, Vec<Value>)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for row in rows {
            let key = row.keys.last().cloned().unwrap_or_else(|| Value::null(Type::Dynamic));
            let place = *places.entry(key.to_string()).or_insert_with(|| {
                groups.push((key.clone(), Vec::new()));
                groups.len() - 1
            });
            groups[place].1.push(row.value);
        }
        if arrangement.sorts == 0 {
            groups.sort_by(|(a, _), (b, _)| compare(a, b));
        }
        let format = self.form.format;
        if arrangement.counts {
            let count = |(key, rows): &(Value, Vec<Value>)| {
                Value::object([("key", key.clone()), ("count", Value::from(rows.len() as u64))])
            };
            let counts: Vec<Value> = groups.iter().map(count).collect();
            let format = if matches!(format, Format::Hcl | Format::Raw) { Format::Table } else { format };
            return rows::print(format, &counts, &["key".to_owned(), "count".to_owned()]);
        }
        if matches!(format, Format::Json | Format::Ndjson | Format::Yaml) {
            let group = |(key, rows): (Value, Vec<Value>)| {
                Value::object([
                    ("key", key),
                    ("count", Value::from(rows.len() as u64)),
                    ("matches", Value::tuple(rows)),
                ])
            };
            let groups: Vec<Value> = groups.into_iter().map(group).collect();
            return rows::print(format, &groups, &[]);
        }
        let mut text = String::new();
        for (key, rows) in groups {
            let gap = if text.is_empty() { "" } else { "\n" };
            let heading = if format == Format::Markdown { "##" } else { "#" };
            text.push_str(&format!("{gap}{heading} {} ({})\n", raw(&key), rows.len()));
            if format == Format::Markdown {
                text.push('\n');
            }
            text.push_str(&rows::print(format, &rows, &self.order)?);
        }
        Ok(text)
    }

    /// Returns the matches as one list.
    pub fn all(&mut self) -> Value {
        Value::tuple(std::mem::take(&mut self.values).into_iter().map(|row| row.value))
    }

    /// Returns the number of parts of values that could not be shown.
    pub fn unknown(&self) -> usize {
        self.unknown
    }

    /// Returns the number of marked parts of values, which are not shown.
    pub fn hidden(&self) -> usize {
        self.hidden
    }
}

/// Compares values: numbers first, by their size, then bools, strings and all others, as texts; null is last. This is a
/// total order, as sorting requires.
fn compare(a: &Value, b: &Value) -> Ordering {
    match (a.as_number(), b.as_number()) {
        (Some(a), Some(b)) => a.cmp(b),
        _ => rank(a).cmp(&rank(b)).then_with(|| raw(a).cmp(&raw(b))),
    }
}

/// Returns the place of the kind of a value among the kinds.
fn rank(value: &Value) -> u8 {
    match value {
        _ if value.is_null() => 4,
        _ if value.as_number().is_some() => 0,
        _ if value.as_bool().is_some() => 1,
        _ if value.as_str().is_some() => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_all_kinds_are_in_one_order() {
        let values = [
            Value::from(9),
            Value::from(10),
            Value::from(false),
            Value::from("10"),
            Value::from("5"),
            Value::from("9"),
            Value::tuple([Value::from(1)]),
            Value::null(Type::Dynamic),
        ];
        for (place, a) in values.iter().enumerate() {
            for (other, b) in values.iter().enumerate() {
                assert_eq!(compare(a, b), place.cmp(&other), "{a} and {b}");
            }
        }
    }
}
