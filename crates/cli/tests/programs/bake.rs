//! `hcl eval --schema bake` beside the parser of `docker buildx bake` itself.
//!
//! A case of `tests/fixtures/bake` has the files of a build. `answer` is what bake's own parser said: the tags and
//! arguments of the targets, and the lines of errors. `request`, if there is one, has the environment.
//!
//! With the path of the program that `crates/conformance/programs/bake/build` makes in `HCL_LR_BAKE`, the parser is asked again;
//! `UPDATE_GOLDEN=1` records its answers.

use serde_json::Value;

use crate::opentofu::{Fixture, ask_ours, fixtures_with_answers, request_of, value_at};

/// A value as it is passed to a build: arguments are texts.
fn as_text(value: &Value) -> Value {
    match value {
        Value::Number(number) => Value::from(number.to_string()),
        Value::Bool(bool) => Value::from(bool.to_string()),
        Value::Array(all) => all.iter().map(as_text).collect(),
        Value::Object(all) => all.iter().map(|(name, value)| (name.clone(), as_text(value))).collect(),
        other => other.clone(),
    }
}

#[test]
fn fixtures_have_the_values_and_errors_that_bake_gives() {
    let (mut wrong, mut equal) = (Vec::new(), 0);
    let fixtures = fixtures_with_answers("bake", "HCL_LR_BAKE");
    for Fixture { case, folder, answer: theirs } in &fixtures {
        let name = &case.name;
        let ours = ask_ours(&folder.0, "bake", &request_of(case));
        for (address, value) in theirs["values"].as_object().into_iter().flatten() {
            match value_at(&ours.values, address).map(as_text) {
                Some(ours) if ours == *value => equal += 1,
                ours => wrong.push(format!("{name}: {address} is {ours:?} here, {value} there")),
            }
        }
        let has_errors = theirs["errors"].as_array().is_some_and(|errors| !errors.is_empty());
        if has_errors == ours.errors.is_empty() {
            wrong.push(format!("{name}: errors at {:?} here, at {} there", ours.errors, theirs["errors"]));
        }
    }
    println!("{} builds: {equal} values equal", fixtures.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
