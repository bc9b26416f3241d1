//! Parses command lines, and explains errors in them.

use std::io::{self, IsTerminal};
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Command, Parser};

use super::args::Malformed;
use super::status::Status;
use super::{arguments, hints, terminal};
use hcl_lr::source::Source;
use hcl_lr::source::visible::path as shown;

/// Parses the command line. Its errors are printed with control characters as escape sequences.
pub fn parse<P: Parser>() -> Result<(P, ArgMatches), clap::Error> {
    let parsed = P::command().try_get_matches_from(arguments::all()).and_then(|matches| {
        let parsed = P::from_arg_matches(&matches).map_err(|error| error.format(&mut P::command()))?;
        Ok((parsed, matches))
    });
    parsed.map_err(|error| {
        let visible = arguments::all().into_iter().map(|argument| shown(Path::new(&argument)));
        P::try_parse_from(visible).err().unwrap_or(error)
    })
}

/// Shows the requested help, or the errors of the command line.
pub fn usage(error: &clap::Error, program: &Command) -> Status {
    let text = |is_terminal: bool| match is_terminal && terminal::likes_color() {
        true => error.render().ansi().to_string(),
        false => error.render().to_string(),
    };
    if !error.use_stderr() {
        return terminal::stdout(text(terminal::is_terminal()).as_bytes(), Status::Fine);
    }
    let source = std::error::Error::source(error);
    if let Some(Malformed(diagnostics)) = source.and_then(|source| source.downcast_ref()) {
        terminal::show(diagnostics.clone(), io::stderr().is_terminal() && terminal::likes_color());
        if let Some(tip) = diagnostics.first().and_then(|wrong| hint_for_malformed(wrong.place().source(), program)) {
            terminal::tip(&tip);
        }
        return Status::Failure;
    }
    match unknown_command(error, program).or_else(|| unknown_option(error, program)) {
        Some(message) => terminal::stderr(&message),
        None => terminal::styled(&text(io::stderr().is_terminal())),
    }
    Status::Failure
}

/// Returns a hint for an argument that cannot be read.
fn hint_for_malformed(argument: &Source, program: &Command) -> Option<String> {
    let words: Vec<String> =
        arguments::all().into_iter().skip(1).map(|word| word.into_string().ok()).collect::<Option<_>>()?;
    let command = words.iter().find_map(|word| program.find_subcommand(word))?;
    let rest: Vec<String> = words.iter().skip_while(|word| **word != argument.text()).skip(1).cloned().collect();
    hints::malformed(command.get_name(), argument.name(), argument.text(), &rest)
}

/// Returns the answer to `hcl main.tf`, to the names that other programs use for a command, and to text unlike any
/// command. clap itself answers mere typing errors.
fn unknown_command(error: &clap::Error, program: &Command) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let tip = match word.as_str() {
        "delete" | "del" | "remove" | "unset" => "`hcl rm` removes attributes, blocks, entries and elements".to_owned(),
        "rename" | "move" => "`hcl mv` renames and moves attributes, blocks, entries and elements".to_owned(),
        "add" | "insert" | "create" => "`hcl append` adds attributes, blocks, entries and elements".to_owned(),
        "repl" => "`hcl console` evaluates expressions at a prompt".to_owned(),
        "update" | "change" | "replace" | "edit" => "`hcl set` changes the values of attributes and entries".to_owned(),
        "attribute" | "block" | "body" | "hcledit" => {
            "`hcl get` prints attributes and blocks; `hcl set`, `append`, `mv` and `rm` change them".to_owned()
        }
        "show" | "view" | "cat" | "print" | "output" => {
            "`hcl get` prints the values and blocks at an address, and `hcl eval` the values of files".to_owned()
        }
        "ls" | "list" | "count" | "stats" => {
            "`hcl query '[*]' --output table` lists attributes and blocks, and `--count` counts them".to_owned()
        }
        "compare" | "patch" | "difference" => "`hcl diff` compares files by structure".to_owned(),
        "merge-file" | "mergetool" => "`hcl merge` merges the changes of two sides by structure".to_owned(),
        "fix" => "`hcl check --fix` applies the fixes that are safe".to_owned(),
        "doc" | "docs" => {
            "`hcl schema docs` writes the reference of a language, and `hcl explain` explains errors".to_owned()
        }
        "server" | "language-server" | "serve" => "`hcl lsp` serves an editor".to_owned(),
        "version" => "`hcl --version` prints the version".to_owned(),
        "init" | "plan" | "apply" | "destroy" | "state" => {
            format!("`terraform {word}` or `tofu {word}` does that; `hcl eval` shows the values in files")
        }
        "hcl2json" | "tojson" | "to-json" => "`hcl convert --shape hcl2json` writes the JSON of hcl2json".to_owned(),
        "hcl2tojson" | "python-hcl2" => {
            "`hcl convert --shape python-hcl2` writes the objects of python-hcl2 as JSON".to_owned()
        }
        "json" => "`hcl convert` turns files into JSON, and `hcl eval --json` prints their values".to_owned(),
        "yaml" => "`hcl eval --output yaml` prints the values of files as YAML".to_owned(),
        "validate" | "lint" | "verify" | "parse" => "`hcl check` finds the errors in files".to_owned(),
        "format" => "`hcl fmt` formats files".to_owned(),
        "lex" | "tokenize" | "scan" => "`hcl tokens` shows the tokens of a file".to_owned(),
        "tree" | "dump" => "`hcl ast` shows the tree of a file, with `--json` its meaning as JSON".to_owned(),
        "find" | "search" | "grep" | "select" => "`hcl query` finds parts of files by a condition".to_owned(),
        "completion" => "`hcl completions` prints a script for a shell".to_owned(),
        _ if word == "-" || Path::new(word).exists() => format!("to check it, write `hcl check {word}`"),
        _ if error.get(ContextKind::SuggestedSubcommand).is_some() => return None,
        _ => {
            let names: Vec<_> = program.get_subcommands().map(|command| command.get_name()).collect();
            format!("the commands are {}", names.join(", "))
        }
    };
    Some(format!("error: `{word}` is not a command of hcl\n\n  tip: {tip}\n\nFor more information, try '--help'.\n"))
}

