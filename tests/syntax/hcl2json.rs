//! The shape of hcl2json: a case of `fixtures/hcl2json` has a file and what the program hcl2json 0.6.9 prints for
//! it (`go install github.com/tmccombs/hcl2json@v0.6.9`, `hcl2json < FILE`). These are recorded from that program, and
//! never from this one.

use crate::support::golden::cases;
use hcl_lr::convert::to_hcl2json;
use hcl_lr::{File, parse};

#[test]
fn the_bytes_are_those_of_hcl2json() {
    for case in cases("hcl2json") {
        let file = parse::<File>(case.text("hcl")).into_result().expect("a file without errors");
        let json = to_hcl2json(&file).into_result().expect("it can be converted");
        assert_eq!(json, case.text("json"), "{}", case.place());
    }
}

#[test]
fn blocks_with_different_numbers_of_labels_are_an_error() {
    for text in
        ["a {}\na \"x\" {}\n", "a \"x\" {}\na {}\n", "a \"x\" {}\na \"x\" \"y\" {}\n", "a \"x\" \"y\" {}\na \"x\" {}\n"]
    {
        let file = parse::<File>(text).into_result().expect("no errors");
        let wrong = to_hcl2json(&file).into_result().expect_err(text);
        assert_eq!(wrong.iter().next().expect("an error").code().as_str(), "not-convertible");
    }
}
