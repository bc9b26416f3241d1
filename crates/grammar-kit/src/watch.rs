//! `watch`: builds the program again after each save, and prints what has changed in its output.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};

use hcl_lr_grammar_kit::changes;

/// The time between two looks at the files.
const PAUSE: Duration = Duration::from_millis(200);
/// The folders whose changes need a new build, from the folder of the project.
const SOURCES: [&str; 4] = ["grammar", "src", "crates/grammar-kit/src", "crates/grammar-check/src"];

/// The state of each file, by its path.
type Files = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// Prints the output for a file of examples, and after each save the lines that have changed, until the process is
/// stopped.
pub fn watch(project: &Path, examples: &Path) -> Result<(), String> {
    if !project.join("grammar/expression.lalrpop").is_file() {
        return Err(format!("error: there are no grammars in {}: start this in a checkout", project.display()));
    }
    if !examples.is_file() {
        return Err(format!("error: there is no file {}", examples.display()));
    }
    let mut files = Files::new();
    let mut last: Option<String> = None;
    loop {
        let now = files_of(project, examples);
        if now == files {
            thread::sleep(PAUSE);
            continue;
        }
        files = now;
        let text = shown(project, examples)?;
        match &last {
            None => print!("{text}"),
            Some(last) => print!("{}", changes(last, &text)),
        }
        println!("— waiting for changes of {} and the grammars", examples.display());
        last = Some(text);
    }
}

/// The output of `show` by a program that is built anew, or the errors of the build.
fn shown(project: &Path, examples: &Path) -> Result<String, String> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["run", "--quiet", "--profile", "quick", "--package", "hcl-lr-grammar-kit", "--", "show"]);
    let output = command.arg(examples).current_dir(project).stdin(Stdio::null()).output();
    let output = output.map_err(|why| format!("error: cargo cannot be started: {why}"))?;
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    Ok(text.concat())
}

fn files_of(project: &Path, examples: &Path) -> Files {
    let mut files = Files::new();
    let mut waiting: Vec<PathBuf> = SOURCES.iter().map(|folder| project.join(folder)).collect();
    waiting.push(examples.to_owned());
    while let Some(path) = waiting.pop() {
        match path.read_dir() {
            Ok(entries) => waiting.extend(entries.flatten().map(|entry| entry.path())),
            Err(_) => {
                let Ok(metadata) = path.metadata() else { continue };
                files.insert(path, (metadata.modified().ok(), metadata.len()));
            }
        }
    }
    files
}
