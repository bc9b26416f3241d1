//! Evaluates an expression with functions and variables of the program. `crates/benches/examples/peers.rs` does the same with
//! hcl-rs.
//!
//! ```sh
//! cargo run --example evaluate -- 'shout("${user.name} is ${user.age + 1}")'
//! ```

use hcl_lr::eval::{Function, Parameter};
use hcl_lr::model::{Type, Value};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).ok_or("usage: evaluate EXPRESSION")?;
    let shout = Function::new([Parameter::new("text", Type::String)], Type::String, |call| {
        Ok(call.get_as::<&str>(0)?.to_uppercase().into())
    });
    let user = Value::object([("name", Value::from("ada")), ("age", Value::from(36))]);
    let scope = hcl_lr::Scope::new().with("user", user).with_function("shout", shout);
    println!("{}", hcl_lr::parse::<hcl_lr::Expression>(text).into_result()?.evaluate(&scope)?);
    Ok(())
}
