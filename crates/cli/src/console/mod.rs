//! `hcl console`: evaluates inputs at a prompt.

mod commands;
mod complete;
mod editor;
mod history;
mod input;
mod session;

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, BufRead, IsTerminal, Read};
use std::path::PathBuf;
use std::rc::Rc;

use rustyline::error::ReadlineError;

use super::args;
use super::context::Context;
use super::outside::Outside;
use super::project::{Like, Project};
use super::status::Status;
use super::terminal::{count, failure, is_terminal, note, print};
use super::variables::Variables;
use crate::error::Error;
use input::State;
use session::{Outcome, Session};

const EXAMPLES: &str = "\
Examples:
  hcl console                                 try expressions
  hcl console main.hcl --vars host.json       inspect a file
  hcl console --schema terraform              use the names of this folder
  echo 'upper(name)' | hcl console --var name=Ada

An input is an expression, whose value is printed; `name = expression` or a
block, which defines a variable; or a command such as `:type [1, 2]`. `:help`
lists the commands. An open bracket, heredoc or comment continues on the next
line; an empty line or Ctrl-C discards it. Tab completes names, the arrow keys
recall earlier inputs, Ctrl-D ends. Ctrl-C during an evaluation ends the
program.

The attributes and blocks of FILEs become variables with the values that
`hcl eval` prints: blocks by type, then by label, then a list of bodies. An
attribute can use the variables of --var, --vars and earlier files; later
definitions override earlier ones.

With --schema or a folder, expressions can use the names that the files define:
`local.name`, `var.region`. Results that are not known are printed as
expressions.

Inputs are saved in $XDG_STATE_HOME/hcl/history (by default
~/.local/state/hcl/history; on Windows %LOCALAPPDATA%\\hcl\\history), except
those that begin with a space.

If standard input or output is not a terminal, there is no prompt. Exit status
in that case: 0 no errors, 1 errors, 2 a file cannot be read.";

/// The maximum number of bytes to examine repeatedly while an input continues.
const MAX_WORK: usize = 64 << 20;

/// The longest line.
const MAX_LINE: usize = 64 << 20;

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Files whose attributes and blocks become variables, or a folder
    #[arg(value_name = "PATH")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    like: Like,

    #[command(flatten)]
    excluded: args::Excluded,

    #[command(flatten)]
    accepted: args::Accepted,

    #[command(flatten)]
    variables: Variables,

    #[command(flatten)]
    outside: Outside,

    /// Do not read or write the history file
    #[arg(long)]
    no_history: bool,

    #[command(flatten)]
    color: args::Color,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        if self.files.iter().any(|file| file.as_os_str() == "-") {
            return Err("the console reads commands from standard input; give a file name instead of `-`".into());
        }
        let color = self.color.on_stderr();
        let (set, limits) = (self.variables.functions(), self.variables.limits());
        let options = self.accepted.options(context);
        let mut status = Status::Fine;
        let mut session = if self.like.choice.is_given() || self.files.iter().any(|path| path.is_dir()) {
            let mut projects =
                Project::load(context, &self.like, (&self.files, &self.excluded.exclude()?), &options, color)?;
            let (Some(project), None) = (projects.pop(), projects.pop()) else {
                return Err("each of these files is read by itself: name one of them".into());
            };
            let evaluated = project.evaluate(&self.variables, &self.outside, color)?;
            let mut session = Session::new(HashMap::new(), set, limits, options, &self.color);
            status = session.about(evaluated, project.set(set));
            session
        } else {
            let variables = self.variables.all_values(context, color)?;
            let mut session = Session::new(variables, set, limits, options, &self.color);
            for path in &self.files {
                status = status.max(session.load(context, path)?);
            }
            session
        };
        if io::stdin().is_terminal() && is_terminal() {
            at_prompt(session, self)?;
            return Ok(Status::Fine);
        }
        Ok(status.max(from_lines(&mut session, io::stdin().lock())?))
    }
}

/// Reads inputs until there are no more.
fn at_prompt(session: Session, args: &Args) -> Result<(), Error> {
    let session = Rc::new(RefCell::new(session));
    let mut editor = editor::Editor::new(Rc::clone(&session), !args.no_history, args.color.on(true))?;
    let variables = count(session.borrow().count(), "variable");
    print(&format!("hcl {}, {variables}. `:help` shows what to type, Ctrl-D ends.\n", env!("CARGO_PKG_VERSION")))?;
    loop {
        let input = match editor.read() {
            Ok(input) => input,
            Err(ReadlineError::Interrupted) => {
                note("the input was discarded; Ctrl-D or `:quit` ends");
                continue;
            }
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                failure("the input was discarded: what was typed is not UTF-8");
                continue;
            }
            Err(ReadlineError::Eof) => return Ok(()),
            Err(error) => return Err(format!("cannot read from the terminal: {}", editor::why(&error)).into()),
        };
        if let Outcome::Quit = answer(&mut session.borrow_mut(), input.as_bytes())? {
            return Ok(());
        }
    }
}

/// Answers a complete or abandoned input. An abandoned one is shown as an error.
fn answer(session: &mut Session, input: &[u8]) -> Result<Outcome, Error> {
    if input::says_nothing(input) {
        return Ok(Outcome::Done(Status::Fine));
    }
    let state = input::state(input);
    let outcome = if memchr::memmem::find(input, b"<<").is_some() {
        // The closing line of a heredoc needs its line break.
        session.answer(&[input, b"\n"].concat())?
    } else {
        session.answer(input)?
    };
    if state == State::Abandoned {
        note("an empty line ends an unfinished input");
    }
    Ok(outcome)
}

/// Answers the inputs from anything but a terminal, and returns the status.
fn from_lines(session: &mut Session, mut lines: impl BufRead) -> Result<Status, Error> {
    let mut status = Status::Fine;
    let mut input = Vec::new();
    let mut work = 0;
    loop {
        let before = input.len();
        let read = (&mut lines).take(MAX_LINE as u64).read_until(b'\n', &mut input);
        let read = read.map_err(|error| Error::io("cannot read `<stdin>`", error))?;
        let end = read == 0;
        if !end && input.last() != Some(&b'\n') && input.len() - before == MAX_LINE {
            return Err(format!("a line is longer than {} MiB; put it in a file", MAX_LINE >> 20).into());
        }
        if end && input.is_empty() {
            return Ok(status);
        }
        let complete = input.strip_suffix(b"\n").unwrap_or(&input);
        let complete = complete.strip_suffix(b"\r").unwrap_or(complete);
        work += complete.len();
        if !end && input::state(complete) == State::GoesOn {
            if work > MAX_WORK {
                return Err("an input has too many lines; put it in a file".into());
            }
            continue;
        }
        match answer(session, complete)? {
            Outcome::Quit => return Ok(status),
            Outcome::Done(done) => status = status.max(done),
        }
        (input, work) = (Vec::new(), 0);
    }
}
