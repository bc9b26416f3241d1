//! `hcl eval --schema terraform` beside OpenTofu itself.
//!
//! A case of `tests/fixtures/opentofu` is a root module with the modules that it calls. `answer` is what OpenTofu said: the
//! values of the module's names as far as its plan knows them, and the lines of its errors. `request`, if there is
//! one, has the workspace and the values of variables. Values that are known to both must be equal, and errors must be
//! in the same files.
//!
//! With the path of the program that `crates/conformance/programs/opentofu/build` makes in `HCL_LR_OPENTOFU`, OpenTofu is asked
//! again, and about all folders of a corpus if there is one beside the project; `UPDATE_GOLDEN=1` records its answers:
//!
//! ```sh
//! HCL_LR_OPENTOFU=$(crates/conformance/programs/opentofu/build) cargo test --all-features --workspace --test programs opentofu::
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::cli::{Scratch, hcl};
use crate::support::cases::Case;
use crate::support::golden::{Golden, cases};
use crate::support::lines::ask_program;
use crate::support::needs;

/// The value that OpenTofu's plan does not know.
fn is_unknown(value: &Value) -> bool {
    value.as_object().is_some_and(|all| all.len() == 1 && all.get("?") == Some(&Value::Bool(true)))
}

/// Counts of a comparison, over values that are not collections.
#[derive(Default)]
struct Tally {
    equal: usize,
    known_here: usize,
    known_there: usize,
    different: Vec<String>,
}

impl Tally {
    /// Compares a value, of which nothing may be known here.
    fn compare(&mut self, address: &str, ours: Option<&Value>, theirs: &Value, unknown: &BTreeSet<String>) {
        match (ours, theirs) {
            (None, theirs) => self.known_there += parts(theirs),
            (Some(Value::Null), theirs) if unknown.contains(address) => self.known_there += parts(theirs),
            (Some(_), theirs) if is_unknown(theirs) => self.known_here += 1,
            // Blocks whose number is hidden are shown as one, of which nothing is known.
            (Some(Value::Object(ours)), Value::Array(theirs)) if ours.is_empty() => {
                self.known_there += theirs.iter().map(parts).sum::<usize>();
            }
            (Some(Value::Object(ours)), Value::Object(theirs)) => {
                for (name, own) in ours {
                    match theirs.get(name) {
                        Some(their) => self.compare(&format!("{address}.{name}"), Some(own), their, unknown),
                        None => self.different.push(format!("{address}.{name}: {own} here, nothing there")),
                    }
                }
                for (name, their) in theirs.iter().filter(|(name, _)| !ours.contains_key(*name)) {
                    self.compare(&format!("{address}.{name}"), None, their, unknown);
                }
            }
            (Some(Value::Array(ours)), Value::Array(theirs)) if ours.len() == theirs.len() => {
                for (at, (own, their)) in ours.iter().zip(theirs).enumerate() {
                    self.compare(&format!("{address}[{at}]"), Some(own), their, unknown);
                }
            }
            (Some(ours), theirs) if same(ours, theirs) => self.equal += 1,
            (Some(ours), theirs) => self.different.push(format!("{address}: {ours} here, {theirs} there")),
        }
    }
}

/// Returns true if two values are the same, numbers by what they are.
fn same(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Number(ours), Value::Number(theirs)) => {
            ours == theirs || ours.as_f64().is_some_and(|ours| Some(ours) == theirs.as_f64())
        }
        _ => ours == theirs,
    }
}

/// Returns the number of known values in a value that are no collections.
fn parts(value: &Value) -> usize {
    match value {
        value if is_unknown(value) => 0,
        Value::Object(all) => all.values().map(parts).sum(),
        Value::Array(all) => all.iter().map(parts).sum(),
        _ => 1,
    }
}

/// The output of `hcl eval` for a folder.
pub struct Ours {
    pub values: Value,
    pub unknown: BTreeSet<String>,
    /// The files and lines of errors.
    pub errors: BTreeSet<(String, usize)>,
}

