//! The program `hcl`: its command line and its commands.
//!
//! There is one module for each subcommand. What they share: `input` reads and parses, `terminal`
//! talks to people, `room` sees to it that the stack suffices. What a subcommand was asked for
//! goes to standard output; what is only about doing it (progress, summary, problems with files) goes
//! to standard error, so that the output can always be piped into something else.

mod args;
mod ast;
mod atomic;
mod callers;
mod check;
mod compare;
mod completions;
mod conformance;
mod console;
mod contents;
mod convert;
mod decode;
mod diff;
mod edit;
mod eval;
mod expanded;
mod explain;
mod files;
mod find;
mod fmt;
mod functions;
mod get;
#[cfg(feature = "grammar-kit")]
mod grammar;
mod graph;
mod hcldec;
mod hints;
mod ignoring;
mod input;
mod json_tokens;
mod language;
#[cfg(feature = "language-server")]
mod lsp;
mod man;
mod merge;
mod modules;
mod outside;
mod parallel;
mod partial_values;
mod progress;
mod project;
mod query;
mod reach;
mod replace;
mod resolve;
mod room;
mod root;
mod rows;
mod run;
mod schema;
mod signals;
mod table;
mod template;
mod terminal;
mod tokens;
mod values;
mod variables;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};

use hcl_lr::source::Source;
use hcl_lr::source::visible::path as shown;

pub use hcldec::main as hcldec;

/// The exit status; if several apply, the worst wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    Fine,
    /// There are errors in what was looked at.
    Errors,
    /// The answer to a question such as `--check`, with its exit code.
    Asked(u8),
    /// The command failed: the command line is wrong, or a file cannot be read.
    Failure,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(match status {
            Status::Fine => 0,
            Status::Errors => 1,
            Status::Asked(status) => status,
            Status::Failure => 2,
        })
    }
}

const EXAMPLES: &str = "\
Examples:
  hcl check                        check all HCL files in this folder and below
  hcl check main.tf -              check a file, and standard input
  hcl fmt                          format all files
  hcl get variable.region.default  print the value at an address
  hcl query 'variable[*]' --where '!has(description)'
  hcl ast main.tf                  print the syntax tree of a file
  echo 'a.b + 1' | hcl ast --expression --json -

Exit status:
  0  success
  1  the HCL has errors, or the answer is no
  2  the command line is wrong, or a file cannot be read

`hcl help COMMAND` describes a command.";

/// Check, format, query, edit, evaluate and convert HCL 2 files, as used by
/// Terraform, OpenTofu, Packer, Nomad, Vault, Consul and others
#[derive(Parser)]
#[command(name = "hcl", bin_name = "hcl", version, max_term_width = 80, arg_required_else_help = true)]
#[command(after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    #[command(flatten)]
    file_size: args::FileSize,

    #[command(flatten)]
    nesting: args::Nesting,

    /// Read only files in this folder and below; links and `..` are resolved first
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    /// Find all errors in files, folders or standard input
    Check(check::Args),
    /// Explain the code of an error or a warning
    #[command(after_help = explain::EXAMPLES)]
    Explain(explain::Args),
    /// Format files, folders or standard input
    Fmt(fmt::Args),
    /// Print the values and blocks at an address
    ///
    /// The value of an attribute or object element is printed as it is written, a block as a whole.
    /// All results are printed, in the order of the files.
    Get(get::Args),
    /// Find parts of files that match an address and a condition
    ///
    /// If a condition depends on non-constant values, such as references, the result is undecided.
    /// Undecided matches are listed on standard error.
    Query(query::Args),
    /// Change the values of attributes, entries and elements
    Set(edit::Set),
    /// Remove attributes, blocks, entries and elements
    Rm(edit::Remove),
    /// Rename or move attributes, blocks, entries and elements
    Mv(edit::Move),
    /// Add attributes, blocks, entries or elements
    Append(edit::Append),
    /// Set or remove comments
    Comment(edit::Comment),
    /// Compare files or folders by structure
    Diff(compare::Args),
    /// Merge the changes of two sides by structure
    Merge(merge::Args),
    /// Show the definition of a name and all references to it
    #[command(after_help = graph::REFS_EXAMPLES)]
    Refs(graph::Refs),
    /// Show dependencies between definitions, and unused names
    #[command(after_help = graph::GRAPH_EXAMPLES)]
    Graph(graph::Graph),
    /// Print the tokens of a source
    Tokens(tokens::Args),
    /// Print the syntax tree of a source, or its meaning as JSON
    Ast(ast::Args),
    /// Evaluate a file or an expression and print the values
    #[command(after_help = eval::EXAMPLES)]
    Eval(eval::Args),
    /// Evaluate expressions at a prompt
    Console(console::Args),
    /// Render a template
    #[command(after_help = template::EXAMPLES)]
    Template(template::Args),
    /// List functions, or describe one
    #[command(after_help = functions::EXAMPLES)]
    Functions(functions::Args),
    /// Print the grammar, its use in files, or random sentences
    #[cfg(feature = "grammar-kit")]
    #[command(after_help = grammar::EXAMPLES)]
    Grammar(grammar::Args),
    /// Convert between native syntax and JSON
    #[command(after_help = convert::EXAMPLES)]
    Convert(convert::Args),
    /// Decode files by a spec and print the values as JSON
    #[command(override_usage = "hcl decode --spec <FILE> [OPTIONS] [FILE|-]...", after_help = decode::EXAMPLES)]
    Decode(decode::Args),
    /// Check schemas of languages, and make docs and types from them
    Schema(schema::Args),
    /// Run the conformance suite, or answer its requests
    #[command(after_help = conformance::EXAMPLES, long_about = conformance::ABOUT)]
    Conformance(conformance::Args),
    /// Serve an editor over the Language Server Protocol
    #[cfg(feature = "language-server")]
    #[command(after_help = lsp::EXAMPLES)]
    Lsp(lsp::Args),
    /// Print a shell completion script
    Completions(completions::Args),
    /// Print a manual page in roff format
    Man(man::Args),
}

