//! Every construct of the language many times, and nested as deep as it may be, through every command: each run ends by
//! itself, with a status that a person can read, and says nothing of a bug.
//!
//! `HCL_REPEAT=100000` in the environment repeats so often, and `HCL_REPEAT_TIME=/usr/bin/time` measures each run
//! with GNU time, and `HCL_PROGRAM=target/release/hcl` takes another program. They print a table: `cargo test --all-features --test programs repetition -- --nocapture`.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The number of repetitions of each construct, unless the environment overrides it. Each then goes through one command
/// of three, and the next construct through the next one.
const COUNT: usize = 500;
const STRIDE: usize = 3;

/// Levels of nesting that the parser accepts by default, with some for what is around them.
const LEVELS: usize = 990;

/// A text with something many times in it.
struct Construct {
    name: &'static str,
    /// The end of the name of its file, which tells the syntax.
    extension: &'static str,
    text: String,
}

/// A text with a part that is repeated; `#` stands for its number.
fn repeated(first: &str, part: &str, last: &str, count: usize) -> String {
    let mut text = first.to_owned();
    for number in 0..count {
        text += &part.replace('#', &number.to_string());
    }
    text + last
}

fn nested(first: &str, open: &str, inner: &str, close: &str, last: &str, levels: usize) -> String {
    format!("{first}{}{inner}{}{last}", open.repeat(levels), close.repeat(levels))
}

/// A value that nests much deeper than the text that makes it: each of 39 loops puts 250 levels around it.
fn deep_value(open: &str, close: &str) -> String {
    let step = format!("[for x in [{}x{}]: ", open.repeat(250), close.repeat(250));
    format!("a = [for x in [1]: {}x{}\nb {{\n  c = 1\n}}\n", step.repeat(39), "][0]".repeat(40))
}

