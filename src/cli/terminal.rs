//! What is said to people on standard error, and what happens when an output takes no more.

use std::io::{self, BufWriter, Write};

use super::Status;
use crate::diagnostic::Diagnostics;
use crate::reading::reason;

/// Whether the environment has nothing against colours: <https://no-color.org>.
pub fn likes_color() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Writes to standard error. That nobody reads it is no reason to stop.
pub fn stderr(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Says why something could not be done.
pub fn failure(message: &str) {
    stderr(&format!("error: {message}\n"));
}

/// Says something that is good to know.
pub fn note(message: &str) {
    stderr(&format!("note: {message}\n"));
}

/// The status, after output was written. Who closes the other end of a pipe, as `head` does, has
/// seen enough, and that is fine.
pub fn written(result: io::Result<()>, status: Status) -> Status {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            failure(&format!("cannot write the output: {}", reason(&error)));
            Status::Failure
        }
        _ => status,
    }
}

/// Writes all of a text to standard output.
pub fn stdout(text: &[u8], status: Status) -> Status {
    let mut out = io::stdout().lock();
    written(out.write_all(text).and_then(|()| out.flush()), status)
}

/// The most errors of a text that people are shown if they do not ask for more.
pub const MAX_FOR_PEOPLE: usize = 50;

/// Shows diagnostics to people, in colour or not; of very many only the first ones.
pub fn show(mut diagnostics: Diagnostics, color: bool) {
    let all = diagnostics.len();
    diagnostics.truncate(MAX_FOR_PEOPLE);
    // That nobody reads it is no reason to stop.
    let _ = diagnostics.write_human(BufWriter::new(io::stderr().lock()), color);
    if all > MAX_FOR_PEOPLE {
        note(&format!("{} not shown", count(all - MAX_FOR_PEOPLE, "more error")));
    }
}

/// Writes what was asked for to standard output.
///
/// # Errors
/// A message, if that cannot be. Who closes the other end of a pipe has seen enough.
pub fn print(text: &str) -> Result<(), String> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write the output: {}", reason(&error)))
        }
        _ => Ok(()),
    }
}

/// A number of things: `1 file`, `2 files`.
pub fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_singular() {
        assert_eq!([0, 1, 2].map(|number| count(number, "file")), ["0 files", "1 file", "2 files"]);
    }

    #[test]
    fn a_reader_that_leaves_is_no_failure() {
        let left = || Err(io::ErrorKind::BrokenPipe.into());
        assert_eq!(
            [Status::Fine, Status::Errors].map(|status| written(left(), status)),
            [Status::Fine, Status::Errors]
        );
    }
}
