//! Schemas of the library's types for serde.

use hcl_lr::typed::{BlockOf, Labeled, Template, TypeExpression};

use super::{Described, Describer, HclSchema, Label, Type};

impl HclSchema for TypeExpression {
    fn describe(_: &mut Describer) -> Described {
        Described::Value(Type::TypeExpression)
    }
}

impl HclSchema for Template {
    fn describe(_: &mut Describer) -> Described {
        Described::Value(Type::String)
    }
}

impl<T: HclSchema> HclSchema for BlockOf<T> {
    fn describe(describer: &mut Describer) -> Described {
        T::describe(describer)
    }
}

/// The schema of the structure, with any number of labels.
impl<T: HclSchema> HclSchema for Labeled<T> {
    fn describe(describer: &mut Describer) -> Described {
        match T::describe(describer) {
            Described::Body(part, _) => Described::Body(part, vec![Label::new("labels", Type::String).repeated()]),
            other => other,
        }
    }
}

impl<T: HclSchema> HclSchema for serde_spanned::Spanned<T> {
    fn describe(describer: &mut Describer) -> Described {
        T::describe(describer)
    }
}
