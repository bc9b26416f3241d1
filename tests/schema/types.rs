//! Rust types generated from schemas: they compile, and read real files.

use std::collections::BTreeSet;

use hcl_lr::{from_file, from_str, parse};
use hcl_lr_language::schema::Schema;
use hcl_lr_schema_tools::TypesIn;

use crate::corpus::{CorpusFile, corpus};
use crate::of_commands;
use crate::support::golden::{Golden, root};

/// The generated types of a language.
macro_rules! generated {
    ($($name:ident $file:literal;)+) => {
        $(#[allow(dead_code, clippy::enum_variant_names, reason = "nothing reads some fields, and schemas choose names")]
        mod $name {
            include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/schema/types/", $file));
        })+
    };
}

generated! {
    bake "bake.rs.txt";
    ferry "ferry.rs.txt";
    schema "schema.rs.txt";
    tflint "tflint.rs.txt";
    vault_policy "vault-policy.rs.txt";
}

fn ferry_schema() -> Schema {
    let text = |name: &str| of_commands(&format!("schema/{name}"));
    // The parts of the file that it imports are written below it.
    let common = text("common.schema.hcl").replacen("language \"common\" {}", "", 1);
    let main = text("ferry.schema.hcl").replacen("import = [\"common.schema.hcl\"]", "", 1);
    parse::<Schema>(("ferry.schema.hcl", main + &common)).into_result().expect("a schema without errors")
}

#[test]
fn types_in_rust_are_those_that_are_compiled() {
    let mut golden = Golden::new();
    for name in ["bake", "ferry", "schema", "tflint", "vault-policy"] {
        let schema = if name == "ferry" { ferry_schema() } else { Schema::by_name(name).expect("a language").clone() };
        let text = hcl_lr_schema_tools::to_types(&schema, &schema.files[0], TypesIn::Rust);
        golden.check(&root().join(format!("tests/fixtures/schema/types/{name}.rs.txt")), &text);
    }
    golden.finish();
}

#[test]
fn they_read_a_file_of_a_language_of_its_own() {
    let file: ferry::Timetable = from_str(&of_commands("schema/north.ferry")).expect("the file has all of it");
    assert_eq!(file.season, ferry::Season::Summer);
    let [islands, night] = &file.route[..] else { panic!("{:?}", file.route) };
    assert_eq!((islands.name.as_str(), &islands.stops[1]), ("islands", &"Rock".to_owned()));
    assert_eq!((islands.days, night.days), (ferry::Days::Weekends, ferry::Days::Daily));
    assert_eq!((islands.boat.seats, islands.boat.engine), (120, ferry::Engine::Electric));
    assert_eq!((night.boat.seats, night.boat.engine), (40, ferry::Engine::Diesel));
    let after = night.after.as_ref().expect("a list");
    assert_eq!(after[0].static_traversal().expect("a reference").root(), "route");
    let wrong =
        "season = \"summer\"\nroute \"a\" {\n  stops = []\n  days = never\n  boat {\n    seats = 70000\n  }\n}\n";
    let problems = from_str::<ferry::Timetable>(wrong).expect_err("two mistakes");
    let details: Vec<&str> = problems.iter().map(|problem| problem.detail()).collect();
    assert!(details.iter().any(|detail| detail.contains("`daily` or `weekends` is required")), "{details:?}");
    assert!(details.iter().any(|detail| detail.contains("boat.seats") && detail.contains("70000")), "{details:?}");
}

#[test]
fn they_read_schemas() {
    let folder = root().join("crates/language/src/schema/languages");
    for name in hcl_lr_language::schema::LANGUAGES {
        let file: schema::Schema = from_file(folder.join(format!("{name}.hcl"))).unwrap_or_else(|why| panic!("{why}"));
        let read = Schema::by_name(name).expect("a language");
        assert_eq!(file.language[0].name, *name);
        assert_eq!(file.language[0].title, read.title);
        let names: Vec<&str> = file.part.iter().map(|part| part.name.as_str()).collect();
        assert!(!names.is_empty() && names.iter().all(|part| read.part(part).is_some()), "{name}: {names:?}");
    }
}

#[test]
fn they_read_both_syntaxes() {
    let native = "path \"secret/*\" {\n  capabilities = [\"read\", \"list\"]\n}\n";
    let json = r#"{ "path": { "secret/*": { "capabilities": ["read", "list"] } } }"#;
    let native: vault_policy::Policy = from_str(native).expect("a policy");
    let json: vault_policy::Policy = hcl_lr::typed::from_json_str(json).expect("the same policy");
    assert_eq!(format!("{native:?}"), format!("{json:?}"));
    assert_eq!(native.path[0].capabilities.as_ref().expect("a list").len(), 2);
}

