//! Prints lists of values: as HCL, JSON, YAML, CSV, Markdown, a table, or plain text.

use std::borrow::Cow;
use std::collections::HashMap;

use clap::ValueEnum;

use super::error::Error;
use super::table;
use super::values::{json_line, pretty};
use hcl_lr::json::{Node, NodeKind};
use hcl_lr::model::{Value, json};
use hcl_lr::stack;

/// The format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The source of each match after a comment with its place, or values as HCL
    Hcl,
    /// A JSON array
    Json,
    /// JSON, one line per match
    Ndjson,
    /// One line per value; strings without quotes
    Raw,
    /// Columns: place, address and source, or those of the selected object
    Table,
    /// A YAML list
    Yaml,
    /// Comma-separated values, with a header
    Csv,
    /// A Markdown table
    Markdown,
}

/// More columns than this are not readable as a table.
pub const MAX_COLUMNS: usize = 200;

/// Prints values in a format. `order` has the names of the first columns.
///
/// # Errors
/// A message, if a value has no JSON, or if there are too many columns for a table.
pub fn print(format: Format, rows: &[Value], order: &[String]) -> Result<String, Error> {
    let lines = |line: &dyn Fn(&Value) -> Result<String, Error>| -> Result<String, Error> {
        rows.iter().map(|row| Ok(line(row)? + "\n")).collect()
    };
    match format {
        Format::Hcl => lines(&|row| Ok(pretty(row))),
        Format::Raw => lines(&|row| Ok(raw(row))),
        Format::Ndjson => lines(&json_line),
        Format::Json if rows.is_empty() => Ok("[]\n".to_owned()),
        Format::Json => {
            let rows: Vec<String> = rows.iter().map(json_line).collect::<Result<_, _>>()?;
            Ok(format!("[\n  {}\n]\n", rows.join(",\n  ")))
        }
        Format::Yaml if rows.is_empty() => Ok("[]\n".to_owned()),
        Format::Yaml => {
            let mut text = String::new();
            for row in rows {
                text.push_str("- ");
                write_yaml(&row, 1, &mut text)?;
            }
            Ok(text)
        }
        Format::Table => {
            let mut rows = capitals(cells(rows, order, cell)?);
            // Values other than objects have no names.
            if rows.first().is_some_and(|header| header.iter().all(String::is_empty)) {
                rows.remove(0);
            }
            Ok(table::aligned(&rows))
        }
        Format::Csv => {
            let quoted = |text: &str| match text.contains([',', '"', '\n', '\r']) {
                true => format!("\"{}\"", text.replace('"', "\"\"")),
                false => text.to_owned(),
            };
            let line =
                |cells: &Vec<String>| cells.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",") + "\r\n";
            Ok(cells(rows, order, |text| text.to_owned())?.iter().map(line).collect())
        }
        Format::Markdown => {
            let escaped = |text: &str| text.trim_end().replace('\\', "\\\\").replace('|', "\\|").replace('\n', "<br>");
            let rows = capitals(cells(rows, order, escaped)?);
            let mut text = String::new();
            for (index, row) in rows.iter().enumerate() {
                text.push_str(&format!("| {} |\n", row.join(" | ")));
                if index == 0 {
                    text.push_str(&format!("|{}\n", " --- |".repeat(row.len())));
                }
            }
            Ok(text)
        }
    }
}

/// Writes the names of columns in capital letters, for people.
fn capitals(mut rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    rows.iter_mut().take(1).flatten().for_each(|name| *name = name.to_uppercase());
    rows
}

