//! The information model of HCL: values, types, numbers, conversion, unification.
//!
//! This module does not depend on syntax or positions: a program can use it alone. "The information model" is the
//! syntax-agnostic part of the HCL specification.
//!
//! | task | see |
//! | --- | --- |
//! | make, inspect, compare, print values | [`Value`], [`View`] |
//! | types, specifications, and why a type does not fit | [`Type`], [`TypeMismatch`] |
//! | exact numbers | [`Number`] |
//! | refinements of an unknown value | [`refine`] |
//! | labels on values | [`marks`], [`Mark`] |
//! | conversion and unification | [`convert`], [`unify`] |
//! | operators on values | [`operations`] |
//! | parts of values | [`Path`], [`PathSet`], [`walk`] |
//! | JSON, MessagePack | [`json`], `msgpack` (feature) |
//!
//! ```
//! use hcl_lr::model::{Type, Value};
//! let given = Value::object([("port", Value::from("8080"))]);
//! let wanted = Type::object([("port", Type::Number)]);
//! let value = given.convert(&wanted)?;
//! assert_eq!(value.to_string(), "{ port = 8080 }");
//! # Ok::<(), hcl_lr::model::convert::ConvertError>(())
//! ```
//!
//! # Limits
//! Every operation works on values and types nested 1,000 levels deep on a thread with
//! 2 MiB of stack, also in a debug build; dropping works at any depth. The readers of the
//! encodings refuse deeper nesting than [`MAX_DEPTH`].

mod capsule;
pub mod convert;
pub mod hidden;
pub mod json;
pub mod marks;
#[cfg(feature = "interchange")]
pub mod msgpack;
mod native;
mod number;
pub mod operations;
mod path;
pub mod refine;
mod text;
mod types;
pub mod unify;
mod value;
pub mod walk;

pub use capsule::{Capsule, CapsuleType};
pub(crate) use hidden::{EPHEMERAL, SENSITIVE};
pub(crate) use marks::MarkUnion;
pub use marks::{Mark, MarkSet};
pub use native::{Unexpected, UnexpectedValue};
pub use number::{Loss, LossyNumber, Number, NumberError};
pub use path::{Path, PathSet, PathStep};
pub(crate) use text::{Text, normalized};
pub(crate) use types::texts;
pub use types::{AttributeType, CollectionKind, ElementType, ObjectType, TupleType, Type, TypeMismatch};
#[doc(hidden)]
pub use value::IntoPart;
pub(crate) use value::Lines;
pub use value::common_type;
pub(crate) use value::order_by_name;
pub use value::{Entries, Value, ValueIndex, View};

/// The nesting limit of values and types in the readers of encodings.
pub const MAX_DEPTH: u32 = 1_000;
