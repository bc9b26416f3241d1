//! JSON Schema for the JSON syntax of a language.
//!
//! Each body is an entry of `$defs` that lists its properties; what depends on a label or attribute is another entry,
//! which is added where that has the value. Where a body is used, `unevaluatedProperties` refuses what none of its
//! entries lists. For example, a block `check "http" { path = "/" }` whose contents depend on its label becomes
//!
//! ```json
//! {
//!   "properties": {
//!     "http": {
//!       "type": ["object", "array", "null"],
//!       "allOf": [{ "$ref": "#/$defs/check" }, { "$ref": "#/$defs/check.http" }],
//!       "unevaluatedProperties": false
//!     }
//!   }
//! }
//! ```

use std::collections::{HashMap, HashSet};

use super::json::Json;
use crate::schema::index::{Id, Index, MatchNode, Node};
use crate::schema::model::{Block, Files, Label, ObjectType, Range, RuleKind, Schema, Type};
use crate::stack;

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// What JSON Schema cannot say.
const LOST: &str = "Made from an HCL Schema. It describes the structure of files in the JSON syntax, and literal values. \
                    Templates such as \"${a.b}\" are accepted everywhere. References, conditions between values, \
                    labels and attributes of bodies around a body, and formats of strings are not checked.";

/// A text with an interpolation or directive.
const TEMPLATE: &str = "[$%]\\{";

/// A number as text.
const NUMBER: &str = "^[ \\t]*-?[0-9]";

impl Schema {
    /// Returns a [JSON Schema](https://json-schema.org) (2020-12) for files of the language in the JSON syntax.
    ///
    /// It agrees with [`Checker`](crate::schema::Checker) on the structure of files and on literal values. What it cannot
    /// say is listed in its `$comment`.
    ///
    /// ```
    /// use hcl_lr::schema::{Attribute, Body, Files, Schema, Type};
    ///
    /// let body = Body::new().with_attribute(Attribute::new("port", Type::INTEGER).required());
    /// let files = Files::new("service", ["*.service.hcl", "*.service.json"], "service");
    /// let schema = Schema::new("service").with_files(files.clone()).with_part("service", body);
    /// assert!(schema.to_json_schema(&files).contains("\"required\": [\n"));
    /// ```
    pub fn to_json_schema(&self, files: &Files) -> String {
        let index = Index::new(self);
        let mut writer = Writer::new(&index);
        let root = index.part_id(&files.body).map(|id| writer.file_body(id, &files.body));
        let title = match self.files.len() {
            0 | 1 => self.title().to_owned(),
            _ => format!("{}: {}", self.title(), files.name),
        };
        let description = files.description.as_ref().or(self.description.as_ref());
        let mut json = Json::object([("$schema", Json::text(DIALECT)), ("title", Json::text(title))])
            .with_some("description", description.map(Json::text))
            .with("$comment", Json::text(LOST));
        if let (Json::Object(properties), Some(Json::Object(root))) = (&mut json, root) {
            properties.extend(root);
        }
        json.with("$defs", Json::Object(writer.finish())).to_text()
    }
}

/// A body, and whether `dynamic` blocks may generate blocks in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Use {
    id: Id,
    dynamic: bool,
}

struct Writer<'i> {
    index: &'i Index,
    /// The names of the entries for bodies.
    names: HashMap<Use, String>,
    taken: HashSet<String>,
    /// The bodies whose entries are still to be written.
    waiting: Vec<(Use, String)>,
    /// The parts that types mean as objects.
    objects: Vec<String>,
    definitions: Vec<(String, Json)>,
}

impl<'i> Writer<'i> {
    fn new(index: &'i Index) -> Self {
        Writer {
            index,
            names: HashMap::new(),
            taken: HashSet::new(),
            waiting: Vec::new(),
            objects: Vec::new(),
            definitions: Vec::new(),
        }
    }

    /// Writes all entries that are referred to.
    fn finish(mut self) -> Vec<(String, Json)> {
        loop {
            if let Some((body, name)) = self.waiting.pop() {
                let json = self.body(body, &name);
                self.definitions.push((name, json));
                continue;
            }
            let name = format!("object.{}", self.objects.len());
            match self.objects.iter().position(|part| !self.taken.contains(&format!("object {part}"))) {
                Some(at) => {
                    let part = self.objects[at].clone();
                    self.taken.insert(format!("object {part}"));
                    let json = self.object_of_part(&part);
                    self.definitions.push((format!("object.{part}"), json));
                }
                None => {
                    drop(name);
                    break;
                }
            }
        }
        let template = Json::object([("type", Json::text("string")), ("pattern", Json::text(TEMPLATE))]);
        self.definitions.push(("template".to_owned(), template));
        self.definitions.sort_by(|(left, _), (right, _)| left.cmp(right));
        self.definitions
    }

