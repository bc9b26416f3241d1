//! The values of bodies of which no schema is known, as objects: attributes by name, and blocks as [`BodyObject`] has
//! them.

use hcl_lr::diagnostic::{Diagnostics, Outcome};
use hcl_lr::eval::Scope;
use hcl_lr::model::Value;
use hcl_lr::source::Place;
use hcl_lr::syntax::ast::{BodyItem, BodyNode};
use hcl_lr::{body, json, stack};

use super::BodyObject;

/// Returns the values of a body as one object, including its blocks. Failed values are unknown.
///
/// ```
/// use hcl_lr::Scope;
/// use hcl_lr_edit::query::evaluate_body;
///
/// let file = hcl_lr::parse::<hcl_lr::File>("a = 1 + b\nservice \"web\" {\n  port = 80\n}\n").into_result()?;
/// let value = evaluate_body(file.body(), &Scope::new().with("b", 2)).into_result()?;
/// assert_eq!(value.to_string(), "{ a = 3, service = { web = [{ port = 80 }] } }");
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
pub fn evaluate_body(body: BodyNode<'_>, scope: &Scope<'_>) -> Outcome<Value> {
    scope.together(|scope| {
        let mut diagnostics = Diagnostics::new();
        let value = body_value(body, scope, &mut diagnostics);
        diagnostics.sort();
        Outcome::new(value, diagnostics.without_repetitions())
    })
}

/// Returns the values of a JSON document as one object, in which all properties are attributes.
///
/// ```
/// use hcl_lr::{Scope, json::Document};
/// use hcl_lr_edit::query::evaluate_json;
///
/// let document = hcl_lr::parse::<Document>(r#"{"a": "${1 + b}"}"#).into_result()?;
/// let value = evaluate_json(&document, &Scope::new().with("b", 2)).into_result()?;
/// assert_eq!(value.to_string(), "{ a = 3 }");
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
pub fn evaluate_json(document: &json::Document, scope: &Scope<'_>) -> Outcome<Value> {
    scope.together(|scope| {
        let (attributes, mut diagnostics) = body::Body::from(document).attributes().into_parts();
        let mut members = Vec::new();
        for attribute in &attributes {
            let value = attribute.evaluate_partially(scope).into_value_reporting_to(&mut diagnostics);
            members.push((attribute.name().to_owned(), value));
        }
        Outcome::new(Value::object(members), diagnostics.without_repetitions())
    })
}

fn body_value(body: BodyNode<'_>, scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Value {
    let mut members = BodyObject::default();
    for item in body.items() {
        match item {
            BodyItem::Attribute(attribute) => {
                let value = attribute.expression().evaluate_partially(scope).into_value_reporting_to(diagnostics);
                members.add_attribute(attribute.name(), value);
            }
            BodyItem::Block(block) => {
                let labels = block.labels().map(|label| label.text().into_owned()).collect();
                let inner = stack::with_room(|| body_value(block.body(), scope, diagnostics));
                let header = Place::new(body.place().source(), block.header_span());
                diagnostics.extend(members.add_block(block.block_type(), labels, inner, &header));
            }
            _ => {}
        }
    }
    members.into_value()
}
