//! The liberties that real files take: a table of each liberty with the number
//! of files and places, and one of the places.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hcl_lr::{Dialect, Liberty, ParseOptions};

use crate::{needs, say};

/// The uses of a liberty in the corpus.
#[derive(Default)]
struct Taken {
    files: BTreeSet<PathBuf>,
    places: usize,
    /// Its first line.
    example: String,
}

#[test]
#[ignore = "needs corpus"]
fn needs_corpus_liberties_that_real_files_take() {
    let mut paths = Vec::new();
    files(&needs::corpus(), &mut paths);
    paths.sort();
    // A limit for errors would leave places out.
    let strict = ParseOptions::new().with_dialect(Dialect::Strict).max_errors(1_000_000);
    let mut table: BTreeMap<&str, Taken> = BTreeMap::new();
    let (mut read, mut clean) = (0, 0);
    for path in paths {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_template = [".tftpl", ".pkrtpl", ".pkrtpl.hcl", ".tpl"].iter().any(|end| name.ends_with(end));
        let is_json = name.ends_with(".json");
        let found = |options: &ParseOptions| match (is_json, is_template) {
            (true, _) => options.with_json_checks(true).parse::<hcl_lr::json::Document>(bytes.clone()).into_parts().1,
            (_, true) => options.parse::<hcl_lr::Template>(bytes.clone()).into_parts().1,
            _ => options.parse::<hcl_lr::File>(bytes.clone()).into_parts().1,
        };
        // Files that are wrong in any dialect say nothing about liberties.
        if found(&ParseOptions::new()).has_errors() {
            continue;
        }
        read += 1;
        let diagnostics = found(&strict);
        clean += usize::from(!diagnostics.has_errors());
        for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.severity().as_str() == "error") {
            let liberty = Liberty::of(diagnostic);
            let liberty = liberty.unwrap_or_else(|| panic!("{}: {}", path.display(), diagnostic.detail()));
            let taken = table.entry(liberty.name()).or_default();
            taken.files.insert(path.clone());
            taken.places += 1;
            if taken.example.is_empty() {
                let source = diagnostic.source();
                let line = source.position(diagnostic.span().start()).line;
                let text = source.text().lines().nth(line - 1).unwrap_or_default().trim();
                taken.example = text.chars().take(80).collect::<String>().replace('|', "\\|");
            }
        }
    }
    assert!(read > 1_000, "only {read} files were read");
    let mut text = format!("{read} files, {clean} of them without any liberty\n");
    text += "| liberty | files | places | example |\n| --- | --- | --- | --- |\n";
    let mut rows: Vec<(&str, Taken)> = table.into_iter().collect();
    rows.sort_by_key(|(_, taken)| std::cmp::Reverse(taken.files.len()));
    for (name, taken) in rows {
        text += &format!("| `{name}` | {} | {} | `{}` |\n", taken.files.len(), taken.places, taken.example);
    }
    say(&text);
}

/// All files in native syntax, templates and JSON configurations in a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    const ENDINGS: [&str; 10] =
        [".hcl", ".tf", ".tfvars", ".nomad", ".tftpl", ".pkrtpl", ".tf.json", ".tofu", ".tpl", ".hcl.json"];
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files(&path, found),
            Ok(kind) if kind.is_file() && ENDINGS.iter().any(|end| name.ends_with(end)) => found.push(path),
            _ => {}
        }
    }
}
