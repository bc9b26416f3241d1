//! Bodies processed by schemas: an addition to the protocol.
//!
//! A request with the operation `content` has `files`, each with `name` and `src`; several are merged.
//! `schema` has `attributes` (`name`, `required`), `blocks` (`type`, `labels`, and as `body` the schema
//! for what is in them) and `mode`: `content`, `partial` with the schema of the `rest`, or
//! `attributes`. With `dynamic`, dynamic blocks are expanded; with `veto`, not for collections that have
//! marks; with `needs`, the answer has the `variables` that the expanded body needs, and as
//! `expand_variables` those to expand it. The answer is the `content` in the same shape, with the places of everything.

use serde_json::{Map, Value, json};

use super::answer::{Answer, options_of};
use super::context::Context;
use super::encode::encode_value;
use super::meaning::traversal_to_json;
use hcl_lr::body::{Attribute, Attributes, Block, Body, BodySchema, Expression};
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics, Outcome};
use hcl_lr::dynamic::{Expander, NeededVariables};
use hcl_lr::eval::Scope;
use hcl_lr::model::Value as ModelValue;
use hcl_lr::source::{Place, Source};
use hcl_lr::syntax::Traversal;

impl Answer {
    pub(super) fn content(&mut self, request: &Map<String, Value>) -> Result<(), String> {
        let schema = request.get("schema").ok_or("there is no schema")?;
        check_schema(schema)?;
        let (body, mut diagnostics) = files(request)?;
        self.parsed(&diagnostics);
        if !diagnostics.has_errors() {
            if flag(request, "needs") {
                self.member("variables", &Value::from(needed(&NeededVariables::of_content(&body), schema)).to_string());
                let expansion = needed(&NeededVariables::of_expansion(&body), schema);
                self.member("expand_variables", &Value::from(expansion).to_string());
            }
            let content = Context::of(request)?.with_scope(|scope| {
                let body = expanded(body, scope, request);
                let mut processing = Processing { scope, diagnostics: &mut diagnostics };
                processing.body(&body, schema)
            });
            self.member("content", &content.to_string());
        }
        self.placed(&diagnostics);
        Ok(())
    }

    /// Adds the verdict and the diagnostics, with the names of the files.
    pub(super) fn placed(&mut self, diagnostics: &Diagnostics) {
        let list: Vec<Value> = diagnostics
            .iter()
            .map(|diagnostic| {
                json!({
                    "severity": diagnostic.severity().as_str(),
                    "code": diagnostic.code().as_str(),
                    "summary": diagnostic.summary(),
                    "detail": diagnostic.detail(),
                    "range": range(diagnostic.place()),
                })
            })
            .collect();
        self.member("ok", &(!diagnostics.has_errors()).to_string());
        self.member("diags", &Value::from(list).to_string());
    }
}

pub(super) fn flag(request: &Map<String, Value>, name: &str) -> bool {
    request.get(name).and_then(Value::as_bool) == Some(true)
}

/// The files of a request, merged if there are several.
pub(super) fn files(request: &Map<String, Value>) -> Result<(Body, Diagnostics), String> {
    let mut diagnostics = Diagnostics::new();
    let mut bodies = Vec::new();
    for file in request.get("files").and_then(Value::as_array).into_iter().flatten() {
        bodies.push(body_of(file, request)?.into_value_reporting_to(&mut diagnostics));
    }
    let one = if bodies.len() == 1 { bodies.pop() } else { None };
    Ok((one.unwrap_or_else(|| Body::merged(bodies)), diagnostics))
}

/// The body with its dynamic blocks expanded, if the request asks for that.
pub(super) fn expanded(body: Body, scope: &Scope<'_>, request: &Map<String, Value>) -> Body {
    match flag(request, "dynamic") {
        true if flag(request, "veto") => Expander::new(scope).with_check(veto).expand(body),
        true => Expander::new(scope).expand(body),
        false => body,
    }
}

/// The body of a file of a request.
fn body_of(file: &Value, request: &Map<String, Value>) -> Result<Outcome<Body>, String> {
    let members = file.as_object().filter(|members| members.len() == 2);
    let text = |name| members.and_then(|members| members.get(name)).and_then(Value::as_str);
    let (Some(name), Some(text)) = (text("name"), text("src")) else {
        return Err("a file has a name and a src, and nothing else".to_owned());
    };
    Ok(options_of(request).parse::<Body>(Source::new(name, text)))
}

/// Checks that a schema has all required members, and no unknown ones.
fn check_schema(schema: &Value) -> Result<(), String> {
    let known = |json: &Value, what: &str, names: &[&str]| {
        let members = json.as_object().ok_or_else(|| format!("{what} is not an object"))?;
        match members.keys().find(|name| !names.contains(&name.as_str())) {
            Some(name) => Err(format!("{what} has no member {name}")),
            None => Ok(()),
        }
    };
    known(schema, "a schema", &["attributes", "blocks", "mode", "rest"])?;
    for attribute in schema["attributes"].as_array().into_iter().flatten() {
        known(attribute, "an attribute of a schema", &["name", "required"])?;
        attribute["name"].as_str().ok_or("an attribute of a schema needs the member name")?;
    }
    for block in schema["blocks"].as_array().into_iter().flatten() {
        known(block, "a block of a schema", &["type", "labels", "body"])?;
        block["type"].as_str().ok_or("a block of a schema needs the member type")?;
        block.get("body").map_or(Ok(()), check_schema)?;
    }
    schema.get("rest").map_or(Ok(()), check_schema)
}

