//! The modules import one way only: a layer knows those before it and none after it.

use std::path::Path;

/// The layers, each of which may use those before it: the order of the table in `src/lib.rs`.
const LAYERS: &[&str] = &[
    "source",
    "limits",
    "diagnostic",
    "reading",
    "atomic",
    "model",
    "syntax",
    "format",
    "build",
    "edit",
    "eval",
    "json",
    "body",
    "dynamic",
    "type_expr",
    "functions",
    "user_functions",
    "decode",
    "convert",
    "serde",
    "address",
    "query",
    "definitions",
    "conformance",
    "cli",
];

/// Modules below all layers, which any of them may use and which use none of them but those in the list.
const BELOW: &[(&str, &[&str])] = &[("identifier", &[]), ("stack", &[]), ("work", &[]), ("writer", &[])];

/// The model is a library of its own within the library: it knows no syntax and no positions. What it
/// does is counted, though.
const ALONE: &[(&str, &[&str])] = &[("model", &["model", "limits"])];

fn rust_files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The modules of the library, as `src/lib.rs` declares them.
fn modules(src: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(src.join("lib.rs")).expect("a readable source");
    let name = |line: &str| {
        let declared = line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ")?;
        declared.strip_suffix(';').map(str::to_owned)
    };
    let mut modules: Vec<String> = text.lines().filter_map(name).collect();
    modules.dedup();
    modules
}

#[test]
fn every_module_has_its_layer() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut known: Vec<&str> = LAYERS.iter().copied().chain(BELOW.iter().map(|(name, _)| *name)).collect();
    known.sort_unstable();
    let mut declared = modules(&src);
    declared.sort();
    assert_eq!(declared, known, "the modules in src/lib.rs, and the layers in tests/layers.rs");
}

#[test]
fn no_module_imports_from_a_later_one() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    let mut checked = 0;
    let layers = LAYERS.iter().enumerate().map(|(index, layer)| (layer, &LAYERS[index + 1..]));
    let below = BELOW.iter().map(|(layer, _)| (layer, LAYERS));
    for (layer, later) in layers.chain(below) {
        let mut files = vec![src.join(format!("{layer}.rs"))];
        files.retain(|file| file.is_file());
        rust_files(&src.join(layer), &mut files);
        let forbidden: Vec<&str> = match ALONE.iter().chain(BELOW).find(|(alone, _)| alone == layer) {
            Some((_, known)) => LAYERS.iter().copied().filter(|other| !known.contains(other)).collect(),
            None => later.to_vec(),
        };
        for file in files {
            let text = std::fs::read_to_string(&file).expect("a readable source");
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for (number, line) in code.enumerate() {
                checked += 1;
                for other in &forbidden {
                    if line.contains(&format!("crate::{other}::")) || line.contains(&format!("crate::{other};")) {
                        wrong.push(format!("{}:{}: {layer} uses {other}", file.display(), number + 1));
                    }
                }
            }
        }
    }
    assert!(checked > 1_000, "only {checked} lines were checked");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
