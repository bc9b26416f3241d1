//! The native module of the Python package `hcl_lr`.
//!
//! Functions here take and return what is easy to pass; the modules in `python/hcl_lr` have the public interface, with
//! its documentation. Work on texts and files releases the lock of the interpreter (`released` in [`guard`]), and a panic
//! becomes an exception there. There is no `#![forbid(unsafe_code)]`, because the macros of pyo3 expand to unsafe code;
//! no code is written with it.
#![deny(unsafe_op_in_unsafe_fn)]

mod check;
mod document;
mod dump;
mod evaluate;
mod guard;
mod hcl2;
mod json_nodes;
mod load;
mod node;
mod nodes;
mod objects;
mod parsed;
mod project;
mod query;
mod queue;
mod report;
mod table;
mod values;

use std::ffi::OsString;
use std::process::ExitCode;

use pyo3::prelude::*;

/// Runs the program `hcl`, or `hcldec`, with a command line whose first word is the name of the program. Returns its exit
/// status.
#[pyfunction]
fn run_program(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    let is_hcldec = arguments.first().is_some_and(|name| name == "hcldec");
    hcl_lr_cli::set_arguments(arguments);
    guard::released(py, move || {
        let code = if is_hcldec { hcl_lr_cli::hcldec() } else { hcl_lr_cli::main() };
        // The code of a process cannot be read, but compared.
        (0..=u8::MAX).find(|status| ExitCode::from(*status) == code).unwrap_or(u8::MAX)
    })
}

/// Panics, so that tests see what becomes of it.
#[pyfunction]
fn panic_for_tests(py: Python<'_>) -> PyResult<()> {
    guard::released(py, || panic!("as requested"))
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<document::Document>()?;
    module.add_class::<nodes::Body>()?;
    module.add_class::<nodes::Block>()?;
    module.add_class::<nodes::Attribute>()?;
    module.add_class::<nodes::ExpressionNode>()?;
    module.add_class::<project::Project>()?;
    module.add_class::<table::Table>()?;
    module.add_function(wrap_pyfunction!(check::check, module)?)?;
    module.add_function(wrap_pyfunction!(check::format, module)?)?;
    module.add_function(wrap_pyfunction!(dump::dumps, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate::evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(hcl2::hcl2_loads, module)?)?;
    module.add_function(wrap_pyfunction!(hcl2::hcl2_dumps, module)?)?;
    module.add_function(wrap_pyfunction!(hcl2::hcl2_node, module)?)?;
    module.add_function(wrap_pyfunction!(load::loads, module)?)?;
    module.add_function(wrap_pyfunction!(query::files, module)?)?;
    module.add_function(wrap_pyfunction!(query::query, module)?)?;
    module.add_function(wrap_pyfunction!(table::query_table, module)?)?;
    module.add_function(wrap_pyfunction!(project::schema_document, module)?)?;
    module.add_function(wrap_pyfunction!(project::schema_import, module)?)?;
    module.add_function(wrap_pyfunction!(run_program, module)?)?;
    module.add_function(wrap_pyfunction!(panic_for_tests, module)?)?;
    Ok(())
}
