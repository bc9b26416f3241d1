//! Decoding by spec files: the operation `decode`.
//!
//! A request has the text of a spec file as `spec`, and `files` as for `content`. The answer has the
//! `value` and the `type` that the spec implies, whatever is in the files.

use serde_json::{Map, Value};

use super::answer::{Answer, options_of};
use super::content::body_of;
use super::context::Context;
use super::encode::{encode_type, encode_value};
use crate::body::Body;
use crate::diagnostic::Diagnostics;
use crate::source::Source;

impl Answer {
    pub(super) fn decode(&mut self, request: &Map<String, Value>) -> Result<(), String> {
        let mut diagnostics = Diagnostics::new();
        let text = request.get("spec").and_then(Value::as_str).unwrap_or_default();
        let spec = options_of(request).parse_spec(Source::new("spec.hcl", text));
        let spec = spec.into_value_reporting_to(&mut diagnostics);
        let mut bodies = Vec::new();
        for file in request.get("files").and_then(Value::as_array).into_iter().flatten() {
            bodies.push(body_of(file, request)?.into_value_reporting_to(&mut diagnostics));
        }
        let context = Context::of(request)?.beside(&spec);
        self.parsed(&diagnostics);
        if !diagnostics.has_errors() {
            let decoded = context.with_scope(|scope| spec.spec().decode(&Body::merged(bodies), scope));
            let value = decoded.into_value_reporting_to(&mut diagnostics);
            self.member("value", &encode_value(&value).to_string());
            self.member("type", &encode_type(&spec.spec().implied_type()).to_string());
        }
        self.diagnostics_of_files(&diagnostics);
        Ok(())
    }
}
