//! Specs for all blocks of a type, as a list, set or tuple.

use std::ops::{Bound, RangeBounds};

use super::block::with_other_place;
use super::decoding::{BodyView, Decoding, within};
use super::same_type::{DifferentType, unified};
use super::{Kind, Nested, Spec};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{MarkSet, Type, Value};
use crate::source::Place;

#[derive(Debug)]
struct Blocks {
    block_type: String,
    nested: Spec,
    least: usize,
    most: Option<usize>,
    shape: Shape,
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    List,
    Set,
    Tuple,
}

impl Spec {
    /// Decodes all blocks of a type with a spec to a list. `count` limits the number of blocks. The values are
    /// converted to a common type, which must exist.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::Type;
    ///
    /// let sizes = Spec::block_list("disk", 1..=2, Spec::attr("size", Type::Number));
    /// let body = parse::<Body>("disk {\n  size = 20\n}\ndisk {\n  size = 20\n}\n").into_result()?;
    /// assert_eq!(sizes.decode(&body, &Scope::new()).into_result()?.to_string(), "[20, 20]");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn block_list(block_type: impl Into<String>, count: impl RangeBounds<usize>, nested: Spec) -> Spec {
        Spec::blocks(block_type.into(), count, nested, Shape::List)
    }

    /// Decodes all blocks of a type with a spec to a set: like [`block_list`](Spec::block_list), but without order and
    /// duplicates.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::Type;
    ///
    /// let sizes = Spec::block_set("disk", .., Spec::attr("size", Type::Number));
    /// let body = parse::<Body>("disk {\n  size = 20\n}\ndisk {\n  size = 20\n}\n").into_result()?;
    /// assert_eq!(sizes.decode(&body, &Scope::new()).into_result()?.to_string(), "[20]");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn block_set(block_type: impl Into<String>, count: impl RangeBounds<usize>, nested: Spec) -> Spec {
        Spec::blocks(block_type.into(), count, nested, Shape::Set)
    }

    /// Decodes all blocks of a type with a spec to a tuple: like [`block_list`](Spec::block_list), but the values may
    /// have different types. So the type of the tuple is not known in advance.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::Type;
    ///
    /// let sizes = Spec::block_tuple("set", .., Spec::attr("to", Type::Dynamic));
    /// let body = parse::<Body>("set {\n  to = 20\n}\nset {\n  to = [true]\n}\n").into_result()?;
    /// assert_eq!(sizes.decode(&body, &Scope::new()).into_result()?.to_string(), "[20, [true]]");
    /// assert_eq!(sizes.implied_type(), Type::Dynamic);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn block_tuple(block_type: impl Into<String>, count: impl RangeBounds<usize>, nested: Spec) -> Spec {
        Spec::blocks(block_type.into(), count, nested, Shape::Tuple)
    }

    fn blocks(block_type: String, count: impl RangeBounds<usize>, nested: Spec, shape: Shape) -> Spec {
        let least = match count.start_bound() {
            Bound::Included(&least) => least,
            Bound::Excluded(&below) => below.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let most = match count.end_bound() {
            Bound::Included(&most) => Some(most),
            Bound::Excluded(&above) => Some(above.saturating_sub(1)),
            Bound::Unbounded => None,
        };
        Spec::new(Blocks { block_type, nested, least, most, shape })
    }
}

impl Blocks {
    fn blocks(&self) -> Nested<'_> {
        Nested { block_type: &self.block_type, labels: &[], spec: &self.nested, is_single: false, schema: None }
    }

    fn inconsistent(&self, view: &BodyView<'_>, different: &DifferentType, decoding: &mut Decoding<'_>) {
        let blocks = view.blocks(&self.block_type);
        let place = blocks.get(different.first).map(|block| self.blocks().place_in(block));
        let other = blocks.get(different.index).map(|block| block.header_place());
        let place = place.unwrap_or_else(|| self.place(view));
        inconsistent(&self.block_type, &place, other.as_ref(), different, decoding);
    }
}

