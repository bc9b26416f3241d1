//! Real files: what calls functions on nothing but literals has a value.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hcl_lr::Scope;
use hcl_lr::functions::FunctionSet;
use hcl_lr::model::{Type, Value};
use hcl_lr::syntax::ast::BodyNode;

use crate::support::needs;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => files(&path, found),
            path => found.push(path),
        }
    }
}

/// The files of the corpus, without those that are broken on purpose.
fn corpus() -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(&needs::corpus(), &mut found);
    found.retain(|path| !path.components().any(|part| part.as_os_str() == "invalid"));
    found.sort();
    found
}

/// With variables of which nothing is known, nothing is wrong with the templates: all functions are
/// there and accept what they may be given.
#[test]
#[ignore = "needs corpus"]
fn needs_corpus_templates_call_functions_that_there_are() {
    let all = corpus();
    let is_template = |path: &&PathBuf| {
        let name = path.to_string_lossy();
        [".tftpl", ".pkrtpl", ".pkrtpl.hcl"].iter().any(|end| name.ends_with(end))
    };
    let mut wrong = Vec::new();
    let mut run = 0;
    for path in all.iter().filter(is_template) {
        let text = std::fs::read_to_string(path).expect("a readable file");
        let template = hcl_lr::parse::<hcl_lr::Template>(("template", text.as_str())).into_result();
        let template = template.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let names = template.variables().into_iter().map(|path| path.root().to_owned());
        let variables = names.map(|name| (name, Value::unknown(Type::Dynamic))).collect();
        run += 1;
        let scope = Scope::new().with_variables(&variables).with_functions(FunctionSet::Terraform.functions());
        if let Err(why) = template.evaluate(&scope) {
            wrong.push(format!("{}: {why}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(run, 19);
}

/// The expressions of a body that call functions and need no variables.
fn literal_calls<'t>(body: BodyNode<'t>, scope: &Scope<'_>, outcomes: &mut BTreeMap<String, usize>) {
    for attribute in body.attributes() {
        let expression = attribute.expression();
        if !expression.text().contains('(') || !expression.variables().is_empty() {
            continue;
        }
        let outcome = match expression.evaluate(scope) {
            Ok(_) => "has a value".to_owned(),
            Err(why) => why.errors().next().map_or_else(String::new, |error| error.detail().to_owned()),
        };
        *outcomes.entry(outcome).or_default() += 1;
    }
    body.blocks().for_each(|block| literal_calls(block.body(), scope, outcomes));
}

#[test]
#[ignore = "needs corpus"]
fn needs_corpus_calls_on_literals_have_values() {
    let all = corpus();
    let scope =
        Scope::new().with_functions(FunctionSet::Packer.functions().with_all(&FunctionSet::Terraform.functions()));
    let mut outcomes = BTreeMap::new();
    for path in &all {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let parse = hcl_lr::parse::<hcl_lr::File>(("file", text.as_str()));
        let (file, diagnostics) = parse.into_parts();
        if !diagnostics.has_errors() && !path.to_string_lossy().contains("tpl") {
            literal_calls(file.body(), &scope, &mut outcomes);
        }
    }
    let fine = outcomes.remove("has a value").unwrap_or_default();
    println!("{fine} have a value; {outcomes:?}");
    // The remaining errors are about functions that touch files, functions of providers and other programs, and types.
    let known = ["there is no function named", "there are no functions in namespace"];
    let odd: Vec<_> = outcomes.iter().filter(|(why, _)| !known.iter().any(|known| why.contains(known))).collect();
    assert!(odd.is_empty(), "{fine} have a value, {odd:?}\n{outcomes:?}");
    assert!(fine > 100, "only {fine}: {outcomes:?}");
}
