//! Operators as functions.

use super::any;
use crate::eval::Parameter;
use crate::functions::entry::{Builder, FunctionEntry, function};
use crate::model::{Type, operations};

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    let bool = |name: &'static str| Parameter::new(name, Type::Bool).allow_dynamic().allow_marked();
    vec![
        function("and", "Returns true if both values are true.")
            .looks_at_one()
            .takes(bool("a"))
            .takes(bool("b"))
            .gives_bool()
            .example("and(true, false)", "false")
            .does(|call| Ok(operations::and(call.argument(0), call.argument(1))?)),
        function("or", "Returns true if at least one of two values is true.")
            .looks_at_one()
            .takes(bool("a"))
            .takes(bool("b"))
            .gives_bool()
            .example("or(true, false)", "true")
            .does(|call| Ok(operations::or(call.argument(0), call.argument(1))?)),
        function("not", "Negates a bool.")
            .looks_at_one()
            .takes(bool("val"))
            .gives_bool()
            .example("not(true)", "false")
            .does(|call| Ok(operations::not(call.argument(0))?)),
        of_two("equal", "Returns true if two values have the same type and are equal.")
            .example("equal(1, 1)", "true")
            .example("equal(1, \"1\")", "false")
            .does(|call| Ok(operations::equal(call.argument(0), call.argument(1)))),
        of_two("notequal", "Returns true if two values differ.")
            .example("notequal(1, 2)", "true")
            .does(|call| Ok(operations::not_equal(call.argument(0), call.argument(1)))),
    ]
}

fn of_two(name: &'static str, summary: &'static str) -> Builder {
    let value = |name| any(name).allow_unknown().allow_dynamic().allow_null();
    function(name, summary).takes(value("a")).takes(value("b")).gives_bool()
}
