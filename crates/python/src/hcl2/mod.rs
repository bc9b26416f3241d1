//! The objects of python-hcl2 8.1, there and back.
//!
//! That library prints expressions into strings `"${…}"`, and strings with their quotes. [`serialize`] does the same from
//! the tree of this library, and [`write`] writes such objects as HCL, in the layout that the library has.

mod comments;
mod heredocs;
mod serialize;
mod write;

use hcl_lr::ParseOptions;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::internal::python::Value;
use hcl_lr::source::Source;
use hcl_lr::stack::with_room;
use hcl_lr::syntax::File;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::guard::released;
use crate::nodes::Handle;
use crate::objects::Objects;
use crate::report;
use serialize::{Options, Serializer};

/// Returns the objects of a text.
#[pyfunction]
pub fn hcl2_loads<'py>(py: Python<'py>, text: String, options: Options) -> PyResult<Bound<'py, PyAny>> {
    let loaded = released(py, || {
        let file =
            ParseOptions::new().parse::<File>(Source::new("<string>", text)).into_result().map_err(Problem::Syntax)?;
        Serializer::new(&options).file(&file).map(prepared).map_err(Problem::Message)
    })?;
    made(py, loaded)
}

/// Returns the objects of a node.
#[pyfunction]
pub fn hcl2_node<'py>(node: Bound<'py, PyAny>, options: Options) -> PyResult<Bound<'py, PyAny>> {
    let py = node.py();
    let Some(handle) = Handle::from_object(&node) else { return Ok(py.None().into_bound(py)) };
    let loaded =
        released(py, || Serializer::new(&options).node(handle.node()).map(prepared).map_err(Problem::Message))?;
    made(py, loaded)
}

/// Returns the text of objects.
#[pyfunction]
pub fn hcl2_dumps(data: Bound<'_, PyDict>, options: write::Options, layout: write::Layout) -> PyResult<String> {
    write::write(&data, &options, &layout)
}

/// The reason why a text has no objects.
enum Problem {
    Syntax(Diagnostics),
    Message(String),
}

fn made(py: Python<'_>, loaded: Result<Objects, Problem>) -> PyResult<Bound<'_, PyAny>> {
    match loaded {
        Ok(objects) => objects.make(py, None),
        Err(Problem::Syntax(wrong)) => Err(report::failed(py, "ParseError", &wrong)),
        Err(Problem::Message(message)) => Err(PyRuntimeError::new_err(message)),
    }
}

fn prepared(value: Value) -> Objects {
    let mut objects = Objects::default();
    add(&value, &mut objects);
    objects
}

fn add(value: &Value, objects: &mut Objects) {
    match value {
        Value::Text(text) => objects.text(text),
        Value::Number(text) if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') => objects.whole(text),
        Value::Number(text) => objects.float(text.parse().unwrap_or(f64::INFINITY)),
        Value::Bool(value) => objects.bool(*value),
        Value::None => objects.none(),
        Value::List(elements) => {
            elements.iter().for_each(|element| with_room(|| add(element, objects)));
            objects.list(elements.len());
        }
        Value::Dict(dict) => {
            for (name, value) in &dict.entries {
                objects.text(name);
                with_room(|| add(value, objects));
            }
            objects.dict(dict.entries.len());
        }
    }
}
