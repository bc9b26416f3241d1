//! The example that does with hcl-edit and hcl-rs what those of hcl-lr do prints what is recorded.

use crate::example::run;
use crate::golden::{Golden, case_named};

const RUNS: &[(&str, &[&str])] = &[
    ("check_files", &["check_files", "tests/fixtures/examples/mistakes.tf"]),
    ("change_value", &["change_value", "tests/fixtures/examples/capitals.tf", "Region", r#""us-east-1""#]),
    ("evaluate", &["evaluate", r#"shout("${user.name} is ${user.age + 1}")"#]),
    ("evaluate-broken", &["evaluate", "shout(user)"]),
];

#[test]
fn peers_print_what_their_fixtures_say() {
    let mut golden = Golden::new();
    for (name, arguments) in RUNS {
        let case = case_named("examples", &format!("{name}-peer"));
        golden.check_case(&case, "output", &run("hcl-lr-benches", "peers", arguments));
    }
    golden.finish();
}
