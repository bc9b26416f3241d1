//! The site of this checkout: that it is whole, and that its links lead somewhere.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use hcl_lr::diagnostic::Code;
use hcl_lr_conformance::suite::Suite;
use site::Site;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."))
}

fn site() -> &'static Site {
    static SITE: OnceLock<Site> = OnceLock::new();
    SITE.get_or_init(|| Site::read(root()).expect("the files of the project"))
}

fn files() -> BTreeMap<&'static str, &'static str> {
    site().files().collect()
}

#[test]
fn all_links_lead_somewhere() {
    assert!(site().problems().is_empty(), "{}", site().problems().join("\n"));
}

#[test]
fn every_statement_and_example_has_its_place() {
    let suite = Suite::read(&root().join("tests/spec")).expect("the chapters");
    let files = files();
    let ids = suite.statements.iter().map(|statement| (&statement.id, &statement.place));
    let mut missing = Vec::new();
    for (id, place) in ids.chain(suite.examples.iter().map(|example| (&example.id, &example.place))) {
        let chapter = place.split(".md").next().expect("a file");
        if !files[format!("spec/{chapter}.html").as_str()].contains(&format!(" id=\"{id}\"")) {
            missing.push(id);
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
    assert!(
        suite.statements.iter().all(|statement| files["statements.html"].contains(&format!("#{}\"", statement.id)))
    );
}

#[test]
fn every_code_is_explained() {
    let page = files()["diagnostics.html"];
    for code in Code::ALL {
        assert!(page.contains(&format!("<h2 id=\"{code}\">")), "{code}");
    }
}

#[test]
fn a_search_finds_statements_codes_and_functions() {
    let index = files()["search-index.js"];
    let json = index.strip_prefix("const searchIndex = ").and_then(|rest| rest.strip_suffix(";\n")).expect("a script");
    let entries: Vec<[String; 4]> = serde_json::from_str(json).expect("a list");
    for (title, url) in [
        ("native.for.1", "spec/11-for-expressions.html#native.for.1"),
        ("single-quotes", "diagnostics.html#single-quotes"),
        ("cidrsubnet", "docs/functions.html#cidrsubnet"),
    ] {
        let entry = entries.iter().find(|[other, ..]| other == title).unwrap_or_else(|| panic!("no {title}"));
        assert_eq!(entry[2], url);
        assert!(!entry[3].is_empty(), "{title} says nothing");
    }
}

#[test]
fn pages_need_no_network() {
    for (path, text) in files().iter().filter(|(path, _)| path.ends_with(".html")) {
        for loads in ["<script defer src=\"", "<link rel=\"stylesheet\" href=\"", "<img src=\""] {
            let outside =
                text.split(loads).skip(1).find(|rest| rest.split('"').next().unwrap_or_default().contains("://"));
            assert!(outside.is_none(), "{path} loads {outside:?}");
        }
    }
}
