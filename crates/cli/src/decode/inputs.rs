//! Reads the bodies and variables of `hcl decode`, and collects all errors.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use crate::args::Color;
use crate::context::Context;
use crate::error::Error;
use crate::input::read;
use crate::terminal::{failure, stderr};
use hcl_lr::body::Body;
use hcl_lr::diagnostic::{Diagnostic, Diagnostics, Json, Outcome};
use hcl_lr::eval::Scope;
use hcl_lr::model::Value;
use hcl_lr::source::Source;
use hcl_lr::{ParseOptions, Syntax};

/// All errors and warnings.
pub(super) struct Problems<'a> {
    context: &'a Context,
    /// The options for parsing files.
    options: ParseOptions,
    diagnostics: Diagnostics,
    /// Files that cannot be read.
    unreadable: Vec<Error>,
}

impl<'a> Problems<'a> {
    pub fn new(context: &'a Context, options: ParseOptions) -> Self {
        Problems { context, options, diagnostics: Diagnostics::new(), unreadable: Vec::new() }
    }

    pub fn has_errors(&self) -> bool {
        !self.unreadable.is_empty() || self.diagnostics.has_errors()
    }

    pub fn take<T>(&mut self, outcome: Outcome<T>) -> T {
        outcome.into_value_reporting_to(&mut self.diagnostics)
    }

    /// Adds a diagnostic, if there is one that is not known yet.
    pub fn add(&mut self, diagnostic: Option<Diagnostic>) {
        self.diagnostics.extend(diagnostic);
        self.diagnostics = std::mem::take(&mut self.diagnostics).without_repetitions();
    }

    /// The body of a file, unless it has errors.
    pub fn load(&mut self, path: &Path) -> Option<Body> {
        let (name, bytes) = read(self.context, path).map_err(|why| self.unreadable.push(why)).ok()?;
        self.options.parse::<Body>((&name, bytes)).report_to(&mut self.diagnostics)
    }

    /// Returns all files as one body, or standard input. A file that is named twice counts twice, but its errors are
    /// reported once.
    pub fn bodies(&mut self, paths: &[PathBuf]) -> Body {
        if paths.is_empty() {
            return Body::merged(self.load(Path::new("-")));
        }
        let mut known: HashMap<&Path, Option<Body>> = HashMap::new();
        let mut bodies = Vec::with_capacity(paths.len());
        for path in paths {
            let body = match known.get(path.as_path()) {
                Some(body) => body.clone(),
                None => {
                    let body = self.load(path);
                    known.insert(path, body.clone());
                    body
                }
            };
            bodies.extend(body);
        }
        Body::merged(bodies)
    }

    /// The variables of all `--vars`, evaluated in a scope without any.
    pub fn variables(&mut self, given: &[OsString], scope: &Scope<'_>) -> HashMap<String, Value> {
        let mut variables = HashMap::new();
        for (index, argument) in given.iter().enumerate() {
            let bytes = argument.as_encoded_bytes();
            let body = match bytes.trim_ascii_start().starts_with(b"{") {
                true => {
                    let source = Source::from_bytes(&format!("<vars argument {index}>"), bytes);
                    self.options.with_syntax(Syntax::Json).parse::<Body>(source).report_to(&mut self.diagnostics)
                }
                false => self.load(Path::new(argument)),
            };
            let Some(body) = body else { continue };
            for attribute in self.take(body.attributes()) {
                let value = self.take(attribute.expression().evaluate_partially(scope));
                variables.insert(attribute.name().to_owned(), value);
            }
        }
        variables
    }

    /// Shows all of them on standard error.
    pub fn show(&self, as_json: bool, color: &Color) {
        if as_json {
            if !self.unreadable.is_empty() || !self.diagnostics.is_empty() {
                stderr(&self.to_json());
            }
            return;
        }
        self.unreadable.iter().for_each(failure);
        let out = io::stderr();
        let color = color.on(out.is_terminal());
        let mut out = BufWriter::new(out.lock());
        // Ignore the result, because a closed output is no reason to stop.
        let _ = self.diagnostics.write_human(&mut out, color).and_then(|()| out.flush());
    }

    fn to_json(&self) -> String {
        let mut list: Vec<String> = Vec::new();
        for why in &self.unreadable {
            let kind = r#""severity":"error","code":"unreadable","summary":"unreadable file""#;
            list.push(format!("{{{kind},\"detail\":{}}}", Json(&why.to_string())));
        }
        let diagnostics = self.diagnostics.to_json();
        let inner = &diagnostics[1..diagnostics.len() - 1];
        list.extend((!inner.is_empty()).then(|| inner.to_owned()));
        format!("{{\"diagnostics\":[{}]}}\n", list.join(","))
    }
}