/// The variables that a body and the blocks in it need.
fn needed(needs: &NeededVariables, schema: &Value) -> Vec<Value> {
    let (variables, inner) = needs.visit(&expected(schema));
    let mut found = paths(&variables);
    for (block_type, needs) in &inner {
        if let Some(schema) = inner_schema(schema, block_type) {
            found.extend(needed(needs, schema));
        }
    }
    found
}

/// The schema for the blocks of a type.
fn inner_schema<'s>(schema: &'s Value, block_type: &str) -> Option<&'s Value> {
    let blocks = schema.get("blocks").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    blocks.iter().find(|known| known["type"] == block_type)?.get("body").filter(|body| body.is_object())
}

pub(super) fn paths(paths: &[Traversal]) -> Vec<Value> {
    let show = |path: &Traversal| {
        let steps: Value = serde_json::from_str(&traversal_to_json(path.node()?)).ok()?;
        Some(json!([steps, range(&path.place())]))
    };
    paths.iter().filter_map(show).collect()
}

/// Refuses collections that have marks.
fn veto(collection: &ModelValue, expression: &Expression, _: &Scope<'_>) -> Diagnostics {
    let problem = Diagnostic::error(Code::InvalidIteration, expression.start_place(), "this collection is vetoed");
    collection.is_marked().then_some(problem).into_iter().collect()
}

struct Processing<'s, 'd> {
    scope: &'s Scope<'s>,
    diagnostics: &'d mut Diagnostics,
}

impl Processing<'_, '_> {
    fn body(&mut self, body: &Body, schema: &Value) -> Value {
        let mode = schema.get("mode").and_then(Value::as_str).unwrap_or("content");
        let missing = range(&body.missing_item_place());
        if mode == "attributes" {
            let attributes = body.attributes().into_value_reporting_to(self.diagnostics);
            return json!({ "missing": missing, "attributes": self.attributes(&attributes) });
        }
        let expected = expected(schema);
        let (content, rest) = match mode {
            "partial" => {
                let (content, rest) = body.partial_content(&expected).into_value_reporting_to(self.diagnostics);
                (content, Some(rest))
            }
            _ => (body.content(&expected).into_value_reporting_to(self.diagnostics), None),
        };
        let attributes = self.attributes(content.attributes());
        let blocks: Vec<Value> = content.blocks().iter().map(|block| self.block(block, schema)).collect();
        let mut answer = json!({
            "missing": missing,
            "content_missing": range(content.missing_item_place()),
            "attributes": attributes,
            "blocks": blocks,
        });
        if let (Some(rest), Some(schema)) = (rest, schema.get("rest")) {
            answer["rest"] = self.body(&rest, schema);
        }
        answer
    }

    fn attributes(&mut self, attributes: &Attributes) -> Value {
        let attributes = attributes.iter().map(|attribute| (attribute.name().to_owned(), self.attribute(attribute)));
        Value::Object(attributes.collect())
    }

    fn attribute(&mut self, attribute: &Attribute) -> Value {
        let expression = attribute.expression();
        let value = expression.evaluate_partially(self.scope).into_value_reporting_to(self.diagnostics);
        let variables = paths(&expression.variables());
        json!({
            "value": encode_value(&value),
            "range": range(&attribute.place()),
            "name_range": range(&attribute.name_place()),
            "expr_range": range(&expression.place()),
            "expr_start": range(&expression.start_place()),
            "variables": variables,
        })
    }

    fn block(&mut self, block: &Block, schema: &Value) -> Value {
        let labels: Vec<&str> = block.labels().iter().map(|label| label.text()).collect();
        let label_ranges: Vec<Value> = block.labels().iter().map(|label| range(label.place())).collect();
        let mut answer = json!({
            "type": block.block_type(),
            "labels": labels,
            "label_ranges": label_ranges,
            "type_range": range(&block.type_place()),
            "range": range(&block.header_place()),
        });
        if let Some(inner) = inner_schema(schema, block.block_type()) {
            answer["content"] = self.body(block.body(), inner);
        }
        answer
    }
}

fn expected(schema: &Value) -> BodySchema {
    let list = |name| schema.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut expected = BodySchema::new();
    for attribute in list("attributes") {
        let name = attribute["name"].as_str().unwrap_or_default();
        expected = match attribute["required"].as_bool() {
            Some(true) => expected.required(name),
            _ => expected.optional(name),
        };
    }
    for block in list("blocks") {
        let labels = block["labels"].as_array().map_or(&[][..], Vec::as_slice);
        let labels: Vec<&str> = labels.iter().filter_map(Value::as_str).collect();
        expected = expected.block(block["type"].as_str().unwrap_or_default(), &labels);
    }
    expected
}

fn range(place: &Place) -> Value {
    let position = |offset| {
        let position = place.source().position(offset);
        json!([position.line, position.column, position.byte])
    };
    json!([place.source().name(), position(place.span().start()), position(place.span().end())])
}
