//! Decoding by specs, and functions of files: additions to the protocol.
//!
//! A request with the operation `decode` has `files`, `vars`, `functions` and `dynamic` as one for `content`, and
//! a `spec`: the text of a spec file, or
//!
//! | spec | what it is |
//! | --- | --- |
//! | `{"object": {NAME: SPEC…}}`, `{"tuple": [SPEC…]}` | several specs for one body |
//! | `{"attr": NAME, "type": TYPE, "required"?: true}` | an attribute |
//! | `{"block": TYPE, "nested": SPEC, "required"?: true}` | one block |
//! | `{"block_list": TYPE, "nested": SPEC, "min"?: N, "max"?: N}`, also `block_set` and `block_tuple` | all blocks of a type |
//! | `{"block_map": TYPE, "labels": [NAME…], "nested": SPEC}`, also `block_object` | blocks by their labels |
//! | `{"block_attrs": TYPE, "of": TYPE, "required"?: true}` | the attributes of a block as a map |
//! | `{"label": INDEX, "name": NAME}` | a label of the block around |
//! | `{"literal": VALUE}` | a value |
//! | `{"default": SPEC, "or": SPEC}` | the first one that is not null |
//! | `{"transform": SPEC, "expr": SOURCE}` | an expression, in which `value` is the value of the spec |
//! | `{"transform": SPEC, "function": NAME}` | what a function makes of the value |
//! | `{"refine": SPEC, "prefix": TEXT}` | the value, which begins with a text |
//!
//! The answer has the `value`, the implied `type`, and with `needs` the `variables`.
//!
//! A request with the operation `user_functions` has `files`, in which blocks `function` define functions, and
//! `want`, the names of attributes; the answer has their `values`.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, Weak};

use serde_json::{Map, Value};

use super::answer::{Answer, options_of};
use super::content::{expanded, files, flag, paths};
use super::context::Context;
use super::decode::{decode_type, decode_value};
use super::encode::{encode_type, encode_value};
use hcl_lr::body::BodySchema;
use hcl_lr::decode::Spec;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::{Functions, Scope};
use hcl_lr::source::Source;
use hcl_lr::user_functions::user_functions;
use hcl_lr::{Expression, functions, parse};

impl Answer {
    pub(super) fn decode(&mut self, request: &Map<String, Value>) -> Result<(), String> {
        let mut diagnostics = Diagnostics::new();
        let context = Context::of(request)?;
        let (spec, context) = match request.get("spec") {
            Some(Value::String(text)) => {
                let file =
                    options_of(request).parse::<hcl_lr::decode::spec_file::SpecFile>(Source::new("spec.hcl", text));
                let file = file.into_value_reporting_to(&mut diagnostics);
                (file.spec().clone(), context.beside(&file))
            }
            spec => (decode_spec(spec.ok_or("there is no spec")?)?, context),
        };
        let (body, problems) = files(request)?;
        diagnostics.extend(problems);
        self.parsed(&diagnostics);
        if !diagnostics.has_errors() {
            let (value, variables) = context.with_scope(|scope| {
                let body = expanded(body, scope, request);
                let value = spec.decode(&body, scope).into_value_reporting_to(&mut diagnostics);
                (value, flag(request, "needs").then(|| paths(&spec.variables(&body))))
            });
            self.member("value", &encode_value(&value).to_string());
            self.member("type", &encode_type(&spec.implied_type()).to_string());
            if let Some(variables) = variables {
                self.member("variables", &Value::from(variables).to_string());
            }
        }
        self.placed(&diagnostics);
        Ok(())
    }

    pub(super) fn user_functions(&mut self, request: &Map<String, Value>) -> Result<(), String> {
        let (body, mut diagnostics) = files(request)?;
        self.parsed(&diagnostics);
        if !diagnostics.has_errors() {
            let values =
                Context::of(request)?.with_scope(|scope| called(&body, scope, &wanted(request), &mut diagnostics));
            self.member("values", &Value::from(values).to_string());
        }
        self.placed(&diagnostics);
        Ok(())
    }
}

fn wanted(request: &Map<String, Value>) -> BodySchema {
    let names = request.get("want").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    names.fold(BodySchema::new(), |schema, name| schema.optional(name))
}

