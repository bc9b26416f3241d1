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

mod blocks;
mod types;
mod words;

use hcl_lr::internal::sort_by;
use std::collections::{HashMap, HashSet};

use crate::json::Json;
use hcl_lr_language::internal::{Id, MatchNode, Node, SchemaIndex};
use hcl_lr_language::schema::model::{Files, Schema, Type};
use types::type_entry;
use words::{
    TEMPLATE, any_properties, documented, either, lost, only_if_keys_are_known, reference_to, required_property, rule,
};

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The comment in each JSON Schema: the rules that it cannot express.
const LOST: &str = "Made from an HCL Schema. It describes the structure of files in the JSON syntax, and literal values. \
                    Templates such as \"${a.b}\" are accepted everywhere. References, conditions between values, \
                    labels and attributes of bodies around a body, and formats of strings are not checked.";

/// Returns a [JSON Schema](https://json-schema.org) (2020-12) for files of the language in the JSON syntax.
///
/// It agrees with [`Checker`](hcl_lr_language::schema::Checker) on the structure of files and on literal values. What it cannot
/// say is listed in its `$comment`.
///
/// ```
/// use hcl_lr_language::schema::{Attribute, Body, Files, Schema, Type};
///
/// let body = Body::new().with_attribute(Attribute::new("port", Type::INTEGER).required());
/// let files = Files::new("service", ["*.service.hcl", "*.service.json"], "service");
/// let schema = Schema::new("service").with_files(files.clone()).with_part("service", body);
/// assert!(hcl_lr_schema_tools::to_json_schema(&schema, &files).contains("\"required\": [\n"));
/// ```
pub fn to_json_schema(schema: &Schema, files: &Files) -> String {
    let index = SchemaIndex::new(schema);
    let mut writer = Writer::new(&index);
    let root = index.part_id(&files.body).map(|id| writer.file_body(id, &files.body));
    let title = match schema.files.len() {
        0 | 1 => schema.title().to_owned(),
        _ => format!("{}: {}", schema.title(), files.name),
    };
    let description = files.description.as_ref().or(schema.description.as_ref());
    let mut json = Json::object([("$schema", Json::text(DIALECT)), ("title", Json::text(title))])
        .with_some("description", description.map(Json::text))
        .with("$comment", Json::text(LOST));
    if let (Json::Object(properties), Some(Json::Object(root))) = (&mut json, root) {
        properties.extend(root);
    }
    json.with("$defs", Json::Object(writer.finish())).to_text()
}

/// A use of a body.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Use {
    id: Id,
    /// True if `dynamic` blocks may generate blocks in it.
    dynamic: bool,
    place: BodyIn,
}

/// The place of a body.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum BodyIn {
    /// A file, which checks its own required properties, because it may consist of several objects.
    File,
    /// A block.
    Block,
    /// An object in an expression: its keys may be templates.
    Object,
}

struct Writer<'i> {
    index: &'i SchemaIndex,
    /// The names of the entries for bodies.
    names: HashMap<Use, String>,
    taken: HashSet<String>,
    /// The bodies whose entries are pending.
    waiting: Vec<(Use, String)>,
    /// The named types that are still to be written, or have been.
    types: Vec<String>,
    definitions: Vec<(String, Json)>,
}
impl<'i> Writer<'i> {
    fn new(index: &'i SchemaIndex) -> Self {
        Writer {
            index,
            names: HashMap::new(),
            taken: HashSet::from(["template".to_owned()]),
            waiting: Vec::new(),
            types: Vec::new(),
            definitions: Vec::new(),
        }
    }

    /// Writes all entries that are referred to.
    fn finish(mut self) -> Vec<(String, Json)> {
        let mut types = 0;
        loop {
            if let Some((body, name)) = self.waiting.pop() {
                let json = self.body(body, &name);
                self.definitions.push((name, json));
            } else if let Some(name) = self.types.get(types).cloned() {
                types += 1;
                let json = self.ty(self.index.resolve(&Type::Named(name.clone())), 0);
                self.definitions.push((type_entry(&name), json));
            } else {
                break;
            }
        }
        let template = Json::object([("type", Json::text("string")), ("pattern", Json::text(TEMPLATE))]);
        self.definitions.push(("template".to_owned(), template));
        sort_by(&mut self.definitions, |(left, _), (right, _)| left.cmp(right));
        self.definitions
    }

