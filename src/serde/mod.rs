//! From files to Rust types and back, with [serde](https://serde.rs) (behind the feature `serde`).
//!
//! Types that derive `Serialize` and `Deserialize` need nothing else. What only HCL has is said by the
//! types of this module: [`BlockOf`] writes a structure as a block instead of as an object, [`Labeled`] and
//! [`Labels`] are the labels of a block.

mod wrappers;

pub use wrappers::{BlockOf, Labeled, Labels};
