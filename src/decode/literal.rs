//! Specs for constant values.

use super::decoding::{BodyView, Decoding};
use super::{Kind, Spec};
use crate::body::Expression;
use crate::model::{Type, Value};
use crate::source::Place;
use crate::syntax::Traversal;

#[derive(Debug)]
struct Literal {
    value: Value,
}

#[derive(Debug)]
struct Expr {
    expression: Expression,
}

impl Spec {
    /// A value, whatever the body is.
    pub fn literal(value: impl Into<Value>) -> Spec {
        Spec::new(Literal { value: value.into() })
    }

    /// Decodes any body to the value of an expression in the scope of the decoding. Its type is not known in advance.
    ///
    /// ```
    /// use hcl_lr::{Scope, parse};
    /// use hcl_lr::body::Body;
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::Value;
    ///
    /// let rules = parse::<Body>(("rules.hcl", "double = 2 * base\n")).into_result()?;
    /// let double = rules.attributes().into_result()?.get("double").expect("it is there").expression().clone();
    /// let value = Spec::expr(double).decode(&Body::empty(), &Scope::new().with("base", 21)).into_result()?;
    /// assert_eq!(value, Value::from(42));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn expr(expression: Expression) -> Spec {
        Spec::new(Expr { expression })
    }
}

impl Kind for Literal {
    fn implied_type(&self) -> Type {
        self.value.ty()
    }

    fn value(&self, _here: &BodyView<'_>, _decoding: &mut Decoding<'_>) -> Value {
        self.value.clone()
    }

    fn place(&self, _here: &BodyView<'_>) -> Place {
        Place::nowhere()
    }
}

impl Kind for Expr {
    fn implied_type(&self) -> Type {
        Type::Dynamic
    }

    fn value(&self, _here: &BodyView<'_>, decoding: &mut Decoding<'_>) -> Value {
        decoding.take(self.expression.evaluate_partially(decoding.scope))
    }

    fn place(&self, _here: &BodyView<'_>) -> Place {
        self.expression.place()
    }

    fn variables(&self, _here: &BodyView<'_>, paths: &mut Vec<Traversal>) {
        paths.extend(self.expression.variables());
    }
}
