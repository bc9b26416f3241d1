//! The files that definitions are collected from, in either syntax.

use std::sync::Arc;

use crate::body::Body;
use crate::diagnostic::Outcome;
use crate::json;
use crate::reading::ParseOptions;
use crate::source::Source;
use crate::syntax::File;

/// A parsed file in either syntax. Cheap to clone.
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

impl ConfigFile {
    /// Parses a file. A name that ends with `.json` says that it is in JSON; all others are in native syntax.
    pub fn parse(source: impl Into<Source>) -> Outcome<ConfigFile> {
        let source = source.into();
        let options = ParseOptions::default();
        match source.name().to_ascii_lowercase().ends_with(".json") {
            true => options.parse_json_configuration(source).map(ConfigFile::Json),
            false => options.parse(source).map(ConfigFile::Native),
        }
    }

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