    fn node(&self, id: Id) -> &'i Node {
        self.index.node(id)
    }

    /// A reference to the entry of a body.
    fn reference(&mut self, id: Id, dynamic: bool, name: &str) -> Json {
        let body = Use { id, dynamic: self.node(id).dynamic.unwrap_or(dynamic) };
        if let Some(name) = self.names.get(&body) {
            return reference_to(name);
        }
        let mut unique = name.to_owned();
        let mut number = 2;
        while !self.taken.insert(unique.clone()) {
            unique = format!("{name}.{number}");
            number += 1;
        }
        self.names.insert(body, unique.clone());
        self.waiting.push((body, unique.clone()));
        reference_to(&unique)
    }

    /// The body of a file: an object, or an array of objects that count as one.
    fn file_body(&mut self, id: Id, name: &str) -> Json {
        let closed = self.closed(vec![(id, name.to_owned())], false);
        let required: Vec<Json> = self.required(id, self.node(id).dynamic.unwrap_or(false));
        let object = Json::object([("type", Json::text("object"))]).with("allOf", Json::Array(vec![closed.clone()]));
        // An object need not have what another one of the array has.
        let object = required.iter().cloned().fold(object, push_all);
        let contains = required.into_iter().map(|one| Json::object([("contains", one)])).collect();
        let array =
            Json::object([("type", Json::text("array")), ("items", closed)]).with("allOf", Json::Array(contains));
        Json::object([("if", Json::object([("type", Json::text("array"))])), ("then", array), ("else", object)])
    }

    /// A body in which nothing can be that is not listed.
    fn closed(&mut self, bodies: Vec<(Id, String)>, dynamic: bool) -> Json {
        let dynamic = bodies.first().and_then(|(id, _)| self.node(*id).dynamic).unwrap_or(dynamic);
        let all = bodies.iter().map(|(id, name)| self.reference(*id, dynamic, name)).collect();
        Json::object([("type", Json::text("object")), ("allOf", Json::Array(all))])
            .with("unevaluatedProperties", Json::Bool(false))
    }

    /// The conditions for what must be in a body.
    fn required(&self, id: Id, dynamic: bool) -> Vec<Json> {
        let node = self.node(id);
        let has = |name: &str| Json::object([("required", Json::texts([name]))]);
        let attributes = node.required.iter().map(|attribute| has(&attribute.name));
        let blocks = node.required_blocks.iter().map(|block| match dynamic {
            true => Json::object([("anyOf", Json::Array(vec![has(&block.name), has("dynamic")]))]),
            false => has(&block.name),
        });
        attributes.chain(blocks).collect()
    }

    /// The entry of a body: its properties, and what depends on them.
    fn body(&mut self, body: Use, name: &str) -> Json {
        let node = self.node(body.id);
        let mut properties = vec![("//".to_owned(), Json::Bool(true))];
        for attribute in node.attributes() {
            let json = self.ty(&attribute.ty, 0);
            let json = documented(json, attribute.description.as_deref(), attribute.deprecated.is_some());
            let default = attribute.default.as_ref().and_then(Json::of_value);
            properties.push((attribute.name.clone(), json.with_some("default", default)));
        }
        for (block, inner) in node.blocks() {
            if node.attributes().any(|attribute| attribute.name == block.name) {
                continue;
            }
            let json = self.blocks(block, *inner, body.dynamic, &format!("{name}.{}", block.name));
            properties
                .push((block.name.clone(), documented(json, block.description.as_deref(), block.deprecated.is_some())));
        }
        if body.dynamic {
            properties.push(("dynamic".to_owned(), Json::Bool(true)));
        }
        let mut json = Json::object([("properties", Json::Object(properties))]);
        // The bodies of files ask for these themselves.
        let is_file = self.index.schema().files.iter().any(|files| self.index.part_id(&files.body) == Some(body.id));
        let mut all = if is_file { Vec::new() } else { self.required(body.id, body.dynamic) };
        if !is_file {
            all.extend(node.rules.iter().map(|one| rule(one.kind, &one.names)));
        }
        for one in &node.matches {
            all.extend(self.cases(node, one, body.dynamic, name));
        }
        if !all.is_empty() {
            json = json.with("allOf", Json::Array(all));
        }
        match (node.is_open(), node.free_attribute(), node.free_block()) {
            (false, None, None) => json,
            (false, Some(attribute), None) => {
                let ty = self.ty(&attribute.ty, 0);
                json.with("additionalProperties", documented(ty, attribute.description.as_deref(), false))
            }
            (false, None, Some((block, inner))) => {
                let blocks = self.blocks(block, *inner, body.dynamic, &format!("{name}.any"));
                json.with("additionalProperties", blocks)
            }
            _ => json.with("additionalProperties", Json::Bool(true)),
        }
    }

    /// The contents that depend on an attribute of the body itself. Those that depend on a label are where the labels
    /// are.
    fn cases(&mut self, node: &'i Node, one: &'i MatchNode, dynamic: bool, name: &str) -> Option<Json> {
        let key = &one.matched.key;
        if key.starts_with("parent.") {
            let comment = format!("What is allowed depends on `{key}`.");
            return Some(Json::object([("$comment", Json::text(comment)), ("additionalProperties", Json::Bool(true))]));
        }
        let attribute = node.attributes().find(|attribute| attribute.name == *key)?;
        let open = || Json::object([("additionalProperties", Json::Bool(true))]);
        let is = |values: Json| {
            let property = Json::object([(key.as_str(), values)]);
            Json::object([("required", Json::texts([key])), ("properties", property)])
        };
        let mut cases: Vec<(&str, Id)> = one.cases.iter().map(|(value, id)| (&**value, *id)).collect();
        cases.sort_unstable();
        // The last alternative is reached if the attribute is not there, or has a value that cannot be known.
        let default = attribute.default.as_ref().and_then(|value| value.as_str());
        let absent = match default.and_then(|default| one.cases.get(default)) {
            Some(id) => self.reference(*id, dynamic, &format!("{name}.{}", default.unwrap_or_default())),
            None => open(),
        };
        let missing = Json::object([("not", Json::object([("required", Json::texts([key]))]))]);
        let mut json = Json::object([("if", missing), ("then", absent), ("else", open())]);
        let other = match (one.otherwise, &one.matched.catalog) {
            (_, Some(_)) => Some(open()),
            (Some(id), _) => Some(self.reference(id, dynamic, &format!("{name}.otherwise"))),
            (None, None) => None,
        };
        let no_template =
            Json::object([("not", reference_to("template")), ("type", Json::texts(["string", "number", "boolean"]))]);
        json = match other {
            Some(other) => Json::object([("if", is(no_template)), ("then", other), ("else", json)]),
            None => {
                let values = cases.iter().map(|(value, _)| Json::text(*value)).collect();
                let values = Json::object([("enum", Json::Array(values))]);
                Json::object([("if", is(no_template)), ("then", is(values)), ("else", json)])
            }
        };
        for (value, id) in cases.into_iter().rev() {
            let then = self.reference(id, dynamic, &format!("{name}.{value}"));
            json = Json::object([
                ("if", is(Json::object([("const", Json::text(value))]))),
                ("then", then),
                ("else", json),
            ]);
        }
        Some(json)
    }

    /// The blocks of a type: nested objects for their labels, and one body or several.
    fn blocks(&mut self, block: &'i Block, body: Id, dynamic: bool, name: &str) -> Json {
        self.labels(block, &block.labels, &mut vec![(body, name.to_owned())], dynamic)
    }

    fn labels(&mut self, block: &'i Block, labels: &'i [Label], bodies: &mut Vec<(Id, String)>, dynamic: bool) -> Json {
        // Optional labels are not part of the JSON syntax.
        let Some((label, rest)) = labels.split_first().filter(|(label, _)| !label.optional && !label.repeated) else {
            let body = self.closed(bodies.clone(), dynamic);
            let mut array = Json::object([("type", Json::text("array")), ("items", body.clone())]);
            if block.labels.is_empty() {
                array = array.with_some("maxItems", block.max.map(|max| Json::Raw(max.to_string())));
            }
            return either([body, array, of_type("null")]);
        };
        let (base, name) = bodies[0].clone();
        let mut properties = Vec::new();
        let mut others = Some(());
        let mut other_bodies: Vec<(Id, String)> = Vec::new();
        let mut open = false;
        for one in self.node(base).matches.iter().filter(|one| one.matched.key == label.name) {
            let mut cases: Vec<(&str, Id)> = one.cases.iter().map(|(value, id)| (&**value, *id)).collect();
            cases.sort_unstable();
            for (value, id) in cases {
                bodies.push((id, format!("{name}.{value}")));
                let json = stack::with_room(|| self.labels(block, rest, bodies, dynamic));
                bodies.pop();
                properties.push((value.to_owned(), json));
            }
            match (one.otherwise, &one.matched.catalog) {
                (_, Some(_)) => open = true,
                (Some(id), _) => other_bodies.push((id, format!("{name}.otherwise"))),
                (None, None) => others = None,
            }
        }
        let others = match (others, open) {
            (None, _) => Json::Bool(false),
            (_, true) => Json::Bool(true),
            _ => {
                let before = bodies.len();
                bodies.extend(other_bodies);
                let json = stack::with_room(|| self.labels(block, rest, bodies, dynamic));
                bodies.truncate(before);
                json
            }
        };
        properties.push(("//".to_owned(), Json::Bool(true)));
        let mut object = Json::object([("type", Json::text("object")), ("properties", Json::Object(properties))])
            .with("additionalProperties", others);
        if let Some(values) = words(self.index.resolve(&label.ty)) {
            let mut values: Vec<Json> = values.into_iter().map(Json::text).collect();
            values.push(Json::text("//"));
            object = object.with("propertyNames", Json::object([("enum", Json::Array(values))]));
        }
        let array = Json::object([("type", Json::text("array")), ("items", object.clone())]);
        either([object, array])
    }

    /// A type: its values, or a template.
    fn ty(&mut self, ty: &Type, depth: usize) -> Json {
        const MAX_DEPTH: usize = 50;
        let ty = self.index.resolve(ty).clone();
        if depth > MAX_DEPTH {
            return Json::object::<String>([]);
        }
        let inner = |writer: &mut Self, ty: &Type| stack::with_room(|| writer.ty(ty, depth + 1));
        let literal = match &ty {
            Type::Any | Type::Expression => return Json::object::<String>([]),
            Type::String | Type::Format(_) | Type::Name(_) | Type::Catalog(_) => {
                return Json::object([("type", Json::texts(["string", "number", "boolean", "null"]))]);
            }
            Type::Number(range) => number(range, "number"),
            Type::Integer(range) => number(range, "integer"),
            Type::Bool => {
                either([of_type("boolean"), Json::object([("enum", Json::texts(["true", "false", "1", "0"]))])])
            }
            Type::Literal(value) => {
                let mut values: Vec<Json> = Json::of_value(value).into_iter().collect();
                match (value.as_str(), value.as_number(), value.as_bool()) {
                    (Some(text), ..) => values.extend(other_spelling(text)),
                    (_, Some(number), _) => values.push(Json::text(number.to_string())),
                    (.., Some(value)) => values.push(Json::text(value.to_string())),
                    _ => {}
                }
                Json::object([("enum", Json::Array(values))])
            }
            Type::List(element) | Type::Set(element) => {
                Json::object([("type", Json::text("array")), ("items", inner(self, element))])
            }
            Type::Tuple(elements) => {
                let count = elements.len().to_string();
                let elements = elements.iter().map(|element| inner(self, element)).collect();
                Json::object([("type", Json::text("array")), ("prefixItems", Json::Array(elements))])
                    .with("minItems", Json::Raw(count.clone()))
                    .with("maxItems", Json::Raw(count))
            }
            Type::Map(element) => {
                Json::object([("type", Json::text("object")), ("additionalProperties", inner(self, element))])
            }
            Type::Object(object) => self.object(object, depth),
            Type::Part(name) => {
                if !self.objects.contains(name) {
                    self.objects.push(name.clone());
                }
                reference_to(&format!("object.{name}"))
            }
            Type::OneOf(types) => match words(&ty) {
                Some(words) => Json::object([("enum", Json::texts(words))]),
                None => {
                    let types: Vec<Json> = types.iter().map(|ty| inner(self, ty)).collect();
                    return Json::object([("anyOf", Json::Array(types))]);
                }
            },
            Type::Keyword(words) if !words.is_empty() => {
                let truth = words.iter().filter_map(|word| word.parse::<bool>().ok()).map(Json::Bool);
                let words = words.iter().map(Json::text).chain(truth).collect();
                Json::object([("enum", Json::Array(words))])
            }
            _ => return Json::object([("type", Json::texts(["string", "null"]))]),
        };
        either([literal, reference_to("template"), of_type("null")])
    }

    fn object(&mut self, object: &ObjectType, depth: usize) -> Json {
        let properties = object.attributes.iter().map(|attribute| {
            let ty = stack::with_room(|| self.ty(&attribute.ty, depth + 1));
            (attribute.name.clone(), ty.with_some("default", attribute.default.as_ref().and_then(Json::of_value)))
        });
        let properties = Json::Object(properties.collect());
        let required = object.attributes.iter().filter(|attribute| !attribute.optional);
        let required = Json::texts(required.map(|attribute| attribute.name.as_str()));
        let others = match &object.others {
            Some(ty) => self.ty(ty, depth + 1),
            None => Json::Bool(false),
        };
        Json::object([("type", Json::text("object")), ("properties", properties), ("additionalProperties", others)])
            // A key may be a template, so that nothing is missing for sure.
            .with_some("patternProperties", Some(Json::object([(TEMPLATE, Json::Bool(true))])))
            .with("required", required)
    }

    /// A part as an object in an expression.
    fn object_of_part(&mut self, part: &str) -> Json {
        match self.index.part_id(part) {
            Some(id) => {
                let reference = self.reference(id, false, part);
                Json::object([("type", Json::text("object")), ("allOf", Json::Array(vec![reference]))])
                    .with("patternProperties", Json::object([(TEMPLATE, Json::Bool(true))]))
                    .with("unevaluatedProperties", Json::Bool(false))
            }
            None => Json::object::<String>([]),
        }
    }
}