pub fn ask_ours(folder: &Path, table: &str, request: &Value) -> Ours {
    let mut command = hcl();
    command.current_dir(folder).args(["eval", "--schema", table, "--json", "."]).env_remove("TF_WORKSPACE");
    for (name, value) in request.get("env").and_then(Value::as_object).into_iter().flatten() {
        command.env(name, value.as_str().expect("a text"));
    }
    if let Some(workspace) = request.get("workspace").and_then(Value::as_str) {
        command.args(["--workspace", workspace]);
    }
    for (name, value) in request.get("vars").and_then(Value::as_object).into_iter().flatten() {
        command.arg("--var").arg(format!("{name}={}", value.as_str().expect("a text")));
    }
    let output = command.output().expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let all: Value = serde_json::from_str(&text).unwrap_or_else(|_| json!({}));
    let unknown = all.get("unknown").and_then(Value::as_object).into_iter().flat_map(Map::keys).cloned().collect();
    let (mut errors, mut is_error) = (BTreeSet::new(), false);
    for line in String::from_utf8(output.stderr).expect("text").lines() {
        if line.starts_with("error") || line.starts_with("warning") {
            is_error = line.starts_with("error");
            if line.starts_with("error: ") {
                errors.insert((String::new(), 0));
            }
        }
        let Some(place) = line.trim_start().strip_prefix("┌─ ").filter(|_| is_error) else { continue };
        let mut parts = place.rsplit(':').skip(1);
        let line = parts.next().and_then(|line| line.parse().ok()).unwrap_or(0);
        let file: Vec<&str> = parts.collect();
        errors.insert((file.into_iter().rev().collect::<Vec<_>>().join(":"), line));
    }
    Ours { values: all.get("values").cloned().unwrap_or_default(), unknown, errors }
}

/// Returns true for an error of a plan about a value that is known only later, which is no error here.
fn is_later(error: &Value) -> bool {
    let text = error["text"].as_str().unwrap_or_default();
    text.contains("that cannot be determined until apply") || text.contains("derived from resource attributes")
}

/// The recorded part of an answer, without the words of OpenTofu.
pub fn recorded(answer: &Value) -> Value {
    let errors = answer["errors"].as_array().into_iter().flatten().filter(|error| !is_later(error));
    let errors: BTreeSet<(String, u64)> = errors
        .map(|error| (error["file"].as_str().unwrap_or_default().to_owned(), error["line"].as_u64().unwrap_or(0)))
        .collect();
    json!({ "errors": errors, "values": answer["values"] })
}

pub fn value_at<'v>(values: &'v Value, address: &str) -> Option<&'v Value> {
    address.split('.').try_fold(values, |value, step| value.get(step))
}

fn compare(ours: &Ours, theirs: &Value, tally: &mut Tally) {
    for (address, value) in theirs["values"].as_object().into_iter().flatten() {
        tally.compare(address, value_at(&ours.values, address), value, &ours.unknown);
    }
}

pub fn request_of(case: &Case) -> Value {
    case.find("request").map_or_else(|| json!({}), |fence| serde_json::from_str(fence.text()).expect("JSON"))
}

/// A case with its files in a folder, and the recorded answer of a program.
pub struct Fixture {
    pub case: Case,
    pub folder: Scratch,
    pub answer: Value,
}

/// The cases with the recorded answers of a program. If a variable of the environment names the program, it
/// is asked again.
pub fn fixtures_with_answers(name: &str, variable: &str) -> Vec<Fixture> {
    let fixture = |case: Case| {
        let folder = Scratch::new(&format!("{name}-{}", case.name));
        case.write_files(&folder.0);
        Fixture { folder, answer: serde_json::from_str(case.text("answer")).unwrap_or_default(), case }
    };
    let mut fixtures: Vec<Fixture> = cases(name).into_iter().map(fixture).collect();
    match std::env::var(variable) {
        Err(_) => println!("the program is not asked: {variable} names none"),
        Ok(program) => {
            let request = |fixture: &Fixture| {
                let mut request = request_of(&fixture.case);
                request["folder"] = json!(fixture.folder.0);
                request
            };
            let requests: Vec<Value> = fixtures.iter().map(request).collect();
            let mut golden = Golden::new();
            for (fixture, answer) in fixtures.iter_mut().zip(ask_program(&program, &requests)) {
                fixture.answer = recorded(&answer);
                let text = serde_json::to_string_pretty(&fixture.answer).expect("JSON") + "\n";
                golden.check_case(&fixture.case, "answer", &text);
            }
            golden.finish();
        }
    }
    for Fixture { case, answer, .. } in &fixtures {
        assert!(answer.is_object(), "{}: no answer of the program is recorded", case.place());
    }
    fixtures
}

