//! Finds mistakes before all values are known: a value that is not known yet is an *unknown value* with a type, and a use that
//! does not match the type is an error. Later, the same file is evaluated again with the values.
//!
//! ```sh
//! cargo run --example early_check
//! ```

use hcl_lr::model::{Type, Value};
use hcl_lr::{Scope, functions};

const CONFIGURATION: &str = r#"
url     = "http://${server.address}:${server.port}/"
first   = server.addresses[0]
upper   = [for address in server.addresses : upper(address)]
size    = server.port > 1024 ? "large" : 7
known   = upper("known")
"#;

/// Mistakes that are independent of the values of the server.
const MISTAKES: &str = r#"
name    = server.port.number
sum     = server.addresses + 1
prot    = server.prot
upper   = upper(server.addresses)
"#;

fn main() {
    let ty = Type::object([("address", Type::String), ("port", Type::Number), ("addresses", Type::list(Type::String))]);

    println!("# before the server exists");
    let planned = Scope::new().with("server", Value::unknown(ty)).with_functions(functions::standard());
    show(CONFIGURATION, &planned);

    println!("\n# mistakes that are found nevertheless");
    show(MISTAKES, &planned);

    println!("\n# when it exists");
    let addresses = Value::list(Type::String, [Value::from("10.0.0.1"), Value::from("fe80::1")]).expect("strings");
    let server =
        Value::object([("address", Value::from("10.0.0.1")), ("port", Value::from(80)), ("addresses", addresses)]);
    show(CONFIGURATION, &Scope::new().with("server", server).with_functions(functions::standard()));
}

/// Prints the values of the attributes, parts of which can be unknown, and the errors.
fn show(text: &str, scope: &Scope<'_>) {
    let file = match hcl_lr::parse::<hcl_lr::File>(text).into_result() {
        Ok(file) => file,
        Err(diagnostics) => return eprint!("{}", diagnostics.render()),
    };
    let evaluation = file.body().evaluate_attributes(scope);
    for (attribute, value) in evaluation.value() {
        // `Debug` shows types and refinements of an unknown value, `is_wholly_known` whether
        // something is missing.
        let when = if value.is_wholly_known() { "known" } else { "later" };
        println!("{when}: {} = {value:?}", attribute.name());
    }
    print!("{}", evaluation.diagnostics().render());
}
