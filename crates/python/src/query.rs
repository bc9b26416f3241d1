//! Queries over texts and files, in parallel.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use hcl_lr::convert::ConversionSchema;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::Functions;
use hcl_lr::functions;
use hcl_lr::json::Document;
use hcl_lr::model::walk::transform;
use hcl_lr::model::{Type, TypeMismatch, Value};
use hcl_lr::source::{Source, visible};
use hcl_lr::syntax::File;
use hcl_lr::{Expression, ParseOptions};
use hcl_lr_cli::embed::Workspace;
use hcl_lr_edit::query::{Query, QueryMatch, Subject};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::document::address;
use crate::evaluate::limits_of;
use crate::guard::released;
use crate::project::workspace;
use crate::report;
use crate::values::to_python;

/// A file to search.
pub enum Input {
    /// A file of the disk.
    Path(PathBuf),
    /// A name and a text.
    Text(String, Vec<u8>),
    /// A file or folder that cannot be read, and why.
    Failure(String),
}

/// A row of the result.
pub struct Row {
    pub file: String,
    /// `match`, `undecided` or `error`.
    pub status: &'static str,
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub address: String,
    pub kind: &'static str,
    pub block_type: String,
    pub name: String,
    pub labels: Vec<String>,
    pub value: Option<Value>,
    pub text: String,
    pub error: String,
}

/// A search: its address and condition, and the files.
pub struct Search {
    query: Query,
    selects: bool,
    functions: Functions,
    workspace: Option<Workspace>,
    threads: usize,
    texts: bool,
}

/// The arguments of a search in Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Arguments<'py> {
    address: String,
    condition: Option<String>,
    select: Option<String>,
    missing: bool,
    schema: Option<String>,
    threads: usize,
    limits: Option<Bound<'py, PyDict>>,
    timeout: Option<f64>,
    texts: bool,
}

impl Search {
    /// Prepares a search.
    pub fn new(py: Python<'_>, arguments: &Arguments<'_>, inputs: &Bound<'_, PyAny>) -> PyResult<(Search, Vec<Input>)> {
        let functions = functions::extended();
        let limits = limits_of(arguments.limits.as_ref(), arguments.timeout)?;
        let mut query =
            Query::new(address(py, &arguments.address)?).with_functions(functions.clone()).with_limits(limits);
        let expression = |text: &Option<String>, name: &str| {
            let parsed = text.as_ref().map(|text| hcl_lr::parse::<Expression>((name, text.as_str())).into_result());
            parsed.transpose().map_err(|wrong| report::failed(py, "ParseError", &wrong))
        };
        if let Some(condition) = expression(&arguments.condition, "where")? {
            query = query.with_condition(condition);
        }
        if let Some(select) = expression(&arguments.select, "select")? {
            query = query.with_result(select);
        }
        if arguments.missing {
            query = query.including_missing();
        }
        let mut workspace_of = None;
        let mut all = Vec::new();
        let mut paths = Vec::new();
        for input in inputs.try_iter()? {
            let input = input?;
            if let Ok((name, text)) = input.extract::<(String, String)>() {
                all.push(Input::Text(name, text.into_bytes()));
            } else if let Ok((name, bytes)) = input.extract::<(String, Vec<u8>)>() {
                all.push(Input::Text(name, bytes));
            } else {
                paths.push(input.extract::<PathBuf>()?);
            }
        }
        if !paths.is_empty() || arguments.schema.is_some() {
            let workspace = workspace(py, arguments.schema.as_deref())?;
            let found = released(py, || workspace.files(&paths))?;
            all.extend(found.failures.into_iter().map(Input::Failure));
            all.extend(found.paths.into_iter().map(Input::Path));
            workspace_of = Some(workspace);
        }
        let threads = match arguments.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let selects = arguments.select.is_some();
        let texts = arguments.texts;
        Ok((Search { query, selects, functions, workspace: workspace_of, threads, texts }, all))
    }

