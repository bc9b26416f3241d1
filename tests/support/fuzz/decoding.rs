//! Bodies by schemas and specs, dynamic blocks, and merged bodies.

use hcl_lr::body::{Body, BodySchema, Content};
use hcl_lr::decode::spec_file::SpecFile;
use hcl_lr::dynamic::expand;
use hcl_lr::model::Value;
use hcl_lr::source::Source;
use hcl_lr::{Outcome, Scope, parse};

use super::parts;
use super::world::{FUNCTIONS, body, diagnostics, evaluated, world};

/// Bodies of the files, if they are without errors.
fn bodies(texts: &[&str], input: &str) -> Vec<Body> {
    let mut bodies = Vec::new();
    for (number, text) in texts.iter().take(4).enumerate() {
        let (body, list) = body(&format!("{number}.hcl"), text).into_parts();
        diagnostics(&list, input);
        if !list.has_errors() {
            bodies.push(body);
        }
    }
    bodies
}

fn spec(text: &str, input: &str) -> Option<SpecFile> {
    let (spec, list) = parse::<SpecFile>(Source::new("spec.hcldec", text)).into_parts();
    diagnostics(&list, input);
    (!list.has_errors()).then_some(spec)
}

fn decoded(spec: &SpecFile, body: &Body, input: &str) -> (Value, bool) {
    let (scope, meter) = world();
    let scope = scope.with_functions(FUNCTIONS.clone().with_all(spec.functions()));
    let (value, list) = spec.spec().decode(body, &scope).into_parts();
    evaluated(&value, &list, &meter, input);
    let implied = spec.spec().implied_type();
    if !list.has_errors()
        && let Err(why) = value.ty().conforms_to(&implied)
    {
        panic!("{value:?} is not of the implied type {implied}: {why}\n--- input\n{input}");
    }
    (value, list.has_errors())
}

/// A spec, then bodies that are merged.
pub fn decode(input: &str) {
    let parts = parts(input);
    let Some(spec) = spec(parts[0], input) else { return };
    let bodies = bodies(&parts[1..], input);
    let body = match &bodies[..] {
        [one] => one.clone(),
        _ => Body::merged(bodies),
    };
    let (value, failed) = decoded(&spec, &body, input);
    let (again, failed_again) = decoded(&spec, &body, input);
    assert!(value == again && failed == failed_again, "{value:?}, then {again:?}\n--- input\n{input}");
    // The listed variables are all that decoding needs.
    let needed: Vec<_> = spec.spec().variables(&body);
    let (scope, _) = world();
    let least = needed.iter().fold(Scope::new(), |least, path| match scope.variable(path.root()) {
        Some(value) => least.with(path.root(), value.clone()),
        None => least,
    });
    let least = least.with_functions(FUNCTIONS.clone().with_all(spec.functions()));
    let (with_least, list) = spec.spec().decode(&body, &least).into_parts();
    if !failed {
        assert!(with_least == value && !list.has_errors(), "{value:?}, but {with_least:?} {list:?}: {input}");
    }
    // A body without dynamic blocks is expanded to itself.
    if !input.contains("dynamic") && !input.contains('\\') {
        let (expanded, failed_expanded) = decoded(&spec, &expand(body, &scope), input);
        assert!(
            failed == failed_expanded && (failed || expanded == value),
            "{value:?}, {expanded:?} expanded: {input}"
        );
    }
}

/// The same with dynamic blocks.
pub fn dynamic(input: &str) {
    let parts = parts(input);
    let Some(spec) = spec(parts[0], input) else { return };
    for body in bodies(&parts[1..], input) {
        let (scope, meter) = world();
        let scope = scope.with_functions(FUNCTIONS.clone().with_all(spec.functions()));
        let (value, list) = spec.spec().decode(&expand(body.clone(), &scope), &scope).into_parts();
        evaluated(&value, &list, &meter, input);
        let implied = spec.spec().implied_type();
        if !list.has_errors()
            && let Err(why) = value.ty().conforms_to(&implied)
        {
            panic!("{value:?} is not of the implied type {implied}: {why}\n--- input\n{input}");
        }
        let _ = spec.spec().variables(&expand(body, &scope));
    }
}

/// Returns a text for the content of a body, with its blocks at any depth.
fn described(outcome: Outcome<Content>, schema: &BodySchema, depth: usize, input: &str) -> (String, bool) {
    let (content, list) = outcome.into_parts();
    diagnostics(&list, input);
    let mut text = String::new();
    for attribute in content.attributes().iter() {
        let place = attribute.expression().place();
        text += &format!("{} = {:?} {}\n", attribute.name(), place.span(), place.source().name());
    }
    let mut failed = list.has_errors();
    for block in content.blocks().iter() {
        let labels: Vec<&str> = block.labels().iter().map(|label| label.text()).collect();
        text += &format!("{} {labels:?} {:?}\n", block.block_type(), block.header_place().span());
        if depth > 0 {
            let (inner, inner_failed) = described(block.body().content(schema), schema, depth - 1, input);
            text += &inner;
            failed |= inner_failed;
        }
    }
    (text, failed)
}

/// Bodies that are merged, with attributes and blocks of the names `a` to `f`.
pub fn merge(input: &str) {
    let bodies = bodies(&parts(input), input);
    let schema = ["a", "b", "c"].into_iter().fold(BodySchema::new(), |schema, name| schema.optional(name));
    let schema = schema.required("n").block("d", &[]).block("e", &["name"]).block("f", &["type", "name"]);
    let all = Body::merged(bodies.clone());
    let (described_all, _) = described(all.content(&schema), &schema, 3, input);
    let with_nothing = Body::merged(bodies.iter().cloned().chain([Body::empty()]));
    let (same, _) = described(with_nothing.content(&schema), &schema, 3, input);
    assert_eq!(described_all, same, "an empty body changes something: {input}");
    let halves = bodies.split_at(bodies.len() / 2);
    let nested = Body::merged([Body::merged(halves.0.to_vec()), Body::merged(halves.1.to_vec())]);
    let (same, _) = described(nested.content(&schema), &schema, 3, input);
    assert_eq!(described_all, same, "it matters in which order bodies are merged: {input}");
    if let [one] = &bodies[..] {
        let (alone, failed) = described(one.content(&schema), &schema, 3, input);
        let (_, failed_all) = described(all.content(&schema), &schema, 3, input);
        assert!(alone == described_all && failed == failed_all, "{alone}\n{described_all}\n--- input\n{input}");
    }
    // The content and the rest together are the whole body.
    let ((content, rest), list) = all.partial_content(&BodySchema::new().optional("a").block("d", &[])).into_parts();
    diagnostics(&list, input);
    let (rest, list) = rest.partial_content(&schema).into_parts();
    diagnostics(&list, input);
    assert!(
        rest.0.attribute("a").is_none() && rest.0.blocks().iter().all(|block| block.block_type() != "d"),
        "{input}"
    );
    drop(content);
    for attribute in all.attributes().into_value().iter() {
        let (scope, meter) = world();
        let (value, list) = attribute.expression().evaluate_partially(&scope).into_parts();
        evaluated(&value, &list, &meter, input);
    }
}