/// Returns the header and the cells of rows. The columns are the names in the objects; rows that are not objects have
/// one cell for each element.
fn cells(rows: &[Value], order: &[String], shown: impl Fn(&str) -> String) -> Result<Vec<Vec<String>>, Error> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let mut header: Vec<String> = order.to_vec();
    let mut places: HashMap<String, usize> = header.iter().cloned().zip(0..).collect();
    let mut all = Vec::with_capacity(rows.len() + 1);
    for row in rows {
        let mut cells = Vec::new();
        match (row.entries(), row.elements()) {
            (Some(entries), _) => {
                for (name, value) in entries {
                    let place = *places.entry(name.to_owned()).or_insert_with(|| {
                        header.push(name.to_owned());
                        header.len() - 1
                    });
                    if place >= MAX_COLUMNS {
                        continue;
                    }
                    cells.resize(cells.len().max(place + 1), String::new());
                    cells[place] = shown(&text_in_cell(value));
                }
            }
            (None, Some(elements)) => cells.extend(elements.iter().map(|value| shown(&text_in_cell(value)))),
            (None, None) => cells.push(shown(&text_in_cell(row))),
        }
        all.push(cells);
    }
    if header.len() > MAX_COLUMNS {
        let count = header.len();
        return Err(
            format!("objects with {count} different names do not fit a table; `--json` shows all of them").into()
        );
    }
    let width = all.iter().map(Vec::len).max().unwrap_or(0).max(header.len());
    header.resize(width, String::new());
    all.iter_mut().for_each(|cells| cells.resize(width, String::new()));
    all.insert(0, header);
    Ok(all)
}

/// Returns the text of a value in a table, where null is empty.
fn text_in_cell(value: &Value) -> String {
    if value.is_null() { String::new() } else { raw(value) }
}

/// Returns a value as text, without quotes around a string.
pub fn raw(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns a text in one line.
pub fn cell(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().trim_end().replace('\t', " ");
    if lines.next().is_some() { format!("{first} …") } else { first }
}

/// A tree that can be written as YAML.
pub trait Yaml: Sized + Sync {
    /// Returns the entries of an object.
    fn entries(&self) -> Option<Vec<(String, Self)>>;

    /// Returns the elements of a list.
    fn elements(&self) -> Option<Vec<Self>>;

    /// Returns the text of anything else, or of an empty object or list.
    ///
    /// # Errors
    /// A message, if it has none.
    fn scalar(&self) -> Result<String, Error>;
}

impl Yaml for &Value {
    fn entries(&self) -> Option<Vec<(String, Self)>> {
        Some((*self).entries()?.map(|(name, value)| (name.to_owned(), value)).collect())
    }

    fn elements(&self) -> Option<Vec<Self>> {
        Some((*self).elements()?.iter().collect())
    }

    fn scalar(&self) -> Result<String, Error> {
        json::encode_implied(self).map_err(|why| format!("there is no YAML for this value: {why}").into())
    }
}

impl Yaml for Node<'_> {
    fn entries(&self) -> Option<Vec<(String, Self)>> {
        let NodeKind::Object(object) = self.kind() else { return None };
        Some(object.properties().map(|property| (property.name().into_owned(), property.value())).collect())
    }

    fn elements(&self) -> Option<Vec<Self>> {
        let NodeKind::Array(array) = self.kind() else { return None };
        Some(array.elements().collect())
    }

    fn scalar(&self) -> Result<String, Error> {
        match self.kind() {
            // YAML does not have all escape sequences of JSON.
            NodeKind::String(text) => (&Value::from(&*text.text())).scalar(),
            NodeKind::Object(_) => Ok("{}".to_owned()),
            NodeKind::Array(_) => Ok("[]".to_owned()),
            NodeKind::Number(_) => Ok(yaml_number(self.text())),
            _ => Ok(self.text().to_owned()),
        }
    }
}

/// Returns a number in JSON as one in YAML. In YAML 1.1, `1e30` is a string: an exponent needs a point before it, and a
/// sign.
fn yaml_number(text: &str) -> String {
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else { return text.to_owned() };
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with(['+', '-']) { "" } else { "+" };
    format!("{mantissa}{point}e{sign}{exponent}")
}

/// Returns a JSON scalar with escape sequences for characters that YAML does not allow otherwise, and for a YAML 1.1
/// line end that is not a line end in JSON.
fn escaped_for_yaml(json: &str) -> Cow<'_, str> {
    let needs = |c: char| matches!(c, '\u{7f}'..='\u{9f}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}');
    if !json.contains(needs) {
        return Cow::Borrowed(json);
    }
    let mut text = String::with_capacity(json.len() + 8);
    for c in json.chars() {
        match needs(c) {
            true => text.push_str(&format!("\\u{:04x}", c as u32)),
            false => text.push(c),
        }
    }
    text.into()
}

