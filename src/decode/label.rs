//! Specs for labels of the enclosing block.

use super::decoding::{BodyView, Decoding, Expected};
use super::{Kind, Spec};
use crate::diagnostic::Code;
use crate::model::{Type, Value};
use crate::source::Place;

#[derive(Debug)]
struct BlockLabel {
    index: usize,
    name: String,
}

impl Spec {
    /// Decodes a label of the block with this body. Labels are counted from 0, without those that
    /// [`block_map`](Spec::block_map) uses itself. The blocks must have as many labels as the specs for their bodies
    /// read. `name` is the name of the label in messages.
    ///
    /// Reading a label of a body without a block is a mistake of the program: the value is unknown and an error is
    /// reported.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::Type;
    ///
    /// let disk = Spec::object([("name", Spec::block_label(0, "name")), ("size", Spec::attr("size", Type::Number))]);
    /// let disks = Spec::block_list("disk", .., disk);
    /// let body = parse::<Body>("disk \"root\" {\n  size = 20\n}\n").into_result()?;
    /// let value = disks.decode(&body, &Scope::new()).into_result()?;
    /// assert_eq!(value.to_string(), r#"[{ name = "root", size = 20 }]"#);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn block_label(index: usize, name: impl Into<String>) -> Spec {
        Spec::new(BlockLabel { index, name: name.into() })
    }
}

impl Kind for BlockLabel {
    fn implied_type(&self) -> Type {
        Type::String
    }

    fn expect(&self, expected: &mut Expected) {
        expected.label(self.index, &self.name);
    }

    fn value(&self, view: &BodyView<'_>, decoding: &mut Decoding<'_>) -> Value {
        match view.labels.get(self.index) {
            Some(label) => Value::from(label.text()),
            None => {
                // Blocks with too few labels do not get here.
                if !view.in_block {
                    let detail = format!("the label \"{}\" is needed here, but this is not in a block", self.name);
                    decoding.error(Code::BlockLabels, &view.missing(), detail);
                }
                Value::unknown(Type::String)
            }
        }
    }

    fn place(&self, view: &BodyView<'_>) -> Place {
        view.labels.get(self.index).map_or_else(|| view.missing(), |label| label.place().clone())
    }
}
