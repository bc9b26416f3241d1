//! Specs for attributes.

use super::decoding::{BodyView, Decoding, Expected};
use super::{Kind, Spec};
use crate::body::Attribute;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Type, Value};
use crate::source::Place;
use crate::syntax::Traversal;
use crate::type_expr::Constraint;

#[derive(Debug)]
struct Attr {
    name: String,
    constraint: Constraint,
    required: bool,
}

impl Spec {
    /// Decodes an attribute, converted to a type; to null if it is missing. With [`Type::Dynamic`], any value is
    /// accepted. The type may come from a [type expression](crate::type_expr), with defaults in it.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::{Type, Value};
    ///
    /// let body = parse::<Body>("ports = [80, \"443\"]\n").into_result()?;
    /// let ports = Spec::attr("ports", Type::list(Type::Number)).decode(&body, &Scope::new()).into_result()?;
    /// assert_eq!(ports, Value::list(Type::Number, [Value::from(80), Value::from(443)]).unwrap());
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn attr(name: impl Into<String>, ty: impl Into<Constraint>) -> Spec {
        Spec::new(Attr { name: name.into(), constraint: ty.into(), required: false })
    }

    /// Decodes a required attribute, converted to a type. Its value may be null.
    pub fn required_attr(name: impl Into<String>, ty: impl Into<Constraint>) -> Spec {
        Spec::new(Attr { name: name.into(), constraint: ty.into(), required: true })
    }
}

impl Kind for Attr {
    fn implied_type(&self) -> Type {
        self.constraint.ty().without_optional_attributes()
    }

    fn expect(&self, expected: &mut Expected) {
        expected.attribute(&self.name, self.required);
    }

    fn value(&self, view: &BodyView<'_>, decoding: &mut Decoding<'_>) -> Value {
        match view.attribute(&self.name) {
            Some(attribute) => converted(attribute, &self.constraint, decoding),
            // If it is required, its absence has been reported.
            None => Value::null(self.implied_type()),
        }
    }

    fn place(&self, view: &BodyView<'_>) -> Place {
        view.attribute(&self.name).map_or_else(|| view.missing(), |attribute| attribute.expression().place())
    }

    fn variables(&self, view: &BodyView<'_>, paths: &mut Vec<Traversal>) {
        if let Some(attribute) = view.attribute(&self.name) {
            paths.extend(attribute.expression().variables());
        }
    }
}

/// Returns the value of an attribute, converted to the type of the constraint; unknown if that fails.
pub(super) fn converted(attribute: &Attribute, constraint: &Constraint, decoding: &mut Decoding<'_>) -> Value {
    let value = decoding.take(attribute.expression().evaluate_partially(decoding.scope));
    match constraint.convert_within(&value, decoding.account) {
        Ok(value) => value,
        Err(why) => {
            let place = attribute.expression().place();
            let detail = format!("invalid value for argument \"{}\": {why}", attribute.name());
            let diagnostic = Diagnostic::error(Code::InvalidArgumentValue, place, detail);
            decoding.report(diagnostic.with_context(attribute.place()));
            Value::unknown(constraint.ty().without_optional_attributes()).with_marks(&value.marks())
        }
    }
}
