//! JSON Schemas beside checks: two validators and the checker judge the JSON twins of real files, and mutations of these.
//!
//! The validators are the Python package `jsonschema` and the npm package `ajv`, which is looked for where Node.js finds
//! packages (`NODE_PATH`). The files are the schemas that come with the library and, if `HCL_LR_CORPUS` names a folder, those in
//! it. `HCL_JSON_SCHEMA_CASES=4000` tries more of them. The result is printed:
//!
//! ```sh
//! NODE_PATH=FOLDER/node_modules cargo test --test schema json_schema:: -- --ignored --nocapture
//! ```

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use hcl_lr::convert::{ConversionOptions, to_json};
use hcl_lr::diagnostic::Code;
use hcl_lr::{ConfigFile, File, parse};
use hcl_lr_language::schema::model::{Attribute, Block, Body, Match, ObjectType, Otherwise};
use hcl_lr_language::schema::{Checker, LANGUAGES, Schema, Type};
use serde_json::Value;

use crate::corpus::{CorpusFile, corpus};
use crate::support::golden::root;

/// The number of files to try; `HCL_JSON_SCHEMA_CASES` overrides it.
const CASES: usize = 1000;

/// The maximum number of bytes of the files of each language, because validators are slow.
const MAX_SIZE: usize = 20_000;

/// Returns a schema without features that JSON Schema lacks: formats of strings, conditions, rules for expressions, contents
/// that depend on an enclosing body, unique labels, and blocks that all files have once.
fn structure(schema: &Schema) -> Schema {
    let mut schema = schema.clone();
    for part in &mut schema.parts {
        part.body = Arc::new(body(&part.body));
    }
    for ty in schema.types.values_mut() {
        *ty = plain(ty);
    }
    schema
}

fn body(before: &Body) -> Body {
    let mut made = before.clone();
    made.checks.clear();
    for attribute in &mut made.attributes {
        let mut changed: Attribute = (**attribute).clone();
        changed.ty = plain(&changed.ty);
        changed.checks.clear();
        (changed.exact, changed.constant, changed.defined) = (false, None, false);
        *attribute = Arc::new(changed);
    }
    for block in &mut made.blocks {
        let mut changed: Block = (**block).clone();
        changed.body = Arc::new(body(&changed.body));
        (changed.unique, changed.once) = (false, false);
        for label in &mut changed.labels {
            label.ty = plain(&label.ty);
        }
        *block = Arc::new(changed);
    }
    made.open |= made.matches.iter().any(|matched| matched.key.starts_with("parent."));
    made.matches.retain(|matched| !matched.key.starts_with("parent."));
    made.matches.iter_mut().for_each(cases);
    made
}

fn cases(matched: &mut Match) {
    for case in &mut matched.cases {
        case.body = Arc::new(body(&case.body));
    }
    if let Otherwise::Body(otherwise) = &matched.otherwise {
        matched.otherwise = Otherwise::Body(Arc::new(body(otherwise)));
    }
}

fn plain(ty: &Type) -> Type {
    match ty {
        Type::Format(_) => Type::String,
        // For a JSON Schema, any text can be a type.
        Type::TypeExpression => Type::Address(Vec::new()),
        Type::Reference(_) | Type::Address(_) => Type::Address(Vec::new()),
        Type::TypedBy(_) => Type::Any,
        Type::List(element) => Type::list(plain(element)),
        Type::Set(element) => Type::set(plain(element)),
        Type::Map(element) => Type::map(plain(element)),
        Type::Tuple(elements) => Type::Tuple(elements.iter().map(plain).collect()),
        Type::OneOf(types) => Type::OneOf(types.iter().map(plain).collect()),
        Type::Object(object) => {
            let mut made = ObjectType::clone(object);
            made.attributes.iter_mut().for_each(|attribute| attribute.ty = plain(&attribute.ty));
            made.others = made.others.as_ref().map(plain);
            Type::Object(Arc::new(made))
        }
        other => other.clone(),
    }
}

