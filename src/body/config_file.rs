//! The files that definitions are collected from, in either syntax.

use std::sync::Arc;

use super::Body;
use crate::diagnostic::Outcome;
use crate::json;
use crate::reading::{Parse, ParseOptions, Syntax};
use crate::source::Source;
use crate::syntax::File;

/// The syntax tree of a configuration file in either syntax. Cheap to clone.
///
/// ```
/// use hcl_lr::{ConfigFile, parse};
///
/// let native = parse::<ConfigFile>(("a.hcl", "x = 1\n")).into_result()?;
/// let json = parse::<ConfigFile>(("b.hcl.json", r#"{"y": "${x}"}"#)).into_result()?;
/// assert!(matches!((native, json), (ConfigFile::Native(_), ConfigFile::Json(_))));
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub enum ConfigFile {
    /// A file in native syntax.
    Native(File),
    /// A document in the JSON syntax.
    Json(json::Document),
}

/// Parses a file in the syntax of its name, or of the [options](ParseOptions::with_syntax).
impl Parse for ConfigFile {
    fn parse_source(source: Source, options: &ParseOptions) -> Outcome<ConfigFile> {
        match options.syntax_of(&source) {
            Syntax::Json => json::configuration(source, options).map(ConfigFile::Json),
            Syntax::Native => options.parse(source).map(ConfigFile::Native),
        }
    }
}

impl ConfigFile {
    /// The source.
    pub fn source(&self) -> &Arc<Source> {
        match self {
            ConfigFile::Native(file) => file.source(),
            ConfigFile::Json(document) => document.source(),
        }
    }

    /// Its body.
    pub fn body(&self) -> Body {
        match self {
            ConfigFile::Native(file) => file.into(),
            ConfigFile::Json(document) => document.into(),
        }
    }
}

impl From<File> for ConfigFile {
    fn from(file: File) -> Self {
        ConfigFile::Native(file)
    }
}

impl From<&File> for ConfigFile {
    fn from(file: &File) -> Self {
        ConfigFile::Native(file.clone())
    }
}

impl From<json::Document> for ConfigFile {
    fn from(document: json::Document) -> Self {
        ConfigFile::Json(document)
    }
}

impl From<&json::Document> for ConfigFile {
    fn from(document: &json::Document) -> Self {
        ConfigFile::Json(document.clone())
    }
}

impl From<&ConfigFile> for ConfigFile {
    fn from(document: &ConfigFile) -> Self {
        document.clone()
    }
}