    fn node(&self, id: Id) -> &'i Node {
        self.index.node(id)
    }

    /// A reference to the entry of a body.
    fn reference(&mut self, id: Id, dynamic: bool, place: BodyIn, name: &str) -> Json {
        let body = Use { id, dynamic: self.node(id).dynamic.unwrap_or(dynamic), place };
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
        let dynamic = self.node(id).dynamic.unwrap_or(false);
        let closed = self.closed(vec![(id, name.to_owned())], false, BodyIn::File);
        let object = required_property as fn(&str) -> Json;
        let object = std::iter::once(closed.clone()).chain(self.required(id, dynamic, object)).collect();
        let object = Json::object([("type", Json::text("object")), ("allOf", Json::Array(object))]);
        // An object may lack properties that another object of the array has.
        let one_has = |name: &str| Json::object([("contains", required_property(name))]);
        let contained = self.required(id, dynamic, one_has);
        let contained = (!contained.is_empty()).then_some(Json::Array(contained));
        let array = Json::object([("type", Json::text("array")), ("items", closed)]).with_some("allOf", contained);
        Json::object([("if", Json::object([("type", Json::text("array"))])), ("then", array), ("else", object)])
    }

    /// Returns the schema of a body without unlisted properties.
    fn closed(&mut self, bodies: Vec<(Id, String)>, dynamic: bool, place: BodyIn) -> Json {
        let dynamic = bodies.first().and_then(|(id, _)| self.node(*id).dynamic).unwrap_or(dynamic);
        let all = bodies.iter().map(|(id, name)| self.reference(*id, dynamic, place, name)).collect();
        Json::object([("type", Json::text("object")), ("allOf", Json::Array(all))])
            // Programs that ignore unknown names accept all of them.
            .with_some("unevaluatedProperties", (!self.index.schema().ignores_unknown).then_some(Json::Bool(false)))
    }

    /// Returns the conditions for required properties, and the rules. `has` returns the condition that a property is
    /// present.
    fn required(&self, id: Id, dynamic: bool, has: impl Fn(&str) -> Json) -> Vec<Json> {
        let node = self.node(id);
        let names = node.required.iter().map(|attribute| &attribute.name);
        let all = names.chain(node.required_blocks.iter().map(|block| &block.name)).map(|name| has(name));
        let all = all.chain(node.rules.iter().map(|body_rule| rule(body_rule.kind, &body_rule.names, &has)));
        // The blocks that a `dynamic` block generates are unknown.
        all.map(|one| if dynamic { either([one, has("dynamic")]) } else { one }).collect()
    }

    /// Returns the entry of a body: its properties, and those that depend on others.
    fn body(&mut self, body: Use, name: &str) -> Json {
        let node = self.node(body.id);
        let in_object = body.place == BodyIn::Object;
        let mut properties = Vec::new();
        if !in_object {
            properties.push(("//".to_owned(), Json::Bool(true)));
        }
        for attribute in node.attributes() {
            let json = self.ty(&attribute.ty, 0);
            let json = documented(json, attribute.description.as_deref(), attribute.deprecated.is_some());
            let default = attribute.default.as_ref().and_then(Json::of_value);
            let json = json.with_some("default", default).with_some("$comment", lost(&attribute.checks));
            properties.push((attribute.name.clone(), json));
        }
        for (block, inner) in node.blocks() {
            if node.has_attribute(&block.name) {
                continue;
            }
            let json = match in_object {
                true => Json::object::<String>([]),
                false => self.blocks(block, *inner, body.dynamic, &format!("{name}.{}", block.name)),
            };
            properties
                .push((block.name.clone(), documented(json, block.description.as_deref(), block.deprecated.is_some())));
        }
        if body.dynamic && !in_object {
            properties.push(("dynamic".to_owned(), Json::Bool(true)));
        }
        let mut json = Json::object([("properties", Json::Object(properties))]);
        json = json.with_some("$comment", lost(&node.checks));
        let mut all = match body.place {
            BodyIn::File => Vec::new(),
            BodyIn::Block => self.required(body.id, body.dynamic, required_property),
            BodyIn::Object => only_if_keys_are_known(self.required(body.id, false, required_property)),
        };
        for one in &node.matches {
            all.extend(self.cases(node, one, body, name));
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
            (false, None, Some((block, inner))) if !in_object => {
                let blocks = self.blocks(block, *inner, body.dynamic, &format!("{name}.any"));
                json.with("additionalProperties", blocks)
            }
            (false, None, Some(_)) => json,
            _ => json.with("additionalProperties", Json::Bool(true)),
        }
    }

    /// The contents that depend on an attribute of the body itself. Those that depend on a label are where the labels
    /// are.
    fn cases(&mut self, node: &'i Node, one: &'i MatchNode, body: Use, name: &str) -> Option<Json> {
        let Use { dynamic, place, .. } = body;
        // Only the written keys of an object count, not its defaults.
        let place = if place == BodyIn::File { BodyIn::Block } else { place };
        let key = &one.matched.key;
        if key.starts_with("parent.") {
            let comment = format!("What is allowed depends on `{key}`.");
            return Some(Json::object([("$comment", Json::text(comment)), ("additionalProperties", Json::Bool(true))]));
        }
        let attribute = node.attributes().find(|attribute| attribute.name == *key)?;
        let open = any_properties;
        let is = |values: Json| {
            let property = Json::object([(key.as_str(), values)]);
            Json::object([("required", Json::texts([key])), ("properties", property)])
        };
        let mut cases: Vec<(&str, Id)> = one.cases.iter().map(|(value, id)| (&**value, *id)).collect();
        cases.sort_unstable();
        // The last alternative is reached if the attribute is not there, or has a value that cannot be known.
        let default = attribute.default.as_ref().and_then(|value| value.as_str());
        let default = default.filter(|_| place != BodyIn::Object);
        let absent = match default.and_then(|default| one.cases.get(default)) {
            Some(id) => self.reference(*id, dynamic, place, &format!("{name}.{}", default.unwrap_or_default())),
            None => open(),
        };
        let missing = Json::object([("not", Json::object([("required", Json::texts([key]))]))]);
        let mut json = Json::object([("if", missing), ("then", absent), ("else", open())]);
        let other = match (one.otherwise, &one.matched.catalog) {
            (_, Some(_)) => Some(open()),
            (Some(id), _) => Some(self.reference(id, dynamic, place, &format!("{name}.otherwise"))),
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
            let then = self.reference(id, dynamic, place, &format!("{name}.{value}"));
            json = Json::object([
                ("if", is(Json::object([("const", Json::text(value))]))),
                ("then", then),
                ("else", json),
            ]);
        }
        Some(json)
    }
}
