//! Conflicts that a version control system has left, in either syntax.

use memchr::memmem;

use crate::work::memchr;

pub(crate) const DETAIL: &str = "a version control system has left two versions here";

pub(crate) const HELP: &str = "keep one of the versions, and remove the lines of `<`, `=` and `>`";

/// Returns the end of the last line of a version control conflict whose first version ends at `from`; `None` if another
/// conflict begins before that. `budget` is the number of bytes that may still be searched.
pub(crate) fn end_after(source: &[u8], from: usize, budget: &mut usize) -> Option<usize> {
    let rest = &source[from..source.len().min(from.saturating_add(*budget))];
    let found = memmem::find(rest, b"\n>>>>>>>");
    let others = &rest[..found.unwrap_or(rest.len())];
    *budget -= others.len();
    let last = from + found? + 1;
    let ends = memmem::find(others, b"\n<<<<<<<").is_none();
    ends.then(|| memchr(b'\n', &source[last..]).map_or(source.len(), |length| last + length))
}