impl Nested<'_> {
    /// Reports too few and too many blocks.
    pub(super) fn check_count(
        &self,
        (least, most): (usize, Option<usize>),
        view: &BodyView<'_>,
        decoding: &mut Decoding<'_>,
    ) {
        let blocks = view.blocks(self.block_type);
        let name = self.block_type;
        if let Some(most) = most
            && let Some(extra) = blocks.get(most)
        {
            let place = self.place_in(extra);
            let detail = format!("at most {} allowed here; this is one too many", counted(most, name));
            let diagnostic = Diagnostic::error(Code::TooManyBlocks, place, detail);
            decoding.report(with_other_place(diagnostic, &extra.header_place(), "this block"));
        } else if blocks.len() < least {
            let actual = match blocks.len() {
                0 => "there is none".to_owned(),
                1 => "there is only one".to_owned(),
                some => format!("there are only {some}"),
            };
            let detail = format!("at least {} required here, but {actual}", counted(least, name));
            decoding.error(Code::MissingBlock, &view.missing(), detail);
        }
    }
}

/// Returns the marks on values and on their parts.
pub(super) fn marks_of(values: &[Value]) -> MarkSet {
    let marked = values.iter().filter(|value| value.contains_marks());
    marked.fold(MarkSet::default(), |marks, value| marks.union(&value.marks_deep()))
}

/// `2 blocks of type "disk" are`
fn counted(number: usize, name: &str) -> String {
    match number {
        1 => format!("one block of type \"{name}\" is"),
        number => format!("{number} blocks of type \"{name}\" are"),
    }
}

/// Reports values that have no type in common.
pub(super) fn inconsistent(
    block_type: &str,
    place: &Place,
    other: Option<&Place>,
    different: &DifferentType,
    decoding: &mut Decoding<'_>,
) {
    let why = &different.why;
    let all = format!("the values in all \"{block_type}\" blocks must have the same type");
    let detail = match other {
        None => format!("{all}: {why}"),
        // Several values come from one JSON array or `dynamic` block.
        Some(other) if other == place => format!("{all}, but in block {}: {why}", different.index + 1),
        Some(other) => format!("{all}, but in the block at {other}: {why}"),
    };
    let mut diagnostic = Diagnostic::error(Code::InconsistentBlocks, place, detail);
    if let Some(other) = other {
        diagnostic = with_other_place(diagnostic, other, "this block has values of other types");
    }
    decoding.report(diagnostic);
}

impl Kind for Blocks {
    fn nested(&self) -> Option<Nested<'_>> {
        Some(self.blocks())
    }

    fn implied_type(&self) -> Type {
        match self.shape {
            Shape::List => Type::list(self.nested.implied_type()),
            Shape::Set => Type::set(self.nested.implied_type()),
            Shape::Tuple => Type::Dynamic,
        }
    }

    fn value(&self, view: &BodyView<'_>, decoding: &mut Decoding<'_>) -> Value {
        let blocks = view.blocks(&self.block_type);
        let mut values = Vec::with_capacity(blocks.len());
        for block in &blocks {
            let value = within(block, 0, &self.nested, decoding, |view, decoding| self.nested.value(view, decoding));
            values.push(value.with_marks(&block.body().marks()));
        }
        if blocks.iter().any(|block| block.body().is_unknown()) {
            // The number of blocks is unknown, so it is not checked.
            return Value::unknown(self.implied_type()).with_marks(&marks_of(&values));
        }
        self.blocks().check_count((self.least, self.most), view, decoding);
        if let Shape::Tuple = self.shape {
            return Value::tuple(values);
        }
        let marks = marks_of(&values);
        let collected = unified(values, self.nested.ty(), decoding.account).and_then(|(element, values)| {
            let value = match self.shape {
                Shape::Set => Value::set(element, values),
                _ => Value::list(element, values),
            };
            value.map_err(|why| DifferentType { first: 0, index: 0, why: why.to_string() })
        });
        collected.unwrap_or_else(|different| {
            self.inconsistent(view, &different, decoding);
            Value::unknown(Type::Dynamic).with_marks(&marks)
        })
    }
}
