//! The objects of python-hcl2 8.1, there and back.
//!
//! That library prints expressions into strings `"${…}"`, and strings with their quotes. [`serialize`] does the same from
//! the tree of this library, and [`write`] writes such objects as HCL, in the layout that the library has.

mod comments;
mod heredocs;
mod serialize;
mod write;

use hcl_lr::ParseOptions;
use hcl_lr::internal::python::Value;
use hcl_lr::source::Source;
use hcl_lr::syntax::File;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyList, PyString};

use crate::guard::{released, with_room_below};
use crate::nodes::Handle;
use crate::report;
use crate::values::whole;
use serialize::{Options, Serializer};

/// Returns the objects of a text.
#[pyfunction]
pub fn hcl2_loads<'py>(py: Python<'py>, text: String, options: Options) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::new("<string>", text);
    let parsed = released(py, || ParseOptions::new().parse::<File>(source).into_result())?;
    let file = parsed.map_err(|wrong| report::failed(py, "ParseError", &wrong))?;
    let value = released(py, || Serializer::new(&options).file(&file))?;
    object(py, &value.map_err(PyRuntimeError::new_err)?, 0)
}

/// Returns the objects of a node.
#[pyfunction]
pub fn hcl2_node<'py>(node: Bound<'py, PyAny>, options: Options) -> PyResult<Bound<'py, PyAny>> {
    let py = node.py();
    let Some(handle) = Handle::from_object(&node) else { return Ok(py.None().into_bound(py)) };
    let value = released(py, || Serializer::new(&options).node(handle.node()))?;
    object(py, &value.map_err(PyRuntimeError::new_err)?, 0)
}

/// Returns the text of objects.
#[pyfunction]
pub fn hcl2_dumps(data: Bound<'_, PyDict>, options: write::Options, layout: write::Layout) -> PyResult<String> {
    write::write(&data, &options, &layout)
}

fn object<'py>(py: Python<'py>, value: &Value, level: usize) -> PyResult<Bound<'py, PyAny>> {
    let object = with_room_below(py, level, |py| object_here(py, value, level + 1).map(Bound::unbind))?;
    Ok(object.into_bound(py))
}

fn object_here<'py>(py: Python<'py>, value: &Value, level: usize) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Text(text) => PyString::new(py, text).into_any(),
        Value::Number(text) if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') => whole(py, text)?,
        Value::Number(text) => PyFloat::new(py, text.parse().unwrap_or(f64::INFINITY)).into_any(),
        Value::Bool(value) => PyBool::new(py, *value).to_owned().into_any(),
        Value::None => py.None().into_bound(py),
        Value::List(elements) => {
            let elements = elements.iter().map(|element| object(py, element, level)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, elements)?.into_any()
        }
        Value::Dict(entries) => {
            let dict = PyDict::new(py);
            for (name, value) in &entries.entries {
                dict.set_item(name, object(py, value, level)?)?;
            }
            dict.into_any()
        }
    })
}
