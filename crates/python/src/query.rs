//! Queries over texts and files, in parallel.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::Functions;
use hcl_lr::functions;
use hcl_lr::json::Document;
use hcl_lr::model::json::encode_implied;
use hcl_lr::model::walk::transform;
use hcl_lr::model::{Type, TypeMismatch, Value};
use hcl_lr::source::{Source, visible};
use hcl_lr::syntax::File;
use hcl_lr::{Expression, ParseOptions};
use hcl_lr_cli::embed::{Workspace, json_language};
use hcl_lr_edit::address::JsonTemplates;
use hcl_lr_edit::query::{Query, QueryMatch, Subject};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::document::address;
use crate::evaluate::limits_of;
use crate::guard::released;
use crate::project::workspace;
use crate::queue::Queue;
use crate::report;
use crate::values::to_python;

/// The inputs of a search: pairs of names and texts, and paths of files and folders.
pub struct Inputs {
    texts: Vec<Input>,
    paths: Vec<PathBuf>,
}

/// A file to search.
enum Input {
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
    /// The value as JSON, in place of the value, for tables.
    pub json: Option<String>,
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
    /// True if values become JSON, on the threads that find them.
    is_for_table: bool,
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
    pub fn new(py: Python<'_>, arguments: &Arguments<'_>, inputs: &Bound<'_, PyAny>) -> PyResult<(Search, Inputs)> {
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
        let (mut texts, mut paths) = (Vec::new(), Vec::new());
        for input in inputs.try_iter()? {
            let input = input?;
            if let Ok((name, text)) = input.extract::<(String, String)>() {
                texts.push(Input::Text(name, text.into_bytes()));
            } else if let Ok((name, bytes)) = input.extract::<(String, Vec<u8>)>() {
                texts.push(Input::Text(name, bytes));
            } else {
                paths.push(input.extract::<PathBuf>()?);
            }
        }
        let needs_workspace = !paths.is_empty() || arguments.schema.is_some();
        let workspace = needs_workspace.then(|| workspace(py, arguments.schema.as_deref())).transpose()?;
        let threads = match arguments.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let selects = arguments.select.is_some();
        let inputs = Inputs { texts, paths };
        let (texts, is_for_table) = (arguments.texts, false);
        Ok((Search { query, selects, functions, workspace, threads, texts, is_for_table }, inputs))
    }

    /// Returns the search with values as JSON.
    pub fn for_table(self) -> Search {
        Search { is_for_table: true, ..self }
    }

    /// Returns the rows of all inputs in their order. Other threads search the first files while this one still looks for
    /// more. `progress` gets the number of inputs so far and of all, and says whether to go on; it is called on this
    /// thread.
    pub fn run(&self, inputs: Inputs, progress: impl Fn(usize, usize) -> bool) -> Option<Vec<Row>> {
        let queue: Queue<(usize, Input)> = Queue::new();
        let (done, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let found: Mutex<HashMap<usize, Vec<Row>>> = Mutex::default();
        let work = |progress: &dyn Fn(usize) -> bool| {
            let mut own = Vec::new();
            while let Some((number, input)) = queue.next() {
                if stopped.load(Ordering::Relaxed) {
                    break;
                }
                let rows = self.rows(input);
                if !rows.is_empty() {
                    own.push((number, rows));
                }
                if !progress(done.fetch_add(1, Ordering::Relaxed) + 1) {
                    stopped.store(true, Ordering::Relaxed);
                }
            }
            found.lock().unwrap_or_else(PoisonError::into_inner).extend(own);
        };
        // The numbers of the inputs in their order. Links are known to be superfluous only at the end.
        let mut order: Vec<usize> = (0..inputs.texts.len()).collect();
        std::thread::scope(|scope| {
            let most = if inputs.paths.is_empty() { inputs.texts.len() } else { usize::MAX };
            for _ in 1..self.threads.min(most) {
                scope.spawn(|| work(&|_| true));
            }
            let filling = queue.fill();
            inputs.texts.into_iter().enumerate().for_each(|text| filling.push(text));
            let mut numbers: HashMap<PathBuf, usize> = HashMap::new();
            let start = order.len();
            let mut push = |path: &Path| {
                let new = start + numbers.len();
                *numbers.entry(path.to_owned()).or_insert_with(|| {
                    filling.push((new, Input::Path(path.to_owned())));
                    new
                })
            };
            if let Some(workspace) = self.workspace.as_ref().filter(|_| !inputs.paths.is_empty()) {
                let files = workspace.files_as_found(&inputs.paths, |path| {
                    push(path);
                });
                let paths: Vec<usize> = files.paths.iter().map(|path| push(path)).collect();
                let start = start + numbers.len();
                for (at, why) in files.failures.into_iter().enumerate() {
                    order.push(start + at);
                    filling.push((start + at, Input::Failure(why)));
                }
                order.extend(paths);
            }
            drop(filling);
            let total = order.len();
            work(&|done| done >= total || progress(done, total));
        });
        let goes_on = order.is_empty() || !stopped.load(Ordering::Relaxed) && progress(order.len(), order.len());
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        goes_on.then(|| order.iter().filter_map(|number| found.remove(number)).flatten().collect())
    }

    fn rows(&self, input: Input) -> Vec<Row> {
        let source = match input {
            Input::Failure(why) => return vec![Row::failed(String::new(), why)],
            Input::Text(name, text) => Source::from_bytes(&name, text),
            Input::Path(path) => match Source::read(&path).into_result() {
                Ok(source) => source,
                Err(why) => return vec![Row::failed(visible::path(&path), why.short().trim_end().to_owned())],
            },
        };
        let name = source.name().to_owned();
        let is_json = name.to_ascii_lowercase().ends_with(".json");
        let options = ParseOptions::new();
        if is_json {
            let (document, wrong) = options.parse::<Document>(source).into_parts();
            let blocks = match &self.workspace {
                Some(workspace) => workspace.json_blocks(Path::new(&name), &document),
                None => json_language(&document).0,
            };
            let templates = JsonTemplates::of(&document);
            return self.found(&name, Subject::Json(&document, &blocks, Some(&templates)), &wrong);
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
        let (value, json) = match value {
            Some(value) if self.is_for_table => (None, Some(json_of(&value))),
            value => (value, None),
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
            json,
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
            json: None,
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

/// Returns a value as JSON, with null for what is unknown or hidden.
fn json_of(value: &Value) -> String {
    encode_implied(&plain(value)).unwrap_or_else(|_| "null".to_owned())
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
pub fn searched(py: Python<'_>, search: &Search, inputs: Inputs, progress: Option<&Py<PyAny>>) -> PyResult<Vec<Row>> {
    let raised: Mutex<Option<PyErr>> = Mutex::default();
    let report = |done: usize, all: usize| {
        // Asking for the lock of the interpreter for each file would take longer than small files do.
        if !done.is_multiple_of(64) && done != all {
            return true;
        }
        let asked = Python::attach(|py| {
            py.check_signals()?;
            progress.map(|progress| progress.call1(py, (done, all))).transpose()
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
    let rows = searched(py, &search, inputs, progress.as_ref())?;
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
