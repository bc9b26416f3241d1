//! Values of Python, and their texts in Python.

use std::collections::HashMap;
use std::fmt::Write;

use crate::model::json::write_string_with;
use crate::stack::with_room;

/// A value of Python.
#[derive(Debug)]
pub enum Value {
    /// A `str`.
    Text(String),
    /// A number as Python prints it.
    Number(String),
    /// A `bool`.
    Bool(bool),
    /// `None`.
    None,
    /// A `list`.
    List(Vec<Value>),
    /// A `dict`.
    Dict(Dict),
}

/// The entries of an object, in their order.
#[derive(Debug, Default)]
pub struct Dict {
    /// The keys and values.
    pub entries: Vec<(String, Value)>,
    /// The index of each key, if there are many.
    places: HashMap<String, usize>,
}

/// Few keys are compared one by one.
const MAX_COMPARED: usize = 8;

impl Dict {
    /// Sets an entry. A new one becomes the last.
    pub fn set(&mut self, name: String, value: Value) {
        if let Some(known) = self.get_mut(&name) {
            *known = value;
            return;
        }
        if self.entries.len() == MAX_COMPARED {
            self.places = self.entries.iter().enumerate().map(|(place, (name, _))| (name.clone(), place)).collect();
        }
        if self.entries.len() >= MAX_COMPARED {
            self.places.insert(name.clone(), self.entries.len());
        }
        self.entries.push((name, value));
    }

    /// Returns the value of a key.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        let place = match self.entries.len() {
            ..=MAX_COMPARED => self.entries.iter().position(|(own, _)| own == name),
            _ => self.places.get(name).copied(),
        };
        Some(&mut self.entries[place?].1)
    }
}

/// Returns a number as Python prints it. With an exponent in lower case, it is a text.
pub fn number_of(text: &str) -> Value {
    if text.contains('e') {
        return Value::Text(format!("${{{text}}}"));
    }
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let digits = digits.trim_start_matches('0');
        return Value::Number(if digits.is_empty() { "0".to_owned() } else { format!("{sign}{digits}") });
    }
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Value::Number(float(number)),
        _ => {
            let digits = digits.trim_start_matches('0');
            let zero = if digits.starts_with('.') { "0" } else { "" };
            Value::Number(format!("{sign}{zero}{digits}"))
        }
    }
}

/// Returns a floating-point number as Python prints it.
fn float(number: f64) -> String {
    let text = format!("{number:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..16).contains(&exponent) {
        return format!("{number:?}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

/// Returns the `str` of a value in Python.
pub fn str_of(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        _ => repr(value),
    }
}

/// Returns the `repr` of a value in Python.
fn repr(value: &Value) -> String {
    match value {
        Value::Text(text) => repr_of_text(text),
        Value::Number(text) => text.clone(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::None => "None".to_owned(),
        Value::List(elements) => {
            let elements: Vec<String> = elements.iter().map(|element| with_room(|| repr(element))).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Dict(dict) => {
            let entry =
                |(name, value): &(String, Value)| format!("{}: {}", repr_of_text(name), with_room(|| repr(value)));
            format!("{{{}}}", dict.entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

fn repr_of_text(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            c if c.is_ascii_control() || ('\u{80}'..='\u{a0}').contains(&c) || c == '\u{ad}' => {
                let _ = write!(out, "\\x{:02x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// Returns the text of a value within an expression.
pub fn inline(value: &Value) -> String {
    match value {
        Value::Text(text) | Value::Number(text) => text.clone(),
        Value::Bool(value) => value.to_string(),
        Value::None => "None".to_owned(),
        Value::List(elements) => {
            let elements: Vec<String> = elements.iter().map(|element| with_room(|| inline(element))).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Dict(_) => {
            let mut text = String::new();
            dumped(value, &mut text);
            // Between the first `${` and the last `}`, quotes have no backslashes.
            match (text.find("${"), text.rfind('}')) {
                (Some(start), Some(end)) if start < end => {
                    format!("{}{}{}", &text[..start], text[start..end].replace("\\\"", "\""), &text[end..])
                }
                _ => text,
            }
        }
    }
}

/// Writes the `json.dumps` of a value in Python.
fn dumped(value: &Value, out: &mut String) {
    match value {
        Value::Text(text) => dumped_text(text, out),
        Value::Number(text) => out.push_str(text),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::None => out.push_str("null"),
        Value::List(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                with_room(|| dumped(element, out));
            }
            out.push(']');
        }
        Value::Dict(dict) => {
            out.push('{');
            for (index, (name, value)) in dict.entries.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                dumped_text(name, out);
                out.push_str(": ");
                with_room(|| dumped(value, out));
            }
            out.push('}');
        }
    }
}

fn dumped_text(text: &str, out: &mut String) {
    write_string_with(text, |c| !(' '..='~').contains(&c), out);
}
