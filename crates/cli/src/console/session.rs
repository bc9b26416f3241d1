//! Runs the inputs of a session: values, definitions and commands.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use super::commands::Command;
use super::input::{Kind, kind};
use crate::args::Color;
use crate::body_values::{evaluate_body, evaluate_json};
use crate::context::Context;
use crate::error::Error;
use crate::function_help::{explained, list};
use crate::input::{Document, Origin};
use crate::partial_values::Known;
use crate::status::Status;
use crate::terminal;
use crate::terminal::{Reader, failure, note, print};
use crate::values::{attribute_name, pretty};
use crate::variables::scope;
use hcl_lr::body::Expression;
use hcl_lr::diagnostic::{Code, Diagnostics};
use hcl_lr::eval::Scope;
use hcl_lr::functions::FunctionSet;
use hcl_lr::limits::{Limits, Meter};
use hcl_lr::model::{Value, View};
use hcl_lr::source::Source;
use hcl_lr::syntax::ExpressionFile;
use hcl_lr::syntax::ast::{TokenDump, TreeDump};
use hcl_lr::{Dialect, ParseOptions};
use hcl_lr_language::definitions::{Evaluated, Roles};

/// The length of a value in `:vars`.
const MAX_TEXT: usize = 80;

/// The variables, and the settings of the output.
pub struct Session {
    pub variables: HashMap<String, Value>,
    /// The available functions.
    pub functions: FunctionSet,
    /// The limits of each input.
    limits: Limits,
    /// The options for parsing inputs and files.
    options: ParseOptions,
    /// The number of inputs so far.
    inputs: usize,
    color: bool,
    /// The evaluated files of the session.
    project: Option<Evaluated>,
    /// The names of these definitions, with known values.
    defined: HashMap<String, Value>,
}

/// The outcome of an input.
pub enum Outcome {
    Done(Status),
    Quit,
}

impl Session {
    pub fn new(
        variables: HashMap<String, Value>,
        functions: FunctionSet,
        limits: Limits,
        options: ParseOptions,
        color: &Color,
    ) -> Self {
        Session {
            variables,
            functions,
            limits,
            options,
            inputs: 0,
            color: color.on_stderr(),
            project: None,
            defined: HashMap::new(),
        }
    }

    /// Adds the definitions of files. Their errors are shown.
    pub fn about(&mut self, evaluated: Evaluated, functions: FunctionSet) -> Status {
        let diagnostics = evaluated.diagnostics().clone();
        let status = if diagnostics.has_errors() { Status::Errors } else { Status::Fine };
        self.show(diagnostics);
        let known = Known::of_project(&evaluated, (&[], &Roles::new()), |_| true).to_value();
        self.defined =
            known.entries().into_iter().flatten().map(|(name, part)| (name.to_owned(), part.clone())).collect();
        self.functions = functions;
        self.project = Some(evaluated);
        status
    }

    /// Returns all names with their values.
    pub fn names(&self) -> HashMap<String, Value> {
        let mut names = self.defined.clone();
        names.extend(self.variables.iter().map(|(name, value)| (name.clone(), value.clone())));
        names
    }

    /// Returns the number of definitions and variables.
    pub fn count(&self) -> usize {
        self.variables.len() + self.project.as_ref().map_or(0, |project| project.definitions().len())
    }

    /// Adds the attributes and blocks of a file as variables. Errors are shown, and make the values unknown.
    ///
    /// # Errors
    /// A message, if it cannot be read.
    pub fn load(&mut self, context: &Context, path: &Path) -> Result<Status, Error> {
        let origin = Origin::of_argument(path);
        let (document, diagnostics) = Document::read(context, &origin, origin.body_syntax(), &self.options)?;
        let status = if diagnostics.has_errors() { Status::Errors } else { Status::Fine };
        self.show(diagnostics);
        let evaluation = match document.native() {
            Ok(file) => evaluate_body(file.body(), &scope(&self.variables, self.functions, self.limits.clone())),
            Err(document) => evaluate_json(document, &scope(&self.variables, self.functions, self.limits.clone())),
        };
        Ok(status.max(self.define(evaluation, true)))
    }

