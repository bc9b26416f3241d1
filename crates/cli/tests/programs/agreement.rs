//! Every way in gives the same answer: `check`, the editor, the library, and `eval` up to what it evaluates.
//!
//! The projects are those of `tests/fixtures/agreement`, which has a page for each shipped language, with 20 mistakes or more,
//! each in a line with a comment; and the files of the fixtures about definitions. `agreement_ways.rs` has the other ways in.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use hcl_lr::diagnostic::{Diagnostic, Severity};
use hcl_lr_analysis::Workspace;
use hcl_lr_language::schema::LANGUAGES;
use hcl_lr_project::{Files, Key, Known, Languages, LoadOptions, Memory, Project, Reading, Sources};

use crate::cli::{Scratch, hcl, text};
use crate::support::{cases, golden};

/// The errors of a folder: path, line, and code.
pub(crate) type Errors = BTreeSet<(String, usize, String)>;

/// A folder with a project.
pub(crate) struct Folder {
    pub name: String,
    /// The language whose page has the project; empty for other fixtures.
    pub language: String,
    pub files: Vec<(String, String)>,
    /// The planted mistakes: the path, the line and the code; `None` if they are not listed.
    pub planted: Option<Errors>,
    /// The codes of the mistakes in the same file in the JSON syntax; `None` if it cannot have them.
    pub in_json: Option<BTreeSet<String>>,
}

/// Returns the folders of `tests/fixtures/agreement`.
pub(crate) fn planted() -> Vec<Folder> {
    let mut folders = Vec::new();
    let root = golden::root().join("tests/fixtures/agreement");
    let mut paths: Vec<_> =
        fs::read_dir(root).expect("the fixtures").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        let page = fs::read_to_string(&path).expect("a page");
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        for fence in page.split("\n```planted ").skip(1) {
            let (name, rest) = fence.split_once('\n').expect("a name");
            let body = rest.split("\n```").next().expect("a fence");
            for (at, text) in body.split("\n---\n").enumerate() {
                let folder = format!("{stem}-{name}-{at:03}").replace('.', "-");
                let (mut planted, mut in_json) = (Errors::new(), Some(BTreeSet::new()));
                let mut files = Vec::new();
                for (part, text) in text.split("\n=== ").enumerate() {
                    // The name of another file is in the first line of its part.
                    let (name, text) = if part == 0 { (name, text) } else { text.split_once('\n').expect("a text") };
                    for (line, written) in text.lines().enumerate() {
                        if let Some((_, code)) = written.split_once("#! ") {
                            let (code, other) = code.trim().split_once("; json ").unwrap_or((code.trim(), code.trim()));
                            planted.insert((format!("{folder}/{name}"), line + 1, code.to_owned()));
                            match other {
                                "cannot" => in_json = None,
                                "nothing" => {}
                                other => drop(in_json.as_mut().map(|codes| codes.insert(other.to_owned()))),
                            }
                        }
                    }
                    files.push((format!("{folder}/{name}"), format!("{text}\n")));
                }
                folders.push(Folder { name: folder, language: stem.clone(), files, planted: Some(planted), in_json });
            }
        }
    }
    folders
}

/// Returns the projects of other fixtures.
fn others() -> Vec<Folder> {
    let fixtures = golden::root().join("tests/fixtures");
    let mut folders: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (name, bytes) in cases::inputs(&fixtures) {
        let path = Path::new(&name).strip_prefix(&fixtures).expect("below the fixtures").to_string_lossy().into_owned();
        let steps: Vec<&str> = path.split('/').collect();
        if !matches!(steps[0], "any_input" | "definitions") || steps.len() < 4 {
            continue;
        }
        let Ok(text) = String::from_utf8(bytes) else { continue };
        folders.entry(steps[..3].join("/")).or_default().push((path, text));
    }
    let make = |(name, files)| Folder { name, language: String::new(), files, planted: None, in_json: None };
    folders.into_iter().map(make).collect()
}

fn is_error(found: &Diagnostic) -> bool {
    found.severity() == Severity::Error
}

/// Returns the errors that the library finds.
fn of_library(folder: &Folder) -> Errors {
    let files = Memory::new(folder.files.iter().map(|(path, text)| (format!("/{path}"), text.clone())));
    let (languages, known) = (Languages::default(), Known::default());
    let language = |path: &str| languages.choose(&Reading { files: &files, known: &known }, path, None);
    let sources = Sources { files: &files, language: &language };
    let mut errors = Errors::new();
    for (path, _) in &folder.files {
        let path = format!("/{path}");
        assert!(files.bytes(&path).is_ok(), "{path}");
        let project = Project::load(&sources, &Key::of(&sources, &path), &LoadOptions::default());
        errors.extend(project.findings(&path).iter().filter(|found| is_error(found)).map(as_error));
    }
    errors
}