/// Returns a value as a YAML document.
///
/// # Errors
/// A message, if there is no YAML for a part of it.
pub fn yaml(value: &Value) -> Result<String, Error> {
    let mut text = String::new();
    write_yaml(&value, 0, &mut text)?;
    Ok(text)
}

/// Returns a JSON text as a YAML document.
///
/// # Errors
/// A message, if it is not JSON.
pub fn yaml_of_json(text: &str) -> Result<String, Error> {
    yaml(&json::decode_implied(text).map_err(|why| why.to_string())?)
}

/// Writes a value as YAML at `depth` levels of indentation. Strings are quoted, so that they are never read as other
/// types.
///
/// # Errors
/// A message, if a part of it has no YAML.
pub fn write_yaml<Y: Yaml>(value: &Y, depth: usize, text: &mut String) -> Result<(), Error> {
    let indent = "  ".repeat(depth);
    if let Some(entries) = value.entries().filter(|entries| !entries.is_empty()) {
        for (index, (name, value)) in entries.iter().enumerate() {
            if index > 0 {
                text.push_str(&indent);
            }
            text.push_str(&escaped_for_yaml(&json_line(&Value::from(name.as_str()))?));
            let is_nested = value.entries().is_some_and(|entries| !entries.is_empty())
                || value.elements().is_some_and(|elements| !elements.is_empty());
            match is_nested {
                true => {
                    text.push_str(":\n");
                    text.push_str(&"  ".repeat(depth + 1));
                }
                false => text.push_str(": "),
            }
            stack::with_room(|| write_yaml(value, depth + 1, text))?;
        }
        return Ok(());
    }
    if let Some(elements) = value.elements().filter(|elements| !elements.is_empty()) {
        for (index, element) in elements.iter().enumerate() {
            if index > 0 {
                text.push_str(&indent);
            }
            text.push_str("- ");
            stack::with_room(|| write_yaml(element, depth + 1, text))?;
        }
        return Ok(());
    }
    text.push_str(&escaped_for_yaml(&value.scalar()?));
    text.push('\n');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaml_has_no_characters_and_numbers_that_its_readers_refuse_or_take_for_others() {
        let value = Value::object([("a\u{85}b", Value::from("\u{7f} \u{9f} \u{feff} \u{ffff} \u{e9}"))]);
        assert_eq!(yaml(&value).expect("YAML"), "\"a\\u0085b\": \"\\u007f \\u009f \\ufeff \\uffff \u{e9}\"\n");
        assert_eq!(
            ["1", "-1.5", "1e30", "1.5E-400", "2e+3"].map(yaml_number),
            ["1", "-1.5", "1.0e+30", "1.5e-400", "2.0e+3"]
        );
    }

    #[test]
    fn each_format_shows_the_same_rows() {
        let rows = [
            Value::object([("name", Value::from("a|b")), ("ports", Value::tuple([Value::from(1), Value::from(2)]))]),
            Value::object([("name", Value::from("c,\"d\"")), ("zone", Value::object([("x", Value::tuple([]))]))]),
        ];
        let text = |format| print(format, &rows, &["name".to_owned()]).expect("it can be printed");
        assert_eq!(text(Format::Csv), "name,ports,zone\r\na|b,\"[1, 2]\",\r\n\"c,\"\"d\"\"\",,{ x = [] }\r\n");
        assert_eq!(
            text(Format::Markdown),
            "| NAME | PORTS | ZONE |\n| --- | --- | --- |\n| a\\|b | [1, 2] |  |\n| c,\"d\" |  | { x = [] } |\n"
        );
        assert_eq!(
            text(Format::Yaml),
            "- \"name\": \"a|b\"\n  \"ports\":\n    - 1\n    - 2\n- \"name\": \"c,\\\"d\\\"\"\n  \"zone\":\n    \"x\": []\n"
        );
    }
}
