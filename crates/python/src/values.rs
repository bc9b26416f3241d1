//! Values of HCL as objects of Python, and back.

use hcl_lr::construct::NewExpression;
use hcl_lr::model::marks::{Mark, MarkSet};
use hcl_lr::model::{Number, Type, Value, View};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::guard::with_room_below;
use crate::report;

/// The levels of lists and dicts that are converted. A list that contains itself has more.
const MAX_LEVELS: usize = 1_000;

/// The class of decimal numbers.
pub fn decimal(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static DECIMAL: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class = DECIMAL.get_or_try_init(py, || Ok::<_, PyErr>(py.import("decimal")?.getattr("Decimal")?.unbind()))?;
    Ok(class.bind(py))
}

/// Returns a number as an exact `int` or `Decimal`.
pub fn number<'py>(py: Python<'py>, number: &Number) -> PyResult<Bound<'py, PyAny>> {
    if number.is_infinite() {
        let sign = if number.is_negative() { -1.0 } else { 1.0 };
        return Ok(PyFloat::new(py, f64::INFINITY * sign).into_any());
    }
    let text = number.to_string();
    if number.is_whole() {
        return whole(py, &text);
    }
    decimal(py)?.call1((text,))
}

/// Returns the `int` of digits, whatever their number.
pub fn whole<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(small) = text.parse::<i64>() {
        return Ok(small.into_pyobject(py)?.into_any());
    }
    // `int` refuses long texts, because reading them takes long. `Decimal` is fast.
    py.get_type::<PyInt>().call1((decimal(py)?.call1((text,))?,))
}

/// Returns a value as an object.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    object_of(py, value, 0)
}

fn type_text(ty: &Type) -> String {
    if *ty == Type::Dynamic { "any".to_owned() } else { ty.describe() }
}

fn object_of<'py>(py: Python<'py>, value: &Value, level: usize) -> PyResult<Bound<'py, PyAny>> {
    let object = with_room_below(py, level, |py| object_here(py, value, level + 1).map(Bound::unbind))?;
    Ok(object.into_bound(py))
}

fn object_here<'py>(py: Python<'py>, value: &Value, level: usize) -> PyResult<Bound<'py, PyAny>> {
    let list = |elements: &[Value]| {
        let elements = elements.iter().map(|element| object_of(py, element, level)).collect::<PyResult<Vec<_>>>()?;
        Ok::<_, PyErr>(PyList::new(py, elements)?.into_any())
    };
    Ok(match value.view() {
        View::Null => py.None().into_bound(py),
        View::Unknown(_) => report::of_types(py, "Unknown")?.call1((type_text(&value.ty()),))?,
        View::Bool(value) => PyBool::new(py, value).to_owned().into_any(),
        View::Number(value) => number(py, value)?,
        View::String(text) => PyString::new(py, text).into_any(),
        View::List(elements) | View::Set(elements) | View::Tuple(elements) => list(elements)?,
        View::Map(entries) | View::Object(entries) => {
            let dict = PyDict::new(py);
            for (name, value) in entries {
                dict.set_item(name, object_of(py, value, level)?)?;
            }
            dict.into_any()
        }
        View::Marked(marks, inner) => {
            let names: Vec<&str> = marks.iter().map(Mark::name).collect();
            report::of_types(py, "Sensitive")?.call1((object_of(py, inner, level)?, PyTuple::new(py, names)?))?
        }
        _ => PyString::new(py, &value.to_string()).into_any(),
    })
}

/// Returns an object as a value.
///
/// # Errors
/// `TypeError` for objects that are no values, `ValueError` for numbers that are none and for endless lists.
pub fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    value_of(object, 0)
}

fn value_of(object: &Bound<'_, PyAny>, level: usize) -> PyResult<Value> {
    check_level(level)?;
    let shared = object.as_unbound();
    with_room_below(object.py(), level, |py| value_here(shared.bind(py), level))
}

fn value_here(object: &Bound<'_, PyAny>, level: usize) -> PyResult<Value> {
    let py = object.py();
    if object.is_none() {
        return Ok(Value::null(Type::Dynamic));
    }
    if let Some(value) = scalar(object)? {
        return Ok(value);
    }
    if object.is_instance(&report::of_types(py, "Expression")?)? {
        return Err(PyTypeError::new_err("an Expression has no value; `evaluate` gives it one"));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Value::from(text.to_cow()?));
    }
    if object.is_instance(&report::of_types(py, "Sensitive")?)? {
        let marks: Vec<String> = object.getattr("marks")?.extract()?;
        let marks: MarkSet = marks.iter().map(|name| Mark::new(name)).collect();
        return Ok(value_of(&object.getattr("value")?, level + 1)?.with_marks(&marks));
    }
    if object.is_instance(&report::of_types(py, "Unknown")?)? {
        let name: String = object.getattr("type")?.extract()?;
        // The word for any type in a type that was described.
        let read = |name: &str| name.parse::<Type>();
        let ty = read(&name).or_else(|wrong| read(&name.replace("dynamic", "any")).map_err(|_| wrong));
        let ty = ty.map_err(|wrong| report::failed(py, "HclError", &wrong))?;
        return Ok(Value::unknown(ty));
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        let mut entries = Vec::with_capacity(dict.len());
        for (key, value) in dict.iter() {
            entries.push((key_of(&key)?, value_of(&value, level + 1)?));
        }
        return Ok(Value::object(entries));
    }
    if object.cast::<PyList>().is_ok() || object.cast::<PyTuple>().is_ok() {
        let elements = object.try_iter()?.map(|element| value_of(&element?, level + 1));
        return Ok(Value::tuple(elements.collect::<PyResult<Vec<_>>>()?));
    }
    Err(unsupported(object))
}

