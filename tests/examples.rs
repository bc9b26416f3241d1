//! The examples print what the cases of `fixtures/examples` say.

#[path = "support/cases.rs"]
mod cases;
#[path = "support/example.rs"]
mod example;
#[path = "support/golden.rs"]
mod golden;

use golden::{Golden, case_named};

const SERVICES: &str =
    r#"services=[{ name = "shop", port = 80, public = true }, { name = "db", port = 5432, public = false }]"#;

/// The name of the case, the example, and its arguments.
const RUNS: &[(&str, &str, &[&str])] = &[
    ("embed", "embed", &[]),
    ("embed-broken", "embed", &["tests/fixtures/examples/broken.hcl"]),
    ("embed-json", "embed", &["tests/fixtures/examples/gateway.json"]),
    ("embed-missing", "embed", &["no/such.hcl"]),
    (
        "check_files",
        "check_files",
        &["tests/fixtures/examples/mistakes.tf", "no/such.tf", "tests/fixtures/examples/broken.hcl"],
    ),
    ("change_value", "change_value", &["tests/fixtures/examples/capitals.tf", "Region", r#""us-east-1""#]),
    ("evaluate", "evaluate", &[r#"shout("${user.name} is ${user.age + 1}")"#]),
    ("evaluate-broken", "evaluate", &["shout(user)"]),
    ("build_tool", "build_tool", &[]),
    ("build_tool-one", "build_tool", &["examples/build.hcl", "api", "TAG=v2"]),
    ("build_tool-broken", "build_tool", &["tests/fixtures/examples/build-broken.hcl"]),
    ("workflow", "workflow", &[]),
    ("workflow-broken", "workflow", &["tests/fixtures/examples/workflow-broken.hcl"]),
    ("workflow-unknown", "workflow", &["tests/fixtures/examples/workflow-unknown.hcl"]),
    ("lint_rule", "lint_rule", &["tests/fixtures/examples/capitals.tf"]),
    ("own_functions", "own_functions", &[]),
    ("early_check", "early_check", &[]),
    ("render_template", "render_template", &["examples/welcome.tftpl", "name=web", "host=localhost", SERVICES]),
    ("render_template-check", "render_template", &["--check", "examples/welcome.tftpl"]),
    ("render_template-broken", "render_template", &["tests/fixtures/examples/broken.tftpl", "name=web", SERVICES]),
    ("render_template-usage", "render_template", &[]),
    ("service_config", "service_config", &[]),
    ("service_config-broken", "service_config", &["tests/fixtures/examples/checkout-broken.hcl"]),
    ("service_config-json", "service_config", &["tests/fixtures/examples/checkout-ports.json"]),
    ("infrastructure", "infrastructure", &[]),
    ("infrastructure-given", "infrastructure", &["environment=production"]),
    ("infrastructure-broken", "infrastructure", &["tests/fixtures/examples/infrastructure-broken.hcl"]),
    ("infrastructure-types", "infrastructure", &["tests/fixtures/examples/infrastructure-types.hcl"]),
    ("figment", "figment", &[]),
    ("figment-broken", "figment", &["tests/fixtures/examples/app-broken.hcl"]),
    ("config_crate", "config_crate", &[]),
    ("config_crate-broken", "config_crate", &["tests/fixtures/examples/app-broken.hcl"]),
    ("pipeline", "pipeline", &[]),
    ("pipeline-broken", "pipeline", &["examples/pipeline.hcldec", "tests/fixtures/examples/pipeline-broken.hcl"]),
];

#[test]
fn examples_print_what_their_fixtures_say() {
    let mut golden = Golden::new();
    for (name, example, arguments) in RUNS {
        let case = case_named("examples", name);
        golden.check_case(&case, "output", &example::run("hcl-lr", example, arguments));
    }
    golden.finish();
}