fn constructs(count: usize) -> Vec<Construct> {
    let many = |name, first: &str, part: &str, last: &str| (name, "hcl", repeated(first, part, last, count));
    let deep = |name, open: &str, inner: &str, close: &str| {
        (name, "hcl", nested("a = ", open, inner, close, "\nb {\n  c = 1\n}\n", LEVELS))
    };
    let json = |name, first: &str, part: &str, last: &str| (name, "json", repeated(first, part, last, count));
    let all = vec![
        many("labels", "a = 1\nb", " \"l#\"", " {\n  c = later\n}\n"),
        many("attributes", "", "a# = #\n", "a = 1\nb {\n  c = 1\n}\n"),
        many("equal attributes", "a = 1\n", "b = #\n", ""),
        many("blocks", "a = 1\n", "b {\n  c = #\n}\n", ""),
        many("labelled blocks", "a = 1\n", "b \"l#\" {\n  c = later\n}\n", ""),
        many("one-line blocks", "a = 1\n", "b { c = # }\n", ""),
        many("elements", "a = [", "#, ", "]\nb {\n  c = 1\n}\n"),
        many("unknown elements", "a = [", "later, ", "]\nb {\n  c = 1\n}\n"),
        many("object keys", "a = {\n", "  k# = #\n", "}\nb {\n  c = 1\n}\n"),
        many("equal keys", "a = {\n", "  k = #\n", "}\n"),
        many("operators", "a = 1", " + #", "\nb {\n  c = 1\n}\n"),
        many("unknown operators", "a = later", " + later", "\n"),
        many("logical operators", "a = true", " && true || false", "\n"),
        many("comparisons", "a = 1", " == #", "\n"),
        many("steps", "a = b", ".c", "\nb = {}\n"),
        many("indexes", "a = b", "[0]", "\nb = []\n"),
        many("splats", "a = b", "[*]", "\nb = []\n"),
        many("attribute splats", "a = b", ".*.c", "\nb = []\n"),
        many("comments", "", "# comment #\n", "a = 1\nb {\n  c = 1\n}\n"),
        many("comments in a line", "a = ", "/* # */ ", "1\nb {\n  c = 1\n}\n"),
        many("comments between", "a = 1\n", "// #\n\n", "b {\n  c = 1\n}\n"),
        many("blank lines", "a = 1\n", "\n", "b {\n  c = 1\n}\n"),
        many("parts of a template", "a = \"", "x${#}", "\"\nb {\n  c = 1\n}\n"),
        many("unknown parts", "a = \"", "${later}", "\"\n"),
        many("directives", "a = \"", "%{ if true }x%{ endif }", "\"\n"),
        many("lines of a heredoc", "a = <<-E\n", "  line ${#}\n", "E\nb {\n  c = 1\n}\n"),
        many("escapes", "a = \"", "\\n\\u00e4$${", "\"\n"),
        many("arguments", "a = max(", "#, ", "1)\nb {\n  c = 1\n}\n"),
        many("unknown arguments", "a = max(", "later, ", "1)\n"),
        many("references in a chain", "a0 = 1\n", "a1# = a0 + #\n", "a = a0\n"),
        many("a long name", "a = 1\nb", "x", " = 1\n"),
        many("a long string", "a = \"", "x", "\"\nb = 1\n"),
        many("a long number", "a = 1", "0", "\nb = 1\n"),
        many("combining marks", "a = \"", "\u{308}", "\"\nb = 1\n"),
        many("errors", "a = 1\n", "= #\n", ""),
        many("unknown names", "a = 1\n", "a# = nothing#\n", ""),
        many("unclosed strings", "a = 1\n", "a# = \"\n", ""),
        many("open brackets", "a = ", "[", "\n"),
        many("closing brackets", "a = 1\nb = ", "]", "\n"),
        many("open blocks", "a = 1\n", "b {\n", ""),
        many("open templates", "a = \"", "${\"", "\n"),
        many("negations beyond the limit", "a = ", "!", "true\n"),
        many("conditionals beyond the limit", "a = ", "true ? 1 : ", "1\n"),
        deep("parentheses", "(", "1", ")"),
        deep("tuples", "[", "1", "]"),
        deep("objects", "{ a = ", "later", " }"),
        deep("calls", "try(", "later", ")"),
        deep("conditionals", "true ? ", "1", " : 2"),
        deep("loops", "[for x in [1]: ", "later", "]"),
        deep("negations", "!", "true", ""),
        deep("indexes in indexes", "later[", "0", "]"),
        ("templates", "hcl", nested("a = ", "\"${", "1", "}\"", "\nb = 1\n", LEVELS / 2)),
        ("blocks in blocks", "hcl", nested("a = 1\n", "b {\n", "c = later\n", "}\n", "", LEVELS)),
        json("JSON properties", "{", "\"a#\": #, ", "\"a\": 1, \"b\": {\"c\": 1}}"),
        json("JSON elements", "{\"a\": [", "#, ", "1], \"b\": {\"c\": 1}}"),
        json("equal JSON properties", "{\"a\": 1", ", \"b\": {\"c\": #}", "}"),
        json("parts of a JSON string", "{\"b\": {\"c\": 1}, \"a\": \"", "x${#}", "\"}"),
        json("open JSON brackets", "{\"a\": ", "[", ""),
        json("JSON comments", "", "// #\n", "{\"a\": 1}"),
        ("JSON arrays", "json", nested("{\"a\": ", "[", "1", "]", ", \"b\": {\"c\": 1}}", LEVELS)),
        ("JSON objects", "json", nested("", "{\"b\": ", "1", "}", "", LEVELS)),
    ];
    let all = all.into_iter().chain([
        ("values of 9,750 levels", "hcl", deep_value("[", "]")),
        ("objects of 9,750 levels", "hcl", deep_value("{ k = ", " }")),
    ]);
    let construct = |(name, extension, text)| Construct { name, extension, text };
    all.map(construct).collect()
}

