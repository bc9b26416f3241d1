//! Evaluation of texts, with functions in Python.

use std::time::Duration;

use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::{Call, Function, FunctionError, Functions, Parameter};
use hcl_lr::functions::{self, FunctionSet};
use hcl_lr::limits::Limits;
use hcl_lr::model::{Type, Value};
use hcl_lr::source::Source;
use hcl_lr::syntax::File;
use hcl_lr::{Expression, ParseOptions, Scope, Template};
use hcl_lr_cli::embed::evaluate_body;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::guard::released;
use crate::report;
use crate::values::{from_python, to_python};

/// Returns the functions of a set, and those that are given.
pub fn functions_of(py: Python<'_>, set: &str, given: Option<&Bound<'_, PyDict>>) -> PyResult<Functions> {
    let mut functions = match set {
        "none" => Functions::default(),
        "extended" => functions::extended(),
        _ => {
            let set = set.parse::<FunctionSet>().map_err(PyValueError::new_err)?;
            set.functions()
        }
    };
    for (name, function) in given.into_iter().flat_map(|given| given.iter()) {
        let name: String = name.extract()?;
        if !function.is_callable() {
            return Err(PyValueError::new_err(format!("the function `{name}` cannot be called")));
        }
        functions = functions.with(name, function_of(py, function.unbind()));
    }
    Ok(functions)
}

/// Returns a function that calls one of Python, which is not called for unknown arguments. An exception becomes an error.
fn function_of(_: Python<'_>, function: Py<PyAny>) -> Function {
    let any = || Parameter::new("arguments", Type::Dynamic).allow_null();
    let work = move |call: &Call<'_>| {
        Python::attach(|py| {
            let result = || {
                let arguments = call.arguments().iter().map(|argument| to_python(py, argument));
                let arguments = PyTuple::new(py, arguments.collect::<PyResult<Vec<_>>>()?)?;
                from_python(&function.bind(py).call1(arguments)?)
            };
            result().map_err(|error| {
                let text = error.value(py).to_string();
                let class = error.get_type(py).name().map(|name| name.to_string()).unwrap_or_default();
                FunctionError::from(if text.is_empty() { class } else { format!("{class}: {text}") })
            })
        })
    };
    Function::variadic([], any(), Type::Dynamic, work).impure()
}

/// Returns limits from a dict of their names.
pub fn limits_of(given: Option<&Bound<'_, PyDict>>, timeout: Option<f64>) -> PyResult<Limits> {
    let mut limits = Limits::new();
    for (name, value) in given.into_iter().flat_map(|given| given.iter()) {
        let name: String = name.extract()?;
        limits = match &*name {
            "steps" => limits.max_steps(value.extract()?),
            "bytes" => limits.max_bytes(value.extract()?),
            "elements" => limits.max_elements(value.extract()?),
            "text" => limits.max_text(value.extract()?),
            "calls" => limits.max_calls(value.extract()?),
            "nesting" => limits.max_nesting(value.extract()?),
            _ => {
                let known = "steps, bytes, elements, text, calls and nesting";
                return Err(PyValueError::new_err(format!("there is no limit `{name}`; there are {known}")));
            }
        };
    }
    if let Some(seconds) = timeout {
        let time = Duration::try_from_secs_f64(seconds);
        limits = limits.max_time(time.map_err(|_| PyValueError::new_err("a timeout is a positive number of seconds"))?);
    }
    Ok(limits)
}

/// Returns the variables of a dict.
pub fn variables_of(given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, Value)>> {
    let entry = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| Ok((name.extract()?, from_python(&value)?));
    given.into_iter().flat_map(|given| given.iter()).map(entry).collect()
}

/// Evaluates a text: an expression, a template, or a file. Returns its value and the diagnostics; of a file, the parts
/// that have errors are unknown.
#[pyfunction]
#[pyo3(signature = (text, name, kind, variables, functions, function_set, limits, timeout))]
#[expect(clippy::too_many_arguments, reason = "the public function has them as keywords")]
pub fn evaluate<'py>(
    py: Python<'py>,
    text: String,
    name: String,
    kind: &str,
    variables: Option<Bound<'py, PyDict>>,
    functions: Option<Bound<'py, PyDict>>,
    function_set: &str,
    limits: Option<Bound<'py, PyDict>>,
    timeout: Option<f64>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyList>)> {
    let scope: Scope<'static> = Scope::new()
        .with_functions(functions_of(py, function_set, functions.as_ref())?)
        .with_limits(limits_of(limits.as_ref(), timeout)?);
    let scope =
        variables_of(variables.as_ref())?.into_iter().fold(scope, |scope, (name, value)| scope.with(name, value));
    let source = Source::new(&name, text);
    let options = ParseOptions::new();
    let evaluated = released(py, || {
        let outcome = match kind {
            "template" => options.parse::<Template>(source).into_result()?.evaluate_partially(&scope),
            "file" => evaluate_body(options.parse::<File>(source).into_result()?.body(), &scope),
            _ => options.parse::<Expression>(source).into_result()?.evaluate_partially(&scope),
        };
        Ok(outcome.into_parts())
    })?;
    let (value, diagnostics) = evaluated.map_err(|wrong: Diagnostics| report::failed(py, "ParseError", &wrong))?;
    Ok((to_python(py, &value)?, report::list(py, &diagnostics)?))
}
