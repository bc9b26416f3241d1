//! Functions on the text of paths.

use super::strings::of_text;
use super::{made, str_of};
use crate::functions::engine::paths;
use crate::functions::entry::FunctionEntry;

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    vec![
        of_text("basename", "Returns the last name of a path.")
            .perhaps_null()
            .example("basename(\"foo/bar/baz.txt\")", "\"baz.txt\"")
            .does(|call| made(call, paths::base(str_of(call, 0)))),
        of_text("dirname", "Returns a path without its last name.")
            .perhaps_null()
            .example("dirname(\"foo/bar/baz.txt\")", "\"foo/bar\"")
            .does(|call| made(call, paths::folder(str_of(call, 0)))),
    ]
}
