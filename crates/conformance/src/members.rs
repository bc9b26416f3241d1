//! The allowed and the required members of a request.
//!
//! A request with an unknown member, or without a required one, gets no answer: a driver that ignored what it does not
//! understand would answer another question.

use serde_json::{Map, Value, json};

/// The form of a member.
#[derive(Clone, Copy)]
enum Form {
    Text,
    Flag,
    Object,
    List,
    Any,
    OneOf(&'static [&'static str]),
}

use Form::{Any, Flag, List, Object, OneOf, Text};

/// An operation of the protocol.
struct Operation {
    name: &'static str,
    required: &'static [(&'static str, Form)],
    optional: &'static [(&'static str, Form)],
    /// True if the request has a source: one of `src` and `src_base64`.
    source: bool,
    /// True if the request evaluates something, so that it may have `vars`, `scopes` and `functions`.
    context: bool,
}

const fn operation(name: &'static str) -> Operation {
    Operation { name, required: &[], optional: &[], source: false, context: false }
}

const fn of_source(name: &'static str) -> Operation {
    Operation { source: true, ..operation(name) }
}

const STATIC: &[(&str, Form)] = &[("want", OneOf(&["list", "map", "call", "traversal", "keyword"]))];
const EVALUATION: &[(&str, Form)] = &[("ast", Flag), ("eval", Flag)];

const OPERATIONS: &[Operation] = &[
    operation("about"),
    Operation { optional: &[("ast", Flag)], ..of_source("config") },
    Operation { optional: &[("json", Flag)], ..of_source("recover") },
    Operation { optional: EVALUATION, context: true, ..of_source("expr") },
    Operation { optional: EVALUATION, context: true, ..of_source("template") },
    Operation { context: true, ..of_source("attributes") },
    Operation { context: true, ..of_source("json_attributes") },
    of_source("format"),
    of_source("traversal"),
    Operation { required: &[("as", OneOf(&["config", "expr", "template"]))], ..of_source("tokens") },
    of_source("variables"),
    Operation { required: STATIC, ..of_source("static") },
    Operation { required: STATIC, context: true, ..of_source("json_static") },
    Operation {
        required: &[("want", OneOf(&["type", "constraint"]))],
        optional: &[("json", Flag)],
        ..of_source("type")
    },
    Operation { required: &[("value", Any)], optional: &[("json", Flag)], ..of_source("defaults") },
    Operation { required: &[("value", Any), ("type", Any)], ..operation("convert") },
    Operation { required: &[("types", List)], optional: &[("want", OneOf(&["safe", "unsafe"]))], ..operation("unify") },
    Operation { required: &[("name", Text), ("args", List)], ..operation("call") },
    Operation { required: &[("value", Any)], ..operation("echo") },
    Operation {
        required: &[("files", List), ("schema", Object)],
        optional: &[("dynamic", Flag), ("veto", Flag), ("needs", Flag)],
        context: true,
        ..operation("content")
    },
    Operation {
        required: &[("files", List), ("spec", Any)],
        optional: &[("dynamic", Flag), ("veto", Flag), ("needs", Flag)],
        context: true,
        ..operation("decode")
    },
    Operation { required: &[("files", List), ("want", List)], context: true, ..operation("user_functions") },
];

/// The members that every request may have.
const COMMON: &[(&str, Form)] = &[("op", Text), ("id", Any), ("dialect", OneOf(&["engine", "strict"]))];
const SOURCE: &[(&str, Form)] = &[("src", Text), ("src_base64", Text)];
const CONTEXT: &[(&str, Form)] = &[("vars", Object), ("scopes", List), ("functions", List)];

/// The names of the operations.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    OPERATIONS.iter().map(|operation| operation.name)
}

/// Checks the members of a request. `None` for an unknown operation.
///
/// # Errors
/// A message about an unknown or a missing member.
pub(super) fn check(op: &str, request: &Map<String, Value>) -> Option<Result<(), String>> {
    Some(OPERATIONS.iter().find(|operation| operation.name == op)?.check(request))
}

impl Operation {
    fn check(&self, request: &Map<String, Value>) -> Result<(), String> {
        for (name, value) in request {
            match self.form(name) {
                Some(form) => form.check(name, value)?,
                None => return Err(format!("{} has no member {name}", self.name)),
            }
        }
        if self.source && request.contains_key("src") == request.contains_key("src_base64") {
            return Err(format!("{} needs either src or src_base64", self.name));
        }
        match self.required.iter().find(|(name, _)| !request.contains_key(*name)) {
            Some((name, _)) => Err(format!("{} needs the member {name}", self.name)),
            None => Ok(()),
        }
    }

    fn form(&self, name: &str) -> Option<Form> {
        let source = if self.source { SOURCE } else { &[] };
        let context = if self.context { CONTEXT } else { &[] };
        let mut known = COMMON.iter().chain(self.required).chain(self.optional).chain(source).chain(context);
        known.find(|(known, _)| *known == name).map(|(_, form)| *form)
    }
}

impl Form {
    fn check(self, name: &str, value: &Value) -> Result<(), String> {
        let (fits, wanted) = match self {
            Text => (value.is_string(), "a string".to_owned()),
            Flag => (value.is_boolean(), "true or false".to_owned()),
            Object => (value.is_object(), "an object".to_owned()),
            List => (value.is_array(), "an array".to_owned()),
            Any => (true, String::new()),
            OneOf(words) => {
                let fits = value.as_str().is_some_and(|word| words.contains(&word));
                (fits, format!("one of {}", json!(words)))
            }
        };
        if fits { Ok(()) } else { Err(format!("{name} is not {wanted}")) }
    }
}
