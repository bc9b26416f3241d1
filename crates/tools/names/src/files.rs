//! Checks real files, and counts files and errors by language.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hcl_lr::{ConfigFile, parse};
use hcl_lr_language::schema::{Schema, has_at_top, is_hcl_file};

/// The files of one language, and the errors that `hcl check` reports in them.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The number of files.
    pub files: usize,
    /// The number of files with errors.
    pub wrong: usize,
    /// The errors, as `hcl check --format short` writes them.
    pub errors: Vec<String>,
}

/// Checks all files in a folder with the program `hcl`, and returns the results by language.
///
/// # Errors
///
/// A message if the program cannot be run.
pub fn check(hcl: &Path, folder: &Path) -> Result<BTreeMap<String, Checked>, String> {
    let mut languages: BTreeMap<String, String> = BTreeMap::new();
    let mut counts: BTreeMap<String, Checked> = BTreeMap::new();
    for path in files(folder) {
        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
        let language = language(&path, &name);
        counts.entry(language.clone()).or_default().files += 1;
        languages.insert(name, language);
    }
    let arguments = ["check", "--format", "short", "--no-ignore", "--max-errors", "1000000", "."];
    let output = Command::new(hcl).current_dir(folder).args(arguments).output();
    let output = output.map_err(|error| format!("cannot run {}: {error}", hcl.display()))?;
    let mut last = String::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Some((place, _)) = line.split_once(": error[") else { continue };
        let name = place.split(':').next().unwrap_or_default().trim_start_matches("./");
        let Some(checked) = languages.get(name).and_then(|language| counts.get_mut(language)) else { continue };
        checked.wrong += usize::from(name != last);
        checked.errors.push(line.to_owned());
        name.clone_into(&mut last);
    }
    Ok(counts)
}

/// Returns the files with names of HCL in a folder, in order, without hidden folders.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut all, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            if path.is_dir() && !is_link && !is_hidden {
                folders.push(path);
            } else if path.is_file() && is_hcl_file(&path.to_string_lossy()) {
                all.push(path);
            }
        }
    }
    all.sort();
    all
}

/// Returns the language that the name and the contents of a file decide.
fn language(path: &Path, name: &str) -> String {
    let file = OnceCell::new();
    let read = || parse::<ConfigFile>((name, fs::read(path).unwrap_or_default())).into_parts().0;
    let found = Schema::detect_for_file(name, |wanted| has_at_top(file.get_or_init(read), wanted));
    found.map_or_else(|| "hcl".to_owned(), |schema| schema.name.clone())
}
