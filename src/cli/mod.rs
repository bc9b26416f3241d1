//! The program `hcl`: what it is asked for on the command line, and what it answers.
//!
//! What was asked for goes to standard output, what is wrong with it to standard error.

pub mod conformance;
mod eval;
mod template;
mod variables;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::diagnostic::Diagnostics;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    Fine = 0,
    /// There are errors in what was looked at.
    Errors = 1,
    /// It could not be done: a file cannot be read, or an argument makes no sense.
    Failure = 2,
}

/// Work with files in HCL 2, the HashiCorp Configuration Language
#[derive(Parser)]
#[command(name = "hcl", bin_name = "hcl", version, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Evaluate a file or an expression and print the values
    #[command(after_help = eval::EXAMPLES)]
    Eval(eval::Args),
    /// Render a template
    #[command(after_help = template::EXAMPLES)]
    Template(template::Args),
    /// Answer questions from other programs, to compare implementations of HCL
    Conformance,
}

/// The program `hcl`: does what the command line asks for, and says how it went.
pub fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Eval(args) => eval::run(&args),
        Command::Template(args) => template::run(&args),
        Command::Conformance => {
            let out = io::BufWriter::new(io::stdout().lock());
            conformance::run(io::stdin().lock(), out).map(|()| Status::Fine).map_err(|why| why.to_string())
        }
    };
    let status = outcome.unwrap_or_else(|why| {
        eprintln!("error: {why}");
        Status::Failure
    });
    ExitCode::from(status as u8)
}

/// Shows diagnostics to people.
fn show(diagnostics: &Diagnostics) {
    // Whoever closed standard error does not want to read them.
    let _ = io::stderr().lock().write_all(diagnostics.render().as_bytes());
}

/// Writes what was asked for. Who closes the other end of a pipe has seen enough.
fn print(text: &str) -> Result<(), String> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(why) if why.kind() != io::ErrorKind::BrokenPipe => Err(format!("cannot write the output: {why}")),
        _ => Ok(()),
    }
}

/// The bytes of a file, or of standard input for `-`, with a name for messages.
fn read(path: &std::path::Path) -> Result<(String, Vec<u8>), String> {
    let mut bytes = Vec::new();
    let (name, result) = if path.as_os_str() == "-" {
        ("<stdin>".to_owned(), io::Read::read_to_end(&mut io::stdin().lock(), &mut bytes).map(|_| bytes))
    } else {
        (path.display().to_string(), std::fs::read(path))
    };
    match result {
        Ok(bytes) => Ok((name, bytes)),
        Err(why) => Err(format!("cannot read {name}: {why}")),
    }
}
