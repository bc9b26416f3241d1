//! Reading ends within bounds, whatever is wrong with a file. How much is done is counted by the types that are read.

#[path = "../fixtures/hostile/serde/types.rs"]
#[allow(dead_code, reason = "only errors are looked at")]
mod types;

use hcl_lr::serde::{Reader, from_json_str};
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

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only errors are looked at")]
struct Root {
    tree: types::Tree,
}

fn tree(levels: usize) -> String {
    format!("tree = {}\"x\"{}\n", "{ a = ".repeat(levels), " }".repeat(levels))
}

/// serde tries all variants at each level. To find the place of the error, that is not done again and again.
#[test]
fn untagged_enums_are_read_a_few_times() {
    for levels in [6, 8] {
        let (count, errors) = tried(|| from_str::<Root>(&tree(levels)));
        let once = 3_u64.pow(levels as u32);
        assert!(!errors.is_empty());
        assert!(count <= 10_000 + 4 * once, "{levels} levels: {count} values, {once} in one pass");
    }
}

/// Reading is given up when types have refused parts too often, with the place of the enum.
#[test]
#[cfg(panic = "unwind")]
fn untagged_enums_end_with_an_error() {
    let reader = Reader::new().max_refusals(5_000);
    let (count, errors) = tried(|| reader.read_source::<Root>(("deep.hcl", &*tree(60))));
    assert!(count <= 20_000, "{count} values");
    assert_eq!(
        errors.to_string(),
        "deep.hcl:1:8: error[limit-exceeded]: evaluation takes too many steps or too much memory: reading this takes too long: variants of an \
         untagged enum are tried again at each level"
    );
    // The next one starts anew.
    let (_, errors) = tried(|| reader.read_source::<Names>("names = [\"x\"]\n"));
    assert!(!errors.to_string().contains("limit-exceeded"), "{errors}");
}

/// Each ends on a stack of 2 MiB.
#[test]
fn hostile_inputs_end() {
    const MOST: u64 = 20_000;
    // Less without optimization.
    let parts = if cfg!(debug_assertions) { 1_500 } else { usize::MAX };
    let reader = Reader::new().max_refusals(MOST);
    for input in Hostile::all(include_str!("../fixtures/hostile/serde/inputs.txt"), parts) {
        let parts = input.text.len() as u64 / 4;
        println!("{:.90}", input.name);
        let read = move || (input.read(&reader).len(), TRIED.get(), input.name);
        let thread = std::thread::Builder::new().stack_size(2 << 20);
        let (errors, count, name) = thread.spawn(read).expect("a thread").join().expect("it ends");
        println!("{errors:5} errors, {count:7} values");
        assert!(errors <= 1_001, "{name}: {errors} errors");
        assert!(!cfg!(panic = "unwind") || count <= MOST + 64 * parts, "{name}: {count} values are tried");
    }
}
