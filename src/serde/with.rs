//! Modules for `#[serde(with = "…")]`, where a wrapper type would be in the way.

/// A field that is written as a block or as several, as [`BlockOf`](crate::serde::BlockOf) is, and keeps its
/// own type.
///
/// ```
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Config {
///     #[serde(with = "hcl_lr::serde::block")]
///     service: Vec<Service>,
/// }
///
/// #[derive(Serialize)]
/// struct Service {
///     #[serde(rename = "$label")]
///     name: String,
///     port: u16,
/// }
///
/// let config = Config { service: vec![Service { name: "web".to_owned(), port: 80 }] };
/// assert_eq!(hcl_lr::to_string(&config)?, "service \"web\" {\n  port = 80\n}\n");
/// # Ok::<(), hcl_lr::serde::WriteError>(())
/// ```
pub mod block {
    use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::serde::BlockOf;
    use crate::serde::wrappers::BLOCK;

    /// Writes a block, or several of them.
    ///
    /// # Errors
    /// The value cannot be written in this form; it is a number, for example.
    pub fn serialize<T: ?Sized + Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(BLOCK, value)
    }

    /// Reads what is a block, and no attribute.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn deserialize<'de, T, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>
    where
        BlockOf<T>: Deserialize<'de>,
    {
        BlockOf::deserialize(deserializer).map(BlockOf::into_inner)
    }
}

/// A map that is written as blocks with its keys as labels; maps in it give further labels.
///
/// ```
/// use std::collections::BTreeMap;
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Config {
///     #[serde(with = "hcl_lr::serde::blocks_by_label")]
///     service: BTreeMap<String, Service>,
/// }
///
/// #[derive(Serialize)]
/// struct Service {
///     port: u16,
/// }
///
/// let config = Config { service: BTreeMap::from([("web".to_owned(), Service { port: 80 })]) };
/// assert_eq!(hcl_lr::to_string(&config)?, "service \"web\" {\n  port = 80\n}\n");
/// # Ok::<(), hcl_lr::serde::WriteError>(())
/// ```
pub mod blocks_by_label {
    use ::serde::{Serialize, Serializer};

    pub use super::block::deserialize;
    use crate::serde::wrappers::BLOCKS_BY_LABEL;

    /// Writes blocks with the keys as labels.
    ///
    /// # Errors
    /// The value cannot be written in this form; it is a number, for example.
    pub fn serialize<T: ?Sized + Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(BLOCKS_BY_LABEL, value)
    }
}
