//! Requests of the protocol, and their results.

use gen_lsp_types as lsp;
use hcl_lr::source::Span;
use hcl_lr_analysis::rename::RenameError;
use hcl_lr_analysis::{Cancelled, Location, Snapshot};
use lsp_server::{ErrorCode, ResponseError};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::client::ClientInfo;
use crate::convert::Converter;
use crate::settings::Options;
use crate::uri::path_of;

/// The reason why there is no answer.
pub enum Failure {
    /// The files have changed since.
    Cancelled,
    /// The parameters cannot be read.
    Parameters(String),
    /// The question has no answer, with a message for people.
    Refused(String),
}

impl Failure {
    /// Returns the error of the protocol for a method.
    pub fn into_error(self, method: &str) -> ResponseError {
        let (code, message) = match self {
            Failure::Cancelled => (ErrorCode::ContentModified, "the files have changed".to_owned()),
            Failure::Parameters(why) => {
                (ErrorCode::InvalidParams, format!("the parameters of {method} are wrong: {why}"))
            }
            Failure::Refused(why) => (ErrorCode::RequestFailed, why),
        };
        ResponseError { code: code as i32, message, data: None }
    }
}

impl From<Cancelled> for Failure {
    fn from(_: Cancelled) -> Self {
        Failure::Cancelled
    }
}

impl From<RenameError> for Failure {
    fn from(error: RenameError) -> Self {
        match error {
            RenameError::Cancelled => Failure::Cancelled,
            RenameError::Refused(why) => Failure::Refused(why),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Failure::Parameters(error.to_string())
    }
}

/// An answer as a value of JSON.
pub type Answer = Result<Value, Failure>;

/// A request with everything needed to answer it.
pub struct Question<'q> {
    pub to: Converter<'q>,
    pub options: &'q Options,
    pub params: Value,
}

impl<'q> Question<'q> {
    /// Reads the parameters.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        Ok(serde_json::from_value(self.params.clone())?)
    }

    /// Returns the files.
    pub fn snapshot(&self) -> &'q Snapshot {
        self.to.snapshot
    }

    /// Returns the capabilities of the client.
    pub fn client(&self) -> &'q ClientInfo {
        self.to.client
    }

    /// Returns the document that the question is about.
    pub fn path(&self) -> Result<String, Failure> {
        match self.params.pointer("/textDocument/uri").and_then(Value::as_str) {
            Some(uri) => Ok(path_of(uri)),
            None => Err(Failure::Parameters("`textDocument.uri` is missing".to_owned())),
        }
    }

    /// Returns the document and the place in it that the question is about.
    pub fn place(&self) -> Result<(String, usize), Failure> {
        let params: lsp::TextDocumentPositionParams = self.read()?;
        let path = path_of(&params.text_document.uri.0);
        let offset = self.to.offset(&path, params.position);
        Ok((path, offset))
    }

    /// Returns the span in a file that the question is about.
    pub fn range(&self, path: &str) -> Result<Span, Failure> {
        let range: lsp::Range = serde_json::from_value(self.params.get("range").cloned().unwrap_or_default())?;
        Ok(self.to.span(path, range))
    }

    /// Returns a place, or a link from the text in question.
    pub fn link(&self, from: &str, span: Span, name: &Location, whole: &Location) -> Value {
        if !self.client().definition_links {
            return self.to.location(name);
        }
        let whole = Location { path: whole.path.clone(), span: self.to.trimmed(&whole.path, whole.span) };
        let contains = whole.span.start() <= name.span.start() && name.span.end() <= whole.span.end();
        let target = if contains { &whole } else { name };
        json!({
            "originSelectionRange": self.to.range(from, span),
            "targetUri": self.to.uri(&name.path),
            "targetRange": self.to.range(&target.path, target.span),
            "targetSelectionRange": self.to.range(&name.path, name.span),
        })
    }
}
