//! Mistakes can be found before all values are known: what is not known yet is an unknown value of a
//! type, and what does not fit that type is an error already.

use hcl_lr::Scope;
use hcl_lr::functions;
use hcl_lr::model::{Type, Value};

const CONFIGURATION: &str = r#"
address = "http://${server.address}:${server.port}/"
first   = server.addresses[0]
wrong   = server.port.number
"#;

fn main() {
    let server =
        Type::object([("address", Type::String), ("port", Type::Number), ("addresses", Type::list(Type::String))]);
    let scope = Scope::new().with("server", Value::unknown(server)).with_functions(functions::standard());
    let file = match hcl_lr::parse(CONFIGURATION).into_result() {
        Ok(file) => file,
        Err(diagnostics) => return eprint!("{}", diagnostics.render()),
    };
    let evaluation = file.body().evaluate_attributes(&scope);
    for (attribute, value) in &evaluation.value {
        println!("{}: {value:?}", attribute.name());
    }
    print!("{}", evaluation.diagnostics.render());
}
