//! Dicts as files.

use hcl_lr::construct::{NewBlock, NewBody};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::guard::with_room_below;
use crate::report;
use crate::values::{check_level, not_built, to_expression};

/// Returns the text of a dict, in canonical layout.
#[pyfunction]
pub fn dumps(py: Python<'_>, data: Bound<'_, PyDict>) -> PyResult<String> {
    let body = new_body(&data, &report::of_types(py, "Body")?, 0)?;
    body.text().map_err(|wrong| not_built(py, &wrong))
}

fn new_body(dict: &Bound<'_, PyDict>, class: &Bound<'_, PyAny>, level: usize) -> PyResult<NewBody> {
    check_level(level)?;
    let (shared, class) = (dict.as_unbound(), class.as_unbound());
    with_room_below(dict.py(), level, |py| body_here(shared.bind(py), class.bind(py), level + 1))
}

fn body_here(dict: &Bound<'_, PyDict>, class: &Bound<'_, PyAny>, level: usize) -> PyResult<NewBody> {
    let mut body = NewBody::new();
    let mut is_first = true;
    for (name, value) in dict.iter() {
        let name = text(&name)?;
        match blocks(&value, class)? {
            Some(blocks) => {
                for (labels, inner) in blocks {
                    if !std::mem::take(&mut is_first) {
                        body.add_blank_line();
                    }
                    let block = labels.iter().fold(NewBlock::new(&name), |block, label| block.label(label));
                    body.add_block(block.body(new_body(&inner, class, level)?));
                }
            }
            None => {
                body.add_attribute(&name, to_expression(&value)?);
                is_first = false;
            }
        }
    }
    Ok(body)
}

type Blocks<'py> = Vec<(Vec<String>, Bound<'py, PyDict>)>;

/// Returns the labels and bodies of a list of blocks; `None` if a value is no such list.
fn blocks<'py>(value: &Bound<'py, PyAny>, class: &Bound<'py, PyAny>) -> PyResult<Option<Blocks<'py>>> {
    if value.is_instance(class)? {
        return Ok(Some(vec![(Vec::new(), value.cast::<PyDict>()?.clone())]));
    }
    let Ok(list) = value.cast::<PyList>() else { return Ok(None) };
    let mut blocks = Vec::new();
    for element in list.iter() {
        match block(&element, class)? {
            Some(block) => blocks.push(block),
            None => return Ok(None),
        }
    }
    Ok((!blocks.is_empty()).then_some(blocks))
}

/// Returns the labels, which are the keys of nested dicts, and the body in the innermost one.
fn block<'py>(
    element: &Bound<'py, PyAny>,
    class: &Bound<'py, PyAny>,
) -> PyResult<Option<(Vec<String>, Bound<'py, PyDict>)>> {
    let mut labels = Vec::new();
    let mut inner = element.clone();
    loop {
        let Ok(dict) = inner.cast_into::<PyDict>() else { return Ok(None) };
        if dict.is_instance(class)? {
            return Ok(Some((labels, dict)));
        }
        let mut entries = dict.iter();
        let (Some((label, next)), None) = (entries.next(), entries.next()) else { return Ok(None) };
        let Ok(label) = label.cast::<PyString>() else { return Ok(None) };
        labels.push(label.to_cow()?.into_owned());
        inner = next;
    }
}

fn text(name: &Bound<'_, PyAny>) -> PyResult<String> {
    match name.cast::<PyString>() {
        Ok(name) => Ok(name.to_cow()?.into_owned()),
        Err(_) => Err(PyTypeError::new_err("names of arguments and blocks are strings")),
    }
}