/// Returns an object as an expression to be written. An `Expression` stands for its text.
///
/// # Errors
/// As [`from_python`], and if an expression has syntax errors.
pub fn to_expression(object: &Bound<'_, PyAny>) -> PyResult<NewExpression> {
    expression_of(object, 0)
}

fn expression_of(object: &Bound<'_, PyAny>, level: usize) -> PyResult<NewExpression> {
    check_level(level)?;
    let shared = object.as_unbound();
    with_room_below(object.py(), level, |py| expression_here(shared.bind(py), level))
}

fn expression_here(object: &Bound<'_, PyAny>, level: usize) -> PyResult<NewExpression> {
    let py = object.py();
    if object.is_instance(&report::of_types(py, "Expression")?)? {
        let text: String = object.extract()?;
        return NewExpression::parse(&text).map_err(|wrong| not_built(py, &wrong));
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        let mut entries = Vec::with_capacity(dict.len());
        for (key, value) in dict.iter() {
            let key = if key.is_instance(&report::of_types(py, "Expression")?)? {
                let key: String = key.extract()?;
                NewExpression::parse(&format!("({key})")).map_err(|wrong| not_built(py, &wrong))?
            } else {
                NewExpression::from(key_of(&key)?)
            };
            entries.push((key, expression_of(&value, level + 1)?));
        }
        let names: Option<Vec<String>> =
            dict.keys().iter().map(|key| key.cast_exact::<PyString>().ok().map(|key| key.to_string())).collect();
        return Ok(match names {
            Some(names) => NewExpression::object(names.into_iter().zip(entries.into_iter().map(|(_, value)| value))),
            None => NewExpression::object_with_keys(entries),
        });
    }
    if object.cast::<PyList>().is_ok() || object.cast::<PyTuple>().is_ok() {
        let elements = object.try_iter()?.map(|element| expression_of(&element?, level + 1));
        return Ok(NewExpression::list(elements.collect::<PyResult<Vec<_>>>()?));
    }
    let value = value_of(object, level)?;
    if value.contains_marks() || !value.is_wholly_known() {
        return Err(PyValueError::new_err("sensitive and unknown values are not written"));
    }
    Ok(NewExpression::from(value))
}

/// Returns the exception for an expression or block that cannot be written.
pub fn not_built(py: Python<'_>, wrong: &hcl_lr::construct::BuildError) -> PyErr {
    match wrong {
        hcl_lr::construct::BuildError::Syntax(diagnostics) => report::failed(py, "ParseError", diagnostics),
        _ => report::error(py, "EditError", &wrong.to_string()),
    }
}

/// Returns a bool or a number as a value; `None` for other objects.
fn scalar(object: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    let py = object.py();
    if let Ok(value) = object.cast::<PyBool>() {
        return Ok(Some(Value::from(value.is_true())));
    }
    if object.cast::<PyInt>().is_ok() {
        if let Ok(small) = object.extract::<i64>() {
            return Ok(Some(Value::from(small)));
        }
        let digits = decimal(py)?.call1((object,))?;
        // Without an exponent, and without the limit that `str` of an `int` has.
        return parsed(&digits.call_method1("__format__", ("f",))?.extract::<String>()?).map(Some);
    }
    if let Ok(float) = object.cast::<PyFloat>() {
        let wrong = || PyValueError::new_err(format!("{} is not a number of HCL", float.value()));
        return Value::try_from(float.value()).map(Some).map_err(|_| wrong());
    }
    if object.is_instance(decimal(py)?)? {
        return parsed(&object.str()?.to_cow()?).map(Some);
    }
    Ok(None)
}

fn parsed(text: &str) -> PyResult<Value> {
    let number = Number::parse(text);
    number.map(Value::from).map_err(|wrong| PyValueError::new_err(format!("{text} is not a number of HCL: {wrong}")))
}

fn key_of(key: &Bound<'_, PyAny>) -> PyResult<String> {
    match key.cast::<PyString>() {
        Ok(key) => Ok(key.to_cow()?.into_owned()),
        Err(_) => Err(PyTypeError::new_err(format!("keys of objects are strings, not {}", key.get_type().name()?))),
    }
}

/// Refuses lists and dicts that are nested too deeply.
pub fn check_level(level: usize) -> PyResult<()> {
    match level > MAX_LEVELS {
        true => Err(PyValueError::new_err(format!("there are more than {MAX_LEVELS} levels of lists and dicts"))),
        false => Ok(()),
    }
}

fn unsupported(object: &Bound<'_, PyAny>) -> PyErr {
    let class = object.get_type().name().map(|name| name.to_string()).unwrap_or_default();
    PyTypeError::new_err(format!(
        "{class} is not a value of HCL; use None, bool, int, float, Decimal, str, list, tuple or dict"
    ))
}
