//! The shape of python-hcl2: a case of `fixtures/python-hcl2` has a file and what the library python-hcl2 7.3.1 makes of
//! it. These are recorded from that library by `record.py`, and never from this one.

use crate::support::golden::cases;
use hcl_lr::convert::to_python_hcl2;
use hcl_lr::{File, parse};

#[test]
fn the_objects_are_those_of_python_hcl2() {
    for case in cases("python-hcl2") {
        let file = parse::<File>(case.text("hcl")).into_value();
        let json = to_python_hcl2(&file).into_result().expect("it can be converted");
        assert_eq!(json, case.text("json"), "{}", case.place());
    }
}

fn error_of(text: &str) -> String {
    let file = parse::<File>(text).into_result().expect("no errors");
    let wrong = to_python_hcl2(&file).into_result().expect_err(text);
    let first = wrong.first().expect("an error");
    assert_eq!(first.code().as_str(), "not-convertible");
    first.detail().to_owned()
}

#[test]
fn an_attribute_and_blocks_have_no_property_together() {
    let expected = "`a` is the name of an attribute and of blocks, for which this shape has one property";
    for text in ["a = 1\na {}\n", "a {}\na = 1\n", "b {\n  a \"x\" {}\n  a = 1\n}\n"] {
        assert_eq!(error_of(text), expected);
    }
}

/// Python has an infinite number for these, which JSON has not.
#[test]
fn large_numbers_stay_as_they_are_written() {
    let file = parse::<File>("a = [1E999, -007E999, 00.5E999, 00.5]\n").into_result().expect("no errors");
    let json = to_python_hcl2(&file).into_result().expect("JSON");
    let compact: String = json.split_whitespace().collect();
    assert_eq!(compact, r#"{"a":[1E999,-7E999,0.5E999,0.5]}"#);
}

/// Each level of lists in parentheses has twice as many backslashes as the one within.
#[test]
fn texts_that_grow_with_each_level_are_refused() {
    let text = format!("a = {}\"'\\\"\"{}\n", "([".repeat(200), "])".repeat(200));
    assert_eq!(error_of(&text), "python-hcl2 would make a very long text of this expression");
}

#[test]
fn deep_values_fit_a_small_stack() {
    let run = || {
        // An interpolation is two levels.
        for (open, close, depth) in [("[", "]", 900), ("{ a = ", " }", 900), ("f(", ")", 900), ("\"${", "}\"", 450)] {
            let text = format!("a = {}b{}\n", open.repeat(depth), close.repeat(depth));
            let file = parse::<File>(text).into_result().expect("no errors");
            assert!(to_python_hcl2(&file).into_result().expect("JSON").len() > depth);
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(run).expect("a thread");
    thread.join().expect("the thread ends");
}
