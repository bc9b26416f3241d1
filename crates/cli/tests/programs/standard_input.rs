//! Each command with each kind of standard input: what it reads, and what it says if that is not clear.
//!
//! `fixtures/cli/standard-input.md` has the answers; `UPDATE_GOLDEN=1` writes them.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use super::cli::{FIXTURES, Scratch, hcl, text};
use super::support::golden::Golden;

/// The commands that read files, with what they need besides them.
const COMMANDS: [(&str, &[&str]); 17] = [
    ("check", &[]),
    ("fmt", &[]),
    ("get", &["locals.a"]),
    ("query", &["locals.a"]),
    ("set", &["locals.a", "2"]),
    ("rm", &["locals.a"]),
    ("mv", &["locals.a", "locals.b"]),
    ("append", &["locals", "b = 1"]),
    ("comment", &["locals.a", "One."]),
    ("refs", &["local.a"]),
    ("graph", &[]),
    ("eval", &[]),
    ("convert", &[]),
    ("tokens", &[]),
    ("ast", &[]),
    ("template", &[]),
    ("decode", &["--spec", "all.hcldec"]),
];

/// The commands that read no files in HCL, or something else from standard input.
const OTHERS: [&str; 13] = [
    "explain",
    "console",
    "functions",
    "grammar",
    "schema",
    "conformance",
    "lsp",
    "completions",
    "man",
    "diff",
    "merge",
    "providers",
    "help",
];

const TEXT: &str = "locals {\n   a = 1\n}\n";

/// Runs a command in a folder with one file, and tells what came out.
fn answer(command: &str, args: &[&str], path: Option<&str>, input: &str) -> String {
    let scratch = Scratch::new(&format!("standard-input-{command}"));
    scratch.write("main.tf", TEXT);
    scratch.write(
        "all.hcldec",
        "block {\n  block_type = \"locals\"\n  object {\n    attr \"a\" {\n      type = number\n    }\n  }\n}\n",
    );
    scratch.write("input", TEXT);
    let mut program = hcl();
    program.current_dir(&scratch.0).arg(command).args(args).args(path);
    let output: Output = match input {
        "pipe" => {
            let mut child = program
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the program starts");
            let mut stdin = child.stdin.take().expect("its standard input");
            // It need not read.
            let _ = stdin.write_all(TEXT.as_bytes());
            drop(stdin);
            child.wait_with_output().expect("the program ends")
        }
        "file" => {
            let file = File::open(scratch.path("input")).expect("the file");
            program.stdin(file).output().expect("the program runs")
        }
        _ => program.stdin(Stdio::null()).output().expect("the program runs"),
    };
    let first = |bytes: &[u8]| text(bytes).lines().find(|line| !line.is_empty()).unwrap_or("").to_owned();
    let changed = fs::read_to_string(scratch.path("main.tf")).expect("the file") != TEXT;
    let mut parts = vec![format!("status {}", output.status.code().expect("no signal"))];
    parts.extend(changed.then(|| "main.tf is changed".to_owned()));
    parts.extend(Some(first(&output.stdout)).filter(|line| !line.is_empty()).map(|line| format!("prints `{line}`")));
    parts.extend(Some(first(&output.stderr)).filter(|line| !line.is_empty()).map(|line| format!("says `{line}`")));
    parts.join(", ")
}

#[test]
fn commands_say_which_input_they_read() {
    let mut found = String::from(
        "# Each command with each kind of standard input\n\n\
         The folder has the file `main.tf`, and standard input, where it is not empty, the same text. `crates/cli/tests/programs/standard_input.rs`\n\
         runs the commands.\n",
    );
    for (command, args) in COMMANDS {
        found.push_str(&format!("\n## hcl {}\n\n", [&[command], args].concat().join(" ")));
        for (name, path, input) in [
            ("the null device", None, "null"),
            ("a pipe", None, "pipe"),
            ("a file", None, "file"),
            ("a pipe, and `-`", Some("-"), "pipe"),
            ("the null device, and `-`", Some("-"), "null"),
            ("a pipe, and `.`", Some("."), "pipe"),
        ] {
            found.push_str(&format!("- {name}: {}\n", answer(command, args, path, input)));
        }
    }
    let mut golden = Golden::new();
    golden.check(&Path::new(FIXTURES).join("standard-input.md"), &found);
    golden.finish();
}

#[test]
fn no_command_is_left_out() {
    let output = hcl().arg("--help").output().expect("the program runs");
    let help = text(&output.stdout);
    let (_, commands) = help.split_once("Commands:\n").expect("the commands");
    let names = commands.lines().take_while(|line| !line.is_empty());
    let names = names.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<&str> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > COMMANDS.len(), "{names:?}");
    for name in names {
        let known = COMMANDS.iter().any(|(command, _)| *command == name) || OTHERS.contains(&name);
        assert!(known, "`hcl {name}` is not tried with all kinds of standard input");
    }
}
