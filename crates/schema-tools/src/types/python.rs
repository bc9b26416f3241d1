//! Types in Python.

use std::fmt::Write;

use super::names::{Names, is_plain, lines, quoted, snake};
use super::plan::{Blocks, Field, Kind, Plan, Record, Shape};
use hcl_lr::stack;

const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

const HELPERS: &str = r#"

def _parts(value: Any) -> List[Any]:
    """The elements of lists and of lists in them, or the only value."""
    if value is None:
        return []
    if isinstance(value, list):
        return [part for one in value for part in _parts(one)]
    return [value]


def _blocks(value: Any, read: Callable[[Any], Any]) -> List[Any]:
    """Blocks of a type: in JSON an object or a list of objects."""
    return [read(one) for one in _parts(value)]


def _labeled(value: Any, read: Callable[[Any], Any]) -> Dict[str, Any]:
    """Blocks by their label: in JSON an object or a list of objects."""
    found: Dict[str, List[Any]] = {}
    for part in _parts(value):
        for label, contents in part.items():
            found.setdefault(label, []).append(contents)
    return {label: read(contents) for label, contents in found.items()}


def _optional(value: Any, read: Callable[[Any], Any]) -> Any:
    return None if value is None else read(value)
"#;

pub(crate) fn write(plan: &Plan<'_>) -> String {
    let mut out = Python { plan, text: String::new() };
    let title = plan.index.schema().title();
    for line in lines(&format!("Types for {title}, made by `hcl schema types --python`.")) {
        let _ = writeln!(out.text, "# {line}");
    }
    out.text.push_str(
        "# They read the JSON that `hcl decode` and `hcl convert` write: `from_json(json.load(file))`.\n\n\
         from __future__ import annotations\n\nfrom dataclasses import dataclass\n\
         from typing import Any, Callable, Dict, List, Literal, Optional, Tuple, Union\n",
    );
    out.text.push_str(HELPERS);
    for words in &plan.words {
        let all: Vec<String> = words.words.iter().map(|word| quoted(word)).collect();
        let _ = write!(out.text, "\n\n{} = Literal[{}]\n", words.name, all.join(", "));
    }
    for record in &plan.records {
        out.record(record);
    }
    let (ty, read) = (out.shape(&plan.root), out.read(&plan.root, "json", 0));
    let read = read.unwrap_or_else(|| "json".to_owned());
    let _ =
        write!(out.text, "\n\ndef from_json(json: Any) -> {ty}:\n    \"\"\"Reads a file.\"\"\"\n    return {read}\n");
    out.text
}

struct Python<'p> {
    plan: &'p Plan<'p>,
    text: String,
}