/// The commands, with `FILE` for the file and `SPEC` for a spec of it.
const COMMANDS: [&[&str]; 36] = [
    &["check", "FILE"],
    &["check", "--format", "json", "FILE"],
    &["check", "--format", "sarif", "FILE"],
    &["fmt", "--check", "--diff", "FILE"],
    &["fmt", "FILE"],
    &["tokens", "FILE"],
    &["ast", "FILE"],
    &["ast", "--json", "FILE"],
    &["eval", "FILE"],
    &["eval", "--json", "FILE"],
    &["eval", "--output", "json", "FILE"],
    &["eval", "--output", "table", "FILE"],
    &["eval", "--dynamic", "FILE"],
    &["eval", "--schema", "terraform", "FILE"],
    &["eval", "--expr", "a", "FILE"],
    &["get", "a", "FILE"],
    &["get", "--raw", "b", "FILE"],
    &["get", "--json", "**", "FILE"],
    &["query", "**", "--where", "length(node.path) > 1", "FILE"],
    &["query", "b[*]", "--select", "self", "--json", "FILE"],
    &["query", "**", "--count", "FILE"],
    &["set", "--diff", "a", "2", "FILE"],
    &["set", "--force", "--diff", "b.c", "[1, 2]", "FILE"],
    &["rm", "--diff", "a", "FILE"],
    &["rm", "--all", "--force", "--diff", "b", "FILE"],
    &["mv", "--diff", "a", "z", "FILE"],
    &["append", "--diff", "b", "z = 1", "FILE"],
    &["append", "--diff", ".", "z = 1", "FILE"],
    &["comment", "--diff", "a", "why", "FILE"],
    &["refs", "a", "FILE"],
    &["graph", "FILE"],
    &["graph", "--schema", "terraform", "--json", "FILE"],
    &["convert", "FILE"],
    &["template", "FILE"],
    &["decode", "--spec", "SPEC", "FILE"],
    &["console", "FILE"],
];

const SPEC: &str = "object {\n  attr \"a\" {\n    type = any\n  }\n  block_list \"b\" {\n    block_type = \"b\"\n    object {\n      attr \"c\" {\n        type = any\n      }\n    }\n  }\n}\n";

/// The end of a run.
struct Ended {
    status: Option<i32>,
    errors: String,
    output: usize,
    /// Seconds of a processor and megabytes, if they are measured.
    measured: String,
}

fn run(arguments: &[&str], file: &Path, spec: &Path) -> Ended {
    let program = std::env::var_os("HCL_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_hcl").into());
    let measured = file.with_extension("time");
    let mut command = match std::env::var_os("HCL_REPEAT_TIME") {
        Some(time) => {
            let mut command = Command::new(time);
            command.args(["-q", "-f", "%U %S %M", "-o"]).arg(&measured).arg(program);
            command
        }
        None => Command::new(program),
    };
    for argument in arguments {
        match *argument {
            "FILE" => command.arg(file),
            "SPEC" => command.arg(spec),
            other => command.arg(other),
        };
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program");
    // The console asks for the type of the value, and for all variables.
    let _ = child.stdin.take().expect("standard input").write_all(b":type a\n:vars\na\n");
    let output = child.wait_with_output().expect("its output");
    Ended {
        status: output.status.code(),
        errors: String::from_utf8_lossy(&output.stderr).into_owned(),
        output: output.stdout.len() + output.stderr.len(),
        measured: std::fs::read_to_string(measured).unwrap_or_default(),
    }
}

