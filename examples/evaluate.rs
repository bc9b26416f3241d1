//! A program that is configured by a file: it offers a variable and a function of its own, and reads
//! the values of the attributes.

use hcl_lr::Scope;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::{Function, Parameter};
use hcl_lr::functions;
use hcl_lr::model::Type;

const CONFIGURATION: &str = r#"
title = "${upper(host)} at ${megabytes(512)} bytes"
ports = [for offset in [0, 1, 2]: 8000 + offset if offset != 1]
"#;

fn main() {
    if let Err(diagnostics) = run() {
        eprint!("{}", diagnostics.render());
    }
}

fn run() -> Result<(), Diagnostics> {
    let megabytes = Function::new([Parameter::new("count", Type::Number)], Type::Number, |arguments| {
        let count = u32::try_from(&arguments[0])?;
        Ok((u64::from(count) << 20).into())
    });
    let scope =
        Scope::new().with("host", "web-1").with_functions(functions::standard()).with_function("megabytes", megabytes);
    let file = hcl_lr::parse(CONFIGURATION).into_result()?;
    for (attribute, value) in file.body().evaluate_attributes(&scope).into_result()? {
        println!("{} = {value}", attribute.name());
    }
    Ok(())
}
