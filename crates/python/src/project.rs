//! Projects: the files of a folder that a program reads together.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use hcl_lr::source::{Source, visible};
use hcl_lr_cli::embed::{NewText, RenameProblem, SchemaProblem, Workspace};
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
///
/// >>> import pathlib, tempfile
/// >>> from hcl_lr import Project
/// >>> folder = pathlib.Path(tempfile.mkdtemp())
/// >>> _ = (folder / "main.tf").write_text('variable "region" {}\noutput "r" {\n  value = var.region\n}\n')
/// >>> project = Project(folder)
/// >>> [place.line for place in project.references("var.region")]
/// [3]
/// >>> for path, text in project.rename("var.region", "zone").items():
/// ...     print(text, end="")
/// variable "zone" {}
/// output "r" {
///   value = var.zone
/// }
#[pyclass(frozen, module = "hcl_lr")]
pub struct Project {
    folder: PathBuf,
    schema: Option<String>,
    project: RwLock<Arc<hcl_lr_project::Project>>,
}

impl Project {
    /// Returns the files as they were read last.
    fn now(&self) -> Arc<hcl_lr_project::Project> {
        self.project.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn read_again(&self, py: Python<'_>) -> PyResult<()> {
        let workspace = workspace(py, self.schema.as_deref())?;
        released(py, || {
            let project = Arc::new(workspace.project(&self.folder));
            *self.project.write().unwrap_or_else(PoisonError::into_inner) = project;
        })
    }
}

#[pymethods]
impl Project {
    #[new]
    #[pyo3(signature = (folder, schema = None))]
    fn py_new(py: Python<'_>, folder: PathBuf, schema: Option<String>) -> PyResult<Project> {
        if let Err(error) = std::fs::metadata(&folder) {
            let message = format!("cannot read `{}`: {}", visible::path(&folder), visible::reason(&error));
            return Err(pyo3::exceptions::PyFileNotFoundError::new_err(message));
        }
        let workspace = workspace(py, schema.as_deref())?;
        let project = released(py, || workspace.project(&folder))?;
        Ok(Project { folder, schema, project: RwLock::new(Arc::new(project)) })
    }

    /// The name of the language.
    #[getter]
    fn language(&self) -> String {
        self.now().language().name().to_owned()
    }

    /// The paths of the files.
    #[getter]
    fn files(&self) -> Vec<String> {
        self.now().members().iter().map(|member| member.path.clone()).collect()
    }

    /// Returns all that is wrong with the files, as `hcl check` prints it.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let project = self.now();
        let findings = released(py, || {
            let mut findings = hcl_lr::diagnostic::Diagnostics::new();
            for member in project.all_members() {
                findings.append(project.findings(&member.path));
            }
            findings.without_repetitions()
        })?;
        report::list(py, &findings)
    }

    /// Returns the definitions: variables, locals, resources and others.
    fn definitions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let project = self.now();
        let objects = project.definitions().iter().map(|one| definition(py, &one)).collect::<PyResult<Vec<_>>>()?;
        PyList::new(py, objects)
    }

    /// Returns the places that refer to a definition, such as `var.region`.
    fn references<'py>(&self, py: Python<'py>, address: &str) -> PyResult<Bound<'py, PyList>> {
        let project = self.now();
        let Some(definition) = project.definitions().get(address) else {
            return Err(report::error(py, "NotFoundError", &format!("there is no definition `{address}`")));
        };
        let references = released(py, || project.references())?;
        let places = references.to(&definition).filter(|reference| !reference.is_definition());
        PyList::new(py, places.map(|one| report::place(py, one.place())).collect::<PyResult<Vec<_>>>()?)
    }

    /// Gives a definition, such as `var.region`, another name, here and in all references to it. Returns the new texts of
    /// the files that change, by their paths.
    ///
    /// With `callers`, which are folders, calls of this folder as a module in the folders below them change, too. With
    /// `moved`, a `moved` block is added for a resource or module of Terraform. With `write`, the files are written, and
    /// the project is read again. The result is that of `hcl mv --references`, for the files as they are now.
    #[pyo3(name = "rename", signature = (address, name, *, callers = Vec::new(), moved = false, write = false))]
    fn give_name<'py>(
        &self,
        py: Python<'py>,
        address: &str,
        name: &str,
        callers: Vec<PathBuf>,
        moved: bool,
        write: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let workspace = workspace(py, self.schema.as_deref())?;
        let renamed = released(py, || workspace.rename(&self.folder, (address, name), &callers, moved))?;
        let files = renamed.map_err(|problem| match problem {
            RenameProblem::NotFound(why) => report::error(py, "NotFoundError", &why),
            RenameProblem::Refused(why) => report::error(py, "EditError", &why),
        })?;
        if write {
            let written = released(py, || files.iter().try_for_each(NewText::write))?;
            written.map_err(pyo3::exceptions::PyOSError::new_err)?;
            self.read_again(py)?;
        }
        let texts = PyDict::new(py);
        for file in &files {
            texts.set_item(file.path().to_string_lossy(), file.text())?;
        }
        Ok(texts)
    }

    /// Returns the addresses of the definitions that nothing refers to.
    fn unused(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let project = self.now();
        released(py, || {
            let unused = project.members().iter().flat_map(|member| project.unused(&member.path));
            unused.map(|definition| definition.address().to_owned()).collect()
        })
    }

    /// Returns the values of all definitions by address, and the diagnostics of their evaluation.
    #[pyo3(signature = (variables = None))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        variables: Option<Bound<'py, PyDict>>,
    ) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyList>)> {
        let inputs: Inputs = variables_of(variables.as_ref())?.into_iter().collect();
        let project = self.now();
        let evaluated = released(py, || project.evaluate(&inputs))?;
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
        let project = self.now();
        let (value, diagnostics) = released(py, || project.decode(&inputs))?.into_parts();
        Ok((to_python(py, &value)?, report::list(py, &diagnostics)?))
    }

    fn __repr__(&self) -> String {
        let project = self.now();
        format!("<Project {} in {}>", project.folder(), project.language().name())
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

/// Returns a schema that accepts the files which a JSON Schema accepts, and the places of what has no counterpart.
#[pyfunction]
pub fn schema_import(py: Python<'_>, text: String, name: &str) -> PyResult<(String, Vec<String>)> {
    let patterns = [format!("*.{name}.hcl"), format!("*.{name}.json")];
    let source = Source::new("<string>", text);
    let imported = released(py, || hcl_lr_schema_tools::from_json_schema(name, patterns, source))?;
    let imported = imported.map_err(|wrong| report::failed(py, "ParseError", &wrong))?;
    let text = imported.schema.to_hcl().map_err(|error| report::error(py, "SchemaError", &error.to_string()))?;
    Ok((text, imported.lost))
}