/// Adds a condition to those that an object has in `allOf`.
fn push_all(mut json: Json, condition: Json) -> Json {
    if let Json::Object(properties) = &mut json
        && let Some((_, Json::Array(all))) = properties.iter_mut().find(|(name, _)| name == "allOf")
    {
        all.push(condition);
    }
    json
}

fn reference_to(name: &str) -> Json {
    let escaped =
        name.replace('~', "~0").replace('/', "~1").replace('%', "%25").replace('"', "%22").replace(' ', "%20");
    Json::object([("$ref", Json::text(format!("#/$defs/{escaped}")))])
}

fn of_type(name: &str) -> Json {
    Json::object([("type", Json::text(name))])
}

fn either(alternatives: impl IntoIterator<Item = Json>) -> Json {
    Json::object([("anyOf", Json::Array(alternatives.into_iter().collect()))])
}

fn documented(json: Json, description: Option<&str>, deprecated: bool) -> Json {
    let json = json.with_some("description", description.map(Json::text));
    json.with_some("deprecated", deprecated.then_some(Json::Bool(true)))
}

/// A number, or a text that is one: a JSON Schema cannot compare that with a range.
fn number(range: &Range, ty: &str) -> Json {
    let limit = |limit: &Option<crate::model::Number>| limit.as_ref().map(|number| Json::Raw(number.to_scientific(21)));
    let number = of_type(ty).with_some("minimum", limit(&range.min)).with_some("maximum", limit(&range.max));
    either([number, Json::object([("type", Json::text("string")), ("pattern", Json::text(NUMBER))])])
}