    /// Answers an input: shows the requested output, or the errors.
    ///
    /// # Errors
    /// A message, if the answer cannot be written.
    pub fn answer(&mut self, input: &[u8]) -> Result<Outcome, Error> {
        self.inputs += 1;
        let name = format!("<console:{}>", self.inputs);
        match kind(input) {
            Kind::Command => self.command(&name, input),
            Kind::Items => {
                // An input is a line, though its newline is not part of it.
                let mut line = input.to_vec();
                if self.options.get_dialect() == Dialect::Strict {
                    line.push(b'\n');
                }
                let file = self.parsed(self.options.parse::<hcl_lr::File>((&name, line)));
                Ok(Outcome::Done(file.map_or(Status::Errors, |file| {
                    let variables: Vec<Expression> =
                        file.body().attributes().map(|attribute| attribute.expression().into()).collect();
                    let evaluation = self.in_scope(&variables, |scope| evaluate_body(file.body(), scope));
                    self.define(evaluation, false)
                })))
            }
            Kind::Expression => match self.shown(&name, input) {
                Some(text) => say(&(text + "\n"), Status::Fine),
                None => Ok(Outcome::Done(Status::Errors)),
            },
        }
    }

    fn command(&mut self, name: &str, input: &[u8]) -> Result<Outcome, Error> {
        let (command, argument) = match Command::of(input) {
            Ok(found) => found,
            Err(message) => {
                failure(&message);
                return Ok(Outcome::Done(Status::Errors));
            }
        };
        let answer = match command {
            Command::Quit => return Ok(Outcome::Quit),
            Command::Help if argument.is_empty() => Command::help(),
            Command::Help => match explained(&String::from_utf8_lossy(argument), self.functions) {
                Ok(text) => text,
                Err(message) => {
                    failure(&message);
                    return Ok(Outcome::Done(Status::Errors));
                }
            },
            Command::Vars => self.variables_text(),
            Command::Functions => list(self.functions),
            Command::Type => match self.evaluate(name, argument) {
                // A type can be large where the value is not: that of an empty list.
                Some(value) if self.can_show(value.ty().size(), "the type") => {
                    format!("{}\n", value.shown_type().describe())
                }
                _ => return Ok(Outcome::Done(Status::Errors)),
            },
            Command::Tokens | Command::Ast => {
                let source = Source::from_bytes(name, argument);
                let options = self.options;
                let (file, diagnostics) = match kind(argument) {
                    Kind::Items => options.parse::<hcl_lr::File>(source).into_parts(),
                    _ => options.parse::<ExpressionFile>(source).map(hcl_lr::File::from).into_parts(),
                };
                // Like other commands, show the parts that could be parsed in any case.
                let text = match command {
                    Command::Ast => TreeDump::of_file(&file).to_string(),
                    _ => TokenDump(&file).to_string(),
                };
                let status = if diagnostics.has_errors() { Status::Errors } else { Status::Fine };
                let outcome = say(&text, status)?;
                self.show(diagnostics);
                return Ok(outcome);
            }
        };
        say(&answer, Status::Fine)
    }

