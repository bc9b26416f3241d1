//! Configurations that demand unbounded work. Each ends by a limit before it exceeds the allowed work and memory, or
//! by itself, because there is less to do than it seems.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, OnceLock};

use hcl_lr::ConfigFile;
use hcl_lr::decode::spec_file::SpecFile;
use hcl_lr::dynamic::expand;
use hcl_lr::limits::{Limits, Meter};
use hcl_lr::user_functions::user_functions;
use hcl_lr::{Attribute, Body, Diagnostics, Expression, Scope, Template, Value, functions, parse, parse_file};
use hcl_lr_edit::address::Address;
use hcl_lr_edit::query::{Query, QueryResult, Subject};
use hcl_lr_language::definitions::{Definitions, Loaded, LoadedModule, ModuleCall};

use crate::count::Turn;
use crate::written::cases_below;

/// Less of both without optimization, where each step takes ten times as long.
const STEPS: u64 = if cfg!(debug_assertions) { 250_000 } else { 10_000_000 };
const BYTES: u64 = if cfg!(debug_assertions) { 6 << 20 } else { 256 << 20 };

/// The largest number of counted steps for each step of the limits. The counted steps are smaller: tokens, bytes,
/// comparisons of types. No work is hidden from the limits if there are only a few of these for each of theirs.
const WORK_PER_STEP: u64 = 12;

/// The maximum of all allocations together, including freed ones. The limit counts the memory of values, and most
/// values are assembled elsewhere first.
const ALLOCATED: u64 = 3 * BYTES;

/// The folder of the inputs; its page describes their form.
const INPUTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/hostile");

/// A folder with the files of the cases.
fn files_folder() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
        let _ = std::fs::remove_dir_all(&folder);
        cases_below(Path::new(INPUTS)).iter().for_each(|case| case.write_files(&folder));
        folder
    });
    &FOLDER
}

/// The variables and functions that the inputs see.
fn scope() -> Scope<'static> {
    static VARIABLES: LazyLock<Vec<(String, Value)>> = LazyLock::new(|| {
        let body = parse_file::<Body>(files_folder().join("variables.hcl")).into_result().expect("variables");
        let scope = Scope::new().with_functions(functions::extended());
        let attributes = body.attributes().into_result().expect("variables");
        let value = |attribute: &Attribute| attribute.evaluate(&scope).expect("a value");
        attributes.iter().map(|attribute| (attribute.name().to_owned(), value(attribute))).collect()
    });
    let scope = Scope::new().with_functions(functions::extended());
    VARIABLES.iter().fold(scope, |scope, (name, value)| scope.with(name, value.clone()))
}

fn within(scope: Scope<'static>) -> (Scope<'static>, Meter) {
    let meter = Meter::new(Limits::new().max_steps(STEPS).max_bytes(BYTES));
    (scope.with_meter(&meter), meter)
}

/// The end of a run: true if by a limit.
type Ended = Result<bool, String>;

/// Does the work and checks that it was ended in time.
fn ends(
    turn: &Turn,
    name: &str,
    scope: Scope<'static>,
    work: impl FnOnce(&Scope<'_>) -> Result<(), Diagnostics>,
) -> Ended {
    let (scope, meter) = within(scope);
    let before = hcl_lr::internal::work::steps();
    let mut result = Ok(());
    let allocated = turn.allocated(|| result = work(&scope)).bytes_allocated as u64;
    let work = hcl_lr::internal::work::steps() - before;
    let name: String = name.chars().take(90).collect();
    let (steps, bytes) = (meter.steps(), meter.bytes());
    println!("{steps:9} steps {work:10} of work {bytes:10} bytes {allocated:10} allocated: {name}");
    let problem = match result {
        _ if steps > STEPS || bytes > BYTES => "more is counted than allowed".to_owned(),
        _ if work > WORK_PER_STEP * STEPS => format!("{work} steps of work"),
        _ if allocated > ALLOCATED => format!("{allocated} bytes are allocated"),
        Ok(()) if meter.exceeded().is_none() => return Ok(false),
        Ok(()) => "a limit is exceeded, and nothing says so".to_owned(),
        Err(errors) => {
            let limits = errors.iter().filter(|error| error.code().as_str() == "limit-exceeded").count();
            let shown = errors.to_string();
            match (limits, meter.exceeded()) {
                // Something else is wrong with it, which is found soon.
                (0, None) => return Ok(false),
                (1, Some(_)) if errors.len() > 1 || shown.len() < 1_000 => return Ok(true),
                _ => shown.chars().take(300).collect(),
            }
        }
    };
    Err(format!("{name}: {problem} ({:?})", meter.exceeded()))
}

/// An expression of a table, and whether it ends of itself.
struct Line {
    written: String,
    text: String,
    ends: bool,
}

impl Line {
    fn read(line: &str) -> Line {
        let written = line.to_owned();
        let (line, ends) = line.strip_prefix("done: ").map_or((line, false), |line| (line, true));
        let parts: Vec<&str> = line.split(" -> ").collect();
        let mut words = line.splitn(3, ' ');
        let count = words.next().and_then(|word| word.parse::<usize>().ok());
        let text = match (count, words.next(), &parts[..]) {
            (Some(times), Some("times"), [first, step, end]) => {
                let start = first.splitn(3, ' ').nth(2).expect("what it begins with");
                let loops = format!("[for x in [{step}]: ").repeat(times);
                format!("[for x in [{start}]: {loops}{end}{}", "][0]".repeat(times + 1))
            }
            (Some(levels), Some("deep"), [first, inner, close]) => {
                let open = first.splitn(3, ' ').nth(2).expect("what it begins with");
                format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))
            }
            (Some(count), Some("each"), [first, element, close]) => {
                let open = first.splitn(3, ' ').nth(2).expect("what it begins with");
                let elements: String = (0..count).map(|number| element.replace('#', &number.to_string())).collect();
                format!("{open}{elements}{close}")
            }
            _ => line.to_owned(),
        };
        Line { written, text, ends }
    }

    fn evaluated(&self, turn: &Turn) -> Ended {
        let parsed = parse::<Expression>(("hostile", self.text.as_str())).into_result();
        let expression = parsed.unwrap_or_else(|errors| panic!("{}: {errors}", self.text));
        let ended = ends(turn, &self.written, scope(), |scope| expression.evaluate(scope).map(drop))?;
        as_expected(&self.written, ended, self.ends)
    }
}

