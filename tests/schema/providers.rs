//! Schemas of providers: which provider a name refers to, and which parts of a document are read.

use std::sync::Arc;

use hcl_lr::{ConfigFile, parse};
use hcl_lr_language::schema::{Catalog, CatalogKey, Checker, Facts, Found, ProviderSchemas, Schema};

fn terraform() -> &'static Schema {
    Schema::by_name("terraform").expect("it comes with the library")
}

/// A document with one resource type `NAME_thing` of each provider.
fn document(providers: &[&str]) -> ProviderSchemas {
    let provider = |address: &&str| {
        let name = address.rsplit('/').next().expect("a name");
        format!(
            r#""{address}": {{ "resource_schemas": {{ "{name}_thing": {{ "block": {{ "attributes": {{
                "{name}_only": {{ "type": "string", "optional": true }} }} }} }} }} }}"#
        )
    };
    let all: Vec<String> = providers.iter().map(provider).collect();
    let text = format!(r#"{{ "format_version": "1.2", "provider_schemas": {{ {} }} }}"#, all.join(","));
    parse::<ProviderSchemas>(("schemas.json", text.as_str())).into_result().expect("a document")
}

/// The answer of a catalog for a resource type.
fn answer(schemas: &ProviderSchemas, name: &str, provider: Option<&str>, facts: &Facts) -> &'static str {
    let catalog = terraform().catalog("resources").expect("it is there");
    let mut key = CatalogKey::new(name, facts);
    key.provider = provider;
    match schemas.find(catalog, &key) {
        Found::Contents { .. } => "contents",
        Found::Missing(_) => "missing",
        _ => "unknown",
    }
}

#[test]
fn a_name_means_a_provider() {
    let schemas = document(&[
        "registry.terraform.io/hashicorp/aws",
        "registry.opentofu.org/datadog/datadog",
        "example.com/team/own",
        "terraform.io/builtin/terraform",
    ]);
    let text = r#"
terraform {
  required_providers {
    dog      = { source = "DataDog/datadog" }
    own      = { source = "example.com/team/own" }
    elsewhere = { source = "someone/aws" }
    short    = { source = "aws" }
  }
}
"#;
    let file = parse::<ConfigFile>(("versions.tf", text)).into_result().expect("a file");
    let (alone, all) = (Facts::of(terraform(), [&file]), Facts::of_all(terraform(), [&file]));
    // A type, the provider that is named, and the answers if this is one of several files, and the only one.
    let cases = [
        ("aws_thing", None, "contents", "contents"),
        ("aws_thing", Some("aws.west"), "contents", "contents"),
        ("aws_thing", Some("short"), "contents", "contents"),
        ("aws_thing", Some("elsewhere.a"), "unknown", "unknown"),
        ("aws_other", None, "missing", "missing"),
        ("datadog_thing", Some("dog"), "contents", "contents"),
        ("datadog_thing", Some("dog[\"a\"]"), "contents", "contents"),
        ("datadog_thing", None, "contents", "unknown"),
        ("own_thing", None, "contents", "contents"),
        ("terraform_thing", None, "contents", "contents"),
        ("nothing", None, "unknown", "unknown"),
        ("", None, "unknown", "unknown"),
    ];
    for (name, provider, with_others, only) in cases {
        assert_eq!(answer(&schemas, name, provider, &alone), with_others, "{name} {provider:?}");
        assert_eq!(answer(&schemas, name, provider, &all), only, "{name} {provider:?}, the only file");
    }
}

#[test]
fn documents_are_put_together() {
    let schemas = document(&["registry.terraform.io/a/x"]).with(document(&["registry.terraform.io/a/y"]));
    assert_eq!(schemas.providers().collect::<Vec<_>>(), ["registry.terraform.io/a/x", "registry.terraform.io/a/y"]);
}