#[test]
fn fixtures_have_the_values_and_errors_that_opentofu_gives() {
    let (mut tally, mut wrong) = (Tally::default(), Vec::new());
    let fixtures = fixtures_with_answers("opentofu", "HCL_LR_OPENTOFU");
    for Fixture { case, folder, answer: theirs } in &fixtures {
        let name = &case.name;
        let ours = ask_ours(&folder.0, "opentofu", &request_of(case));
        let before = tally.different.len();
        compare(&ours, theirs, &mut tally);
        wrong.extend(tally.different[before..].iter().map(|difference| format!("{name}: {difference}")));
        let their_errors: BTreeSet<(String, usize)> = serde_json::from_value(theirs["errors"].clone()).expect("errors");
        // OpenTofu does not say where a cycle is, and reports some errors at the head of the block.
        let has_same = |(file, line): &(String, usize)| {
            ours.errors.iter().any(|(own, at)| file.is_empty() || own == file && at.abs_diff(*line) <= 4)
        };
        if !their_errors.iter().all(has_same) || their_errors.is_empty() != ours.errors.is_empty() {
            wrong.push(format!("{name}: errors at {:?} here, at {their_errors:?} there", ours.errors));
        }
    }
    let Tally { equal, known_here, known_there, .. } = tally;
    println!(
        "{} modules: {equal} values equal, {known_here} known only here, {known_there} only there",
        fixtures.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The folders with files of Terraform or OpenTofu.
fn folders_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut inner: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    inner.sort();
    let is_file = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        [".tf", ".tf.json", ".tofu"].iter().any(|end| name.ends_with(end)) && path.is_file()
    };
    if inner.iter().any(is_file) {
        found.push(folder.to_owned());
    }
    inner.iter().filter(|path| path.is_dir()).for_each(|path| folders_below(path, found));
}

/// Values in which the two differ, with the reason.
const EXPLAINED: &[(&str, &str)] = &[
    (
        "modules/organization: google_organization_iam_custom_role.roles.description",
        "blocks for elements that only OpenTofu knows, as it may read all files, are shown as one here",
    ),
    (
        "terraform-hcloud-kube-hetzner: random_password.rancher_bootstrap",
        "blocks whose number is sensitive are shown as one here",
    ),
    ("transform-destroy-edge-module-only: module.child", "OpenTofu expands no calls of a module without results"),
];

#[test]
#[ignore = "needs programs"]
fn needs_programs_real_folders_have_the_values_that_opentofu_gives() {
    let program = needs::variable("HCL_LR_OPENTOFU");
    let corpus = std::fs::canonicalize(needs::corpus()).expect("the corpus");
    let mut folders = Vec::new();
    folders_below(&corpus, &mut folders);
    let requests: Vec<Value> = folders.iter().map(|folder| json!({ "folder": folder })).collect();
    let mut tally = Tally::default();
    let mut classes: BTreeMap<String, usize> = BTreeMap::new();
    let mut only_here = Vec::new();
    for (folder, theirs) in folders.iter().zip(ask_program(&program, &requests)) {
        let name = folder.strip_prefix(&corpus).unwrap_or(folder).display().to_string();
        if theirs.get("panic").is_some() {
            *classes.entry("folders that the program cannot plan".to_owned()).or_default() += 1;
            continue;
        }
        let ours = ask_ours(folder, "opentofu", &json!({}));
        let before = tally.different.len();
        compare(&ours, &theirs, &mut tally);
        tally.different[before..].iter_mut().for_each(|difference| *difference = format!("{name}: {difference}"));
        let recorded = recorded(&theirs);
        let errors = recorded["errors"].as_array().expect("errors");
        let class = match (errors.is_empty(), ours.errors.is_empty()) {
            (true, true) => "folders without errors in both",
            (false, false) => "folders with errors in both",
            (true, false) => "folders with errors only here",
            (false, true) => "folders with errors only in OpenTofu",
        };
        *classes.entry(class.to_owned()).or_default() += 1;
        if errors.is_empty() && !ours.errors.is_empty() {
            only_here.push(format!("{name}: {:?}", ours.errors));
        }
        if ours.errors.is_empty() {
            let texts = theirs["errors"].as_array().into_iter().flatten().filter(|error| !is_later(error));
            let summaries: BTreeSet<&str> =
                texts.map(|error| error["text"].as_str().unwrap_or_default().split(':').next().unwrap_or("")).collect();
            for summary in summaries {
                *classes.entry(format!("  only in OpenTofu: {summary}")).or_default() += 1;
            }
        }
    }
    println!("{} folders", folders.len());
    classes.iter().for_each(|(class, count)| println!("{count:7} {class}"));
    println!("{:7} values equal", tally.equal);
    println!("{:7} known only here", tally.known_here);
    println!("{:7} known only there", tally.known_there);
    let explained = |difference: &String| EXPLAINED.iter().any(|(part, _)| difference.contains(part));
    let wrong: Vec<&String> =
        tally.different.iter().chain(&only_here).filter(|difference| !explained(difference)).collect();
    assert!(
        wrong.is_empty(),
        "{} differences:\n{}",
        wrong.len(),
        wrong.iter().map(|difference| format!("{difference}\n")).collect::<String>()
    );
}