#[test]
#[ignore = "needs corpus"]
fn needs_corpus_they_read_real_files() {
    let files = corpus();
    let mut read = 0;
    for CorpusFile { path, name, .. } in files.iter().filter(|file| file.language == "tflint") {
        let file: tflint::Configuration = from_file(path).unwrap_or_else(|why| panic!("{why}"));
        let text = std::fs::read_to_string(path).expect("a readable file");
        assert_eq!(file.plugin.len(), text.lines().filter(|line| line.starts_with("plugin ")).count(), "{name}");
        read += 1;
    }
    assert!(read > 0, "no file of tflint was found");
}

/// A schema with attributes of all kinds, and blocks with these names.
fn with_blocks<'n>(names: impl IntoIterator<Item = &'n str>) -> Schema {
    let mut text = r#"
language "zoo" {
  files "zoo" {
    patterns = ["*.zoo"]
    body     = zoo
  }
}
part "zoo" {
  attribute "a" { type = required(one_of("small", "big-one")) }
  attribute "b" { type = list(map(object({ name = string, grams = optional(number) }))) }
  attribute "c" { type = tuple([string, bool]) }
  attribute "d" { type = one_of(number, list(string)) }
  attribute "e" { type = optional(one_of("x", "y"), "x") }
  attribute "f" { type = any }
  block "house" {
    label "name" {}
    attribute "*" { type = integer }
  }
"#
    .to_owned();
    for name in names {
        text += &format!("  block \"{name}\" {{\n    attribute \"x\" {{ type = string }}\n  }}\n");
    }
    let (schema, problems) = hcl_lr::parse::<Schema>(("zoo.schema.hcl", format!("{text}}}\n"))).into_parts();
    assert!(problems.is_empty(), "{}", problems.render());
    schema
}

/// The names with a capital letter that code uses: neither in comments, nor after a path, nor before a dot, where only
/// values are.
fn used(code: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in code.lines().filter(|line| !line.trim_start().starts_with(['#', '/', '*'])) {
        let mut rest = line;
        while let Some(at) = rest.find(|c: char| c.is_ascii_alphabetic()) {
            let (before, word) = rest.split_at(at);
            let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(word.len());
            let (word, after) = word.split_at(end);
            // A method has its name to itself.
            let is_type =
                !before.ends_with(") ") && word.starts_with(|c: char| c.is_ascii_uppercase()) && word.len() > 1;
            if is_type && !before.ends_with([':', '.', '"', '\'']) && !after.starts_with(['.', ':', ' ']) {
                names.insert(word.to_owned());
            }
            rest = after;
        }
    }
    names
}

/// The number of types with a name that code defines.
fn definitions(code: &str, name: &str) -> usize {
    let words = ["class", "interface", "type", "struct", "enum"];
    let is_definition = |line: &str| {
        let mut before = "";
        line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| {
            let found = word == name && words.contains(&before);
            before = word;
            found
        })
    };
    code.lines().filter(|line| is_definition(line)).count()
}

/// Types named after blocks hide no types that the code uses: `List` of Python, `Vec` of Rust, our own `Blocks`.
#[test]
fn names_of_blocks_hide_no_names_that_the_code_uses() {
    for language in [TypesIn::Go, TypesIn::Python, TypesIn::Rust, TypesIn::TypeScript] {
        let plain = with_blocks([]);
        let code = hcl_lr_schema_tools::to_types(&plain, &plain.files[0], language);
        let mut names = used(&code);
        // Variants are in a type of their own.
        names.retain(|name| !["Small", "BigOne"].contains(&name.as_str()));
        assert!(names.len() > 1, "{language:?}: {names:?}");
        let schema = with_blocks(names.iter().map(String::as_str));
        let again = hcl_lr_schema_tools::to_types(&schema, &schema.files[0], language);
        for name in &names {
            // Derived traits are macros, which have names of their own.
            let is_macro = matches!(language, TypesIn::Rust) && ["Clone", "Debug"].contains(&name.as_str());
            let most = if is_macro { 1 } else { definitions(&code, name) };
            assert!(definitions(&again, name) <= most, "{language:?}: {name} is defined\n{again}");
        }
    }
}
