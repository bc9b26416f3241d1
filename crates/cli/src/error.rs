//! The error of a command: its message, its source, and the exit status.

use std::error::Error as StdError;
use std::fmt::{self, Display};
use std::io;

use super::status::Status;
use hcl_lr::source::visible::reason;

/// The reason why a command ends without its result.
#[derive(Debug)]
pub struct Error {
    /// The message. `None` if diagnostics were shown instead.
    message: Option<String>,
    /// The system error, which the message does not repeat.
    source: Option<io::Error>,
    status: Status,
}

impl Error {
    /// Creates the error for a task such as ``cannot read `a.tf` `` that failed in the system.
    pub fn io(task: impl Into<String>, source: io::Error) -> Error {
        Error { source: Some(source), ..Error::from(task.into()) }
    }

    /// An error that has been shown.
    pub fn shown(status: Status) -> Error {
        Error { message: None, source: None, status }
    }

    /// The same error with another exit status.
    pub fn with_status(self, status: Status) -> Error {
        Error { status, ..self }
    }

    /// Returns the exit status.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Returns true if there is nothing left to print.
    pub fn is_shown(&self) -> bool {
        self.message.is_none()
    }
}

impl From<String> for Error {
    fn from(message: String) -> Error {
        Error { message: Some(message), source: None, status: Status::Failure }
    }
}

impl From<&str> for Error {
    fn from(message: &str) -> Error {
        Error::from(message.to_owned())
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::from(&*reason(&error))
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message.as_deref().unwrap_or_default())?;
        match &self.source {
            Some(source) => write!(f, ": {}", reason(source)),
            None => Ok(()),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}
