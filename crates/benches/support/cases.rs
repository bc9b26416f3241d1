//! The cases of the evaluation benchmarks: expressions over many objects, and a body of many attributes.
#![allow(dead_code)]

use std::fmt::Write;

use hcl_lr::model::Value;
use hcl_lr::source::Source;
use hcl_lr::syntax::ast::File;
use hcl_lr::{Expression, ParseOptions, Scope, functions};

/// The kind of source of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Expression,
    Template,
    Body,
    /// A body that is parsed each time, too.
    ParsedBody,
}

/// Something to evaluate with `items` in scope.
pub struct Case {
    pub name: &'static str,
    pub kind: Kind,
    pub source: String,
    /// The elements of `items`, or the parts of the source.
    pub count: usize,
    /// The number of elements of `items`: none if the source itself is large.
    pub items: usize,
    /// True if `items` is a tuple rather than a list.
    pub tuple: bool,
}

const LOOPS: [(&str, Kind, &str); 5] = [
    ("for, tuple", Kind::Expression, "[for x in items: x.id * 2 + 1 if x.on]"),
    ("for, object", Kind::Expression, "{for x in items: x.name => \"${upper(x.name)}-${x.id}\"}"),
    ("splat", Kind::Expression, "items[*].name"),
    ("attribute splat", Kind::Expression, "items.*.id"),
    ("template for", Kind::Template, "%{ for x in items }${x.name} has ${x.id}, %{ endfor }"),
];

/// All cases, over a given number of elements.
pub fn cases(count: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, kind, source) in LOOPS {
        cases.extend([false, true].map(|tuple| Case {
            name,
            kind,
            source: source.to_owned(),
            count,
            items: count,
            tuple,
        }));
    }
    for (name, kind, source) in [
        ("body", Kind::Body, body(count)),
        ("parsed body", Kind::ParsedBody, body(count)),
        ("object of many keys", Kind::Expression, object(count)),
        ("template of many parts", Kind::Template, template(count)),
    ] {
        cases.push(Case { name, kind, source, count, items: 0, tuple: false });
    }
    cases
}

/// An object with a given number of keys.
fn object(count: usize) -> String {
    let elements = (0..count).map(|number| format!("key_{number} = {number}"));
    format!("{{{}}}", elements.collect::<Vec<_>>().join(", "))
}

/// A template with a given number of interpolations, with text between them.
fn template(count: usize) -> String {
    (0..count).map(|number| format!("{number} ${{prefix}} ")).collect()
}

/// A body with a given number of attributes, of the kinds that configurations have.
fn body(count: usize) -> String {
    let mut text = String::new();
    for number in 0..count {
        // Writing to a string does not fail.
        let _ = match number % 5 {
            0 => writeln!(text, "attribute_{number} = \"${{prefix}}-{number}\""),
            1 => writeln!(text, "attribute_{number} = base + {number} * 2"),
            2 => writeln!(text, "attribute_{number} = [\"a\", {number}, {{ name = prefix, size = base }}]"),
            3 => writeln!(text, "attribute_{number} = enabled ? upper(prefix) : \"none\""),
            _ => writeln!(text, "attribute_{number} = \"text number {number}\""),
        };
    }
    text
}

/// Returns a number of objects with the attributes `id`, `name` and `on`.
pub fn items(count: usize, tuple: bool) -> Value {
    let item = |id: usize| {
        let name = Value::from(format!("item-{id}"));
        Value::object([("id", Value::from(id)), ("name", name), ("on", Value::from(!id.is_multiple_of(3)))])
    };
    let items = (0..count).map(item);
    if tuple { Value::tuple(items) } else { Value::list_of(items).expect("objects of one type") }
}

/// The variables and functions of a case.
pub fn scope(case: &Case) -> Scope<'static> {
    let scope = Scope::new().with("items", items(case.items, case.tuple)).with("prefix", "web").with("base", 1000);
    scope.with("enabled", true).with_functions(functions::standard())
}

/// A case that is parsed.
pub enum Parsed {
    Expression(Expression),
    Template(Expression),
    Body(File),
    Source(String),
}

impl Parsed {
    pub fn of(case: &Case) -> Parsed {
        let (source, options) = (Source::new("case", case.source.clone()), ParseOptions::default());
        match case.kind {
            Kind::Expression => Parsed::Expression(options.parse::<Expression>(source).into_result().expect("parses")),
            Kind::Template => {
                Parsed::Template(options.parse::<hcl_lr::Template>(source).into_result().expect("parses").into())
            }
            Kind::Body => Parsed::Body(hcl_lr::parse::<File>(&case.source).into_result().expect("parses")),
            Kind::ParsedBody => Parsed::Source(case.source.clone()),
        }
    }

    /// Evaluates it as an application does; of a body the number of attributes counts.
    pub fn evaluate(&self, scope: &Scope<'_>) -> Value {
        match self {
            Parsed::Expression(expression) => expression.evaluate(scope).expect("a value"),
            Parsed::Template(template) => template.evaluate(scope).expect("a value"),
            Parsed::Body(file) => count(file, scope),
            Parsed::Source(text) => count(&hcl_lr::parse::<File>(text).into_result().expect("parses"), scope),
        }
    }

    /// The value to compare with others: of a body all attributes.
    pub fn value(&self, scope: &Scope<'_>) -> Value {
        let object = |file: &File| {
            let values = file.body().evaluate_attributes(scope).into_result().expect("values");
            Value::object(values.into_iter().map(|(attribute, value)| (attribute.name(), value)))
        };
        match self {
            Parsed::Body(file) => object(file),
            Parsed::Source(text) => object(&hcl_lr::parse::<File>(text).into_result().expect("parses")),
            _ => self.evaluate(scope),
        }
    }
}

fn count(file: &File, scope: &Scope<'_>) -> Value {
    Value::from(file.body().evaluate_attributes(scope).into_result().expect("values").len())
}