/// A language with the files of one purpose.
struct Language {
    checker: Checker,
    schema: Schema,
    /// The file with the JSON Schema.
    path: PathBuf,
}

struct Case {
    language: (String, String),
    name: String,
    kind: &'static str,
    document: Value,
}

/// Numbers that look random, and are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % limit
    }
}

/// The objects in a document, as paths.
fn objects(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(all) => {
            found.push(path.to_owned());
            for (name, inner) in all {
                let name = name.replace('~', "~0").replace('/', "~1");
                objects(inner, &format!("{path}/{name}"), found);
            }
        }
        Value::Array(all) => {
            all.iter().enumerate().for_each(|(at, inner)| objects(inner, &format!("{path}/{at}"), found));
        }
        _ => {}
    }
}

/// Changes a document in one place, and returns a description of the change.
fn mutate(document: &mut Value, random: &mut Random) -> Option<&'static str> {
    let mut paths = Vec::new();
    objects(document, "", &mut paths);
    let path = paths.get(random.below(paths.len().max(1)))?;
    let object = document.pointer_mut(path)?.as_object_mut()?;
    let kind = random.below(5);
    if kind == 0 {
        object.insert("zz_extra".to_owned(), Value::from(1));
        return Some("extra property");
    }
    let names: Vec<String> = object.keys().cloned().collect();
    let name = names.get(random.below(names.len().max(1)))?;
    match kind {
        1 => {
            let value = object.remove(name)?;
            object.insert(format!("{name}_zz"), value);
            Some("wrong name")
        }
        2 => {
            object.remove(name);
            Some("missing property")
        }
        3 => {
            let value = object.get_mut(name)?;
            *value = match value {
                Value::Array(_) => Value::from("zz"),
                Value::Object(_) => Value::from(7),
                _ => serde_json::json!({ "zz": [1] }),
            };
            Some("wrong type")
        }
        _ => {
            let value = object.get_mut(name)?;
            *value = match value {
                Value::String(_) | Value::Bool(_) => Value::from("zz nothing"),
                Value::Number(_) => Value::from(-70_000.5),
                _ => Value::Array(vec![Value::from(true)]),
            };
            Some("wrong value")
        }
    }
}

/// The answers of a validator.
fn answers(program: &str, script: &str, lines: &str) -> Vec<bool> {
    let script = root().join("tests/schema").join(script);
    let mut child = Command::new(program)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    let text = lines.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    let all_read = writer.join().expect("no panic");
    assert!(output.status.success() && all_read.is_ok(), "{program} fails");
    String::from_utf8(output.stdout).expect("text").lines().map(|line| line == "true").collect()
}

/// The files in native syntax, each with the name of its language.
fn sources() -> Vec<(String, &'static str, String)> {
    let mut found = Vec::new();
    for name in LANGUAGES {
        found.push((format!("{name}.schema.hcl"), "schema", Schema::text_of(name).expect("a text").to_owned()));
    }
    let real = std::env::var_os("HCL_LR_CORPUS").map(|_| corpus());
    for CorpusFile { path, name, language } in real.into_iter().flatten() {
        if name.ends_with(".json") {
            continue;
        }
        if let Ok(text) = std::fs::read_to_string(&path)
            && text.len() <= MAX_SIZE
        {
            found.push((name, language, text));
        }
    }
    found
}

#[test]
#[ignore = "needs jsonschema"]
fn needs_jsonschema_it_agrees_with_checks() {
    agrees_with_checks("python3", "validate.py");
}

#[test]
#[ignore = "needs ajv"]
fn needs_ajv_it_agrees_with_checks() {
    agrees_with_checks("node", "validate.cjs");
}

