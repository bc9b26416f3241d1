//! Checking and formatting of texts.

use std::path::Path;

use hcl_lr::format::Style;
use hcl_lr::source::Source;
use hcl_lr::{ParseOptions, Syntax};
use hcl_lr_project::{Key, Language, Languages, LoadOptions, Memory, Project, Sources};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::guard::released;
use crate::project::language;
use crate::report;

/// Returns the findings in a text, as objects.
#[pyfunction]
pub fn check<'py>(py: Python<'py>, text: String, name: String, schema: Option<String>) -> PyResult<Bound<'py, PyList>> {
    let schema = schema.map(|schema| language(py, &schema)).transpose()?;
    let findings = released(py, || {
        let path = name.strip_prefix("./").unwrap_or(&name).to_owned();
        let files = Memory::new([(path.clone(), text.clone())]);
        let languages = schema.map_or_else(Languages::default, |language| Languages::default().only(language));
        let choose = |path: &str| hcl_lr_project::Chosen::of(languages.of(&files, path));
        let sources = Sources { files: &files, language: &choose };
        let chosen: Language = choose(&path).language;
        let key = Key::of_file(&path, &chosen.file_by_file());
        let project = Project::load(&sources, &key, &LoadOptions::default());
        let known = project.member(&path).is_some();
        let mut findings = if known { project.findings(&path) } else { plain(&path, &text) };
        findings.sort();
        findings
    })?;
    report::list(py, &findings)
}

/// Returns the errors of a text whose name belongs to no language.
fn plain(path: &str, text: &str) -> hcl_lr::diagnostic::Diagnostics {
    let is_json = Path::new(path).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let options = ParseOptions::new().with_syntax(if is_json { Syntax::Json } else { Syntax::Native });
    options.parse::<hcl_lr::ConfigFile>(Source::new(path, text)).diagnostics().clone()
}

/// Returns a text in canonical layout.
#[pyfunction]
pub fn format(py: Python<'_>, text: String, terraform: bool) -> PyResult<String> {
    released(py, || Style::new().with_terraform_rules(terraform).format(&text))
}
