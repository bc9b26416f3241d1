//! Results of queries as Arrow tables, through the PyCapsule interface, so that pyarrow, polars, pandas, DuckDB and others
//! take them without a copy and without a dependency of this package on any of them.

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, ListBuilder, StringBuilder};
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::guard::released;
use crate::query::{Arguments, Row, Search, searched};

/// The rows of a batch.
const BATCH: usize = 65_536;

/// The rows of a query as a table: `file`, `status`, `line`, `column`, `end_line`, `address`, `kind`, `type`, `name`,
/// `labels`, `value` (JSON), `text` and `error`.
#[pyclass(frozen, module = "hcl_lr")]
pub struct Table {
    schema: Arc<Schema>,
    batches: Vec<RecordBatch>,
}

/// Returns the table of a query.
#[pyfunction]
pub fn query_table<'py>(
    py: Python<'py>,
    inputs: Bound<'py, PyAny>,
    arguments: Arguments<'py>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Table> {
    let (search, inputs) = Search::new(py, &arguments, &inputs)?;
    let search = search.for_table();
    let rows = searched(py, &search, inputs, progress.as_ref())?;
    released(py, || {
        let table = table(&rows);
        drop(rows);
        table
    })?
    .map_err(failed)
}

fn failed(error: ArrowError) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

fn schema() -> Schema {
    let text = |name: &str, nullable| Field::new(name, DataType::Utf8, nullable);
    let number = |name: &str| Field::new(name, DataType::Int32, true);
    let labels = DataType::List(Arc::new(Field::new("item", DataType::Utf8, true)));
    Schema::new(vec![
        text("file", true),
        text("status", true),
        number("line"),
        number("column"),
        number("end_line"),
        text("address", true),
        text("kind", true),
        text("type", true),
        text("name", true),
        Field::new("labels", labels, true),
        text("value", true),
        text("text", true),
        text("error", true),
    ])
}

fn table(rows: &[Row]) -> Result<Table, ArrowError> {
    let schema = Arc::new(schema());
    let batches = rows.chunks(BATCH).map(|rows| batch(&schema, rows)).collect::<Result<_, _>>()?;
    Ok(Table { schema, batches })
}

fn filled(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

fn batch(schema: &Arc<Schema>, rows: &[Row]) -> Result<RecordBatch, ArrowError> {
    let texts = |text: &dyn for<'r> Fn(&'r Row) -> Option<&'r str>| {
        let mut builder = StringBuilder::new();
        rows.iter().for_each(|row| builder.append_option(text(row)));
        Arc::new(builder.finish()) as ArrayRef
    };
    let numbers = |number: &dyn Fn(&Row) -> usize| {
        let mut builder = Int32Builder::new();
        let number = |row: &Row| i32::try_from(number(row)).ok().filter(|number| *number > 0);
        rows.iter().for_each(|row| builder.append_option(number(row)));
        Arc::new(builder.finish()) as ArrayRef
    };
    let mut labels = ListBuilder::new(StringBuilder::new());
    for row in rows {
        row.labels.iter().for_each(|label| labels.values().append_value(label));
        labels.append(row.status != "error");
    }
    let columns = vec![
        texts(&|row| Some(&row.file)),
        texts(&|row| Some(row.status)),
        numbers(&|row| row.line),
        numbers(&|row| row.column),
        numbers(&|row| row.end_line),
        texts(&|row| filled(&row.address)),
        texts(&|row| filled(row.kind)),
        texts(&|row| filled(&row.block_type)),
        texts(&|row| filled(&row.name)),
        Arc::new(labels.finish()) as ArrayRef,
        texts(&|row| row.json.as_deref()),
        texts(&|row| filled(&row.text)),
        texts(&|row| filled(&row.error)),
    ];
    RecordBatch::try_new(schema.clone(), columns)
}

#[pymethods]
impl Table {
    /// The number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.num_rows()
    }

    /// Returns the schema for consumers of Arrow.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.schema).map_err(failed)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Returns the rows for consumers of Arrow.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets a producer ignore the request; consumers convert then.
        drop(requested_schema);
        let batches = self.batches.clone().into_iter().map(Ok);
        let stream = FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new(batches, self.schema.clone())));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __repr__(&self) -> String {
        format!("<Table of {} rows>", self.num_rows())
    }
}