/// With smaller limits, a case that would end by itself may be stopped.
fn as_expected(name: &str, ended: bool, ends: bool) -> Ended {
    match (ended, ends) {
        (false, false) => Err(format!("{name:.90}: it ends of itself")),
        (true, true) if !cfg!(debug_assertions) => Err(format!("{name:.90}: it does not end of itself")),
        _ => Ok(ended),
    }
}

/// The expressions of a table.
#[track_caller]
fn table(name: &str) {
    // Other work here would count for other tests.
    let turn = Turn::take();
    let text = std::fs::read_to_string(format!("{INPUTS}/{name}.txt")).expect("a table");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("# "));
    check(lines.map(|line| Line::read(line).evaluated(&turn)).collect());
}

/// Reports all errors, and returns the number of stopped cases.
#[track_caller]
fn check(ended: Vec<Ended>) -> usize {
    let wrong: Vec<&str> = ended.iter().filter_map(|ended| ended.as_ref().err().map(String::as_str)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let count = ended.iter().filter(|ended| **ended == Ok(true)).count();
    println!("{count} of {} were ended", ended.len());
    count
}

/// A test for each table.
macro_rules! tables {
    ($($(#[$comment:meta])* $test:ident: $name:literal,)*) => {
        $(
            $(#[$comment])*
            #[test]
            fn $test() {
                table($name);
            }
        )*

        #[test]
        fn each_table_is_read() {
            let mut known = vec![$($name),*];
            known.sort_unstable();
            assert_eq!(inputs("txt"), known);
        }
    };
}

tables! {
    texts: "texts",
    collections: "collections",
    /// A value that exists once and is found in many places.
    shared_values: "shared",
    attempts: "attempts",
    numbers: "numbers",
    conversions: "conversions",
    documents: "documents",
    functions_in_loops: "functions",
    /// Regular expressions: patterns that are large when compiled, and searches that examine much more than they
    /// match.
    patterns: "patterns",
    /// The texts of types.
    types: "types",
}

/// The module in a folder, with those that it calls beside it.
fn module_in(folder: &Path) -> LoadedModule {
    let folder = folder.canonicalize().expect("a folder");
    let text = std::fs::read_to_string(folder.join("main.tf")).expect("a file");
    let document = parse::<ConfigFile>(text).into_result().expect("a file without errors");
    LoadedModule::new(folder.to_string_lossy(), [document])
}

/// Instances of modules and resources are charged, those of modules in modules too.
#[test]
fn modules() {
    // Other work here would count for other tests.
    let turn = Turn::take();
    let mut folders: Vec<_> =
        std::fs::read_dir(files_folder()).expect("the folder").map(|entry| entry.expect("one").path()).collect();
    folders.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("modules-")));
    folders.sort();
    assert!(folders.len() > 10, "{folders:?}");
    let mut ended = Vec::new();
    for folder in folders {
        let text = std::fs::read_to_string(folder.join("main.tf")).expect("a file");
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let main = parse::<ConfigFile>(&*text).into_result().expect("a file without errors");
        let loader = |call: &ModuleCall<'_>| {
            let from = call.caller().map_or(folder.clone(), PathBuf::from);
            Loaded::Module(module_in(&from.join(call.source())))
        };
        let definitions = Definitions::with_modules(&crate::cases::roles_of("terraform"), [main], &loader).into_value();
        let (scope, meter) = within(Scope::new().with_functions(functions::extended()));
        let allocated = turn.allocated(|| drop(definitions.evaluate(&scope))).bytes_allocated as u64;
        let (steps, bytes) = (meter.steps(), meter.bytes());
        println!("{steps:9} steps {bytes:10} bytes {allocated:10} allocated: {name}");
        ended.push(match steps > STEPS || bytes > BYTES || allocated > ALLOCATED {
            true => Err(format!("{name}: {steps} steps, {bytes} bytes, {allocated} allocated")),
            false => as_expected(&name, meter.exceeded().is_some(), !text.starts_with("# limit-exceeded")),
        });
    }
    check(ended);
}

/// The names of the inputs that are files of a kind.
fn inputs(extension: &str) -> Vec<String> {
    let folder = if extension == "txt" { Path::new(INPUTS) } else { files_folder() };
    let entries = std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let mut names: Vec<String> = entries
        .filter(|path| path.extension().is_some_and(|other| other == extension))
        .map(|path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Bodies are decoded and expanded, and templates and documents evaluated, on one account.
#[test]
fn files() {
    // Other work here would count for other tests.
    let turn = Turn::take();
    let mut ended = Vec::new();
    for name in inputs("hcldec") {
        let spec = parse_file::<Body>(files_folder().join(format!("{name}.hcldec"))).into_result().expect("a spec");
        let spec = SpecFile::from_body(&spec).into_result().expect("a spec");
        let body = parse_file::<Body>(files_folder().join(format!("{name}.hcl"))).into_result().expect("a body");
        let scope = scope().with_functions(functions::extended().with_all(spec.functions()));
        let result = ends(&turn, &name, scope, |scope| {
            let body = if name.starts_with("dynamic") { expand(body, scope) } else { body };
            spec.spec().decode(&body, scope).into_result().map(drop)
        });
        ended.push((name, result));
    }
    for name in inputs("json") {
        let body = parse_file::<Body>(files_folder().join(format!("{name}.json"))).into_result().expect("a document");
        let attributes = body.attributes().into_result().expect("attributes");
        let result = ends(&turn, &name, scope(), |scope| {
            attributes.iter().try_for_each(|attribute| attribute.evaluate(scope).map(drop))
        });
        ended.push((name, result));
    }
    for name in inputs("tftpl") {
        let template =
            parse_file::<Template>(files_folder().join(format!("{name}.tftpl"))).into_result().expect("a template");
        let result = ends(&turn, &name, scope(), |scope| template.evaluate(scope).map(drop));
        ended.push((name, result));
    }
    check(ended.into_iter().map(|(name, ended)| as_expected(&name, ended?, false)).collect());
}

/// Constant parts of files are evaluated for queries, on one account for each file.
#[test]
fn queries() {
    // Other work here would count for other tests.
    let turn = Turn::take();
    let names: Vec<String> = inputs("hcl").into_iter().filter(|name| name.starts_with("query-")).collect();
    assert!(!names.is_empty());
    for name in names {
        let text = std::fs::read_to_string(files_folder().join(format!("{name}.hcl"))).expect("a file");
        let file = hcl_lr::parse::<hcl_lr::File>(&text).into_result().expect("a file without errors");
        let condition = parse::<Expression>("has(nothing)").into_result().expect("a condition");
        let limits = Limits::new().max_steps(STEPS).max_bytes(BYTES);
        let query = Query::new(Address::root().deep()).with_condition(condition).with_limits(limits);
        let before = hcl_lr::internal::work::steps();
        let mut answer = QueryResult::default();
        let allocated = turn.allocated(|| answer = query.run(Subject::Native(&file))).bytes_allocated as u64;
        let work = hcl_lr::internal::work::steps() - before;
        assert!(work <= WORK_PER_STEP * STEPS && allocated <= ALLOCATED, "{name}: {work} of work, {allocated} bytes");
        let codes: Vec<&str> = answer.diagnostics().iter().map(|error| error.code().as_str()).collect();
        assert_eq!((codes, answer.is_complete()), (vec!["limit-exceeded"], false), "{name}");
    }
}

/// Functions of files may see themselves.
#[test]
fn functions_that_call_themselves() {
    // Other work here would count for other tests.
    let turn = Turn::take();
    static WITHIN: OnceLock<Arc<Scope<'static>>> = OnceLock::new();
    let text = r#"
function "twice" {
  params = [x]
  result = [twice(x), twice(x)]
}
function "longer" {
  params = [x]
  result = longer("${x}${x}")
}
function "tries" {
  params = [x]
  result = try(tries(x).a, tries(x).b, tries(x).c)
}
function "loops" {
  params = [x]
  result = [for y in [1, 2, 3]: loops([x, y])]
}
function "asks" {
  params = [x]
  result = can(asks(x)) ? asks(x) : asks([x])
}
"#;
    let body = parse::<Body>(("functions", text)).into_result().expect("definitions");
    let seen = || WITHIN.get().cloned().unwrap_or_default();
    let (own, _rest) = user_functions(&body, "function", seen).into_result().expect("functions");
    let scope = Scope::new().with_functions(functions::standard().with_all(&own));
    WITHIN.set(Arc::new(scope.clone())).expect("it is set once");
    let calls = ["twice(1)", "longer(\"x\")", "tries({})", "loops(1)", "asks(1)"];
    let ended = calls.map(|text| {
        let expression = parse::<Expression>(("hostile", text)).into_result().expect("an expression");
        ends(&turn, text, scope.clone(), |scope| expression.evaluate(scope).map(drop))
    });
    assert_eq!(check(ended.into()), calls.len());
}
