//! Schemas from JSON Schema.
//!
//! An object with `properties` becomes a body: a part, if it is in `$defs`, or the contents of a block. A property that is
//! such an object, an array of them, or has them as `additionalProperties` becomes blocks that may also be written as an
//! attribute; any other property becomes an attribute. For example
//!
//! ```json
//! { "properties": { "service": { "additionalProperties": { "properties": { "port": { "type": "integer" } } } } } }
//! ```
//!
//! becomes blocks `service "name" { port = 80 }`.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::internal::identifier::is_identifier;
use hcl_lr::json::{Document, Node, NodeKind};
use hcl_lr::model::{Number, Value};
use hcl_lr::source::Source;
use hcl_lr::stack;
use hcl_lr_language::internal::types_of_themselves;
use hcl_lr_language::schema::model::{
    Attribute, Block, Body, Deprecated, Files, Form, Format, Nesting, ObjectType, Range, Rule, RuleKind, Schema, Type,
};

/// The part that is the body of a file.
const ROOT: &str = "file";

/// Keywords that do not restrict values.
const NOTES: &[&str] =
    &["$schema", "$id", "$comment", "$anchor", "$defs", "definitions", "examples", "title", "readOnly"];

/// A schema imported from a JSON Schema.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ImportedSchema {
    /// The schema.
    pub schema: Schema,
    /// The keywords that it cannot express, by their places in the JSON Schema, such as `/properties/port/multipleOf`.
    pub lost: Vec<String>,
}

/// Makes a schema from a [JSON Schema](https://json-schema.org), for files with names in which `*` stands for any
/// characters. It accepts the files whose JSON the JSON Schema accepts, and more: what has no counterpart is listed.
///
/// ```
/// use hcl_lr_language::schema::Schema;
///
/// let json = r#"{
///   "properties": {
///     "port": { "type": "integer", "minimum": 1, "multipleOf": 2, "description": "The port." },
///     "check": { "type": "array", "items": { "properties": { "path": { "type": "string" } } } }
///   },
///   "required": ["port"]
/// }"#;
/// let imported = hcl_lr_schema_tools::from_json_schema("service", ["*.service.hcl"], ("service.json", json))?;
/// assert_eq!(imported.lost, ["/properties/port/multipleOf"]);
/// let body = &imported.schema.part("file").expect("it is there").body;
/// assert_eq!(body.attributes[0].ty.to_string(), "integer(1)");
/// assert_eq!(body.blocks[0].body.attributes[0].name, "path");
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
///
/// # Errors
/// If the source is not JSON.
pub fn from_json_schema(
    name: &str,
    patterns: impl IntoIterator<Item: Into<String>>,
    source: impl Into<Source>,
) -> Result<ImportedSchema, Diagnostics> {
    let document = hcl_lr::parse::<Document>(source).into_result()?;
    let root = document.root();
    let mut schema = Schema::new(name).with_files(Files::new(name, patterns, ROOT));
    schema.title = text(root, "title");
    schema.description = text(root, "description");
    let mut importer = Importer::new(root);
    let body = importer.body(root, "", true);
    schema = schema.with_part(ROOT, body);
    schema = importer.definitions(schema);
    importer.drop_cycles(&mut schema);
    Ok(ImportedSchema { schema, lost: importer.lost })
}

struct Importer<'t> {
    root: Node<'t>,
    /// The schemas in `$defs` and `definitions`, by their references.
    known: HashMap<String, Definition<'t>>,
    /// References to definitions that are still to be written, in the order in which they were found.
    waiting: Vec<String>,
    used: HashSet<String>,
    lost: Vec<String>,
}

#[derive(Clone)]
struct Definition<'t> {
    node: Node<'t>,
    name: String,
    path: String,
}

impl<'t> Importer<'t> {
    fn new(root: Node<'t>) -> Self {
        let mut known = HashMap::new();
        let mut taken: HashSet<String> = HashSet::from([ROOT.to_owned()]);
        for group in ["$defs", "definitions"] {
            for (name, node) in get(root, group).into_iter().flat_map(properties) {
                let path = format!("/{group}/{}", escaped(&name));
                let name = identifier(&name, &mut taken);
                known.insert(format!("#{path}"), Definition { node, name, path });
            }
        }
        Importer { root, known, waiting: Vec::new(), used: HashSet::new(), lost: Vec::new() }
    }

