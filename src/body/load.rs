//! From files to bodies.

use std::path::Path;

use super::Body;
use crate::diagnostic::{Diagnostics, Outcome};
use crate::json::parse_json_body;
use crate::source::Source;
use crate::syntax::{Options, parse_source};

/// The body of a file, from a text. A name that ends with `.json` says that it is in JSON; all others
/// are in native syntax.
///
/// ```
/// use hcl_lr::body::load_text;
///
/// assert!(load_text("main.hcl", "a = 1\n").into_result().is_ok());
/// assert!(load_text("main.hcl.json", "{\"a\": 1}").into_result().is_ok());
/// assert!(load_text("main.hcl", "{\"a\": 1}").into_result().is_err());
/// ```
pub fn load_text(name: &str, text: impl Into<String>) -> Outcome<Body> {
    load_source(Source::new(name, text), &Options::default())
}

/// The body of a file that is read, in the syntax that its name says (see [`load_text`]).
///
/// ```no_run
/// let body = hcl_lr::body::load_file("service.hcl")??;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The file cannot be read.
pub fn load_file(path: impl AsRef<Path>) -> std::io::Result<Result<Body, Diagnostics>> {
    let path = path.as_ref();
    let source = Source::from_bytes(&path.to_string_lossy(), std::fs::read(path)?);
    Ok(load_source(source, &Options::default()).into_result())
}

/// The body of a source, in the syntax that its name says (see [`load_text`]).
pub fn load_source(source: Source, options: &Options) -> Outcome<Body> {
    if source.name().ends_with(".json") {
        return load_json(source, options);
    }
    let (file, diagnostics) = parse_source(source, options).into_parts();
    Outcome { value: Body::from(&file), diagnostics }
}

/// The body of a source in JSON, whatever its name is.
///
/// ```
/// use hcl_lr::body::load_json;
/// use hcl_lr::source::Source;
/// use hcl_lr::syntax::Options;
///
/// assert!(load_json(Source::new("argument", "{\"a\": 1}"), &Options::default()).into_result().is_ok());
/// let error = load_json(Source::new("argument", "1"), &Options::default()).into_result().unwrap_err();
/// assert_eq!(error.iter().next().expect("an error").code().as_str(), "invalid-root");
/// ```
pub fn load_json(source: Source, options: &Options) -> Outcome<Body> {
    let (document, diagnostics) = parse_json_body(source, options).into_parts();
    Outcome { value: Body::from(&document), diagnostics }
}
