//! The modules import one way only: a layer knows those before it and none after it. The layers are the modules in the order
//! of their declarations in `src/lib.rs`, whose documentation groups them by task and must name the same modules and features.

use std::path::Path;

/// The model is a library of its own within the library: it knows no syntax and no positions. What it
/// does is counted, though.
const ALONE: &[(&str, &[&str])] = &[("model", &["model", "limits"])];

/// The modules before this one have no layer: any may use them.
const FIRST_LAYER: &str = "source";

/// A module of the library, as `src/lib.rs` declares it.
struct Layer {
    name: String,
    /// The features of which one has to be asked for; none if it is always there.
    features: Vec<String>,
    is_public: bool,
}

fn text_of(file: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("a readable file")
}

/// The texts in quotes that are after `feature = `.
fn features_in(line: &str) -> Vec<String> {
    line.split("feature = \"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
}

/// The modules of the library, from the lowest to the highest.
fn layers() -> Vec<Layer> {
    let mut layers: Vec<Layer> = Vec::new();
    let mut features = Vec::new();
    for line in text_of("src/lib.rs").lines() {
        if line.starts_with("#[cfg(") && !line.contains("not(") {
            features = features_in(line);
        }
        let is_public = line.starts_with("pub ");
        let declared = line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ");
        if let Some(name) = declared.and_then(|name| name.strip_suffix(';')) {
            // A module may be declared a second time, with another visibility.
            if layers.iter().all(|layer| layer.name != name) {
                layers.push(Layer { name: name.to_owned(), features: features.clone(), is_public });
            }
        }
        if !line.starts_with("#[") {
            features.clear();
        }
    }
    assert!(layers.len() > 20, "only {} modules in src/lib.rs", layers.len());
    layers
}

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

#[test]
fn the_documentation_has_the_same_modules_and_features() {
    // | [`name`](…) | `feature` | … |
    let text = text_of("src/lib.rs");
    // The modules are in several tables, one for each task.
    let tables = text.split("//! | module | feature |").skip(1);
    let rows = tables.flat_map(|table| table.lines().skip(2).map_while(|line| line.strip_prefix("//! | ")));
    let in_ticks = |cell: &str| cell.split('`').nth(1).unwrap_or_default().trim_start_matches("mod@").to_owned();
    let mut documented: Vec<(String, String)> = rows
        .map(|row| {
            let mut cells = row.split(" | ");
            (in_ticks(cells.next().unwrap_or_default()), in_ticks(cells.next().unwrap_or_default()))
        })
        .collect();
    let public = layers().into_iter().filter(|layer| layer.is_public && layer.name != "internal");
    let mut declared: Vec<(String, String)> =
        public.map(|layer| (layer.name, layer.features.first().cloned().unwrap_or_default())).collect();
    documented.sort();
    declared.sort();
    assert_eq!(documented, declared, "the tables of src/lib.rs, and the modules that it declares");
}

#[test]
fn no_module_imports_from_a_later_one() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let layers = layers();
    let first = layers.iter().position(|layer| layer.name == FIRST_LAYER).expect("the first layer");
    let mut wrong = Vec::new();
    let mut checked = 0;
    for (index, Layer { name, .. }) in layers.iter().enumerate() {
        let mut files = vec![src.join(format!("{name}.rs"))];
        files.retain(|file| file.is_file());
        rust_files(&src.join(name), &mut files);
        let forbidden: Vec<&str> = match ALONE.iter().find(|(alone, _)| alone == name) {
            Some((_, known)) => {
                let others = layers[first..].iter().map(|layer| &*layer.name);
                others.filter(|other| !known.contains(other)).collect()
            }
            None => layers[index + 1..].iter().map(|layer| &*layer.name).collect(),
        };
        for file in files {
            let text = std::fs::read_to_string(&file).expect("a readable source");
            // Tests may compare what a layer does with what one above it does.
            let code = text.split("\n#[cfg(test)]").next().unwrap_or_default();
            for (number, line) in code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
                checked += 1;
                for other in &forbidden {
                    if line.contains(&format!("crate::{other}::")) || line.contains(&format!("crate::{other};")) {
                        wrong.push(format!("{}:{}: {name} uses {other}", file.display(), number + 1));
                    }
                }
            }
        }
    }
    assert!(checked > 1_000, "only {checked} lines were checked");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
