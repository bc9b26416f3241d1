//! Commands that clients call: trees, schemas, explanations.

use std::collections::BTreeMap;

use gen_lsp_types as lsp;
use hcl_lr::ConfigFile;
use hcl_lr::syntax::ast::TreeDump;
use hcl_lr_analysis::Language;
use hcl_lr_language::schema::{LANGUAGES, Schema};
use serde_json::{Value, json};

use crate::question::{Answer, Failure, Question};
use crate::uri::{explained_by, path_of};

/// Returns the text of the schema of a language: from a file of the workspace, or from the library.
fn schema_text<'q>(question: &Question<'q>, language: &Language) -> Option<&'q str> {
    match language.schema_path() {
        Some(path) => question.snapshot().file(path).map(|file| file.source().text()),
        None => Schema::text_of(language.name()),
    }
}

/// The schemas that come with the library, and those of the workspace that files use.
fn schemas(question: &Question<'_>) -> Value {
    let listed =
        |name: &str, uri: Option<String>, files: Vec<String>| json!({ "name": name, "uri": uri, "files": files });
    let library = LANGUAGES
        .iter()
        .filter_map(|name| Schema::by_name(name))
        .map(|schema| listed(&schema.name, None, schema.patterns().into_iter().map(str::to_owned).collect()));
    let mut own: BTreeMap<&str, Value> = BTreeMap::new();
    for language in question.snapshot().files().map(|file| file.language()) {
        if let Some(path) = language.schema_path().filter(|path| !own.contains_key(path)) {
            own.insert(path, listed(language.name(), Some(question.to.uri(path)), language.patterns()));
        }
    }
    own.values().cloned().chain(library).collect()
}

/// The explanation of a code, in Markdown.
fn explanation(code: &str) -> Result<&'static str, Failure> {
    let text = hcl_lr::diagnostic::Code::named(code).and_then(|code| code.explanation());
    text.ok_or_else(|| {
        Failure::Refused(format!("there is no explanation of the code `{code}`; `hcl explain` lists all codes"))
    })
}

pub fn text_document_content(question: &Question<'_>) -> Answer {
    let params: lsp::TextDocumentContentParams = question.read()?;
    let code = explained_by(&params.uri.0).unwrap_or(&params.uri.0);
    Ok(json!({ "text": explanation(code)? }))
}

/// The commands that clients can call.
pub const COMMANDS: [&str; 6] = ["hcl.tree", "hcl.language", "hcl.schemas", "hcl.schema", "hcl.explain", "hcl.status"];

pub fn execute_command(question: &Question<'_>) -> Answer {
    let params: lsp::ExecuteCommandParams = question.read()?;
    let argument = params.arguments.iter().flatten().next().and_then(Value::as_str);
    let file = || {
        let path = argument.map(path_of).unwrap_or_default();
        let found = question.snapshot().file(&path);
        found.ok_or_else(|| {
            Failure::Refused(format!("the command {} needs the address of a file of the workspace", params.command))
        })
    };
    match params.command.as_str() {
        "hcl.tree" => match file()?.document() {
            ConfigFile::Native(native) => Ok(json!(TreeDump::of_file(native).to_string())),
            ConfigFile::Json(document) => Ok(json!(hcl_lr::json::NodeDump(document.root()).to_string())),
        },
        "hcl.language" => {
            let language = file()?.language().clone();
            let text = schema_text(question, &language);
            let uri = language.schema_path().map(|path| question.to.uri(path));
            Ok(json!({
                "language": language.name(),
                "schema": language.schema().map(|schema| &schema.name),
                "uri": uri,
                "text": text,
            }))
        }
        "hcl.schemas" => Ok(schemas(question)),
        "hcl.schema" => {
            let name = argument.unwrap_or_default();
            let own = question.snapshot().file(&path_of(name)).map(|file| file.source().text());
            own.or_else(|| Schema::text_of(name)).map(|text| json!(text)).ok_or_else(|| {
                let known = LANGUAGES.join(", ");
                Failure::Refused(format!("there is no language named `{name}`, and no such file; there are {known}"))
            })
        }
        "hcl.explain" => Ok(json!(explanation(argument.unwrap_or_default())?)),
        name => Err(Failure::Refused(format!("`{name}` is not a command; the commands are {}", COMMANDS.join(", ")))),
    }
}
