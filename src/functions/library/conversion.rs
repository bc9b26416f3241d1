//! Functions that convert values.

use super::{any, blame};
use crate::eval::{FunctionError, LazyCall};
use crate::functions::entry::{Builder, FunctionEntry, function};
use crate::model::{Type, Value};
use crate::type_expr::{Wanted, read_native};

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    vec![
        function("assertnotnull", "The value itself, or an error if it is null.")
            .looks_at_one()
            .takes(any("v"))
            .gives_by("any", |call| Ok(call.argument(0).ty()))
            .never_null()
            .example("assertnotnull(1)", "1")
            .fails("assertnotnull(null)", "invalid value for \"v\" of function \"assertnotnull\": must not be null")
            .does(|call| Ok(call.argument(0).clone())),
        function("convert", "Converts a value to a type, which is written as in `list(string)`.")
            .takes(any("value"))
            .takes(any("type"))
            .example("convert([1, true], list(string))", "[\"1\", \"true\"]")
            .fails(
                "convert(\"x\", number)",
                "invalid value for \"value\" of function \"convert\": a number is required",
            )
            .does_lazily(convert),
        to("tobool", "Converts a value to a bool.")
            .looks_at_elements()
            .example("tobool(\"true\")", "true")
            .does(|call| Ok(call.convert(call.argument(0), call.result_type())?)),
        to("tolist", "Converts a value to a list.")
            .looks_at_elements()
            .example("tolist([1, \"a\"])", "[\"1\", \"a\"]")
            .does(|call| Ok(call.convert(call.argument(0), call.result_type())?)),
        to("tomap", "Converts a value to a map.")
            .looks_at_elements()
            .example("tomap({ a = 1, b = \"x\" })", "{ a = \"1\", b = \"x\" }")
            .does(|call| Ok(call.convert(call.argument(0), call.result_type())?)),
        to("tonumber", "Converts a value to a number.")
            .looks_at_elements()
            .example("tonumber(\"1.5\")", "1.5")
            .fails("tonumber(\"x\")", "function \"tonumber\" failed: a number is required")
            .does(|call| Ok(call.convert(call.argument(0), call.result_type())?)),
        to("toset", "Converts a value to a set.")
            .looks_at_elements()
            .example("toset([\"b\", \"a\", \"b\"])", "[\"a\", \"b\"]")
            .does(|call| Ok(call.convert(call.argument(0), call.result_type())?)),
        to("tostring", "Converts a value to a string.")
            .looks_at_elements()
            .example("tostring(1.5)", "\"1.5\"")
            .does(|call| Ok(call.convert(call.argument(0), call.result_type())?)),
    ]
}

/// Returns the conversion to the type of the name.
fn to(name: &'static str, summary: &'static str) -> Builder {
    macro_rules! typed {
        ($shown:literal, $wanted:expr) => {
            function(name, summary).takes(any("v").allow_null().allow_dynamic()).gives_by($shown, |call| {
                let (given, wanted) = (call.argument(0).ty(), $wanted);
                match given == wanted {
                    true => Ok(wanted),
                    false => match call.conversion(&given, &wanted) {
                        Ok(_) => Ok(wanted),
                        Err(why) => Err(blame(0, why)),
                    },
                }
            })
        };
    }
    match name {
        "tobool" => typed!("bool", Type::Bool),
        "tonumber" => typed!("number", Type::Number),
        "tolist" => typed!("list(any)", Type::list(Type::Dynamic)),
        "toset" => typed!("set(any)", Type::set(Type::Dynamic)),
        "tomap" => typed!("map(any)", Type::map(Type::Dynamic)),
        _ => typed!("string", Type::String),
    }
}

/// Converts the first argument to the type in the second one. Nulls and unknowns are converted like other values; the
/// marks of parts become marks of the result. As in the official engine, attributes that are optional in the type must
/// be present.
fn convert(call: &LazyCall<'_>) -> Result<Value, FunctionError> {
    let value = call.argument(0).evaluate();
    let Some(written) = call.argument(1).expression() else {
        return Err(blame(1, "a type is required, written out, such as list(string)"));
    };
    // The type is read in each call: a few bytes of it are an expression, and some tables are created.
    call.charge(8 + written.span().len() as u64 / 2, 0)?;
    match (value, read_native(written, Wanted::Constraint, call.account())) {
        (Ok(value), Ok(constraint)) => {
            let (plain, marks) = value.unmark_deep();
            let converted = constraint.with_all_required().convert_within(&plain, call.account());
            Ok(converted.map_err(|why| blame(0, why))?.with_marks(&marks))
        }
        (Err(mut problems), Err(more)) => {
            problems.append(more);
            Err(problems.into())
        }
        (Err(problems), _) | (_, Err(problems)) => Err(problems.into()),
    }
}
