//! Tables with a fast hash function, which is seeded at random as that of the standard library.

/// A table.
pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, foldhash::fast::RandomState>;
