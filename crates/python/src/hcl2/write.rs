//! From the objects of python-hcl2 to HCL, in its layout.
//!
//! Blocks are dicts with the key `__is_block__`, below one dict for each label. Strings are written as they are: with
//! quotes, they are strings of HCL; `"${…}"` is an expression, which is read and printed in the one form that this library
//! prints expressions in; anything else is a name.

use hcl_lr::syntax::ExpressionFile;
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use super::heredocs::encoded;
use super::serialize::{self, Serializer};
use crate::guard::with_room_below;
use crate::report;
use crate::values::check_level;

/// The options of python-hcl2 for making HCL of objects.
#[derive(FromPyObject, Clone)]
pub struct Options {
    heredocs_to_strings: bool,
    strings_to_heredocs: bool,
    object_elements_colon: bool,
    object_elements_trailing_comma: bool,
}

/// The options of python-hcl2 for the layout.
#[derive(FromPyObject, Clone)]
pub struct Layout {
    indent_length: usize,
    open_empty_blocks: bool,
    open_empty_objects: bool,
    open_empty_tuples: bool,
    vertically_align_attributes: bool,
    vertically_align_object_elements: bool,
}

const IS_BLOCK: &str = "__is_block__";
const RESERVED: [&str; 3] = [IS_BLOCK, "__comments__", "__inline_comments__"];

struct Writer<'o> {
    options: &'o Options,
    layout: &'o Layout,
    out: String,
    /// The length of the text after the last heredoc.
    heredoc_end: usize,
    of_expressions: serialize::Options,
}

/// Returns the text of objects.
///
/// # Errors
/// `TypeError` and `ValueError` for objects that cannot be written, `ParseError` for expressions with errors.
pub fn write(data: &Bound<'_, PyDict>, options: &Options, layout: &Layout) -> PyResult<String> {
    let of_expressions = serialize::Options::for_writing();
    let mut writer = Writer { options, layout, out: String::new(), heredoc_end: 0, of_expressions };
    writer.items(data, 0, false)?;
    let mut out = writer.out;
    if out.ends_with("\n\n") {
        out.pop();
    }
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    Ok(out)
}

/// Returns true if a dict, or one inside it, is a block.
fn has_marker(dict: &Bound<'_, PyDict>, level: usize) -> PyResult<bool> {
    check_level(level)?;
    let shared = dict.as_unbound();
    with_room_below(dict.py(), level, |py| has_marker_here(shared.bind(py), level))
}

