//! The prompt: a line editor that completes names and knows when an input is complete.

use std::borrow::Cow;
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{ColorMode, CompletionType, Config, Context, Helper};

use super::input::{State, state};
use super::session::Session;
use super::{complete, history};
use crate::error::Error;
use hcl_lr::source::visible;

/// The number of inputs kept.
const MAX_INPUTS: usize = 1_000;

pub struct Editor {
    editor: rustyline::Editor<Assistant, FileHistory>,
    history: Option<PathBuf>,
}

impl Editor {
    /// # Errors
    /// A message, if the terminal cannot be used.
    pub fn new(session: Rc<RefCell<Session>>, with_history: bool, color: bool) -> Result<Self, Error> {
        let config = Config::builder()
            .max_history_size(MAX_INPUTS)
            .map_err(|error| error.to_string())?
            .history_ignore_space(true)
            .completion_type(CompletionType::List)
            .color_mode(if color { ColorMode::Enabled } else { ColorMode::Disabled })
            .build();
        let mut editor = rustyline::Editor::with_config(config)
            .map_err(|error| format!("cannot use the terminal: {}", why(&error)))?;
        editor.set_helper(Some(Assistant(session)));
        let history = if with_history { history::file() } else { None };
        if let Some(file) = &history {
            // On the first start the file does not exist, and working without history is not an error.
            let _ = file.parent().map(std::fs::create_dir_all);
            let _ = editor.load_history(file);
        }
        Ok(Editor { editor, history })
    }

    /// The next input.
    pub fn read(&mut self) -> Result<String, ReadlineError> {
        let input = self.editor.readline("> ")?;
        if !input.trim().is_empty() {
            let _ = self.editor.add_history_entry(&input);
            if let Some(file) = &self.history {
                // Saved at once, because users must kill the program to stop an endless evaluation.
                let _ = self.editor.append_history(file);
            }
        }
        Ok(input)
    }
}

/// Returns the reason of an error of the terminal.
pub fn why(error: &ReadlineError) -> String {
    match error {
        ReadlineError::Io(error) => visible::reason(error).into_owned(),
        error => error.to_string(),
    }
}

struct Assistant(Rc<RefCell<Session>>);

impl Helper for Assistant {}

impl Hinter for Assistant {
    type Hint = String;
}

impl Highlighter for Assistant {}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        Ok(match state(context.input().as_bytes()) {
            State::GoesOn => ValidationResult::Incomplete,
            State::Complete | State::Abandoned => ValidationResult::Valid(None),
        })
    }
}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let session = self.0.borrow();
        let (start, candidates) = complete::candidates(&line[..at], &session.names(), session.functions);
        // A function is shown with its signature.
        let signature = |text: &str| Some(session.functions.entry(text.strip_suffix('(')?)?.signature());
        let display = |text: &str| signature(text).unwrap_or_else(|| text.to_owned());
        let pair = |text: String| Pair { display: display(&text), replacement: text };
        // Candidates with control characters are left out, because the inserted text is shown unescaped.
        let visible = candidates.into_iter().filter(|text| matches!(visible::line(text), Cow::Borrowed(_)));
        Ok((start, visible.map(pair).collect()))
    }
}
