//! Specs as JSON, for the operation `decode` of `tests/support/peer`: an object with the kind of the spec
//! as its only name.

use hcl_lr::body::Body;
use hcl_lr::conformance::{decode_type, decode_value, encode_value};
use hcl_lr::decode::Spec;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::dynamic::expand;
use hcl_lr::model::Type;
use hcl_lr::{Scope, parse_body};
use serde_json::{Value as Json, json};

/// The answer to a request with `files`, `spec`, `vars`, and perhaps `dynamic`.
pub fn decode(request: &Json) -> Json {
    let mut found = Diagnostics::new();
    let mut bodies = Vec::new();
    for file in request["files"].as_array().expect("files") {
        let text = |name: &str| file[name].as_str().expect("a name and a source");
        bodies.push(parse_body((text("name"), text("src"))).into_value_reporting_to(&mut found));
    }
    let parsed = !found.has_errors();
    let mut value = Json::Null;
    if parsed {
        let mut scope = Scope::new();
        for (name, value) in request["vars"].as_object().into_iter().flatten() {
            scope = scope.with(name, decode_value(value).expect("a value"));
        }
        let body = Body::merged(bodies);
        let body = if request["dynamic"] == true { expand(body, &scope) } else { body };
        let decoded = spec(&request["spec"]).decode(&body, &scope);
        value = encode_value(&decoded.into_value_reporting_to(&mut found));
    }
    let diagnostics = found.iter().map(|diagnostic| {
        let at = |offset| {
            let position = diagnostic.place().source().position(offset);
            json!([position.line, position.column, position.byte])
        };
        let span = diagnostic.place().span();
        let range = json!([diagnostic.place().source().name(), at(span.start()), at(span.end())]);
        json!({ "severity": diagnostic.severity().as_str(), "detail": diagnostic.detail(), "range": range })
    });
    let diagnostics: Vec<Json> = diagnostics.collect();
    json!({ "parsed": parsed, "ok": !found.has_errors(), "value": value, "diags": diagnostics })
}

fn spec(json: &Json) -> Spec {
    let (kind, settings) = json.as_object().and_then(|kinds| kinds.iter().next()).expect("a kind of spec");
    let text = |name: &str| settings[name].as_str().expect("a text");
    let ty = || settings.get("type").map_or(Type::Dynamic, |ty| decode_type(ty).expect("a type"));
    let nested = || spec(&settings["nested"]);
    let labels =
        || -> Vec<&str> { settings["labels"].as_array().into_iter().flatten().filter_map(Json::as_str).collect() };
    let count = || {
        let bound = |name: &str| settings[name].as_u64().map(|bound| bound as usize);
        bound("min").unwrap_or(0)..=bound("max").unwrap_or(usize::MAX)
    };
    let list = || settings.as_array().expect("specs").iter().map(spec);
    match kind.as_str() {
        "object" => Spec::object(settings.as_object().expect("specs").iter().map(|(name, json)| (name, spec(json)))),
        "tuple" => Spec::tuple(list()),
        "default" => list().reduce(Spec::or).expect("specs"),
        "literal" => Spec::literal(decode_value(settings).expect("a value")),
        "attr" if settings["required"] == true => Spec::required_attr(text("name"), ty()),
        "attr" => Spec::attr(text("name"), ty()),
        "block" if settings["required"] == true => Spec::required_block(text("block"), nested()),
        "block" => Spec::block(text("block"), nested()),
        "block_list" => Spec::block_list(text("block"), count(), nested()),
        "block_set" => Spec::block_set(text("block"), count(), nested()),
        "block_tuple" => Spec::block_tuple(text("block"), count(), nested()),
        "block_map" => Spec::block_map(text("block"), &labels(), nested()),
        "block_object" => Spec::block_object(text("block"), &labels(), nested()),
        "block_attrs" => Spec::block_attrs(text("block"), ty()),
        "block_label" => Spec::block_label(settings["index"].as_u64().unwrap_or(0) as usize, text("name")),
        "transform" => {
            let functions = hcl_lr::functions::standard();
            nested().transform(functions.get(text("name")).expect("a function").clone())
        }
        "refine_prefix" => nested().refine({
            let prefix = text("prefix").to_owned();
            move |refine| refine.prefix(&prefix)
        }),
        _ => panic!("no spec is called {kind}"),
    }
}