/// Returns the values of attributes, which can call the functions defined next to them.
fn called(
    body: &hcl_lr::body::Body,
    scope: &Scope<'_>,
    wanted: &BodySchema,
    diagnostics: &mut Diagnostics,
) -> Map<String, Value> {
    let within: Arc<OnceLock<Weak<Scope<'static>>>> = Arc::default();
    let known = within.clone();
    // Weakly, or the functions would keep themselves for ever.
    let context = move || known.get().and_then(Weak::upgrade).unwrap_or_default();
    let (defined, rest) = user_functions(body, "function", context).into_value_reporting_to(diagnostics);
    let offered = scope.function_names().into_iter().filter_map(|name| Some((name, scope.function(name)?.clone())));
    let offered = offered.fold(Functions::default(), |all, (name, function)| all.with(name, function));
    let all = offered.with_all(&defined);
    let inner = Arc::new(Scope::new().with_functions(all.clone()));
    let _ = within.set(Arc::downgrade(&inner));
    let names =
        scope.variable_names().into_iter().filter_map(|name| Some((name.to_owned(), scope.variable(name)?.clone())));
    let variables: HashMap<_, _> = names.collect();
    let outer = Scope::new().with_variables(&variables).with_functions(all);
    let content = rest.content(wanted).into_value_reporting_to(diagnostics);
    let value = |attribute: &hcl_lr::body::Attribute| {
        let value = attribute.evaluate_partially(&outer).into_value_reporting_to(diagnostics);
        (attribute.name().to_owned(), encode_value(&value))
    };
    content.attributes().iter().map(value).collect()
}

/// A spec as the protocol writes it.
fn decode_spec(json: &Value) -> Result<Spec, String> {
    let text = |name: &str| json.get(name).and_then(Value::as_str);
    let number = |name: &str| json.get(name).and_then(Value::as_u64).map(|number| number as usize);
    let inner = |name: &str| decode_spec(json.get(name).ok_or_else(|| format!("a spec needs \"{name}\""))?);
    let ty = |name: &str| decode_type(json.get(name).unwrap_or(&Value::Null)).map_err(|why| why.to_string());
    let required = json.get("required") == Some(&Value::Bool(true));
    let labels = || -> Vec<&str> {
        json.get("labels").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
    };
    // Zero means no bound.
    let count = || (number("min").unwrap_or(0), number("max").filter(|max| *max > 0).unwrap_or(usize::MAX));
    if let Some(specs) = json.get("object").and_then(Value::as_object) {
        let specs = specs.iter().map(|(name, spec)| Ok((name, decode_spec(spec)?)));
        return Ok(Spec::object(specs.collect::<Result<Vec<_>, String>>()?));
    }
    if let Some(specs) = json.get("tuple").and_then(Value::as_array) {
        return Ok(Spec::tuple(specs.iter().map(decode_spec).collect::<Result<Vec<_>, _>>()?));
    }
    if let Some(name) = text("attr") {
        return Ok(if required { Spec::required_attr(name, ty("type")?) } else { Spec::attr(name, ty("type")?) });
    }
    if let Some(name) = text("block") {
        let nested = inner("nested")?;
        return Ok(if required { Spec::required_block(name, nested) } else { Spec::block(name, nested) });
    }
    if let Some(name) = text("block_list") {
        return Ok(Spec::block_list(name, count().0..=count().1, inner("nested")?));
    }
    if let Some(name) = text("block_tuple") {
        return Ok(Spec::block_tuple(name, count().0..=count().1, inner("nested")?));
    }
    if let Some(name) = text("block_set") {
        return Ok(Spec::block_set(name, count().0..=count().1, inner("nested")?));
    }
    if (text("block_map").is_some() || text("block_object").is_some()) && labels().is_empty() {
        return Err("blocks by their labels need \"labels\"".to_owned());
    }
    if let Some(name) = text("block_map") {
        return Ok(Spec::block_map(name, &labels(), inner("nested")?));
    }
    if let Some(name) = text("block_object") {
        return Ok(Spec::block_object(name, &labels(), inner("nested")?));
    }
    if let Some(name) = text("block_attrs") {
        let of = ty("of")?;
        return Ok(if required { Spec::required_block_attrs(name, of) } else { Spec::block_attrs(name, of) });
    }
    if let (Some(index), Some(name)) = (number("label"), text("name")) {
        return Ok(Spec::block_label(index, name));
    }
    if let Some(value) = json.get("literal") {
        return Ok(Spec::literal(decode_value(value).map_err(|why| why.to_string())?));
    }
    if json.get("default").is_some() {
        return Ok(inner("default")?.or(inner("or")?));
    }
    if let Some(prefix) = text("prefix").map(str::to_owned) {
        return Ok(inner("refine")?.refine(move |value| value.prefix(&prefix)));
    }
    if let Some(name) = text("function") {
        let function = functions::standard().get(name).cloned();
        return Ok(inner("transform")?.transform(function.ok_or_else(|| format!("there is no function {name}"))?));
    }
    if json.get("transform").is_some() {
        let source = text("expr").ok_or("a transform needs \"expr\"")?;
        let expression = parse::<Expression>(("transform.hcl", source)).into_result().map_err(|why| why.to_string())?;
        let scope = Scope::new().with_functions(functions::standard());
        return Ok(inner("transform")?.transform_expr("value", expression, scope));
    }
    Err(format!("{json} is not a spec"))
}
