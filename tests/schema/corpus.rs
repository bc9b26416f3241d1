//! Real files: their programs accept them, so checks must find nothing.

use std::path::{Path, PathBuf};

use hcl_lr::ConfigFile;
use hcl_lr_language::schema::{Checker, Schema};

use crate::support::golden::root;
use crate::support::needs;

pub fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// A file of the corpus.
pub struct CorpusFile {
    pub path: PathBuf,
    /// Its path within the corpus.
    pub name: String,
    pub language: &'static str,
}

/// Returns the files of the corpus with a known language, by name, without templates and deliberately broken files.
pub fn corpus() -> Vec<CorpusFile> {
    let corpus = needs::corpus();
    let mut paths = Vec::new();
    files(&corpus, &mut paths);
    paths.sort();
    let known = paths.into_iter().filter_map(|path| {
        let name = path.strip_prefix(&corpus).expect("below the corpus").to_string_lossy().into_owned();
        let skipped = name.starts_with("invalid/") || name.starts_with("templates/");
        let language = language(&name).filter(|_| !skipped)?;
        Some(CorpusFile { path, name, language })
    });
    known.collect()
}

/// The language of a file of the corpus, by its folder and name.
fn language(path: &str) -> Option<&'static str> {
    let (project, rest) = path.split_once('/')?;
    let name = rest.rsplit('/').next()?;
    let ends = |end: &str| name.ends_with(end);
    if name.contains(".tflint.hcl") {
        return Some("tflint");
    }
    if ends(".tf")
        || ends(".tf.json")
        || ends(".tfvars")
        || ends(".tfvars.json")
        || ends(".tofu")
        || ends(".tofu.json")
        || ends(".tftest.hcl")
        || ends(".tftest.json")
        || ends(".terraform.lock.hcl")
    {
        return Some(if project.starts_with("opentofu") { "opentofu" } else { "terraform" });
    }
    match project {
        "docker+buildx" | "jenkinsci+docker" => Some("bake"),
        "vmware-samples+packer-examples-for-vsphere" => Some("packer"),
        "brucellino+nomad-jobs" => Some("nomad"),
        "gruntwork-io+terragrunt" => Some("terragrunt"),
        "openbao+openbao" => Some("vault"),
        "hashicorp+waypoint-examples" if name == "waypoint.hcl" => Some("waypoint"),
        _ => None,
    }
}

#[test]
#[ignore = "needs corpus"]
fn needs_corpus_real_files_have_no_findings() {
    let files = corpus();
    let rejected = std::fs::read_to_string(root().join("tests/fixtures/schema/rejected.txt")).expect("a list");
    let rejected: std::collections::HashSet<&str> =
        rejected.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split(": ").next()).collect();
    let mut found = String::new();
    let mut table: std::collections::BTreeMap<&str, (usize, usize)> = std::collections::BTreeMap::new();
    let mut checkers: std::collections::BTreeMap<&str, Checker> = std::collections::BTreeMap::new();
    for CorpusFile { path, name, language } in &files {
        let Some(schema) = Schema::by_name(language) else { continue };
        let checker = checkers.entry(language).or_insert_with(|| Checker::new(schema));
        let text = std::fs::read(path).expect("a readable file");
        let Ok(file) = hcl_lr::parse::<ConfigFile>((name.as_str(), text)).into_result() else { continue };
        let row = table.entry(language).or_default();
        row.0 += 1;
        let problems = checker.check(&file);
        row.1 += usize::from(problems.has_errors());
        if rejected.contains(name.as_str()) {
            if !problems.has_errors() {
                found.push_str(&format!("{name}: nothing is found, though its program rejects it\n"));
            }
            continue;
        }
        for problem in problems.errors() {
            let place = problem.place();
            found.push_str(&format!("{place}: {}: {}\n", problem.code(), problem.detail()));
        }
    }
    eprintln!("{table:?}");
    assert!(found.is_empty(), "{found}");
}
