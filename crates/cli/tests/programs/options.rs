//! The options that several commands share: which commands have them, and with which help.
//!
//! `fixtures/cli/options.md` has the table; `UPDATE_GOLDEN=1` writes it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::cli::{FIXTURES, hcl, text};
use crate::support::golden::Golden;

/// The options, with the reason why the other commands do not have them.
const SHARED: [(&str, &str); 13] = [
    (
        "--output",
        "`decode -o` names a file, as in hcldec. `ast`, `grammar` and `conformance run` have one format for programs, \
         `--json`. `schema show`, `docs`, `types`, `infer`, `import` and `from-hcldec` print the text of a file, `json-schema` \
         and `conformance dump` JSON, `template` a text. `console` asks line by line; the others only say how it went",
    ),
    (
        "--json",
        "`decode`, `convert --to json`, `schema json-schema` and `conformance dump` print JSON anyway. The others print the \
         text of a file, or only say how it went",
    ),
    ("--quiet", "The others print no notes"),
    ("--color", "The others print nothing in colours"),
    ("--exclude", "The others read the files that are named, and no folders"),
    (
        "--no-recursive",
        "`graph`, `eval` and `console` read the files of one folder, as the programs do: modules in subfolders are those \
         that are called. The others read no folders",
    ),
    ("--extension", "In `graph`, `eval` and `console`, the language says which files are read. As `--no-recursive`"),
    ("--no-ignore", "As `--extension`"),
    ("--max-steps", "The others evaluate no expressions of the command line or of files"),
    ("--max-memory", "As `--max-steps`"),
    ("--max-nesting", "All commands have it"),
    ("--max-file-size", "All commands have it"),
    ("--root", "All commands have it"),
];

/// The commands of a command, with those of these.
fn commands(of: &[String]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for line in help(of).lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty()) {
        let Some(name) = line.strip_prefix("  ").filter(|line| !line.starts_with(' ')) else { continue };
        let name = name.split_whitespace().next().expect("a name");
        if name != "help" {
            let command = [of, &[name.to_owned()]].concat();
            let inner = commands(&command);
            found.extend(if inner.is_empty() { vec![command] } else { inner });
        }
    }
    found
}

fn help(command: &[String]) -> String {
    let output = hcl().args(command).arg("-h").output().expect("the program runs");
    assert!(output.status.success(), "{command:?}");
    text(&output.stdout).to_owned()
}

/// The options in a help, with their short names and descriptions.
fn options(help: &str) -> BTreeMap<String, String> {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let mut last: Option<String> = None;
    for line in help.lines().skip_while(|line| *line != "Options:").skip(1).take_while(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let name = words.iter().take(2).find_map(|word| word.strip_prefix("--").map(|name| format!("--{name}")));
        match name.filter(|_| words[0].starts_with('-')) {
            Some(name) => {
                let is_syntax = |word: &&&str| word.starts_with(['-', '<', '[']);
                let syntax: Vec<&str> = words.iter().take_while(is_syntax).copied().collect();
                let rest = words[syntax.len()..].join(" ");
                found.insert(name.clone(), format!("`{}`: {rest}", syntax.join(" ")).trim_end().to_owned());
                last = Some(name);
            }
            None => {
                let text =
                    last.as_ref().and_then(|last| found.get_mut(last)).expect("an option before its description");
                write!(text, " {}", words.join(" ")).expect("text");
            }
        }
    }
    let aliases: Vec<(String, String)> = found
        .iter()
        .filter_map(|(name, help)| {
            let alias = help.split_once("[aliases: ")?.1.split([',', ']']).next()?;
            Some((alias.to_owned(), found[name].clone()))
        })
        .collect();
    for (alias, help) in aliases {
        assert!(found.insert(alias.clone(), help).is_none(), "{alias} is an option and an alias");
    }
    found
}

#[test]
fn the_same_option_is_on_all_commands_where_it_has_a_meaning() {
    let all: Vec<(String, BTreeMap<String, String>)> =
        commands(&[]).iter().map(|command| (command.join(" "), options(&help(command)))).collect();
    let mut table = String::from("# Options that commands share\n");
    for (option, why) in SHARED {
        write!(table, "\n## {option}\n\n").expect("text");
        let mut by_help: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let mut without = Vec::new();
        for (command, options) in &all {
            match options.get(option) {
                Some(help) => by_help.entry(help).or_default().push(format!("`{command}`")),
                None => without.push(format!("`{command}`")),
            }
        }
        for (help, commands) in by_help {
            writeln!(table, "- {help}\n  {}", commands.join(", ")).expect("text");
        }
        if !without.is_empty() {
            writeln!(table, "- without: {}", without.join(", ")).expect("text");
        }
        writeln!(table, "- {why}.").expect("text");
    }
    let mut golden = Golden::new();
    golden.check(&Path::new(FIXTURES).join("options.md"), &table);
    golden.finish();
}
