//! Specs that check or refine values.

use std::borrow::Cow;
use std::fmt;

use super::decoding::{BodyView, Decoding};
use super::{Kind, Spec};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::model::refine::Refine;
use crate::model::{Type, Value};
use crate::source::Place;

/// An error or a warning from an application's check of a value.
///
/// ```
/// use hcl_lr::decode::ValidationProblem;
///
/// let problem = ValidationProblem::error("a port is at most 65535").with_help("ports below 1024 need privileges");
/// assert_eq!(problem.detail(), "a port is at most 65535");
/// ```
#[derive(Clone, Debug)]
pub struct ValidationProblem {
    diagnostic: Diagnostic,
    /// True if the diagnostic has a place already.
    placed: bool,
}

/// Converts a diagnostic with its place and all of its parts.
impl From<Diagnostic> for ValidationProblem {
    fn from(diagnostic: Diagnostic) -> Self {
        ValidationProblem { diagnostic, placed: true }
    }
}

impl ValidationProblem {
    /// The value cannot be used; `detail` says why.
    pub fn error(detail: impl Into<String>) -> Self {
        ValidationProblem::new(Severity::Error, detail)
    }

    /// Creates a warning: the value can be used, but is probably not intended.
    pub fn warning(detail: impl Into<String>) -> Self {
        ValidationProblem::new(Severity::Warning, detail)
    }

    /// A problem with a severity.
    pub fn new(severity: Severity, detail: impl Into<String>) -> Self {
        let diagnostic = Diagnostic::new(severity, Code::InvalidValue, Place::nowhere(), detail.into());
        ValidationProblem { diagnostic, placed: false }
    }

    /// Sets its own code and summary, in place of those for invalid values.
    pub fn with_code(self, code: impl Into<Code>, summary: impl Into<Cow<'static, str>>) -> Self {
        ValidationProblem { diagnostic: self.diagnostic.with_code(code).with_summary(summary), ..self }
    }

    /// Says what to do about it.
    pub fn with_help(self, help: impl Into<String>) -> Self {
        ValidationProblem { diagnostic: self.diagnostic.with_help(help.into()), ..self }
    }

    /// Reports the problem at another place than that of the value.
    pub fn at(self, place: Place) -> Self {
        ValidationProblem { diagnostic: self.diagnostic.at(place), placed: true }
    }

    /// Returns the message.
    pub fn detail(&self) -> &str {
        self.diagnostic.detail()
    }

    fn report(self, place: impl FnOnce() -> Place, decoding: &mut Decoding<'_>) {
        decoding.report(if self.placed { self.diagnostic } else { self.diagnostic.at(place()) });
    }
}

/// A function for values without errors; it reports problems to its second parameter.
type After = dyn Fn(Value, &mut dyn FnMut(ValidationProblem)) -> Value + Send + Sync;

struct Checked {
    wrapped: Spec,
    after: Box<After>,
}

impl Checked {
    fn spec(
        wrapped: Spec,
        after: impl Fn(Value, &mut dyn FnMut(ValidationProblem)) -> Value + Send + Sync + 'static,
    ) -> Spec {
        Spec::new(Checked { wrapped, after: Box::new(after) })
    }
}

impl Spec {
    /// Checks the value of this spec. All problems that the check returns are reported at the place of the value. The
    /// value may be null or unknown, or have marks.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::{ValidationProblem, Spec};
    /// use hcl_lr::model::{Number, Type};
    ///
    /// let port = Spec::attr("port", Type::Number).validate(|port| {
    ///     let too_large = port.as_number().is_some_and(|port| *port > Number::from(65_535));
    ///     too_large.then(|| ValidationProblem::error("a port is at most 65535"))
    /// });
    /// let body = parse::<Body>(("a.hcl", "port = 80800\n")).into_result()?;
    /// let errors = port.decode(&body, &Scope::new()).into_result().unwrap_err();
    /// assert_eq!(errors.to_string(), "a.hcl:1:8: error[invalid-value]: a requirement is not met: a port is at most 65535");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn validate<P>(self, check: impl Fn(&Value) -> P + Send + Sync + 'static) -> Spec
    where
        P: IntoIterator<Item = ValidationProblem>,
    {
        Checked::spec(self, move |value, report| {
            check(&value).into_iter().for_each(report);
            value
        })
    }

    /// Refines all values of this spec, for example as never null. A value that contradicts the refinement is an error;
    /// use [`validate`](Self::validate) before it for a better message.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::{Type, Value};
    ///
    /// let name = Spec::required_attr("name", Type::String).refine(|name| name.not_null());
    /// let body = parse::<Body>("name = later\n").into_result()?;
    /// let scope = Scope::new().with("later", Value::unknown(Type::String));
    /// assert!(name.decode(&body, &scope).into_result()?.is_never_null());
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn refine(self, refine: impl Fn(Refine) -> Refine + Send + Sync + 'static) -> Spec {
        Checked::spec(self, move |value, report| {
            if value.ty() == Type::Dynamic && !value.is_known() {
                return value;
            }
            refine(value.refine()).value().unwrap_or_else(|why| {
                report(ValidationProblem::error(why.to_string()));
                value
            })
        })
    }
}

impl Kind for Checked {
    fn specs(&self) -> &[Spec] {
        std::slice::from_ref(&self.wrapped)
    }

    fn implied_type(&self) -> Type {
        self.wrapped.implied_type()
    }

    fn value(&self, view: &BodyView<'_>, decoding: &mut Decoding<'_>) -> Value {
        let errors = decoding.errors();
        let value = self.wrapped.value(view, decoding);
        if decoding.errors() > errors {
            return value;
        }
        (self.after)(value, &mut |problem| problem.report(|| self.place(view), decoding))
    }
}

impl fmt::Debug for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checked").field("wrapped", &self.wrapped).finish_non_exhaustive()
    }
}