#[test]
fn functions_have_signatures() {
    let text = r#"{ "format_version": "1.0", "provider_schemas": { "registry.terraform.io/hashicorp/time": { "functions": {
        "parse": { "summary": "Reads a time.", "return_type": ["list", "number"],
                   "parameters": [{ "name": "text", "type": "string", "is_nullable": true }],
                   "variadic_parameter": { "name": "more", "type": "dynamic" } },
        "odd": 1 } } } }"#;
    let schemas = parse::<ProviderSchemas>(("schemas.json", text)).into_result().expect("a document");
    let provider = "registry.terraform.io/hashicorp/time";
    assert_eq!(schemas.functions(provider).collect::<Vec<_>>(), ["odd", "parse"]);
    let parse_time = schemas.function(provider, "parse").expect("a function");
    assert_eq!(parse_time.result.to_string(), "list(number)");
    assert_eq!(parse_time.description.as_deref(), Some("Reads a time."));
    assert!(parse_time.parameters[0].is_nullable && parse_time.variadic.is_some());
    assert!(schemas.function(provider, "odd").is_none());

    // The type of the result is known.
    let checker = Checker::new(terraform()).with_catalog(Arc::new(schemas));
    let file = "variable \"a\" {\n  sensitive = provider::time::parse(\"a\")\n}\n";
    let file = parse::<ConfigFile>(("main.tf", file)).into_result().expect("a file");
    let found = checker.check(&file);
    assert!(found.to_string().contains("true or false is required here, not a list"), "{found}");
}

#[test]
fn members_have_any_order_and_the_last_one_of_a_name_counts() {
    let text = r#"{ "format_version": "1.0", "provider_schemas": { "registry.terraform.io/hashicorp/x": { "resource_schemas": {
        "x_thing": { "block": { "attributes": {
            "size": { "type": "string", "optional": true },
            "na\u006de": { "required": true, "type": "string" },
            "size": { "optional": true, "type": "number" },
            "age": { "type": ["list", "string"], "optional": true }
        } } } } } } }"#;
    let schemas = parse::<ProviderSchemas>(("schemas.json", text)).into_result().expect("a document");
    let checker = Checker::new(terraform()).with_catalog(Arc::new(schemas));
    let file = "resource \"x_thing\" \"a\" {\n  size = \"large\"\n  age  = 1\n}\n";
    let file = parse::<ConfigFile>(("main.tf", file)).into_result().expect("a file");
    let found = checker.check(&file).to_string();
    for detail in
        ["a number is required here", "a list of strings is required here", "the argument \"name\" is required here"]
    {
        assert!(found.contains(detail), "{detail}: {found}");
    }
}

#[test]
fn what_is_too_deep_or_odd_is_open() {
    let block =
        |inner: &str| format!(r#"{{ "block_types": {{ "b": {{ "nesting_mode": "list", "block": {inner} }} }} }}"#);
    let deep = (0..5_000).fold("{}".to_owned(), |inner, _| block(&inner));
    let types = (0..5_000).fold("\"string\"".to_owned(), |inner, _| format!("[\"list\",{inner}]"));
    let text = format!(
        r#"{{ "format_version": "1.0", "provider_schemas": {{ "registry.terraform.io/hashicorp/x": {{ "resource_schemas": {{
            "x_deep": {{ "block": {deep} }},
            "x_type": {{ "block": {{ "attributes": {{ "a": {{ "type": {types}, "optional": true }} }} }} }},
            "x_odd": {{ "block": {{ "attributes": [], "block_types": 7 }} }},
            "x_null": null }} }} }} }}"#
    );
    let schemas = parse::<ProviderSchemas>(("schemas.json", text.as_str())).into_result().expect("a document");
    let facts = Facts::default();
    for (name, wanted) in [("x_deep", "unknown"), ("x_type", "unknown"), ("x_odd", "contents"), ("x_null", "unknown")] {
        assert_eq!(answer(&schemas, name, None, &facts), wanted, "{name}");
    }
}