/// Returns the errors that an editor shows.
fn of_editor(folder: &Folder) -> Errors {
    let mut workspace = Workspace::default();
    for (path, text) in &folder.files {
        workspace.set(&format!("/{path}"), text.as_str());
    }
    let snapshot = workspace.snapshot();
    let mut errors = Errors::new();
    for (path, _) in &folder.files {
        let found = snapshot.diagnostics(&format!("/{path}")).expect("an answer");
        errors.extend(found.iter().map(|one| &one.diagnostic).filter(|found| is_error(found)).map(as_error));
    }
    errors
}

fn as_error(found: &Diagnostic) -> (String, usize, String) {
    let place = found.place();
    let path = place.source().name().trim_start_matches('/').to_owned();
    (path, place.position().line, found.code().as_str().to_owned())
}

/// Returns the errors that `hcl check` prints for all folders, by folder. An error about a name shows the other places.
fn of_check(folders: &[Folder], scratch: &Scratch) -> BTreeMap<String, Errors> {
    let output = hcl().current_dir(&scratch.0).args(["check", "--format", "json", "--max-errors", "100000"]).output();
    let output = output.expect("it runs");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut by_folder: BTreeMap<String, Errors> = BTreeMap::new();
    for one in found["diagnostics"].as_array().expect("a list") {
        if one["severity"] != "error" {
            continue;
        }
        let code = one["code"].as_str().expect("a code").to_owned();
        let labels = one["labels"].as_array().into_iter().flatten();
        let more = labels.filter(|label| label["message"] == "and here").map(|label| &label["place"]);
        for place in std::iter::once(&one["subject"]).chain(more) {
            let path = place["filename"].as_str().expect("a file").to_owned();
            let line = place["start"]["line"].as_u64().expect("a line") as usize;
            let folder = folders.iter().find(|folder| path.starts_with(&format!("{}/", folder.name)));
            let folder = folder.unwrap_or_else(|| panic!("{path}"));
            by_folder.entry(folder.name.clone()).or_default().insert((path, line, code.clone()));
        }
    }
    by_folder
}

pub(crate) fn write(folders: &[Folder], scratch: &Scratch) {
    for (path, text) in folders.iter().flat_map(|folder| &folder.files) {
        let path = scratch.path("").join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
}

/// Returns what is in one set and not in the other, as text.
pub(crate) fn difference(name: &str, one: (&str, &Errors), other: (&str, &Errors)) -> Option<String> {
    let only = |(who, errors): (&str, &Errors), rest: &Errors| {
        let only: Vec<String> =
            errors.difference(rest).map(|(path, line, code)| format!("  only {who}: {path}:{line} {code}\n")).collect();
        only.concat()
    };
    let text = only(one, other.1) + &only(other, one.1);
    (!text.is_empty()).then(|| format!("{name}:\n{text}"))
}

#[test]
fn check_editor_and_library_agree() {
    let scratch = Scratch::new("agreement");
    let folders: Vec<Folder> = planted().into_iter().chain(others()).collect();
    write(&folders, &scratch);
    let of_check = of_check(&folders, &scratch);
    let mut wrong = Vec::new();
    // The planted and the found mistakes of each language.
    let mut counts: BTreeMap<&str, (usize, usize)> = LANGUAGES.iter().map(|language| (*language, (0, 0))).collect();
    for folder in &folders {
        let checked = of_check.get(&folder.name).cloned().unwrap_or_default();
        let library = of_library(folder);
        wrong.extend(difference(&folder.name, ("check", &checked), ("library", &library)));
        wrong.extend(difference(&folder.name, ("editor", &of_editor(folder)), ("library", &library)));
        if let Some(planted) = &folder.planted {
            let (all, found) = counts.entry(&folder.language).or_default();
            *all += planted.len();
            *found += planted.intersection(&checked).count();
            wrong.extend(difference(&folder.name, ("planted", planted), ("check", &checked)));
        }
    }
    println!("{} projects\n| language | planted | found |\n| --- | ---: | ---: |", folders.len());
    for (language, (all, found)) in &counts {
        println!("| {language} | {all} | {found} |");
        assert!(*all >= 20, "tests/fixtures/agreement/{language}.md has {all} mistakes, and 20 are wanted");
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

/// `hcl eval` finds nothing wrong that `check` does not, without inputs; and it fails for each wrong value.
#[test]
fn eval_agrees_with_check() {
    let scratch = Scratch::new("agreement-eval");
    let folders = planted();
    write(&folders, &scratch);
    let mut wrong = Vec::new();
    for folder in &folders {
        let Some(planted) = folder.planted.as_ref().filter(|planted| !planted.is_empty()) else { continue };
        let of_values =
            ["unknown-variable", "invalid-operand", "unsupported-attribute", "unknown-function", "definition-cycle"];
        let is_of_value = planted.iter().all(|(_, _, code)| of_values.contains(&code.as_str()));
        // Arguments of blocks without definitions are evaluated by `check` alone.
        let is_evaluated = folder.files[0].1.lines().any(|line| line.starts_with("locals"));
        let output = hcl().current_dir(&scratch.0).args(["eval", &folder.name]).output().expect("it runs");
        if is_of_value && is_evaluated && output.status.code() != Some(1) {
            wrong.push(format!("{}: status {:?}, {}\n", folder.name, output.status.code(), text(&output.stderr)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}
