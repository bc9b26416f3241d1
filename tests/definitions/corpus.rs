//! Real modules: how much of them is known without any input, and that no false errors are reported.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use hcl_lr::ConfigFile;
use hcl_lr::diagnostic::{Code, Diagnostic};
use hcl_lr::source::Place;
use hcl_lr::{Limits, Scope, parse};
use hcl_lr_language::definitions::{
    Definition, Definitions, Evaluated, Inputs, Loaded, LoadedModule, ModuleCall, References,
};

use crate::support::needs;

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_file = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (name.ends_with(".tf") || name.ends_with(".tf.json") || name.ends_with(".tofu")) && path.is_file()
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_file).collect();
    files.sort();
    files
}

fn folders(folder: &Path, found: &mut Vec<PathBuf>) {
    if !files(folder).is_empty() {
        found.push(folder.to_owned());
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut inner: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    inner.sort();
    inner.iter().for_each(|path| folders(path, found));
}

/// A path without `..` in it.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if normal.file_name().is_some() => {
                normal.pop();
            }
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}

/// Returns the files of a folder, unless one of them cannot be parsed.
fn documents(folder: &Path) -> Option<Vec<ConfigFile>> {
    files(folder)
        .iter()
        .map(|path| {
            let text = std::fs::read_to_string(path).ok()?;
            parse::<ConfigFile>((path.to_string_lossy().as_ref(), text)).into_result().ok()
        })
        .collect()
}

fn load(root: &Path, call: &ModuleCall<'_>) -> Loaded {
    if !call.source().starts_with("./") && !call.source().starts_with("../") {
        return Loaded::Later;
    }
    let folder = normal(&call.caller().map_or(root.to_owned(), PathBuf::from).join(call.source()));
    match documents(&folder) {
        Some(documents) if !documents.is_empty() => {
            Loaded::Module(LoadedModule::new(folder.to_string_lossy(), documents))
        }
        _ => Loaded::Later,
    }
}

#[test]
#[ignore = "needs corpus"]
fn needs_corpus_real_modules() {
    let corpus = needs::corpus();
    let mut all = Vec::new();
    folders(&corpus, &mut all);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut errors: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut unexplained = Vec::new();
    let mut seen = BTreeSet::new();
    let mut modules = 0;
    for folder in &all {
        let Some(documents) = documents(folder) else {
            *counts.entry("folders that cannot be parsed").or_default() += 1;
            continue;
        };
        modules += 1;
        let root = folder.clone();
        let loader = move |call: &ModuleCall<'_>| load(&root, call);
        let definitions = Definitions::with_modules(&crate::roles_of("terraform"), documents, &loader).into_value();
        let references = References::new(&definitions);
        let scope = Scope::new().with_limits(Limits::new());
        let evaluated = definitions.evaluate_on(2, &Inputs::new(), &scope);
        let complete = references.undefined().is_empty() && !evaluated.diagnostics().has_errors();
        *counts.entry("folders without errors").or_default() += usize::from(complete);
        for definition in evaluated.definitions().filter(|definition| definition.module().is_none()) {
            let kind = match definition.block_type() {
                Some("locals") => "locals",
                Some("output") => "outputs",
                _ => continue,
            };
            *counts.entry(kind).or_default() += 1;
            let value = evaluated.value(&definition);
            let state = match (kind, value.is_wholly_known(), value.is_known()) {
                ("locals", true, _) => "locals, wholly known",
                ("locals", _, true) => "locals, known in part",
                ("locals", ..) => "locals, unknown",
                (_, true, _) => "outputs, wholly known",
                (_, _, true) => "outputs, known in part",
                _ => "outputs, unknown",
            };
            *counts.entry(state).or_default() += 1;
            if complete {
                *counts
                    .entry(match state {
                        "locals, wholly known" | "outputs, wholly known" => "in complete folders: wholly known",
                        "locals, known in part" | "outputs, known in part" => "in complete folders: known in part",
                        _ => "in complete folders: unknown",
                    })
                    .or_default() += 1;
            }
            if !value.is_wholly_known() {
                for cause in causes(&references, definition, &evaluated) {
                    *counts.entry(cause).or_default() += 1;
                }
            }
        }
        *counts.entry("references").or_default() += references.iter().len();
        let found = evaluated.diagnostics().errors().chain(references.undefined());
        for error in found {
            let text = format!("{}: {}", error.place(), error.detail());
            if !seen.insert(text.clone()) {
                continue;
            }
            match reason(error) {
                Some(reason) => drop(errors.entry(format!("{}: {reason}", error.code())).or_default().insert(text)),
                None => unexplained.push(format!("{}: {text}", error.code())),
            }
        }
    }
    println!("{modules} folders");
    counts.iter().for_each(|(what, count)| println!("{count:7} {what}"));
    println!("errors, each once:");
    errors.iter().for_each(|(reason, list)| println!("{:7} {reason}", list.len()));
    assert!(unexplained.is_empty(), "{} errors are not explained:\n{}", unexplained.len(), unexplained.join("\n"));
}

