//! Messages on standard error, and output that is closed early.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::Error;
use super::status::Status;
use hcl_lr::diagnostic::Diagnostics;
pub use hcl_lr::diagnostic::count;
use hcl_lr::source::visible;

/// Returns true if the environment does not forbid colours: <https://no-color.org>.
pub fn likes_color() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Writes to standard error, with control characters as escape sequences. Errors are ignored, because a closed output
/// is no reason to stop.
pub fn stderr(text: &str) {
    styled(&visible::lines(text));
}

/// Writes a text that needs no escaping, perhaps in colour.
pub fn styled(text: &str) {
    BELOW_BLANK.store(text.ends_with("\n\n"), Ordering::Relaxed);
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// True if the last line on standard error is blank. All threads share standard error, so this and [`QUIET`] belong to
/// the process.
static BELOW_BLANK: AtomicBool = AtomicBool::new(true);

/// Prints advice below a blank line.
pub fn tip(text: &str) {
    let blank = if BELOW_BLANK.load(Ordering::Relaxed) { "" } else { "\n" };
    stderr(&format!("{blank}  tip: {text}\n"));
}

/// Prints an error message.
pub fn failure(message: impl Display) {
    stderr(&format!("error: {message}\n"));
}

/// Prints an error, unless it was shown, and returns its exit status.
pub fn report(error: &Error) -> Status {
    if !error.is_shown() {
        failure(error);
    }
    error.status()
}

/// Returns the exit status of a command, after printing its error.
pub fn outcome(result: Result<Status, Error>) -> Status {
    result.unwrap_or_else(|error| report(&error))
}

/// Returns the message for a panic while processing a file. `task` is what failed, such as ``cannot format `a.tf` ``.
pub fn internal_error(task: &str) -> String {
    format!("internal error: {task}; please report this")
}

/// True if only results and errors are printed, as `--quiet` asks for.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Sets whether only results and errors are printed.
pub fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Returns true if only results and errors are printed.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Prints a note, unless only errors are wanted.
pub fn note(message: &str) {
    remark(&format!("note: {message}\n"));
}

/// Writes lines to standard error, such as a summary, unless only errors are wanted.
pub fn remark(text: &str) {
    if !is_quiet() {
        stderr(text);
    }
}

/// Returns the status after writing output. A reader such as `head` may close the pipe early, which is not an error.
pub fn written(result: io::Result<()>, status: Status) -> Status {
    outcome(reader(result).map(|_| status))
}

/// The reader of the output: somebody, or nobody any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    There,
    /// The reader has closed the pipe.
    Gone,
}

/// # Errors
/// A message, if output could not be written.
fn reader(result: io::Result<()>) -> Result<Reader, Error> {
    match result {
        Ok(()) => Ok(Reader::There),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Reader::Gone),
        Err(error) => Err(Error::io("cannot write the output", error)),
    }
}

/// Returns data for standard output. On a terminal, control characters become escape sequences; in a file or a pipe,
/// the data is unchanged.
pub fn data(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !is_terminal() {
        return bytes.into();
    }
    match visible::bytes(bytes) {
        Cow::Borrowed(text) => text.as_bytes().into(),
        Cow::Owned(text) => text.into_bytes().into(),
    }
}

/// Returns a text for standard output: on a terminal with control characters as escape sequences.
pub fn shown(text: &str) -> String {
    String::from_utf8_lossy(&data(text.as_bytes())).into_owned()
}

/// Returns `file:line`, perhaps in colour.
pub fn place(file: &str, line: usize, color: bool) -> String {
    match color {
        true => format!("\u{1b}[35m{file}\u{1b}[0m:\u{1b}[32m{line}\u{1b}[0m"),
        false => format!("{file}:{line}"),
    }
}

/// Returns true if standard output is a terminal.
pub fn is_terminal() -> bool {
    static IS_TERMINAL: LazyLock<bool> = LazyLock::new(|| io::stdout().is_terminal());
    *IS_TERMINAL
}

/// Writes all data to standard output.
///
/// # Errors
/// If standard output is closed.
pub fn write_data(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(&data(bytes)).and_then(|()| out.flush())
}

/// Writes text that needs no escaping to standard output, perhaps in colour.
///
/// # Errors
/// If standard output is closed.
pub fn write_styled(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
}

/// Writes all of a text to standard output, unchanged.
pub fn stdout(text: &[u8], status: Status) -> Status {
    let mut out = io::stdout().lock();
    written(out.write_all(text).and_then(|()| out.flush()), status)
}

/// The default maximum number of errors of a text to show to people.
pub const MAX_FOR_PEOPLE: usize = 50;

/// Shows diagnostics to people, in colour or not; of very many only the first ones.
pub fn show(mut diagnostics: Diagnostics, color: bool) {
    let all = diagnostics.len();
    diagnostics.truncate(MAX_FOR_PEOPLE);
    // Ignore the result, because a closed output is no reason to stop.
    let _ = diagnostics.write_human(BufWriter::new(io::stderr().lock()), color);
    if all > 0 {
        BELOW_BLANK.store(true, Ordering::Relaxed);
    }
    if all > MAX_FOR_PEOPLE {
        note(&format!("{} not shown", count(all - MAX_FOR_PEOPLE, "more error")));
    }
}

/// Writes requested output to standard output, and returns whether anybody reads it.
///
/// # Errors
/// A message, if writing fails.
pub fn print(text: &str) -> Result<Reader, Error> {
    reader(write_data(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_leaves_is_no_failure() {
        let left = || Err(io::ErrorKind::BrokenPipe.into());
        assert_eq!(
            [Status::Fine, Status::Errors].map(|status| written(left(), status)),
            [Status::Fine, Status::Errors]
        );
    }
}