impl Command {
    /// Returns true if only results and errors are wanted.
    fn is_quiet(&self) -> bool {
        match self {
            Command::Check(args) => args.quiet,
            Command::Fmt(args) => args.quiet.quiet,
            Command::Get(args) => args.files.quiet,
            Command::Query(args) => args.files.quiet,
            Command::Refs(args) => args.quiet.quiet,
            Command::Graph(args) => args.quiet.quiet,
            Command::Set(args) => args.files.quiet.quiet,
            Command::Rm(args) => args.files.quiet.quiet,
            Command::Mv(args) => args.files.quiet.quiet,
            Command::Append(args) => args.files.quiet.quiet,
            Command::Comment(args) => args.files.quiet.quiet,
            Command::Diff(args) => args.quiet,
            Command::Merge(args) => args.quiet.quiet,
            Command::Eval(args) => args.quiet.quiet,
            Command::Template(args) => args.quiet.quiet,
            #[cfg(feature = "grammar-kit")]
            Command::Grammar(args) => args.quiet.quiet,
            Command::Convert(args) => args.quiet.quiet,
            Command::Schema(args) => args.is_quiet(),
            _ => false,
        }
    }

    fn run(&self) -> Status {
        match self {
            Command::Check(args) => outcome(check::run(args)),
            Command::Explain(args) => explain::run(args),
            Command::Fmt(args) => outcome(fmt::run(args)),
            Command::Get(args) => outcome(get::run(args)),
            Command::Query(args) => outcome(query::run(args)),
            Command::Refs(args) => outcome(graph::refs(args)),
            Command::Graph(args) => outcome(graph::run(args)),
            Command::Set(args) => outcome(args.run()),
            Command::Rm(args) => outcome(args.run()),
            Command::Mv(args) => outcome(args.run()),
            Command::Append(args) => outcome(args.run()),
            Command::Comment(args) => outcome(args.run()),
            Command::Diff(args) => outcome(compare::run(args)),
            Command::Merge(args) => outcome(merge::run(args)),
            Command::Tokens(args) => tokens::run(args),
            Command::Ast(args) => ast::run(args),
            Command::Eval(args) => outcome(eval::run(args)),
            Command::Console(args) => outcome(console::run(args)),
            Command::Template(args) => outcome(template::run(args)),
            Command::Functions(args) => outcome(functions::run(args)),
            #[cfg(feature = "grammar-kit")]
            Command::Grammar(args) => grammar::run(args),
            Command::Convert(args) => outcome(convert::run(args)),
            Command::Decode(args) => decode::run(args),
            Command::Schema(args) => outcome(schema::run(args)),
            Command::Conformance(args) => conformance::run(args),
            #[cfg(feature = "language-server")]
            Command::Lsp(args) => lsp::run(args),
            Command::Completions(args) => completions::run(args),
            Command::Man(args) => outcome(man::run(args)),
        }
    }
}