/// Returns the answer to options in the style of other programs: `-check`, `-var`, `--var-file`, `-r`.
fn unknown_option(error: &clap::Error, program: &Command) -> Option<String> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let words: Vec<String> = arguments::all().into_iter().skip(1).map(|word| shown(Path::new(&word))).collect();
    let Some(command) = words.iter().find_map(|word| program.find_subcommand(word)) else {
        let asks = |word: &&String| matches!(word.as_str(), "-v" | "-version" | "--v");
        return words.iter().find(asks).map(|option| not_an_option(option, program.get_name(), "write `--version`"));
    };
    let has_short = |name: &str| {
        command.get_arguments().any(|argument| argument.get_short().is_some_and(|short| name.chars().eq([short])))
    };
    let has = |name: &str| command.get_arguments().any(|argument| argument.get_long() == Some(name));
    words.iter().take_while(|word| *word != "--").find_map(|word| {
        let name = word.strip_prefix('-')?;
        let (is_short, name) = (!name.starts_with('-'), name.trim_start_matches('-'));
        let name = name.split_once('=').map_or(name, |(name, _)| name);
        if has(name) && !is_short || name.is_empty() || is_short && has_short(name) {
            return None;
        }
        let tip = match name {
            "var-file" | "var-files" | "tfvars" | "values" if has("vars") => {
                "`--vars FILE` sets variables from a file".to_owned()
            }
            "no-color" | "nocolor" if has("color") => "write `--color never`".to_owned(),
            "r" if command.get_name() == "query" => "`--output raw` prints strings without quotes".to_owned(),
            "list" if word.ends_with("=false") && has("list") => "names are listed only with `--list`".to_owned(),
            "recursive" | "r" | "R" if has("no-recursive") => {
                "folders are searched with their subfolders; `--no-recursive` leaves these out".to_owned()
            }
            "write" | "w" | "overwrite" | "in-place" | "inplace" | "i" if command.get_name() == "fmt" => {
                "files are written by default; `--check` or `--diff` changes nothing".to_owned()
            }
            "in-place" | "inplace" | "i" if has("dry-run") => {
                "files are changed in place by default; `--diff` changes nothing".to_owned()
            }
            "unused" if command.get_name() == "graph" => {
                "unused names are marked in all forms of the output; `hcl check` warns of them".to_owned()
            }
            "l" if has("list") => "write `--list`".to_owned(),
            "j" if has("json") => "write `--json`".to_owned(),
            "e" if has("expr") => "write `--expr`".to_owned(),
            "jq" if has("json") => "`--json` prints JSON, which can be piped into jq".to_owned(),
            "yaml" if has("to") => "write `--to yaml`".to_owned(),
            "yaml" | "csv" | "table" | "markdown" if has("output") => format!("write `--output {name}`"),
            "name-only" | "brief" if command.get_name() == "diff" => {
                "`--quiet` prints nothing: the exit status is the answer".to_owned()
            }
            _ if is_short && has(name) => format!("write `--{name}`"),
            _ => return None,
        };
        let option = &word[..word.len() - word.split_once('=').map_or(0, |(_, value)| value.len() + 1)];
        Some(not_an_option(option, &format!("hcl {}", command.get_name()), &tip))
    })
}

/// Returns the message about an unknown option of a command.
fn not_an_option(option: &str, command: &str, tip: &str) -> String {
    format!(
        "error: `{option}` is not an option of `{command}`\n\n  tip: {tip}\n\nFor more information, try '--help'.\n"
    )
}
