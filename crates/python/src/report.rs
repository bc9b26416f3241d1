//! Diagnostics as objects of Python, and as exceptions.

use hcl_lr::diagnostic::{Diagnostic, Diagnostics, Severity};
use hcl_lr::source::Place;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyTuple};

/// A class or function of the module `hcl_lr._types`.
pub fn of_types<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    static TYPES: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let types = TYPES.get_or_try_init(py, || Ok::<_, PyErr>(py.import("hcl_lr._types")?.unbind()))?;
    types.bind(py).getattr(name)
}

/// Returns an exception with a message and no diagnostics.
pub fn error(py: Python<'_>, class: &str, message: &str) -> PyErr {
    of_types(py, class).and_then(|class| class.call1((message,))).map_or_else(|error| error, PyErr::from_value)
}

/// Returns an exception with diagnostics. Its message has a line for each.
pub fn failed(py: Python<'_>, class: &str, diagnostics: &Diagnostics) -> PyErr {
    let make = || {
        let list = list(py, diagnostics)?;
        of_types(py, class)?.call1((diagnostics.short().trim_end(), list))
    };
    make().map_or_else(|error: PyErr| error, PyErr::from_value)
}

/// Returns diagnostics as a list of objects.
pub fn list<'py>(py: Python<'py>, diagnostics: &Diagnostics) -> PyResult<Bound<'py, PyList>> {
    let class = of_types(py, "Diagnostic")?;
    let objects = diagnostics.iter().map(|one| object(py, &class, one)).collect::<PyResult<Vec<_>>>()?;
    PyList::new(py, objects)
}

/// Returns a place as an object.
pub fn place<'py>(py: Python<'py>, place: &Place) -> PyResult<Bound<'py, PyAny>> {
    let (span, source) = (place.span(), place.source());
    let (start, end) = (source.position(span.start()), source.position(span.end()));
    let positions = (start.line, start.column, end.line, end.column);
    let (line, column, end_line, end_column) = positions;
    of_types(py, "Place")?.call1((source.name(), line, column, end_line, end_column, span.start(), span.end()))
}

fn object<'py>(py: Python<'py>, class: &Bound<'py, PyAny>, diagnostic: &Diagnostic) -> PyResult<Bound<'py, PyAny>> {
    let severity = match diagnostic.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "note",
    };
    let labels = diagnostic.labels().iter().map(|label| Ok((place(py, label.place())?, label.message())));
    let labels = PyTuple::new(py, labels.collect::<PyResult<Vec<_>>>()?)?;
    let mut fixes = Vec::new();
    for suggestion in diagnostic.suggestions() {
        let edits =
            suggestion.edits().iter().map(|edit| of_types(py, "Edit")?.call1((place(py, edit.place())?, edit.text())));
        let edits = PyTuple::new(py, edits.collect::<PyResult<Vec<_>>>()?)?;
        fixes.push(of_types(py, "Fix")?.call1((suggestion.message(), suggestion.applicability().as_str(), edits))?);
    }
    let alone = Diagnostics::from(diagnostic.clone());
    class.call1((
        severity,
        diagnostic.code().as_str(),
        diagnostic.summary(),
        diagnostic.detail(),
        diagnostic.help(),
        place(py, diagnostic.place())?,
        labels,
        PyTuple::new(py, fixes)?,
        (alone.render(), rendered_in_color(&alone)),
    ))
}

fn rendered_in_color(diagnostics: &Diagnostics) -> String {
    let mut text = Vec::new();
    // Writing into memory does not fail.
    let _ = diagnostics.write_human(&mut text, true);
    String::from_utf8_lossy(&text).into_owned()
}
