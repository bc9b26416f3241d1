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

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Flat {
    #[serde(flatten)]
    rest: std::collections::BTreeMap<String, Never>,
}

/// Values are not tried any more when as many errors have been found as are reported.
#[test]
fn no_more_values_are_tried_than_errors_are_reported() {
    const COUNT: usize = 20_000;
    const MOST: u64 = 3_000;
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
    let flat = each("k# = \"n#\"\n");
    let (count, errors) = tried(|| from_str::<Flat>(&flat));
    assert!(count <= 100 * MOST && !errors.is_empty(), "{count} values for {} errors", errors.len());
}

/// A tree whose variants all begin alike.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[allow(dead_code, reason = "only errors are looked at")]
enum Tree {
    One { a: Box<Tree> },
    Two { a: Box<Tree>, b: Option<Box<Tree>> },
    Three { a: Box<Tree>, c: Option<Box<Tree>> },
    Leaf(Never),
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Root {
    tree: Tree,
}

/// serde tries all variants at each level. To find the place of the error, that is not done again and again.
#[test]
fn untagged_enums_are_read_a_few_times() {
    for levels in [6, 9] {
        let text = format!("tree = {}\"x\"{}\n", "{ a = ".repeat(levels), " }".repeat(levels));
        let (count, errors) = tried(|| from_str::<Root>(&text));
        let once = 3_u64.pow(levels as u32);
        println!("{levels} levels: {count} values, {once} in one pass");
        assert!(!errors.is_empty());
        assert!(count <= 30 * once.min(5_000) + 3 * once, "{levels} levels: {count} values, {once} in one pass");
    }
}