fn has_marker_here(dict: &Bound<'_, PyDict>, level: usize) -> PyResult<bool> {
    if dict.get_item(IS_BLOCK)?.map(|value| value.is_truthy()).transpose()? == Some(true) {
        return Ok(true);
    }
    for value in dict.values() {
        if let Ok(inner) = value.cast::<PyDict>() {
            if has_marker(inner, level + 1)? {
                return Ok(true);
            }
        } else if let Ok(list) = value.cast::<PyList>() {
            for element in list.iter() {
                if element.cast::<PyDict>().is_ok_and(|inner| has_marker(inner, level + 1).unwrap_or_default()) {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// An item of a body.
enum Item<'py> {
    Attribute(String, Bound<'py, PyAny>),
    Block(Vec<String>, Bound<'py, PyDict>),
}

fn text(object: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(object.str()?.to_cow()?.into_owned())
}

/// Returns the labels of a block with its type, and its body.
fn labels<'py>(block_type: &str, value: &Bound<'py, PyAny>) -> PyResult<Option<(Vec<String>, Bound<'py, PyDict>)>> {
    let mut labels = vec![block_type.to_owned()];
    let mut body = value.clone();
    loop {
        let Ok(dict) = body.clone().cast_into::<PyDict>() else { return Ok(None) };
        if dict.get_item(IS_BLOCK)?.map(|value| value.is_truthy()).transpose()? == Some(true) {
            return Ok(Some((labels, dict)));
        }
        let mut own = Vec::new();
        for key in dict.keys() {
            let key = text(&key)?;
            if !RESERVED.contains(&&*key) {
                own.push(key);
            }
        }
        let [label] = &own[..] else { return Ok(Some((labels, dict))) };
        labels.push(label.clone());
        body = dict.get_item(label)?.ok_or_else(|| PyTypeError::new_err("labels of blocks are strings"))?;
    }
}

fn items<'py>(dict: &Bound<'py, PyDict>) -> PyResult<Vec<Item<'py>>> {
    let mut items = Vec::new();
    for (name, value) in dict.iter() {
        let name = text(&name)?;
        if let Ok(list) = value.cast::<PyList>() {
            let mut is_of_blocks = false;
            for element in list.iter() {
                if let Ok(element) = element.cast::<PyDict>() {
                    is_of_blocks |= has_marker(element, 0)?;
                }
            }
            if is_of_blocks {
                for element in list.iter() {
                    match labels(&name, &element)? {
                        Some((labels, body)) => items.push(Item::Block(labels, body)),
                        None => return Err(PyTypeError::new_err(format!("`{name}` has blocks and other values"))),
                    }
                }
                continue;
            }
        }
        if !RESERVED.contains(&&*name) {
            items.push(Item::Attribute(name, value));
        }
    }
    Ok(items)
}

impl Writer<'_> {
    /// Returns true if the last thing that was written is a heredoc.
    fn ends_in_heredoc(&self) -> bool {
        self.heredoc_end == self.out.len()
    }

    fn line(&mut self, level: usize, lines: usize) {
        self.out.push_str(&"\n".repeat(lines));
        self.out.push_str(&" ".repeat(self.layout.indent_length * level));
    }

    /// Writes the items of a body. Between blocks there are lines, as many as python-hcl2 writes.
    fn items(&mut self, dict: &Bound<'_, PyDict>, level: usize, aligns: bool) -> PyResult<()> {
        check_level(level)?;
        let shared = dict.as_unbound();
        with_room_below(dict.py(), level, |py| self.items_here(shared.bind(py), level, aligns))
    }

    fn items_here(&mut self, dict: &Bound<'_, PyDict>, level: usize, aligns: bool) -> PyResult<()> {
        let items = items(dict)?;
        let width = |run: &[Item<'_>]| {
            let names = run.iter().map_while(|item| match item {
                Item::Attribute(name, _) => Some(name.chars().count()),
                Item::Block(..) => None,
            });
            names.max().unwrap_or_default()
        };
        let mut column = 0;
        for (index, item) in items.iter().enumerate() {
            let before = index.checked_sub(1).map(|before| &items[before]);
            match item {
                Item::Attribute(name, value) => {
                    match before {
                        Some(Item::Attribute(..)) => self.line(level, 1),
                        Some(Item::Block(..)) => self.line(level, 2),
                        None => {}
                    }
                    if !matches!(before, Some(Item::Attribute(..))) {
                        column = if aligns { width(&items[index..]) } else { 0 };
                    }
                    self.out.push_str(name);
                    self.out.push_str(&" ".repeat(column.saturating_sub(name.chars().count()) + 1));
                    self.out.push_str("= ");
                    self.value(value, level + 1)?;
                }
                Item::Block(labels, body) => {
                    match before {
                        Some(Item::Attribute(..)) => {
                            self.line(level, 1);
                            self.line(level, 1);
                        }
                        Some(Item::Block(..)) => {
                            self.line(level, 1);
                            self.line(level, 2);
                        }
                        None => {}
                    }
                    self.block(labels, body, level)?;
                }
            }
        }
        Ok(())
    }

    fn block(&mut self, labels: &[String], body: &Bound<'_, PyDict>, level: usize) -> PyResult<()> {
        let labels: Vec<&str> = labels.iter().map(|label| label.as_str()).collect();
        self.out.push_str(&labels.join(" "));
        self.out.push_str(" {");
        let is_empty = items(body)?.is_empty();
        if !is_empty {
            self.line(level + 1, 1);
            self.items(body, level + 1, self.layout.vertically_align_attributes)?;
            self.line(level, 1);
        } else if self.layout.open_empty_blocks {
            self.line(level, 2);
        }
        self.out.push('}');
        Ok(())
    }

    fn value(&mut self, value: &Bound<'_, PyAny>, level: usize) -> PyResult<()> {
        check_level(level)?;
        let shared = value.as_unbound();
        with_room_below(value.py(), level, |py| self.value_here(shared.bind(py), level))
    }

    fn value_here(&mut self, value: &Bound<'_, PyAny>, level: usize) -> PyResult<()> {
        if let Ok(dict) = value.cast::<PyDict>() {
            return self.object(dict, level);
        }
        if value.cast::<PyList>().is_ok() || value.cast::<PyTuple>().is_ok() {
            return self.list(value, level);
        }
        let written = scalar(value)?;
        match written {
            Scalar::Text(text) => self.text(&text, level),
            Scalar::Other(text) => {
                self.out.push_str(&text);
                Ok(())
            }
        }
    }

    /// Writes a string of python-hcl2.
    fn text(&mut self, text: &str, level: usize) -> PyResult<()> {
        if let Some(inside) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            if inside.starts_with("<<") && !self.options.heredocs_to_strings && inside.contains('\n') {
                self.out.push_str(inside);
                self.heredoc_end = self.out.len();
            } else if self.options.strings_to_heredocs && inside.contains("\\n") {
                let content = hcl_lr::internal::decode_quoted(inside);
                self.out.push_str(&format!("<<EOF\n{content}\nEOF"));
                self.heredoc_end = self.out.len();
            } else {
                self.out.push_str(text);
            }
            return Ok(());
        }
        match text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')) {
            Some(inside) => {
                let inside = encoded(inside);
                let parsed = hcl_lr::parse::<ExpressionFile>(("expression", &*inside)).into_result();
                let file = parsed.map_err(|wrong| Python::attach(|py| report::failed(py, "ParseError", &wrong)))?;
                let text = self.expression(file.expression(), level);
                self.out.push_str(text.trim_end_matches('\n'));
                if text.ends_with('\n') {
                    self.heredoc_end = self.out.len();
                }
            }
            None => self.out.push_str(text),
        }
        Ok(())
    }

    fn list(&mut self, list: &Bound<'_, PyAny>, level: usize) -> PyResult<()> {
        if list.len()? == 0 {
            self.out.push('[');
            if self.layout.open_empty_tuples {
                self.line(level - 1, 2);
            }
            self.out.push(']');
            return Ok(());
        }
        self.out.push('[');
        for element in list.try_iter()? {
            self.line(level, 1);
            self.value(&element?, level + 1)?;
            if self.ends_in_heredoc() {
                self.line(level, 1);
            }
            self.out.push(',');
        }
        self.line(level - 1, 1);
        self.out.push(']');
        Ok(())
    }

    fn object(&mut self, dict: &Bound<'_, PyDict>, level: usize) -> PyResult<()> {
        let mut entries = Vec::new();
        for (key, value) in dict.iter() {
            let key = self.key(&key, level)?;
            if key != IS_BLOCK {
                entries.push((key, value));
            }
        }
        self.out.push('{');
        if entries.is_empty() {
            if self.layout.open_empty_objects {
                self.line(level - 1, 2);
            }
            self.out.push('}');
            return Ok(());
        }
        let width = entries.iter().map(|(key, _)| key.chars().count()).max().unwrap_or_default();
        for (key, value) in &entries {
            self.line(level, 1);
            self.out.push_str(key);
            let blanks = width - key.chars().count();
            let (aligns, colon) = (self.layout.vertically_align_object_elements, self.options.object_elements_colon);
            if aligns {
                self.out.push_str(&" ".repeat(blanks + 1));
            } else if !colon {
                self.out.push(' ');
            }
            self.out.push_str(if colon { ": " } else { "= " });
            self.value(value, level + 1)?;
            // The line of a closing marker has nothing else, and its end also ends the element.
            let has_comma = self.options.object_elements_trailing_comma && !self.ends_in_heredoc();
            self.out.push_str(if has_comma { "," } else { "" });
        }
        self.line(level - 1, 1);
        self.out.push('}');
        Ok(())
    }

    fn key(&mut self, key: &Bound<'_, PyAny>, level: usize) -> PyResult<String> {
        let start = self.out.len();
        match scalar(key)? {
            Scalar::Text(text) => self.text(&text, level)?,
            Scalar::Other(text) => self.out.push_str(&text),
        }
        Ok(self.out.split_off(start))
    }

    /// Returns the text of an expression: collections on several lines where they are a whole value, an element, or an
    /// argument, and everything else on one.
    fn expression(&self, expression: ExpressionNode<'_>, level: usize) -> String {
        let serializer = Serializer::for_writing(&self.of_expressions);
        let flat = |expression: ExpressionNode<'_>| {
            let mut text = String::new();
            serializer.expression_text(expression, &mut text);
            text
        };
        let deeper =
            |expression: ExpressionNode<'_>| hcl_lr::stack::with_room(|| self.expression(expression, level + 1));
        let line = |level: usize| format!("\n{}", " ".repeat(self.layout.indent_length * level));
        let (inner, outer) = (line(level), line(level.saturating_sub(1)));
        match expression.kind() {
            ExpressionKind::Tuple(tuple) if tuple.elements().len() > 0 => {
                let elements: Vec<String> = tuple.elements().map(deeper).collect();
                format!("[{inner}{}{outer}]", elements.join(&format!(",{inner}")))
            }
            ExpressionKind::Object(object) if object.elements().len() > 0 => {
                let keys: Vec<String> = object.elements().map(|element| serializer.key(element, true)).collect();
                let width = keys.iter().map(|key| key.chars().count()).max().unwrap_or_default();
                let entries = keys.iter().zip(object.elements()).map(|(key, element)| {
                    let blanks = if self.layout.vertically_align_object_elements { width } else { 0 };
                    let blanks = " ".repeat(blanks.saturating_sub(key.chars().count()));
                    let value = deeper(element.value());
                    // After a heredoc, the end of the line ends the entry.
                    match value.strip_suffix('\n') {
                        Some(heredoc) => format!("{inner}{key}{blanks} = {heredoc}"),
                        None => format!("{inner}{key}{blanks} = {value},"),
                    }
                });
                let entries: String = entries.collect();
                format!("{{{}{outer}}}", entries.strip_suffix(',').unwrap_or(&entries))
            }
            ExpressionKind::For(one) => {
                let (open, close) = if one.is_object() { ('{', '}') } else { ('[', ']') };
                let mut text = format!("{open}{inner}{}{inner}", serializer.intro(one));
                if let Some(key) = one.key() {
                    text.push_str(&format!("{} => ", deeper(key)));
                }
                text.push_str(&deeper(one.value()));
                text.push_str(if one.groups() { " ..." } else { "" });
                if let Some(condition) = one.condition() {
                    text.push_str(&format!("{inner}if {}", deeper(condition)));
                }
                format!("{text}{outer}{close}")
            }
            ExpressionKind::FunctionCall(call) => {
                let arguments =
                    call.arguments().map(|argument| hcl_lr::stack::with_room(|| self.expression(argument, level)));
                let rest = if call.expands_last() { " ... " } else { "" };
                format!("{}({}{rest})", call.name(), arguments.collect::<Vec<_>>().join(", "))
            }
            ExpressionKind::Parentheses(parentheses) => {
                format!("({})", hcl_lr::stack::with_room(|| self.expression(parentheses.inner(), level)))
            }
            _ => flat(expression),
        }
    }
}

enum Scalar {
    Text(String),
    Other(String),
}

fn scalar(value: &Bound<'_, PyAny>) -> PyResult<Scalar> {
    Ok(if value.is_none() {
        Scalar::Other("null".to_owned())
    } else if let Ok(value) = value.cast::<PyBool>() {
        Scalar::Other(value.is_true().to_string())
    } else if value.cast::<PyString>().is_ok() {
        Scalar::Text(text(value)?)
    } else if value.cast::<PyInt>().is_ok() || value.cast::<PyFloat>().is_ok() {
        Scalar::Other(text(value)?)
    } else {
        Scalar::Text(text(value)?)
    })
}
