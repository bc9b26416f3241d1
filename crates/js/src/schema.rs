//! Schemas: shipped ones by name, others by their text.

use std::sync::Arc;

use hcl_lr::Source;
use hcl_lr::convert::ConversionSchema;
use hcl_lr_language::schema::{Files, LANGUAGES, Schema};
use hcl_lr_project::Language;
use hcl_lr_schema_tools::TypesIn;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::failure::{Answer, Failure};
use crate::json;
use crate::options::Options;

/// Returns the names of the shipped languages as JSON.
#[wasm_bindgen]
pub fn schema_names() -> String {
    let mut out = String::new();
    json::list(LANGUAGES, &mut out, |name, out| json::string(name, out));
    out
}

/// Returns the documentation of a schema in Markdown.
#[wasm_bindgen]
pub fn schema_docs(schema: &str) -> Answer {
    Ok(hcl_lr_schema_tools::to_markdown(&named(schema)?))
}

/// Returns the JSON Schema of the files of a language in the JSON syntax. The option `files` names the kind of files.
#[wasm_bindgen]
pub fn schema_json(schema: &str, options: &str) -> Answer {
    let options = Options::read(options, &["files"])?;
    let schema = named(schema)?;
    Ok(hcl_lr_schema_tools::to_json_schema(&schema, kind(&schema, &options)?))
}

/// Returns the types of a programming language for the files of a language. The option `files` names the kind of files.
#[wasm_bindgen]
pub fn schema_types(schema: &str, options: &str) -> Answer {
    let options = Options::read(options, &["files", "language"])?;
    let languages = [
        ("typescript", TypesIn::TypeScript),
        ("python", TypesIn::Python),
        ("go", TypesIn::Go),
        ("rust", TypesIn::Rust),
    ];
    let language = options.word("language", &languages)?.unwrap_or(TypesIn::TypeScript);
    let schema = named(schema)?;
    Ok(hcl_lr_schema_tools::to_types(&schema, kind(&schema, &options)?, language))
}

fn kind<'s>(schema: &'s Schema, options: &Options) -> Result<&'s Files, Failure> {
    let name = options.text("files")?;
    let found = schema.files.iter().find(|files| name.is_none_or(|name| files.name == name));
    found.ok_or_else(|| match name {
        Some(name) => format!("the schema has no files named `{name}`").into(),
        None => "the schema has no block `files`, so it does not say what the body of a file is".into(),
    })
}

/// Returns the schema with a name, or of a text.
///
/// # Errors
/// The text has errors, or there is no such language.
pub fn named(schema: &str) -> Result<Schema, Failure> {
    if let Some(schema) = Schema::by_name(schema) {
        return Ok(schema.clone());
    }
    if schema.contains(['\n', '{']) {
        return read("schema.hcl", schema);
    }
    Err(format!("there is no language named `{schema}`; there are {}", LANGUAGES.join(", ")).into())
}

/// Reads the text of a schema.
///
/// # Errors
/// It has errors.
pub fn read(name: &str, text: &str) -> Result<Schema, Failure> {
    Ok(hcl_lr::parse::<Schema>(Source::new(name, text)).into_result()?)
}

/// Returns the blocks of the language that the option `schema` names, or else of the name of a file.
///
/// # Errors
/// The schema has errors, or there is none.
pub fn conversion_schema(options: &Options, name: &str) -> Result<Arc<ConversionSchema>, Failure> {
    let language = match options.text("schema")? {
        Some("none") => return Ok(Arc::default()),
        Some(schema) => Language::of_schema(&named(schema)?),
        None => Language::by_name(name, &|_| false),
    };
    Ok(language.blocks(name, |_| false))
}
