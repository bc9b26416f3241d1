//! How much a call may ask for. Every bound on what arguments can make a function do is here.

/// The largest width or precision in a format.
pub(crate) const MAX_FORMAT_WIDTH: usize = 1_000_000;

/// How long a text may become that a function makes from shorter ones, in bytes.
pub(crate) const MAX_TEXT: usize = 64 << 20;

/// How many elements a collection may have that a function makes from smaller ones.
pub(crate) const MAX_ELEMENTS: usize = 1 << 20;

/// How many numbers `range` gives at most.
pub(crate) const MAX_RANGE: usize = 1_024;

/// How many values the aliases of a YAML document may stand for, all in all.
#[cfg(feature = "yaml")]
pub(crate) const MAX_ALIASED: u64 = 1_000_000;

/// Whether a text may become so long.
pub(crate) fn text(length: Option<usize>) -> Result<usize, String> {
    within(length, MAX_TEXT, "the result would be larger than 64 MiB")
}

/// Whether a collection may become so large.
pub(crate) fn elements(count: Option<usize>) -> Result<usize, String> {
    within(count, MAX_ELEMENTS, "the result would have more than 1,048,576 elements")
}

fn within(wanted: Option<usize>, most: usize, why: &str) -> Result<usize, String> {
    wanted.filter(|wanted| *wanted <= most).ok_or_else(|| why.to_owned())
}
