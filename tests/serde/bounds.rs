//! Reading ends within bounds, whatever is wrong with a file. How much is done is counted by the types that are read.

use std::cell::Cell;

use hcl_lr::serde::from_json_str;
use hcl_lr::{Diagnostics, from_str};
use serde::Deserialize;

thread_local! {
    /// How many values have been tried.
    static TRIED: Cell<u64> = const { Cell::new(0) };
}

/// The number of values that are tried by some work, and what is wrong.
fn tried<T>(read: impl FnOnce() -> Result<T, Diagnostics>) -> (u64, Diagnostics) {
    TRIED.set(0);
    let errors = read().err().unwrap_or_default();
    (TRIED.get(), errors)
}

/// A text that is never right.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct Never;

impl TryFrom<String> for Never {
    type Error = String;

    fn try_from(text: String) -> Result<Never, String> {
        TRIED.set(TRIED.get() + 1);
        Err(format!("`{text}` is not right"))
    }
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Names {
    names: Vec<Never>,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Blocks {
    b: Vec<Block>,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Block {
    name: Never,
}

/// Values are not tried any more when as many errors have been found as are reported.
#[test]
fn no_more_values_are_tried_than_errors_are_reported() {
    const COUNT: usize = 20_000;
    // A value is tried some 20 times to find out what is wrong with it.
    const MOST: u64 = 30_000;
    let each = |part: &str| (0..COUNT).map(|number| part.replace('#', &number.to_string())).collect::<String>();
    let list = format!("names = [{}]\n", each("\"n#\", "));
    let (count, errors) = tried(|| from_str::<Names>(&list));
    assert!(count <= MOST && errors.len() == 1_000, "{count} values for {} errors", errors.len());
    let blocks = each("b {\n  name = \"n#\"\n}\n");
    let (count, errors) = tried(|| from_str::<Blocks>(&blocks));
    assert!(count <= MOST && errors.len() == 1_000, "{count} values for {} errors", errors.len());
    let json = format!("{{\"names\": [{}\"\"]}}", each("\"n#\", "));
    let (count, errors) = tried(|| from_json_str::<Names>(&json));
    assert!(count <= MOST && errors.len() == 1_000, "{count} values for {} errors", errors.len());
}