impl Python<'_> {
    fn record(&mut self, record: &Record) {
        let _ = write!(self.text, "\n\n@dataclass\nclass {}:\n", record.name);
        for line in record.description.iter().flat_map(|text| lines(text)) {
            let _ = writeln!(self.text, "{}", format!("    # {line}").trim_end());
        }
        let mut names = Names::of_fields();
        names.take(["from_json".to_owned()]);
        let mut reads: Vec<String> = Vec::new();
        for field in &record.fields {
            for line in &field.notes {
                let _ = writeln!(self.text, "{}", format!("    # {line}").trim_end());
            }
            let name = match is_plain(&field.name) && !field.name.starts_with("__") {
                true => field.name.clone(),
                false => snake(&field.name),
            };
            let name = if KEYWORDS.contains(&&*name) { format!("{name}_") } else { name };
            let name = names.take([name]);
            let (ty, read) = self.field(field);
            let _ = writeln!(self.text, "    {name}: {ty}");
            reads.push(format!("{name}={read}"));
        }
        if record.others.is_some() {
            let name = names.take(["others".to_owned()]);
            let known: Vec<String> = record.fields.iter().map(|field| format!("{}, ", quoted(&field.name))).collect();
            let _ = writeln!(self.text, "    # All other names.\n    {name}: Dict[str, Any]");
            let known = known.concat();
            reads.push(format!(
                "{name}={{name: value for name, value in json.items() if name not in ({})}}",
                known.trim_end()
            ));
        }
        let _ = write!(self.text, "\n    @staticmethod\n    def from_json(json: Any) -> {}:\n", record.name);
        let _ = writeln!(self.text, "        return {}(", record.name);
        for read in reads {
            let _ = writeln!(self.text, "            {read},");
        }
        self.text.push_str("        )\n");
    }

    /// The type of a field, and the expression that reads it.
    fn field(&self, field: &Field) -> (String, String) {
        let name = quoted(&field.name);
        let optional = format!("json.get({name})");
        match &field.kind {
            Kind::Blocks(blocks) => {
                let (ty, read) = self.blocks(blocks);
                (ty, read.replace("@", &if field.required { format!("json[{name}]") } else { optional }))
            }
            Kind::Value(shape) => {
                let ty = self.shape(shape);
                if field.required && !self.plan.is_static(shape) {
                    let value = format!("json[{name}]");
                    let read = self.read(shape, &value, 0).unwrap_or(value);
                    return (ty, read);
                }
                if self.plan.is_text_or_more(shape) && ty != "Any" {
                    return (format!("Optional[Union[{ty}, str]]"), optional);
                }
                let read = match self.read(shape, "one", 1) {
                    Some(read) => format!("_optional({optional}, lambda one: {read})"),
                    None => optional,
                };
                (format!("Optional[{ty}]"), read)
            }
        }
    }

    /// The type of blocks, and the expression that reads them of `@`.
    fn blocks(&self, blocks: &Blocks) -> (String, String) {
        let read = self.read(blocks.decoded(), "one", 1).unwrap_or_else(|| "one".to_owned());
        let ty = format!("List[{}]", self.shape(blocks.decoded()));
        let read = format!("_blocks(@, lambda one: {read})");
        (0..blocks.labels).fold((ty, read), |(ty, read), level| {
            let name = format!("label_{level}");
            (format!("Dict[str, {ty}]"), format!("_labeled(@, lambda {name}: {})", read.replace("@", &name)))
        })
    }

    /// Returns the expression that converts a value; `None` if it stays unchanged.
    fn read(&self, shape: &Shape, value: &str, depth: usize) -> Option<String> {
        let inner = |shape: &Shape, value: &str| stack::with_room(|| self.read(shape, value, depth + 1));
        let own = format!("one_{depth}");
        match shape {
            Shape::Record(number, _) => Some(format!("{}.from_json({value})", self.plan.record(*number).name)),
            Shape::List(element) => inner(element, &own).map(|read| format!("[{read} for {own} in {value}]")),
            Shape::Map(element) => inner(element, &own)
                .map(|read| format!("{{key_{depth}: {read} for key_{depth}, {own} in {value}.items()}}")),
            _ => None,
        }
    }

    fn shape(&self, shape: &Shape) -> String {
        let inner = |shape: &Shape| stack::with_room(|| self.shape(shape));
        match shape {
            Shape::Any => "Any".to_owned(),
            Shape::Text | Shape::Expression | Shape::Type => "str".to_owned(),
            Shape::Number => "float".to_owned(),
            Shape::Integer(_) => "int".to_owned(),
            Shape::Bool => "bool".to_owned(),
            Shape::List(element) => format!("List[{}]", inner(element)),
            Shape::Map(element) => format!("Dict[str, {}]", inner(element)),
            // The contents of tuples and alternatives are not converted.
            Shape::Tuple(_) => "List[Any]".to_owned(),
            Shape::Record(number, _) => self.plan.record(*number).name.clone(),
            Shape::Words(number) => self.plan.words[*number].name.clone(),
            Shape::OneOf(all) => {
                let mut types: Vec<String> = all.iter().map(|alternative| self.unread(alternative)).collect();
                types.dedup();
                if types.iter().any(|ty| ty == "Any") {
                    "Any".to_owned()
                } else {
                    format!("Union[{}]", types.join(", "))
                }
            }
        }
    }

    /// Returns the type of a value that is not converted.
    fn unread(&self, shape: &Shape) -> String {
        match shape {
            Shape::Record(..) => "Dict[str, Any]".to_owned(),
            Shape::List(_) => "List[Any]".to_owned(),
            Shape::Map(_) => "Dict[str, Any]".to_owned(),
            shape => stack::with_room(|| self.shape(shape)),
        }
    }
}
