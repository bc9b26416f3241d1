//! Real modules, if there is a corpus beside the project: how much of them is known without any value from outside,
//! and that no error is reported which the real program would not report.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use hcl_lr::definitions::{Definitions, Document, Inputs, Loaded, LoadedModule, ModuleCall, References, Roles};
use hcl_lr::{Limits, Scope};

const CORPUS: &str = "../shared/corpus";

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

/// The files of a folder, unless one of them cannot be parsed.
fn documents(folder: &Path) -> Option<Vec<Document>> {
    files(folder)
        .iter()
        .map(|path| {
            let text = std::fs::read_to_string(path).ok()?;
            Document::parse((path.to_string_lossy().as_ref(), text)).into_result().ok()
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
fn of_real_modules() {
    let corpus = Path::new(CORPUS);
    if !corpus.is_dir() {
        println!("skipped: there is no corpus at {CORPUS}");
        return;
    }
    let mut all = Vec::new();
    folders(corpus, &mut all);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut errors: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut modules = 0;
    for folder in &all {
        let Some(documents) = documents(folder) else {
            *counts.entry("folders that cannot be parsed").or_default() += 1;
            continue;
        };
        modules += 1;
        let root = folder.clone();
        let loader = move |call: &ModuleCall<'_>| load(&root, call);
        let definitions = Definitions::with_modules(&Roles::terraform(), documents, &loader).into_value();
        let references = References::new(&definitions);
        let scope = Scope::new().with_limits(Limits::new());
        let evaluated = definitions.evaluate_on(2, &Inputs::new(), &scope);
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
        }
        *counts.entry("references").or_default() += references.iter().len();
        let found = evaluated.diagnostics().errors().chain(references.undefined());
        for error in found {
            errors.entry(error.code().to_string()).or_default().push(error.to_string());
        }
    }
    println!("{modules} folders");
    counts.iter().for_each(|(what, count)| println!("{count:7} {what}"));
    for (code, mut list) in errors {
        list.sort();
        list.dedup();
        println!("{:7} {code}", list.len());
        list.iter().take(60).for_each(|error| println!("          {error}"));
    }
}
