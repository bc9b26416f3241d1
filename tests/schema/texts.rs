//! Schemas as text: shipped schemas are written and read again, and drafts accept the files that they were inferred
//! from.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hcl_lr::{ConfigFile, File, parse};
use hcl_lr_language::schema::{Checker, LANGUAGES, Schema};

use crate::corpus::files;
use crate::of_commands;
use crate::support::cases::has_extension;
use crate::support::golden::{inputs, root};
use crate::support::needs;

/// The files of a group are seen together, up to this number.
const GROUP: usize = 60;

fn read(text: &str) -> Schema {
    let (schema, problems) = parse::<Schema>(("written.schema.hcl", text)).into_parts();
    assert!(problems.is_empty(), "{}\n{text}", problems.render());
    schema
}

#[test]
fn languages_are_written_and_read_again() {
    for name in LANGUAGES {
        let schema = Schema::by_name(name).expect("it comes with the library");
        let text = schema.to_hcl().expect("everything in it can be written");
        let again = read(&text);
        assert_eq!(again.to_hcl().expect("it was written before"), text, "{name}");
        assert_eq!(hcl_lr_schema_tools::to_markdown(&again), hcl_lr_schema_tools::to_markdown(schema), "{name}");
        assert_eq!(again.conversion_schema().to_string(), schema.conversion_schema().to_string(), "{name}");
        for (written, files) in again.files.iter().zip(&schema.files) {
            assert_eq!(
                hcl_lr_schema_tools::to_json_schema(&again, written),
                hcl_lr_schema_tools::to_json_schema(schema, files),
                "{name}: {}",
                files.name
            );
        }
    }
}

#[test]
fn a_draft_of_deep_values_can_be_read() {
    let text = format!(
        "list = {}{}\nobject = {}{}\n",
        "[".repeat(900),
        "]".repeat(900),
        "{ a = [1, ".repeat(200),
        "]}".repeat(200)
    );
    let file = parse::<File>(("deep.conf", text)).into_result().expect("a file without errors");
    accepts("draft", &[&file]);
}

/// Asserts that a draft has no errors, and that it accepts the files.
fn accepts(name: &str, files: &[&File]) {
    let text = hcl_lr_schema_tools::infer(name, files.iter().copied()).to_hcl().expect("names of files can be written");
    let checker = Checker::new(&read(&text));
    for file in files {
        let found = checker.check(&ConfigFile::from(*file));
        assert!(!found.has_errors(), "{}: {}\n{text}", file.source().name(), found.short());
    }
}

#[test]
fn drafts_accept_their_files() {
    drafts_accept(&[root().join("examples")], inputs(NATIVE));
}

#[test]
#[ignore = "needs corpus"]
fn needs_corpus_drafts_accept_their_files() {
    drafts_accept(&[needs::corpus()], Vec::new());
}

/// The extensions of files in native syntax.
const NATIVE: &[&str] = &["hcl", "tf", "tfvars", "ferry", "conf", "hcldec", "nomad", "tofu"];

