//! Specs for attributes that are not evaluated, such as references and keywords.

use super::decoding::{BodyView, Decoding, Expected};
use super::{Kind, Spec};
use crate::model::{Type, Value};
use crate::source::Place;

#[derive(Debug)]
struct SourceText {
    name: String,
    required: bool,
}

impl Spec {
    /// Decodes an attribute to the source text of its expression; to null if it is missing. A list becomes a tuple of
    /// the texts of its elements. In JSON the text is that of a string.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    ///
    /// let body = parse::<Body>("after = [task.build]\n").into_result()?;
    /// let after = Spec::source_text("after", true).decode(&body, &Scope::new()).into_result()?;
    /// assert_eq!(after.to_string(), r#"["task.build"]"#);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn source_text(name: impl Into<String>, required: bool) -> Spec {
        Spec::new(SourceText { name: name.into(), required })
    }
}

impl Kind for SourceText {
    fn implied_type(&self) -> Type {
        Type::Dynamic
    }

    fn expect(&self, expected: &mut Expected) {
        expected.attribute(&self.name, self.required);
    }

    fn value(&self, view: &BodyView<'_>, _: &mut Decoding<'_>) -> Value {
        match view.attribute(&self.name) {
            Some(attribute) => attribute.expression().source_texts(),
            None => Value::null(Type::Dynamic),
        }
    }

    fn place(&self, view: &BodyView<'_>) -> Place {
        view.attribute(&self.name).map_or_else(|| view.missing(), |attribute| attribute.expression().place())
    }
}