/// The reason why a run has not ended well.
fn wrong(ended: &Ended, size: usize) -> Option<String> {
    match ended.status {
        None => return Some("it was ended by a signal".to_owned()),
        Some(0..=2) => {}
        Some(other) => return Some(format!("status {other}")),
    }
    let bugs = ["panicked at", "internal error", "please report", "unexpected argument"];
    if let Some(found) = bugs.iter().find(|bug| ended.errors.contains(*bug)) {
        return Some(format!("it says `{found}`: {}", ended.errors.chars().take(300).collect::<String>()));
    }
    // No text grows with the square of the input. At the limit of nesting each level is shown with all below it.
    (ended.output > LEVELS * size + (16 << 20)).then(|| format!("{} bytes of output for {size}", ended.output))
}

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("repetition-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn every_construct_goes_through_every_command() {
    let given = std::env::var("HCL_REPEAT").ok().and_then(|count| count.parse().ok());
    let count = given.unwrap_or(COUNT);
    let folder = folder();
    let spec = folder.join("spec.hcldec");
    std::fs::write(&spec, SPEC).expect("a spec");
    let constructs = constructs(count);
    let all = (0..constructs.len()).flat_map(|construct| (0..COMMANDS.len()).map(move |command| (construct, command)));
    let is_asked = |(construct, command): &(usize, usize)| given.is_some() || (construct + command) % STRIDE == 0;
    let work: Vec<(usize, usize)> = all.filter(is_asked).collect();
    let files: Vec<PathBuf> = (0..constructs.len())
        .map(|number| {
            let file = folder.join(format!("f{number}.{}", constructs[number].extension));
            std::fs::write(&file, &constructs[number].text).expect("a file");
            file
        })
        .collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let results = std::sync::Mutex::new(vec![String::new(); work.len()]);
    let problems = std::sync::Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(&(construct, command)) = work.get(at) else { break };
                    let (Construct { name, text, .. }, command) = (&constructs[construct], COMMANDS[command]);
                    // Each run has a file of its own for what is measured.
                    let file = folder.join(format!("r{at}.{}", constructs[construct].extension));
                    std::fs::copy(&files[construct], &file).expect("a copy");
                    let ended = run(command, &file, &spec);
                    let _ = std::fs::remove_file(&file);
                    if let Some(why) = wrong(&ended, text.len()) {
                        problems.lock().expect("problems").push(format!("{name}: hcl {}: {why}", command.join(" ")));
                    }
                    let status = ended.status.map_or("signal".to_owned(), |status| status.to_string());
                    results.lock().expect("results")[at] = format!("{status} {}", ended.measured.trim());
                }
            });
        }
    });
    if given.is_some() {
        print!("{}", table(&constructs, &results.into_inner().expect("results")));
    }
    let _ = std::fs::remove_dir_all(&folder);
    let mut problems = problems.into_inner().expect("problems");
    problems.sort();
    assert!(problems.is_empty(), "{} of {} runs:\n{}", problems.len(), work.len(), problems.join("\n"));
}

/// The statuses by construct, with the slowest and the largest run of each.
fn table(constructs: &[Construct], results: &[String]) -> String {
    let mut out = String::new();
    for (number, construct) in constructs.iter().enumerate() {
        let rows = &results[number * COMMANDS.len()..(number + 1) * COMMANDS.len()];
        let (mut statuses, mut slowest, mut largest) = (String::new(), (0.0, ""), (0, ""));
        for (row, command) in rows.iter().zip(COMMANDS) {
            let mut words = row.split(' ');
            statuses += words.next().unwrap_or("?");
            let seconds: f64 = words.by_ref().take(2).filter_map(|word| word.parse::<f64>().ok()).sum();
            let kilobytes: u64 = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
            if seconds > slowest.0 {
                slowest = (seconds, command[0]);
            }
            if kilobytes > largest.0 {
                largest = (kilobytes, command[0]);
            }
        }
        let size = construct.text.len() / 1_000;
        let _ = writeln!(
            out,
            "{:30} {size:6} kB  {statuses}  {:6.2} s {:9} {:5} MB {}",
            construct.name,
            slowest.0,
            slowest.1,
            largest.0 / 1_000,
            largest.1
        );
    }
    out
}
