//! Type expressions.
//!
//! `defaults` is an addition to the protocol: a request has a constraint as `src` and a `value`; the
//! answer has the constraint's `type`, and as `value` the value with the defaults of the constraint.
//! With `json`, `src` is in JSON.

use serde_json::{Map, Value};

use super::answer::Answer;
use super::decode::decode_value;
use super::encode::{encode_type, encode_value};
use hcl_lr::ParseOptions;
use hcl_lr::body::Expression;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::model::Type;
use hcl_lr::type_expr::{read_constraint, read_type};

impl Answer {
    /// Answers with the type that an expression denotes.
    pub(super) fn type_expression(&mut self, request: &Map<String, Value>, text: &str) {
        let read = |expression: &Expression| match request.get("want").and_then(Value::as_str) {
            Some("constraint") => read_constraint(expression).map(|constraint| constraint.ty().clone()),
            _ => read_type(expression),
        };
        self.outcome(expression(request, text).and_then(|expression| read(&expression)));
    }

    /// A value with the defaults of a constraint.
    pub(super) fn defaults(&mut self, request: &Map<String, Value>, text: &str) -> Result<(), String> {
        let value = decode_value(request.get("value").ok_or("there is no value")?).map_err(|why| why.to_string())?;
        match expression(request, text).and_then(|expression| read_constraint(&expression)) {
            Ok(constraint) => {
                self.member("value", &encode_value(&constraint.defaults().apply(&value)).to_string());
                self.outcome(Ok(constraint.ty().clone()));
            }
            Err(diagnostics) => self.outcome(Err(diagnostics)),
        }
        Ok(())
    }

    fn outcome(&mut self, ty: Result<Type, Diagnostics>) {
        match ty {
            Ok(ty) => {
                self.member("type", &encode_type(&ty).to_string());
                self.diagnostics(&Diagnostics::new());
            }
            Err(diagnostics) => self.diagnostics(&diagnostics),
        }
    }
}

fn expression(request: &Map<String, Value>, text: &str) -> Result<Expression, Diagnostics> {
    let options = ParseOptions::default();
    if request.get("json").and_then(Value::as_bool) == Some(true) {
        let document = options.parse::<hcl_lr::json::Document>(("in.json", text)).into_result()?;
        return Ok((&document, document.root()).into());
    }
    options.parse::<Expression>(("in.hcl", text)).into_result()
}
