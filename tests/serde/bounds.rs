//! Reading ends within bounds, whatever is wrong with a file. How much is done is counted by the types that are read.

#[path = "../fixtures/hostile/serde/types.rs"]
#[allow(dead_code, reason = "only errors are looked at")]
mod types;

use std::collections::BTreeMap;

use hcl_lr::typed::{Reader, from_json_str};
use hcl_lr::{Diagnostics, from_str};
use serde::Deserialize;
use types::{Hostile, Never, TRIED};

/// The number of values that are tried by some work, and what is wrong.
fn tried<T>(read: impl FnOnce() -> Result<T, Diagnostics>) -> (u64, Diagnostics) {
    TRIED.set(0);
    let errors = read().err().unwrap_or_default();
    (TRIED.get(), errors)
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
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Root {
    tree: types::Tree,
}

fn tree(levels: usize) -> String {
    format!("tree = {}\"x\"{}\n", "{ a = ".repeat(levels), " }".repeat(levels))
}

/// serde tries all variants at each level. Nothing is done again to find the place of the error.
#[test]
fn untagged_enums_are_read_once() {
    for levels in [6, 8] {
        let (count, errors) = tried(|| from_str::<Root>(&tree(levels)));
        assert!(!errors.is_empty());
        assert!(count <= 3_u64.pow(levels as u32), "{levels} levels: {count} values");
    }
}

/// Parts that serde buffers must not nest deep, because serde takes time that is exponential in the depth.
#[test]
fn untagged_enums_end_with_an_error() {
    let reader = Reader::new().max_buffered_depth(5);
    let (count, errors) = tried(|| reader.read_source::<Root>(("deep.hcl", &*tree(60))));
    assert_eq!(count, 0);
    assert_eq!(
        errors.to_string(),
        "deep.hcl:1:38: error[nesting-too-deep]: more levels than the limit allows: this nests more than 5 levels deep, and all \
         of it has to be buffered"
    );
    let help = errors.first().and_then(|error| error.help());
    assert_eq!(help, Some("nest less deep, or raise `Reader::max_buffered_depth`"));
    // Values that types take as they are may nest as deep as other types.
    let list = format!("a = {}1{}\n", "[".repeat(100), "]".repeat(100));
    from_str::<serde_json::Value>(&list).expect("a value");
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only the work is looked at")]
struct Layer {
    one: Vec<u8>,
    two: Vec<u8>,
    #[serde(default)]
    seen: Option<Seen>,
    inner: Option<Box<Layer>>,
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

/// A number that is counted.
#[derive(Debug, Deserialize)]
#[serde(from = "u8")]
struct Seen;

impl From<u8> for Seen {
    fn from(_: u8) -> Seen {
        TRIED.set(TRIED.get() + 1);
        Seen
    }
}

/// Lists that are missing in types with `flatten` are no reason to read everything again at each level.
#[test]
fn missing_lists_cost_little() {
    let text = |levels: usize| format!("{}{}", "inner {\nseen = 1\n".repeat(levels), "}\n".repeat(levels));
    for levels in [10, 40, 80] {
        TRIED.set(0);
        from_str::<Layer>(&text(levels)).expect("layers");
        assert!(TRIED.get() <= 3 * levels as u64, "{levels} levels: {} values", TRIED.get());
    }
}

/// Each ends on a stack of 2 MiB.
#[test]
fn hostile_inputs_end() {
    const MOST: u64 = 20_000;
    // Less without optimization.
    let parts = if cfg!(debug_assertions) { 1_500 } else { usize::MAX };
    // Fewer levels are enough to see whether they are limited.
    let reader = Reader::new().max_buffered_depth(6);
    for input in Hostile::all(include_str!("../fixtures/hostile/serde/inputs.txt"), parts) {
        let parts = input.text.len() as u64 / 4;
        println!("{:.90}", input.name);
        let read = move || (input.read(&reader).len(), TRIED.get(), input.name);
        let thread = std::thread::Builder::new().stack_size(2 << 20);
        let (errors, count, name) = thread.spawn(read).expect("a thread").join().expect("it ends");
        println!("{errors:5} errors, {count:7} values");
        assert!(errors <= 1_001, "{name}: {errors} errors");
        assert!(count <= MOST + 64 * parts, "{name}: {count} values are tried");
    }
}