/// Turns an `Err` into a printed failure and `Status::Failure`.
fn outcome(result: Result<Status, String>) -> Status {
    result.unwrap_or_else(|why| {
        terminal::failure(&why);
        Status::Failure
    })
}

/// Runs the program `hcl` and returns its exit status.
pub fn main() -> ExitCode {
    signals::watch();
    let (max_nesting, command) = match parse::<Cli>() {
        Ok(cli) => {
            cli.file_size.apply();
            if let Some(Err(why)) = cli.root.as_deref().map(root::set) {
                terminal::failure(&why);
                return Status::Failure.into();
            }
            (cli.nesting.apply(), cli.command)
        }
        Err(error) => return usage(&error).into(),
    };
    terminal::set_quiet(command.is_quiet());
    let status = room::with_stack_for(max_nesting, || command.run());
    if matches!(status, Status::Errors | Status::Failure) && !terminal::is_quiet() {
        hint(status == Status::Errors);
    }
    status.into()
}

/// Shows a hint if a command that failed, or found nothing, may have been meant otherwise.
fn hint(found_nothing: bool) {
    let mut program = Cli::command();
    let Ok(matches) = program.try_get_matches_from_mut(std::env::args_os()) else { return };
    if let Some(tip) = hints::after(&program, &matches, found_nothing) {
        terminal::tip(&tip);
    }
}

/// Parses the command line. Its errors are printed with control characters as escape sequences.
fn parse<P: Parser>() -> Result<P, clap::Error> {
    P::try_parse().map_err(|error| {
        let visible = std::env::args_os().map(|argument| shown(Path::new(&argument)));
        P::try_parse_from(visible).err().unwrap_or(error)
    })
}

/// Shows the requested help, or the errors of the command line.
fn usage(error: &clap::Error) -> Status {
    let text = |is_terminal: bool| match is_terminal && terminal::likes_color() {
        true => error.render().ansi().to_string(),
        false => error.render().to_string(),
    };
    if !error.use_stderr() {
        return terminal::stdout(text(terminal::is_terminal()).as_bytes(), Status::Fine);
    }
    let source = std::error::Error::source(error);
    if let Some(args::Malformed(diagnostics)) = source.and_then(|source| source.downcast_ref()) {
        terminal::show(diagnostics.clone(), io::stderr().is_terminal() && terminal::likes_color());
        if let Some(tip) = diagnostics.first().and_then(|wrong| hint_for_malformed(wrong.place().source())) {
            terminal::tip(&tip);
        }
        return Status::Failure;
    }
    match unknown_command(error).or_else(|| unknown_option(error)) {
        Some(message) => terminal::stderr(&message),
        None => terminal::styled(&text(io::stderr().is_terminal())),
    }
    Status::Failure
}

/// Returns a hint for an argument that cannot be read.
fn hint_for_malformed(argument: &Source) -> Option<String> {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.into_string().ok()).collect::<Option<_>>()?;
    let commands = Cli::command();
    let command = words.iter().find_map(|word| commands.find_subcommand(word))?;
    let rest: Vec<String> = words.iter().skip_while(|word| **word != argument.text()).skip(1).cloned().collect();
    hints::malformed(command.get_name(), argument.name(), argument.text(), &rest)
}

/// The answer to `hcl main.tf`, to the names that other programs have for the same thing, and to
/// what is like no command at all. For a mere typing error clap has an answer.
fn unknown_command(error: &clap::Error) -> Option<String> {
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
            let commands = Cli::command();
            let names: Vec<_> = commands.get_subcommands().map(|command| command.get_name()).collect();
            format!("the commands are {}", names.join(", "))
        }
    };
    Some(format!("error: `{word}` is not a command of hcl\n\n  tip: {tip}\n\nFor more information, try '--help'.\n"))
}

/// The answer to options as other programs write them: `-check`, `-var`, `--var-file`, `-r`.
fn unknown_option(error: &clap::Error) -> Option<String> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| shown(Path::new(&word))).collect();
    let commands = Cli::command();
    let Some(command) = words.iter().find_map(|word| commands.find_subcommand(word)) else {
        let asks = |word: &&String| matches!(word.as_str(), "-v" | "-version" | "--v");
        return words.iter().find(asks).map(|option| not_an_option(option, "hcl", "write `--version`"));
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

/// The message about an option that a command does not have.
fn not_an_option(option: &str, command: &str, tip: &str) -> String {
    format!(
        "error: `{option}` is not an option of `{command}`\n\n  tip: {tip}\n\nFor more information, try '--help'.\n"
    )
}
