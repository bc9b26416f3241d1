//! The exit status of the programs.

use std::process::ExitCode;

/// The exit status; if several apply, the worst wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    Fine,
    /// The input has errors.
    Errors,
    /// The answer to a question such as `--check`, with its exit code.
    Answer(u8),
    /// The command failed: the command line is wrong, or a file cannot be read.
    Failure,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(match status {
            Status::Fine => 0,
            Status::Errors => 1,
            Status::Answer(status) => status,
            Status::Failure => 2,
        })
    }
}
