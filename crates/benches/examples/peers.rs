//! The work of `check_files`, `change_value` and `evaluate`, as far as hcl-edit and hcl-rs can do it.
//!
//! - `check_files`: hcl-edit gives the first error of each file only, as text.
//! - `change_value`: by name; hcl-edit writes the whole file anew. It can only by its own types.
//! - `evaluate`: hcl-rs.
//! - `lint_rule`: neither has diagnostics that a program could make.

use hcl::eval::{Context, Evaluate, FuncArgs, FuncDef, ParamType};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["check_files", ref paths @ ..] => check_files(paths),
        ["change_value", path, name, text] => change_value(path, name, text),
        ["evaluate", text] => evaluate(text),
        _ => Err("usage: peers check_files FILE… | change_value FILE NAME TEXT | evaluate EXPRESSION".into()),
    }
}

fn check_files(paths: &[&str]) -> Result<(), Box<dyn std::error::Error>> {
    let mut failed = false;
    for path in paths {
        if let Err(error) = hcl_edit::parser::parse_body(&std::fs::read_to_string(path)?) {
            eprintln!("{path}: {error}");
            failed = true;
        }
    }
    std::process::exit(failed.into());
}

fn change_value(path: &str, name: &str, text: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mut body = hcl_edit::parser::parse_body(&std::fs::read_to_string(path)?)?;
    let mut attribute = body.get_attribute_mut(name).ok_or("there is no such attribute")?;
    let mut value: hcl_edit::expr::Expression = text.parse()?;
    hcl_edit::Decorate::decorate(&mut value, hcl_edit::Decorate::decor(attribute.value_mut()).clone());
    *attribute.value_mut() = value;
    print!("{body}");
    Ok(())
}

fn evaluate(text: &str) -> Result<(), Box<dyn std::error::Error>> {
    fn shout(arguments: FuncArgs) -> Result<hcl::Value, String> {
        Ok(arguments[0].as_str().ok_or("a string is required")?.to_uppercase().into())
    }
    let mut context = Context::new();
    context.declare_var("user", hcl::value!({ "name" = "ada", "age" = 36 }));
    context.declare_func("shout", FuncDef::builder().param(ParamType::String).build(shout));
    let expression: hcl::Expression = text.parse()?;
    println!("{}", hcl::to_string(&hcl::value!({ "result" = (expression.evaluate(&context)?) }))?);
    Ok(())
}