/// Returns the reasons why the value of a definition is unknown: its direct and indirect dependencies.
fn causes(references: &References, definition: Definition<'_>, evaluated: &Evaluated) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let mut seen: Vec<String> = Vec::new();
    let mut waiting = vec![definition.address().to_owned()];
    while let Some(address) = waiting.pop() {
        if seen.contains(&address) {
            continue;
        }
        let all = evaluated.definitions().find(|definition| definition.address() == address);
        seen.push(address);
        let Some(one) = all else { continue };
        let wrong = |error: &&Diagnostic| {
            let (place, within) = (error.place(), one.place());
            place.source().name() == within.source().name() && within.span().touches(place.span().start())
        };
        if evaluated.diagnostics().errors().any(|error| wrong(&error)) {
            found.insert("unknown because of an error");
        }
        match one.block_type() {
            Some("variable") if !evaluated.value(&one).is_wholly_known() => {
                found.insert("unknown because of an input without a value");
            }
            Some("resource" | "data" | "ephemeral") => {
                found.insert("unknown because of a resource or a data source");
            }
            Some("module") if one.is_open() => {
                found.insert("unknown because of a module that is not at hand");
            }
            _ => {}
        }
        waiting.extend(references.within(&one).map(|reference| reference.definition().address().to_owned()));
    }
    if found.is_empty() {
        found.insert("unknown because of paths, workspaces and functions that look outside");
    }
    found
}

/// Returns the reason why the real program also reports an error; `None` if nobody has examined it yet.
fn reason(error: &Diagnostic) -> Option<&'static str> {
    let path = PathBuf::from(error.source().name());
    let folder = path.parent().expect("a folder");
    let name = path.to_string_lossy();
    for (part, code, reason) in LOOKED_AT {
        if name.contains(part) && error.code() == *code {
            return Some(reason);
        }
    }
    if error.code() == "invalid-type" && error.place().text().starts_with('"') {
        return Some("types are not written in quotes since Terraform 0.12");
    }
    let quoted = || error.detail().split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    match error.code().as_str() {
        "unknown-variable" => {
            let address = error.detail().strip_prefix("nothing is defined as ").map(str::to_owned);
            let address = address.unwrap_or_else(|| quoted().swap_remove(0));
            let steps: Vec<&str> = address.split('.').collect();
            (!declared(folder, &steps))
                .then_some("not defined in any file of the folder (the corpus has not all files)")
        }
        "duplicate-definition" => {
            let label = error.labels().first().expect("the first definition");
            let name = |place: &Place| place.text().trim_matches('"').to_owned();
            let same = name(label.place()) == name(error.place()) && label.place() != error.place();
            same.then_some("defined twice in the files of the folder (which may be several programs)")
        }
        "unsupported-argument" | "required-argument" => {
            let called = called(&path, error.place().span().start(), None)?;
            let declared = |name: &String| declared(&called, &["var", name]);
            let wanted = error.code() == "required-argument";
            let fits = quoted().iter().all(|name| declared(name) == wanted);
            fits.then_some("not what the variables of the module say (the corpus has not all files)")
        }
        "unsupported-attribute" => {
            let start = error.place().span().start();
            let before = &error.source().text()[..start];
            let call = before.rsplit("module.").next()?.split(['.', '[']).next()?;
            let called = called(&path, start, Some(call))?;
            let fits = !declared(&called, &["output", &quoted()[0]]);
            fits.then_some("the module has no such output (the corpus has not all files)")
        }
        _ => None,
    }
}

