//! Reads the configuration of a service by a spec in code, with defaults, limits and checks. All errors are reported together,
//! with their places.
//!
//! ```sh
//! cargo run --example service_config                  # reads examples/checkout.hcl
//! cargo run --example service_config -- my.hcl        # or .json
//! ```

use std::process::ExitCode;

use hcl_lr::decode::{Spec, ValidationProblem};
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::model::{Number, Type, Value};
use hcl_lr::{Body, Scope, parse_file};

/// Returns the spec of a service.
fn service() -> Spec {
    let tls = Spec::object([("certificate", Spec::required_attr("certificate", Type::String))]);
    let listener = Spec::object([
        ("name", Spec::block_label(0, "name")),
        ("port", Spec::required_attr("port", Type::Number).validate(port)),
        ("tls", Spec::block("tls", tls)),
    ]);
    Spec::object([
        ("name", Spec::required_attr("name", Type::String)),
        ("owner", Spec::required_attr("owner", Type::String).validate(address)),
        ("timeout", Spec::attr("timeout", Type::Number).or(Spec::literal(60))),
        ("listeners", Spec::block_list("listener", 1..=4, listener).validate(distinct_ports)),
        ("labels", Spec::block_attrs("labels", Type::String)),
    ])
}

fn port(value: &Value) -> Option<ValidationProblem> {
    let number = value.as_number()?;
    let fits = number.is_whole() && *number >= Number::from(1) && *number <= Number::from(65_535);
    (!fits).then(|| {
        ValidationProblem::error(format!("{number} is not a port")).with_help("ports are whole numbers from 1 to 65535")
    })
}

fn address(value: &Value) -> Option<ValidationProblem> {
    let text = value.as_str()?;
    (!text.contains('@')).then(|| ValidationProblem::warning("this does not look like a mail address"))
}

fn distinct_ports(listeners: &Value) -> Vec<ValidationProblem> {
    let ports = listeners.elements().unwrap_or_default().iter().filter_map(|listener| listener.attribute("port"));
    let mut seen: Vec<&Value> = Vec::new();
    let mut problems = Vec::new();
    for port in ports.filter(|port| port.is_known()) {
        if seen.contains(&port) {
            problems.push(ValidationProblem::error(format!("two listeners have the port {port}")));
        }
        seen.push(port);
    }
    problems
}

fn main() -> ExitCode {
    let path = std::env::args().nth(1).unwrap_or_else(|| "examples/checkout.hcl".to_owned());
    // The variables for expressions in the file.
    let scope = Scope::new().with("certificates", "/etc/certificates");
    let mut problems = Diagnostics::new();
    let body = parse_file::<Body>(path).report_to(&mut problems);
    let value = body.and_then(|body| service().decode(&body, &scope).report_to(&mut problems));
    // Warnings are printed even without errors.
    eprint!("{}", problems.render());
    let Some(value) = value else { return ExitCode::FAILURE };
    for (name, value) in value.entries().into_iter().flatten() {
        println!("{name} = {value}");
    }
    ExitCode::SUCCESS
}
