//! Schemas with many words, attributes, blocks, types, parts and cases: reading them, checking files with them, and what is
//! made of them.

use hcl_lr::{ConfigFile, File, ParseOptions, Source, parse};
use hcl_lr_language::schema::{Checker, Schema, SchemaLoader};
use hcl_lr_schema_tools::TypesIn;

use super::Case;

/// The lines for each number up to `n`.
fn many(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(line).collect()
}

fn language(head: &str, body: &str, parts: &str) -> String {
    let files = "files \"big\" {\n patterns = [\"*.big\"]\n body = big\n }";
    format!("language \"big\" {{\n {files}\n}}\n{head}part \"big\" {{\n{body}}}\n{parts}")
}

/// Makes a schema of a size, and a file that uses it.
type Make = fn(usize) -> (String, String);

/// Makes something of a schema.
type Output = fn(&Schema);

/// The kinds of schemas.
fn kinds() -> Vec<(&'static str, Make)> {
    vec![
        ("words", |n| {
            let words = many(n, |at| format!("\"w{at}\", "));
            (language("", &format!("attribute \"a\" {{ type = one_of({words}) }}\n"), ""), "a = \"none\"\n".to_owned())
        }),
        ("bare words", |n| {
            let words = many(n, |at| format!("w{at}, "));
            (language("", &format!("attribute \"a\" {{ type = keyword({words}) }}\n"), ""), "a = none\n".to_owned())
        }),
        ("words for each attribute", |n| {
            let body = many(n, |at| format!("attribute \"a{at}\" {{ type = one_of(\"x{at}\", \"y\") }}\n"));
            (language("", &body, ""), many(n, |at| format!("a{at} = \"z\"\n")))
        }),
        ("defaults of words", |n| {
            let words = many(n, |at| format!("\"w{at}\", "));
            let ty = format!("optional(one_of({words}), \"w{}\")", n - 1);
            (language("", &format!("attribute \"a\" {{ type = {ty} }}\n"), ""), "a = \"w0\"\n".to_owned())
        }),
        ("attributes", |n| {
            let body = many(n, |at| format!("attribute \"a{at}\" {{ type = required(string) }}\n"));
            (language("", &body, ""), many(n, |at| format!("a{at} = [1]\n")))
        }),
        ("blocks", |n| {
            let body = many(n, |at| {
                format!("block \"b{at}\" {{\n required = true\n attribute \"x\" {{ type = string }}\n}}\n")
            });
            (language("", &body, ""), many(n, |at| format!("b{at} {{\n x = [1]\n}}\n")))
        }),
        ("rules", |n| {
            let names = many(n, |at| format!("\"a{at}\", "));
            let body = many(n, |at| format!("attribute \"a{at}\" {{ type = string }}\n"));
            (language("", &format!("at_most_one = [{names}]\n{body}"), ""), "a0 = \"x\"\n".to_owned())
        }),
        ("types", |n| {
            let types = many(n, |at| format!("t{at} = object({{ a{at} = string }})\n"));
            let body = many(n, |at| format!("attribute \"a{at}\" {{ type = t{at} }}\n"));
            (language(&format!("types {{\n{types}}}\n"), &body, ""), many(n, |at| format!("a{at} = {{ b = 1 }}\n")))
        }),
        ("attributes of an object", |n| {
            let attributes = many(n, |at| format!("k{at} = string, "));
            let body = format!("attribute \"a\" {{ type = object({{ {attributes} }}) }}\n");
            (language("", &body, ""), format!("a = {{\n{}}}\n", many(n, |at| format!("k{at} = [1]\n"))))
        }),
        ("parts", |n| {
            let body = many(n, |at| format!("block \"b{at}\" {{ include = [p{at}] }}\n"));
            let parts = many(n, |at| format!("part \"p{at}\" {{\n attribute \"x\" {{ type = string }}\n}}\n"));
            (language("", &body, &parts), many(n, |at| format!("b{at} {{\n x = [1]\n}}\n")))
        }),
        ("included parts", |n| {
            let names = many(n, |at| format!("p{at}, "));
            let parts = many(n, |at| format!("part \"p{at}\" {{\n attribute \"x{at}\" {{ type = string }}\n}}\n"));
            (language("", &format!("include = [{names}]\n"), &parts), many(n, |at| format!("x{at} = [1]\n")))
        }),
        ("cases", |n| {
            let cases = many(n, |at| format!("case \"v{at}\" {{\n attribute \"x{at}\" {{ type = string }}\n}}\n"));
            let body = format!("attribute \"k\" {{ type = string }}\nmatch \"k\" {{\n{cases}}}\n");
            (language("", &body, ""), "k = \"v0\"\nx0 = [1]\n".to_owned())
        }),
    ]
}

