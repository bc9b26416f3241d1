//! Values in place of nulls.

use super::decoding::{Decoding, Expected, Here};
use super::{Kind, Spec};
use crate::model::{Type, Value};
use crate::source::Place;
use crate::syntax::Traversal;

#[derive(Debug)]
struct Or {
    first: Spec,
    /// In the order in which they are asked.
    fallbacks: Vec<Spec>,
}

impl Spec {
    /// The value of this spec, or if that is null the one of another spec for the same body. The two
    /// should have the same type.
    ///
    /// What the other spec requires is required anyway, since what a body may contain does not depend
    /// on the values in it.
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

    /// The value of this spec, or if that is null the first one of other specs that is not.
    pub(super) fn or_one_of(self, fallbacks: Vec<Spec>) -> Spec {
        Spec::new(Or { first: self, fallbacks })
    }
}

impl Kind for Or {
    fn implied_type(&self) -> Type {
        self.first.implied_type()
    }

    fn expect(&self, expected: &mut Expected) {
        self.first.expect(expected);
        self.fallbacks.iter().for_each(|fallback| fallback.expect(expected));
    }

    fn value(&self, here: &Here<'_>, decoding: &mut Decoding<'_>) -> Value {
        let mut value = self.first.value(here, decoding);
        for fallback in &self.fallbacks {
            if !value.is_null() {
                break;
            }
            value = fallback.value(here, decoding);
        }
        value
    }

    fn place(&self, here: &Here<'_>) -> Place {
        self.first.place(here)
    }

    fn variables(&self, here: &Here<'_>, found: &mut Vec<Traversal>) {
        self.first.find_variables(here, found);
        self.fallbacks.iter().for_each(|fallback| fallback.find_variables(here, found));
    }

    fn block_types(&self, found: &mut Vec<(String, Spec)>) {
        self.first.find_block_types(found);
        self.fallbacks.iter().for_each(|fallback| fallback.find_block_types(found));
    }
}