/// The reviewed findings: a part of the path, the code, and the reason why the finding is right.
const LOOKED_AT: &[(&str, Code, &str)] = &[
    ("testdata/plan-self-ref-multi", Code::DefinitionCycle, "made wrong on purpose: a block that refers to itself"),
    ("precondition-postcondition-", Code::DefinitionCycle, "made wrong on purpose: a block that refers to itself"),
    ("valid-modules/override-", Code::UndefinedName, "what it overrides is in a file that the corpus has not"),
    ("testdata/plan-module-wrong-var-type-nested", Code::FunctionFailed, "`lookup` of a key that is not there"),
    ("testdata/invalid-files", Code::InvalidArgumentValue, "made wrong on purpose: defaults of another type"),
    ("testdata/invalid-files", Code::InvalidIteration, "made wrong on purpose: `for_each` over a list"),
    ("testdata/invalid-files", Code::ConflictingArguments, "made wrong on purpose: `count` and `for_each`"),
    ("testdata/ephemeral-repetition", Code::EphemeralValue, "made wrong on purpose: repeated by an ephemeral value"),
    ("testdata/validate-count-negative", Code::InvalidArgumentValue, "made wrong on purpose: a negative count"),
    ("kube-hetzner", Code::InvalidArgument, "`sum([])`: the default of `control_plane_nodepools` is no real one"),
    ("kube-hetzner", Code::InvalidIndex, "`[0]` of no servers, for the same reason"),
    ("deprecated/aws/ses/emails.tf", Code::InvalidArgumentValue, "a list as the default of `map(string)`"),
    (
        "modules/gcs/variables.tf",
        Code::InvalidValue,
        "a validation that only holds with other values than the defaults",
    ),
    ("deprecated/aws/bootstrap", Code::UnknownFunction, "`list` is no function since Terraform 0.15"),
    ("ephemeral-blocks", Code::UnsupportedAttribute, "made wrong on purpose: an attribute of all instances"),
    ("modules/_user_data", Code::InvalidValue, "a precondition that only holds with other values than the defaults"),
    ("apply-plan-conditional-sensitive", Code::InvalidArgumentValue, "outputs that do not say that they are sensitive"),
    ("nullable-with-default-null", Code::InvalidArgumentValue, "made wrong on purpose: a default that may not be null"),
    ("tofu-and-tf-files", Code::UndefinedName, "what it overrides is in a file that the corpus has not"),
    ("winglang", Code::MissingExpression, "`<SOURCE>` stands in the place of an expression"),
];

/// Returns true if the files of a folder define a name. The trees themselves are searched.
fn declared(folder: &Path, steps: &[&str]) -> bool {
    let (block_type, labels) = match steps {
        ["var", name, ..] => ("variable", vec![*name]),
        ["local", name, ..] => ("locals", vec![*name]),
        ["data", labels @ ..] => ("data", labels[..labels.len().min(2)].to_vec()),
        ["output" | "module" | "ephemeral", labels @ ..] => (steps[0], labels.to_vec()),
        _ => ("resource", steps[..steps.len().min(2)].to_vec()),
    };
    documents(folder).into_iter().flatten().any(|document| match document {
        ConfigFile::Native(file) => {
            let mut blocks = file.body().blocks_of_type(block_type);
            match block_type {
                "locals" => blocks.any(|block| block.body().attribute(labels[0]).is_some()),
                _ => blocks.any(|block| labels.iter().zip(block.labels()).all(|(one, label)| *one == label.text())),
            }
        }
        ConfigFile::Json(document) => {
            let text = document.source().text();
            let value: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
            labels.iter().try_fold(&value[block_type], |value, label| value.get(*label)).is_some()
        }
    })
}

/// The folder of the module that is called by a block of a file: the one at an offset, or of a name.
fn called(path: &Path, offset: usize, name: Option<&str>) -> Option<PathBuf> {
    let folder = path.parent()?;
    documents(folder)?.into_iter().find_map(|document| {
        let ConfigFile::Native(file) = document else { return None };
        let here = file.source().name() == path.to_string_lossy();
        let block = file.body().blocks_of_type("module").find(|block| match name {
            Some(name) => block.labels().any(|label| label.text() == name),
            None => here && block.span().range().contains(&offset),
        })?;
        let source = block.body().attribute("source")?.evaluate(&Scope::new()).ok()?;
        Some(normal(&folder.join(source.as_str()?)))
    })
}
