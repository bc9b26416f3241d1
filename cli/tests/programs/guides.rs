//! The commands in `docs/*.md` print what stands there.
//!
//! Each file in a fence whose info string ends with a name is written into a folder. In a fence `console`, `$ `
//! begins a command, and what follows is what it prints: its output, then what it says on standard error. A line
//! that begins with `> ` is what is typed at the prompt of the command before it, and the answer follows.
//! `UPDATE_GOLDEN=1` writes what is printed now into the guides.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use super::cli::{hcl, words};
use crate::support::golden::Golden;

/// The guides, each with the least number of commands in it.
const GUIDES: [(&str, usize); 5] =
    [("address.md", 20), ("convert.md", 6), ("edit.md", 20), ("grammar.md", 8), ("query.md", 30)];

/// Returns a guide with the current output of its commands, and the number of commands.
fn replay(guide: &str, folder: &Path) -> (String, usize) {
    let (mut text, mut commands) = (String::new(), 0);
    let mut lines = guide.lines();
    while let Some(line) = lines.next() {
        text += line;
        text.push('\n');
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match info.split_once(' ') {
            Some((_, name)) => {
                fs::write(folder.join(name), block.join("\n") + "\n").expect("a file can be written");
                block.iter().for_each(|line| text += &format!("{line}\n"));
            }
            None if info == "console" => {
                for (at, command) in
                    block.iter().enumerate().filter_map(|(at, line)| Some((at, line.strip_prefix("$ ")?)))
                {
                    commands += 1;
                    let after = block[at + 1..].iter().take_while(|line| !line.starts_with("$ "));
                    let typed: Vec<&str> = after.filter_map(|line| line.strip_prefix("> ")).collect();
                    if !typed.is_empty() {
                        let _ = writeln!(text, "$ {command}");
                        text += &answers(command, &typed, folder);
                        continue;
                    }
                    let mut words = words(command).into_iter();
                    assert_eq!(words.next().as_deref(), Some("hcl"), "{command}");
                    let output = hcl().args(words).current_dir(folder).stdin(Stdio::null()).output();
                    let output = output.expect("the program runs");
                    assert_eq!(output.status.code(), Some(0), "{command}: {}", String::from_utf8_lossy(&output.stderr));
                    let printed = [output.stdout, output.stderr].map(|part| String::from_utf8(part).expect("text"));
                    let printed = printed.concat();
                    let _ = writeln!(text, "$ {command}");
                    printed.trim_end().lines().for_each(|line| text += &format!("{line}\n"));
                }
            }
            None => block.iter().for_each(|line| text += &format!("{line}\n")),
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
        text.push('\n');
        before = now;
    }
    text
}

/// The commands of the README, on the example that it names.
#[test]
fn readme_shows_what_is_printed() {
    let root = crate::support::golden::root();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("guide-readme-{}", std::process::id()));
    for name in ["main.tf", "network/main.tf"] {
        let to = folder.join("examples/terraform").join(name);
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::copy(root.join("examples/terraform").join(name), to).expect("a file can be copied");
    }
    let path = root.join("README.md");
    let (text, commands) = replay(&fs::read_to_string(&path).expect("the README"), &folder);
    fs::remove_dir_all(&folder).expect("the folder can be removed");
    assert!(commands >= 4, "only {commands} commands");
    let mut golden = Golden::new();
    golden.check(&path, &text);
    golden.finish();
}

#[test]
fn guides_show_what_is_printed() {
    let mut golden = Golden::new();
    for (name, least) in GUIDES {
        let path = crate::support::golden::root().join("docs").join(name);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("guide-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let (text, commands) = replay(&fs::read_to_string(&path).expect("the guide"), &folder);
        fs::remove_dir_all(&folder).expect("the folder can be removed");
        assert!(commands >= least, "{name} has only {commands} commands");
        golden.check(&path, &text);
    }
    golden.finish();
}
