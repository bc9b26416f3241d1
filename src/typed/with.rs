//! Modules for `#[serde(with = "…")]`, where a wrapper type would be in the way.

/// A field that is written as one or several blocks, like [`BlockOf`](crate::typed::BlockOf), and keeps its own type.
///
/// ```
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Config {
///     #[serde(with = "hcl_lr::typed::block")]
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
/// # Ok::<(), hcl_lr::typed::WriteError>(())
/// ```
pub mod block {
    use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::typed::BlockOf;
    use crate::typed::wrappers::BLOCK;

    /// Writes a block, or several of them.
    ///
    /// # Errors
    /// The value cannot be written in this form; it is a number, for example.
    pub fn serialize<T: ?Sized + Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(BLOCK, value)
    }

    /// Reads a block, but not an attribute.
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

/// A list of any number of blocks. Like [`block`] for a list, but it also accepts a single block where serde buffers
/// its input: in a field with `flatten`, and in an untagged or internally tagged enum. With `#[serde(default)]` the
/// list may be empty.
///
/// ```
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// #[serde(tag = "type", rename_all = "snake_case")]
/// enum Job {
///     Serve {
///         #[serde(default, with = "hcl_lr::typed::blocks")]
///         listener: Vec<Listener>,
///     },
/// }
///
/// #[derive(Deserialize)]
/// struct Listener {
///     port: u16,
/// }
///
/// #[derive(Deserialize)]
/// struct Config {
///     job: Vec<Job>,
/// }
///
/// let text = "\
/// job {
///   type = \"serve\"
///   listener {
///     port = 80
///   }
/// }
/// job {
///   type = \"serve\"
/// }
/// ";
/// let config: Config = hcl_lr::from_str(text)?;
/// let [Job::Serve { listener: one }, Job::Serve { listener: none }] = &config.job[..] else { panic!("two jobs") };
/// assert_eq!((one[0].port, none.len()), (80, 0));
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
pub mod blocks {
    use std::fmt;
    use std::marker::PhantomData;

    use ::serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
    use ::serde::de::{self, MapAccess, SeqAccess, Visitor};
    use ::serde::{Deserialize, Deserializer};

    pub use super::block::serialize;
    use crate::typed::wrappers::BLOCKS;

    /// Reads blocks, but not an attribute.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        let describes_itself = deserializer.is_human_readable();
        deserializer.deserialize_newtype_struct(BLOCKS, Blocks { describes_itself, list: PhantomData })
    }

    struct Blocks<T> {
        /// True if the format distinguishes one block from several.
        describes_itself: bool,
        list: PhantomData<T>,
    }

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Blocks<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("blocks, or a list of objects")
        }

        fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
            match self.describes_itself {
                true => deserializer.deserialize_any(self),
                false => T::deserialize(deserializer),
            }
        }

        fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<T, A::Error> {
            T::deserialize(SeqAccessDeserializer::new(elements))
        }

        fn visit_map<A: MapAccess<'de>>(self, block: A) -> Result<T, A::Error> {
            T::deserialize(SeqAccessDeserializer::new(Single(Some(block))))
        }

        fn visit_unit<E: de::Error>(self) -> Result<T, E> {
            T::deserialize(de::value::SeqDeserializer::new(std::iter::empty::<()>()))
        }
    }

    /// A block as the only element of a list.
    struct Single<A>(Option<A>);

    impl<'de, A: MapAccess<'de>> SeqAccess<'de> for Single<A> {
        type Error = A::Error;

        fn next_element_seed<S: de::DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
            self.0.take().map(|block| seed.deserialize(MapAccessDeserializer::new(block))).transpose()
        }
    }
}

/// A map that is written as blocks with its keys as labels; maps within it add further labels.
///
/// ```
/// use std::collections::BTreeMap;
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Config {
///     #[serde(with = "hcl_lr::typed::blocks_by_label")]
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
/// # Ok::<(), hcl_lr::typed::WriteError>(())
/// ```
pub mod blocks_by_label {
    use ::serde::{Serialize, Serializer};

    pub use super::block::deserialize;
    use crate::typed::wrappers::BLOCKS_BY_LABEL;

    /// Writes blocks with the keys as labels.
    ///
    /// # Errors
    /// The value cannot be written in this form; it is a number, for example.
    pub fn serialize<T: ?Sized + Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(BLOCKS_BY_LABEL, value)
    }
}