fn schema(text: &str) -> Schema {
    let (schema, problems) = parse::<Schema>(("big.schema.hcl", text)).into_parts();
    assert!(problems.is_empty(), "{}", problems.render());
    schema
}

/// Files of which each imports all others, from memory.
struct Imports(usize);

impl SchemaLoader for Imports {
    fn load(&self, path: &str, _: &str) -> Result<Source, String> {
        Ok(Source::new(path, self.text(path)))
    }
}

impl Imports {
    /// The text of a file, which is no longer for more files: the work for each pair of files would be that of reading it.
    fn text(&self, name: &str) -> String {
        let Imports(n) = self;
        let at: usize = name.trim_end_matches(".schema.hcl").parse().expect("a number");
        let next = [1, 2, 3].map(|step| format!("\"{}.schema.hcl\"", (at + step) % n));
        let part = format!("part \"p{at}\" {{\n attribute \"x\" {{ type = string }}\n}}\n");
        format!("import = [{}]\nlanguage \"l{at}\" {{}}\n{part}", next.join(", "))
    }
}

/// Returns the cases of reading schemas, and of all that is made of them.
pub fn all() -> Vec<Case> {
    let mut cases = vec![Case::new("imports", 50, |n| {
        let files = Imports(n);
        move || {
            let source = Source::new("0.schema.hcl", files.text("0.schema.hcl"));
            let (schema, problems) = Schema::parse_with(source, &ParseOptions::new(), &files).into_parts();
            assert!(problems.is_empty() && schema.parts.len() == files.0, "{}", problems.render());
        }
    })];
    for (name, make) in kinds() {
        cases.push(Case::new(format!("{name}: read"), 300, move |n| {
            let (text, _) = make(n);
            move || drop(schema(&text))
        }));
        cases.push(Case::new(format!("{name}: check"), 300, move |n| {
            let (text, file) = make(n);
            let checker = Checker::new(&schema(&text));
            let file = parse::<ConfigFile>(("a.big", file)).into_result().expect("no errors");
            move || drop(checker.check(&file))
        }));
        let outputs: [(&str, Output); 8] = [
            ("to_hcl", |schema| drop(schema.to_hcl())),
            ("to_markdown", |schema| drop(hcl_lr_schema_tools::to_markdown(schema))),
            ("to_json_schema", |schema| drop(hcl_lr_schema_tools::to_json_schema(schema, &schema.files[0]))),
            ("conversion_schema", |schema| drop(schema.conversion_schema())),
            ("types in Rust", |schema| drop(hcl_lr_schema_tools::to_types(schema, &schema.files[0], TypesIn::Rust))),
            ("types in Python", |schema| {
                drop(hcl_lr_schema_tools::to_types(schema, &schema.files[0], TypesIn::Python))
            }),
            ("types in Go", |schema| drop(hcl_lr_schema_tools::to_types(schema, &schema.files[0], TypesIn::Go))),
            ("types in TypeScript", |schema| {
                drop(hcl_lr_schema_tools::to_types(schema, &schema.files[0], TypesIn::TypeScript))
            }),
        ];
        for (output, work) in outputs {
            cases.push(Case::new(format!("{name}: {output}"), 300, move |n| {
                let schema = schema(&make(n).0);
                move || work(&schema)
            }));
        }
        // Cases are nested in JSON Schema, no deeper than JSON may be.
        let size = if name == "cases" { 100 } else { 300 };
        cases.push(Case::new(format!("{name}: from_json_schema"), size, move |n| {
            let schema = schema(&make(n).0);
            let json = hcl_lr_schema_tools::to_json_schema(&schema, &schema.files[0]);
            move || drop(hcl_lr_schema_tools::from_json_schema("big", ["*.big"], ("schema.json", json)))
        }));
        cases.push(Case::new(format!("{name}: infer"), 300, move |n| {
            let file = parse::<File>(("a.big", make(n).1)).into_result().expect("no errors");
            move || drop(hcl_lr_schema_tools::infer("big", [&file]))
        }));
    }
    cases
}
