//! Searches in files.

use hcl_lr::{ConfigFile, Expression, Source};
use hcl_lr_edit::address::Address;
use hcl_lr_edit::query::{Query, Subject};
use hcl_lr_language::schema::has_at_top;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::failure::{self, Answer, Failure};
use crate::files::Workspace;
use crate::json;
use crate::options::Options;
use crate::places::AllPlaces;
use crate::values::Writer;

/// Returns the matches of an address in files as JSON: an object with `matches`, `undecided` and `diagnostics`. The
/// option `where` is a condition, and `select` the expression of the result.
#[wasm_bindgen]
pub fn query(files: &str, address: &str, options: &str) -> Answer {
    let options = Options::read(options, &["schema", "dialect", "where", "select", "numbers"])?;
    let workspace = Workspace::read(files, &options)?;
    let mut query = Query::new(Address::parse(Source::new("the address", address))?);
    if let Some(condition) = expression(&options, "where")? {
        query = query.with_condition(condition);
    }
    if let Some(result) = expression(&options, "select")? {
        query = query.with_result(result);
    }
    let mut writer = Writer::new(&options)?;
    let mut places = AllPlaces::default();
    let (mut matches, mut undecided) = ("[".to_owned(), "[".to_owned());
    let mut found = hcl_lr::Diagnostics::new();
    for path in workspace.paths() {
        let Some(document) = workspace.document(path) else { continue };
        let blocks = workspace.language(path).blocks(path, |name| has_at_top(&document.file, name));
        let subject = match &document.file {
            ConfigFile::Native(file) => Subject::Native(file),
            ConfigFile::Json(json) => Subject::Json(json, &blocks, None),
        };
        let result = query.run(subject);
        found.append(result.diagnostics().clone());
        for (all, out) in [(result.matches(), &mut matches), (result.open(), &mut undecided)] {
            for one in all {
                out.push_str(if out.len() > 1 { ",{" } else { "{" });
                let target = one.target();
                json::text("file", path, out);
                json::text("address", &target.address().to_string(), out);
                json::text("kind", one.kind(), out);
                json::name("range", out);
                places.of(target.place().source()).range(target.span(), out);
                json::text("text", target.text(), out);
                if let Some(text) = target.value_text() {
                    json::text("value", text, out);
                }
                if let Some(result) = one.result() {
                    json::name("result", out);
                    writer.value(result, out);
                }
                out.push('}');
            }
        }
    }
    let mut out = format!("{{\"matches\":{matches}],\"undecided\":{undecided}]");
    json::name("diagnostics", &mut out);
    failure::diagnostics(&found, &mut out);
    out.push('}');
    Ok(out)
}

fn expression(options: &Options, name: &str) -> Result<Option<Expression>, Failure> {
    match options.text(name)? {
        Some(text) => {
            Ok(Some(hcl_lr::parse::<Expression>(Source::new(&format!("the option {name}"), text)).into_result()?))
        }
        None => Ok(None),
    }
}
