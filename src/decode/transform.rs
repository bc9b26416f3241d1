//! Specs that transform values.

use std::fmt;

use super::decoding::{BodyView, Decoding};
use super::{Kind, Spec};
use crate::body::Expression;
use crate::diagnostic::Code;
use crate::eval::{Function, Scope};
use crate::model::{Type, Value};

#[derive(Debug)]
struct Transform {
    wrapped: Spec,
    function: Function,
}

struct TransformExpr {
    wrapped: Spec,
    variable: String,
    expression: Expression,
    scope: Scope<'static>,
}

impl Spec {
    /// Applies a function of one parameter to the value of this spec. Errors are reported at the place of the value.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, functions, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::{Type, Value};
    ///
    /// let upper = functions::standard().get("upper").expect("it is there").clone();
    /// let name = Spec::required_attr("name", Type::String).transform(upper);
    /// let body = parse::<Body>("name = \"ada\"\n").into_result()?;
    /// assert_eq!(name.decode(&body, &Scope::new()).into_result()?, Value::from("ADA"));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn transform(self, function: Function) -> Spec {
        Spec::new(Transform { wrapped: self, function })
    }

    /// Evaluates an expression with the value of this spec as a variable. The expression sees that variable and the
    /// given scope, but not the scope of the decoding.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::{Type, Value};
    ///
    /// let rules = parse::<Body>(("rules.hcl", "bytes = size * 1024\n")).into_result()?;
    /// let bytes = rules.attributes().into_result()?.get("bytes").expect("it is there").expression().clone();
    ///
    /// let spec = Spec::attr("size", Type::Number).transform_expr("size", bytes, Scope::new());
    /// let body = parse::<Body>("size = 2\n").into_result()?;
    /// assert_eq!(spec.decode(&body, &Scope::new()).into_result()?, Value::from(2048));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn transform_expr(self, variable: impl Into<String>, expression: Expression, scope: Scope<'static>) -> Spec {
        Spec::new(TransformExpr { wrapped: self, variable: variable.into(), expression, scope })
    }
}

impl Kind for Transform {
    fn specs(&self) -> &[Spec] {
        std::slice::from_ref(&self.wrapped)
    }

    fn implied_type(&self) -> Type {
        let example = [Value::unknown(self.wrapped.implied_type())];
        self.function.call(&example).map_or(Type::Dynamic, |result| result.ty())
    }

    fn value(&self, view: &BodyView<'_>, decoding: &mut Decoding<'_>) -> Value {
        let errors = decoding.errors();
        let value = self.wrapped.value(view, decoding);
        if decoding.errors() > errors {
            return Value::unknown(self.implied_type());
        }
        let marks = value.marks_deep();
        let wanted = self.function.parameters().first().or(self.function.variadic_parameter());
        let argument =
            wanted.map_or(Ok(value.clone()), |parameter| value.convert_within(parameter.ty(), decoding.account));
        let problem = match argument.map(|argument| self.function.call_within(&[argument], decoding.account)) {
            Ok(Ok(result)) => return result,
            Ok(Err(why)) => why.to_string(),
            Err(why) => why.to_string(),
        };
        decoding.error(Code::FunctionFailed, &self.place(view), format!("this value cannot be used: {problem}"));
        Value::unknown(self.implied_type()).with_marks(&marks)
    }
}

impl TransformExpr {
    fn result(&self, value: Value) -> crate::diagnostic::Outcome<Value> {
        self.result_in(&self.scope, value)
    }

    fn result_in(&self, scope: &Scope<'_>, value: Value) -> crate::diagnostic::Outcome<Value> {
        self.expression.evaluate_partially(&scope.child().with(self.variable.as_str(), value))
    }
}

impl Kind for TransformExpr {
    fn specs(&self) -> &[Spec] {
        std::slice::from_ref(&self.wrapped)
    }

    fn implied_type(&self) -> Type {
        self.result(Value::unknown(self.wrapped.implied_type())).value().ty()
    }

    fn value(&self, view: &BodyView<'_>, decoding: &mut Decoding<'_>) -> Value {
        let errors = decoding.errors();
        let value = self.wrapped.value(view, decoding);
        if decoding.errors() > errors {
            return Value::unknown(self.implied_type());
        }
        let scope = self.scope.child().within(decoding.account);
        let result = decoding.take(self.result_in(&scope, value));
        if decoding.errors() > errors && !result.is_known() {
            return Value::unknown(self.implied_type()).with_marks(&result.marks());
        }
        result
    }
}

impl fmt::Debug for TransformExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TransformExpr { wrapped, variable, expression, scope: _ } = self;
        let mut shown = f.debug_struct("TransformExpr");
        shown.field("wrapped", wrapped).field("variable", variable).field("expression", expression).finish()
    }
}
