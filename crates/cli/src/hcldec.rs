//! The program `hcldec`: `hcl decode` with the command line of the official program.

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use super::context::Context;
use super::root::Root;
use super::status::Status;
use super::terminal::outcome;
use super::{args, decode, room, signals, terminal, usage};
use hcl_lr::DEFAULT_MAX_NESTING;

/// Turn files in HCL into JSON, by a spec that says what may be in them
///
/// The spec is a file in a language of its own. The files are checked by it, and the result is
/// printed as JSON: for programs in languages without HCL, or for shell scripts.
#[derive(Parser)]
#[command(name = "hcldec", bin_name = "hcldec", max_term_width = 80, disable_version_flag = true)]
#[command(override_usage = "hcldec --spec <FILE> [OPTIONS] [FILE|-]...")]
#[command(args_override_self = true)]
struct Hcldec {
    #[command(flatten)]
    args: decode::Args,

    #[command(flatten)]
    file_size: args::FileSize,

    /// Print the version
    #[arg(long, short = 'v')]
    version: bool,
}

/// Returns the command line of the program.
pub fn command_line() -> clap::Command {
    Hcldec::command()
}

/// Runs the program `hcldec` with its command line, and returns its exit code.
pub fn main() -> ExitCode {
    signals::watch();
    let hcldec = match usage::parse::<Hcldec>() {
        Ok((hcldec, _)) => hcldec,
        Err(error) => return usage::usage(&error, &command_line()).into(),
    };
    if hcldec.version {
        return terminal::stdout(concat!(env!("CARGO_PKG_VERSION"), "\n").as_bytes(), Status::Fine).into();
    }
    let max_file_size = hcldec.file_size.bytes();
    let context = Context::new(command_line(), Root::default(), max_file_size, DEFAULT_MAX_NESTING);
    room::with_stack_for(DEFAULT_MAX_NESTING, || outcome(hcldec.args.run(&context))).into()
}
