//! The commands and options that the documentation names exist: those of `hcl` and `hcldec` are in their help.
//!
//! `guides.rs` runs the commands of some guides. This checks all of them, also those within sentences.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use super::cli::{hcl, text};
use crate::support::markdown;

/// Options in the documentation that are not ours, with their owners.
const OTHERS: &[(&str, &[&str])] = &[
    ("Terraform, which gets a hint", &["--var-file"]),
    ("an option that another one replaces", &["--like"]),
    ("hq", &["--with-comments"]),
    ("no option, but HCL", &["--n"]),
];

/// The options of a command, and its subcommands.
#[derive(Default)]
struct Command {
    options: BTreeSet<String>,
    subcommands: BTreeSet<String>,
}

/// The words `--name` of a text, and `-x`.
fn options_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_');
    words.filter(|word| {
        let name = word.trim_start_matches('-');
        let dashes = word.len() - name.len();
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && (dashes == 2 || dashes == 1 && name.len() == 1)
    })
}

fn help(output: std::process::Output, name: &str) -> Command {
    assert!(output.status.success(), "{name}");
    let help = text(&output.stdout).to_owned();
    let subcommands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let subcommands = subcommands.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    Command {
        options: options_in(&help).map(str::to_owned).collect(),
        subcommands: subcommands.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect(),
    }
}

/// Collects the commands below this one, with their names.
fn collect(name: &[String], found: &mut BTreeMap<String, Command>) {
    let command = help(hcl().args(name).arg("--help").output().expect("the program runs"), &name.join(" "));
    for subcommand in command.subcommands.iter().filter(|subcommand| *subcommand != "help") {
        collect(&[name, std::slice::from_ref(subcommand)].concat(), found);
    }
    found.insert(name.join(" "), command);
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The documents at the top and in `docs`, and the first page of each package.
fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in [root(), root().join("docs"), root().join("tests"), root().join("grammar")] {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        found.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    let packages = fs::read_dir(root().join("crates")).expect("a folder").map(|entry| entry.expect("an entry").path());
    found.extend(
        packages
            .flat_map(|package| ["README.md", "PROTOCOL.md"].map(|name| package.join(name)))
            .filter(|path| path.exists()),
    );
    found.sort();
    found
}

/// The command lines of a document: lines in fences, and inline code, each with its line.
fn lines(text: &str) -> Vec<(usize, String)> {
    let mut lines = markdown::spans(text);
    lines.extend(markdown::fenced(text).into_iter().map(|(line, text)| (line, text.to_owned())));
    lines
}

/// Returns the parts of a line that are commands of `hcl`, without this word.
fn commands_in(line: &str) -> Vec<Vec<String>> {
    let line = line.trim_start_matches("$ ").split(" # ").next().unwrap_or_default();
    let mut commands = Vec::new();
    for part in line.split(['|', ';', '&']) {
        let words: Vec<String> = part.split_whitespace().map(str::to_owned).collect();
        let start = usize::from(words.first().is_some_and(|word| word == "cargo"));
        if words.get(start).is_some_and(|word| word == "hcl") && words.len() > start + 1 {
            // `hcl help COMMAND` names a command.
            let start = start + usize::from(words[start + 1] == "help");
            commands.push(words[start + 1..].to_vec());
        }
    }
    commands
}

/// Describes the command and the options of a command line that do not exist.
fn mistakes(words: &[String], commands: &BTreeMap<String, Command>) -> Vec<String> {
    let (mut name, mut rest) = (String::new(), words);
    while let [word, after @ ..] = rest
        && commands[&name].subcommands.contains(word)
    {
        name = format!("{name} {word}").trim().to_owned();
        rest = after;
    }
    let command = &commands[&name];
    let mut mistakes = Vec::new();
    if let Some(word) = rest.first()
        && !command.subcommands.is_empty()
        && word.chars().all(|c| c.is_ascii_lowercase())
    {
        mistakes.push(format!("`hcl {name}` has no command `{word}`"));
    }
    let options = rest.iter().take_while(|word| *word != "--").filter(|word| word.starts_with('-'));
    let unknown = options.flat_map(|word| options_in(word).take(1)).filter(|option| !command.options.contains(*option));
    mistakes.extend(unknown.map(|option| format!("`hcl {name}` has no option {option}")));
    mistakes
}

#[test]
fn documented_commands_and_options_exist() {
    let mut commands = BTreeMap::new();
    collect(&[], &mut commands);
    let mut all: BTreeSet<String> = commands.values().flat_map(|command| command.options.iter().cloned()).collect();
    let hcldec = std::process::Command::new(env!("CARGO_BIN_EXE_hcldec")).arg("--help").output();
    all.extend(help(hcldec.expect("the program runs"), "hcldec").options);
    let mut others: BTreeMap<&str, bool> =
        OTHERS.iter().flat_map(|(_, options)| options.iter().map(|option| (*option, false))).collect();
    let (mut wrong, mut checked) = (String::new(), 0);
    for path in documents() {
        let name = path.strip_prefix(root()).expect("a document").display().to_string();
        for (line, text) in lines(&fs::read_to_string(&path).expect("a document")) {
            for words in commands_in(&text) {
                checked += 1;
                for mistake in mistakes(&words, &commands) {
                    let _ = writeln!(wrong, "{name}:{line}: {mistake}: {text}");
                }
            }
            if text.starts_with("--") {
                checked += 1;
                for option in options_in(&text).take(1) {
                    match others.get_mut(option) {
                        Some(used) => *used = true,
                        None if all.contains(option) => {}
                        None => drop(writeln!(wrong, "{name}:{line}: no command has the option {option}: {text}")),
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "commands and options in the documentation that do not exist:\n{wrong}");
    let unused: Vec<&&str> = others.iter().filter(|(_, used)| !**used).map(|(option, _)| option).collect();
    assert!(unused.is_empty(), "no document names these options, so remove the exceptions: {unused:?}");
    assert!(checked > 300, "only {checked} commands and options were found");
}

#[test]
fn commands_are_found_in_lines() {
    let found = |line: &str| commands_in(line).into_iter().map(|words| words.join(" ")).collect::<Vec<_>>();
    assert_eq!(found("$ cat a.hcl | hcl fmt - # hcl eval"), ["fmt -"]);
    assert_eq!(found("cargo hcl check a && hcl get b"), ["check a", "get b"]);
    assert_eq!(found("hcl = 1"), ["= 1"]);
    assert_eq!(
        options_in("-q, --quiet=<A-B> `--max-file-size`").collect::<Vec<_>>(),
        ["-q", "--quiet", "--max-file-size"]
    );
}
