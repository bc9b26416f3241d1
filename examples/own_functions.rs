//! Defines functions of every kind: with a fixed or any number of arguments, with a result type that depends on them, with
//! unevaluated arguments, and in a namespace.
//!
//! ```sh
//! cargo run --example own_functions
//! ```

use hcl_lr::eval::{Call, Function, FunctionError, Functions, Parameter};
use hcl_lr::model::{Type, Value, operations};
use hcl_lr::{Scope, functions};

const CONFIGURATION: &str = r#"
memory   = megabytes(512)
total    = sum(1, 2.5, length(["a", "b"]))
last     = last(["a", true, 3])
checked  = assert(memory_limit > 100)
path     = path::join("srv", "www", "index.html")
unknown  = path::join("srv", host)
negative = megabytes(-1)
nothing  = last([])
failing  = assert(memory_limit > 1000)
"#;

fn main() {
    let file = match hcl_lr::parse::<hcl_lr::File>(CONFIGURATION).into_result() {
        Ok(file) => file,
        Err(diagnostics) => return eprint!("{}", diagnostics.render()),
    };
    let scope = Scope::new()
        .with("memory_limit", 512)
        .with("host", Value::unknown(Type::String))
        .with_functions(own_functions());
    let evaluation = file.body().evaluate_attributes(&scope);
    for (attribute, value) in evaluation.value() {
        println!("{} = {value}", attribute.name());
    }
    print!("\n{}", evaluation.diagnostics().render());
}

/// The standard functions, and those of this program.
fn own_functions() -> Functions {
    let paths = Functions::default().with("join", join());
    functions::standard()
        .with("megabytes", megabytes())
        .with("sum", sum())
        .with("last", last())
        .with("assert", assert())
        .with_namespace("path", &paths)
}

/// A function of one argument. The library converts it to a number, rejects null, and does not call the function for an
/// unknown argument: the result is then an unknown number.
fn megabytes() -> Function {
    Function::new([Parameter::new("count", Type::Number)], Type::Number, |call| {
        // A number out of range of `u32` is an error at the argument.
        let count: u32 = call.get_as(0)?;
        Ok((u64::from(count) << 20).into())
    })
}

/// A function of any number of arguments, with the exact arithmetic of the language.
fn sum() -> Function {
    Function::variadic([], Parameter::new("numbers", Type::Number), Type::Number, |call| {
        Ok(call.arguments().iter().try_fold(Value::from(0), |sum, number| operations::add(&sum, number))?)
    })
}

/// A function whose result type depends on the argument: the type of the last element.
fn last() -> Function {
    let elements = [Parameter::new("elements", Type::Dynamic)];
    let result = |call: &Call<'_>| match call.argument(0).ty() {
        Type::List(element) => Ok(element.get().clone()),
        tuple => {
            let last = tuple.tuple_elements().and_then(|types| types.last().cloned());
            last.ok_or_else(|| FunctionError::argument(0, "a list or tuple with elements is required"))
        }
    };
    Function::typed(elements, None, result, |call| {
        let last = call.argument(0).elements().and_then(<[Value]>::last);
        last.cloned().ok_or_else(|| FunctionError::argument(0, "there is no element"))
    })
}

/// A function of an unevaluated argument, whose text becomes part of the message.
fn assert() -> Function {
    Function::lazy([Parameter::new("condition", Type::Bool)], None, |call| {
        let condition = call.argument(0);
        let value = condition.evaluate()?;
        if value.as_bool() == Some(false) {
            let text = condition.expression().map_or("the condition", |expression| expression.text());
            return Err(FunctionError::argument(0, format!("`{text}` does not hold")));
        }
        Ok(value)
    })
}

/// `path::join`, in a namespace.
fn join() -> Function {
    Function::variadic([], Parameter::new("parts", Type::String), Type::String, |call| {
        Ok(call.get_rest_as::<&str>(0)?.join("/").into())
    })
}
