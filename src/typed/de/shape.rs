//! The shape of an input, as far as it can be seen.

use std::borrow::Cow;

use crate::model::{Number, Value};
use crate::syntax::ast::{ObjectNode, Tuple};

/// The shape of an input.
pub(super) enum Shape<'t> {
    Null,
    Bool(bool),
    Small(u64),
    Number(Number),
    Text(Cow<'t, str>),
    /// A tuple and an object that are written out.
    Tuple(Tuple<'t>),
    Object(ObjectNode<'t>),
    /// An array and an object in JSON, or blocks.
    JsonArray,
    JsonObject,
    /// A list, set or tuple; a map or object.
    List(Value),
    Map(Value),
    Capsule,
    /// An input that is no value: blocks, a body, labels.
    Other,
}
