//! The program `hcl`: its command line and its commands.
//!
//! There is one module for each subcommand, with a struct of its arguments that has one method:
//! `run(&self, &Context) -> Result<Status, Error>`. All else that a command needs is in modules below it: `context` has
//! what a run may read and its limits, `input` reads and parses, `terminal` talks to people, `room` provides the stack.
//! The requested output goes to standard output. Progress, summaries and problems with files go to standard error, so
//! that the output can always be piped into another program.

mod args;
mod arguments;
mod ast;
mod atomic;
mod body_values;
mod callers;
mod check;
mod compare;
mod completions;
mod conformance;
mod console;
mod contents;
mod context;
mod convert;
mod decode;
mod diff;
mod disk;
mod edit;
pub mod embed;
mod error;
mod eval;
mod expanded;
mod explain;
mod files;
mod find;
mod fmt;
mod function_help;
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
mod outside;
mod parallel;
mod partial_values;
mod print_document;
mod progress;
mod project;
mod providers;
mod query;
mod reach;
mod replace;
mod resolve;
mod resolved;
mod room;
mod root;
mod rows;
mod run;
mod schema;
mod schema_file;
mod signals;
mod status;
mod table;
mod template;
mod terminal;
mod tokens;
mod usage;
mod values;
mod variables;
mod written_blocks;

use std::iter;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, Parser, Subcommand};

use context::Context;
use error::Error;
use root::Root;
use status::Status;
use terminal::outcome;

pub use hcldec::main as hcldec;

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
    Refs(graph::Refs),
    /// Show dependencies between definitions, and unused names
    Graph(graph::Graph),
    /// Print the tokens of a source
    Tokens(tokens::Args),
    /// Print the syntax tree of a source, or its meaning as JSON
    Ast(ast::Args),
    /// Evaluate a file or an expression and print the values
    Eval(eval::Args),
    /// Evaluate expressions at a prompt
    Console(console::Args),
    /// Render a template
    Template(template::Args),
    /// List functions, or describe one
    Functions(functions::Args),
    /// Print the grammar, its use in files, or random sentences
    #[cfg(feature = "grammar-kit")]
    Grammar(grammar::Args),
    /// Convert between native syntax and JSON
    Convert(convert::Args),
    /// Decode files by a spec and print the values as JSON
    Decode(decode::Args),
    /// Keep the schemas of Terraform's providers in a folder
    Providers(providers::Args),
    /// Check schemas of languages, and make docs and types from them
    Schema(schema::Args),
    Conformance(conformance::Args),
    /// Serve an editor over the Language Server Protocol
    #[cfg(feature = "language-server")]
    Lsp(lsp::Args),
    /// Print a shell completion script
    Completions(completions::Args),
    /// Print a manual page in roff format
    Man(man::Args),
}

impl Command {
    fn run(&self, context: &Context) -> Result<Status, Error> {
        match self {
            Command::Check(args) => args.run(context),
            Command::Explain(args) => args.run(context),
            Command::Fmt(args) => args.run(context),
            Command::Get(args) => args.run(context),
            Command::Query(args) => args.run(context),
            Command::Refs(args) => args.run(context),
            Command::Graph(args) => args.run(context),
            Command::Set(args) => args.run(context),
            Command::Rm(args) => args.run(context),
            Command::Mv(args) => args.run(context),
            Command::Append(args) => args.run(context),
            Command::Comment(args) => args.run(context),
            Command::Diff(args) => args.run(context),
            Command::Merge(args) => args.run(context),
            Command::Tokens(args) => args.run(context),
            Command::Ast(args) => args.run(context),
            Command::Eval(args) => args.run(context),
            Command::Console(args) => args.run(context),
            Command::Template(args) => args.run(context),
            Command::Functions(args) => args.run(context),
            #[cfg(feature = "grammar-kit")]
            Command::Grammar(args) => args.run(context),
            Command::Convert(args) => args.run(context),
            Command::Decode(args) => args.run(context),
            Command::Providers(args) => args.run(context),
            Command::Schema(args) => args.run(context),
            Command::Conformance(args) => args.run(context),
            #[cfg(feature = "language-server")]
            Command::Lsp(args) => args.run(context),
            Command::Completions(args) => args.run(context),
            Command::Man(args) => args.run(context),
        }
    }
}

/// Sets the command line of the programs, with the name of the program, for a process that has another one. Has an effect
/// only once in a process.
pub fn set_arguments(arguments: Vec<std::ffi::OsString>) {
    arguments::give(arguments);
}

/// Returns the command lines of the programs `hcl` and `hcldec`, for their documentation.
pub fn command_lines() -> [clap::Command; 2] {
    [Cli::command(), hcldec::command_line()]
}

/// Runs the program `hcl` and returns its exit status.
pub fn main() -> ExitCode {
    signals::watch();
    let (cli, matches) = match usage::parse::<Cli>() {
        Ok(parsed) => parsed,
        Err(error) => return usage::usage(&error, &Cli::command()).into(),
    };
    let root = match cli.root.as_deref().map(Root::new).transpose() {
        Ok(root) => root.unwrap_or_default(),
        Err(error) => return terminal::report(&error).into(),
    };
    let context = Context::new(Cli::command(), root, cli.file_size.bytes(), cli.nesting.levels());
    terminal::set_quiet(is_quiet(&matches));
    let status = room::with_stack_for(context.max_nesting(), || outcome(cli.command.run(&context)));
    if matches!(status, Status::Errors | Status::Failure) && !terminal::is_quiet() {
        let mut program = context.program().clone();
        program.build();
        let tip = hints::after(&program, &matches, status == Status::Errors);
        tip.iter().for_each(|tip| terminal::tip(tip));
    }
    status.into()
}

/// Returns true if a command has the option `--quiet`, so that only results and errors are printed.
fn is_quiet(matches: &ArgMatches) -> bool {
    let mut all = iter::successors(Some(matches), |matches| matches.subcommand().map(|(_, of_command)| of_command));
    all.any(|matches| matches!(matches.try_get_one("quiet"), Ok(Some(true))))
}