    /// Adds the parts and types that are referred to.
    fn definitions(&mut self, mut schema: Schema) -> Schema {
        while let Some(reference) = self.waiting.pop() {
            let Some(Definition { node, name, path }) = self.known.get(&reference).cloned() else { continue };
            if is_body(node) {
                schema = schema.with_part(name, self.body(node, &path, false));
                let part = schema.parts.last_mut().expect("the part that was added");
                part.description = text(node, "description");
            } else {
                let ty = self.ty(node, &path);
                schema.types.insert(name, ty);
            }
        }
        schema
    }

    /// Removes names that refer only to themselves: they would be neither types nor parts.
    fn drop_cycles(&mut self, schema: &mut Schema) {
        for name in types_of_themselves(&schema.types) {
            let definition = self.known.values().find(|definition| definition.name == name);
            self.lost.extend(definition.map(|definition| definition.path.clone()));
            schema.types.insert(name, Type::Any);
        }
        // A part gains nothing by including itself.
        let parts: HashMap<String, usize> =
            schema.parts.iter().enumerate().map(|(at, part)| (part.name.clone(), at)).collect();
        let mut finished = vec![false; schema.parts.len()];
        for start in 0..schema.parts.len() {
            let (mut path, mut is_on_path) = (vec![(start, 0)], HashSet::from([start]));
            while let Some((part, next)) = path.pop() {
                let body = &mut schema.parts[part].body;
                let Some(include) = body.includes.get(next).filter(|_| !finished[part]) else {
                    finished[part] = true;
                    is_on_path.remove(&part);
                    continue;
                };
                match parts.get(&include.part) {
                    Some(included) if is_on_path.contains(included) => {
                        Arc::make_mut(body).includes.remove(next);
                        path.push((part, next));
                    }
                    Some(included) => {
                        path.extend([(part, next + 1), (*included, 0)]);
                        is_on_path.insert(*included);
                    }
                    None => path.push((part, next + 1)),
                }
            }
        }
    }

