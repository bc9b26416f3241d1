//! Schemas of the library's types for serde.

use hcl_lr::typed::{BlockLabels, BlockOf, Labeled, Template, TypeExpression};

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

/// The schema of the structure, with the labels that the type takes.
impl<T: HclSchema, L: BlockLabels> HclSchema for Labeled<T, L> {
    fn describe(describer: &mut Describer) -> Described {
        let labels = match L::COUNT {
            None => vec![Label::new("labels", Type::String).repeated()],
            Some(1) => vec![Label::new("label", Type::String)],
            Some(count) => (1..=count).map(|number| Label::new(format!("label{number}"), Type::String)).collect(),
        };
        match T::describe(describer) {
            Described::Body(part, _) => Described::Body(part, labels),
            other => other,
        }
    }
}

impl<T: HclSchema> HclSchema for serde_spanned::Spanned<T> {
    fn describe(describer: &mut Describer) -> Described {
        T::describe(describer)
    }
}
