//! Projects: the files of a folder that a program reads together.

use std::path::PathBuf;

use hcl_lr::source::visible;
use hcl_lr_cli::embed::{SchemaProblem, Workspace};
use hcl_lr_language::definitions::{Definition, Inputs};
use hcl_lr_language::schema::Schema;
use hcl_lr_project::Language;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::evaluate::variables_of;
use crate::guard::released;
use crate::report;
use crate::values::to_python;

/// Returns the language with a name, or of a schema file.
pub fn language(py: Python<'_>, name: &str) -> PyResult<Language> {
    let language = released(py, || hcl_lr_cli::embed::language(name))?;
    language.map_err(|problem| raised(py, problem))
}

/// Returns a workspace whose files are in the language of a schema.
pub fn workspace(py: Python<'_>, schema: Option<&str>) -> PyResult<Workspace> {
    released(py, || Workspace::new(schema))?.map_err(|problem| raised(py, problem))
}

fn raised(py: Python<'_>, problem: SchemaProblem) -> PyErr {
    match problem {
        SchemaProblem::Unreadable(message) => report::error(py, "SchemaError", &message),
        SchemaProblem::Wrong(diagnostics) => report::failed(py, "SchemaError", &diagnostics),
    }
}

/// The files of a folder that a program reads together, with their definitions.
#[pyclass(frozen, module = "hcl_lr")]
pub struct Project {
    project: hcl_lr_project::Project,
}

#[pymethods]
impl Project {
    #[new]
    #[pyo3(signature = (folder, schema = None))]
    fn py_new(py: Python<'_>, folder: PathBuf, schema: Option<&str>) -> PyResult<Project> {
        if let Err(error) = std::fs::metadata(&folder) {
            let message = format!("cannot read `{}`: {}", visible::path(&folder), visible::reason(&error));
            return Err(pyo3::exceptions::PyFileNotFoundError::new_err(message));
        }
        let workspace = workspace(py, schema)?;
        let project = released(py, || workspace.project(&folder))?;
        Ok(Project { project })
    }

    /// The name of the language.
    #[getter]
    fn language(&self) -> &str {
        self.project.language().name()
    }

    /// The paths of the files.
    #[getter]
    fn files(&self) -> Vec<&str> {
        self.project.members().iter().map(|member| &*member.path).collect()
    }

    /// Returns all that is wrong with the files, as `hcl check` prints it.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let findings = released(py, || {
            let mut findings = hcl_lr::diagnostic::Diagnostics::new();
            for member in self.project.all_members() {
                findings.append(self.project.findings(&member.path));
            }
            findings.without_repetitions()
        })?;
        report::list(py, &findings)
    }

    /// Returns the definitions: variables, locals, resources and others.
    fn definitions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let definitions = self.project.definitions();
        let objects = definitions.iter().map(|one| definition(py, &one)).collect::<PyResult<Vec<_>>>()?;
        PyList::new(py, objects)
    }

    /// Returns the places that refer to a definition, such as `var.region`.
    fn references<'py>(&self, py: Python<'py>, address: &str) -> PyResult<Bound<'py, PyList>> {
        let Some(definition) = self.project.definitions().get(address) else {
            return Err(report::error(py, "NotFoundError", &format!("there is no definition `{address}`")));
        };
        let references = self.project.references();
        let places = references.to(&definition).filter(|reference| !reference.is_definition());
        PyList::new(py, places.map(|one| report::place(py, one.place())).collect::<PyResult<Vec<_>>>()?)
    }

    /// Returns the addresses of the definitions that nothing refers to.
    fn unused(&self) -> Vec<String> {
        let members = self.project.members().iter();
        members.flat_map(|member| self.project.unused(&member.path)).map(|one| one.address().to_owned()).collect()
    }

    /// Returns the values of all definitions by address, and the diagnostics of their evaluation.
    #[pyo3(signature = (variables = None))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        variables: Option<Bound<'py, PyDict>>,
    ) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyList>)> {
        let inputs: Inputs = variables_of(variables.as_ref())?.into_iter().collect();
        let evaluated = released(py, || self.project.evaluate(&inputs))?;
        let values = PyDict::new(py);
        for definition in evaluated.definitions() {
            values.set_item(definition.address(), to_python(py, &evaluated.value(&definition))?)?;
        }
        Ok((values, report::list(py, evaluated.diagnostics())?))
    }

    /// Returns the value of the files as the schema describes it, and the diagnostics.
    #[pyo3(signature = (variables = None))]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        variables: Option<Bound<'py, PyDict>>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyList>)> {
        let inputs: Inputs = variables_of(variables.as_ref())?.into_iter().collect();
        let (value, diagnostics) = released(py, || self.project.decode(&inputs))?.into_parts();
        Ok((to_python(py, &value)?, report::list(py, &diagnostics)?))
    }

    fn __repr__(&self) -> String {
        format!("<Project {} in {}>", self.project.folder(), self.project.language().name())
    }
}

fn definition<'py>(py: Python<'py>, one: &Definition<'_>) -> PyResult<Bound<'py, PyAny>> {
    let place = report::place(py, one.place())?;
    report::of_types(py, "Definition")?.call1((one.address(), one.name(), one.block_type(), place, one.is_input()))
}

/// Returns a document about a schema: its Markdown, or its JSON Schema.
#[pyfunction]
pub fn schema_document(py: Python<'_>, schema: &str, form: &str) -> PyResult<String> {
    let language = language(py, schema)?;
    let Some(schema) = language.widest_schema() else {
        return Err(report::error(py, "SchemaError", "this language has no schema"));
    };
    let schema: &Schema = schema;
    released(py, || match form {
        "markdown" => Ok(hcl_lr_schema_tools::to_markdown(schema)),
        _ => match schema.files.first() {
            Some(files) => Ok(hcl_lr_schema_tools::to_json_schema(schema, files)),
            None => Err("the schema has no block `files`, so it does not say what the body of a file is"),
        },
    })?
    .map_err(|why| report::error(py, "SchemaError", why))
}