    /// The definition that a schema refers to.
    fn definition(&mut self, node: Node<'t>, path: &str) -> Option<Definition<'t>> {
        let reference = text(node, "$ref")?;
        if reference == "#" {
            return Some(Definition { node: self.root, name: ROOT.to_owned(), path: String::new() });
        }
        let Some(found) = self.known.get(&reference).cloned() else {
            self.lost.push(format!("{path}/$ref"));
            return None;
        };
        if self.used.insert(reference.clone()) {
            self.waiting.push(reference);
        }
        Some(found)
    }

    fn lose(&mut self, path: &str, keyword: &str) {
        self.lost.push(format!("{path}/{}", escaped(keyword)));
    }

    /// A body. `is_root` is true for a file, of which the description is that of the language.
    fn body(&mut self, node: Node<'t>, path: &str, is_root: bool) -> Body {
        let mut body = Body::new();
        match node.kind() {
            NodeKind::Object(_) => {}
            NodeKind::Bool(false) => return body,
            _ => return body.open(),
        }
        if let Some(definition) = self.definition(node, path).filter(|definition| is_body(definition.node)) {
            body = body.including(definition.name);
        }
        let names = texts(get(node, "required"));
        let required: HashSet<&str> = names.iter().map(String::as_str).collect();
        let mut listed: HashSet<String> = HashSet::new();
        let (mut others, mut rules) = (Vec::new(), Vec::new());
        for (keyword, value) in properties(node) {
            match keyword.as_str() {
                "properties" => {
                    for (name, inner) in properties(value) {
                        let path = format!("{path}/properties/{}", escaped(&name));
                        if !is_identifier(&name) {
                            self.lost.push(path);
                            continue;
                        }
                        if !listed.insert(name.clone()) {
                            self.lost.push(path);
                            continue;
                        }
                        let required = required.contains(name.as_str());
                        stack::with_room(|| self.property(&mut body, &name, inner, required, &path));
                    }
                }
                "allOf" => {
                    for (at, one) in elements(value).enumerate() {
                        let path = format!("{path}/allOf/{at}");
                        others.push(stack::with_room(|| self.body(one, &path, false)));
                    }
                }
                "additionalProperties" | "unevaluatedProperties" => {
                    let path = format!("{path}/{keyword}");
                    if !matches!(value.kind(), NodeKind::Bool(_)) {
                        match listed.insert("*".to_owned()) {
                            true => stack::with_room(|| self.property(&mut body, "*", value, false, &path)),
                            false => self.lost.push(path),
                        }
                    }
                }
                "oneOf" | "anyOf" => match alternatives(value, keyword == "anyOf") {
                    Some(names) => {
                        let kind = if keyword == "oneOf" { RuleKind::ExactlyOne } else { RuleKind::AtLeastOne };
                        rules.push((Rule::new(kind, names), format!("{path}/{keyword}")));
                    }
                    None => self.lose(path, &keyword),
                },
                "type" | "required" | "$ref" | "description" | "deprecated" => {}
                keyword if NOTES.contains(&keyword) => {}
                _ => self.lose(path, &keyword),
            }
        }
        others.into_iter().for_each(|other| add(&mut body, &mut listed, other));
        for (rule, path) in rules {
            // An included part may have the name, or not.
            let all_listed = rule.names.iter().all(|name| listed.contains(name));
            let are_names = rule.names.iter().all(|name| is_identifier(name));
            if !are_names || !all_listed && !body.includes.is_empty() {
                self.lost.push(path);
                continue;
            }
            for name in &rule.names {
                if listed.insert(name.clone()) {
                    body.attributes.push(Arc::new(Attribute::new(name, Type::Any)));
                }
            }
            body = body.with_rule(rule);
        }
        for name in &names {
            if body.includes.is_empty() && is_identifier(name) && listed.insert(name.clone()) {
                body = body.with_attribute(Attribute::new(name, Type::Any).required());
            }
        }
        let closed = ["additionalProperties", "unevaluatedProperties"];
        body.open = !closed.iter().any(|name| get(node, name).is_some_and(|value| !is_true(value)));
        if is_root && !is_body(node) {
            body.open = true;
        }
        body
    }

    /// Adds a property to a body: an attribute or blocks.
    fn property(&mut self, body: &mut Body, name: &str, node: Node<'t>, required: bool, path: &str) {
        let path = path.to_owned();
        let description = text(node, "description");
        let deprecated = get(node, "deprecated").is_some_and(is_true).then(Deprecated::new);
        if let Some((element, inner_path, nesting, labels)) = self.blocks(node, &path) {
            let contents = match self.definition(element, &inner_path).filter(|found| is_body(found.node)) {
                Some(found) => Body::new().including(found.name),
                None => self.body(element, &inner_path, false),
            };
            let mut block = Block::new(name, contents).with_nesting(nesting);
            block.min = u32::from(required);
            if labels {
                block = block.with_label("name", Type::String);
            }
            if nesting == Nesting::List && !labels {
                let count = |name: &str| number(get(node, name)?)?.to_string().parse::<u32>().ok();
                block.min = block.min.max(if required { count("minItems").unwrap_or(0) } else { 0 });
                // No number of blocks satisfies a minimum above the maximum.
                block.max = count("maxItems").filter(|max| *max >= block.min);
            }
            block.form = Form::Either;
            (block.description, block.deprecated) = (description, deprecated);
            body.blocks.push(Arc::new(block));
            return;
        }
        let mut attribute = Attribute::new(name, self.ty(node, &path));
        attribute.required = required && name != "*";
        attribute.default = get(node, "default").and_then(value).filter(|default| !default.is_null() && !required);
        attribute.sensitive = get(node, "writeOnly").is_some_and(is_true);
        (attribute.description, attribute.deprecated) = (description, deprecated);
        body.attributes.push(Arc::new(attribute));
    }

    /// Returns the schema of the bodies, if a property can be blocks: its place, the nesting of the blocks, and true
    /// if they have a label.
    fn blocks(&mut self, node: Node<'t>, path: &str) -> Option<(Node<'t>, String, Nesting, bool)> {
        if self.leads_to_body(node) {
            return Some((node, path.to_owned(), Nesting::Single, false));
        }
        if let Some(items) = get(node, "items").filter(|items| self.leads_to_body(*items)) {
            self.lose_others(node, path, &["items", "type", "minItems", "maxItems", "description", "deprecated"]);
            return Some((items, format!("{path}/items"), Nesting::List, false));
        }
        let entries = get(node, "additionalProperties").filter(|entries| self.leads_to_body(*entries))?;
        self.lose_others(node, path, &["additionalProperties", "type", "description", "deprecated"]);
        Some((entries, format!("{path}/additionalProperties"), Nesting::Map, true))
    }

    /// Returns true if a schema is a body, or refers to one.
    fn leads_to_body(&self, node: Node<'t>) -> bool {
        let referred = text(node, "$ref").is_some_and(|reference| {
            reference == "#" || self.known.get(&reference).is_some_and(|known| is_body(known.node))
        });
        referred || is_body(node)
    }

    fn lose_others(&mut self, node: Node<'t>, path: &str, kept: &[&str]) {
        for (keyword, _) in properties(node) {
            if !kept.contains(&keyword.as_str()) && !NOTES.contains(&keyword.as_str()) {
                self.lose(path, &keyword);
            }
        }
    }

    /// The type of an attribute or an element.
    fn ty(&mut self, node: Node<'t>, path: &str) -> Type {
        const KEPT: &[&str] = &[
            "$ref",
            "type",
            "enum",
            "const",
            "anyOf",
            "oneOf",
            "items",
            "prefixItems",
            "uniqueItems",
            "properties",
            "required",
            "additionalProperties",
            "minimum",
            "maximum",
            "format",
            "default",
            "description",
            "deprecated",
            "writeOnly",
        ];
        if !matches!(node.kind(), NodeKind::Object(_)) {
            return Type::Any;
        }
        self.lose_others(node, path, KEPT);
        if let Some(found) = self.definition(node, path) {
            return match is_body(found.node) {
                true => Type::Part(found.name),
                // The whole schema is not a type.
                false if found.path.is_empty() => {
                    self.lose(path, "$ref");
                    Type::Any
                }
                false => Type::Named(found.name),
            };
        }
        if let Some(all) = get(node, "enum") {
            // In HCL, null means that an attribute is not set.
            let literals: Option<Vec<Type>> = elements(all)
                .filter(|element| !matches!(element.kind(), NodeKind::Null))
                .map(|element| value(element).and_then(literal))
                .collect();
            match literals.filter(|literals| !literals.is_empty()) {
                Some(literals) => return Type::one_of(literals),
                None => self.lose(path, "enum"),
            }
        }
        if let Some(constant) = get(node, "const") {
            match value(constant).filter(|value| !value.is_null()).and_then(literal) {
                Some(literal) => return literal,
                None => self.lose(path, "const"),
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(all) = get(node, keyword) {
                let is_null = |alternative: &Node<'t>| text(*alternative, "type").as_deref() == Some("null");
                let all: Vec<(usize, Node<'t>)> =
                    elements(all).enumerate().filter(|(_, alternative)| !is_null(alternative)).collect();
                let types = all.into_iter().map(|(at, one)| {
                    let path = format!("{path}/{keyword}/{at}");
                    stack::with_room(|| self.ty(one, &path))
                });
                let types: Vec<Type> = types.collect();
                return if types.is_empty() { Type::Any } else { Type::one_of(types) };
            }
        }
        let names = match get(node, "type") {
            Some(ty) if matches!(ty.kind(), NodeKind::Array(_)) => texts(Some(ty)),
            Some(_) => text(node, "type").into_iter().collect(),
            None => guessed(node),
        };
        let types: Vec<Type> = names
            .iter()
            .filter(|name| *name != "null")
            .map(|name| stack::with_room(|| self.named(name, node, path)))
            .collect();
        if types.is_empty() { Type::Any } else { Type::one_of(types) }
    }

    /// The type with a name in JSON Schema.
    fn named(&mut self, name: &str, node: Node<'t>, path: &str) -> Type {
        match name {
            "string" => match text(node, "format") {
                Some(format) => match format_named(&format) {
                    Some(format) => Type::Format(format),
                    None => {
                        self.lose(path, "format");
                        Type::String
                    }
                },
                None => Type::String,
            },
            "boolean" => Type::Bool,
            "number" | "integer" => {
                let limit = |name: &str| get(node, name).and_then(number);
                let mut range = Range::ALL;
                (range.min, range.max) = (limit("minimum"), limit("maximum"));
                // A range whose minimum exceeds the maximum is empty.
                let is_empty = matches!((&range.min, &range.max), (Some(min), Some(max)) if min > max);
                let range = if is_empty { Range::ALL } else { range };
                if name == "number" { Type::Number(range) } else { Type::Integer(range) }
            }
            "array" => {
                let items = get(node, "prefixItems").or(get(node, "items"));
                match items {
                    Some(items) if matches!(items.kind(), NodeKind::Array(_)) => {
                        // A tuple has all of its elements, which JSON Schema does not ask for.
                        self.lose(path, if get(node, "prefixItems").is_some() { "prefixItems" } else { "items" });
                        Type::list(Type::Any)
                    }
                    Some(items) => {
                        let element = self.ty(items, &format!("{path}/items"));
                        match get(node, "uniqueItems").is_some_and(is_true) {
                            true => Type::set(element),
                            false => Type::list(element),
                        }
                    }
                    None => Type::list(Type::Any),
                }
            }
            "object" => self.object(node, path),
            _ => Type::Any,
        }
    }

    fn object(&mut self, node: Node<'t>, path: &str) -> Type {
        let others = match get(node, "additionalProperties") {
            Some(value) if matches!(value.kind(), NodeKind::Bool(false)) => None,
            Some(value) => Some(self.ty(value, &format!("{path}/additionalProperties"))),
            None => Some(Type::Any),
        };
        let required = texts(get(node, "required"));
        let required: HashSet<&str> = required.iter().map(String::as_str).collect();
        let mut object = ObjectType::new();
        let mut listed = HashSet::from(["*".to_owned()]);
        for (name, inner) in get(node, "properties").into_iter().flat_map(properties) {
            if !listed.insert(name.clone()) {
                self.lost.push(format!("{path}/properties/{}", escaped(&name)));
                continue;
            }
            let ty = self.ty(inner, &format!("{path}/properties/{}", escaped(&name)));
            let optional = !required.contains(name.as_str());
            object = object.with(name, ty, optional);
        }
        match others {
            Some(others) if object.attributes.is_empty() => Type::map(others),
            others => {
                object.others = others;
                Type::Object(Arc::new(object))
            }
        }
    }
}

/// Adds a part of `allOf` to a body, except for names that it has.
fn add(body: &mut Body, listed: &mut HashSet<String>, other: Body) {
    let names: HashSet<&str> = other.attributes.iter().map(|attribute| attribute.name.as_str()).collect();
    let is_new = |name: &String, listed: &HashSet<String>| !listed.contains(name);
    body.attributes.extend(other.attributes.iter().filter(|attribute| is_new(&attribute.name, listed)).cloned());
    let blocks =
        other.blocks.iter().filter(|block| is_new(&block.name, listed) && !names.contains(block.name.as_str()));
    body.blocks.extend(blocks.cloned());
    listed.extend(names.into_iter().map(str::to_owned).chain(other.blocks.iter().map(|block| block.name.clone())));
    for include in other.includes {
        if body.includes.iter().all(|known| known.part != include.part) {
            body.includes.push(include);
        }
    }
    body.rules.extend(other.rules);
}

/// Returns the literal type of a value other than a collection.
fn literal(value: Value) -> Option<Type> {
    (value.elements().is_none() && value.entries().is_none()).then_some(Type::Literal(value))
}

/// Returns true if a schema lists properties.
fn is_body(node: Node<'_>) -> bool {
    get(node, "properties").is_some_and(|all| properties(all).next().is_some())
}

/// Returns the names of types by keywords that only one of them has.
fn guessed(node: Node<'_>) -> Vec<String> {
    let names =
        [("items", "array"), ("prefixItems", "array"), ("properties", "object"), ("additionalProperties", "object")];
    let found = names.iter().find(|(keyword, _)| get(node, keyword).is_some());
    found.map(|(_, name)| (*name).to_owned()).into_iter().collect()
}

fn format_named(name: &str) -> Option<Format> {
    match name {
        "uri" | "url" => Some(Format::Url),
        "ipv4" | "ipv6" => Some(Format::IpAddress),
        "date-time" => Some(Format::DateTime),
        "uuid" => Some(Format::Uuid),
        "regex" => Some(Format::Regex),
        _ => None,
    }
}

/// Returns the names of properties, if each alternative only requires one of them.
fn alternatives(node: Node<'_>, is_any: bool) -> Option<Vec<String>> {
    let name = |alternative: Node<'_>| {
        let mut names = texts(get(alternative, "required"));
        (properties(alternative).count() == 1 && names.len() == 1).then(|| names.remove(0))
    };
    let mut names = elements(node).map(name).collect::<Option<Vec<_>>>()?;
    let mut seen = HashSet::new();
    let all_differ = names.iter().all(|name| seen.insert(name.clone()));
    names.retain(|name| seen.remove(name));
    // With two equal alternatives, exactly one can never hold.
    (names.len() > 1 && (all_differ || is_any)).then_some(names)
}

/// A name for a part or type.
fn identifier(name: &str, taken: &mut HashSet<String>) -> String {
    let letters = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' });
    let mut made: String = letters.collect();
    // Types have names that a definition cannot have.
    let reserved = ["any", "string", "number", "integer", "bool", "type", "expression", "list", "set", "map"];
    if !is_identifier(&made) || reserved.contains(&made.as_str()) || Format::named(&made).is_some() {
        made.insert_str(0, "def_");
    }
    let mut unique = made.clone();
    let mut number = taken.len();
    while !taken.insert(unique.clone()) {
        number += 1;
        unique = format!("{made}_{number}");
    }
    unique
}

/// A name in a JSON pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn properties<'t>(node: Node<'t>) -> impl Iterator<Item = (String, Node<'t>)> {
    let object = match node.kind() {
        NodeKind::Object(object) => Some(object),
        _ => None,
    };
    object
        .into_iter()
        .flat_map(|object| object.properties())
        .map(|property| (property.name().into_owned(), property.value()))
}

fn elements<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let array = match node.kind() {
        NodeKind::Array(array) => Some(array),
        _ => None,
    };
    array.into_iter().flat_map(|array| array.elements())
}

