//! `tests/fixtures/schema/*.md`, and the specification: schemas, files, and all that is found in them.

use std::fmt::Write;
use std::sync::Arc;

use hcl_lr::{ConfigFile, parse};
use hcl_lr_language::schema::{Checker, ProviderSchemas, Schema, Version};

use crate::support::cases::{Part, parts};
use crate::support::golden::{Golden, fixtures, root};

/// A fence `hcl schema` is a schema, and `language NAME` one that comes with the library, perhaps with a version. Both
/// hold for all fences after it, as does a fence `providers FILE` with schemas of providers. `hcl FILE` and `json FILE` are
/// files. A fence `text` has what is found in the files since the last one.
#[test]
fn files_have_the_findings_of_their_fixtures() {
    let mut golden = Golden::new();
    let guide = root().join("docs/schema.md");
    let own = fixtures("schema", &["md"]).into_iter().filter(|path| !path.ends_with("imports/imports.md"));
    for path in own.chain([guide]) {
        let text = std::fs::read_to_string(&path).expect("a readable fixture");
        let mut checker: Option<Checker> = None;
        let mut printed = String::new();
        let mut found = String::new();
        let mut last = 0;
        for part in parts(&path, &text) {
            let Part::Fence { words: info, lines, place } = part else { continue };
            let inner: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let inner = inner.as_str();
            match info.split_once(' ') {
                Some(("hcl", "schema")) => {
                    let (schema, problems) = parse::<Schema>(("language.schema.hcl", inner)).into_parts();
                    let _ = write!(printed, "{}", problems.render());
                    checker = Some(Checker::new(&schema));
                }
                Some(("language", name)) => {
                    let (name, version) = name.split_once(' ').unwrap_or((name, ""));
                    let schema = Schema::by_name(name).expect("a language");
                    let made = Checker::new(schema);
                    checker = Some(match version.parse::<Version>() {
                        Ok(version) => made.with_version(&version),
                        Err(_) => made,
                    });
                }
                Some(("providers", file)) => {
                    let (schemas, problems) = parse::<ProviderSchemas>((file, inner)).into_parts();
                    let _ = write!(printed, "{}", problems.render());
                    checker = checker.map(|checker| checker.with_catalog(Arc::new(schemas)));
                }
                Some((_, file)) => {
                    let file = parse::<ConfigFile>((file, inner)).into_result().expect("a file without errors");
                    let _ = write!(printed, "{}", checker.as_ref().expect("a schema").check(&file).render());
                }
                // Commands of the guide.
                None if info == "sh" => {}
                None => {
                    assert_eq!(info, "text", "{}", path.display());
                    let output = std::mem::take(&mut printed);
                    let output = if output.is_empty() { "nothing is wrong" } else { output.trim_end() };
                    let _ = write!(found, "{}```text\n{output}\n```\n", &text[last..place.start]);
                    last = place.end;
                }
            }
        }
        found.push_str(&text[last..]);
        golden.check(&path, &found);
    }
    golden.finish();
}
