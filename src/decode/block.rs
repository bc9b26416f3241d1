//! Specs for single blocks.

use super::decoding::{BodyView, Decoding, within};
use super::{Kind, Nested, Spec};
use crate::body::Block as BodyBlock;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Type, Value};
use crate::source::Place;

#[derive(Debug)]
struct Block {
    block_type: String,
    nested: Spec,
    required: bool,
}

impl Spec {
    /// Decodes the body of the only block of a type; to null if there is none. More than one is an error.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::{Type, Value};
    ///
    /// let size = Spec::block("disk", Spec::attr("size", Type::Number));
    /// let body = parse::<Body>("disk {\n  size = 20\n}\n").into_result()?;
    /// assert_eq!(size.decode(&body, &Scope::new()).into_result()?, Value::from(20));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn block(block_type: impl Into<String>, nested: Spec) -> Spec {
        Spec::new(Block { block_type: block_type.into(), nested, required: false })
    }

    /// Decodes the body of the only block of a type, which is required.
    pub fn required_block(block_type: impl Into<String>, nested: Spec) -> Spec {
        Spec::new(Block { block_type: block_type.into(), nested, required: true })
    }
}

impl Kind for Block {
    fn nested(&self) -> Option<Nested<'_>> {
        Some(Nested { block_type: &self.block_type, labels: &[], spec: &self.nested, is_single: true, schema: None })
    }

    fn implied_type(&self) -> Type {
        self.nested.implied_type()
    }

    fn value(&self, view: &BodyView<'_>, decoding: &mut Decoding<'_>) -> Value {
        match only_block(view, &self.block_type, self.required, decoding) {
            Some(block) => within(block, 0, &self.nested, decoding, |view, decoding| self.nested.value(view, decoding)),
            None => Value::null(self.implied_type()),
        }
    }
}

/// Returns the block of a type of which there may be only one.
pub(super) fn only_block<'c>(
    view: &BodyView<'c>,
    block_type: &str,
    required: bool,
    decoding: &mut Decoding<'_>,
) -> Option<&'c BodyBlock> {
    match view.blocks(block_type)[..] {
        [] => {
            if required {
                let detail = format!("a block of type \"{block_type}\" is required here");
                decoding.error(Code::MissingBlock, &view.missing(), detail);
            }
            None
        }
        [only] => Some(only),
        [first, second, ..] => {
            let (place, before) = (second.type_place(), first.type_place());
            let only = format!("only one block of type \"{block_type}\" is allowed here");
            // They come from a JSON array or a `dynamic` block.
            let detail = match place == before {
                true => format!("{only}, and this makes several"),
                false => format!("{only}, and there is already one at {before}"),
            };
            let diagnostic = Diagnostic::error(Code::TooManyBlocks, place, detail);
            decoding.report(with_other_place(diagnostic, &before, "the first one is here"));
            Some(first)
        }
    }
}

/// Shows another place too.
pub(super) fn with_other_place(diagnostic: Diagnostic, other: &Place, says: &'static str) -> Diagnostic {
    // In JSON, several blocks may begin at the same place.
    if diagnostic.place() == other { diagnostic } else { diagnostic.with_label(other, says) }
}
