//! Specs for objects and tuples.

use std::collections::BTreeMap;

use super::decoding::{BodyView, Decoding};
use super::{Kind, Spec};
use crate::model::{Type, Value};
use crate::source::Place;

/// The specs by attribute name, in the order of the attributes of the type.
struct Object {
    ty: Type,
    specs: Vec<Spec>,
}

#[derive(Debug)]
struct Tuple {
    specs: Vec<Spec>,
}

impl Spec {
    /// Decodes to an object whose attributes are the values of specs for the same body.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::Type;
    ///
    /// let spec = Spec::object([("id", Spec::attr("name", Type::String)), ("size", Spec::attr("size", Type::Number))]);
    /// let body = parse::<Body>("name = \"a\"\n").into_result()?;
    /// let value = spec.decode(&body, &Scope::new()).into_result()?;
    /// assert_eq!(value.to_string(), r#"{ id = "a", size = null }"#);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn object<N: AsRef<str>>(attributes: impl IntoIterator<Item = (N, Spec)>) -> Spec {
        let specs: Vec<(N, Spec)> = attributes.into_iter().collect();
        let ty = Type::object(specs.iter().map(|(name, spec)| (name.as_ref(), spec.implied_type())));
        // A type normalizes names, and the last of equal ones wins; the same applies here.
        let mut by_name: BTreeMap<String, Spec> = BTreeMap::new();
        for (name, spec) in specs {
            let only = Type::object([(name.as_ref(), Type::Dynamic)]);
            let name = only.attributes().unwrap_or_default().iter().map(|attribute| attribute.name().to_owned());
            by_name.extend(name.map(|name| (name, spec.clone())));
        }
        Spec::new(Object { ty, specs: by_name.into_values().collect() })
    }

    /// Decodes to a tuple whose elements are the values of specs for the same body.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::Type;
    ///
    /// let spec = Spec::tuple([Spec::attr("from", Type::Number), Spec::attr("to", Type::Number)]);
    /// let body = parse::<Body>("from = 1\nto = 9\n").into_result()?;
    /// assert_eq!(spec.decode(&body, &Scope::new()).into_result()?.to_string(), "[1, 9]");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn tuple(elements: impl IntoIterator<Item = Spec>) -> Spec {
        Spec::new(Tuple { specs: elements.into_iter().collect() })
    }
}

impl Kind for Object {
    fn specs(&self) -> &[Spec] {
        &self.specs
    }

    fn implied_type(&self) -> Type {
        self.ty.clone()
    }

    fn value(&self, view: &BodyView<'_>, decoding: &mut Decoding<'_>) -> Value {
        let items: Vec<Value> = self.specs.iter().map(|spec| spec.value(view, decoding)).collect();
        let attributes = self.ty.attributes().unwrap_or_default();
        // Usually the type is the expected one and can be reused.
        if attributes.iter().zip(&items).all(|(attribute, item)| item.ty() == *attribute.ty()) {
            return Value::with_parts(self.ty.clone(), items);
        }
        Value::object(attributes.iter().map(|attribute| attribute.name()).zip(items))
    }

    fn place(&self, view: &BodyView<'_>) -> Place {
        view.missing()
    }
}

impl std::fmt::Debug for Object {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = self.ty.attributes().unwrap_or_default().iter().map(|attribute| attribute.name());
        f.write_str("Object ")?;
        f.debug_map().entries(names.zip(&self.specs)).finish()
    }
}

impl Kind for Tuple {
    fn specs(&self) -> &[Spec] {
        &self.specs
    }

    fn implied_type(&self) -> Type {
        Type::tuple(self.specs.iter().map(Spec::implied_type))
    }

    fn value(&self, view: &BodyView<'_>, decoding: &mut Decoding<'_>) -> Value {
        Value::tuple(self.specs.iter().map(|spec| spec.value(view, decoding)).collect::<Vec<_>>())
    }

    fn place(&self, view: &BodyView<'_>) -> Place {
        view.missing()
    }
}
