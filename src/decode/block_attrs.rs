//! Specs for blocks that are maps.

use std::collections::BTreeMap;

use super::attr::converted;
use super::block::{only_block, with_other_place};
use super::collection::{inconsistent, marks_of};
use super::decoding::{BodyView, Decoding, Expected};
use super::same_type::unified;
use super::{Kind, Spec};
use crate::body::Attribute;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Text, Type, Value, normalized};
use crate::source::Place;
use crate::syntax::Traversal;
use crate::type_expr::Constraint;

#[derive(Debug)]
struct BlockAttrs {
    block_type: String,
    element: Constraint,
    required: bool,
}

impl Spec {
    /// Decodes all attributes of the only block of a type, whatever their names, to a map of values of one type; to
    /// null if there is no such block.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::Type;
    ///
    /// let tags = Spec::block_attrs("tags", Type::String);
    /// let body = parse::<Body>("tags {\n  team = \"a\"\n  cost = 5\n}\n").into_result()?;
    /// assert_eq!(tags.decode(&body, &Scope::new()).into_result()?.to_string(), r#"{ cost = "5", team = "a" }"#);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn block_attrs(block_type: impl Into<String>, element: impl Into<Constraint>) -> Spec {
        Spec::new(BlockAttrs { block_type: block_type.into(), element: element.into(), required: false })
    }

    /// Decodes all attributes of the only block of a type, which is required, to a map.
    pub fn required_block_attrs(block_type: impl Into<String>, element: impl Into<Constraint>) -> Spec {
        Spec::new(BlockAttrs { block_type: block_type.into(), element: element.into(), required: true })
    }
}

/// Returns the type of all values that have one, if it is the same.
fn only_type(values: &[Value]) -> Option<Type> {
    let mut types = values.iter().map(Value::ty).filter(|ty| *ty != Type::Dynamic);
    let first = types.next()?;
    types.all(|ty| ty == first).then_some(first)
}

/// Reports a second attribute for one key.
fn duplicate(second: &Attribute, first: &Attribute, decoding: &mut Decoding<'_>) {
    let (place, before) = (second.name_place(), first.name_place());
    let detail = format!("the key \"{}\" is already set at {before}", normalized(second.name()));
    let diagnostic = Diagnostic::error(Code::DuplicateAttribute, place, detail)
        .with_help("both names are the same text after Unicode normalization; remove one of them");
    decoding.report(with_other_place(diagnostic, &before, "first set here"));
}

impl Kind for BlockAttrs {
    fn implied_type(&self) -> Type {
        Type::map(self.element.ty().without_optional_attributes())
    }

    fn expect(&self, expected: &mut Expected) {
        expected.blocks(&self.block_type, &[], None);
    }

    fn value(&self, view: &BodyView<'_>, decoding: &mut Decoding<'_>) -> Value {
        let Some(block) = only_block(view, &self.block_type, self.required, decoding) else {
            return Value::null(self.implied_type());
        };
        let attributes = decoding.take(block.body().attributes());
        let mut known: BTreeMap<Text, &Attribute> = BTreeMap::new();
        let mut values = Vec::with_capacity(attributes.len());
        for attribute in attributes.iter() {
            // A body may contain two spellings of a name that a map normalizes to one key.
            if let Some(first) = known.insert(normalized(attribute.name()), attribute) {
                duplicate(attribute, first, decoding);
            }
            values.push(converted(attribute, &self.element, decoding));
        }
        let marks = marks_of(&values);
        let map = |element: Type, values: Vec<Value>| {
            let entries = attributes.iter().map(|attribute| attribute.name()).zip(values);
            Value::map(element, entries).unwrap_or_else(|_| Value::unknown(self.implied_type()).with_marks(&marks))
        };
        // Nulls and unknown values without a type take the type of the other values.
        if let Some(settled) = only_type(&values) {
            return map(settled, values);
        }
        let element = self.element.ty().without_optional_attributes();
        match unified(values, &element, decoding.account) {
            Ok((element, values)) => map(element, values),
            Err(different) => {
                let other = attributes.iter().nth(different.index).map(|attribute| attribute.name_place());
                inconsistent(&self.block_type, &block.type_place(), other.as_ref(), &different, decoding);
                Value::unknown(Type::Dynamic).with_marks(&marks)
            }
        }
    }

    fn place(&self, view: &BodyView<'_>) -> Place {
        match view.blocks(&self.block_type)[..] {
            [] => view.missing(),
            [block, ..] => block.type_place(),
        }
    }

    fn variables(&self, view: &BodyView<'_>, paths: &mut Vec<Traversal>) {
        if let [block, ..] = view.blocks(&self.block_type)[..] {
            let attributes = block.body().attributes().into_value();
            paths.extend(attributes.iter().flat_map(|attribute| attribute.expression().variables()));
        }
    }
}