    /// Returns the rows of all inputs in their order. `progress` gets the number of inputs so far, and says whether to go
    /// on; it is called on this thread.
    pub fn run(&self, inputs: &[Input], progress: impl Fn(usize) -> bool + Sync) -> Option<Vec<Row>> {
        let threads = self.threads.min(inputs.len()).max(1);
        let (next, stopped) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let found: Mutex<Vec<(usize, Vec<Row>)>> = Mutex::default();
        let work = |watches: bool| {
            let mut own = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(input) = inputs.get(index) else { break };
                if stopped.load(Ordering::Relaxed) > 0 {
                    break;
                }
                let rows = self.rows(input);
                if !rows.is_empty() {
                    own.push((index, rows));
                }
                if watches && !progress(index + 1) {
                    stopped.store(1, Ordering::Relaxed);
                }
            }
            found.lock().unwrap_or_else(PoisonError::into_inner).append(&mut own);
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| work(false));
            }
            work(true);
        });
        if stopped.load(Ordering::Relaxed) > 0 {
            return None;
        }
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|(index, _)| *index);
        Some(found.into_iter().flat_map(|(_, rows)| rows).collect())
    }

    fn rows(&self, input: &Input) -> Vec<Row> {
        let source = match input {
            Input::Failure(why) => return vec![Row::failed(String::new(), why.clone())],
            Input::Text(name, text) => Source::from_bytes(name, text.clone()),
            Input::Path(path) => match Source::read(path).into_result() {
                Ok(source) => source,
                Err(why) => return vec![Row::failed(visible::path(path), why.short().trim_end().to_owned())],
            },
        };
        let name = source.name().to_owned();
        let is_json = name.to_ascii_lowercase().ends_with(".json");
        let options = ParseOptions::new();
        if is_json {
            let (document, wrong) = options.parse::<Document>(source).into_parts();
            let has = |name: &str| {
                let properties = document.root().as_object().into_iter().flat_map(|object| object.properties());
                properties.into_iter().any(|property| property.name() == name)
            };
            let blocks = self.workspace.as_ref().map(|workspace| workspace.blocks(Path::new(&name), has));
            let none = ConversionSchema::default();
            let schema = blocks.as_deref().unwrap_or(&none);
            return self.found(&name, Subject::Json(&document, schema, None), &wrong);
        }
        let (file, wrong) = options.parse::<File>(source).into_parts();
        self.found(&name, Subject::Native(&file), &wrong)
    }

    fn found(&self, name: &str, subject: Subject<'_>, wrong: &Diagnostics) -> Vec<Row> {
        let mut rows = Vec::new();
        let answer = self.query.run(subject);
        rows.extend(answer.matches().iter().map(|found| self.row(name, "match", found)));
        rows.extend(answer.open().iter().map(|found| self.row(name, "undecided", found)));
        rows.extend(wrong.errors().map(|error| Row::wrong(name, error)));
        if answer.failed() > 0 || !answer.is_complete() {
            rows.extend(answer.diagnostics().errors().map(|error| {
                let message = format!("{}: {}", error.summary(), error.detail());
                Row::failed(name.to_owned(), message)
            }));
        }
        rows
    }

    fn row(&self, file: &str, status: &'static str, found: &QueryMatch<'_>) -> Row {
        let place = found.place();
        let (start, end) = (found.position(), place.source().position(place.span().end()));
        let (value, error) = match found.result() {
            Some(value) if self.selects => (Some(value.clone()), String::new()),
            _ => match found.value_as_written(&self.functions) {
                Ok(value) => (Some(value), String::new()),
                Err(why) => (None, why.short().trim_end().to_owned()),
            },
        };
        Row {
            file: file.to_owned(),
            status,
            line: start.line,
            column: start.column,
            end_line: end.line,
            address: found.target().address().to_string(),
            kind: found.kind(),
            block_type: found.block_type(),
            name: found.name(),
            labels: found.labels(),
            value,
            text: if self.texts { found.target().text().to_owned() } else { String::new() },
            error,
        }
    }
}

impl Row {
    fn failed(file: String, error: String) -> Row {
        Row {
            file,
            status: "error",
            line: 0,
            column: 0,
            end_line: 0,
            address: String::new(),
            kind: "",
            block_type: String::new(),
            name: String::new(),
            labels: Vec::new(),
            value: None,
            text: String::new(),
            error,
        }
    }

    /// Returns the row of a syntax error.
    fn wrong(file: &str, error: &hcl_lr::diagnostic::Diagnostic) -> Row {
        let (place, at) = (error.place(), error.position());
        let end = place.source().position(place.span().end());
        let message = format!("{}: {}", error.summary(), error.detail());
        Row { line: at.line, column: at.column, end_line: end.line, ..Row::failed(file.to_owned(), message) }
    }

    /// Returns the value with null for what is unknown or hidden.
    pub fn plain_value(&self) -> Value {
        match &self.value {
            Some(value) => plain(value),
            None => Value::null(Type::Dynamic),
        }
    }
}

/// Returns a value with nulls for its unknown and its marked parts.
fn plain(value: &Value) -> Value {
    let hide = |part: Value| match part.is_marked() || !part.is_known() {
        true => Value::null(Type::Dynamic),
        false => part,
    };
    let changed: Result<Value, TypeMismatch> = transform(value, |_, part| Ok(hide(part)));
    changed.unwrap_or_else(|_| Value::null(Type::Dynamic))
}

/// Runs a search, with progress reported to a function of Python. Ctrl-C ends it.
pub fn searched(py: Python<'_>, search: &Search, inputs: &[Input], progress: Option<&Py<PyAny>>) -> PyResult<Vec<Row>> {
    let raised: Mutex<Option<PyErr>> = Mutex::default();
    let report = |done: usize| {
        // Asking for the lock of the interpreter for each file would take longer than small files do.
        if !done.is_multiple_of(64) && done != inputs.len() {
            return true;
        }
        let asked = Python::attach(|py| {
            py.check_signals()?;
            progress.map(|progress| progress.call1(py, (done, inputs.len()))).transpose()
        });
        match asked {
            Ok(_) => true,
            Err(error) => {
                *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                false
            }
        }
    };
    let rows = released(py, || search.run(inputs, report))?;
    if let Some(error) = raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    rows.ok_or_else(|| PyKeyboardInterrupt::new_err(""))
}

/// Returns the files that a search of paths finds, as the programs do.
#[pyfunction]
pub fn files(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Vec<PathBuf>> {
    let workspace = workspace(py, None)?;
    released(py, || workspace.files(&paths).paths)
}

/// Returns the rows of a query as objects.
#[pyfunction]
pub fn query<'py>(
    py: Python<'py>,
    inputs: Bound<'py, PyAny>,
    arguments: Arguments<'py>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let (search, inputs) = Search::new(py, &arguments, &inputs)?;
    let rows = searched(py, &search, &inputs, progress.as_ref())?;
    let class = report::of_types(py, "Row")?;
    let object = |row: &Row| {
        let value = to_python(py, &row.plain_value())?;
        let place = (&*row.file, row.line, row.column, row.end_line);
        let (file, line, column, end_line) = place;
        class.call1((
            file,
            row.status,
            line,
            column,
            end_line,
            &*row.address,
            row.kind,
            (&*row.block_type, &*row.name, row.labels.clone()),
            value,
            &*row.text,
            (!row.error.is_empty()).then_some(&*row.error),
        ))
    };
    PyList::new(py, rows.iter().map(object).collect::<PyResult<Vec<_>>>()?)
}
