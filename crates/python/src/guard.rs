//! Calls of Rust without the lock of the interpreter.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hcl_lr::stack::with_room;
use pyo3::prelude::*;

use crate::report;

/// Runs work without the lock of the interpreter, so that other threads of Python go on.
///
/// # Errors
/// The exception `InternalError`, if the work panics: an error in this package must not end the interpreter, and a plain
/// `except Exception` must see it.
pub fn released<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    // Values that the work has borrowed are dropped with it, or are behind a lock that ignores poison.
    let result = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    result.map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        report::error(py, "InternalError", &text.unwrap_or_else(|| "unknown".to_owned()))
    })
}

/// The levels of nested objects after which the rest of the stack is looked at. So many frames fit into what `with_room`
/// keeps free.
const LEVELS: usize = 16;

/// Goes one level down into nested objects. From time to time, this asks for room on the stack, which may lead to another
/// thread; that one has the lock of the interpreter then.
pub fn with_room_below<R: Send>(py: Python<'_>, level: usize, step: impl FnOnce(Python<'_>) -> R + Send) -> R {
    match level % LEVELS == LEVELS - 1 {
        true => py.detach(|| with_room(|| Python::attach(step))),
        false => step(py),
    }
}
