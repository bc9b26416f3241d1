//! Specs with defaults for null.

use super::decoding::{BodyView, Decoding};
use super::{Kind, Spec};
use crate::model::{Type, Value};

#[derive(Debug)]
struct Or {
    /// The specs in the order in which they are tried; at least one.
    specs: Vec<Spec>,
}

impl Spec {
    /// Decodes with this spec, or if the result is null, with another spec for the same body. Both should have the same
    /// type.
    ///
    /// Attributes and blocks that the other spec requires are required in any case, because the schema of a body does
    /// not depend on its values.
    ///
    /// ```
    /// use hcl_lr::Scope;
    /// use hcl_lr::body::Body;
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::Type;
    ///
    /// let port = Spec::attr("port", Type::Number).or(Spec::literal(8080));
    /// assert_eq!(port.decode(&Body::empty(), &Scope::new()).into_result()?, 8080.into());
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn or(self, fallback: Spec) -> Spec {
        self.or_one_of(vec![fallback])
    }

    /// Decodes with this spec and others, until the result is not null.
    pub(super) fn or_one_of(self, fallbacks: Vec<Spec>) -> Spec {
        Spec::new(Or { specs: [vec![self], fallbacks].concat() })
    }
}

impl Kind for Or {
    fn specs(&self) -> &[Spec] {
        &self.specs
    }

    fn implied_type(&self) -> Type {
        self.specs[0].implied_type()
    }

    fn value(&self, view: &BodyView<'_>, decoding: &mut Decoding<'_>) -> Value {
        let mut value = self.specs[0].value(view, decoding);
        for fallback in &self.specs[1..] {
            if !value.is_null() {
                break;
            }
            value = fallback.value(view, decoding);
        }
        value
    }
}