/// Asserts that a validator and the checker accept and reject the same documents.
fn agrees_with_checks(program: &str, script: &str) {
    let wanted = std::env::var("HCL_JSON_SCHEMA_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(CASES);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("json-schema-{program}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut languages: BTreeMap<(String, String), Language> = BTreeMap::new();
    let mut twins: BTreeMap<&str, Vec<Case>> = BTreeMap::new();
    for (name, language, text) in sources() {
        let schema = Schema::by_name(language).expect("a language");
        // A JSON Schema does not say what `dynamic` blocks generate, and cannot tell an object by an optional label from a
        // body, as Vault's listeners need.
        if text.contains("dynamic \"") || language == "vault" {
            continue;
        }
        let Ok(file) = parse::<File>((name.as_str(), text)).into_result() else { continue };
        let has =
            |name: &str| file.body().blocks_of_type(name).next().is_some() || file.body().attribute(name).is_some();
        let files = schema.files_for(&name, has).expect("files");
        if files.is_override(&name) {
            continue;
        }
        let key = (language.to_owned(), files.name.clone());
        let known = languages.entry(key.clone()).or_insert_with(|| {
            let path = folder.join(format!("{language}-{}.json", files.name));
            std::fs::write(&path, hcl_lr_schema_tools::to_json_schema(schema, files))
                .expect("the schema can be written");
            let mut only = structure(schema);
            // The files of this purpose, whatever their names are.
            only.files.retain(|kind| kind.name == files.name);
            Language { checker: Checker::new(&only), schema: schema.clone(), path }
        });
        let conversion = known.schema.conversion_schema();
        let options = ConversionOptions::new().with_schema(&conversion);
        let Ok(json) = to_json(&file, &options).into_result() else { continue };
        let document: Value = serde_json::from_str(&json.text).expect("JSON");
        twins.entry(language).or_default().push(Case { language: key, name, kind: "valid", document });
    }
    let mut random = Random(20_260_131);
    let mut cases: Vec<Case> = Vec::new();
    // A third of the cases are twins, the others mutations, in turn from all languages.
    while cases.len() < wanted {
        for all in twins.values() {
            let one = &all[random.below(all.len())];
            let mut document = one.document.clone();
            let kind = match cases.len() % 3 {
                0 => Some("valid"),
                _ => mutate(&mut document, &mut random),
            };
            if let Some(kind) = kind {
                cases.push(Case { language: one.language.clone(), name: one.name.clone(), kind, document });
            }
        }
    }
    let mut lines = String::new();
    for case in &cases {
        let schema = &languages[&case.language].path;
        lines += &serde_json::json!({ "schema": schema, "document": case.document }).to_string();
        lines.push('\n');
    }
    let answers = answers(program, script, &lines);
    assert_eq!(answers.len(), cases.len());
    let mut table: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    let mut wrong = String::new();
    for (at, case) in cases.iter().enumerate() {
        let text = case.document.to_string();
        let file = parse::<ConfigFile>((format!("{}.json", case.name).as_str(), text)).into_result().expect("JSON");
        let found = languages[&case.language].checker.check(&file);
        // JSON Schema cannot follow names, such as those of the ports of a group.
        let right = found.errors().all(|error| *error.code() == Code::UndefinedName);
        let row = table.entry(case.kind).or_default();
        row[0] += 1;
        row[1] += usize::from(right);
        let answer = answers[at];
        row[2] += usize::from(answer == right);
        if answer != right {
            let said = if answer { "accepts" } else { "rejects" };
            let detail = found.errors().map(|error| format!("{}: {}", error.code(), error.detail())).next();
            wrong +=
                &format!("{:?} {}: {}: {program} {said}, check: {detail:?}\n", case.language, case.name, case.kind);
            if std::env::var_os("HCL_JSON_SCHEMA_SHOW").is_some() {
                let _ = std::fs::write(folder.join(format!("case-{at}.json")), case.document.to_string());
                wrong += &format!("  {}\n", folder.join(format!("case-{at}.json")).display());
            }
        }
    }
    eprintln!("{:18} {:>6} {:>9} {:>6}", "", "files", "accepted", "agree");
    for (kind, [all, right, agree]) in &table {
        eprintln!("{kind:18} {all:6} {right:9} {agree:6}");
    }
    if std::env::var_os("HCL_JSON_SCHEMA_SHOW").is_none() {
        let _ = std::fs::remove_dir_all(&folder);
    }
    assert!(wrong.is_empty(), "{wrong}");
}