/// Asserts that the files of folders, and others, are accepted by their drafts, alone and in groups.
fn drafts_accept(folders: &[PathBuf], others: Vec<(String, Vec<u8>)>) {
    let mut paths = Vec::new();
    folders.iter().for_each(|folder| files(folder, &mut paths));
    paths.sort();
    let mut groups: BTreeMap<String, Vec<File>> = BTreeMap::new();
    let read = |path: PathBuf| Some((path.to_string_lossy().into_owned(), std::fs::read(&path).ok()?));
    for (name, text) in paths.into_iter().filter_map(read).chain(others).filter(|(name, _)| has_extension(name, NATIVE))
    {
        let extension = name.rsplit('.').next().unwrap_or_default().to_owned();
        let Ok(file) = parse::<File>((name.as_str(), text)).into_result() else { continue };
        accepts("draft", &[&file]);
        groups.entry(extension).or_default().push(file);
    }
    assert!(groups.contains_key("hcl") && groups.contains_key("tf"), "the files are somewhere else");
    for (extension, files) in groups {
        for group in files.chunks(GROUP) {
            accepts(&extension, &group.iter().collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_draft_says_what_its_files_have_in_common() {
    let first = "name = \"a\"\nsize = 1\nserver \"web\" \"one\" {\n  port = 80\n  tags = { a = 1, b = \"x\" }\n}\nlimits {\n  cpu = 1\n}\n";
    let second = "name = \"b\"\nsize = \"big\"\nports = [80, 443]\nserver \"db\" \"two\" {\n  port = 1\n  rule = { to = [1], from = \"x\" }\n}\n\
                  dynamic \"disk\" {\n  for_each = [1]\n  content {\n    path = disk.value\n  }\n}\n";
    let files = [("a.thing.hcl", first), ("b.thing.hcl", second)];
    let files = files.map(|source| parse::<File>(source).into_result().expect("a file"));
    let expected = r#"language "thing" {
  files "thing" {
    patterns = ["*.thing.hcl"]
    body     = file
  }
}

part "file" {
  dynamic = true

  attribute "name" {
    type = required(string)
  }

  attribute "size" {
    type = required(string)
  }

  attribute "ports" {
    type = list(number)
  }

  block "server" {
    required = true

    label "type" {
    }

    label "name" {
    }

    attribute "port" {
      type = required(number)
    }

    attribute "tags" {
      type = map(string)
    }

    attribute "rule" {
      type = object({
        to   = list(number)
        from = string
      })
    }
  }

  block "limits" {
    nesting = single

    attribute "cpu" {
      type = required(number)
    }
  }

  block "disk" {
    attribute "path" {
      type = required(any)
    }
  }
}
"#;
    assert_eq!(hcl_lr_schema_tools::infer("thing", &files).to_hcl().expect("it can be written"), expected);
}

#[test]
fn a_json_schema_of_each_language_becomes_a_schema() {
    for name in LANGUAGES {
        let schema = Schema::by_name(name).expect("it comes with the library");
        for files in &schema.files {
            let json = hcl_lr_schema_tools::to_json_schema(schema, files);
            let imported = hcl_lr_schema_tools::from_json_schema(name, ["*.x"], ("schema.json", json)).expect("JSON");
            read(&imported.schema.to_hcl().expect("its names are identifiers"));
        }
    }
}

/// An imported schema rejects the same values as its JSON Schema.
#[test]
fn an_imported_schema_agrees_with_its_json_schema() {
    let json = of_commands("schema/harbour.json");
    let imported =
        hcl_lr_schema_tools::from_json_schema("harbour", ["*.harbour"], ("harbour.json", json)).expect("JSON");
    let checker = Checker::new(&imported.schema);
    let right = "name = \"a\"\nkind = \"sea\"\nphone = \"1\"\ncrane {\n  load = 1\n}\nboat \"b\" {\n  length = 3\n  tender {\n    length = 1\n  }\n}\n";
    let count = |text: &str| {
        let file = parse::<ConfigFile>(("a.harbour", text)).into_result().expect("a file");
        checker.check(&file).errors().count()
    };
    assert_eq!(count(right), 0);
    let mistakes = [
        ("name = \"a\"\n", ""),
        ("\"sea\"", "\"lake\""),
        ("kind = \"sea\"\n", ""),
        ("crane {\n  load = 1\n}\n", ""),
        ("load = 1", "load = []"),
        ("length = 3", "width = 3"),
        ("    length = 1\n", ""),
        ("phone", "fax"),
        ("boat \"b\"", "boat"),
        ("name = \"a\"", "name = \"a\"\nberths = 100"),
    ];
    for (from, to) in mistakes {
        assert!(right.contains(from), "{from}");
        assert!(count(&right.replacen(from, to, 1)) > 0, "{from} -> {to}");
    }
}
