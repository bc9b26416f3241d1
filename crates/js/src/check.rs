//! Errors and warnings in files.

use hcl_lr::diagnostic::Diagnostics;
use hcl_lr_language::definitions::Inputs;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::failure::{self, Answer};
use crate::files::Workspace;
use crate::options::Options;

/// Returns the errors and warnings in files as JSON. The option `values` is false to skip errors in values.
#[wasm_bindgen]
pub fn check(files: &str, options: &str) -> Answer {
    let options = Options::read(options, &["schema", "dialect", "values"])?;
    let workspace = Workspace::read(files, &options)?;
    let with_values = options.value("values").is_none() || options.flag("values")?;
    let mut found = Diagnostics::new();
    for (project, paths) in workspace.projects(&Inputs::new(), with_values) {
        for path in paths {
            found.append(project.findings(path));
        }
    }
    let mut out = String::new();
    failure::diagnostics(&found, &mut out);
    Ok(out)
}