fn get<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    match node.kind() {
        NodeKind::Object(object) => {
            object.properties().find(|property| property.name() == name).map(|property| property.value())
        }
        _ => None,
    }
}

fn string(node: Node<'_>) -> Option<String> {
    match node.kind() {
        NodeKind::String(text) => Some(text.text().into_owned()),
        _ => None,
    }
}

fn text(node: Node<'_>, name: &str) -> Option<String> {
    get(node, name).and_then(string)
}

fn texts(node: Option<Node<'_>>) -> Vec<String> {
    node.into_iter().flat_map(elements).filter_map(string).collect()
}

fn number(node: Node<'_>) -> Option<Number> {
    match node.kind() {
        NodeKind::Number(number) => Number::parse(number.node().text()).ok(),
        _ => None,
    }
}

fn is_true(node: Node<'_>) -> bool {
    matches!(node.kind(), NodeKind::Bool(true))
}

/// Returns the value of JSON; `None` if it contains a number that is too large.
fn value(node: Node<'_>) -> Option<Value> {
    match node.kind() {
        NodeKind::String(text) => Some(Value::from(text.text().into_owned())),
        NodeKind::Number(_) => number(node).map(Value::from),
        NodeKind::Bool(truth) => Some(Value::from(truth)),
        NodeKind::Null => Some(Value::null(hcl_lr::model::Type::Dynamic)),
        NodeKind::Array(array) => {
            let elements: Option<Vec<Value>> =
                array.elements().map(|element| stack::with_room(|| value(element))).collect();
            elements.map(Value::tuple)
        }
        NodeKind::Object(object) => {
            let entries: Option<Vec<(String, Value)>> = object
                .properties()
                .map(|property| Some((property.name().into_owned(), stack::with_room(|| value(property.value()))?)))
                .collect();
            entries.map(Value::object)
        }
        NodeKind::Error => None,
    }
}