    /// Evaluates in the scope of the variables and of the files' definitions.
    fn in_scope<R>(&self, expressions: &[Expression], work: impl FnOnce(&Scope<'_>) -> R) -> R {
        let Some(project) = &self.project else {
            return work(&scope(&self.variables, self.functions, self.limits.clone()));
        };
        let mut outer = project.base_scope().child();
        for expression in expressions {
            let more = project.scope_for(expression);
            for name in more.variable_names() {
                outer.extend(more.variable(name).map(|value| (name, value.clone())));
            }
        }
        let meter = Meter::new(self.limits.clone());
        let inner = outer.child().with_variables(&self.variables).with_meter(&meter);
        work(&inner)
    }

    /// Returns the value of an expression as text; if it is unknown, the simplified expression.
    fn shown(&self, name: &str, text: &[u8]) -> Option<String> {
        if self.project.is_none() {
            return self.evaluate(name, text).map(|value| pretty(&value));
        }
        let value = self.evaluate(name, text)?;
        if value.is_wholly_known() {
            return Some(pretty(&value));
        }
        let asked = String::from_utf8_lossy(text.trim_ascii());
        let defined = self.project.iter().find_map(|project| Known::of_address(&asked, project));
        if let Some(known) = defined {
            return self.can_show(known.size().saturating_mul(2), "the value").then(|| known.with_needs());
        }
        let expression = self.parsed(self.options.parse::<Expression>((name, text)))?;
        let known = self.in_scope(std::slice::from_ref(&expression), |scope| Known::of(&expression, scope));
        self.can_show(known.size(), "the value").then(|| known.with_needs())
    }

    /// Returns false, after printing an error, if a text of a given size would exceed the memory limit.
    fn can_show(&self, bytes: u64, what: &str) -> bool {
        let fits = bytes <= self.limits.get_max_bytes();
        if !fits {
            failure(format!("showing {what} takes more memory than `--max-memory` allows"));
        }
        fits
    }

    fn evaluate(&self, name: &str, text: &[u8]) -> Option<Value> {
        let expression = self.parsed(self.options.parse::<Expression>((name, text)))?;
        let is_session_variable = |path: &hcl_lr::syntax::Traversal| self.variables.contains_key(path.root());
        let evaluated = match &self.project {
            // The project reports wrong references, because it knows all definitions.
            Some(project) if !expression.variables().iter().any(is_session_variable) => {
                project.evaluate(&project.with_results(&expression)).into_result()
            }
            _ => self.in_scope(std::slice::from_ref(&expression), |scope| expression.evaluate(scope)),
        };
        match evaluated {
            Ok(value) => self.can_show(value.size(), "the value").then_some(value),
            Err(diagnostics) => {
                let unknown = diagnostics.iter().any(|error| error.code() == Code::UnknownVariable);
                self.show(diagnostics);
                match text.trim_ascii() {
                    word @ (b"exit" | b"quit" | b"help") if unknown => {
                        let command = if word == b"help" { "help" } else { "quit" };
                        note(&format!("commands begin with a colon: `:{command}`"));
                    }
                    _ => {}
                }
                None
            }
        }
    }

    /// Returns the parsed result if it has no errors, and shows the errors otherwise.
    fn parsed<T>(&self, parse: hcl_lr::diagnostic::Outcome<T>) -> Option<T> {
        let (value, diagnostics) = parse.into_parts();
        let right = !diagnostics.has_errors();
        self.show(diagnostics);
        right.then_some(value)
    }

    /// Defines variables for the attributes and blocks of a body. With errors there are none, unless `in_any_case` is
    /// true.
    fn define(&mut self, values: hcl_lr::diagnostic::Outcome<Value>, in_any_case: bool) -> Status {
        let (values, diagnostics) = values.into_parts();
        let right = !diagnostics.has_errors();
        self.show(diagnostics);
        if right || in_any_case {
            let entries = values.entries().into_iter().flatten();
            self.variables.extend(entries.map(|(name, value)| (name.to_owned(), value.clone())));
        }
        if right { Status::Fine } else { Status::Errors }
    }

    fn show(&self, diagnostics: Diagnostics) {
        terminal::show(diagnostics, self.color);
    }

    fn variables_text(&self) -> String {
        let mut names: Vec<&String> = self.variables.keys().collect();
        names.sort_unstable();
        let mut out = String::new();
        if let Some(project) = &self.project {
            for definition in
                project.definitions().filter(|definition| definition.module().is_none() && !definition.is_function())
            {
                let value = project.value(&definition);
                let _ = writeln!(out, "{} = {}", definition.address(), shortened(&value));
            }
        } else if names.is_empty() {
            return "there are no variables yet; `name = expression` makes one\n".to_owned();
        }
        for name in names {
            let value = &self.variables[name];
            let _ = writeln!(out, "{} = {}", attribute_name(name), shortened(value));
        }
        out
    }
}

/// Prints an answer. If the output is closed, the session ends.
fn say(text: &str, status: Status) -> Result<Outcome, Error> {
    print(text).map(|reader| match reader {
        Reader::There => Outcome::Done(status),
        Reader::Gone => Outcome::Quit,
    })
}

/// The beginning of the text of a value.
fn shortened(value: &Value) -> String {
    // Each part takes at least one character, so no more parts are needed.
    let text = first_parts(value, &mut (MAX_TEXT + 1)).to_string();
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Returns a value with a limited number of its parts, and shorter strings: shared parts may occur many times.
fn first_parts(value: &Value, left: &mut usize) -> Value {
    *left = left.saturating_sub(1);
    match value.view() {
        _ if value.is_marked() => value.clone(),
        View::String(text) => Value::from(text.chars().take(MAX_TEXT + 1).collect::<String>()),
        View::List(elements) | View::Set(elements) | View::Tuple(elements) => {
            let mut parts = Vec::new();
            for element in elements {
                if *left == 0 {
                    break;
                }
                parts.push(first_parts(element, left));
            }
            Value::tuple(parts)
        }
        View::Map(entries) | View::Object(entries) => {
            let mut parts = Vec::new();
            for (name, part) in entries {
                if *left == 0 {
                    break;
                }
                parts.push((name.to_owned(), first_parts(part, left)));
            }
            Value::object(parts)
        }
        _ => value.clone(),
    }
}