/// The JSON literal that converts to a text, such as `true` for `"true"`.
fn other_spelling(text: &str) -> Option<Json> {
    match text {
        "true" | "false" => Some(Json::Raw(text.to_owned())),
        _ => {
            let number = crate::model::Number::parse(text).ok()?;
            (number.to_string() == text).then(|| Json::Raw(number.to_scientific(21)))
        }
    }
}

/// The texts of a type that is a list of texts.
fn words(ty: &Type) -> Option<Vec<String>> {
    match ty {
        Type::Literal(value) => {
            Some(vec![value.as_str()?.to_owned()]).filter(|words| other_spelling(&words[0]).is_none())
        }
        Type::OneOf(types) => types.iter().map(words).collect::<Option<Vec<_>>>().map(|all| all.concat()),
        _ => None,
    }
}

/// A rule for the properties of a body.
fn rule(kind: RuleKind, names: &[String]) -> Json {
    let has = |name: &String| Json::object([("required", Json::texts([name]))]);
    let any = || Json::Array(names.iter().map(has).collect());
    let pairs = || {
        let pairs =
            names.iter().enumerate().flat_map(|(at, first)| names[at + 1..].iter().map(move |other| (first, other)));
        let both = pairs.map(|(first, other)| Json::object([("required", Json::texts([first, other]))]));
        Json::object([("anyOf", Json::Array(both.collect()))])
    };
    match kind {
        RuleKind::ExactlyOne => Json::object([("oneOf", any())]),
        RuleKind::AtMostOne if names.len() < 2 => Json::object::<String>([]),
        RuleKind::AtMostOne => Json::object([("not", pairs())]),
        RuleKind::AtLeastOne => Json::object([("anyOf", any())]),
        RuleKind::AllOrNone => {
            let all = Json::object([("required", Json::texts(names))]);
            either([all, Json::object([("not", Json::object([("anyOf", any())]))])])
        }
    }
}
