//! New parts of a template.

use std::ops::Range;

use super::EditError;
use super::item::NewValue;
use hcl_lr::construct::{NewExpression, NewTemplate};
use hcl_lr::syntax::ast::{ExpressionKind, TemplateNode};

/// New parts of a template.
#[derive(Clone, Debug)]
pub(super) struct Splice {
    /// The indexes of the parts that they replace.
    pub range: Range<usize>,
    pub new: NewTemplate,
    /// The new parts, as the only value of a file.
    pub value: NewValue,
}

impl Splice {
    pub fn new(range: Range<usize>, new: NewTemplate) -> Result<Splice, EditError> {
        let value = NewValue::of(&NewExpression::from(new.clone()))?;
        Ok(Splice { range, new, value })
    }

    /// Returns the new parts as a template.
    pub fn template(&self) -> Option<TemplateNode<'_>> {
        match self.value.expression()?.kind() {
            ExpressionKind::Template(template) => Some(template),
            _ => None,
        }
    }
}

/// The reason why an empty part of a directive cannot get parts.
pub(super) const NO_PLACE: &str = "an empty part of a directive has no place for new parts; set the whole string";
