//! Files in either syntax.

use std::sync::Arc;

use crate::body::Body;
use crate::diagnostic::Outcome;
use crate::json;
use crate::reading::Options;
use crate::source::Source;
use crate::syntax::File;

/// A parsed file in either syntax. Cheap to clone.
///
/// ```
/// use hcl_lr::definitions::Document;
///
/// let native = Document::parse(("a.hcl", "x = 1\n")).into_result()?;
/// let json = Document::parse(("b.hcl.json", r#"{"y": "${x}"}"#)).into_result()?;
/// assert!(matches!((native, json), (Document::Native(_), Document::Json(_))));
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub enum Document {
    /// A file in native syntax.
    Native(File),
    /// A document in the JSON syntax.
    Json(json::Document),
}

impl Document {
    /// Parses a file. A name that ends with `.json` says that it is in JSON; all others are in native syntax.
    pub fn parse(source: impl Into<Source>) -> Outcome<Document> {
        let source = source.into();
        let options = Options::default();
        match source.name().to_ascii_lowercase().ends_with(".json") {
            true => options.parse_json_configuration(source).map(Document::Json),
            false => options.parse(source).map(Document::Native),
        }
    }

    /// The source.
    pub fn source(&self) -> &Arc<Source> {
        match self {
            Document::Native(file) => file.source(),
            Document::Json(document) => document.source(),
        }
    }

    /// Its body.
    pub fn body(&self) -> Body {
        match self {
            Document::Native(file) => file.into(),
            Document::Json(document) => document.into(),
        }
    }
}

impl From<File> for Document {
    fn from(file: File) -> Self {
        Document::Native(file)
    }
}

impl From<&File> for Document {
    fn from(file: &File) -> Self {
        Document::Native(file.clone())
    }
}

impl From<json::Document> for Document {
    fn from(document: json::Document) -> Self {
        Document::Json(document)
    }
}

impl From<&json::Document> for Document {
    fn from(document: &json::Document) -> Self {
        Document::Json(document.clone())
    }
}

impl From<&Document> for Document {
    fn from(document: &Document) -> Self {
        document.clone()
    }
}
