//! Compares checks with the programs of the languages: does a program accept the files without findings, and reject
//! those with a mistake?
//!
//! `HCL_LR_CHECK_NOMAD`, `HCL_LR_CHECK_BAKE` and `HCL_LR_CHECK_PACKER` are the paths of what `crates/conformance/programs/check/build` makes, and
//! `HCL_LR_OPENTOFU` is that of `crates/conformance/programs/opentofu/build`. `tests/fixtures/schema/programs.txt` lists the disagreements with their reasons.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use hcl_lr::{ConfigFile, parse};
use hcl_lr_language::schema::{Checker, Layers, Schema, SchemaIndex};
use serde_json::{Value, json};

use crate::corpus::{CorpusFile, corpus};
use crate::mutated::mutated;
use crate::support::golden::root;
use crate::support::lines::ask_program;
use crate::support::needs;

/// A program that answers questions.
#[derive(Clone, Copy)]
enum Program {
    Nomad,
    Bake,
    Packer,
    OpenTofu,
}

impl Program {
    /// The language whose files the program reads.
    fn language(self) -> &'static str {
        match self {
            Program::Nomad => "nomad",
            Program::Bake => "bake",
            Program::Packer => "packer",
            Program::OpenTofu => "opentofu",
        }
    }

    fn path(self) -> String {
        needs::variable(match self {
            Program::Nomad => "HCL_LR_CHECK_NOMAD",
            Program::Bake => "HCL_LR_CHECK_BAKE",
            Program::Packer => "HCL_LR_CHECK_PACKER",
            Program::OpenTofu => "HCL_LR_OPENTOFU",
        })
    }

    /// The name of a file.
    fn file(self) -> &'static str {
        match self {
            Program::Nomad => "all.nomad",
            Program::Bake => "docker-bake.hcl",
            Program::Packer => "all.pkr.hcl",
            Program::OpenTofu => "main.tofu",
        }
    }

    /// Returns true if an error is about a name. All values are null, which many types do not accept.
    fn is_about_names(self, detail: &str) -> bool {
        match self {
            Program::Nomad => detail.starts_with("no "),
            Program::Bake | Program::Packer => false,
            Program::OpenTofu => detail.starts_with("Unsupported ") || detail.starts_with("Missing "),
        }
    }

    fn question(self, scratch: &Scratch, number: usize, name: &str, text: &str) -> Value {
        let base = name.rsplit('/').next().unwrap_or(name);
        match self {
            Program::Nomad | Program::Bake | Program::Packer => json!({ "name": base, "text": text }),
            Program::OpenTofu => json!({ "folder": scratch.folder_with(number, base, text), "load": true }),
        }
    }
}

/// The errors in an answer.
fn errors(answer: &Value) -> BTreeSet<String> {
    assert_eq!(answer["panic"], Value::Null, "the program ended");
    let errors = answer["errors"].as_array().into_iter().flatten();
    errors.filter_map(|error| error["text"].as_str()).map(|text| text.replace('\n', " ")).collect()
}

/// A folder that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(language: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("hcl-lr-programs-{language}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Scratch(path)
    }

    fn folder_with(&self, number: usize, name: &str, text: &str) -> PathBuf {
        let folder = self.0.join(number.to_string());
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join(name), text).expect("a file");
        folder
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The list of disagreements.
fn disagreements() -> String {
    std::fs::read_to_string(root().join("tests/fixtures/schema/programs.txt")).expect("a list")
}

/// The keys in a list of disagreements.
fn keys(list: &str) -> impl Iterator<Item = &str> {
    list.lines().filter(|line| !line.starts_with('#')).filter_map(|line| Some(line.split_once(": ")?.0))
}

/// Follows the language in keys of names that its program does not know.
const NAMES: &str = " names ";

/// Asserts that a program and the checks of its language agree about the files of the corpus, unchanged and with
/// mistakes.
fn agrees_with_checks(program: Program) {
    let language = program.language();
    let prefix = format!("{language} ");
    let known = disagreements();
    let mut known: BTreeSet<&str> =
        keys(&known).filter(|key| !key.contains(NAMES) && key.starts_with(&prefix)).collect();
    let mut wrong = String::new();
    let path = program.path();
    let files: Vec<(String, String)> = corpus()
        .into_iter()
        .filter(|file| file.language == language && is_read_alone(&file.name))
        .filter_map(|CorpusFile { path, name, .. }| Some((name, std::fs::read_to_string(path).ok()?)))
        .collect();
    let mistakes = mutated(language, &files);
    let scratch = Scratch::new(language);
    let texts = files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let texts = texts.chain(mistakes.iter().map(|mistake| (files[mistake.file].0.as_str(), mistake.text.as_str())));
    let texts: Vec<(&str, &str)> = texts.collect();
    let questions = texts.iter().enumerate();
    let questions: Vec<Value> =
        questions.map(|(number, (name, text))| program.question(&scratch, number, name, text)).collect();
    let theirs: Vec<BTreeSet<String>> = ask_program(&path, &questions).iter().map(errors).collect();
    let checker = Checker::new(Schema::by_name(language).expect("a language"));
    let (mut accepted, mut rejected) = ((0, 0), (0, 0));
    for (number, (name, text)) in texts.iter().enumerate() {
        let ours = match parse::<ConfigFile>((*name, (*text).to_owned())).into_result() {
            Ok(file) => checker.check(&file),
            Err(errors) => errors,
        };
        // A file may have other errors before it is changed.
        let mistake = number.checked_sub(files.len()).map(|at| &mistakes[at]);
        let theirs = match mistake {
            Some(mistake) => theirs[number].difference(&theirs[mistake.file]).collect::<Vec<_>>(),
            None => theirs[number].iter().collect(),
        };
        let agrees = ours.has_errors() != theirs.is_empty();
        let row = if mistake.is_some() { &mut rejected } else { &mut accepted };
        row.0 += usize::from(agrees);
        row.1 += 1;
        let key = match mistake {
            Some(mistake) => format!("{language} {name}@{} {}", mistake.at, mistake.kind),
            None => format!("{language} {name}"),
        };
        if !agrees && !known.remove(key.as_str()) {
            let _ = writeln!(wrong, "{key}: {:?} here, {theirs:?} there", ours.short());
        }
    }
    eprintln!("{language}: {} of {} files, {} of {} mistakes", accepted.0, accepted.1, rejected.0, rejected.1);
    assert!(wrong.is_empty(), "{wrong}");
    assert!(known.is_empty(), "checks and programs agree about these: {known:?}");
}

