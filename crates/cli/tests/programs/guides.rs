//! Runs the commands of the README and of the guides, and compares what they print with the text.
//!
//! Each file in a fence whose info string ends with a name is written into a folder. In a fence `console`, `$ `
//! begins a command, and what follows is what it prints: its output, then what it says on standard error. Its status
//! is 0, or N in a fence `console N`. A line that begins with `> ` is what is typed at the prompt of the command before
//! it, and the answer follows. `UPDATE_GOLDEN=1` writes what is printed now into the guides.
//!
//! The README and some guides run in a folder with a copy of `examples`. There, the commands in fences `sh` run as
//! well and must succeed: `cd FOLDER`, `cp -r FROM TO`, `hcl …` and `cargo hcl …`, with a comment behind ` #`. Other commands
//! must be in the list `NOT_RUN`.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use super::cli::{hcl, words};
use crate::support::golden::Golden;

struct Guide {
    path: &'static str,
    /// The least number of commands in it, and of lines that are typed.
    commands: usize,
    /// It runs beside a copy of the folder `examples`.
    examples: bool,
}

const GUIDES: [Guide; 13] = [
    Guide { path: "README.md", commands: 13, examples: true },
    Guide { path: "docs/address.md", commands: 20, examples: false },
    Guide { path: "docs/console.md", commands: 7, examples: true },
    Guide { path: "docs/convert.md", commands: 6, examples: false },
    Guide { path: "docs/cookbook.md", commands: 60, examples: false },
    Guide { path: "docs/definitions.md", commands: 10, examples: true },
    Guide { path: "docs/diagnostics.md", commands: 1, examples: false },
    Guide { path: "docs/diff.md", commands: 6, examples: false },
    Guide { path: "docs/edit.md", commands: 20, examples: false },
    Guide { path: "docs/format.md", commands: 4, examples: false },
    Guide { path: "docs/grammar.md", commands: 8, examples: false },
    Guide { path: "docs/query.md", commands: 30, examples: false },
    Guide { path: "docs/your-own-language.md", commands: 10, examples: true },
];

/// Commands in fences `sh` that build the project itself.
const NOT_RUN: [&str; 2] = ["cargo install --path crates/cli", "cargo test"];

/// Runs a command with nothing on standard input, and returns what it prints.
fn run(command: &str, status: i32, folder: &Path) -> String {
    let words = words(command);
    assert_eq!(words.first().map(String::as_str), Some("hcl"), "{command}");
    let output = hcl().args(&words[1..]).current_dir(folder).stdin(Stdio::null()).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(status), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    [output.stdout, output.stderr].map(|part| String::from_utf8(part).expect("text")).concat()
}

/// Runs the lines of a fence `sh`, and returns the number of commands that ran.
fn run_script(lines: &[&str], folder: &Path) -> usize {
    let (mut folder, mut commands) = (folder.to_owned(), 0);
    for line in lines {
        let command = line.split(" #").next().unwrap_or_default().trim_end();
        if let Some(name) = command.strip_prefix("cd ") {
            folder.push(name);
        } else if let Some((from, to)) = command.strip_prefix("cp -r ").and_then(|names| names.split_once(' ')) {
            copy(&folder.join(from), &folder.join(to));
        } else if let Some(command) = Some(command.trim_start_matches("cargo ")).filter(|line| line.starts_with("hcl "))
        {
            run(command, 0, &folder);
            commands += 1;
        } else {
            assert!(NOT_RUN.contains(&command), "`{command}` in a guide is run by no test");
        }
    }
    commands
}

/// Returns a guide with the current output of its commands, and the number of commands.
fn replay(guide: &str, folder: &Path, scripts: bool) -> (String, usize) {
    let (mut text, mut commands) = (String::new(), 0);
    let mut lines = guide.lines();
    while let Some(line) = lines.next() {
        text += line;
        text.push('\n');
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let status = if info == "console" {
            Some(0)
        } else {
            info.strip_prefix("console ").map(|status| status.parse().expect("a status"))
        };
        match (info.split_once(' '), status) {
            (Some((_, name)), None) => {
                let path = folder.join(name);
                fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                fs::write(path, block.join("\n") + "\n").expect("a file can be written");
                block.iter().for_each(|line| text += &format!("{line}\n"));
            }
            (_, Some(status)) => {
                for (at, command) in
                    block.iter().enumerate().filter_map(|(at, line)| Some((at, line.strip_prefix("$ ")?)))
                {
                    commands += 1;
                    let after = block[at + 1..].iter().take_while(|line| !line.starts_with("$ "));
                    let typed: Vec<&str> = after.filter_map(|line| line.strip_prefix("> ")).collect();
                    if !typed.is_empty() {
                        commands += typed.len();
                        let _ = writeln!(text, "$ {command}");
                        text += &answers(command, &typed, folder);
                        continue;
                    }
                    let printed = run(command, status, folder);
                    let _ = writeln!(text, "$ {command}");
                    printed.trim_end().lines().for_each(|line| text += &format!("{line}\n"));
                }
            }
            (None, None) => {
                if scripts && info == "sh" {
                    commands += run_script(&block, folder);
                }
                block.iter().for_each(|line| text += &format!("{line}\n"));
            }
        }
        text += "```\n";
    }
    (text, commands)
}

/// Returns the typed lines, each with its answer: the additional output because of it.
fn answers(command: &str, typed: &[&str], folder: &Path) -> String {
    let words = words(command);
    let printed = |count: usize| {
        let input: String = typed[..count].iter().map(|line| format!("{line}\n")).collect();
        let mut program = hcl();
        program.args(&words[1..]).current_dir(folder).stdin(Stdio::piped());
        let mut running = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
        running.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it is read");
        let output = running.wait_with_output().expect("it ends");
        [output.stdout, output.stderr].map(|part| String::from_utf8(part).expect("text"))
    };
    let (mut text, mut before) = (String::new(), printed(0));
    for (index, line) in typed.iter().enumerate() {
        let now = printed(index + 1);
        let _ = writeln!(text, "> {line}");
        for (now, before) in now.iter().zip(&before) {
            text += now.strip_prefix(before.as_str()).expect("answers come one after the other").trim_end();
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
        before = now;
    }
    text
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("a file can be copied");
        }
    }
}

#[test]
fn guides_show_what_is_printed() {
    let (root, mut golden) = (crate::support::golden::root(), Golden::new());
    for Guide { path: name, commands: least, examples } in GUIDES {
        let path = root.join(name);
        let folder = format!("guide-{}-{}", name.replace('/', "-"), std::process::id());
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
        // A guide may use folders beside the checkout.
        let folder = scratch.join("checkout");
        fs::create_dir_all(&folder).expect("a folder");
        if examples {
            copy(&root.join("examples"), &folder.join("examples"));
        }
        let (text, commands) = replay(&fs::read_to_string(&path).expect("the guide"), &folder, examples);
        fs::remove_dir_all(&scratch).expect("the folder can be removed");
        assert!(commands >= least, "{name} has only {commands} commands");
        golden.check(&path, &text);
    }
    golden.finish();
}
