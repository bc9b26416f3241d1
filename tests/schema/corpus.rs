//! Real files, if there is a corpus beside the project: each is accepted by its program, so nothing may be found in it.

use std::path::{Path, PathBuf};
use std::time::Instant;

use hcl_lr::ConfigFile;
use hcl_lr::schema::{Checker, Schema};

use crate::support::golden::root;

pub const CORPUS: &str = "../shared/corpus";

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

/// The language of a file of the corpus, by its folder and name.
pub fn language(path: &str) -> Option<&'static str> {
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
        _ => None,
    }
}

#[test]
fn real_files_have_no_findings() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join(CORPUS);
    if !corpus.is_dir() {
        eprintln!("skipped: there is no corpus at {CORPUS}");
        return;
    }
    let mut paths = Vec::new();
    files(&corpus, &mut paths);
    paths.sort();
    let rejected = std::fs::read_to_string(root().join("tests/fixtures/schema/rejected.txt")).expect("a list");
    let rejected: std::collections::HashSet<&str> =
        rejected.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split(": ").next()).collect();
    let mut found = String::new();
    let mut table: std::collections::BTreeMap<&str, (usize, usize)> = std::collections::BTreeMap::new();
    let mut checkers: std::collections::BTreeMap<&str, Checker> = std::collections::BTreeMap::new();
    for path in &paths {
        let name = path.strip_prefix(&corpus).expect("below the corpus").to_string_lossy().into_owned();
        if name.starts_with("invalid/") || name.starts_with("templates/") {
            continue;
        }
        let Some(language) = language(&name) else { continue };
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

/// The cost of a check beside that of parsing, on the whole corpus. Prints and asserts nothing.
#[test]
#[ignore = "measures"]
fn cost() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join(CORPUS);
    let mut paths = Vec::new();
    files(&corpus, &mut paths);
    let mut all = Vec::new();
    for path in &paths {
        let name = path.strip_prefix(&corpus).expect("below the corpus").to_string_lossy().into_owned();
        let Some(schema) = language(&name).and_then(Schema::by_name) else { continue };
        if name.starts_with("invalid/") || name.starts_with("templates/") {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        if hcl_lr::parse::<ConfigFile>((name.as_str(), text.clone())).into_result().is_ok() {
            all.push((name, text, schema));
        }
    }
    let mut checkers: std::collections::BTreeMap<&str, Checker> = std::collections::BTreeMap::new();
    for (_, _, schema) in &all {
        checkers.entry(&schema.name).or_insert_with(|| Checker::new(schema));
    }
    let bytes: usize = all.iter().map(|(_, text, _)| text.len()).sum();
    let (mut parsing, mut checking) = (f64::MAX, f64::MAX);
    for _ in 0..15 {
        let texts = all.clone();
        let start = Instant::now();
        let parsed: Vec<_> = texts
            .into_iter()
            .map(|(name, text, schema)| (hcl_lr::parse::<ConfigFile>((name.as_str(), text)).into_value(), schema))
            .collect();
        parsing = parsing.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let mut count = 0;
        for (file, schema) in &parsed {
            count += checkers[schema.name.as_str()].check(file).len();
        }
        checking = checking.min(start.elapsed().as_secs_f64());
        std::hint::black_box(count);
    }
    eprintln!(
        "{} files, {bytes} bytes: parse {:.2} ms, check {:.2} ms, ratio {:.2}",
        all.len(),
        parsing * 1e3,
        checking * 1e3,
        checking / parsing
    );
}