#[test]
#[ignore = "needs programs"]
fn needs_programs_nomad_agrees_with_checks() {
    agrees_with_checks(Program::Nomad);
}

#[test]
#[ignore = "needs programs"]
fn needs_programs_bake_agrees_with_checks() {
    agrees_with_checks(Program::Bake);
}

#[test]
#[ignore = "needs programs"]
fn needs_programs_packer_agrees_with_checks() {
    agrees_with_checks(Program::Packer);
}

#[test]
#[ignore = "needs programs"]
fn needs_programs_opentofu_agrees_with_checks() {
    agrees_with_checks(Program::OpenTofu);
}

/// Writes all attributes and blocks that a body can have. `depth` counts the bodies around it.
fn everything(layers: &Layers<'_>, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    for attribute in layers.attributes() {
        let _ = writeln!(text, "{indent}{} = null", attribute.name);
    }
    for block in layers.blocks().filter(|block| layers.attribute(&block.name).is_none()) {
        let Some((_, inner)) = layers.block(&block.name) else { continue };
        let labels = " \"a\"".repeat(block.labels.iter().filter(|label| !label.optional).count());
        let _ = writeln!(text, "{indent}{}{labels} {{", block.name);
        if depth < 12 {
            everything(&inner, depth + 1, text);
        }
        let _ = writeln!(text, "{indent}}}");
    }
}

/// Asserts that a program knows all names of a part of the schema of its language. It reports all unknown names at once.
fn knows_the_names(program: Program, part: &str) {
    let language = program.language();
    let prefix = format!("{language}{NAMES}");
    let known = disagreements();
    let mut known: BTreeSet<&str> = keys(&known).filter(|key| key.starts_with(&prefix)).collect();
    let mut found = String::new();
    let path = program.path();
    let index = SchemaIndex::new(Schema::by_name(language).expect("a language"));
    let mut text = String::new();
    everything(&index.part(part).expect("a part"), 0, &mut text);
    let scratch = Scratch::new(&format!("{language}-names"));
    let answers = ask_program(&path, &[program.question(&scratch, 0, program.file(), &text)]);
    let lines: Vec<&str> = text.lines().collect();
    for error in answers[0]["errors"].as_array().into_iter().flatten() {
        let detail = error["text"].as_str().unwrap_or_default();
        if !program.is_about_names(detail) {
            continue;
        }
        let line = error["line"].as_u64().and_then(|line| usize::try_from(line).ok()).expect("a line");
        let key = format!("{prefix}{}", address(&lines[..line]));
        if !known.remove(key.as_str()) {
            let _ = writeln!(found, "{key}: {detail}");
        }
    }
    assert!(found.is_empty(), "{found}");
    assert!(known.is_empty(), "the programs know these names: {known:?}");
}

#[test]
#[ignore = "needs programs"]
fn needs_programs_nomad_knows_the_names() {
    knows_the_names(Program::Nomad, "file");
}

#[test]
#[ignore = "needs programs"]
fn needs_programs_opentofu_knows_the_names() {
    knows_the_names(Program::OpenTofu, "module");
}

/// Returns the last of some lines, after those of the enclosing blocks.
fn address(lines: &[&str]) -> String {
    let mut inner = usize::MAX;
    let mut names = Vec::new();
    for line in lines.iter().rev() {
        let indent = line.len() - line.trim_start().len();
        if indent < inner {
            inner = indent;
            names.push(line.trim().trim_end_matches(" {").trim_end_matches(" = null"));
        }
    }
    names.reverse();
    names.join(" / ")
}

/// Returns true if a program reads a file without others.
fn is_read_alone(name: &str) -> bool {
    !name.ends_with(".json") && !name.ends_with(".tfvars") && !name.ends_with(".lock.hcl") && !name.contains("tftest")
}
